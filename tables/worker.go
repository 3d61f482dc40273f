package tables

import (
	"anonymooc/idmap"
	"anonymooc/tables/geo"
	"anonymooc/tables/jsonedit"
)

// Session is what all workers of a run share.
type Session struct {
	IDs   *idmap.Domain
	Geo   *geo.Database
	Text  TextEngine // nil: free text is emptied
	Names *NameIndex // full names that scrub looks for; nil for none

	// Forgotten says what becomes of rows of people who were erased: "drop" or
	// "orphan", a pseudonym that nothing else has.
	Forgotten string
}

// Worker holds what one goroutine needs to apply actions. It is not safe for
// concurrent use.
type Worker struct {
	session *Session
	ids     *idmap.Resolver
	locator *geo.Locator
	scrubs  memo // of scrub
	urls    memo // of action url
	places  memo // of geolocate: address, NUL, place
	paths   map[string]pathMeaning
	editors map[*jsonPlan]*jsonedit.Editor
	lookups map[*recordLookup]*extractor
	ahead   ahead
	kept    keeping

	// The file and row at hand.
	tallies   []ColumnTally
	current   int       // tally of the rule being applied
	place     TextPlace // of the row's texts
	field     string
	path      []byte // of the JSON value at hand; valid during the call only
	meaning   *byte  // what is remembered of that path, nil where nothing is
	ownColumn bool   // the rule being applied treats the row's own person
	rowGone   bool
	answer    *idmap.Answer // about the person in the cell at hand, if looked up ahead
	row       uint64        // likewise, about a row key
	people    peopleSet     // whose rows the file holds

	beside  []byte // JSON members to write behind the value just treated
	cell    []byte // a cell without its quotes and escapes
	value   []byte // what an action made of it
	treated []byte // likewise, inside a URL
	plain   []byte // what a word says in base64
}

// NewWorker makes a worker of a session.
func (s *Session) NewWorker() *Worker {
	return &Worker{
		session: s,
		ids:     s.IDs.Resolver(),
		locator: s.Geo.Locator(),
		scrubs:  newMemo(),
		urls:    newMemo(),
		places:  newMemo(),
		paths:   map[string]pathMeaning{},
		editors: map[*jsonPlan]*jsonedit.Editor{},
		lookups: map[*recordLookup]*extractor{},
	}
}

// start prepares the worker for the records of a block.
func (w *Worker) start(p *Plan) {
	if len(w.tallies) != p.rules {
		w.tallies = make([]ColumnTally, p.rules)
	} else {
		clear(w.tallies)
	}
	w.place = TextPlace{Table: p.Table.Name}
}

func (w *Worker) counts() *ColumnTally { return &w.tallies[w.current] }

func (w *Worker) editor(plan *jsonPlan) *jsonedit.Editor {
	e := w.editors[plan]
	if e == nil {
		e = jsonedit.NewEditor(plan.paths, &jsonHandler{w, plan})
		w.editors[plan] = e
	}
	return e
}

// apply lets a rule treat a value, and counts what it did.
func (w *Worker) apply(r *bound, dst []byte, c Cell) ([]byte, Effect, error) {
	outer, own, field := w.current, w.ownColumn, w.field
	w.current, w.ownColumn, w.field = r.index, r.own, r.column.Column
	out, effect, err := r.action.Apply(w, dst, c)
	t := w.counts()
	switch {
	case effect == Changed || effect == RawJSON:
		t.Changed++
	case effect == Failed:
		t.Failed++
	case c.null():
		t.Nulls++
	case effect == Emptied:
		t.Emptied++
	case effect == Kept:
		t.Kept++
	}
	w.current, w.ownColumn, w.field = outer, own, field
	return out, effect, err
}
