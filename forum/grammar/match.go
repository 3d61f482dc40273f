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

	byWord     [2]recollection // of each cascade: by the number of the first word
	byClass    [2]recollection // … by the classes of the first atom
	entityEnd  []int32         // for each atom: where the entity that starts there ends, 0 for none
	entityKind []string

	pattern *pattern
	start   int
	visited []uint32 // attempt number by (fork, atoms consumed)
	attempt uint32
	open    []Capture // captures of the attempt under way
	end     int
	match   Match

	best       Match // the longest so far of the first cascade
	noteLonger func(Match)
}

// NewMatcher makes a matcher; lexicon answers for the classes of meaning.
func (g *Grammar) NewMatcher(lexicon Lexicon) *Matcher {
	m := &Matcher{grammar: g, lexicon: lexicon}
	m.noteLonger = m.longer
	return m
}

// starts are the patterns that may begin at an atom.
type starts struct {
	all    []start
	free   []int32  // those whose second word may be any
	second wordBits // the words that the others ask for
}

// start is one of them.
type start struct {
	pattern int32
	asks    bool // only certain words may stand second: ask them
}

// add notes a pattern.
func (s *starts) add(c *cascade, number int32, asks bool) {
	s.all = append(s.all, start{number, asks})
	if asks {
		s.second.unite(c.patterns[number].second)
	} else {
		s.free = append(s.free, number)
	}
}

// situation is what decides which patterns may begin: the number or the classes
// of the first atom, and the classes of the second one.
type situation struct{ first, second uint32 }

// recollection holds the patterns for the situations met so far. Few are met, and
// each is compared with the patterns once.
type recollection struct {
	lists  map[situation]*starts
	recent [1 << recentBits]remembered
}

// remembered is what was looked up last, under a hash.
type remembered struct {
	situation situation
	list      *starts
}

const (
	recentBits     = 10
	mostSituations = 1 << 15
)

// find gives the patterns of a situation; the cascade makes the list where it is not known.
func (r *recollection) find(s situation, c *cascade, byWord bool) *starts {
	recent := &r.recent[(s.first*2654435761^s.second*2246822519)>>(32-recentBits)]
	if recent.list != nil && recent.situation == s {
		return recent.list
	}
	list, ok := r.lists[s]
	if !ok {
		if byWord {
			list = c.startsWithWord(s)
		} else {
			list = c.startsWithClass(s)
		}
		if r.lists == nil || len(r.lists) >= mostSituations {
			r.lists = map[situation]*starts{}
		}
		r.lists[s] = list
	}
	*recent = remembered{s, list}
	return list
}

// second gives the classes of the atom after at, as far as the cascade asks for them.
func (m *Matcher) second(c *cascade, at int) uint32 {
	if at+1 >= len(m.atoms) {
		return 0
	}
	return uint32(m.atoms[at+1].Classes & (c.asked | steppedOver))
}

// steppedOver are the classes of what may be stepped over: any pattern may go on after it.
const steppedOver = hesitation | saidTwice

// mayFollow reports whether an atom of these classes may stand second in a
// pattern, and whether that depends on its word.
func (p *pattern) mayFollow(second Class) (may, asks bool) {
	free := !p.follows || second&steppedOver != 0 || slices.ContainsFunc(p.shapes, func(s shape) bool { return fits(second, s.need, s.forbid) })
	return free || len(p.second) > 0, !free
}

// startsWithWord lists the patterns that may begin with a word, by the classes of
// the atom after it.
func (c *cascade) startsWithWord(s situation) *starts {
	list := new(starts)
	for _, number := range c.byWord[s.first] {
		if may, asks := c.patterns[number].mayFollow(Class(s.second)); may {
			list.add(c, number, asks)
		}
	}
	return list
}

// startsWithClass lists the patterns that may begin with an atom of some classes.
func (c *cascade) startsWithClass(s situation) *starts {
	list := new(starts)
	for i := range c.byClass {
		begin := &c.byClass[i]
		if !fits(Class(s.first), begin.need, begin.forbid) {
			continue
		}
		for _, number := range begin.patterns {
			if may, asks := c.patterns[number].mayFollow(Class(s.second)); may {
				list.add(c, number, asks)
			}
		}
	}
	return list
}

// Lexeme says what the matcher knows of a folded word.
func (m *Matcher) Lexeme(folded string) Lexeme {
	word := m.grammar.vocabulary[folded]
	lexeme := Lexeme{word: word, skip: word != 0 && m.grammar.skip[word]}
	if m.lexicon != nil {
		lexeme.meaning = m.lexicon.Meaning(&Atom{Folded: folded}) & meaning
	}
	return lexeme
}

// Load sets the text. The matcher numbers the atoms' words and asks the
// lexicon about them: both are written into atoms.
func (m *Matcher) Load(atoms []Atom) {
	m.atoms = atoms
	before := uint32(0)
	for i := range atoms {
		atom := &atoms[i]
		known := atom.Known
		if known == nil {
			lexeme := m.Lexeme(atom.Folded)
			known = &lexeme
		}
		atom.word = known.word
		atom.Classes |= known.meaning
		if atom.word != 0 && atom.Classes&Word != 0 {
			if known.skip && atom.Classes&Capital == 0 {
				atom.Classes |= hesitation
			}
			if before == atom.word {
				atom.Classes |= saidTwice
			}
		}
		before = atom.word
	}
	m.entityEnd = append(m.entityEnd[:0], make([]int32, len(atoms))...)
	m.entityKind = append(m.entityKind[:0], make([]string, len(atoms))...)
}

// Entities runs the first cascade: what a match captures, from its first capture
// to its last, is one entity of the kind the rule says. Matches are disjoint: the
// longer one wins, then the earlier rule. The second cascade knows the entities.
func (m *Matcher) Entities(found func(Match)) {
	for at := 0; at < len(m.atoms); {
		m.best.Rule = nil
		m.at(m.grammar.entities, 0, at, m.noteLonger)
		best := &m.best
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
			found(*best)
		}
		at = best.Last
	}
}

// longer keeps the longest match of the first cascade at an atom.
func (m *Matcher) longer(match Match) {
	if m.best.Rule == nil || match.Last > m.best.Last {
		captures := append(m.best.Captures[:0], match.Captures...)
		m.best = match
		m.best.Captures = captures
	}
}

// Designating runs the second cascade and calls found with every match, in the
// order of the text; matches of different rules may overlap.
func (m *Matcher) Designating(found func(Match)) {
	for at := range m.atoms {
		if m.atoms[at].Classes&saidTwice == 0 {
			m.at(m.grammar.designating, 1, at, found)
		}
	}
}

// at tries the patterns of a cascade that may begin at an atom.
func (m *Matcher) at(c *cascade, number, at int, found func(Match)) {
	atom := &m.atoms[at]
	second := m.second(c, at)
	if int(atom.word) < len(c.byWord) && c.byWord[atom.word] != nil {
		m.tryAll(c, m.byWord[number].find(situation{atom.word, second}, c, true), at, found)
	}
	if m.entityEnd[at] != 0 {
		for _, number := range c.byEntity[m.entityKind[at]] {
			m.try(&c.patterns[number], at, found)
		}
	}
	m.tryAll(c, m.byClass[number].find(situation{uint32(atom.Classes & c.begun), second}, c, false), at, found)
}

// tryAll tries patterns, where the second word is one they may go on with.
func (m *Matcher) tryAll(c *cascade, list *starts, at int, found func(Match)) {
	next := uint32(0)
	if at+1 < len(m.atoms) {
		next = m.atoms[at+1].word
	}
	if next == 0 || !list.second.has(next) {
		for _, number := range list.free {
			m.try(&c.patterns[number], at, found)
		}
		return
	}
	for _, s := range list.all {
		if p := &c.patterns[s.pattern]; !s.asks || p.second.has(next) {
			m.try(p, at, found)
		}
	}
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
		return atom.Classes&hesitation == 0 && fits(atom.Classes, i.need, i.forbid)
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
		next, ok := i.set.next[state].find(m.atoms[here].word)
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

// fits reports whether classes have all that is needed and none that is forbidden.
func fits(classes, need, forbid Class) bool {
	return classes&need == need && classes&forbid == 0
}
