package review

import (
	"iter"
	"slices"

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

// stateOf looks a question, and the forms that are asked with it, up in the ledger.
func (d *Desk) stateOf(q *question) state {
	least := d.stateOfForm(q.ID, d.openMentions(q))
	for i := range q.Also {
		least = min(least, d.stateOfForm(q.Also[i].ID, d.openOf(q.Also[i].ID)))
	}
	return least
}

func (d *Desk) stateOfForm(id string, mentions iter.Seq[ledger.Mention]) state {
	decision, ok := d.options.Ledger.Decision(id)
	switch {
	case ok && decision.Verdict != "" && decision.Verdict != ledger.Unsure, d.eachDecided(mentions):
		return settled
	case ok && decision.Verdict == ledger.Unsure:
		return deferred
	}
	return open
}

// eachDecided reports whether every one of some mentions has a verdict of its own.
func (d *Desk) eachDecided(mentions iter.Seq[ledger.Mention]) bool {
	any := false
	for m := range mentions {
		if v, ok := d.options.Ledger.Mention(m); !ok || v == ledger.Unsure {
			return false
		}
		any = true
	}
	return any
}

// openMentions gives the mentions of a question's own form that were undecided
// when it was asked.
func (d *Desk) openMentions(q *question) iter.Seq[ledger.Mention] {
	if q.Kind != ledger.KindMention && d.round.index.forms[q.form] != nil {
		return d.openOf(q.form)
	}
	return func(yield func(ledger.Mention) bool) {
		for _, l := range q.Lines {
			if !yield(ledger.Mention{Post: l.Post, Field: l.Field, Start: l.Start, End: l.End}) {
				return
			}
		}
	}
}

// openOf gives the mentions of a form that were undecided when the index was made.
func (d *Desk) openOf(form string) iter.Seq[ledger.Mention] {
	return func(yield func(ledger.Mention) bool) {
		known := d.round.index.forms[form]
		if known == nil {
			return
		}
		for i := range known.mentions {
			if known.mentions[i].open && !yield(d.mentionOf(&known.mentions[i])) {
				return
			}
		}
	}
}

// settles lists the forms that a verdict on a question answers too: those asked
// with it, but for those that somebody has told apart.
func (d *Desk) settles(q *question) []ledger.Asked {
	return slices.DeleteFunc(q.Settles(0), func(a ledger.Asked) bool {
		decision, ok := d.options.Ledger.Decision(a.ID)
		return ok && decision.Verdict != "" && decision.Verdict != ledger.Unsure && d.journal.entries[decision.Number].Question == a.ID
	})
}

// mentionOf names a mention as the ledger does.
func (d *Desk) mentionOf(m *mention) ledger.Mention {
	return ledger.Mention{Post: d.round.posts.ids[m.post], Field: fields[m.field], Start: int(m.start), End: int(m.end)}
}
