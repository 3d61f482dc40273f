package review

import (
	"iter"

	"anonymooc/forum"
	"anonymooc/forum/ledger"
)

// question is something to decide, or that was decided: the engine's question,
// or a form that nobody had to be asked about.
type question struct {
	forum.Question
	number int    // in addresses: it means nothing elsewhere
	form   string // id of the question about the form, which the index knows
	state  state
	place  int  // in the queue
	queued bool // the engine asks it
}

// state says how far a question is.
type state uint8

const (
	open     state = iota
	deferred       // somebody looked and could not tell: single mentions are left to decide
	settled
)

// stateOf looks a question up in the ledger.
func (d *Desk) stateOf(q *question) state {
	decision, ok := d.options.Ledger.Decision(q.ID)
	switch {
	case ok && decision.Verdict == ledger.Unsure:
		if d.eachDecided(q) {
			return settled
		}
		return deferred
	case ok && decision.Verdict != "", d.eachDecided(q):
		return settled
	}
	return open
}

// eachDecided reports whether every open mention of a question has a verdict of
// its own.
func (d *Desk) eachDecided(q *question) bool {
	any := false
	for m := range d.openMentions(q) {
		if v, ok := d.options.Ledger.Mention(m); !ok || v == ledger.Unsure {
			return false
		}
		any = true
	}
	return any
}

// openMentions gives the mentions that were undecided when the question was asked.
func (d *Desk) openMentions(q *question) iter.Seq[ledger.Mention] {
	return func(yield func(ledger.Mention) bool) {
		if form := d.round.index.forms[q.form]; form != nil && q.Kind != ledger.KindMention {
			for i := range form.mentions {
				if form.mentions[i].open && !yield(d.mentionOf(&form.mentions[i])) {
					return
				}
			}
			return
		}
		for _, l := range q.Lines {
			if !yield(ledger.Mention{Post: l.Post, Field: l.Field, Start: l.Start, End: l.End}) {
				return
			}
		}
	}
}

// mentionOf names a mention as the ledger does.
func (d *Desk) mentionOf(m *mention) ledger.Mention {
	return ledger.Mention{Post: d.round.posts.ids[m.post], Field: fields[m.field], Start: int(m.start), End: int(m.end)}
}
