package idmap

import (
	"encoding/binary"
	"encoding/hex"
	"testing"
)

// TestSipHash128MatchesTheReferenceVectors uses the vectors of the reference
// implementation: key 00…0f, message 00, 01, …
func TestSipHash128MatchesTheReferenceVectors(t *testing.T) {
	want := []string{
		"a3817f04ba25a8e66df67214c7550293",
		"da87c1d86b99af44347659119b22fc45",
		"8177228da4a45dc7fca38bdef60affe4",
		"9c70b60c5267a94e5f33b6b02985ed51",
	}
	key := make([]byte, 16)
	for i := range key {
		key[i] = byte(i)
	}
	k := newDigestKey(key)
	var message []byte
	for n, vector := range want {
		a, b := sipHash128(k.k0, k.k1, message)
		got := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, a), b)
		if hex.EncodeToString(got) != vector {
			t.Errorf("%d bytes: %x, want %s", n, got, vector)
		}
		message = append(message, byte(n))
	}
}

func TestTableKeepsWhatAPlainMapKeeps(t *testing.T) {
	var ours table
	plain := map[digest]uint32{}
	k := newDigestKey([]byte("0123456789abcdef"))
	for n := range uint32(50_000) {
		id := k.of(binary.LittleEndian.AppendUint32(nil, n%30_000))
		before := ours.put(id, n+1, flags(n%4))
		if before != plain[id] {
			t.Fatalf("put %d returned %d, want %d", n, before, plain[id])
		}
		plain[id] = n + 1
	}
	if ours.count() != len(plain) {
		t.Fatalf("%d values, want %d", ours.count(), len(plain))
	}
	seen := 0
	ours.each(func(id digest, value uint32, f flags) {
		seen++
		if got, gotF := ours.get(id); plain[id] != value || got != value || gotF != f || f != flags((value-1)%4) {
			t.Fatal("each and get disagree with what was put")
		}
	})
	if seen != len(plain) {
		t.Fatalf("each visited %d of %d", seen, len(plain))
	}
	if value, _ := ours.get(k.of([]byte("never put"))); value != 0 {
		t.Error("something was found that was never put")
	}
}

func TestFilterExcludesOnlyWhatIsNotThere(t *testing.T) {
	var held table
	k := newDigestKey([]byte("0123456789abcdef"))
	id := func(n uint32) digest { return k.of(binary.LittleEndian.AppendUint32(nil, n)) }
	const many = 60_000
	for n := range uint32(many) {
		held.put(id(n), n+1, 0)
	}
	f := newFilter(&held)
	passed := 0
	for n := range uint32(many) {
		if f.excludes(id(n)) {
			t.Fatal("an identifier that is there was excluded")
		}
		if !f.excludes(id(many + n)) {
			passed++
		}
	}
	if passed > many/20 {
		t.Errorf("%d of %d strangers passed", passed, many)
	}
	if empty := (&filter{}); !empty.excludes(id(1)) {
		t.Error("an empty filter let somebody pass")
	}
}

func TestPeopleKeepSeedsThroughGrowthAndRemoval(t *testing.T) {
	var p people
	for n := range uint32(5000) {
		p.put(firstPseudonym+n*7, seed{byte(n), byte(n >> 8)}, n%3 == 0)
	}
	gone := map[uint32]bool{}
	for n := uint32(0); n < 5000; n += 5 {
		gone[firstPseudonym+n*7] = true
	}
	p.remove(gone)
	for n := range uint32(5000) {
		pseudonym := firstPseudonym + n*7
		if p.has(pseudonym) == gone[pseudonym] {
			t.Fatalf("person %d: removed or kept wrongly", n)
		}
		if !gone[pseudonym] && (p.seed(pseudonym) != seed{byte(n), byte(n >> 8)} || p.isAnchored(pseudonym) != (n%3 == 0)) {
			t.Fatalf("person %d has lost their seed or mark", n)
		}
	}
	if p.used != 4000 {
		t.Fatalf("%d people, want 4000", p.used)
	}
}
