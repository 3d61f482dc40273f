package mine

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/detect"
	"anonymooc/internal/fold"
)

// Composed proposes forms made out of known ones by habits of chat, which are
// too far from them for Lexical:
//
//	glued       OleguerLI, LauraPa, MerciZoé   a known form up to a change of case
//	elongated   nicoooolas                     letters held down
//	cut short   Fede, nico, seb                the beginning of a known form
//	diminutive  Juanito, Blanquita, Carlinhos  the same with an ending
//	doubled     cece, Jojo, Lulu               one syllable of it, twice
//	familiar    Paco, Peggy, Sasha             by custom alone, where a list says so
//
// The first kind is what the paper's evaluation found to be missed (section 7).
type Composed struct {
	Words    Words    // ordinary words score low; nil knows none
	Familiar Familiar // may be nil
}

// Name implements Miner.
func (Composed) Name() string { return "composed" }

// Mine implements Miner; it looks at the catalogue's fresh forms only.
func (c Composed) Mine(corpus *Corpus, catalogue *Catalogue) []Candidate {
	if c.Words == nil {
		c.Words = noWords{}
	}
	run := composedRun{words: c.Words, corpus: corpus, known: catalogue.Fresh}
	run.index(catalogue, c.Familiar)
	var candidates []Candidate
	corpus.Lexicon(func(form *Form) {
		if candidate, ok := run.form(form); ok {
			candidates = append(candidates, candidate)
		}
	})
	return candidates
}

// composedRun holds the known one-word forms under everything that may be made
// of them. Lists hold indexes of known.
type composedRun struct {
	words     Words
	corpus    *Corpus
	known     []Known
	keys      map[string]bool // of all known one-word forms
	whole     map[string][]int
	squeezed  map[string][]int
	stems     map[string][]int // beginnings of three letters or more
	syllables map[string][]int // first and last two or three letters
	familiar  map[string][]int // what custom calls them
	pet       map[string][]int // stems of that: "Саш" for Саша
}

const (
	minStem     = 3
	manyBearers = 8 // beginnings that more names share tell nobody
)

func (r *composedRun) index(catalogue *Catalogue, names Familiar) {
	r.keys = make(map[string]bool)
	r.whole, r.squeezed = make(map[string][]int), make(map[string][]int)
	r.stems, r.syllables = make(map[string][]int), make(map[string][]int)
	r.familiar, r.pet = make(map[string][]int), make(map[string][]int)
	for _, known := range catalogue.All {
		r.keys[fold.KeyString(known.Form)] = true
	}
	for i := range r.known {
		if !r.known[i].Category.Person() {
			continue
		}
		for _, familiar := range names.of(r.known[i].Form) {
			r.familiar[familiar] = append(r.familiar[familiar], i)
			if _, last := utf8.DecodeLastRuneInString(familiar); len(familiar) > last {
				stem := familiar[:len(familiar)-last]
				r.pet[stem] = append(r.pet[stem], i)
			}
		}
	}
	for _, p := range parts(r.known, noWords{}) {
		letters := utf8.RuneCountInString(p.key)
		if !p.whole || !r.known[p.owner].Category.Person() || letters < minStem {
			continue
		}
		r.whole[p.key] = append(r.whole[p.key], p.owner)
		squeezed := string(fold.Squeeze(nil, p.key))
		r.squeezed[squeezed] = append(r.squeezed[squeezed], p.owner)
		runes := []rune(p.key)
		for n := minStem; n < letters; n++ {
			r.stems[string(runes[:n])] = appendFew(r.stems[string(runes[:n])], p.owner)
		}
		for n := 2; n <= 3 && n < letters; n++ {
			head, tail := string(runes[:n]), string(runes[letters-n:])
			r.syllables[head] = appendFew(r.syllables[head], p.owner)
			if tail != head {
				r.syllables[tail] = appendFew(r.syllables[tail], p.owner)
			}
		}
	}
}

// appendFew stops one above manyBearers: the list is then known to be too long.
func appendFew(list []int, owner int) []int {
	if len(list) > manyBearers {
		return list
	}
	return append(list, owner)
}

// finding is one way a form may be made of known ones.
type finding struct {
	how    string
	owners []int
	score  float64
}

// form looks at one form of the lexicon; the surest finding speaks for it.
func (r *composedRun) form(form *Form) (Candidate, bool) {
	if r.keys[form.Key] {
		return Candidate{}, false
	}
	best := r.byCustom(form)
	if utf8.RuneCountInString(form.Key) < minStem {
		return r.candidate(form, best), best.score > 0
	}
	for _, f := range []finding{r.glued(form), r.elongated(form), r.doubled(form), r.cutShort(form), r.diminutive(form)} {
		if f.score > best.score {
			best = f
		}
	}
	best.score *= r.trust(form, best.how)
	return r.candidate(form, best), best.score > 0
}

// trust is less for ordinary words: a dictionary word is believed only where it
// has a capital inside a sentence.
func (r *composedRun) trust(form *Form, how string) float64 {
	trust := 1.0
	if r.words.Word(form.Key) && how != gluedTo {
		if form.Middle == 0 {
			return 0
		}
		trust = 0.7
	}
	if r.corpus.ordinary(form) {
		trust *= 0.4
	}
	return trust
}

func (r *composedRun) candidate(form *Form, f finding) Candidate {
	if len(f.owners) == 0 {
		return Candidate{}
	}
	c := Candidate{Form: form.Text, Count: int(form.Count), Score: f.score, Category: r.known[f.owners[0]].Category}
	bearers := bearers{}
	said := make(map[string]bool)
	for _, owner := range f.owners {
		if key := fold.KeyString(r.known[owner].Form); len(said) < shownNeighbours && !said[key] {
			said[key] = true
			c.Evidence = append(c.Evidence, Evidence{"composed", fmt.Sprintf("%s %q", f.how, r.known[owner].Form), f.score, r.known[owner].Form})
		}
		bearers.add(r.known[owner].Entities)
	}
	c.Entities = bearers.list()
	return c
}

// gluedTo is how a form with a known one inside is described.
const gluedTo = "glued to"

// glued finds a known form at the start or the end of a form with a change of
// case in its middle.
func (r *composedRun) glued(form *Form) finding {
	letters := []rune(form.Text)
	for i := 1; i < len(letters); i++ {
		if unicode.IsUpper(letters[i]) == unicode.IsUpper(letters[i-1]) || !unicode.IsUpper(letters[i]) {
			continue
		}
		for _, side := range []string{string(letters[:i]), string(letters[i:])} {
			if owners := r.whole[fold.KeyString(side)]; len(owners) > 0 {
				return finding{gluedTo, owners, 0.85}
			}
		}
	}
	return finding{}
}

// elongated finds the known form that is left when repeated letters count once.
func (r *composedRun) elongated(form *Form) finding {
	squeezed := string(fold.Squeeze(nil, form.Key))
	owners := r.squeezed[squeezed]
	if len(squeezed) == len(form.Key) || len(owners) == 0 {
		return finding{}
	}
	return finding{"an elongated spelling of", owners, 0.9}
}

// cutShort finds known forms that begin with the form and go on for two letters
// or more.
func (r *composedRun) cutShort(form *Form) finding {
	owners := r.longer(form.Key, r.stems[form.Key], 2)
	capital := form.Middle+form.Opening > 0
	if len(owners) == 0 || len(owners) > manyBearers || !capital && utf8.RuneCountInString(form.Key) == minStem {
		return finding{}
	}
	if capital {
		return finding{"cut short from", owners, 0.6}
	}
	return finding{"cut short from", owners, 0.4}
}

// diminutives are endings that make a familiar name of a first name's stem, in
// the Romance languages, English, German and Russian.
var diminutives = []string{"ecito", "ecita", "cito", "cita", "zinho", "zinha", "inho", "inha", "inhos", "ito", "ita", "itos", "illo", "illa",
	"ico", "ica", "ino", "ina", "in", "uelo", "uela", "etto", "etta", "ello", "ella", "uccio", "uccia", "ette", "ou", "ot", "et", "eta",
	"ie", "y", "chen", "lein", "enka", "ochka", "ushka", "енька", "очка", "ушка"}

// respelled are letters that are written otherwise before an ending in e or i:
// Blanca, Blanquita.
var respelled = [...]struct{ before, stem string }{{"", ""}, {"qu", "c"}, {"gu", "g"}, {"c", "z"}, {"ch", "c"}, {"gh", "g"}}

// diminutive finds known forms whose beginning, with an ending, makes the form.
func (r *composedRun) diminutive(form *Form) finding {
	for _, ending := range diminutives {
		base, ok := strings.CutSuffix(form.Key, ending)
		if !ok {
			continue
		}
		for _, spelling := range respelled {
			stem, ok := strings.CutSuffix(base, spelling.before)
			stem += spelling.stem
			if !ok || utf8.RuneCountInString(stem) < minStem {
				continue
			}
			owners := slices.Concat(r.whole[stem], r.longer(stem, r.stems[stem], 0), r.pet[stem])
			if len(owners) > 0 && len(owners) <= manyBearers {
				return finding{"a familiar form of", owners, 0.5}
			}
		}
	}
	return finding{}
}

// byCustom finds known forms that are called so by custom. Two small letters are
// more often a word, and people are seldom called after their last name.
func (r *composedRun) byCustom(form *Form) finding {
	owners := r.familiar[form.Key]
	capital := form.Middle+form.Opening > 0
	if len(owners) == 0 || !capital && utf8.RuneCountInString(form.Key) < minStem {
		return finding{}
	}
	f := finding{"by custom a familiar form of", owners, 0.5}
	if capital {
		f.score = 0.75
	}
	first := func(owner int) bool { return r.known[owner].Category == detect.FirstName }
	if at := slices.IndexFunc(owners, first); at < 0 {
		f.score *= 0.6
	} else if at > 0 {
		f.owners = slices.DeleteFunc(slices.Clone(owners), func(owner int) bool { return !first(owner) })
	}
	return f
}

// longer gives the owners whose form has at least this many letters more than
// the stem or, when more is 0 (a stem with an ending), one or two.
func (r *composedRun) longer(stem string, owners []int, more int) []int {
	if len(owners) > manyBearers {
		return nil
	}
	var kept []int
	for _, owner := range owners {
		letters := utf8.RuneCountInString(fold.KeyString(r.known[owner].Form)) - utf8.RuneCountInString(stem)
		if more > 0 && letters >= more || more == 0 && (letters == 1 || letters == 2) {
			kept = append(kept, owner)
		}
	}
	return kept
}

// doubled finds known forms whose first or last syllable, twice, is the form.
func (r *composedRun) doubled(form *Form) finding {
	half := len(form.Key) / 2
	if len(form.Key)%2 != 0 || form.Key[:half] != form.Key[half:] {
		return finding{}
	}
	owners := r.syllables[form.Key[:half]]
	if len(owners) == 0 || len(owners) > manyBearers {
		return finding{}
	}
	return finding{"a doubled syllable of", owners, 0.45}
}
