package risk

import "errors"

// Method says how Suggest works, for the documents.
const Method = "full-domain generalisation on the lattice of generalisations with a limit on suppression (Samarati, IEEE TKDE 13(6), 2001; " +
	"El Emam et al., JAMIA 16(5), 2009), the node with the least loss where the lattice is small enough to search it, else greedily and then " +
	"lowered again as far as it goes (after Sweeney's Datafly, IJUFKS 10(5), 2002), then local recoding and local suppression of the cells of " +
	"people still in small classes (Xu et al., ACM KDD 2006; Hundepool et al., Statistical Disclosure Control, 2012, chapter 3); " +
	"loss is the normalised certainty penalty of Xu et al."

// Goal is what Suggest should reach.
type Goal struct {
	K     int     // people in the smallest class, at least 2
	Local float64 // share of people whose cells may be recoded one by one, 0–1
}

// Suggestion is a set of rules, and of single cells, that reaches a goal.
type Suggestion struct {
	K       int          `json:"k"`
	Reached bool         `json:"reached"`
	Method  string       `json:"method"`
	Rules   []Rule       `json:"rules"`
	Local   []LocalTally `json:"local"`         // cells to recode for single people, by column
	Treated int          `json:"local_people"`  // people with such a cell
	Left    int          `json:"left"`          // people still in classes under k
	ByRules int          `json:"left_by_rules"` // people in classes under k when only the rules are applied
	Loss    float64      `json:"loss"`          // mean over people and columns, 0–1
	Before  Measures     `json:"before"`
	After   Measures     `json:"after"`

	Cells []Cell `json:"-"` // what Local counts, by person and column
}

// LocalTally counts the cells of one column that are recoded for single people.
type LocalTally struct {
	Column  string `json:"column"`
	Recoded int    `json:"recoded"` // to something less exact
	Emptied int    `json:"emptied"`
}

// Cell is one cell of one person that gets another value than its column's rule
// would give it.
type Cell struct {
	Person int    // as in the population
	Column string // "table.column"
	Value  string // empty: the cell is emptied
}

// Suggest proposes rules that hide everybody among at least goal.K people with
// the least loss. It first generalises whole columns until at most goal.Local of
// the people are in smaller classes, then recodes or empties cells of those.
func Suggest(p *Population, goal Goal) (*Suggestion, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if goal.K < 2 || goal.Local < 0 || goal.Local > 1 {
		return nil, errors.New("risk: a goal has a k of 2 or more and a share between 0 and 1")
	}
	s := newSearch(p, goal)
	s.findGlobal()
	s.findLocal()
	s.fillBlank()
	return s.suggestion(), nil
}

// suggestion writes down what was found.
func (s *search) suggestion() *Suggestion {
	after := s.classes.regroup(s.finish)
	out := &Suggestion{
		K: s.goal.K, Method: Method, Rules: []Rule{}, Local: []LocalTally{},
		Before: measure("before", s.population.Quasi, s.classes),
		After:  measure("after", s.population.Quasi, after),
		Left:   after.under(s.goal.K), ByRules: s.under(s.global),
	}
	out.Reached = out.Left == 0
	for i, level := range s.global {
		if level > 0 {
			out.Rules = append(out.Rules, s.ladders[i][level].rule)
		}
	}
	s.listCells(out)
	out.Loss = s.loss()
	return out
}

// listCells lists the cells that single people get.
func (s *search) listCells(out *Suggestion) {
	tallies := make([]LocalTally, len(s.ladders))
	everybody, single := make([]uint32, len(s.ladders)), make([]uint32, len(s.ladders))
	for person, class := range s.classes.of {
		levels := s.local[class]
		if levels == nil {
			continue
		}
		copy(everybody, s.classes.row(int(class)))
		copy(single, everybody)
		s.translate(everybody, s.global, false)
		s.translate(single, levels, true)
		treated := false
		for i := range single {
			if single[i] == everybody[i] {
				continue
			}
			treated = true
			value := s.recoders[i].wide.values[single[i]]
			out.Cells = append(out.Cells, Cell{person, s.population.Quasi[i].Name, value})
			if single[i] == blank {
				tallies[i].Emptied++
			} else {
				tallies[i].Recoded++
			}
		}
		if treated {
			out.Treated++
		}
	}
	for i, t := range tallies {
		if t.Emptied+t.Recoded > 0 {
			t.Column = s.population.Quasi[i].Name
			out.Local = append(out.Local, t)
		}
	}
}

// loss returns the mean loss over the cells that people showed.
func (s *search) loss() float64 {
	lost, shown := 0.0, 0
	for class, size := range s.classes.sizes {
		levels := s.global
		if s.local[class] != nil {
			levels = s.local[class]
		}
		for i, code := range s.classes.row(class) {
			if code > absent {
				lost += s.ladders[i][levels[i]].loss[code] * float64(size)
				shown += size
			}
		}
	}
	if shown == 0 {
		return 0
	}
	return lost / float64(shown)
}
