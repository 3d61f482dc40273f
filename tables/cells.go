package tables

import (
	"slices"

	"anonymooc/idmap"
)

// SingleCell is a cell of one person: what the column's cell in every row of the person
// becomes, whatever the column's rule makes of it. Such cells hide who stands
// out among the people of a release (local recoding and local suppression).
type SingleCell struct {
	Person idmap.Pseudonym
	Table  string
	Column string
	Value  string // empty: the cell is emptied
}

// Single lays the cells of single people over the plan's columns and returns
// those that cannot be: their table or column is not here or not released, or
// the column says who the person is.
// Without it, a run pays nothing for there being such cells.
func (p *Plan) Single(cells []SingleCell) (elsewhere []SingleCell) {
	for _, cell := range cells {
		i := slices.IndexFunc(p.columns, func(c planColumn) bool { return c.name == cell.Column && !c.drop && !c.own })
		if cell.Table != p.Table.Name || i < 0 || len(p.person) == 0 {
			elsewhere = append(elsewhere, cell)
			continue
		}
		c := &p.columns[i]
		if c.single == nil {
			c.single = map[idmap.Pseudonym]string{}
		}
		c.single[cell.Person] = cell.Value
		p.askAlways = true
	}
	return elsewhere
}

// singleCell writes the cell of a person that has one of their own.
func (w *Worker) singleCell(c *planColumn, dst []byte, f rowFormat, s span, value string) []byte {
	t := &w.tallies[c.index]
	switch {
	case value != "":
		t.Changed++
	case s.start == s.end:
		t.Nulls++
	default:
		t.Emptied++
	}
	t.Single++
	if value == "" {
		return dst
	}
	return f.encode(dst, []byte(value), s.quoted)
}
