package grammar

import (
	"math/bits"
	"slices"
	"strings"
)

// Matcher applies a grammar to texts. It keeps memory between texts and is for
// one goroutine.
type Matcher struct {
	grammar *Grammar
	lexicon Lexicon
	atoms   []Atom

	looks      appearances
	ahead      ahead
	entityEnd  []int32 // for each atom: where the entity that starts there ends, 0 for none
	entityKind []int32 // … and its kind

	pattern *pattern
	start   int
	visited []uint32 // attempt number by (fork, atoms consumed)
	attempt uint32
	open    []Capture // captures of the attempt under way
	end     int
	match   Match

	best       Match // the longest so far of the first cascade
	bestKind   int32
	noteLonger func(Match)
}

// NewMatcher makes a matcher; lexicon answers for the classes of meaning.
func (g *Grammar) NewMatcher(lexicon Lexicon) *Matcher {
	m := &Matcher{grammar: g, lexicon: lexicon}
	m.looks.cascades = [2]*cascade{g.entities, g.designating}
	m.looks.forget()
	m.ahead = newAhead(g)
	m.noteLonger = m.longer
	return m
}

// appearances remembers, for the classes of atoms met so far, which ways to begin
// they fit. Few are met, and each is compared with the patterns once.
type appearances struct {
	cascades [2]*cascade
	numbers  map[Class]int32 // where in rows
	rows     []uint64        // of each: what it fits in the first cascade, and in the second one
	recent   [1 << recentBits]appearance
}

// appearance is what was looked up last, under a hash.
type appearance struct {
	classes Class
	number  int32 // and one more
}

const (
	recentBits      = 9
	mostAppearances = 1 << 13
	noAtom          = 0 // the number of what has no classes
)

func (a *appearances) forget() {
	a.numbers, a.rows, a.recent = map[Class]int32{}, nil, [1 << recentBits]appearance{}
	a.number(0)
}

// number gives the number of some classes.
func (a *appearances) number(classes Class) int32 {
	recent := &a.recent[uint32(classes)*2654435761>>(32-recentBits)]
	if recent.number > 0 && recent.classes == classes {
		return recent.number - 1
	}
	number, ok := a.numbers[classes]
	if !ok {
		number = int32(len(a.rows))
		a.numbers[classes] = number
		for _, c := range a.cascades {
			for _, fits := range []row{c.byShape.begins(classes), c.byShape.follows(classes), c.byWord.follows(classes)} {
				a.rows = append(a.rows, fits...)
			}
		}
	}
	*recent = appearance{classes, number + 1}
	return number
}

// Lexeme says what the matcher knows of a folded word, of which the lexicon says
// what it means.
func (m *Matcher) Lexeme(folded string, means Class) Lexeme {
	word := m.grammar.vocabulary[folded]
	return Lexeme{word: word, skip: word != 0 && m.grammar.skip[word], meaning: means & meaning}
}

// unknown is what whoever made the atom did not know.
func (m *Matcher) unknown(atom *Atom) Lexeme {
	means := Class(0)
	if m.lexicon != nil {
		means = m.lexicon.Meaning(atom)
	}
	return m.Lexeme(atom.Folded, means)
}

// Load sets the text. The matcher numbers the atoms' words and asks the
// lexicon about them: both are written into atoms.
func (m *Matcher) Load(atoms []Atom) {
	m.atoms = atoms
	if len(m.looks.numbers) > mostAppearances {
		m.looks.forget()
	}
	before := uint32(0)
	for i := range atoms {
		atom := &atoms[i]
		known := atom.Known
		if known == nil {
			lexeme := m.unknown(atom)
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
		atom.looks = m.looks.number(atom.Classes)
		before = atom.word
	}
	m.ahead.load(m.grammar, atoms)
	m.entityEnd = append(m.entityEnd[:0], make([]int32, len(atoms))...)
	m.entityKind = slices.Grow(m.entityKind[:0], len(atoms))[:len(atoms)] // says something where an entity is
}

// Entities runs the first cascade: what a match captures, from its first capture
// to its last, is one entity of the kind the rule says. Matches are disjoint: the
// longer one wins, then the earlier rule. The second cascade knows the entities.
func (m *Matcher) Entities(found func(Match)) {
	for at := 0; at < len(m.atoms); {
		m.best.Rule = nil
		m.at(m.grammar.entities, at, m.noteLonger)
		best := &m.best
		if best.Rule == nil {
			at++
			continue
		}
		if n := len(best.Captures); n > 0 {
			first := best.Captures[0].First
			m.entityEnd[first] = int32(best.Captures[n-1].Last)
			m.entityKind[first] = m.bestKind
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
		m.best, m.bestKind = match, m.pattern.kind
		m.best.Captures = captures
	}
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
	next, looks := uint32(0), int32(noAtom)
	if at+1 < len(m.atoms) {
		next, looks = m.atoms[at+1].word, m.atoms[at+1].looks
	}
	begins := m.looks.rows[int(atom.looks)+c.offset:]
	follows := m.looks.rows[int(looks)+c.offset:]
	ahead := m.ahead.of(at)
	shapes := c.byShape.second.width
	if atom.word != 0 && c.beginsWith.has(atom.word) {
		m.tryAll(c, &c.byWord, c.byWord.first.of(atom.word), follows[2*shapes:], ahead, next, at, found)
	}
	if m.entityEnd[at] != 0 {
		for _, number := range c.byEntity[m.entityKind[at]] {
			m.try(&c.patterns[number], at, found)
		}
	}
	m.tryAll(c, &c.byShape, begins[:shapes], follows[shapes:], ahead, next, at, found)
}

// tryAll tries the patterns of those ways to begin that the first atom fits, and
// the second one by its shape or its word, and whose needs are ahead.
func (m *Matcher) tryAll(c *cascade, w *ways, first, byShape, ahead row, next uint32, at int, found func(Match)) {
	ahead, byShape = ahead[w.offset:][:len(first)], byShape[:len(first)]
	for i, fitting := range first {
		if fitting &= ahead[i]; fitting == 0 {
			continue
		}
		fitting &= byShape[i] | w.second.bits[int(next)*w.second.width+i]
		for ; fitting != 0; fitting &= fitting - 1 {
			m.try(&c.patterns[w.patterns[64*i+bits.TrailingZeros64(fitting)]], at, found)
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
func (m *Matcher) run(pc, at int) bool {
	for {
		if at-m.start > MaxSpan {
			return false
		}
		i := &m.pattern.program[pc]
		if i.fork != 0 {
			state := &m.visited[int(i.fork)*(MaxSpan+1)+at-m.start]
			if *state == m.attempt {
				return false
			}
			*state = m.attempt
		}
		switch i.op {
		case opMatch:
			m.end = at
			return true
		case opSplit:
			if m.run(int(i.x), at) {
				return true
			}
			pc = int(i.y)
		case opNot, opAhead:
			if m.one(&m.pattern.program[pc+1], m.afterSkips(at)) == (i.op == opNot) {
				return false
			}
			pc = int(i.x)
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
			for !m.one(i, at) { // if need be after words that may stand anywhere
				if !m.skippable(at) {
					return false
				}
				at++
			}
			if i.op == opEntity {
				at = int(m.entityEnd[at])
			} else {
				at++
			}
			pc++
		}
	}
}

// capture opens or closes a capture, and forgets it when the rest does not fit.
func (m *Matcher) capture(i *instruction, pc, at int) bool {
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

// one reports whether a consuming instruction fits the atom.
func (m *Matcher) one(i *instruction, at int) bool {
	if at >= len(m.atoms) {
		return false
	}
	atom := &m.atoms[at]
	switch i.op {
	case opWord:
		return atom.word == i.what
	case opClass:
		return atom.Classes&hesitation == 0 && fits(atom.Classes, Class(i.what), i.forbid)
	case opSuffix:
		ending := m.grammar.endings.all[i.what]
		return atom.Classes&Word != 0 && len(atom.Folded) > len(ending)+1 && strings.HasSuffix(atom.Folded, ending)
	case opEntity:
		return m.entityEnd[at] != 0 && m.entityKind[at] == int32(i.what)
	case opSet:
		return m.grammar.members.of(atom.word, i.what) != 0
	}
	return false
}

// runSet tries the phrases of a set at an atom, longest first.
func (m *Matcher) runSet(i *instruction, pc, at int) bool {
	for !m.one(i, at) {
		if !m.skippable(at) {
			return false
		}
		at++
	}
	if m.grammar.members.of(m.atoms[at].word, i.what)&isAlone != 0 {
		return m.run(pc+1, at+1)
	}
	set := m.grammar.sets.all[i.what]
	var ends [MaxSpan]int
	found := 0
	for state, here := int32(0), at; here < len(m.atoms) && found < MaxSpan; here++ {
		next, ok := set.next[state].find(m.atoms[here].word)
		if !ok || m.atoms[here].word == 0 {
			if here > at && m.skippable(here) {
				continue
			}
			break
		}
		state = next
		if set.final[state] {
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
