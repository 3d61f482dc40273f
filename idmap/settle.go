package idmap

import "slices"

// none stands for no node.
const none = ^uint32(0)

// settlement decides who the claimed identifiers belong to. What it decides
// depends on the set of all claims ever made, not on their order:
//
//  1. A user id is a person. Two user ids never become one person.
//  2. Any other identifier that was ever claimed together with user ids
//     (anchored) belongs to the smallest of them: the account that was first.
//  3. The rest hang together by claims without a user id. Such a group belongs
//     to the smallest user id that one of those claims leads to; where none
//     does, the group is a person of its own.
//  4. A person keeps the pseudonym of their user id. Where that has none, they
//     take over the one of an identifier that had been met alone: user ids
//     first, then kinds by number, then by digest. Others are given up (Merged).
//  5. Erasure wins: what is claimed with a forgotten user id is forgotten too,
//     and so is a new user id claimed with a forgotten name that had none.
//     Only identifiers already known as a living person's stay (Erased).
type settlement struct {
	d        *Domain
	nodes    []node
	state    []nodeState
	newLinks []link
	userOf   map[uint32]uint32 // pseudonym → node of its user id
	facts    map[uint32]*personFacts
	counts   conflictCounts
}

// nodeState is what is known, then decided, about a node.
type nodeState struct {
	had    uint32 // the person it belonged to before, forgotten, or 0
	parent uint32 // union-find over identifiers without a user id
	user   uint32 // the user id node it belongs to, or none
	now    uint32 // for the node that leads a person: the pseudonym
	next   uint32 // next new identifier of the same person
	first  uint32 // for the node that leads a person: first new identifier
	hadF   flags
	marks  marks
}

type marks uint8

const (
	direct   marks = 1 << iota // claimed together with a user id, now or before
	shared                     // by several
	together                   // a user id claimed together with another
	bridged                    // leads to several persons
	erased                     // belongs to a forgotten person
	touched                    // a living person's, claimed with a forgotten one's
	doomed                     // leads a group that touches a forgotten person
)

// personFacts is what must be read from the file about a known person.
type personFacts struct {
	userID    []byte
	usernames int
}

// Settle decides all links and draws a pseudonym for everyone claimed who has
// none. It is called after a pass that claims (the tables, then the logs) and
// before anything is transformed; no Resolver may be at work meanwhile.
func (d *Domain) Settle() (Conflicts, error) {
	d.describing.Lock()
	d.described = nil
	d.describing.Unlock()
	d.m.mu.Lock()
	defer d.m.mu.Unlock()
	d.claims.mu.Lock()
	defer d.claims.mu.Unlock()
	s := &settlement{d: d, userOf: map[uint32]uint32{}, facts: map[uint32]*personFacts{}, counts: conflictCounts{}}
	if len(d.claims.members) > 0 {
		if err := s.run(); err != nil {
			return nil, err
		}
	}
	d.claims.reset()
	d.index.clearFlag(fresh)
	d.settled.Store(newFilter(&d.index))
	d.changed()
	return s.counts.list(), nil
}

func (s *settlement) run() error {
	s.load()
	if err := s.readFacts(); err != nil {
		return err
	}
	s.anchor()
	s.follow()
	if err := s.assign(); err != nil {
		return err
	}
	s.report()
	return s.apply()
}

// load makes a node of everything that the claims or the kept links name.
func (s *settlement) load() {
	c := &s.d.claims
	for _, l := range s.d.links {
		c.number(l.a, l.aKind, "")
		c.number(l.b, l.bKind, "")
	}
	s.nodes = c.nodes
	s.state = make([]nodeState, 0, len(s.nodes))
	for i := range s.nodes {
		s.addState(uint32(i))
	}
	c.each(s.loadClaim)
	for i := range s.nodes {
		// A user id that only the map knows must be read, so that it can be compared.
		st := &s.state[i]
		if _, ok := s.userOf[st.had]; !ok && st.had >= firstPseudonym && st.hadF&anchored != 0 {
			s.facts[st.had] = &personFacts{}
		}
	}
}

// loadClaim notes what a claim links without a user id, and which known
// persons it gives a new username.
func (s *settlement) loadClaim(members []uint32) {
	users, renames := 0, false
	for _, n := range members {
		if s.nodes[n].kind == UserID {
			users++
		}
		renames = renames || s.nodes[n].kind == Username && s.state[n].had == 0
	}
	for _, n := range members {
		if had := s.state[n].had; renames && s.nodes[n].kind == UserID && had >= firstPseudonym {
			s.facts[had] = &personFacts{}
		}
	}
	if users > 0 {
		return
	}
	for i, n := range members {
		for _, other := range members[:i] { // all pairs: an anchored one passes nothing on
			a, b := s.nodes[other], s.nodes[n]
			s.newLinks = append(s.newLinks, link{a.id, b.id, a.kind, b.kind})
		}
	}
}

func (s *settlement) addState(n uint32) {
	had, f := s.d.index.get(s.nodes[n].id)
	s.state = append(s.state, nodeState{had: had, hadF: f, parent: n, user: none, next: none, first: none})
	if s.nodes[n].kind == UserID && had >= firstPseudonym {
		s.userOf[had] = n
	}
}

// readFacts reads from the file the user ids of known persons that the claims
// did not name, and how many usernames the persons with a new one had.
func (s *settlement) readFacts() error {
	if len(s.facts) == 0 {
		return nil
	}
	if err := s.d.m.flush(); err != nil {
		return err
	}
	err := s.d.visitStored(s.d.m.file, func(stored storedIdentifier) error {
		facts := s.facts[stored.owner]
		if facts == nil {
			return nil
		}
		switch stored.kind {
		case UserID:
			facts.userID = slices.Clone(stored.value)
		case Username:
			facts.usernames++
		}
		return nil
	}, nil)
	if err != nil {
		return err
	}
	for person, facts := range s.facts {
		if _, ok := s.userOf[person]; ok {
			continue
		}
		if facts.userID == nil {
			return s.d.m.file.damaged("a person has lost their user id")
		}
		scratch := make([]byte, 0, 32)
		id, err := s.d.digest(&scratch, UserID, facts.userID)
		if err != nil {
			return err
		}
		n := s.d.claims.number(id, UserID, string(facts.userID))
		s.nodes = s.d.claims.nodes
		s.addState(n)
	}
	return nil
}

// anchor applies rules 1 and 2, and rule 5 to user ids.
func (s *settlement) anchor() {
	for i := range s.nodes {
		st := &s.state[i]
		switch {
		case st.had == forgotten:
			st.marks |= erased
			if st.hadF&anchored != 0 {
				st.marks |= direct
			}
		case s.nodes[i].kind == UserID:
			st.user, st.marks = uint32(i), direct
		case st.hadF&anchored != 0:
			st.user, st.marks = s.userOf[st.had], direct
		}
	}
	s.eraseNewUsers()
	s.d.claims.each(func(members []uint32) {
		for _, u := range members {
			if s.nodes[u].kind != UserID {
				continue
			}
			for _, n := range members {
				switch {
				case n == u:
				case s.nodes[n].kind == UserID:
					s.state[n].marks |= together
				default:
					s.anchorTo(n, u)
				}
			}
		}
	})
}

// eraseNewUsers forgets a user id that shows up for a person who was
// forgotten before their user id was known.
func (s *settlement) eraseNewUsers() {
	s.d.claims.each(func(members []uint32) {
		loose := false
		for _, n := range members {
			st := &s.state[n]
			loose = loose || st.had == forgotten && st.hadF&anchored == 0
		}
		for _, n := range members {
			if st := &s.state[n]; loose && s.nodes[n].kind == UserID {
				if st.had == 0 {
					st.marks |= erased
				} else if st.had != forgotten {
					st.marks |= touched
				}
			}
		}
	})
}

// anchorTo notes that identifier n was claimed with user id u.
func (s *settlement) anchorTo(n, u uint32) {
	st := &s.state[n]
	st.marks |= direct
	switch {
	case s.state[u].marks&erased != 0:
		if st.had >= firstPseudonym && st.hadF&anchored != 0 {
			st.marks |= touched
		} else {
			st.marks |= erased
		}
	case st.had == forgotten:
		s.state[u].marks |= touched
	case st.user == none || st.user == u:
		st.user = u
	default:
		st.marks |= shared
		st.user = s.smaller(st.user, u)
	}
}

func (s *settlement) smaller(u, v uint32) uint32 {
	if compareUserIDs(s.d.claims.value(s.nodes[v]), s.d.claims.value(s.nodes[u])) < 0 {
		return v
	}
	return u
}

func (s *settlement) find(n uint32) uint32 {
	for s.state[n].parent != n {
		s.state[n].parent = s.state[s.state[n].parent].parent
		n = s.state[n].parent
	}
	return n
}

// follow applies rule 3: groups form over identifiers that have no user id
// of their own, then look which anchored identifiers they touch.
func (s *settlement) follow() {
	s.eachLink(func(a, b uint32) {
		if (s.state[a].marks|s.state[b].marks)&direct == 0 {
			a, b = s.find(a), s.find(b)
			if s.nodes[b].id.compare(s.nodes[a].id) < 0 {
				a, b = b, a
			}
			s.state[b].parent = a // the smallest digest leads: any order of claims, same leader
		}
	})
	for i := range s.nodes {
		if s.state[i].marks&erased != 0 && s.state[i].marks&direct == 0 {
			s.state[s.find(uint32(i))].marks |= doomed
		}
	}
	s.eachLink(func(a, b uint32) {
		if s.state[a].marks&direct == 0 {
			a, b = b, a
		}
		if s.state[a].marks&direct == 0 || s.state[b].marks&direct != 0 {
			s.reportBridge(a, b)
			return
		}
		leader := &s.state[s.find(b)]
		switch user := s.state[a].user; {
		case s.state[a].marks&erased != 0:
			leader.marks |= doomed
		case leader.user == none || leader.user == user:
			leader.user = user
		default:
			leader.marks |= bridged
			leader.user = s.smaller(leader.user, user)
		}
	})
	for i := range s.nodes {
		if st := &s.state[i]; st.marks&direct == 0 {
			leader := s.state[s.find(uint32(i))]
			st.user = leader.user
			switch {
			case leader.marks&doomed == 0 || st.marks&erased != 0:
			case st.had >= firstPseudonym && s.d.people.isAnchored(st.had):
				st.marks |= touched
			default:
				st.marks |= erased
			}
		}
	}
}

// reportBridge notes a claim without a user id between two persons who have one.
func (s *settlement) reportBridge(a, b uint32) {
	if s.state[a].marks&s.state[b].marks&direct != 0 && s.state[a].user != s.state[b].user {
		s.state[a].marks |= bridged
	}
}

func (s *settlement) eachLink(visit func(a, b uint32)) {
	c := &s.d.claims
	for _, list := range [][]link{s.d.links, s.newLinks} {
		for _, l := range list {
			visit(c.find(l.a), c.find(l.b))
		}
	}
}

// leader returns the node that leads the person a node belongs to.
func (s *settlement) leader(n uint32) uint32 {
	if user := s.state[n].user; user != none {
		return user
	}
	return s.find(n)
}
