package automaton

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// build makes the automaton of a map.
func build(t testing.TB, words map[string]uint32) *Automaton {
	t.Helper()
	b := NewBuilder()
	for _, w := range slices.Sorted(maps.Keys(words)) {
		if err := b.Add(w, words[w]); err != nil {
			t.Fatal(err)
		}
	}
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	a, err := Open(string(data))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// FuzzAutomatonIsItsMap: an automaton holds the words it was built from with
// their values, and nothing else.
func FuzzAutomatonIsItsMap(f *testing.F) {
	f.Add("rosa rose roses rosier osier", "ros")
	f.Add("a ab abc b bc c", "ac")
	f.Add("zoé zoe éloïse", "é")
	f.Fuzz(func(t *testing.T, text, other string) {
		words := make(map[string]uint32)
		for i, w := range strings.Fields(text) {
			if !strings.Contains(w, "\x00") {
				words[w] = uint32(i % 5)
			}
		}
		if len(words) == 0 {
			return
		}
		a := build(t, words)
		found := make(map[string]uint32)
		a.All(func(word []byte, value uint32) bool {
			found[string(word)] = value
			return true
		})
		if !maps.Equal(words, found) {
			t.Fatalf("built from %v, holds %v", words, found)
		}
		for w, want := range words {
			if got, ok := a.Find(w); !ok || got != want {
				t.Fatalf("Find(%q) = %d, %v; want %d", w, got, ok, want)
			}
			half := a.Walk(a.Start(), w[:len(w)/2])
			if got, ok := a.Value(a.Walk(half, w[len(w)/2:])); !ok || got != want {
				t.Fatalf("walking %q in two steps = %d, %v; want %d", w, got, ok, want)
			}
		}
		if _, known := words[other]; !known {
			if _, ok := a.Find(other); ok {
				t.Fatalf("found %q", other)
			}
		}
	})
}

// FuzzOpenRefusesDamage: whatever the bytes, opening refuses them or every walk
// ends.
func FuzzOpenRefusesDamage(f *testing.F) {
	b := NewBuilder()
	for _, w := range []string{"bar", "baz", "car"} {
		if err := b.Add(w, 1); err != nil {
			f.Fatal(err)
		}
	}
	data, err := b.Bytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, 30, byte(7))
	f.Fuzz(func(t *testing.T, data []byte, at int, flip byte) {
		data = bytes.Clone(data)
		if at >= 0 && at < len(data) {
			data[at] ^= flip
		}
		a, err := Open(string(data))
		if err != nil {
			return
		}
		n := 0
		a.All(func(word []byte, _ uint32) bool {
			n++
			if _, ok := a.Find(string(word)); !ok && len(word) > 0 && !duplicateLabels(a) {
				t.Fatalf("%q is listed and not found", word)
			}
			return n < 1000
		})
	})
}

// duplicateLabels reports whether a node has one label twice: Open lets that
// pass, since a walk still ends.
func duplicateLabels(a *Automaton) bool {
	var seen [256]bool
	for at := range uint32(a.Arcs()) {
		arc := a.arc(at)
		if seen[byte(arc)] {
			return true
		}
		seen[byte(arc)] = true
		if arc&lastArc != 0 {
			seen = [256]bool{}
		}
	}
	return false
}

// FuzzNearIsOneSlip: Near finds exactly the words that the definition allows.
func FuzzNearIsOneSlip(f *testing.F) {
	f.Add("surement surtout ment sur", "surment")
	f.Add("ab ba abc acb b", "ab")
	f.Fuzz(func(t *testing.T, text, word string) {
		words := make(map[string]uint32)
		for i, w := range strings.Fields(text) {
			if !strings.Contains(w, "\x00") && len(w) < 20 {
				words[w] = uint32(i)
			}
		}
		if len(words) == 0 || len(word) == 0 || len(word) > 20 || strings.Contains(word, "\x00") {
			return
		}
		a := build(t, words)
		got := make(map[uint32]bool)
		a.Near(word, func(value uint32) bool { got[value] = true; return true })
		for w, value := range words {
			if want := w != word && oneSlip(word, w); want != got[value] && w != word {
				t.Errorf("%q near %q: %v, want %v", w, word, got[value], want)
			}
		}
	})
}

// oneSlip tries every change by brute force.
func oneSlip(from, to string) bool {
	if len(to) == 0 || from[0] != to[0] {
		return false
	}
	for i := 1; i <= len(from); i++ {
		if i < len(from) && from[:i]+from[i+1:] == to {
			return true
		}
		if i+1 < len(from) && from[:i]+from[i+1:i+2]+from[i:i+1]+from[i+2:] == to {
			return true
		}
		if i < len(from) && len(to) == len(from) && from[:i] == to[:i] && from[i+1:] == to[i+1:] {
			return true
		}
		if len(to) == len(from)+1 && from[:i] == to[:i] && from[i:] == to[i+1:] {
			return true
		}
	}
	return false
}

func TestBuilderWantsOrder(t *testing.T) {
	b := NewBuilder()
	if _, err := b.Bytes(); err != ErrEmpty {
		t.Errorf("no words: %v", err)
	}
	for _, step := range []struct {
		word  string
		value uint32
		want  error
	}{
		{"", 1, ErrOrder}, {"b", 1, nil}, {"a", 1, ErrOrder}, {"b", 2, ErrOrder},
		{"c\x00", 1, ErrOrder}, {"c", maxValue, ErrTooLarge}, {"c", maxValue - 1, nil},
	} {
		if err := b.Add(step.word, step.value); err != step.want {
			t.Errorf("Add(%q, %d) = %v, want %v", step.word, step.value, err, step.want)
		}
	}
}

// TestEqualEndsAreShared: the automaton is minimal, so that words with the same
// endings cost one arc each beyond the first.
func TestEqualEndsAreShared(t *testing.T) {
	words := make(map[string]uint32)
	for c := 'a'; c <= 'z'; c++ {
		words[string(c)+"ations"] = 3
	}
	if arcs := build(t, words).Arcs(); arcs != 26+6+1 {
		t.Errorf("%d arcs, want 33", arcs)
	}
}

func BenchmarkFind(b *testing.B) {
	words := make(map[string]uint32)
	var list []string
	for i := range 200_000 {
		w := fmt.Sprintf("%x", i*7919)
		words[w] = uint32(i % 7)
		list = append(list, w)
	}
	a := build(b, words)
	b.Run("automaton", func(b *testing.B) {
		for i := range b.N {
			a.Find(list[i%len(list)])
		}
	})
	b.Run("map", func(b *testing.B) {
		for i := range b.N {
			_ = words[list[i%len(list)]]
		}
	})
}
