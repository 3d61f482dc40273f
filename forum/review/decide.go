package review

import (
	"strings"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/internal/fault"
)

// answer is what a reviewer says about a question.
type answer struct {
	who      string
	question int
	verdict  ledger.Verdict
	category string
	entity   string
	mentions []ledger.Mention // answered for alone; empty: the form is
	blind    bool             // who answers has not seen what others said
}

// decide writes an answer into the ledger.
func (d *Desk) decide(a answer) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	q, ok := d.question(a.question)
	if !ok {
		return fault.New(fault.Usage, "there is no such question")
	}
	if a.category != "" && !detect.Category(a.category).Valid() {
		return fault.New(fault.Usage, "the category is not known")
	}
	entry := ledger.Entry{
		Who: a.who, Question: q.ID, Kind: q.Kind, Surface: q.Surface,
		Category: a.category, Entity: strings.TrimSpace(a.entity), Blind: a.blind,
	}
	for _, m := range a.mentions {
		entry.Mentions = append(entry.Mentions, ledger.MentionVerdict{Mention: m, Verdict: a.verdict})
	}
	if len(a.mentions) == 0 {
		entry.Verdict, entry.Also = a.verdict, d.settles(&q)
		if q.Kind == ledger.KindMention {
			for m := range d.openMentions(&q) {
				entry.Mentions = append(entry.Mentions, ledger.MentionVerdict{Mention: m, Verdict: a.verdict})
			}
		}
	}
	if a.blind {
		d.carry(&entry)
	}
	delete(d.taken, a.question)
	return d.write(entry)
}

// carry lets a second look that agrees leave whom and what a form names as it is.
func (d *Desk) carry(entry *ledger.Entry) {
	before, ok := d.options.Ledger.Decision(entry.Question)
	if ok && before.Verdict == entry.Verdict {
		entry.Category, entry.Entity = before.Category, before.Entity
	}
}

// write appends an entry and takes it, and whatever others wrote before it, into
// account.
func (d *Desk) write(entry ledger.Entry) error {
	if flaw := entry.Flaw(); flaw != "" {
		return fault.New(fault.Usage, "%s", flaw)
	}
	written, err := d.options.Ledger.Append(entry)
	if err != nil {
		return err
	}
	d.follow(written[0])
	return nil
}

// follow absorbs an entry; when another process wrote before it, all that is new.
func (d *Desk) follow(written ledger.Entry) {
	if written.Number == d.journal.last+1 {
		d.absorb(written)
		return
	}
	after := d.journal.last
	for _, e := range d.options.Ledger.Entries() {
		if e.Number > after {
			d.absorb(e)
		}
	}
}

// takeBack takes a reviewer's newest decision back and tells which question it
// was about.
func (d *Desk) takeBack(who string) (question int, blind, ok bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.turn(d.journal.done[who], who)
}

// putBack takes the newest taking back back.
func (d *Desk) putBack(who string) (question int, blind, ok bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.turn(d.journal.undone[who], who)
}

func (d *Desk) turn(stack []uint64, who string) (question int, blind, ok bool, err error) {
	number, ok := newest(stack)
	if !ok {
		return 0, false, false, nil
	}
	undo, err := d.options.Ledger.Undo(number, who)
	if err != nil {
		return 0, false, false, err
	}
	d.follow(undo)
	decision := d.journal.decision(number)
	return d.number(decision.Question).number, decision.Blind, true, nil
}

// add asks for a form that nothing found to be masked wherever it stands.
func (d *Desk) add(who, form, category string) (int, error) {
	form = strings.Join(strings.Fields(form), " ")
	id := forum.FormQuestion(form)
	switch {
	case id == "":
		return 0, fault.New(fault.Usage, "the form has no letter or digit")
	case len(form) > mostFormBytes:
		return 0, fault.New(fault.Usage, "the form is too long: a name is wanted, not a sentence")
	case category != "" && !detect.Category(category).Valid():
		return 0, fault.New(fault.Usage, "the category is not known")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	q := d.number(id)
	if err := d.write(ledger.Entry{Who: who, Question: id, Kind: ledger.KindForm, Surface: form, Verdict: ledger.Mask, Category: category}); err != nil {
		return 0, err
	}
	return q.number, nil
}

// mostFormBytes bounds the forms that people add.
const mostFormBytes = 200

// describe fills in what a question is about when the engine did not ask it: from
// the index, or from the ledger.
func (d *Desk) describe(q *question) {
	if q.Surface != "" {
		return
	}
	q.Kind = ledger.KindForm
	if form := d.round.index.forms[q.ID]; form != nil {
		f := &form.finding
		q.Surface, q.Category, q.Score, q.Evidence = f.Surface, f.Category, f.Score, f.Evidence
		if f.Mined {
			q.Kind = ledger.KindCandidate
		}
		return
	}
	if n, ok := d.joint[q.ID]; ok {
		for _, a := range d.asked[n].Also {
			if a.ID == q.ID {
				q.Surface, q.Kind, q.Category, q.Count = a.Surface, a.Kind, a.Category, a.Count
				return
			}
		}
	}
	for i := len(d.journal.votes[q.ID]) - 1; i >= 0; i-- {
		e := d.journal.entries[d.journal.votes[q.ID][i]]
		if e.Question == q.ID && e.Surface != "" {
			q.Surface, q.Kind, q.Category = e.Surface, e.Kind, detect.Category(e.Category)
			return
		}
		for _, a := range e.Also {
			if a.ID == q.ID {
				q.Surface, q.Kind = a.Surface, a.Kind
				return
			}
		}
	}
}
