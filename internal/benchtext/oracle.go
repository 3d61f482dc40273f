package benchtext

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"

	"anonymooc/forum"
	"anonymooc/forum/ledger"
)

// Oracle answers the queue from the gold markup, in the JSON of forum queue and
// forum decide. An answer on a form costs one decision; a form whose shown
// occurrences differ costs one more per occurrence.
type Oracle struct {
	gold    map[string]*Post // by post id in the export
	errs    float64          // share of wrong answers
	rand    *rand.Rand
	entries []ledger.Entry
	Cost    int
}

// NewOracle makes an oracle that is wrong in the given share of its answers.
func NewOracle(g *Gold, wrong float64) *Oracle {
	o := &Oracle{gold: make(map[string]*Post), errs: wrong, rand: rand.New(rand.NewPCG(5, 7))}
	for i := range g.Posts {
		o.gold[objectID(g.Posts[i].ID)] = &g.Posts[i]
	}
	return o
}

// answer is a line of forum decide.
type answer struct {
	ID       string                  `json:"id"`
	Verdict  ledger.Verdict          `json:"verdict"`
	Category string                  `json:"category,omitempty"`
	Mentions []ledger.MentionVerdict `json:"mentions,omitempty"`
}

// Answer answers one question, given as JSON, and appends it to the ledger.
func (o *Oracle) Answer(line []byte) error {
	var q forum.Question
	if err := json.Unmarshal(line, &q); err != nil {
		return err
	}
	a := o.judge(&q)
	if forms := apart(&q); len(a.Mentions) > 0 && forms != nil {
		// Who tells neighbours apart answers for each form; the cost is counted.
		cost := o.Cost
		for i := range forms {
			if err := o.write(&forms[i], o.judge(&forms[i])); err != nil {
				return err
			}
		}
		o.Cost = cost
		return nil
	}
	return o.write(&q, a)
}

// apart gives every form that a question is about as a question of its own, with
// its lines; nil when it is about one form, or a line cannot be told whose it is.
func apart(q *forum.Question) []forum.Question {
	if !slices.ContainsFunc(q.Also, func(a forum.Also) bool { return !a.Same }) {
		return nil
	}
	forms := []forum.Question{{ID: q.ID, Kind: q.Kind, Surface: q.Surface, Category: q.Category}}
	for _, a := range q.Also {
		forms = append(forms, forum.Question{ID: a.ID, Kind: a.Kind, Surface: a.Surface, Category: a.Category})
	}
	for _, line := range q.Lines {
		at := slices.IndexFunc(forms, func(f forum.Question) bool { return f.Surface == line.Match })
		if at < 0 {
			return nil
		}
		forms[at].Lines = append(forms[at].Lines, line)
	}
	if slices.ContainsFunc(forms, func(f forum.Question) bool { return len(f.Lines) == 0 }) {
		return nil
	}
	return forms
}

// write appends an answer to the ledger, by way of its JSON.
func (o *Oracle) write(q *forum.Question, judged answer) error {
	given, err := json.Marshal(judged)
	if err != nil {
		return err
	}
	var a answer
	if err := json.Unmarshal(given, &a); err != nil {
		return err
	}
	o.entries = append(o.entries, ledger.Entry{
		Number: uint64(len(o.entries) + 1), At: time.Unix(int64(len(o.entries)), 0).UTC(), Who: "oracle",
		Question: a.ID, Kind: q.Kind, Surface: q.Surface, Verdict: a.Verdict, Category: a.Category, Mentions: a.Mentions, Also: q.Settles(len(a.Mentions)),
	})
	return nil
}

func (o *Oracle) judge(q *forum.Question) answer {
	a := answer{ID: q.ID, Category: string(q.Category), Verdict: ledger.Keep}
	masks := 0
	for _, line := range q.Lines {
		v := ledger.Keep
		if o.masks(line) {
			v = ledger.Mask
			masks++
		}
		a.Mentions = append(a.Mentions, ledger.MentionVerdict{
			Mention: ledger.Mention{Post: line.Post, Field: line.Field, Start: line.Start, End: line.End}, Verdict: v})
	}
	if 2*masks >= len(q.Lines) && masks > 0 {
		a.Verdict = ledger.Mask
	}
	o.Cost++
	if masks == 0 || masks == len(q.Lines) {
		a.Mentions = nil
	} else {
		o.Cost += len(q.Lines)
	}
	if o.errs > 0 && o.rand.Float64() < o.errs {
		a.Mentions = nil
		if a.Verdict == ledger.Mask {
			a.Verdict = ledger.Keep
		} else {
			a.Verdict = ledger.Mask
		}
	}
	return a
}

// masks reports whether the markup says that a line's match must be masked.
func (o *Oracle) masks(line forum.Line) bool {
	p, ok := o.gold[line.Post]
	if !ok {
		return false
	}
	for _, m := range p.Mentions {
		if m.Kind == 'M' && m.Start < line.End && line.Start < m.End {
			return true
		}
	}
	return false
}

// State is the ledger of the answers given so far.
func (o *Oracle) State() *ledger.State { return ledger.Replay(o.entries) }
