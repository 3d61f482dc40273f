package tables

import (
	"errors"
	"unicode/utf8"

	"anonymooc/idmap"
	"anonymooc/internal/fault"
)

// rowFormat is what CSV and tab-separated text differ in.
type rowFormat struct {
	record    func(spans []span, src []byte, pos int) (out []span, next int, wrong string)
	cell      func(buf []byte, src []byte, s span) (Cell, []byte)
	encode    func(dst, value []byte, quoted bool) []byte
	delimiter byte
}

// transformRows treats the records of a block column by column.
func transformRows(w *Worker, p *Plan, b *Block, f rowFormat) error {
	if !utf8.Valid(b.src) {
		return notUTF8(p, b)
	}
	w.kept.start(p)
	for pos := 0; pos < len(b.src); {
		next, wrong := w.split(p, b.src, pos, f)
		w.lookUp(p, b.src, f)
		n := 0
		for i := range w.ahead.records {
			r := &w.ahead.records[i]
			if len(r.spans) == 0 {
				b.out = append(b.out, b.src[r.pos:r.next]...)
				continue
			}
			if len(r.spans) != p.width {
				return b.fault(p, r.pos, "", "the record has %d fields, the header has %d", len(r.spans), p.width).
					WithHint("a line break or a delimiter in a value may not be escaped as the format wants it")
			}
			b.rowsIn++
			if err := transformRow(w, p, b, f, r, n); err != nil {
				return err
			}
			n++
		}
		if wrong != "" {
			return b.fault(p, next, "", "the record has %s", wrong).WithHint("export the table again: a quote in a value has to be doubled and the value put in quotes")
		}
		pos = next
	}
	w.kept.count(p, w.tallies)
	return nil
}

// split splits some records from pos on. next is where it ended, before a record
// that is wrong; one whose fields are too few or too many is the last.
func (w *Worker) split(p *Plan, src []byte, pos int, f rowFormat) (next int, wrong string) {
	spans, records := w.ahead.spans[:0], w.ahead.records[:0]
	for pos < len(src) && len(records) < recordsAhead && len(spans) < spansAhead {
		if n := blankLine(src[pos:]); n > 0 && p.width > 1 {
			records = append(records, record{pos: pos, next: pos + n})
			pos += n
			continue
		}
		first := len(spans)
		var end int
		if spans, end, wrong = f.record(spans, src, pos); wrong != "" {
			break
		}
		records = append(records, record{pos: pos, next: end, first: first, last: len(spans)})
		pos = end
		if len(spans)-first != p.width {
			break
		}
	}
	for i := range records { // only now do the spans stay where they are
		r := &records[i]
		r.spans = spans[r.first:r.last]
	}
	w.ahead.spans, w.ahead.records = spans, records
	return pos, wrong
}

// transformRow appends one record, the n-th of those that were looked up together,
// to the output, or nothing when its person was forgotten.
func transformRow(w *Worker, p *Plan, b *Block, f rowFormat, r *record, n int) error {
	start, spans, pos := len(b.out), r.spans, r.pos
	if p.asksPerson(w) {
		gone, err := w.rowPerson(p, b.src, spans, f)
		if err != nil {
			return b.place(p, pos, err)
		}
		if gone {
			b.forgotten++
			return nil
		}
	}
	copied := pos
	for i := range spans {
		if w.kept.columns[i] {
			w.kept.note(i, spans[i])
			continue
		}
		c := &p.columns[i]
		s := spans[i]
		if c.single != nil {
			if value, ok := c.single[w.place.Author]; ok {
				from, to := s.outer()
				b.out = w.singleCell(c, append(b.out, b.src[copied:from]...), f, s, value)
				copied = to
				continue
			}
		}
		if c.keep {
			t := &w.tallies[c.index]
			if s.start == s.end {
				t.Nulls++
			} else {
				t.Kept++
			}
			continue
		}
		from, to := s.outer()
		if c.drop {
			w.tallies[c.index].Emptied++
			b.out = append(b.out, b.src[copied:from]...)
			if i+1 < len(spans) {
				copied, _ = spans[i+1].outer()
			} else {
				copied = to
				if n := len(b.out); n > start && b.out[n-1] == f.delimiter {
					b.out = b.out[:n-1]
				}
			}
			continue
		}
		var cell Cell
		cell, w.cell = f.cell(w.cell, b.src, s)
		w.have(p, c, n)
		out, effect, err := w.apply(&c.bound, w.value[:0], cell)
		w.value, w.answer, w.row = out[:0], nil, 0
		if err != nil {
			return b.place(p, pos, err, c.name)
		}
		switch effect {
		case Kept:
			continue
		case RowGone:
			b.out = b.out[:start]
			b.forgotten++
			w.rowGone = false
			w.kept.gone(p, w.tallies, i)
			return nil
		}
		b.out = append(b.out, b.src[copied:from]...)
		copied = to
		if effect == Changed || effect == RawJSON {
			b.out = f.encode(b.out, out, s.quoted)
		}
	}
	b.out = append(b.out, b.src[copied:r.next]...)
	b.rowsOut++
	w.kept.rows++
	return nil
}

// keeping counts the cells of columns that are kept, of which a table has most:
// only whether they are empty has to be looked at.
type keeping struct {
	columns []bool
	nulls   []int64
	rows    int64
}

func (k *keeping) start(p *Plan) {
	k.columns, k.nulls, k.rows = k.columns[:0], k.nulls[:0], 0
	for i := range p.columns {
		c := &p.columns[i]
		k.columns, k.nulls = append(k.columns, c.keep && c.single == nil), append(k.nulls, 0)
	}
}

func (k *keeping) note(i int, s span) {
	empty := int64(0)
	if s.start == s.end {
		empty = 1
	}
	k.nulls[i] += empty // without a jump that nobody could foresee
}

// gone counts the cells of a row that ended before a column.
func (k *keeping) gone(p *Plan, tallies []ColumnTally, column int) {
	for i := range column {
		if k.columns[i] {
			tallies[p.columns[i].index].Kept++
		}
	}
}

// count adds what was noted to the tallies.
func (k *keeping) count(p *Plan, tallies []ColumnTally) {
	for i := range p.columns {
		if k.columns[i] {
			t := &tallies[p.columns[i].index]
			t.Nulls += k.nulls[i]
			t.Kept += k.rows - k.nulls[i]
		}
	}
}

// rowPerson finds out whose row it is; gone is true for someone who was forgotten.
func (w *Worker) rowPerson(p *Plan, src []byte, spans []span, f rowFormat) (gone bool, err error) {
	w.place.Author, w.place.Course = 0, ""
	if p.course >= 0 {
		var c Cell
		c, w.cell = f.cell(w.cell, src, spans[p.course])
		w.place.Course = string(c.Text)
	}
	for _, ref := range p.person {
		var c Cell
		c, w.cell = f.cell(w.cell, src, spans[ref.column])
		if gone, found, err := w.setAuthor(ref.kind, c); gone || found || err != nil {
			return gone, err
		}
	}
	return false, nil
}

// setAuthor resolves the person of a row.
func (w *Worker) setAuthor(kind idmap.Kind, c Cell) (gone, found bool, err error) {
	text, ok := c.Identifier(kind)
	if !ok {
		return false, false, nil
	}
	person, err := w.person(kind, text)
	if errors.Is(err, idmap.ErrForgotten) {
		return true, false, nil
	}
	if err != nil {
		return false, false, err
	}
	w.place.Author = person
	return false, true, nil
}

// blankLine returns the length of an empty line at the start of text.
func blankLine(text []byte) int {
	switch {
	case len(text) > 0 && text[0] == '\n':
		return 1
	case len(text) > 1 && text[0] == '\r' && text[1] == '\n':
		return 2
	}
	return 0
}

// place says where an error of an action or of the id map came up.
func (b *Block) place(p *Plan, pos int, err error, column ...string) error {
	name := ""
	if len(column) > 0 {
		name = column[0]
	}
	var f *fault.Fault
	if errors.As(err, &f) {
		return b.fault(p, pos, name, "the value cannot be treated").WithHint("%s", f.Hint).Because(err)
	}
	return b.fault(p, pos, name, "the value cannot be treated").Because(err)
}

// notUTF8 finds the first byte that is no UTF-8.
func notUTF8(p *Plan, b *Block) error {
	for pos := 0; pos < len(b.src); {
		r, size := utf8.DecodeRune(b.src[pos:])
		if r == utf8.RuneError && size < 2 {
			return b.fault(p, pos, "", "the text is not UTF-8").WithHint("convert the file, for example with iconv -f latin1 -t utf-8")
		}
		pos += size
	}
	return nil
}
