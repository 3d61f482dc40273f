package mine

import (
	"unicode/utf8"

	"anonymooc/forum/detect"
	"anonymooc/internal/fold"
)

// Capitals proposes the forms that are written with a capital where no sentence
// begins: what Reffay et al. (2012, section 7) used to find what the other two
// techniques had missed in a well-written corpus, and suggest for when they
// bring nothing new. German texts are left out, since they write every noun so.
type Capitals struct {
	Words Words // ordinary words score low, first names high; nil knows none
}

// Name implements Miner.
func (Capitals) Name() string { return "capitals" }

// Mine implements Miner.
func (c Capitals) Mine(corpus *Corpus, catalogue *Catalogue) []Candidate {
	words := c.Words
	if words == nil {
		words = noWords{}
	}
	known := make(map[string]bool)
	for _, k := range catalogue.All {
		for _, key := range keysOf(k.Form) {
			known[key] = true
		}
		known[fold.KeyString(k.Form)] = true
	}
	var candidates []Candidate
	corpus.Lexicon(func(form *Form) {
		if form.Middle == 0 || known[form.Key] || utf8.RuneCountInString(form.Key) < 2 {
			return
		}
		candidate := Candidate{Form: form.Text, Count: int(form.Count), Category: detect.Other, Score: capitalScore(corpus, form, words)}
		if words.FirstName(form.Key) {
			candidate.Category = detect.FirstName
		}
		candidate.Evidence = []Evidence{{"capitals", "a capital where no sentence begins", candidate.Score, ""}}
		candidates = append(candidates, candidate)
	})
	return candidates
}

// capitalScore is the share of occurrences with a capital, less for words that
// are ordinary, shouted or on everybody's lips.
func capitalScore(corpus *Corpus, form *Form, words Words) float64 {
	score := 0.6 * (1 - corpus.LowerShare(form))
	if words.FirstName(form.Key) {
		score += 0.25
	}
	if words.Word(form.Key) {
		score *= 0.4
	}
	if form.shouted() {
		score *= 0.6
	}
	if form.ManyAuthors() {
		score *= 0.7
	}
	return score
}

// shouted reports whether a form of two letters or more is all capitals: an
// acronym, or somebody's caps lock.
func (f *Form) shouted() bool {
	letters := 0
	for _, r := range f.Text {
		if !capitalised(string(r)) {
			return false
		}
		letters++
	}
	return letters > 1
}
