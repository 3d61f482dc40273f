package risk

import (
	"fmt"
	"slices"
)

// Method says how Suggest works, for the documents.
const Method = "full-domain generalisation with the least loss, searched on the lattice of generalisations with a limit on suppression " +
	"(Samarati, IEEE TKDE 13(6), 2001; El Emam et al., JAMIA 16(5), 2009), then local recoding and local suppression of the cells of " +
	"people still in small classes (Xu et al., ACM KDD 2006; Hundepool et al., Statistical Disclosure Control, 2012, section 3.4); " +
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
	Local   []LocalTally `json:"local"`        // cells to recode for single people, by column
	Treated int          `json:"local_people"` // people with such a cell
	Left    int          `json:"left"`         // people still in classes under k
	Loss    float64      `json:"loss"`         // mean over people and columns, 0–1
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

// The most nodes of the lattice that are looked at. Real ladders have a few
// hundred; beyond the limit the best one so far is taken.
const (
	maxGlobalNodes = 4000
	maxLocalNodes  = 2000
)

// search is the state of one Suggest.
type search struct {
	population *Population
	goal       Goal
	recoders   []*recoder
	ladders    [][]*recoding
	classes    *Classes

	global []uint8   // levels for everybody
	local  [][]uint8 // levels by class where they differ from global, else nil
}

// Suggest proposes rules that hide everybody among at least goal.K people with
// the least loss. It first generalises whole columns until at most goal.Local of
// the people are in smaller classes, then recodes or empties cells of those.
func Suggest(p *Population, goal Goal) (*Suggestion, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if goal.K < 2 || goal.Local < 0 || goal.Local > 1 {
		return nil, fmt.Errorf("risk: a goal has a k of 2 or more and a share between 0 and 1")
	}
	s := &search{population: p, goal: goal, classes: classesOf(p.People, p.Quasi)}
	for _, c := range p.Quasi {
		r := newRecoder(c)
		s.recoders = append(s.recoders, r)
		s.ladders = append(s.ladders, r.ladder(goal.K))
	}
	s.local = make([][]uint8, s.classes.count)
	s.findGlobal()
	s.findLocal()
	s.fillBlank()
	return s.suggestion(), nil
}

// translate rewrites a class's signature to the codes that levels give it. A
// set of values cannot be recoded for one person: it is emptied there.
func (s *search) translate(signature []uint32, levels []uint8, single bool) {
	for i, level := range levels {
		signature[i] = s.ladders[i][level].to[signature[i]]
		if _, isSet := s.recoders[i].wide.sets[signature[i]]; isSet && single && level != s.global[i] {
			signature[i] = blank
		}
	}
}

// findGlobal takes the levels with the least loss that leave few enough people.
func (s *search) findGlobal() {
	limit := int(s.goal.Local * float64(s.population.People))
	visited, least := 0, -1
	climb(s.ladders, make([]uint8, len(s.ladders)), func(levels []uint8) bool {
		visited++
		under := s.classes.regroup(func(_ int, signature []uint32) { s.translate(signature, levels, false) }).under(s.goal.K)
		if least < 0 || under < least {
			least, s.global = under, levels
		}
		return under <= limit || visited == maxGlobalNodes
	})
}

// findLocal goes on up the lattice for the people who are left: wherever k of
// them meet, or enough of them join a class that is there, they stay.
func (s *search) findLocal() {
	settled := newSignatures(len(s.ladders), s.classes.count/4)
	sizes := []int{}
	settle := func(signature []uint32, people int) {
		if i := settled.add(signature); i == len(sizes) {
			sizes = append(sizes, people)
		} else {
			sizes[i] += people
		}
	}
	after := s.classes.regroup(func(_ int, signature []uint32) { s.translate(signature, s.global, false) })
	signature := make([]uint32, len(s.ladders))
	at := func(class int, levels []uint8) []uint32 {
		copy(signature, s.classes.row(class))
		s.translate(signature, levels, true)
		return signature
	}
	var pending []int
	for class := range s.classes.count {
		joined, _ := after.find(at(class, s.global))
		if after.sizes[joined] < s.goal.K && !after.isBlank(joined) {
			pending = append(pending, class)
		} else {
			settle(signature, s.classes.sizes[class])
		}
	}
	visited := 0
	climb(s.ladders, s.global, func(levels []uint8) bool {
		visited++
		meeting := newSignatures(len(s.ladders), len(pending))
		var together []int
		for _, class := range pending {
			if i := meeting.add(at(class, levels)); i == len(together) {
				together = append(together, s.classes.sizes[class])
			} else {
				together[i] += s.classes.sizes[class]
			}
		}
		for i := range together {
			if known, ok := settled.find(meeting.row(i)); ok {
				together[i] += sizes[known]
			}
		}
		pending = slices.DeleteFunc(pending, func(class int) bool {
			i, _ := meeting.find(at(class, levels))
			if together[i] < s.goal.K {
				return false
			}
			s.local[class] = levels
			settle(signature, s.classes.sizes[class])
			return true
		})
		return len(pending) == 0 || visited == maxLocalNodes
	})
	s.empty(pending)
}

// empty takes all cells away that can be taken away.
func (s *search) empty(classes []int) {
	top := make([]uint8, len(s.ladders))
	for i, ladder := range s.ladders {
		top[i] = uint8(len(ladder) - 1)
	}
	for _, class := range classes {
		s.local[class] = top
	}
}

// finish rewrites a class's signature as it is in the end.
func (s *search) finish(class int, signature []uint32) {
	if levels := s.local[class]; levels != nil {
		s.translate(signature, levels, true)
	} else {
		s.translate(signature, s.global, false)
	}
}

// fillBlank sees to it that nobody is found by what is missing: when fewer than
// k people show nothing, the smallest class that makes up for it joins them.
func (s *search) fillBlank() {
	after := s.classes.regroup(s.finish)
	blanks, smallest := 0, -1
	emptied := slices.ContainsFunc(s.local, func(levels []uint8) bool { return levels != nil })
	for class, size := range after.sizes {
		if after.isBlank(class) {
			blanks += size
		}
	}
	if !emptied || blanks == 0 || blanks >= s.goal.K {
		return
	}
	for class, size := range after.sizes {
		if !after.isBlank(class) && size+blanks >= s.goal.K && (smallest < 0 || size < after.sizes[smallest]) {
			smallest = class
		}
	}
	if smallest < 0 {
		return
	}
	signature := make([]uint32, len(s.ladders))
	var joining []int
	for class := range s.classes.count {
		copy(signature, s.classes.row(class))
		s.finish(class, signature)
		if joined, _ := after.find(signature); joined == smallest {
			joining = append(joining, class)
		}
	}
	s.empty(joining)
}

// suggestion writes down what was found.
func (s *search) suggestion() *Suggestion {
	after := s.classes.regroup(s.finish)
	out := &Suggestion{
		K: s.goal.K, Method: Method, Rules: []Rule{}, Local: []LocalTally{},
		Before: measure("before", s.population.Quasi, s.classes),
		After:  measure("after", s.population.Quasi, after),
		Left:   after.under(s.goal.K),
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
