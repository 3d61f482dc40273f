package risk

// Thresholds are the class sizes that a report tells about.
func Thresholds() []int { return []int{2, 3, 5, 10, 20} }

// Measures is what the equivalence classes over some columns say.
type Measures struct {
	Scope   string   `json:"scope"`   // a table, or "person" for all tables together
	Quasi   []string `json:"quasi"`   // the columns, as "table.column"
	People  int      `json:"people"`  // everybody in scope
	Blank   int      `json:"blank"`   // of them, who show no quasi-identifier
	Classes int      `json:"classes"` // equivalence classes, blank people left out
	K       int      `json:"k"`       // people in the smallest class; 0 when there is no class
	Uniques int      `json:"uniques"` // people alone in their class
	Unique  float64  `json:"unique"`  // share of uniques (sample uniqueness), 0–1
	Under   []Under  `json:"under"`   // people in classes smaller than 2, 3, 5, 10, 20

	// Prosecutor risk: the probability to be found by somebody who knows that
	// the person is in the release and knows the quasi-identifiers.
	HighestRisk float64 `json:"highest_risk"` // of the person most at risk, 1/k
	MeanRisk    float64 `json:"mean_risk"`    // over the people in classes
	Expected    float64 `json:"expected"`     // people found if everybody were sought

	Sensitive []Diversity `json:"sensitive,omitempty"`
}

// Under is the people in classes smaller than K.
type Under struct {
	K      int     `json:"k"`
	People int     `json:"people"`
	Share  float64 `json:"share"` // of all people in scope, 0–1
}

// UnderK returns the number of people in classes smaller than k, for a k of
// Thresholds.
func (m *Measures) UnderK(k int) (int, bool) {
	for _, u := range m.Under {
		if u.K == k {
			return u.People, true
		}
	}
	return 0, false
}

// Measure counts the classes of a population over all its quasi-identifiers,
// and what they tell about the sensitive columns.
func Measure(scope string, p *Population) (Measures, error) {
	if err := p.check(); err != nil {
		return Measures{}, err
	}
	classes := classesOf(p.People, p.Quasi)
	m := measure(scope, p.Quasi, classes)
	for _, column := range p.Sensitive {
		m.Sensitive = append(m.Sensitive, diversityOf(classes, column))
	}
	return m, nil
}

func measure(scope string, columns []*Column, classes *Classes) Measures {
	m := Measures{Scope: scope, Quasi: []string{}, K: classes.least()}
	for _, c := range columns {
		m.Quasi = append(m.Quasi, c.Name)
	}
	for class, size := range classes.sizes {
		m.People += size
		switch {
		case classes.isBlank(class):
			m.Blank += size
		case size == 1:
			m.Uniques++
			fallthrough
		default:
			m.Classes++
		}
	}
	for _, k := range Thresholds() {
		people := classes.under(k)
		m.Under = append(m.Under, Under{k, people, share(people, m.People)})
	}
	m.Unique = share(m.Uniques, m.People)
	// Everybody in a class of n is found with 1/n, so that each class adds one.
	m.Expected = float64(m.Classes)
	m.MeanRisk = share(m.Classes, m.People-m.Blank)
	if m.K > 0 {
		m.HighestRisk = 1 / float64(m.K)
	}
	return m
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
