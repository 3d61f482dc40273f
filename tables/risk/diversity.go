package risk

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Diversity is what a class tells about a sensitive column of its members,
// though nobody of them can be told apart.
type Diversity struct {
	Column string `json:"column"`
	// Distinct and Entropy are l of Machanavajjhala, Kifer, Gehrke and
	// Venkitasubramaniam, "l-Diversity", ACM TKDD 1(1), 2007, section 4: the
	// least number of different values in a class, and the least exponential of
	// the entropy of a class's values.
	Distinct int     `json:"l_distinct"`
	Entropy  float64 `json:"l_entropy"`
	// Disclosed is the people in classes whose members all have one value.
	Disclosed int `json:"disclosed"`
	// Closeness is t of Li, Li and Venkatasubramanian, "t-Closeness", ICDE
	// 2007: the greatest distance between a class's values and everybody's,
	// 0–1; over ordered values (section 4.1) when they are numbers, over equal
	// distances otherwise.
	Closeness float64 `json:"t"`
	Ordered   bool    `json:"ordered"`
}

// diversityOf looks at one sensitive column class by class. An empty cell is a
// value here: that somebody has no grade may be known too.
func diversityOf(classes *Classes, column *Column) Diversity {
	d := Diversity{Column: column.Name, Ordered: column.kindOf() == number}
	whole := newDistribution(column, d.Ordered)
	// People in the order of their classes, by counting.
	starts := make([]int, classes.count+1)
	for class, size := range classes.sizes {
		starts[class+1] = starts[class] + size
	}
	ranks := make([]int32, len(classes.of))
	next := slices.Clone(starts)
	for person, class := range classes.of {
		ranks[next[class]] = whole.rank[column.codes[person]]
		next[class]++
	}
	first := true
	for class := range classes.count {
		if classes.isBlank(class) {
			continue
		}
		members := ranks[starts[class]:starts[class+1]]
		slices.Sort(members)
		distinct, entropy := spread(members)
		if distinct == 1 {
			d.Disclosed += len(members)
		}
		if first || distinct < d.Distinct {
			d.Distinct = distinct
		}
		if l := math.Exp(entropy); first || l < d.Entropy {
			d.Entropy = l
		}
		d.Closeness = max(d.Closeness, whole.distance(members))
		first = false
	}
	return d
}

// spread returns the number of different values in sorted ranks and their
// entropy in nats.
func spread(sorted []int32) (distinct int, entropy float64) {
	eachRun(sorted, func(_ int32, n int) {
		distinct++
		p := float64(n) / float64(len(sorted))
		entropy -= p * math.Log(p)
	})
	return distinct, max(entropy, 0)
}

// eachRun calls f for each value of a sorted slice with how often it occurs.
func eachRun(sorted []int32, f func(value int32, n int)) {
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		f(sorted[i], j-i)
		i = j
	}
}

// distribution is how everybody's values of a column lie.
type distribution struct {
	ordered    bool
	rank       []int32   // by code
	shares     []float64 // by rank
	cumulative []float64 // by rank, of shares
	sums       []float64 // sums[i] is the sum of cumulative[:i]
}

func newDistribution(column *Column, ordered bool) *distribution {
	counts := column.counts()
	var used []uint32
	for code, n := range counts {
		if n > 0 {
			used = append(used, uint32(code))
		}
	}
	if ordered {
		slices.SortStableFunc(used, func(a, b uint32) int {
			x, okX := parseNumber(column.values[a])
			y, okY := parseNumber(column.values[b])
			if okX != okY { // what is no number stands before the numbers
				if okY {
					return -1
				}
				return 1
			}
			return cmp.Compare(x, y)
		})
	}
	d := &distribution{ordered: ordered, rank: make([]int32, len(counts)), sums: []float64{0}}
	total := 0.0
	for rank, code := range used {
		d.rank[code] = int32(rank)
		p := share(counts[code], len(column.codes))
		total += p
		d.shares = append(d.shares, p)
		d.cumulative = append(d.cumulative, total)
		d.sums = append(d.sums, d.sums[rank]+total)
	}
	return d
}

// distance returns the earth mover's distance between sorted ranks and the
// whole distribution, 0–1.
func (d *distribution) distance(sorted []int32) float64 {
	if len(d.shares) < 2 {
		return 0
	}
	each := 1 / float64(len(sorted))
	distance := 0.0
	if !d.ordered {
		eachRun(sorted, func(rank int32, n int) {
			distance += max(0, float64(n)*each-d.shares[rank])
		})
		return distance
	}
	level, from := 0.0, 0
	eachRun(sorted, func(rank int32, n int) {
		distance += d.gap(level, from, int(rank))
		level, from = level+float64(n)*each, int(rank)
	})
	distance += d.gap(level, from, len(d.shares))
	return distance / float64(len(d.shares)-1)
}

// gap returns the sum of |level − cumulative[i]| for from ≤ i < to. The
// cumulative shares ascend, so that one search splits the sum in two.
func (d *distribution) gap(level float64, from, to int) float64 {
	split := from + sort.SearchFloat64s(d.cumulative[from:to], level)
	below := level*float64(split-from) - (d.sums[split] - d.sums[from])
	above := (d.sums[to] - d.sums[split]) - level*float64(to-split)
	return below + above
}
