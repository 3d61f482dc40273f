package risk

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/tables/risk/readback"
)

// Choice says which columns of a release are looked at. Names are "column" or
// "table.column"; none means: what the release's manifest says.
type Choice struct {
	Quasi     []string
	Sensitive []string
	Logs      bool // read the logs too, for the uniqueness of traces
}

// Release is what the files of a release say about its people.
type Release struct {
	Persons      []string // pseudonymous number by person
	Tables       []*Table
	Courses      *Column  // the set of courses of each person; nil when there is one course or none
	Longitudinal []string // quasi-identifiers of tables with several rows a person, left to Traces
	Unmeasured   []string // quasi-identifiers of tables that do not say whose row it is
	Traces       *Traces  // hours of activity in the logs; nil when there are none
}

// Table is one table of a release, over all its files.
type Table struct {
	Name      string
	Quasi     []*Column
	Sensitive []*Column
	members   []bool // by person
}

// gathering is the state of one Read.
type gathering struct {
	choice  Choice
	release *Release
	persons map[string]int
	tables  map[string]*Table
	columns map[string]*Column
	courses *Column
	several map[string]bool // tables with several rows a person
}

// Read gathers the people of a release and what its tables show of them.
func Read(dir string, choice Choice) (*Release, error) {
	files, err := listFiles(dir)
	if err != nil {
		return nil, err
	}
	g := &gathering{
		choice: choice, release: &Release{}, persons: map[string]int{}, tables: map[string]*Table{},
		columns: map[string]*Column{}, courses: NewColumn("courses", 0), several: map[string]bool{},
	}
	g.courses.Fixed = true
	if err := g.checkChoice(dir, files); err != nil {
		return nil, err
	}
	for i := range files {
		f := &files[i]
		if f.log {
			g.passOver(f)
			if choice.Logs && f.table == "tracking_log" {
				err = g.readLog(f)
			}
		} else {
			err = g.readTable(f)
		}
		if err != nil {
			return nil, err
		}
	}
	g.finish()
	if len(g.release.Persons) == 0 {
		return nil, fault.New(fault.Failure, "no table with people is here").At(dir, 0, "").
			Because(ErrNothing).WithHint("name the folder of a release, the one with the manifest.json in it")
	}
	return g.release, nil
}

// passOver notes the quasi-identifiers of a log or of the forum: a person has
// many events and posts.
func (g *gathering) passOver(f *releaseFile) {
	for _, name := range f.wanted(g.choice.Quasi, "quasi-identifier") {
		if full := f.table + "." + name; !slices.Contains(g.release.Longitudinal, full) {
			g.release.Longitudinal = append(g.release.Longitudinal, full)
		}
	}
}

// checkChoice refuses a name that no table has: a typing error must not make a
// release look safe.
func (g *gathering) checkChoice(dir string, files []releaseFile) error {
	var faults fault.List
	for _, name := range slices.Concat(g.choice.Quasi, g.choice.Sensitive) {
		if !slices.ContainsFunc(files, func(f releaseFile) bool { return !f.log && len(f.wanted([]string{name}, "")) > 0 }) {
			faults = append(faults, fault.New(fault.Usage, "no table of the release shows the column %q", name).At(dir, 0, "").
				WithHint("write COLUMN or TABLE.COLUMN, as in the files' headers"))
		}
	}
	return faults.Err()
}

// of returns the number of the person with a pseudonym. A pseudonymous username
// is "u" and the pseudonymous number: both are the same person.
func (g *gathering) of(pseudonym string) int {
	if len(pseudonym) > 1 && pseudonym[0] == 'u' && pseudonym[1] >= '0' && pseudonym[1] <= '9' {
		pseudonym = pseudonym[1:]
	}
	person, known := g.persons[pseudonym]
	if !known {
		person = len(g.release.Persons)
		pseudonym = strings.Clone(pseudonym)
		g.persons[pseudonym] = person
		g.release.Persons = append(g.release.Persons, pseudonym)
	}
	return person
}

// readTable adds the rows of one file to its table's columns.
func (g *gathering) readTable(f *releaseFile) error {
	quasi := f.wanted(g.choice.Quasi, "quasi-identifier")
	who, ok := f.person()
	if !ok {
		for _, name := range quasi {
			if full := f.table + "." + name; !slices.Contains(g.release.Unmeasured, full) {
				g.release.Unmeasured = append(g.release.Unmeasured, full)
			}
		}
		return nil
	}
	table := g.table(f.table)
	sensitive := f.wanted(g.choice.Sensitive, "sensitive")
	sensitive = slices.DeleteFunc(sensitive, func(name string) bool { return slices.Contains(quasi, name) })
	names := append(append([]string{who}, quasi...), sensitive...)
	courseAt := -1
	if strings.Contains(f.table, "courseenrollment") {
		courseAt = len(names)
		names = append(names, "course_id")
	}
	var columns []*Column
	for i, name := range names[1 : 1+len(quasi)+len(sensitive)] {
		c := g.column(table, name, i < len(quasi))
		c.Recoded = c.Recoded || f.recoded(name)
		columns = append(columns, c)
	}
	var here []bool // people with a row in this file
	return readback.Rows(f.path, names, func(cells []string) {
		if cells[0] == "" {
			return
		}
		person := g.of(cells[0])
		table.members = grow(table.members, person+1)
		table.members[person] = true
		here = grow(here, person+1)
		if here[person] {
			g.several[f.table] = true
		}
		here[person] = true
		for i, c := range columns {
			// What is done again and again is a trace, not a trait; unless it
			// was named, it is not gathered any further.
			if g.several[f.table] && len(g.choice.Quasi) == 0 {
				break
			}
			c.Grow(person + 1)
			c.Add(person, []byte(cells[1+i]))
		}
		if courseAt >= 0 && cells[courseAt] != "" {
			g.courses.Grow(person + 1)
			g.courses.Add(person, []byte(cells[courseAt]))
		}
	})
}

func grow(list []bool, n int) []bool {
	for len(list) < n {
		list = append(list, false)
	}
	return list
}

func (g *gathering) table(name string) *Table {
	t, known := g.tables[name]
	if !known {
		t = &Table{Name: name}
		g.tables[name] = t
		g.release.Tables = append(g.release.Tables, t)
	}
	return t
}

func (g *gathering) column(t *Table, name string, quasi bool) *Column {
	full := t.Name + "." + name
	c, known := g.columns[full]
	if !known {
		c = NewColumn(full, 0)
		g.columns[full] = c
		if quasi {
			t.Quasi = append(t.Quasi, c)
		} else {
			t.Sensitive = append(t.Sensitive, c)
		}
	}
	return c
}

// readLog adds the hours in which people were active to the traces. Lines that
// are no objects are passed over: they name nobody.
func (g *gathering) readLog(f *releaseFile) error {
	in, err := readback.Open(f.path)
	if err != nil {
		return fault.New(fault.Failure, "the log cannot be read").At(f.path, 0, "")
	}
	defer in.Close()
	if g.release.Traces == nil {
		g.release.Traces = NewTraces()
	}
	var event struct {
		Username string `json:"username"`
		Time     string `json:"time"`
		Course   string `json:"course_id"`
		Context  struct {
			Course string `json:"course_id"`
		} `json:"context"`
	}
	return readback.Lines(in, func(line []byte) {
		event.Username, event.Time, event.Course, event.Context.Course = "", "", "", ""
		const hour = len("2014-02-03T10")
		if json.Unmarshal(line, &event) != nil && event.Username == "" || event.Username == "" || len(event.Time) < hour {
			return
		}
		course := event.Context.Course
		if course == "" {
			course = event.Course
		}
		g.release.Traces.Add(g.of(event.Username), []byte(event.Time[:hour]+" "+course))
	})
}

// finish gives all columns the same people and sets apart what is no trait.
func (g *gathering) finish() {
	people := len(g.release.Persons)
	for _, c := range g.columns {
		c.Grow(people)
		c.Settle()
	}
	for _, t := range g.release.Tables {
		t.members = grow(t.members, people)
		if g.several[t.Name] && len(g.choice.Quasi) == 0 {
			for _, c := range t.Quasi {
				g.release.Longitudinal = append(g.release.Longitudinal, c.Name)
			}
			t.Quasi, t.Sensitive = nil, nil
		}
	}
	slices.Sort(g.release.Longitudinal)
	slices.SortFunc(g.release.Tables, func(a, b *Table) int { return strings.Compare(a.Name, b.Name) })
	g.courses.Grow(people)
	g.courses.Settle()
	if len(g.courses.index) > 1 {
		g.release.Courses = g.courses
	}
}

// Population returns the people of one table with its columns.
func (t *Table) Population() *Population {
	var people []int
	for person, member := range t.members {
		if member {
			people = append(people, person)
		}
	}
	among := func(columns []*Column) []*Column {
		var out []*Column
		for _, c := range columns {
			part := *c
			part.codes = make([]uint32, len(people))
			for i, person := range people {
				part.codes[i] = c.codes[person]
			}
			out = append(out, &part)
		}
		return out
	}
	return &Population{People: len(people), Quasi: among(t.Quasi), Sensitive: among(t.Sensitive)}
}

// Population returns everybody with the columns of all tables, and the set of
// courses when withCourses is set and there is more than one course.
func (r *Release) Population(withCourses bool) *Population {
	p := &Population{People: len(r.Persons)}
	for _, t := range r.Tables {
		p.Quasi = append(p.Quasi, t.Quasi...)
		p.Sensitive = append(p.Sensitive, t.Sensitive...)
	}
	if withCourses && r.Courses != nil {
		p.Quasi = append(p.Quasi, r.Courses)
	}
	return p
}

// TableOf splits "table.column".
func TableOf(column string) (table, name string) {
	return strings.TrimSuffix(column, path.Ext(column)), strings.TrimPrefix(path.Ext(column), ".")
}
