package tables

import (
	"fmt"
	"slices"

	"anonymooc/internal/fault"
)

// RuleSet says, table by table and column by column, what a release shows. It
// is written in YAML (config/rules) and bound to the columns that a file really
// has: see Bind.
type RuleSet struct {
	Name    string   `yaml:"name"`
	About   string   `yaml:"about"`
	Include string   `yaml:"include"` // a rule set over which this one is laid: see Base
	Shared  []Shared `yaml:"shared"`
	Tables  []Table  `yaml:"tables"`

	Overridden []Overridden `yaml:"-"` // what a project decided differently
}

// Overridden is a column for which a project has a rule of its own.
type Overridden struct {
	Table, Column string
	File          string // where the rule stands
	Line          int
}

// Shared is a list of rules that several tables and columns use.
type Shared struct {
	Name    string   `yaml:"name"`
	Columns []Column `yaml:"columns"`
}

// Table is the rules for one kind of file.
type Table struct {
	Name  string   `yaml:"name"`
	About string   `yaml:"about"`
	Files []string `yaml:"files"` // names with "*" and "?", compared without folder and without .gz, .zst
	Shape string   `yaml:"shape"` // records: "table" (default; CSV or TSV with a header), "json" (objects: a line each, over several lines, in an array, or BSON) or "file" (none: copied whole)
	Drop  bool     `yaml:"drop"`  // the whole file stays out of the release

	// Person names the columns (or JSON paths) that hold whose row it is, the
	// first that has a value counts. It serves dates shifted per person, texts
	// that are weighed by their author, and rows of people who were forgotten.
	Person []PersonColumn `yaml:"person"`
	// Document and Course name the columns or paths of a text's place.
	Document string `yaml:"document"`
	Course   string `yaml:"course"`

	// Links are the columns that belong to one person: they are read before
	// anything is transformed.
	Links []PersonColumn `yaml:"links"`
	// Describe are the columns that name or place that person.
	Describe []DescribeColumn `yaml:"describe"`
	// Require are the columns without which the file is not this table.
	Require []string `yaml:"require"`

	Columns []Column `yaml:"columns"`
	Use     string   `yaml:"use"` // shared rules that hold as well
	// Unreadable says what becomes of a record that cannot be read: "stop"
	// (default) or "quarantine", which sets it aside in the project.
	Unreadable string `yaml:"unreadable"`
	// Otherwise is the action for JSON paths that no column names: "stop"
	// (default), "scrub" or "drop". Columns of tables that no rule names always
	// stop the run unless the user chose to drop them.
	Otherwise string `yaml:"otherwise"`

	Line int `yaml:"-"` // in the file it was read from
}

// PersonColumn is a column that holds an identifier of a person.
type PersonColumn struct {
	Column string `yaml:"column"`
	Kind   string `yaml:"kind"` // user_id, username, email, anonymous_id, hash_id
}

// DescribeColumn is a column with something known of a person.
type DescribeColumn struct {
	Column string `yaml:"column"`
	As     string `yaml:"as"` // name, first_name, last_name, city, institution
}

// The roles of a column (ISO/IEC 20889).
const (
	DirectIdentifier = "direct identifier"
	QuasiIdentifier  = "quasi-identifier"
	Sensitive        = "sensitive"
	FreeText         = "free text"
	Attribute        = "attribute"
)

// Roles lists the roles that a rule may name.
func Roles() []string {
	return []string{DirectIdentifier, QuasiIdentifier, Sensitive, FreeText, Attribute}
}

// Column is the rule for one column or one JSON path, with the settings of its
// action: which settings an action has is told by its Spec.
type Column struct {
	Column string `yaml:"column"`
	Action string `yaml:"action"`
	Role   string `yaml:"role"`
	Why    string `yaml:"why"`

	Kind      string            `yaml:"kind"`      // pseudonym
	Space     string            `yaml:"space"`     // key
	Beside    string            `yaml:"beside"`    // geolocate
	Width     float64           `yaml:"width"`     // bin
	Origin    float64           `yaml:"origin"`    // bin
	Top       *float64          `yaml:"top"`       // top-code
	Bottom    *float64          `yaml:"bottom"`    // top-code
	Unit      string            `yaml:"unit"`      // date: day, week, month, year
	ShiftDays int               `yaml:"shift"`     // date: at most this many days
	Values    map[string]string `yaml:"values"`    // map
	File      string            `yaml:"file"`      // map
	Fallback  *string           `yaml:"fallback"`  // map
	Value     string            `yaml:"value"`     // constant
	Choices   bool              `yaml:"choices"`   // text
	Fields    []Column          `yaml:"fields"`    // json: paths inside the value
	Use       string            `yaml:"use"`       // json: shared rules that hold as well
	Otherwise string            `yaml:"otherwise"` // json

	Line int `yaml:"-"`
}

// settings names the action settings that a rule gives, for the check that its
// action knows them.
func (c *Column) settings() []string {
	var names []string
	for _, s := range []struct {
		name string
		set  bool
	}{
		{"kind", c.Kind != ""}, {"space", c.Space != ""}, {"beside", c.Beside != ""},
		{"width", c.Width != 0}, {"origin", c.Origin != 0}, {"top", c.Top != nil}, {"bottom", c.Bottom != nil},
		{"unit", c.Unit != ""}, {"shift", c.ShiftDays != 0}, {"values", c.Values != nil}, {"file", c.File != ""},
		{"fallback", c.Fallback != nil}, {"value", c.Value != ""}, {"choices", c.Choices},
		{"fields", c.Fields != nil}, {"otherwise", c.Otherwise != ""},
	} {
		if s.set {
			names = append(names, s.name)
		}
	}
	return names
}

// Expand puts the shared rules where they are used. A rule that a table or a
// column has itself comes before a shared one for the same path.
func (r *RuleSet) Expand() error {
	var faults fault.List
	use := func(columns []Column, name string, line int) []Column {
		if name == "" {
			return columns
		}
		for _, s := range r.Shared {
			if s.Name == name {
				return merge(columns, s.Columns)
			}
		}
		faults = append(faults, fault.New(fault.Usage, "no shared rules are named %q", name).At(r.Name, int64(line), ""))
		return columns
	}
	for i := range r.Tables {
		t := &r.Tables[i]
		t.Columns, t.Use = use(t.Columns, t.Use, t.Line), ""
		for j := range t.Columns {
			c := &t.Columns[j]
			c.Fields, c.Use = use(c.Fields, c.Use, c.Line), ""
		}
	}
	return faults.Err()
}

// Base puts the rules of an included rule set under the ones at hand. Shared
// rules of one name are joined, and so are tables: what this rule set says of a
// column holds, what it leaves open is the base's.
func (r *RuleSet) Base(base *RuleSet) {
	shared := slices.Clone(base.Shared)
	for _, s := range r.Shared {
		i := slices.IndexFunc(shared, func(b Shared) bool { return b.Name == s.Name })
		if i < 0 {
			shared = append(shared, s)
			continue
		}
		shared[i].Columns = merge(s.Columns, shared[i].Columns)
	}
	joined := RuleSet{Tables: slices.Clone(base.Tables)}
	for i := range r.Tables {
		if t := joined.Table(r.Tables[i].Name); t != nil {
			t.Override(&r.Tables[i])
			continue
		}
		joined.Tables = append(joined.Tables, r.Tables[i])
	}
	r.Shared, r.Tables, r.Include = shared, joined.Tables, ""
}

// Override lays the rules of another table over this one: what the other says
// holds, what it leaves open stays.
func (t *Table) Override(o *Table) {
	t.Columns = merge(o.Columns, t.Columns)
	if len(o.Files) > 0 {
		t.Files = o.Files
	}
	if len(o.Person) > 0 {
		t.Person = o.Person
	}
	if len(o.Links) > 0 {
		t.Links = o.Links
	}
	if len(o.Describe) > 0 {
		t.Describe = o.Describe
	}
	if len(o.Require) > 0 {
		t.Require = o.Require
	}
	for _, s := range []struct{ to, from *string }{
		{&t.About, &o.About}, {&t.Shape, &o.Shape}, {&t.Document, &o.Document}, {&t.Course, &o.Course}, {&t.Use, &o.Use},
		{&t.Unreadable, &o.Unreadable}, {&t.Otherwise, &o.Otherwise},
	} {
		if *s.from != "" {
			*s.to = *s.from
		}
	}
	t.Drop = t.Drop || o.Drop
}

// merge appends the rules of more whose columns have none yet.
func merge(columns, more []Column) []Column {
	have := map[string]bool{}
	for i := range columns {
		have[columns[i].Column] = true
	}
	merged := slices.Clone(columns)
	for _, c := range more {
		if !have[c.Column] {
			merged = append(merged, c)
		}
	}
	return merged
}

// Check finds what is wrong with a rule set in itself, all at once: unknown
// actions, settings and roles, columns with two rules.
func (r *RuleSet) Check() error {
	var faults fault.List
	seen := map[string]bool{}
	for i := range r.Tables {
		t := &r.Tables[i]
		wrong := func(line int, format string, args ...any) {
			f := fault.New(fault.Usage, format, args...).At(r.Name, int64(line), "")
			f.What = fmt.Sprintf("table %q: %s", t.Name, f.What)
			faults = append(faults, f)
		}
		if t.Name == "" || seen[t.Name] {
			wrong(t.Line, "a table has a name of its own")
		}
		seen[t.Name] = true
		switch t.Shape {
		case "", "table", "json":
		case "file":
			if len(t.Columns) > 0 || t.Use != "" {
				wrong(t.Line, "a table of shape file is copied whole: it has no columns")
			}
		default:
			wrong(t.Line, "unknown shape %q: it is table, json or file", t.Shape)
		}
		if t.Otherwise != "" && (t.Shape != "json" || t.Otherwise != "stop" && t.Otherwise != "scrub" && t.Otherwise != "drop") {
			wrong(t.Line, "otherwise is stop, scrub or drop, and only for shape json")
		}
		if t.Unreadable != "" && t.Unreadable != "stop" && t.Unreadable != "quarantine" {
			wrong(t.Line, "unreadable is stop or quarantine")
		}
		for _, p := range append(append([]PersonColumn(nil), t.Person...), t.Links...) {
			if _, err := parseKind(p.Kind); err != nil {
				wrong(t.Line, "column %q: %v", p.Column, err)
			}
		}
		for _, d := range t.Describe {
			if !slices.Contains(Attributes(), d.As) {
				wrong(t.Line, "column %q: unknown attribute %q", d.Column, d.As)
			}
		}
		checkColumns(t.Columns, wrong)
	}
	return faults.Err()
}

func checkColumns(columns []Column, wrong func(int, string, ...any)) {
	names := map[string]int{}
	for i := range columns {
		c := &columns[i]
		if c.Column == "" {
			wrong(c.Line, "a rule names its column")
			continue
		}
		if first, twice := names[c.Column]; twice {
			wrong(c.Line, "column %q has two rules, the first on line %d", c.Column, first)
		}
		names[c.Column] = c.Line
		if c.Role != "" && !slices.Contains(Roles(), c.Role) {
			wrong(c.Line, "column %q: unknown role %q", c.Column, c.Role)
		}
		if _, err := NewAction(c); err != nil {
			wrong(c.Line, "column %q: %v", c.Column, err)
		}
		checkColumns(c.Fields, wrong)
	}
}

// Idle finds the columns for which a project has a rule, but which no file of
// their table has: a name that is misspelt would leave the rule without effect,
// and the column as the rule set says. Paths of JSON records may occur in some
// exports only, and are not judged.
func (r *RuleSet) Idle(plans []*Plan) error {
	var faults fault.List
	for _, o := range r.Overridden {
		files, bound := 0, false
		for _, p := range plans {
			if p != nil && p.Table.Name == o.Table && p.Tabular() != nil {
				files++
				bound = bound || slices.ContainsFunc(p.columns, func(c planColumn) bool { return c.name == o.Column })
			}
		}
		if files > 0 && !bound {
			faults = append(faults, fault.New(fault.Usage, "no file of table %q has the column %q", o.Table, o.Column).At(o.File, int64(o.Line), "").
				WithHint("is it spelled as in the header, capitals included? A rule without a column does nothing"))
		}
	}
	return faults.Err()
}

// Table returns the rules of a table by name, or nil.
func (r *RuleSet) Table(name string) *Table {
	for i := range r.Tables {
		if r.Tables[i].Name == name {
			return &r.Tables[i]
		}
	}
	return nil
}

// Attributes lists what a describing column may tell of a person.
func Attributes() []string {
	return []string{"name", "first_name", "last_name", "city", "institution"}
}
