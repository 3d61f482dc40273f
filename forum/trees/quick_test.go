package trees

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

// TestThePackedForestAnswersAlike: whatever is asked, the packed questions lead to
// the same answers.
func TestThePackedForestAnswersAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func() []float64 {
		return []float64{float64(r.IntN(5)), float64(r.IntN(2)), float64(r.IntN(7)) / 7, float64(r.IntN(40))}
	}
	var examples []Example
	for range 3000 {
		f := draw()
		examples = append(examples, Example{Features: f, Positive: f[0]+3*f[2] > 2+2*r.Float64() && f[3] > 4})
	}
	grown, err := Train([]string{"a", "b", "c", "d"}, examples, Settings{Trees: 7, Depth: 9, Leaf: 3, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := grown.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if len(read.quick.trees) != 7 {
		t.Fatal("the forest was not packed")
	}
	for range 2000 {
		f := draw()
		if slow, quick := grown.Score(f), read.Score(f); math.Abs(slow-quick) > 1e-5 {
			t.Fatalf("%v: %v, packed %v", f, slow, quick)
		}
		score, least := read.Score(f), r.Float64()
		if from := read.ScoreFrom(f, least); score >= least && from != score || score < least && from >= least {
			t.Fatalf("%v: %v, from %v on %v", f, score, least, from)
		}
	}
	if short := read.Score([]float64{1}); math.Abs(short-grown.Score([]float64{1})) > 1e-5 {
		t.Error("missing features do not count as 0")
	}
}
