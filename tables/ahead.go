package tables

import "anonymooc/idmap"

// The people and row keys of many records are looked up together, before the first
// of them is treated: alone each look-up would wait for memory (see idmap.Batch).
//
//	records ─ split ─ ask for each column that will ─ answer ─► treat record by record

// recordsAhead is how many records are split and looked up together.
const recordsAhead = 64

// spansAhead bounds the fields of these records.
const spansAhead = 4096

// ahead is what a worker has split and looked up.
type ahead struct {
	spans   []span
	records []record
	batch   idmap.Batch
}

// record is one that was split.
type record struct {
	pos, next   int
	first, last int    // its spans among those of all
	spans       []span // none of a blank line
}

// aheadColumn is a column whose values are looked up ahead.
type aheadColumn struct {
	column int
	kind   idmap.Kind // of a person, or
	space  string     // of a row key
}

// lookAhead finds the columns whose action looks up one kind of value.
func (p *Plan) lookAhead() {
	for i := range p.columns {
		c := &p.columns[i]
		switch action := c.action.(type) {
		case pseudonym:
			if !action.any {
				c.person = len(p.people) + 1
				p.people = append(p.people, aheadColumn{column: i, kind: action.kind})
				p.seeds = p.seeds || action.kind == idmap.AnonymousID || action.kind == idmap.HashID
			}
		case key:
			p.keys = append(p.keys, aheadColumn{column: i, space: action.space})
			c.key = len(p.keys)
		}
	}
}

// lookUp asks for the values of all records that wait.
func (w *Worker) lookUp(p *Plan, src []byte, f rowFormat) {
	if len(p.people)+len(p.keys) == 0 {
		return
	}
	batch := &w.ahead.batch
	batch.Reset()
	for i := range w.ahead.records {
		spans := w.ahead.records[i].spans
		if len(spans) != p.width {
			continue // a blank line, or one that will be refused
		}
		for _, column := range p.people {
			var c Cell
			c, w.cell = f.cell(w.cell, src, spans[column.column])
			value, ok := c.Identifier(column.kind)
			w.ids.AskPerson(batch, column.kind, value, !ok)
		}
		for k, column := range p.keys {
			s := spans[column.column]
			n, ok := parseKey(src[s.start:s.end])
			w.ids.AskRow(batch, k, column.space, n, !ok)
		}
	}
	w.ids.Answer(batch, p.seeds)
}

// have puts what was looked up about a cell where its action finds it; n counts the
// records from 0.
func (w *Worker) have(p *Plan, c *planColumn, n int) {
	if c.person > 0 {
		w.answer = w.ahead.batch.Person(n*len(p.people) + c.person - 1)
	}
	if c.key > 0 {
		w.row = w.ahead.batch.Row(c.key-1, n)
	}
}
