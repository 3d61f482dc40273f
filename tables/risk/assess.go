package risk

import (
	"errors"

	"anonymooc/internal/fault"
)

// ErrNothing is in the chain of an error that tells that a release has nobody,
// or no quasi-identifier, to measure.
var ErrNothing = errors.New("nothing can be measured")

// Request says what Assess should find out.
type Request struct {
	Choice
	K       int     // wanted people in the smallest class
	Courses bool    // the set of courses is a quasi-identifier too
	Effects bool    // try recodings of each column
	Suggest bool    // propose rules that reach K
	Local   float64 // share of people whose cells Suggest may recode one by one
}

// Report is what is known of the risk of a release.
type Report struct {
	K      int        `json:"k"`      // wanted
	Pass   bool       `json:"pass"`   // nobody is in a class smaller than K
	Person Measures   `json:"person"` // everybody, over all tables
	Tables []Measures `json:"tables"`
	// Courses is Person with the set of courses that a person took beside the
	// quasi-identifiers, which made most people of the edX data unique: Daries
	// et al., "Privacy, Anonymity, and Big Data in the Social Sciences",
	// Communications of the ACM 57(9), 2014.
	Courses        *Measures   `json:"courses,omitempty"`
	CoursesCounted bool        `json:"courses_counted"`        // by Pass
	Longitudinal   []string    `json:"longitudinal,omitempty"` // quasi-identifiers with several rows a person
	Unmeasured     []string    `json:"unmeasured,omitempty"`   // quasi-identifiers of rows that are nobody's
	Traces         []Trace     `json:"traces,omitempty"`
	Drivers        []Driver    `json:"drivers"`
	Effects        []Effect    `json:"effects,omitempty"`
	Suggestion     *Suggestion `json:"suggestion,omitempty"`
}

// The traces of up to five hours of a thousand people are looked at; the error
// of a share of a thousand is below two points in a hundred.
const (
	tracePoints = 5
	tracePeople = 1000
)

// Assess reads a release and measures it. The second result lists the cells
// that the report's suggestion recodes for single people, by their pseudonyms.
func Assess(dir string, request Request) (*Report, []PersonCell, error) {
	release, err := Read(dir, request.Choice)
	if err != nil {
		return nil, nil, err
	}
	if people := release.Population(false); len(people.Quasi) == 0 {
		return nil, nil, fault.New(fault.Usage, "no column of the release is a quasi-identifier").At(dir, 0, "").
			Because(ErrNothing).WithHint("give columns the role quasi-identifier in the rules, or name them with --quasi")
	}
	report := &Report{K: request.K, CoursesCounted: request.Courses, Longitudinal: release.Longitudinal, Unmeasured: release.Unmeasured}
	for _, t := range release.Tables {
		if len(t.Quasi) == 0 {
			continue
		}
		m, err := Measure(t.Name, t.Population())
		if err != nil {
			return nil, nil, err
		}
		report.Tables = append(report.Tables, m)
	}
	if report.Person, err = Measure("person", release.Population(false)); err != nil {
		return nil, nil, err
	}
	report.Pass = report.Person.Classes == 0 || report.Person.K >= request.K
	if release.Courses != nil {
		m, err := Measure("person and set of courses", release.Population(true))
		if err != nil {
			return nil, nil, err
		}
		report.Courses = &m
		report.Pass = report.Pass && (!request.Courses || m.K >= request.K)
	}
	if release.Traces != nil {
		report.Traces = release.Traces.Unicity(tracePoints, tracePeople)
	}
	cells, err := report.advise(release, request)
	return report, cells, err
}

// PersonCell is a Cell with the person's pseudonymous number.
type PersonCell struct {
	Person string
	Column string // "table.column"
	Value  string // empty: the cell is emptied
}

// advise adds what drives the risk and what can be done.
func (r *Report) advise(release *Release, request Request) ([]PersonCell, error) {
	people := release.Population(request.Courses)
	var err error
	if r.Drivers, err = Drivers(people, request.K); err != nil {
		return nil, err
	}
	if request.Effects {
		if r.Effects, err = Effects(people, request.K); err != nil {
			return nil, err
		}
	}
	if !request.Suggest {
		return nil, nil
	}
	if r.Suggestion, err = Suggest(people, Goal{K: request.K, Local: request.Local}); err != nil {
		return nil, err
	}
	cells := make([]PersonCell, len(r.Suggestion.Cells))
	for i, c := range r.Suggestion.Cells {
		cells[i] = PersonCell{release.Persons[c.Person], c.Column, c.Value}
	}
	return cells, nil
}
