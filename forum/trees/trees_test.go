package trees

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func names() []string { return []string{"first", "capital", "noise"} }

// examples are positive when first and capital are both high, but for one in
// twenty; noise tells nothing.
func examples(n int, seed uint64) []Example {
	random := rand.New(rand.NewPCG(seed, 9))
	list := make([]Example, n)
	for i := range list {
		f := []float64{float64(random.IntN(4)), random.Float64(), random.Float64()}
		list[i] = Example{f, f[0] >= 2 && f[1] > 0.4 != (random.IntN(20) == 0)}
	}
	return list
}

func grow(t testing.TB, list []Example, s Settings) *Forest {
	t.Helper()
	f, err := Train(names(), list, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func accuracy(f *Forest, list []Example) float64 {
	right := 0
	for _, e := range list {
		if f.Score(e.Features) > 0.5 == e.Positive {
			right++
		}
	}
	return float64(right) / float64(len(list))
}

func TestForestLearnsTheRuleAndNotTheNoise(t *testing.T) {
	f := grow(t, examples(2000, 1), Settings{Seed: 1, Depth: 3})
	if a := accuracy(f, examples(2000, 2)); a < 0.93 {
		t.Errorf("accuracy on new examples %.3f", a)
	}
	if i := f.Importance(); i[2] > i[0] || i[2] > i[1] {
		t.Errorf("noise matters most: %v", i)
	}
	if !strings.Contains(f.Describe(0), "first ≤ 1.5") {
		t.Errorf("the first tree does not ask the obvious question:\n%s", f.Describe(0))
	}
}

func TestTrainingIsDeterministic(t *testing.T) {
	var first, second, other bytes.Buffer
	for _, c := range []struct {
		into *bytes.Buffer
		seed uint64
	}{{&first, 7}, {&second, 7}, {&other, 8}} {
		if err := grow(t, examples(300, 1), Settings{Seed: c.seed, Trees: 5, Try: 2}).Write(c.into); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("one seed gave two forests")
	}
	if bytes.Equal(first.Bytes(), other.Bytes()) {
		t.Error("two seeds gave one forest")
	}
}

func TestWrittenForestScoresTheSame(t *testing.T) {
	f := grow(t, examples(500, 3), Settings{Trees: 7, Seed: 3, Balance: true})
	var file bytes.Buffer
	if err := f.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples(500, 4) {
		if a, b := f.Score(e.Features), read.Score(e.Features); math.Abs(a-b) > 1e-6 {
			t.Fatalf("%v: %v before, %v after", e.Features, a, b)
		}
	}
	for n := 0; n < file.Len()-1; n += 97 {
		if _, err := Read(bytes.NewReader(file.Bytes()[:n])); err == nil {
			t.Fatalf("the first %d bytes were read as a forest", n)
		}
	}
}

// TestReadsBothFormats: a tree of the format before this one is the same tree.
func TestReadsBothFormats(t *testing.T) {
	const names = `,"features":["a","b"],"trees":1}` + "\n"
	read := func(file string) (*Forest, error) { return Read(strings.NewReader(file)) }
	wordy, err := read(`{"format":"anonymooc trees 1"` + names + `[{"f":1,"l":1,"h":2,"n":9,"v":-0.25},{"f":-1,"n":2,"v":0.166667},{"f":0,"l":3,"h":4,"n":7,"v":1234.5},{"f":-1,"n":3,"v":0.1},{"f":-1,"n":4,"v":0.9}]`)
	if err != nil {
		t.Fatal(err)
	}
	const written = `{"format":"anonymooc trees 2"` + names + `[1,-0.25,-3,0.166667,0,1234.5,-4,0.1,-5,0.9]` + "\n"
	short, err := read(written)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(wordy, short) {
		t.Errorf("%+v\n%+v", wordy, short)
	}
	var file bytes.Buffer
	if err := wordy.Write(&file); err != nil || file.String() != written {
		t.Errorf("%v\n%s", err, file.String())
	}
}

func TestReadRefusesWhatIsNoTree(t *testing.T) {
	for _, tree := range []string{
		"", "[]", "[-1]", "[-1,]", "[0,0.5]", "[0,0.5,-2,1]", "[-2,1,-2,1]", "[1,0.5,-2,1,-2,1]", "[0,0.5,-2,1,-2,1", "[0,0.5,-2,1,-2,1]]", "[0,0.5,-2,1,-2,1],",
		"[0.5,0.5,-2,1,-2,1]", "[0,0.5,-2,1,-2,.]", "[0,0.5,-2,1,-2,-]", "[0,0.5,-2,1,-2,1.2.3]", "[0,0.5,-2,1,-2,NaN]", "[0,0.5,-9999999999,1,-2,1]", "[0,0.5,-2,1,-2]1]", "[0, 0.5,-2,1,-2,1]",
	} {
		if _, err := Read(strings.NewReader(`{"format":"anonymooc trees 2","features":["a"],"trees":1}` + "\n" + tree + "\n")); err != ErrFormat {
			t.Errorf("%s: %v", tree, err)
		}
	}
}

func TestNumbersAreTheNearest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		text := strconv.FormatFloat((random.Float64()-0.5)*math.Pow10(random.IntN(22)), 'f', random.IntN(9), 64)
		want, _ := strconv.ParseFloat(text, 64)
		if got, rest, ok := number([]byte(text + "]")); !ok || got != want || len(rest) != 0 {
			t.Fatalf("%s: %v %v", text, got, ok)
		}
	}
}

// TestBalanceRaisesTheRareClass: with one positive example in fifty, a balanced
// forest finds more of them (Patel et al., section 6.3).
func TestBalanceRaisesTheRareClass(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	var list []Example
	for range 3000 {
		x := random.Float64()
		list = append(list, Example{[]float64{x, random.Float64(), 0}, x > 0.8 && random.IntN(10) == 0})
	}
	plain, balanced := grow(t, list, Settings{Seed: 1}), grow(t, list, Settings{Seed: 1, Balance: true})
	if p, b := plain.Score([]float64{0.9, 0.5, 0}), balanced.Score([]float64{0.9, 0.5, 0}); b <= p {
		t.Errorf("plain %.2f, balanced %.2f", p, b)
	}
}

func TestTrainRefusesBadExamples(t *testing.T) {
	for _, features := range [][]float64{{1}, {1, 2, math.NaN()}, {1, 2, math.Inf(1)}, {1, 2, 3, 4}} {
		if _, err := Train(names(), []Example{{Features: features}}, Settings{}); err != ErrFeatures {
			t.Errorf("%v: %v", features, err)
		}
	}
	if f := grow(t, nil, Settings{}); f.Score([]float64{1, 2, 3}) != 0 {
		t.Error("a forest without examples knows something")
	}
}

// FuzzReadRefusesOrScores: a file is refused, or gives an answer for everything.
func FuzzReadRefusesOrScores(f *testing.F) {
	f.Add(`{"format":"anonymooc trees 1","features":["a"],"trees":1}` + "\n" + `[{"f":0,"l":1,"h":2,"v":0.5},{"f":-1,"v":0.1},{"f":-1,"v":0.9}]`)
	f.Add(`{"format":"anonymooc trees 1","features":["a"],"trees":1}` + "\n" + `[{"f":0,"l":0,"h":0,"v":0.5}]`)
	f.Add(`{"format":"anonymooc trees 2","features":["a"],"trees":1}` + "\n" + `[0,0.5,-3,0.1,-4,0.9]` + "\n")
	f.Add(`{"format":"anonymooc trees 2","features":["a"],"trees":1}` + "\n" + `[0,0.5,0,-0.25,-3,1e9,-4,0.9]` + "\n")
	f.Fuzz(func(t *testing.T, file string) {
		forest, err := Read(strings.NewReader(file))
		if err != nil {
			return
		}
		if s := forest.Score([]float64{0.3}); math.IsNaN(s) {
			t.Fatal("no number")
		}
		for i := range forest.Len() {
			forest.Describe(i)
		}
		var again bytes.Buffer
		if err := forest.Write(&again); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(&again); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
	})
}

func BenchmarkScore(b *testing.B) {
	f := grow(b, examples(5000, 1), Settings{Seed: 1})
	list := examples(1024, 2)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		f.Score(list[i%len(list)].Features)
	}
}

// TestJoinedForestsSpeakByTheirNumber: the answer of two forests is the mean of all
// their trees'; forests on other features cannot be joined.
func TestJoinedForestsSpeakByTheirNumber(t *testing.T) {
	var examples []Example
	for i := range 200 {
		examples = append(examples, Example{Features: []float64{float64(i % 7), float64(i % 11)}, Positive: i%7 > 3})
	}
	names := []string{"a", "b"}
	one, err := Train(names, examples, Settings{Trees: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	two, err := Train(names, examples[:100], Settings{Trees: 9, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	joined, err := Join(one, two)
	if err != nil || joined.Len() != 12 {
		t.Fatalf("%v, %d trees", err, joined.Len())
	}
	for _, e := range examples {
		want := (3*one.Score(e.Features) + 9*two.Score(e.Features)) / 12
		if got := joined.Score(e.Features); math.Abs(got-want) > 1e-6 {
			t.Fatalf("joined %.7f, want %.7f", got, want)
		}
	}
	other, err := Train([]string{"a", "c"}, examples, Settings{Trees: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Join(one, other); err != ErrFeatures {
		t.Errorf("forests on other features: %v", err)
	}
}
