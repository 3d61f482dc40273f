package mine

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"unicode/utf8"

	"anonymooc/forum/detect"
)

// Lexical proposes the forms of the lexicon that are spelled nearly like a
// known form, by the three criteria of Reffay et al. (2012), section 4.2: the
// same in upper case without accents; one step from a known form of at most
// five letters; one or two steps from a longer one. A form of several words is
// compared word by word.
//
// The paper compares every known form with every form of the lexicon. Here an
// index of deletions finds the near ones (see neighbours), and only those are
// compared.
type Lexical struct {
	Words Words // ordinary words score low; nil knows none
}

// Name implements Miner.
func (Lexical) Name() string { return "lexical" }

// Mine implements Miner. It looks at the catalogue's fresh forms only: earlier
// rounds have seen the others.
func (l Lexical) Mine(corpus *Corpus, catalogue *Catalogue) []Candidate {
	if l.Words == nil {
		l.Words = noWords{}
	}
	run := lexicalRun{words: l.Words, corpus: corpus, known: catalogue.Fresh, spellings: catalogue.spellings()}
	run.index()
	return run.all()
}

// lexicalRun is one comparison of a catalogue with a lexicon.
type lexicalRun struct {
	words      Words
	corpus     *Corpus
	known      []Known
	spellings  map[string]bool
	neighbours *neighbours
	byKey      [][]part // the parts with each of the index's keys
}

// index enters every distinct key of the known forms' words.
func (r *lexicalRun) index() {
	numbers := make(map[string]int)
	var keys []string
	for _, p := range parts(r.known, r.words) {
		n, ok := numbers[p.key]
		if !ok {
			n = len(keys)
			numbers[p.key] = n
			keys = append(keys, p.key)
			r.byKey = append(r.byKey, nil)
		}
		r.byKey[n] = append(r.byKey[n], p)
	}
	r.neighbours = newNeighbours(keys)
}

// all compares the lexicon on all cores; the result does not depend on their number.
func (r *lexicalRun) all() []Candidate {
	const block = 4096
	forms := r.corpus.forms
	blocks := make([][]Candidate, (len(forms)+block-1)/block)
	next := make(chan int, len(blocks))
	for i := range blocks {
		next <- i
	}
	close(next)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			search := r.neighbours.search()
			for i := range next {
				for j := i * block; j < min(len(forms), (i+1)*block); j++ {
					if candidate, ok := r.form(search, &forms[j]); ok {
						blocks[i] = append(blocks[i], candidate)
					}
				}
			}
		})
	}
	group.Wait()
	return slices.Concat(blocks...)
}

// near is a known key that a form is near to.
type near struct {
	key   int // of the index
	steps int
}

// form compares one form of the lexicon.
func (r *lexicalRun) form(search *search, form *Form) (Candidate, bool) {
	if !form.Word || r.spellings[form.Text] {
		return Candidate{}, false
	}
	var found []near
	search.each(form.Key, func(key, steps int) {
		if steps > 0 || !slices.ContainsFunc(r.byKey[key], func(p part) bool { return p.form == form.Text }) {
			found = append(found, near{key, steps})
		}
	})
	if len(found) == 0 {
		return Candidate{}, false
	}
	slices.SortFunc(found, func(a, b near) int { return cmp.Or(a.steps-b.steps, a.key-b.key) })
	return r.candidate(form, found), true
}

const (
	shownNeighbours = 3   // known forms that a candidate's evidence names
	mostBearers     = 256 // people a candidate may name; a name of more points at nobody
)

// candidate describes a form with the known words it is near to, nearest first.
func (r *lexicalRun) candidate(form *Form, found []near) Candidate {
	nearest := found[0]
	c := Candidate{
		Form: form.Text, Count: int(form.Count),
		Category: r.known[r.byKey[nearest.key][0].owner].Category,
		Score:    spellingScore(form, r.neighbours.letters[nearest.key], nearest.steps) * r.doubt(form),
	}
	bearers := bearers{}
	for i, n := range found {
		if i < shownNeighbours {
			c.Evidence = append(c.Evidence, Evidence{"lexical", sayNear(r.byKey[n.key][0].form, n.steps), c.Score, r.byKey[n.key][0].form})
		}
		if n.steps > nearest.steps {
			continue
		}
		for _, p := range r.byKey[n.key] {
			bearers.add(r.known[p.owner].Entities)
		}
	}
	c.Entities = bearers.list()
	return c
}

// bearers gathers whom a form may name.
type bearers map[detect.EntityID]bool

func (b bearers) add(entities []detect.EntityID) {
	for _, entity := range entities {
		if len(b) <= mostBearers {
			b[entity] = true
		}
	}
}

// list gives them in order, or nobody when they are too many.
func (b bearers) list() []detect.EntityID {
	if len(b) == 0 || len(b) > mostBearers {
		return nil
	}
	return slices.Sorted(maps.Keys(b))
}

func sayNear(form string, steps int) string {
	switch steps {
	case 0:
		return fmt.Sprintf("differs from %q only in case or accents", form)
	case 1:
		return fmt.Sprintf("one letter from %q", form)
	}
	return fmt.Sprintf("two letters from %q", form)
}

// spellingScore is the trust in a likeness: the share of letters that agree,
// much less in very short forms, which are near to everything.
func spellingScore(form *Form, knownLetters, steps int) float64 {
	letters := float64(min(utf8.RuneCountInString(form.Key), knownLetters))
	if steps == 0 {
		return 0.95
	}
	agree := max(0, 1-float64(steps)/max(letters, 1))
	return agree * min(1, letters/5) * 0.9
}

// doubt lowers the score of forms that are ordinary words, for a dictionary or
// for the people of this corpus.
func (r *lexicalRun) doubt(form *Form) float64 {
	factor := 1.0
	if r.words.Word(form.Key) {
		factor *= 0.4
		if r.words.FirstName(form.Key) {
			factor *= 1.5
		}
	}
	if r.corpus.ordinary(form) {
		factor *= 0.5
	}
	if form.Middle == 0 && form.Opening == 0 {
		factor *= 0.8
	}
	return factor
}
