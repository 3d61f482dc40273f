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
	var spans []span
	for pos := 0; pos < len(b.src); {
		if n := blankLine(b.src[pos:]); n > 0 && p.width > 1 {
			b.out = append(b.out, b.src[pos:pos+n]...)
			pos += n
			continue
		}
		var next int
		var wrong string
		spans, next, wrong = f.record(spans[:0], b.src, pos)
		if wrong != "" {
			return b.fault(p, pos, "", "the record has %s", wrong).WithHint("export the table again: a quote in a value has to be doubled and the value put in quotes")
		}
		if len(spans) != p.width {
			return b.fault(p, pos, "", "the record has %d fields, the header has %d", len(spans), p.width).
				WithHint("a line break or a delimiter in a value may not be escaped as the format wants it")
		}
		b.rowsIn++
		if err := transformRow(w, p, b, f, spans, pos, next); err != nil {
			return err
		}
		pos = next
	}
	return nil
}

// transformRow appends one record to the output, or nothing when its person was
// forgotten.
func transformRow(w *Worker, p *Plan, b *Block, f rowFormat, spans []span, pos, next int) error {
	start := len(b.out)
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
		out, effect, err := w.apply(&c.bound, w.value[:0], cell)
		w.value = out[:0]
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
			return nil
		}
		b.out = append(b.out, b.src[copied:from]...)
		copied = to
		if effect == Changed || effect == RawJSON {
			b.out = f.encode(b.out, out, s.quoted)
		}
	}
	b.out = append(b.out, b.src[copied:next]...)
	b.rowsOut++
	return nil
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
