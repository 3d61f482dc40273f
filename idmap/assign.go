package idmap

import (
	"cmp"
	"slices"
)

// claimant is an identifier that was met alone and brings its pseudonym along.
type claimant struct {
	pseudonym, node uint32
}

// assign applies rule 4: it gives every person a pseudonym.
func (s *settlement) assign() error {
	var claimants []claimant
	for i := range s.nodes {
		n := uint32(i)
		st := &s.state[n]
		s.d.m.noteRealID(s.nodes[n].kind, withoutLeadingZeros(s.d.claims.value(s.nodes[n])))
		switch {
		case st.had < firstPseudonym || st.marks&erased != 0 && s.nodes[n].kind == UserID:
		case s.nodes[n].kind == UserID:
			st.now = st.had
		case !s.d.people.isAnchored(st.had):
			claimants = append(claimants, claimant{st.had, n})
		}
	}
	slices.SortFunc(claimants, func(a, b claimant) int {
		x, y := s.nodes[a.node], s.nodes[b.node]
		return cmp.Or(cmp.Compare(x.kind, y.kind), x.id.compare(y.id))
	})
	given, gone := map[uint32]bool{}, map[uint32]bool{}
	for _, c := range claimants {
		if given[c.pseudonym] {
			continue
		}
		given[c.pseudonym] = true
		if leader := &s.state[s.leader(c.node)]; leader.now == 0 && s.state[c.node].marks&erased == 0 {
			leader.now = c.pseudonym
			continue
		}
		s.counts.add(Merged, s.nodes[c.node].kind)
		s.d.m.spend(c.pseudonym)
		gone[c.pseudonym] = true
	}
	if len(gone) > 0 {
		s.d.people.remove(gone)
	}
	return s.drawMissing()
}

// drawMissing draws a pseudonym for every person who has none, in an order
// that only the digests decide.
func (s *settlement) drawMissing() error {
	var missing []uint32
	for i := range s.nodes {
		n := uint32(i)
		if s.state[n].now == 0 && s.leader(n) == n && s.state[n].marks&erased == 0 {
			missing = append(missing, n)
		}
	}
	slices.SortFunc(missing, func(a, b uint32) int { return s.nodes[a].id.compare(s.nodes[b].id) })
	s.d.people.reserve(s.d.people.count() + len(missing))
	for _, n := range missing {
		person, _, err := s.d.m.drawPerson(s.d, false)
		if err != nil {
			return err
		}
		s.state[n].now = person
	}
	return nil
}

// report counts what was decided.
func (s *settlement) report() {
	reported := [...]struct {
		mark marks
		sort Sort
	}{{shared, Shared}, {together, Together}, {bridged, Bridged}, {touched, Erased}}
	usernames, retired := make([]uint8, len(s.nodes)), map[uint32]Kind{}
	for i, n := range s.nodes {
		st := &s.state[i]
		for _, m := range reported {
			if st.marks&m.mark != 0 {
				s.counts.add(m.sort, n.kind)
			}
		}
		if st.marks&erased != 0 {
			continue
		}
		leader := s.leader(uint32(i))
		if st.had >= firstPseudonym && st.had != s.state[leader].now && s.d.people.isAnchored(st.had) {
			s.counts.add(Moved, n.kind)
		}
		if n.kind == Username && st.had == 0 {
			usernames[leader] = min(usernames[leader]+1, 2) // one or more than one
		}
		if st.had == 0 && isRetired(n.kind, s.d.claims.value(n)) {
			if _, seen := retired[leader]; !seen || n.kind < retired[leader] {
				retired[leader] = n.kind
			}
		}
	}
	for leader, n := range usernames {
		facts := s.facts[s.state[leader].now]
		if n > 1 || n == 1 && facts != nil && facts.usernames > 0 {
			s.counts.add(Renamed, Username)
		}
	}
	for _, kind := range retired {
		s.counts.add(Retired, kind)
	}
}

// apply writes the decisions to the index and the journal.
func (s *settlement) apply() error {
	s.d.index.reserve(s.d.index.count() + len(s.nodes))
	decided := loader{table: &s.d.index}
	var order []uint32 // leaders with new identifiers
	var tombstones []tombstone
	var moves []byte // written last: they may name persons who are new
	for i := len(s.nodes) - 1; i >= 0; i-- {
		n, st := s.nodes[i], &s.state[i]
		f := flags(0)
		if st.marks&direct != 0 {
			f = anchored
		}
		if st.marks&erased != 0 {
			if st.had != forgotten {
				tombstones = append(tombstones, tombstone{n.id, n.kind, f})
				s.d.index.put(n.id, forgotten, f)
			}
			continue
		}
		leader := s.leader(uint32(i))
		person := s.state[leader].now
		switch {
		case st.had == 0 && n.length > 0:
			if s.state[leader].first == none {
				order = append(order, leader)
			}
			st.next, s.state[leader].first = s.state[leader].first, uint32(i)
		case st.had != person || st.hadF&anchored != f:
			moves = appendMove(moves, n.id, n.kind, f, person)
		}
		decided.put(loading{n.id, person, n.kind, f}, &s.d.counts)
		if n.kind == UserID {
			s.d.people.put(person, seed{}, true)
		}
	}
	decided.flushAll(&s.d.counts)
	slices.Reverse(order)
	for _, leader := range order {
		if err := s.writePerson(leader); err != nil {
			return err
		}
	}
	s.d.pending = append(s.d.pending, moves...)
	s.keepLinks()
	s.d.m.bury(tombstones)
	return nil
}

// writePerson writes the new identifiers of one person.
func (s *settlement) writePerson(leader uint32) error {
	count := 0
	for n := s.state[leader].first; n != none; n = s.state[n].next {
		count++
	}
	d, person := s.d, s.state[leader].now
	d.pending = appendPerson(d.pending, person, d.people.seed(person), count)
	for n := s.state[leader].first; n != none; n = s.state[n].next {
		f := flags(0)
		if s.state[n].marks&direct != 0 {
			f = anchored
		}
		d.pending = appendIdentifier(d.pending, s.nodes[n].kind, f, d.claims.value(s.nodes[n]))
	}
	return d.m.flushFull(d)
}

// keepLinks remembers the new claims without a user id that a later user id
// could still decide otherwise.
func (s *settlement) keepLinks() {
	known := make(map[link]bool, len(s.d.links))
	for _, l := range s.d.links {
		known[l] = true
	}
	c := &s.d.claims
	for _, l := range s.newLinks {
		if l.b.compare(l.a) < 0 {
			l = link{l.b, l.a, l.bKind, l.aKind}
		}
		a, b := s.state[c.find(l.a)], s.state[c.find(l.b)]
		if known[l] || l.a == l.b || a.marks&b.marks&direct != 0 || (a.marks|b.marks)&erased != 0 {
			continue
		}
		known[l] = true
		s.d.links = append(s.d.links, l)
		s.d.pending = appendLink(s.d.pending, l)
	}
}
