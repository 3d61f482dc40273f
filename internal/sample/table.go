package sample

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// table describes a table of the export: its name, whom its rows are about and
// what stands in each column.
type table struct {
	name    string
	rows    rowSource
	columns []column
	folder  string // below the package; empty for most
}

// column is one column. A row takes one of its cells at random; each is a
// template.
type column struct {
	name  string
	role  columnRole
	cells []string
}

// columnRole says how the cells of a column are encoded.
type columnRole uint8

const (
	value    columnRole = iota
	document            // a JSON document: slots are escaped for it
	freeText            // people are named in running text
	late                // a column that only newer exports have
)

// rowSource calls emit once for every row, with the scene set up for it.
type rowSource func(s *scene, emit func() error) error

// dialect is how a table is written down.
type dialect struct {
	tab      bool   // tab separated with backslash escapes, else comma separated
	bom      bool   // begins with a byte order mark
	lineEnd  string // ends a row
	null     string // spells NULL
	quoteAll bool   // quotes every cell that is not NULL
	slashes  bool   // tab separated, and only backslashes are escaped
	noEnd    bool   // the last row has no line end
}

// compiledTable is a table ready to be written.
type compiledTable struct {
	table
	cells [][]*template
}

func compileTable(t table) (*compiledTable, error) {
	c := &compiledTable{table: t}
	for _, column := range t.columns {
		var cells []*template
		for _, source := range column.cells {
			cell, err := compile(source)
			if err != nil {
				return nil, err
			}
			cells = append(cells, cell)
		}
		c.cells = append(c.cells, cells)
	}
	return c, nil
}

// write writes the table and returns its number of rows.
func (c *compiledTable) write(w io.Writer, s *scene, d dialect, order []int) (rows int64, err error) {
	out := bufio.NewWriterSize(w, 1<<18)
	if d.bom {
		out.WriteString("\uFEFF")
	}
	separator := ","
	if d.tab {
		separator = "\t"
	}
	names := make([]string, len(order))
	for i, at := range order {
		names[i] = c.columns[at].name
	}
	out.WriteString(strings.Join(names, separator))
	var line, cell []byte
	s.row = 100_000_000 + int64(mix(s.gen.options.Seed^stream(c.name, s.course.Index))%700)*1_000_000
	err = c.rows(s, func() error {
		rows++
		s.serial = rows
		s.row += 1 + s.rng.Int64N(5)
		line = append(line[:0], d.lineEnd...)
		for i, at := range order {
			if i > 0 {
				line = append(line, separator...)
			}
			cell = c.appendCell(cell[:0], s, at)
			line = d.appendCell(line, cell)
		}
		_, err := out.Write(line)
		return err
	})
	if err != nil {
		return rows, err
	}
	if !d.noEnd {
		out.WriteString(d.lineEnd)
	}
	return rows, out.Flush()
}

func (c *compiledTable) appendCell(dst []byte, s *scene, at int) []byte {
	column, cells := &c.columns[at], c.cells[at]
	chosen := cells[0]
	if len(cells) > 1 {
		chosen = cells[s.rng.IntN(len(cells))]
	}
	s.place = column.name
	switch column.role {
	case document:
		return s.render(dst, chosen, jsonText)
	case freeText:
		s.inText = true
		dst = s.render(dst, chosen, plain)
		s.inText = false
		return dst
	}
	return s.render(dst, chosen, plain)
}

// appendCell writes one cell in the dialect.
func (d *dialect) appendCell(dst, cell []byte) []byte {
	switch {
	case string(cell) == nullCell:
		return append(dst, d.null...)
	case d.slashes:
		return append(dst, bytes.ReplaceAll(cell, []byte(`\`), []byte(`\\`))...)
	case d.tab:
		for _, c := range cell {
			switch c {
			case '\\':
				dst = append(dst, '\\', '\\')
			case '\t':
				dst = append(dst, '\\', 't')
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\r':
				dst = append(dst, '\\', 'r')
			default:
				dst = append(dst, c)
			}
		}
		return dst
	case d.quoteAll || bytes.ContainsAny(cell, ",\"\r\n"):
		dst = append(dst, '"')
		dst = append(dst, bytes.ReplaceAll(cell, []byte(`"`), []byte(`""`))...)
		return append(dst, '"')
	}
	return append(dst, cell...)
}

// order gives the columns of an export: older ones lack the late columns, and
// newer ones have their keys last, so that only readers who go by the header's
// names find them.
func (c *compiledTable) order(newer bool) []int {
	var first, last []int
	for i, column := range c.columns {
		switch {
		case column.role == late && !newer:
		case newer && (column.name == "id" || column.name == "user_id") && len(c.columns) > 6:
			last = append(last, i)
		default:
			first = append(first, i)
		}
	}
	return append(first, last...)
}

// members makes a row for every person enrolled in the course.
func members(s *scene, emit func() error) error {
	for i := range s.gen.options.People {
		if !s.course.enrolled(i) {
			continue
		}
		if err := s.emitFor(s.gen.roster.person(i), emit); err != nil {
			return err
		}
	}
	return nil
}

// everybody makes a row for every enrolment of every course.
func everybody(s *scene, emit func() error) error {
	for _, c := range s.gen.courses {
		s.course = c
		if err := members(s, emit); err != nil {
			return err
		}
	}
	return nil
}

// some makes a row for about one member in n, and for at least one.
func some(n int) rowSource {
	return func(s *scene, emit func() error) error {
		left := 1
		return members(s, func() error {
			if left--; left > 0 {
				return nil
			}
			left = 1 + s.rng.IntN(2*n)
			return emit()
		})
	}
}

// times makes n rows, each about somebody drawn.
func times(n int) rowSource {
	return func(s *scene, emit func() error) error {
		for range n {
			if err := s.emitFor(s.course.namedMember(s.rng), emit); err != nil {
				return err
			}
		}
		return nil
	}
}

// emitFor sets the scene up for a row about p.
func (s *scene) emitFor(p *Person, emit func() error) error {
	s.actor = p
	s.now = s.course.start + moment(s.rng.Int64N(int64(60*day)))
	s.other, s.third = nil, nil
	return emit()
}

// modules makes a row for every content block a member has opened.
func modules(s *scene, emit func() error) error {
	err := members(s, func() error {
		for i := range s.gen.modules {
			m := &s.gen.modules[i]
			names := m.names(s.course)
			if len(names) > 1 && s.rng.IntN(3) == 0 {
				continue
			}
			s.module, s.block = m, names[s.rng.IntN(len(names))]
			if err := emit(); err != nil {
				return err
			}
		}
		return nil
	})
	s.module, s.block = nil, ""
	return err
}
