package risk

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Traces collects what people did, as points: a course and an hour, say.
type Traces struct {
	points map[string]uint32 // point → code
	last   map[int]uint32    // by person, to skip the repetitions that follow each other
	pairs  []visitOf
}

type visitOf struct{ person, point uint32 }

// Trace is how many points of somebody's doings are enough to tell them apart.
type Trace struct {
	Points  int     `json:"points"`  // known points of a person
	Sampled int     `json:"sampled"` // people looked at
	Unique  float64 `json:"unique"`  // share of them that nobody else shares the points with
}

// NewTraces makes an empty collection.
func NewTraces() *Traces {
	return &Traces{points: map[string]uint32{}, last: map[int]uint32{}}
}

// Add says that the person has been at the point.
func (t *Traces) Add(person int, point []byte) {
	code, known := t.points[string(point)]
	if !known {
		code = uint32(len(t.points))
		t.points[string(point)] = code
	}
	if last, ok := t.last[person]; ok && last == code {
		return
	}
	t.last[person] = code
	t.pairs = append(t.pairs, visitOf{uint32(person), code})
}

// Unicity draws people and, for each, 1 to most of their points, and counts
// those whose points nobody else has: the unicity of de Montjoye, Hidalgo,
// Verleysen and Blondel, "Unique in the Crowd", Scientific Reports 3:1376, 2013.
// The draw is the same each time.
func (t *Traces) Unicity(most, people int) []Trace {
	byPerson := slices.Clone(t.pairs)
	slices.SortFunc(byPerson, func(a, b visitOf) int {
		return cmp.Or(cmp.Compare(a.person, b.person), cmp.Compare(a.point, b.point))
	})
	byPerson = slices.Compact(byPerson)
	visitors := make([][]uint32, len(t.points)) // people by point, ascending
	var starts []int                            // of each person's points
	for i, v := range byPerson {
		visitors[v.point] = append(visitors[v.point], v.person)
		if i == 0 || byPerson[i-1].person != v.person {
			starts = append(starts, i)
		}
	}
	random := rand.New(rand.NewPCG(uint64(len(byPerson)), uint64(most)))
	random.Shuffle(len(starts), func(i, j int) { starts[i], starts[j] = starts[j], starts[i] })
	var traces []Trace
	for known := 1; known <= most; known++ {
		trace := Trace{Points: known}
		unique := 0
		for _, start := range starts {
			if trace.Sampled == people {
				break
			}
			points := pointsFrom(byPerson, start)
			if len(points) < known {
				continue
			}
			random.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
			trace.Sampled++
			if onlyOne(visitors, points[:known]) {
				unique++
			}
		}
		trace.Unique = share(unique, trace.Sampled)
		if trace.Sampled > 0 {
			traces = append(traces, trace)
		}
	}
	return traces
}

// pointsFrom returns the points of the person whose first one stands at start.
func pointsFrom(byPerson []visitOf, start int) []uint32 {
	var points []uint32
	for i := start; i < len(byPerson) && byPerson[i].person == byPerson[start].person; i++ {
		points = append(points, byPerson[i].point)
	}
	return points
}

// onlyOne reports whether a single person has been at all the points.
func onlyOne(visitors [][]uint32, points []uint32) bool {
	slices.SortFunc(points, func(a, b uint32) int { return cmp.Compare(len(visitors[a]), len(visitors[b])) })
	found := 0
	for _, person := range visitors[points[0]] {
		everywhere := true
		for _, point := range points[1:] {
			if _, there := slices.BinarySearch(visitors[point], person); !there {
				everywhere = false
				break
			}
		}
		if everywhere {
			if found++; found > 1 {
				return false
			}
		}
	}
	return found == 1
}
