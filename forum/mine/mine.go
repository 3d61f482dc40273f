// Package mine proposes forms that may name somebody and that nobody has
// catalogued yet: step 4 of Reffay, Blondel, Allaire & Giguet (2012).
//
//	documents ─ Builder ─► Corpus ─┐
//	catalogue ──────────► Catalogue ┴─► Miner … Miner ─► candidates ─ accepted ─► Catalogue
//	                          ▲                                            │
//	                          └──────────── until nothing is new ──────────┘
//
// A Corpus is the text read once: its lexicon (every form with how often and
// how it is written) and the order of its words, four bytes a word. A Catalogue
// is what is known. A Miner turns the two into candidates:
//
//	lexical.go     spellings near a known form (section 4.2)
//	contextual.go  what stands where known forms stand (section 4.3, annex 1)
//	composed.go    forms made from known ones: glued, cut short, doubled
//	familiar.go    what custom makes of them: the list that composed.go asks
//	capitals.go    capitals that begin no sentence (section 7)
//	regular.go     the officer's own expressions (section 4); a detector
//
// What a found form reveals reveals others: Propagate repeats the miners with
// the accepted candidates (section 4.1) until nothing is new or a bound is met.
//
// Contexts that gave names away are worth keeping for the next corpus: Contexts
// is that store, one file per language, with a starter set for six.
//
// Memory: a corpus takes 4 bytes a word and about 150 bytes a distinct form;
// mining by context doubles the first while it runs. A million posts of fifty
// words with a million distinct forms take about 600 MB.
package mine

import (
	"cmp"
	"slices"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/internal/fold"
)

// Known is a form that is in the catalogue.
type Known struct {
	Form     string
	Category detect.Category
	Entities []detect.EntityID
}

// Catalogue is what is known when mining begins. Fresh are the forms that
// earlier rounds have not seen; in the first round that is all of them.
type Catalogue struct {
	All   []Known
	Fresh []Known
}

// NewCatalogue is the catalogue of a first round.
func NewCatalogue(known []Known) *Catalogue { return &Catalogue{All: known, Fresh: known} }

// Candidate is a form of the corpus that may name somebody.
type Candidate struct {
	Form     string            // as written in the corpus
	Category detect.Category   // of what it resembles, or of what stands in its place
	Entities []detect.EntityID // whom it may name; empty when nobody known
	Count    int               // occurrences in the corpus
	Score    float64           // 0 to 1: how surely it names somebody
	Evidence []Evidence        // strongest first
}

// Evidence says which miner found a candidate, and by what.
type Evidence struct {
	By    string  `json:"by"`
	What  string  `json:"what"` // in words; quotes known forms and contexts, never a post
	Score float64 `json:"-"`
	Of    string  `json:"-"` // the known form that the candidate is a spelling of; empty when it is of none
}

// Miner proposes candidates. It never proposes a form that is in the catalogue
// in the same spelling.
type Miner interface {
	Name() string
	Mine(corpus *Corpus, catalogue *Catalogue) []Candidate
}

// Words tells ordinary words from first names. Both lists overlap; neither is
// ever taken from the other.
type Words interface {
	Word(folded string) bool      // a word of one of the corpus's languages
	FirstName(folded string) bool // a first name somewhere
}

// noWords knows nothing.
type noWords struct{}

func (noWords) Word(string) bool      { return false }
func (noWords) FirstName(string) bool { return false }

// Run lets every miner propose and joins what they say of the same form. The
// candidates come surest first, then most frequent, then by spelling.
func Run(corpus *Corpus, catalogue *Catalogue, miners ...Miner) []Candidate {
	joined := make(map[string]*Candidate)
	for _, miner := range miners {
		for _, found := range miner.Mine(corpus, catalogue) {
			if earlier, ok := joined[found.Form]; ok {
				earlier.join(found)
				continue
			}
			joined[found.Form] = &found
		}
	}
	candidates := make([]Candidate, 0, len(joined))
	for _, candidate := range joined {
		candidate.sortEvidence()
		candidates = append(candidates, *candidate)
	}
	sortCandidates(candidates)
	return candidates
}

// join adds what another miner says of the same form. Miners work on unrelated
// principles, so their doubts multiply.
func (c *Candidate) join(other Candidate) {
	if other.Score > c.Score {
		c.Category = other.Category
	}
	c.Score = 1 - (1-c.Score)*(1-other.Score)
	c.Evidence = append(c.Evidence, other.Evidence...)
	for _, entity := range other.Entities {
		if !slices.Contains(c.Entities, entity) {
			c.Entities = append(c.Entities, entity)
		}
	}
	slices.Sort(c.Entities)
}

func (c *Candidate) sortEvidence() {
	slices.SortFunc(c.Evidence, func(a, b Evidence) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.By, b.By), strings.Compare(a.What, b.What))
	})
}

func sortCandidates(candidates []Candidate) {
	slices.SortFunc(candidates, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Count, a.Count), strings.Compare(a.Form, b.Form))
	})
}

// Propagate runs the miners again and again, each time with the candidates
// that accept takes added to the catalogue, until a round brings none, or
// rounds are over. It gives the last round's candidates that were not accepted
// and all that were, in the order they were.
func Propagate(corpus *Corpus, known []Known, accept func(Candidate) bool, rounds int, miners ...Miner) (accepted, open []Candidate) {
	catalogue := NewCatalogue(known)
	taken := make(map[string]bool)
	waiting := make(map[string]Candidate)
	for range rounds {
		var fresh []Known
		for _, candidate := range Run(corpus, catalogue, miners...) {
			if earlier, ok := waiting[candidate.Form]; ok && earlier.Score > candidate.Score {
				candidate = earlier
			}
			if taken[candidate.Form] {
				continue
			}
			if !accept(candidate) {
				waiting[candidate.Form] = candidate
				continue
			}
			taken[candidate.Form] = true
			delete(waiting, candidate.Form)
			accepted = append(accepted, candidate)
			fresh = append(fresh, Known{candidate.Form, candidate.Category, candidate.Entities})
		}
		if len(fresh) == 0 {
			break
		}
		catalogue = &Catalogue{All: append(slices.Clip(catalogue.All), fresh...), Fresh: fresh}
	}
	for _, candidate := range waiting {
		open = append(open, candidate)
	}
	sortCandidates(open)
	return accepted, open
}

// spellings is the set of the catalogue's forms, as written.
func (c *Catalogue) spellings() map[string]bool {
	set := make(map[string]bool, len(c.All))
	for _, known := range c.All {
		set[known.Form] = true
	}
	return set
}

// part is a single word of a known form, by its key.
type part struct {
	key   string
	form  string // the word as catalogued
	owner int    // index of the known form
	whole bool   // the form is this one word
}

// parts cuts known forms into their words. Of forms of several words, words of
// fewer than four letters and ordinary words are left out: "lycée" in a
// school's name is near many words and names none.
func parts(forms []Known, words Words) []part {
	var all []part
	for i, known := range forms {
		tokens := wordsOf(known.Form)
		for _, token := range tokens {
			key := fold.KeyString(token)
			if len(tokens) > 1 && (len([]rune(key)) < 4 || words.Word(key)) {
				continue
			}
			if key != "" {
				all = append(all, part{key, token, i, len(tokens) == 1})
			}
		}
	}
	return all
}
