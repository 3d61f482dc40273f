package person

import "slices"

// largestCombination bounds how many facts a combination has: what three facts
// do not single out, a stranger will hardly look for with four.
const largestCombination = 3

// mostFacts bounds how many of a person's facts are combined, the rarest first.
const mostFacts = 24

// sharing knows, for each fact, the authors who tell it, in rising order.
type sharing struct{ byKey map[string][]int32 }

// count fills in who shares a person's facts, one by one, all together, and in
// the smallest combination that the fewest share.
func (s *sharing) count(p *Person) {
	var counted []int // indirect facts, the rarest first
	for i := range p.Facts {
		p.Facts[i].Sharing = len(s.byKey[p.Facts[i].key])
		if !p.Facts[i].Direct() {
			counted = append(counted, i)
		}
	}
	if len(counted) == 0 {
		return
	}
	slices.SortStableFunc(counted, func(a, b int) int { return p.Facts[a].Sharing - p.Facts[b].Sharing })
	all := s.byKey[p.Facts[counted[0]].key]
	for _, i := range counted[1:] {
		all = intersect(all, s.byKey[p.Facts[i].key])
	}
	p.Sharing = len(all)
	counted = counted[:min(len(counted), mostFacts)]
	for size := 1; size <= largestCombination; size++ {
		s.smallest(p, counted, nil, nil, size)
		if p.CombinationSharing == len(all) { // no larger one can do better
			return
		}
	}
}

// smallest tries the combinations that add n facts of rest to chosen, whom the
// authors in shared have all told, and keeps the first that the fewest share.
func (s *sharing) smallest(p *Person, rest, chosen []int, shared []int32, n int) {
	if n == 0 {
		if p.CombinationSharing == 0 || len(shared) < p.CombinationSharing {
			p.CombinationSharing = len(shared)
			p.Combination = slices.Clone(chosen)
			slices.Sort(p.Combination)
		}
		return
	}
	for i := 0; i+n <= len(rest); i++ {
		told := s.byKey[p.Facts[rest[i]].key]
		if chosen != nil {
			told = intersect(shared, told)
		}
		s.smallest(p, rest[i+1:], append(chosen, rest[i]), told, n-1)
	}
}

// intersect gives the authors that are in both lists.
func intersect(a, b []int32) []int32 {
	var both []int32
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			both = append(both, a[0])
			a, b = a[1:], b[1:]
		}
	}
	return both
}
