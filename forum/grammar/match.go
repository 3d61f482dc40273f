package grammar

import (
	"slices"
	"strings"
)

// Matcher applies a grammar to texts. It keeps memory between texts and is for
// one goroutine.
type Matcher struct {
	grammar *Grammar
	lexicon Lexicon
	atoms   []Atom

	fitting    [2]map[shapes][]start // of each cascade
	recent     [2][1 << recentBits]remembered
	entityEnd  []int32 // for each atom: where the entity that starts there ends, 0 for none
	entityKind []string

	pattern *pattern
	start   int
	visited []uint32 // attempt number by (fork, atoms consumed)
	attempt uint32
	open    []Capture // captures of the attempt under way
	end     int
	match   Match
}

// NewMatcher makes a matcher; lexicon answers for the classes of meaning.
func (g *Grammar) NewMatcher(lexicon Lexicon) *Matcher {
	return &Matcher{grammar: g, lexicon: lexicon, fitting: [2]map[shapes][]start{{}, {}}}
}

// start is a pattern that may begin with an atom of some classes.
type start struct {
	class   int32 // of byClass
	pattern int32
	asks    bool // only certain words may stand second: ask them
}

// shapes are those of an atom and of the one after it.
type shapes uint32

// shapeBits are the classes that come from the text alone.
const shapeBits = FirstName - 1

// steppedOver marks shapes in which the second atom may be stepped over: then
// any pattern may go on after it.
const steppedOver shapes = 1 << 15

// remembered is what was looked up in fitting last, under a hash.
type remembered struct {
	pair  shapes
	known bool
	list  []start
}

const recentBits = 6

// shapesAt gives the shapes at an atom.
func (m *Matcher) shapesAt(at int) shapes {
	pair := shapes(m.atoms[at].Classes&shapeBits) << 16
	if at++; at < len(m.atoms) {
		pair |= shapes(m.atoms[at].Classes & shapeBits)
		if m.atoms[at].Classes&(hesitation|saidTwice) != 0 {
			pair |= steppedOver
		}
	}
	return pair
}

// starts lists the patterns that may begin at an atom by the looks of it and of
// the one after it. Few pairs of shapes are met, and each is compared with the
// patterns once.
func (m *Matcher) starts(c *cascade, at int) []start {
	number := 0
	if c == m.grammar.designating {
		number = 1
	}
	pair := m.shapesAt(at)
	recent := &m.recent[number][uint32(pair)*2654435761>>(32-recentBits)]
	if recent.known && recent.pair == pair {
		return recent.list
	}
	fitting := m.fitting[number]
	list, ok := fitting[pair]
	if ok {
		*recent = remembered{pair, true, list}
		return list
	}
	first := Atom{Classes: Class(pair >> 16)}
	second := Atom{Classes: Class(pair) & shapeBits}
	for i := range c.byClass {
		s := &c.byClass[i]
		if !shapeFits(&first, s.need, s.forbid) {
			continue
		}
		for _, number := range s.patterns {
			p := &c.patterns[number]
			free := !p.follows || pair&steppedOver != 0 || slices.ContainsFunc(p.shapes, func(s shape) bool { return shapeFits(&second, s.need, s.forbid) })
			if free || len(p.second) > 0 {
				list = append(list, start{int32(i), number, !free})
			}
		}
	}
	fitting[pair] = list
	*recent = remembered{pair, true, list}
	return list
}

// Load sets the text. The matcher numbers the atoms' words and asks the
// lexicon about them: both are written into atoms.
func (m *Matcher) Load(atoms []Atom) {
	m.atoms = atoms
	for i := range atoms {
		atom := &atoms[i]
		atom.word = m.grammar.vocabulary[atom.Folded]
		if atom.word == 0 || atom.Classes&Word == 0 {
			continue
		}
		if atom.Classes&Capital == 0 && m.grammar.skip[atom.word] {
			atom.Classes |= hesitation
		}
		if i > 0 && atoms[i-1].word == atom.word {
			atom.Classes |= saidTwice
		}
	}
	m.entityEnd = append(m.entityEnd[:0], make([]int32, len(atoms))...)
	m.entityKind = append(m.entityKind[:0], make([]string, len(atoms))...)
}

// Entities runs the first cascade: what a match captures, from its first capture
// to its last, is one entity of the kind the rule says. Matches are disjoint: the
// longer one wins, then the earlier rule. The second cascade knows the entities.
func (m *Matcher) Entities(found func(Match)) {
	for at := 0; at < len(m.atoms); {
		best := m.longest(at)
		if best.Rule == nil {
			at++
			continue
		}
		if n := len(best.Captures); n > 0 {
			first := best.Captures[0].First
			m.entityEnd[first] = int32(best.Captures[n-1].Last)
			m.entityKind[first] = best.Rule.Says
		}
		if found != nil {
			found(best)
		}
		at = best.Last
	}
}

// longest finds the longest match of the first cascade at an atom.
func (m *Matcher) longest(at int) Match {
	var best Match
	m.at(m.grammar.entities, at, func(match Match) {
		if best.Rule == nil || match.Last > best.Last {
			best = match
			best.Captures = append([]Capture(nil), match.Captures...)
		}
	})
	return best
}

// Designating runs the second cascade and calls found with every match, in the
// order of the text; matches of different rules may overlap.
func (m *Matcher) Designating(found func(Match)) {
	for at := range m.atoms {
		if m.atoms[at].Classes&saidTwice == 0 {
			m.at(m.grammar.designating, at, found)
		}
	}
}

// at tries the patterns of a cascade that may begin at an atom.
func (m *Matcher) at(c *cascade, at int, found func(Match)) {
	atom := &m.atoms[at]
	if int(atom.word) < len(c.byWord) {
		for _, number := range c.byWord[atom.word] {
			if p := &c.patterns[number]; m.mayFollow(p, at) {
				m.try(p, at, found)
			}
		}
	}
	if m.entityEnd[at] != 0 {
		for _, number := range c.byEntity[m.entityKind[at]] {
			m.try(&c.patterns[number], at, found)
		}
	}
	m.atClass(c, at, found)
}

// atClass tries the patterns that begin with an atom of some classes.
func (m *Matcher) atClass(c *cascade, at int, found func(Match)) {
	next := uint32(0)
	if at+1 < len(m.atoms) {
		next = m.atoms[at+1].word
	}
	class, fits := int32(-1), false
	for _, s := range m.starts(c, at) {
		if s.asks && !c.patterns[s.pattern].second.has(next) {
			continue
		}
		if s.class != class {
			class, fits = s.class, m.fits(&m.atoms[at], c.byClass[s.class].need, c.byClass[s.class].forbid)
		}
		if fits {
			m.try(&c.patterns[s.pattern], at, found)
		}
	}
}

// mayFollow reports whether the atom after at is one that the pattern may go on
// with, or one that may be stepped over.
func (m *Matcher) mayFollow(p *pattern, at int) bool {
	if !p.follows {
		return true
	}
	at++
	if at >= len(m.atoms) {
		return false
	}
	next := &m.atoms[at]
	if next.Classes&(hesitation|saidTwice) != 0 || p.second.has(next.word) {
		return true
	}
	for i := range p.shapes {
		if shapeFits(next, p.shapes[i].need, p.shapes[i].forbid) {
			return true
		}
	}
	return false
}

// try runs one pattern from an atom: depth first with a memory of the forks
// already come to, hence at most program × MaxSpan steps.
func (m *Matcher) try(p *pattern, at int, found func(Match)) {
	m.pattern, m.start, m.open = p, at, m.open[:0]
	for range p.labels {
		m.open = append(m.open, Capture{First: -1})
	}
	if need := (p.forks + 1) * (MaxSpan + 1); len(m.visited) < need {
		m.visited = make([]uint32, need)
		m.attempt = 0
	}
	m.attempt++
	if m.attempt == 0 { // wrapped round: old numbers would look new
		clear(m.visited)
		m.attempt = 1
	}
	if !m.run(0, at) {
		return
	}
	m.match.Rule, m.match.First, m.match.Last = p.rule, at, m.end
	m.match.Captures = m.match.Captures[:0]
	for i, c := range m.open {
		for c.First >= 0 && c.First+1 < c.Last && m.skippable(c.First) {
			c.First++ // a hesitation before the captured words is no part of them
		}
		if c.First >= 0 {
			m.match.Captures = append(m.match.Captures, Capture{p.labels[i], c.First, c.Last})
		}
	}
	found(m.match)
}

// run reports whether the program fits from instruction pc at atom at.
func (m *Matcher) run(pc int32, at int) bool {
	for {
		if at-m.start > MaxSpan {
			return false
		}
		i := &m.pattern.program[pc]
		if i.fork != 0 {
			state := int(i.fork)*(MaxSpan+1) + at - m.start
			if m.visited[state] == m.attempt {
				return false
			}
			m.visited[state] = m.attempt
		}
		switch i.op {
		case opMatch:
			m.end = at
			return true
		case opSplit:
			if m.run(i.x, at) {
				return true
			}
			pc = i.y
		case opNot, opAhead:
			if m.one(&m.pattern.program[pc+1], m.afterSkips(at)) == (i.op == opNot) {
				return false
			}
			pc = i.x
		case opEnd:
			if at == m.start || m.atoms[at-1].Classes&LineEnd == 0 {
				return false
			}
			pc++
		case opOpen, opClose:
			return m.capture(i, pc, at)
		case opSet:
			return m.runSet(i, pc, at)
		default:
			next, ok := m.consume(i, at)
			if !ok {
				return false
			}
			pc, at = pc+1, next
		}
	}
}

// capture opens or closes a capture, and forgets it when the rest does not fit.
func (m *Matcher) capture(i *instruction, pc int32, at int) bool {
	before := m.open[i.x]
	if i.op == opOpen {
		m.open[i.x] = Capture{First: at, Last: at}
	} else {
		m.open[i.x].Last = at
	}
	if m.run(pc+1, at) {
		return true
	}
	m.open[i.x] = before
	return false
}

// consume steps over one atom or entity, if need be after words that may stand
// anywhere.
func (m *Matcher) consume(i *instruction, at int) (next int, ok bool) {
	for {
		if at >= len(m.atoms) {
			return at, false
		}
		if m.one(i, at) {
			if i.op == opEntity {
				return int(m.entityEnd[at]), true
			}
			return at + 1, true
		}
		if !m.skippable(at) {
			return at, false
		}
		at++
	}
}

// one reports whether a consuming instruction fits the atom.
func (m *Matcher) one(i *instruction, at int) bool {
	if at >= len(m.atoms) {
		return false
	}
	atom := &m.atoms[at]
	switch i.op {
	case opWord:
		return atom.word == i.word
	case opClass:
		return atom.Classes&hesitation == 0 && m.fits(atom, i.need, i.forbid)
	case opSuffix:
		return atom.Classes&Word != 0 && len(atom.Folded) > len(i.kind)+1 && strings.HasSuffix(atom.Folded, i.kind)
	case opEntity:
		return m.entityEnd[at] != 0 && m.entityKind[at] == i.kind
	case opSet:
		return i.set.first.has(atom.word)
	}
	return false
}

// runSet tries the phrases of a set at an atom, longest first.
func (m *Matcher) runSet(i *instruction, pc int32, at int) bool {
	for !m.one(i, at) && m.skippable(at) {
		at++
	}
	if !m.one(i, at) {
		return false
	}
	if i.set.alone.has(m.atoms[at].word) {
		return m.run(pc+1, at+1)
	}
	var ends [MaxSpan]int
	found := 0
	for state, here := int32(0), at; here < len(m.atoms) && found < MaxSpan; here++ {
		next, ok := i.set.next[state][m.atoms[here].word]
		if !ok || m.atoms[here].word == 0 {
			if here > at && m.skippable(here) {
				continue
			}
			break
		}
		state = next
		if i.set.final[state] {
			ends[found] = here + 1
			found++
		}
	}
	for found--; found >= 0; found-- {
		if m.run(pc+1, ends[found]) {
			return true
		}
	}
	return false
}

func (m *Matcher) afterSkips(at int) int {
	for m.skippable(at) {
		at++
	}
	return at
}

// skippable reports whether an atom inside a match may be stepped over: a
// hesitation, or a word said twice.
func (m *Matcher) skippable(at int) bool {
	return at > m.start && at < len(m.atoms) && at-m.start <= MaxSpan && m.atoms[at].Classes&(hesitation|saidTwice) != 0
}

// shapeFits compares the classes that need no lexicon.
func shapeFits(atom *Atom, need, forbid Class) bool {
	shape := atom.Classes &^ meaning
	return shape&need == need&^meaning && shape&forbid == 0
}

// fits asks the lexicon only when the shape already fits.
func (m *Matcher) fits(atom *Atom, need, forbid Class) bool {
	if !shapeFits(atom, need, forbid) {
		return false
	}
	if (need|forbid)&meaning == 0 {
		return true
	}
	if atom.Classes&resolved == 0 {
		atom.Classes |= resolved
		if m.lexicon != nil {
			atom.Classes |= m.lexicon.Meaning(atom) & meaning
		}
	}
	return atom.Classes&need == need && atom.Classes&forbid == 0
}
