package trees

import (
	"bytes"
	"math"
	"runtime"
	"testing"
)

func boost(t testing.TB, list []Example, s Boosting, from *Forest) *Forest {
	t.Helper()
	f, err := Boost(names(), list, s, from)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// loss is the mean logarithmic loss.
func loss(f *Forest, list []Example) float64 {
	sum := 0.0
	for _, e := range list {
		p := f.Score(e.Features)
		if !e.Positive {
			p = 1 - p
		}
		sum -= math.Log(p)
	}
	return sum / float64(len(list))
}

func TestBoostedTreesCorrectEachOther(t *testing.T) {
	learnt, unseen := examples(3000, 1), examples(3000, 2)
	one, many := boost(t, learnt, Boosting{Trees: 1, Seed: 1}, nil), boost(t, learnt, Boosting{Trees: 100, Seed: 1}, nil)
	if a := accuracy(many, unseen); a < 0.93 {
		t.Errorf("accuracy on new examples %.3f", a)
	}
	if first, last := loss(one, unseen), loss(many, unseen); last > 0.6*first {
		t.Errorf("a hundred trees lose %.3f on new examples, one %.3f", last, first)
	}
	sum, positive := 0.0, 0.0
	for _, e := range unseen {
		sum += many.Score(e.Features)
		if e.Positive {
			positive++
		}
	}
	if math.Abs(sum-positive) > 0.02*float64(len(unseen)) {
		t.Errorf("it expects %.0f positive ones of %d, there are %.0f", sum, len(unseen), positive)
	}
}

// TestBoostingIsDeterministic: whoever does the work, and however many.
func TestBoostingIsDeterministic(t *testing.T) {
	written := func() []byte {
		var file bytes.Buffer
		if err := boost(t, examples(1000, 1), Boosting{Trees: 20, Seed: 3}, nil).Write(&file); err != nil {
			t.Fatal(err)
		}
		return file.Bytes()
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	first := written()
	runtime.GOMAXPROCS(1)
	if !bytes.Equal(first, written()) {
		t.Error("one worker grows another forest than several")
	}
}

// TestBoostingGoesOn from the trees of a forest that was read, which stay.
func TestBoostingGoesOn(t *testing.T) {
	shipped := boost(t, examples(2000, 1), Boosting{Trees: 40, Seed: 1}, nil)
	var file bytes.Buffer
	if err := shipped.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if len(read.quick.trees) != 41 {
		t.Errorf("%d trees are packed, want 40 and where they begin", len(read.quick.trees))
	}
	contrary := examples(600, 5) // where things are the other way round
	for i := range contrary {
		contrary[i].Positive = !contrary[i].Positive
	}
	for _, e := range contrary {
		if a, b := shipped.Score(e.Features), read.Score(e.Features); math.Abs(a-b) > 1e-5 {
			t.Fatalf("%v: %v, read %v", e.Features, a, b)
		}
	}
	own := boost(t, contrary, Boosting{Trees: 150, Leaf: 5, Seed: 2}, read)
	if own.Len() != read.Len()+150 || read.Len() != 41 {
		t.Fatalf("%d trees on %d", own.Len(), read.Len())
	}
	if before, after := accuracy(read, contrary), accuracy(own, contrary); before > 0.1 || after < 0.9 {
		t.Errorf("right about what it was told: %.2f before, %.2f after", before, after)
	}
	if same := boost(t, nil, Boosting{}, read); same.Score(contrary[0].Features) != read.Score(contrary[0].Features) {
		t.Error("nothing to learn changed the forest")
	}
}

func TestBoostRefuses(t *testing.T) {
	bagged := grow(t, examples(100, 1), Settings{Trees: 1})
	if _, err := Boost(names(), examples(10, 1), Boosting{}, bagged); err != ErrFeatures {
		t.Errorf("bagged trees were gone on from: %v", err)
	}
	boosted := boost(t, examples(100, 1), Boosting{Trees: 1}, nil)
	if _, err := Boost([]string{"a", "b", "c"}, examples(10, 1), Boosting{}, boosted); err != ErrFeatures {
		t.Errorf("trees on other features were gone on from: %v", err)
	}
	if _, err := Join(bagged, boosted); err != ErrFeatures {
		t.Errorf("joined with bagged trees: %v", err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		if _, err := Boost(names(), []Example{{Features: []float64{0, bad, 0}}}, Boosting{}, nil); err != ErrFeatures {
			t.Errorf("%v was learnt from: %v", bad, err)
		}
	}
	if f := boost(t, nil, Boosting{}, nil); f.Score([]float64{1, 1, 1}) != 0 {
		t.Error("a forest of nothing has an opinion")
	}
}

// TestFewBinsForManyValues: limits part the values evenly, and equal ones never.
func TestFewBinsForManyValues(t *testing.T) {
	var values []float64
	for i := range 10000 {
		values = append(values, float64(i/3))
	}
	limits := between(values)
	if len(limits) > mostBins || len(limits) < mostBins/2 {
		t.Fatalf("%d limits", len(limits))
	}
	for i, limit := range limits {
		if limit == math.Trunc(limit) {
			t.Errorf("limit %v is a value", limit)
		}
		if i > 0 && limits[i]-limits[i-1] > 10000/mostBins {
			t.Errorf("far from %v to %v", limits[i-1], limit)
		}
	}
	if got := between([]float64{1, 1, 2, 2, 2, 5}); len(got) != 2 || got[0] != 1.5 || got[1] != 3.5 {
		t.Errorf("%v", got)
	}
}
