package grammar

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawn is a lexicon that knows something of every word.
type drawn struct{}

func (drawn) Meaning(atom *Atom) Class {
	h := fnv.New32a()
	h.Write([]byte(atom.Folded))
	return Class(h.Sum32()) & Class(h.Sum32()>>7) & meaning
}

// TestEveryPatternThatFitsIsTried: the patterns that are tried at an atom by the
// looks of it and of the next one find as much as trying all of them everywhere.
func TestEveryPatternThatFitsIsTried(t *testing.T) {
	grammars, err := ReadAll(Shipped())
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for language, g := range grammars {
		m := g.NewMatcher(drawn{})
		words := append(slices.Sorted(maps.Keys(g.vocabulary)), "xaver", "quidam")
		random := rand.New(rand.NewPCG(1, uint64(len(words))))
		for range 150 {
			m.Load(drawnText(random, words))
			m.Entities(nil)
			for _, c := range []*cascade{g.entities, g.designating} {
				for at := range m.atoms {
					fast, plain := map[string]bool{}, map[string]bool{}
					m.at(c, at, noteIn(fast))
					for i := range c.patterns {
						m.try(&c.patterns[i], at, noteIn(plain))
					}
					if !maps.Equal(fast, plain) {
						t.Fatalf("%s: at %+v\n found %v\nexpect %v", language, m.atoms[at:min(at+3, len(m.atoms))], fast, plain)
					}
					total += len(plain)
				}
			}
		}
	}
	if total < 1000 {
		t.Fatalf("only %d matches: nothing was compared", total)
	}
}

// drawnText draws atoms; frequent words come often, so that phrases happen.
func drawnText(random *rand.Rand, words []string) []Atom {
	atoms := make([]Atom, 60)
	for i := range atoms {
		at := random.IntN(len(words))
		if random.IntN(3) > 0 {
			at = random.IntN(1 + at)
		}
		bits := random.Uint64() // half of a half of the shapes
		class := Class(bits) & Class(bits>>32) & (AllCaps | Initial | Mention | LineStart | LineEnd | SentenceStart | TextEnd | Joined | Short)
		switch random.IntN(6) {
		case 0:
			class |= Number
		case 1:
			class |= Punct
		case 2, 3:
			class |= Word | Capital
		default:
			class |= Word | Lower
		}
		atoms[i] = Atom{Start: i, End: i + 1, Folded: words[at], Classes: class}
	}
	return atoms
}

func noteIn(found map[string]bool) func(Match) {
	return func(m Match) { found[fmt.Sprintf("%p %d %d %v", m.Rule, m.First, m.Last, m.Captures)] = true }
}
