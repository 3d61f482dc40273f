package forum

import (
	"cmp"
	"slices"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
)

// Also is a form that is asked about with another one. An answer that has no
// mentions of its own settles it too.
type Also struct {
	ID       string          `json:"id"`
	Kind     ledger.Kind     `json:"kind"`
	Surface  string          `json:"surface"`
	Category detect.Category `json:"category"`
	Count    int             `json:"count"`
	Same     bool            `json:"same,omitempty"` // another spelling of the form, and not only a neighbour
}

// mostTogether bounds how many forms one question is about, and mostInPassage
// how many of them are told apart by nothing but their place.
const (
	mostTogether  = 12
	mostInPassage = 4
)

// Together puts questions that one look answers into one: the spellings of one
// form ("Dupont", "DUPONT", "Duponnt"), and the forms that stand once each, in
// the same text. Only what is proposed alike goes together. The question is the
// worthiest one's, with the lines of all; whoever must tell them apart answers
// for single mentions, or for the ids in Also.
func Together(questions []Question) []Question {
	groups := gather(questions, mostTogether, true, func(q *Question) string {
		if q.Kind == ledger.KindMention || q.family == "" {
			return ""
		}
		return string(q.Proposal) + ":" + q.family
	})
	groups = gather(groups, mostInPassage, false, func(q *Question) string {
		if q.Count != 1 || q.Kind == ledger.KindMention || q.Proposal != detect.Keep || len(q.Lines) != 1 {
			return ""
		}
		return q.Lines[0].Field + ":" + q.Lines[0].Post
	})
	slices.SortFunc(groups, byWorth)
	return groups
}

// gather joins the questions that of gives the same key, at most so many; an
// empty key stands alone. same says that they are spellings of one form.
func gather(questions []Question, most int, same bool, of func(*Question) string) []Question {
	joined := make([]Question, 0, len(questions))
	open := make(map[string]int) // key → index in joined
	for i := range questions {
		q := questions[i]
		key := of(&q)
		at, ok := open[key]
		if key == "" || !ok || len(joined[at].Also)+1 >= most {
			if key != "" {
				open[key] = len(joined)
			}
			joined = append(joined, q)
			continue
		}
		joined[at].join(&q, same)
	}
	return joined
}

// join takes another question's form along.
func (q *Question) join(other *Question, same bool) {
	also := make([]Also, 0, len(q.Also)+1+len(other.Also)) // the slice may be shared
	also = append(append(also, q.Also...), Also{other.ID, other.Kind, other.Surface, other.Category, other.Count, same})
	for _, a := range other.Also {
		a.Same = a.Same && same
		also = append(also, a)
	}
	q.Also = also
	q.Count += other.Count
	q.Score = max(q.Score, other.Score)
	q.risk += other.risk
	q.Lines = interleave(q.Lines, other.Lines)
}

// interleave gives lines of both, as many of each as there is room for.
func interleave(a, b []Line) []Line {
	room := max(mostLines-len(b), mostLines/2)
	if len(a) > room {
		a = a[:room]
	}
	both := append(slices.Clone(a), b[:min(len(b), mostLines-len(a))]...)
	slices.SortStableFunc(both, func(a, b Line) int {
		return cmp.Or(strings.Compare(a.Post, b.Post), strings.Compare(a.Field, b.Field), cmp.Compare(a.Start, b.Start))
	})
	return both
}

// Settles lists what a ledger entry must say of the forms asked along, for an
// answer on the form; nothing for an answer on single mentions.
func (q *Question) Settles(mentions int) []ledger.Asked {
	if mentions > 0 {
		return nil
	}
	var asked []ledger.Asked
	for _, a := range q.Also {
		asked = append(asked, ledger.Asked{ID: a.ID, Kind: a.Kind, Surface: a.Surface, Same: a.Same})
	}
	return asked
}

// Asked is what the ledger keeps of a question, so that an answer may name it,
// or one of the forms asked along, by id.
func (q *Question) Asked() ledger.Asked {
	return ledger.Asked{ID: q.ID, Kind: q.Kind, Surface: q.Surface, Also: q.Settles(0)}
}
