package tables

import (
	"fmt"
	"slices"

	"anonymooc/idmap"
	"anonymooc/internal/fault"
)

// Plan is the rules of a table bound to the columns of one real file.
type Plan struct {
	Table  *Table
	File   string // as messages name it
	Format Format

	columns []planColumn // by position in the file
	width   int
	person  []personRef
	people  []aheadColumn // whose person is looked up ahead
	keys    []aheadColumn // likewise, row keys
	seeds   bool          // some of these people's seeds are wanted
	course  int           // column of the course id, -1 for none
	json    *jsonPlan
	lookup  *recordLookup // what a JSON record says of its person and place

	rules      int           // number of tallies
	template   []ColumnTally // names for the tallies
	top        []int         // tallies of columns, in order; the rest are fields inside
	askAlways  bool          // whose row it is must be known before the row is treated
	askForText bool          // likewise, when there is a text engine to tell
	quarantine bool
}

// Tabular returns the plan's format where it is one with a header.
func (p *Plan) Tabular() Tabular {
	t, _ := p.Format.(Tabular)
	return t
}

// Documents returns the plan's format where its records are objects with paths.
func (p *Plan) Documents() Documents {
	d, _ := p.Format.(Documents)
	return d
}

type planColumn struct {
	bound
	name   string
	drop   bool                       // the column goes
	single map[idmap.Pseudonym]string // cells of single people; nil for none
	person int                        // number of the column among Plan.people, from 1
	key    int                        // number of the column among Plan.keys, from 1
}

type personRef struct {
	column int
	kind   idmap.Kind
}

// bound is a rule fitted to a file: an action and where its doings are counted.
type bound struct {
	column *Column
	action Action
	own    bool // the row's person stands here
	keep   bool // the bytes stay
	index  int
}

// Unbound is a column that no rule names.
type Unbound struct {
	Table, File, Column string
}

// Bind fits the rules of a table to the columns of a file; a file that is copied
// whole has none. Columns that no rule
// names are returned, all of them: when drop is set they are left out of the
// release instead of stopping the run.
func Bind(t *Table, file string, format Format, header []string, drop bool) (*Plan, []Unbound, error) {
	p := &Plan{Table: t, File: file, Format: format, width: len(header), course: -1, quarantine: t.Unreadable == "quarantine"}
	switch t.Shape {
	case "json":
		return p, nil, p.bindJSON()
	case "file":
		return p, nil, nil
	}
	if err := checkHeader(t, file, header); err != nil {
		return nil, nil, err
	}
	var unbound []Unbound
	for i, name := range header {
		rule := t.rule(name)
		if rule == nil {
			unbound = append(unbound, Unbound{t.Name, file, name})
			rule = &Column{Column: name, Action: "drop", Why: "no rule names it, unknown columns are dropped"}
		}
		action, err := NewAction(rule)
		if err != nil {
			return nil, nil, fault.New(fault.Usage, "table %q: %v", t.Name, err).At(file, 0, name)
		}
		c := planColumn{bound: bound{column: rule, action: action, own: t.isPerson(name), keep: rule.Action == "keep"}, name: name, drop: rule.Action == "drop"}
		p.count(&c.bound)
		p.columns = append(p.columns, c)
		if name == t.Course {
			p.course = i
		}
	}
	if len(unbound) > 0 && !drop {
		return nil, unbound, nil
	}
	p.bindPerson(header)
	p.lookAhead()
	return p, unbound, nil
}

func checkHeader(t *Table, file string, header []string) error {
	// Required columns come first: of a file without a header nothing is quoted.
	for _, name := range t.Require {
		if !slices.Contains(header, name) {
			return fault.New(fault.Unbound, "the header does not name the column %q, which table %q must have", name, t.Name).At(file, 1, "").
				WithHint("is the first line a header, and the file's name that of its table?")
		}
	}
	seen := map[string]bool{}
	for _, name := range header {
		if name == "" {
			return fault.New(fault.Unbound, "a column has no name").At(file, 1, "").
				WithHint("the first line of the file has to name every column")
		}
		if seen[name] {
			return fault.New(fault.Unbound, "the header names a column twice").At(file, 1, name).
				WithHint("export the table again, or rename one of the columns")
		}
		seen[name] = true
	}
	return nil
}

// rule returns the rule for a column, or nil.
func (t *Table) rule(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Column == name {
			return &t.Columns[i]
		}
	}
	return nil
}

func (t *Table) isPerson(name string) bool {
	for _, p := range t.Person {
		if p.Column == name {
			return true
		}
	}
	return false
}

// bindPerson finds the columns that tell whose row it is. They are read before
// the row is treated when some rule asks who wrote it, or when no rule would
// notice that the person was forgotten.
func (p *Plan) bindPerson(header []string) {
	noticed := false
	for _, ref := range p.Table.Person {
		for i, name := range header {
			if name != ref.Column {
				continue
			}
			kind, err := parseKind(ref.Kind)
			if err != nil {
				continue // RuleSet.Check has refused it
			}
			p.person = append(p.person, personRef{i, kind})
			noticed = noticed || p.columns[i].column.Action == "pseudonym"
		}
	}
	for i := range p.columns {
		p.ask(p.columns[i].column)
	}
	p.askAlways = len(p.person) > 0 && (p.askAlways || !noticed)
	p.askForText = p.askForText && len(p.person) > 0
}

// ask notes whether a rule, or one inside it, wants to know whose row it is.
func (p *Plan) ask(c *Column) {
	p.askForText = p.askForText || c.Action == "text"
	p.askAlways = p.askAlways || c.Action == "date" && c.ShiftDays > 0
	for i := range c.Fields {
		p.ask(&c.Fields[i])
	}
}

func (p *Plan) asksPerson(w *Worker) bool {
	return p.askAlways || p.askForText && w.session.Text != nil
}

// count gives a rule, and the rules inside it, their places in the tallies.
func (p *Plan) count(b *bound) {
	p.top = append(p.top, p.rules)
	p.countOne(b)
	if j, ok := b.action.(jsonAction); ok {
		for i := range j.plan.rules {
			p.countOne(&j.plan.rules[i])
		}
	}
}

func (p *Plan) countOne(b *bound) {
	b.index = p.rules
	p.rules++
	p.template = append(p.template, ColumnTally{Column: b.column.Column, Role: b.column.Role, Action: b.column.describe(), Why: b.column.Why})
}

// describe names the action with its telling setting, for the codebook.
func (c *Column) describe() string {
	switch {
	case c.Kind != "":
		return fmt.Sprintf("%s(%s)", c.Action, c.Kind)
	case c.Space != "":
		return fmt.Sprintf("%s(%s)", c.Action, c.Space)
	case c.Unit != "":
		return fmt.Sprintf("%s(%s)", c.Action, c.Unit)
	case c.ShiftDays != 0:
		return c.Action + "(shift)"
	case c.Width != 0:
		return fmt.Sprintf("%s(%g)", c.Action, c.Width)
	}
	return c.Action
}

// bindJSON compiles the paths of a table whose records are JSON objects.
func (p *Plan) bindJSON() error {
	otherwise := p.Table.Otherwise
	if otherwise == "" || otherwise == "stop" || otherwise == "drop" {
		otherwise = "blank" // what stops or drops is found before the run: see Schema
	}
	plan, err := newJSONPlan(p.Table.Columns, otherwise)
	if err != nil {
		return fault.New(fault.Usage, "table %q: %v", p.Table.Name, err)
	}
	noticed := false
	for i := range plan.rules {
		r := &plan.rules[i]
		r.own = p.Table.isPerson(r.column.Column)
		noticed = noticed || r.own && r.column.Action == "pseudonym"
		p.ask(r.column)
		p.top = append(p.top, p.rules)
		p.countOne(r)
	}
	p.json = plan
	p.lookup = newRecordLookup(p.Table)
	p.askAlways = p.lookup != nil && (p.askAlways || !noticed && len(p.Table.Person) > 0)
	p.askForText = p.askForText && p.lookup != nil
	return nil
}

// Tally turns what workers counted into the file's tally.
func (p *Plan) tally(counts []ColumnTally) []ColumnTally {
	var out []ColumnTally
	for i, start := range p.top {
		end := p.rules
		if i+1 < len(p.top) {
			end = p.top[i+1]
		}
		full := make([]ColumnTally, 0, end-start)
		for j := start; j < end; j++ {
			c := p.template[j]
			c.add(&counts[j])
			full = append(full, c)
		}
		column := full[0]
		if len(full) > 1 {
			column.Fields = full[1:]
		}
		out = append(out, column)
	}
	return out
}

// Paste renders an unbound column as an override ready to paste into
// project.yaml; the action is the officer's to decide.
func (u Unbound) Paste() string {
	return fmt.Sprintf("- {name: %s, columns: [{column: %q, action: drop, role: attribute, why: \"\"}]}", u.Table, u.Column)
}
