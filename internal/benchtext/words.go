package benchtext

import (
	"anonymooc/forum"
	"anonymooc/forum/detect"
)

// Words counts words: those that must be masked, and those that were. A word of
// a quasi-identifier counts neither for nor against.
type Words struct {
	People, PeopleMasked int // of people's names
	All, AllMasked       int // of everything that must be masked
	Masked, Right        int // masked; of these, of something that must be
}

// Recall is the share of people's words that were masked.
func (w *Words) Recall() Share { return Share{w.PeopleMasked, w.People} }

// RecallAll is the share of all words that must be masked.
func (w *Words) RecallAll() Share { return Share{w.AllMasked, w.All} }

// Precision is the share of masked words that had to be.
func (w *Words) Precision() Share { return Share{w.Right, w.Masked} }

// F combines recall of people and precision, recall counting beta times as much.
func (w *Words) F(beta float64) float64 { return f(w.Recall().Of(), w.Precision().Of(), beta) }

func f(recall, precision, beta float64) float64 {
	if recall+precision == 0 {
		return 0
	}
	return (1 + beta*beta) * precision * recall / (beta*beta*precision + recall)
}

// add counts the words of a post.
func (w *Words) add(p *Post, doc *detect.Document, masked []forum.Finding) {
	for i := range doc.Tokens {
		t := &doc.Tokens[i]
		if !t.Any(detect.Word | detect.Number) {
			continue
		}
		must, person, open := false, false, false
		for _, m := range p.Mentions {
			if m.Start < t.End && t.Start < m.End {
				must = must || m.Kind == 'M'
				person = person || m.Kind == 'M' && isPerson(m.Category)
				open = open || m.Kind == 'Q'
			}
		}
		hidden := false
		for _, f := range masked {
			hidden = hidden || f.Start < t.End && t.Start < f.End
		}
		if must {
			w.All++
		}
		if person {
			w.People++
		}
		if !hidden || open && !must {
			continue
		}
		w.Masked++
		if must {
			w.AllMasked++
			w.Right++
		}
		if person {
			w.PeopleMasked++
		}
	}
}
