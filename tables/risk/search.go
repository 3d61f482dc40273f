package risk

import (
	"maps"
	"slices"
)

// The most nodes that a lattice may have to be searched in full; with more
// columns or longer ladders a greedy way is taken.
const (
	maxGlobalNodes = 4000
	maxLocalNodes  = 1000
)

// search is the state of one Suggest.
type search struct {
	population *Population
	goal       Goal
	recoders   []*recoder
	ladders    [][]*recoding
	distinct   [][]int // different values by column and level
	classes    *Classes

	global []uint8   // levels for everybody
	local  [][]uint8 // levels by class where they differ from global, else nil
}

func newSearch(p *Population, goal Goal) *search {
	s := &search{population: p, goal: goal, classes: classesOf(p.People, p.Quasi)}
	for _, c := range p.Quasi {
		r := newRecoder(c)
		ladder := r.ladder(goal.K)
		s.recoders = append(s.recoders, r)
		s.ladders = append(s.ladders, ladder)
		distinct := make([]int, len(ladder))
		for level, rec := range ladder {
			distinct[level] = rec.distinct()
		}
		s.distinct = append(s.distinct, distinct)
	}
	s.local = make([][]uint8, s.classes.count)
	return s
}

// distinct counts the values that a recoding leaves.
func (rec *recoding) distinct() int {
	seen := map[uint32]bool{}
	for _, to := range rec.to {
		if to > absent {
			seen[to] = true
		}
	}
	return len(seen)
}

// nodes returns the number of nodes at and above levels, at most limit+1.
func (s *search) nodes(levels []uint8, limit int) int {
	n := 1
	for i, ladder := range s.ladders {
		if n *= len(ladder) - int(levels[i]); n > limit {
			return limit + 1
		}
	}
	return n
}

// translate rewrites a class's signature to the codes that levels give it. A
// set of values cannot be recoded for one person: it is emptied there.
func (s *search) translate(signature []uint32, levels []uint8, single bool) {
	for i, level := range levels {
		signature[i] = s.ladders[i][level].to[signature[i]]
		if single && level != s.global[i] {
			if _, isSet := s.recoders[i].wide.sets[signature[i]]; isSet {
				signature[i] = blank
			}
		}
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

// under returns the people in small classes when everybody is at levels.
func (s *search) under(levels []uint8) int {
	return s.classes.regroup(func(_ int, signature []uint32) { s.translate(signature, levels, false) }).under(s.goal.K)
}

// findGlobal takes levels with little loss that leave few enough people.
func (s *search) findGlobal() {
	limit := int(s.goal.Local * float64(s.population.People))
	s.global = make([]uint8, len(s.ladders))
	if s.nodes(s.global, maxGlobalNodes) <= maxGlobalNodes {
		least := -1
		climb(s.ladders, slices.Clone(s.global), func(levels []uint8) bool {
			under := s.under(levels)
			if least < 0 || under < least {
				least, s.global = under, levels
			}
			return under <= limit
		})
		return
	}
	people := s.under(s.global)
	for people > limit {
		i, after := s.raise(s.global, people, s.under)
		if i < 0 {
			return
		}
		s.global[i]++
		people = after
	}
	s.lower(limit)
}

// raise chooses the column whose next level brings the wanted figure down most
// for its loss; while no single column does, the one with the most different
// values. It returns -1 when every column is at its top.
func (s *search) raise(levels []uint8, now int, figure func(levels []uint8) int) (column, after int) {
	column, after = -1, now
	best, most := 0.0, -1
	for i, ladder := range s.ladders {
		level := levels[i]
		if int(level)+1 == len(ladder) {
			continue
		}
		up := slices.Clone(levels)
		up[i]++
		then := figure(up)
		// A hundredth of the range is a step that hardly costs.
		gain := float64(now-then) / (ladder[level+1].mean - ladder[level].mean + 0.01)
		if gain > best || best == 0 && s.distinct[i][level] > most {
			column, after, best, most = i, then, gain, s.distinct[i][level]
		}
	}
	return column, after
}

// lower takes back what a greedy way raised more than is needed, the dearest
// column first.
func (s *search) lower(limit int) {
	order := make([]int, len(s.ladders))
	for i := range order {
		order[i] = i
	}
	cost := func(i int) float64 { return s.ladders[i][s.global[i]].mean }
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case cost(a) > cost(b):
			return -1
		case cost(a) < cost(b):
			return 1
		}
		return 0
	})
	for _, i := range order {
		raised := s.global[i]
		for s.global[i] = 0; s.global[i] < raised; s.global[i]++ {
			if s.under(s.global) <= limit {
				break
			}
		}
	}
}

// settling is the classes that are large enough, and those that are not yet.
type settling struct {
	*search
	settled *signatures
	sizes   []int // by settled signature
	pending []int // classes
	scratch []uint32
}

// findLocal goes on up the lattice for the people who are left: wherever k of
// them meet, or enough of them join a class that is there, they stay.
func (s *search) findLocal() {
	t := &settling{search: s, settled: newSignatures(len(s.ladders), s.classes.count/4), scratch: make([]uint32, len(s.ladders))}
	after := s.classes.regroup(func(_ int, signature []uint32) { s.translate(signature, s.global, false) })
	for class := range s.classes.count {
		joined, _ := after.find(t.at(class, s.global))
		if after.sizes[joined] < s.goal.K && !after.isBlank(joined) {
			t.pending = append(t.pending, class)
		} else {
			t.settle(t.scratch, s.classes.sizes[class])
		}
	}
	if s.nodes(s.global, maxLocalNodes) <= maxLocalNodes {
		climb(s.ladders, s.global, func(levels []uint8) bool {
			t.try(levels)
			return len(t.pending) == 0
		})
	} else {
		levels := slices.Clone(s.global)
		for len(t.pending) > 0 {
			i, _ := s.raise(levels, t.waiting(levels), t.waiting)
			if i < 0 {
				break
			}
			levels[i]++
			t.try(slices.Clone(levels))
		}
	}
	s.empty(t.pending)
}

// at returns the signature of a class at levels, good until the next call.
func (t *settling) at(class int, levels []uint8) []uint32 {
	copy(t.scratch, t.classes.row(class))
	t.translate(t.scratch, levels, true)
	return t.scratch
}

func (t *settling) settle(signature []uint32, people int) {
	if i := t.settled.add(signature); i == len(t.sizes) {
		t.sizes = append(t.sizes, people)
	} else {
		t.sizes[i] += people
	}
}

// meet groups the pending classes at levels, together with the settled people
// who look the same.
func (t *settling) meet(levels []uint8) (meeting *signatures, together []int) {
	meeting = newSignatures(len(t.ladders), len(t.pending))
	for _, class := range t.pending {
		if i := meeting.add(t.at(class, levels)); i == len(together) {
			together = append(together, t.classes.sizes[class])
		} else {
			together[i] += t.classes.sizes[class]
		}
	}
	for i := range together {
		if known, ok := t.settled.find(meeting.row(i)); ok {
			together[i] += t.sizes[known]
		}
	}
	return meeting, together
}

// waiting returns the pending people who would still be too few at levels.
func (t *settling) waiting(levels []uint8) int {
	meeting, together := t.meet(levels)
	people := 0
	for _, class := range t.pending {
		if i, _ := meeting.find(t.at(class, levels)); together[i] < t.goal.K {
			people += t.classes.sizes[class]
		}
	}
	return people
}

// try settles the pending classes that are enough at levels.
func (t *settling) try(levels []uint8) {
	meeting, together := t.meet(levels)
	t.pending = slices.DeleteFunc(t.pending, func(class int) bool {
		i, _ := meeting.find(t.at(class, levels))
		if together[i] < t.goal.K {
			return false
		}
		t.local[class] = levels
		t.settle(t.scratch, t.classes.sizes[class])
		return true
	})
}

// empty takes all cells of classes away that can be taken away.
func (s *search) empty(classes []int) {
	top := make([]uint8, len(s.ladders))
	for i, ladder := range s.ladders {
		top[i] = uint8(len(ladder) - 1)
	}
	for _, class := range classes {
		s.local[class] = top
	}
}

// fillBlank sees to it that nobody is found by what is missing: when fewer than
// k people show nothing in the same way, and some of them were emptied, the
// smallest class that would look the same when emptied joins them.
func (s *search) fillBlank() {
	after := s.classes.regroup(s.finish)
	emptied := map[int]bool{} // blank classes with people who were emptied
	signature := make([]uint32, len(s.ladders))
	for class, levels := range s.local {
		if levels == nil {
			continue
		}
		copy(signature, s.classes.row(class))
		s.finish(class, signature)
		if joined, _ := after.find(signature); after.isBlank(joined) && after.sizes[joined] < s.goal.K {
			emptied[joined] = true
		}
	}
	joining := map[int]bool{}
	for _, hole := range slices.Sorted(maps.Keys(emptied)) {
		smallest := -1
		for class, size := range after.sizes {
			if !joining[class] && !after.isBlank(class) && s.fills(after.row(class), after.row(hole)) && (smallest < 0 || size < after.sizes[smallest]) {
				smallest = class
			}
		}
		if smallest >= 0 {
			joining[smallest] = true
		}
	}
	var classes []int
	for class := range s.classes.count {
		copy(signature, s.classes.row(class))
		s.finish(class, signature)
		if joined, _ := after.find(signature); joining[joined] {
			classes = append(classes, class)
		}
	}
	s.empty(classes)
}

// fills reports whether a signature looks like the other one when its cells are
// emptied. Who is absent from a table stays absent, and fixed cells stay.
func (s *search) fills(signature, hole []uint32) bool {
	for i, code := range signature {
		if code > absent && len(s.ladders[i]) > 1 {
			code = blank
		}
		if code != hole[i] {
			return false
		}
	}
	return true
}
