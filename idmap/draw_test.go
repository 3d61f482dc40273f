package idmap

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

const manyPeople = 100_000

// TestPseudonymsTellNothing draws for 10^5 user ids and looks for what an
// attacker would: order, bits, range, repetition.
func TestPseudonymsTellNothing(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	for n := range manyPeople {
		claim(t, d, userID(n+1))
	}
	settle(t, d)
	r := d.Resolver()
	drawn, seen := make([]uint64, manyPeople), map[Pseudonym]bool{}
	for n := range drawn {
		p, ok := r.Known(UserID, strconv.AppendInt(nil, int64(n+1), 10))
		if !ok || p < firstPseudonym || p > lastPseudonym {
			t.Fatalf("pseudonym %d is out of range", p)
		}
		if seen[p] {
			t.Fatal("two people share a pseudonym")
		}
		seen[p] = true
		drawn[n] = uint64(p)
	}
	checkUnrelated(t, drawn)
}

// checkUnrelated fails when surrogates of 0, 1, 2, … keep their order or a
// bit: both limits are six standard deviations.
func checkUnrelated(t *testing.T, surrogates []uint64) {
	t.Helper()
	n := float64(len(surrogates))
	if rho := rankCorrelation(surrogates); math.Abs(rho) > 6/math.Sqrt(n) {
		t.Errorf("rank correlation %f", rho)
	}
	for from := range 17 {
		for to := range 30 {
			equal := 0
			for i, p := range surrogates {
				if uint64(i)>>from&1 == (p-firstPseudonym)>>to&1 {
					equal++
				}
			}
			// The numbers stop short of a power of two, and so do the ids:
			// compare with what independent bits of these frequencies give.
			a, b := bitShare(surrogates, func(i int, _ uint64) bool { return i>>from&1 == 1 }), bitShare(surrogates, func(_ int, p uint64) bool { return (p-firstPseudonym)>>to&1 == 1 })
			expected := (a*b + (1-a)*(1-b)) * n
			if math.Abs(float64(equal)-expected) > 6*math.Sqrt(n)/2 {
				t.Errorf("bit %d of the id shows in bit %d of the surrogate: %d of %.0f", from, to, equal, n)
			}
		}
	}
}

func bitShare(surrogates []uint64, is func(int, uint64) bool) float64 {
	count := 0
	for i, p := range surrogates {
		if is(i, p) {
			count++
		}
	}
	return float64(count) / float64(len(surrogates))
}

// rankCorrelation is Spearman's rho between 0, 1, 2, … and the surrogates.
func rankCorrelation(surrogates []uint64) float64 {
	order := make([]int, len(surrogates))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(surrogates[a], surrogates[b]) })
	sum, n := 0.0, float64(len(surrogates))
	for rank, i := range order {
		sum += float64(rank-i) * float64(rank-i)
	}
	return 1 - 6*sum/(n*(n*n-1))
}

// scripted gives prepared numbers first, then randomness.
func scripted(numbers ...uint32) io.Reader {
	var b []byte
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint32(b, n<<1)
	}
	return io.MultiReader(bytes.NewReader(b), rand.NewChaCha8([32]byte{9}))
}

func TestPseudonymIsNeverARealUserIDNorUsedTwice(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	claim(t, d, userID(1_500_000_000))
	settle(t, d)
	first := person(t, d, userID(1_500_000_000))
	// The source now proposes the real id, then the pseudonym drawn before, then one beyond the range.
	m.draws.source = scripted(500_000_000, uint32(first)-firstPseudonym, 1<<31-1, 42)
	if got := person(t, d, named("someone")); got != firstPseudonym+42 {
		t.Errorf("drew %d, want the first number that is free", got)
	}
	other := testDomain(t, m, "another project")
	m.draws.source = scripted(42, 43)
	if got := person(t, other, named("someone")); got != firstPseudonym+43 {
		t.Errorf("drew %d: another domain's pseudonym was used again", got)
	}
}

func TestUserIDThatTakesOverAPseudonymIsNeverDrawn(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	person(t, d, named("bob"))
	claim(t, d, Identifier{UserID, "01500000000"}, named("bob"))
	settle(t, d)
	m.draws.source = scripted(500_000_000, 42)
	if got := person(t, d, named("someone")); got != firstPseudonym+42 {
		t.Errorf("drew %d, somebody's real user id", got)
	}
}

func TestRealIDThatEqualsAPseudonymIsCounted(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	p := person(t, d, named("someone"))
	claim(t, d, userID(int(p)))
	settle(t, d)
	for range 2 {
		if got := m.Stat().Collisions; got != 1 {
			t.Errorf("%d collisions, want 1", got)
		}
		m = reopen(t, m)
	}
}

func TestSeededDrawsRepeat(t *testing.T) {
	draw := func() []Pseudonym {
		dir := t.TempDir() + "/map"
		m, err := Create(dir, seeded(7))
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		d := testDomain(t, m, "project")
		for _, n := range rand.Perm(50) { // the order of claims does not matter
			claim(t, d, userID(n), named("n"+strconv.Itoa(n)))
		}
		settle(t, d)
		var drawn []Pseudonym
		for n := range 50 {
			drawn = append(drawn, person(t, d, userID(n)))
		}
		return append(drawn, person(t, d, named("met in a log")))
	}
	if !slices.Equal(draw(), draw()) {
		t.Error("the same source and claims gave other pseudonyms")
	}
}

func TestUsernameFollowsFromTheNumber(t *testing.T) {
	if got := Pseudonym(1234567890).Username(); got != "u1234567890" {
		t.Errorf("%s", got)
	}
}
