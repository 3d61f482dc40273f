package grammar

import (
	"math/bits"
	"slices"

	"anonymooc/internal/fault"
)

// A pattern is tried only where its first atom fits, and, when its second atom
// must be one of some words or of some shapes, where that follows: most phrases
// begin with a word as common as "je", and the second one tells them apart.
//
//	first atom:  the ways to begin with its word, or with its shape │ both
//	second atom: those that its word, or its shape, may stand second in │ fit
//
// Each of the four is a row of bits, one for each way. A fifth one holds the ways
// whose words are to come: a pattern that ends in "university" is not tried before
// every capital, but where a text has that word ahead (needs.go).

// row is a set of numbers: of words, of ways to begin.
type row []uint64

func (r *row) add(number uint32) {
	if more := int(number/64) + 1 - len(*r); more > 0 {
		*r = append(*r, make(row, more)...)
	}
	(*r)[number/64] |= 1 << (number % 64)
}

// unite adds all of another set, which is no longer.
func (r row) unite(other row) {
	for i, more := range other {
		r[i] |= more
	}
}

func (r row) has(number uint32) bool {
	return int(number/64) < len(r) && r[number/64]&(1<<(number%64)) != 0
}

// each calls f with the numbers of the set.
func (r row) each(f func(number uint32)) {
	for i, left := range r {
		for ; left != 0; left &= left - 1 {
			f(uint32(64*i + bits.TrailingZeros64(left)))
		}
	}
}

// rows are sets of the same size, one for each word of the vocabulary.
type rows struct {
	width int
	bits  []uint64
}

func newRows(words, size int) rows {
	width := (size + 63) / 64
	return rows{width, make([]uint64, words*width)}
}

func (r *rows) of(word uint32) row {
	at := int(word) * r.width
	return r.bits[at : at+r.width : at+r.width]
}

// shape is what an atom must and must not be.
type shape struct{ need, forbid Class }

func (s shape) fits(classes Class) bool { return fits(classes, s.need, s.forbid) }

// opening is how a pattern may begin.
type opening struct {
	words    map[uint32]bool
	entities map[int32]bool
	shapes   []shape
	second   row     // the words that may stand second
	looks    []shape // and the shapes
	need     row     // the words of which one must come; nil for none
	anything bool    // the second atom may be anything
	empty    bool    // the pattern fits the empty text
}

// add takes in a pattern.
func (c *cascade) add(p pattern, needs []row, by *compiler) error {
	o := opening{words: map[uint32]bool{}, entities: map[int32]bool{}}
	for _, pc := range p.consuming(0) {
		o.first(&p, pc, by.grammar)
	}
	o.need = by.rarest(slices.DeleteFunc(needs, func(need row) bool { return o.begun(need) }))
	if o.empty {
		return fault.New(fault.Usage, "rule %s fits the empty text", p.rule.Name)
	}
	number := int32(len(c.patterns))
	c.patterns, c.openings = append(c.patterns, p), append(c.openings, o)
	for kind := range o.entities {
		c.byEntity[kind] = append(c.byEntity[kind], number)
	}
	return nil
}

// consuming lists the instructions, opMatch among them, that may be the next to
// look at an atom from instruction pc on.
func (p *pattern) consuming(pc int16) []int16 {
	var found []int16
	seen := make([]bool, len(p.program))
	var visit func(pc int16)
	visit = func(pc int16) {
		if seen[pc] {
			return
		}
		seen[pc] = true
		switch i := p.program[pc]; i.op {
		case opSplit:
			visit(i.x)
			visit(i.y)
		case opNot, opAhead:
			visit(i.x)
		case opOpen, opClose, opEnd:
			visit(pc + 1)
		default:
			found = append(found, pc)
		}
	}
	visit(pc)
	return found
}

// first notes one instruction that may consume the first atom.
func (o *opening) first(p *pattern, pc int16, g *Grammar) {
	switch i := p.program[pc]; i.op {
	case opMatch:
		o.empty = true
		return
	case opWord:
		o.words[i.what] = true
	case opClass:
		o.shapes = append(o.shapes, shape{Class(i.what), i.forbid})
	case opSuffix:
		o.shapes = append(o.shapes, shape{need: Word})
	case opEntity:
		o.entities[int32(i.what)] = true
		o.anything = true // an entity covers several atoms
		return
	case opSet:
		set := g.sets.all[i.what]
		for _, first := range set.next[0] {
			o.words[first.word] = true
			for _, following := range set.next[first.to] {
				o.second.add(following.word)
			}
		}
	}
	for _, next := range p.consuming(pc + 1) {
		switch i := p.program[next]; i.op {
		case opWord:
			o.second.add(i.what)
		case opSet:
			g.sets.all[i.what].firsts().each(o.second.add)
		case opClass:
			o.looked(shape{Class(i.what), i.forbid})
		case opSuffix:
			o.looked(shape{need: Word})
		default:
			o.anything = true
		}
	}
}

// begun reports whether the words are among those that the pattern begins with:
// nothing new is asked then.
func (o *opening) begun(need row) bool {
	known := true
	need.each(func(word uint32) { known = known && o.words[word] })
	return known
}

// looked notes a shape that the second atom may have, once.
func (o *opening) looked(s shape) {
	if !slices.Contains(o.looks, s) {
		o.looks = append(o.looks, s)
	}
}

// ways are the ways in which the patterns of a cascade may begin, in the order in
// which they are tried.
type ways struct {
	patterns []int32 // of each way
	first    rows    // by the word of the first atom; empty where shapes begin
	shapes   []look  // by the shape of the first atom; empty where words begin
	second   rows    // by the word of the second atom
	looks    []look  // by the shape of the second atom
	free     row     // those that anything may follow
	all      row
	offset   int // where these ways begin in Grammar.brings
}

// look is a shape, and the ways that an atom of it fits.
type look struct {
	shape
	ways row
}

// index makes the rows, when all statements have been read.
func (g *Grammar) index() {
	words := len(g.vocabulary) + 1
	g.members = newMembership(words, g.sets.all)
	for _, c := range []*cascade{g.entities, g.designating} {
		c.byWord.first = newRows(words, len(c.patterns))
		var shapes []shape // in the order of their first patterns
		for number, o := range c.openings {
			c.byWord.patterns = append(c.byWord.patterns, int32(number))
			for word := range o.words {
				begun := c.byWord.first.of(word)
				begun.add(uint32(number))
			}
			for _, s := range o.shapes {
				if !slices.Contains(shapes, s) {
					shapes = append(shapes, s)
				}
			}
		}
		for _, s := range shapes {
			begun := look{shape: s}
			for number, o := range c.openings {
				if slices.Contains(o.shapes, s) {
					begun.ways.add(uint32(len(c.byShape.patterns)))
					c.byShape.patterns = append(c.byShape.patterns, int32(number))
				}
			}
			c.byShape.shapes = append(c.byShape.shapes, begun)
		}
		for number := range words {
			if slices.ContainsFunc(c.byWord.first.of(uint32(number)), func(ways uint64) bool { return ways != 0 }) {
				c.beginsWith.add(uint32(number))
			}
		}
		c.byWord.seconds(c.openings, words)
		c.byShape.seconds(c.openings, words)
	}
	g.designating.offset = 2*g.entities.byShape.second.width + g.entities.byWord.second.width
	g.await(words)
	g.entities.openings, g.designating.openings = nil, nil
}

// seconds makes the rows of the second atom.
func (w *ways) seconds(openings []opening, words int) {
	w.second = newRows(words, len(w.patterns))
	w.free, w.all = make(row, w.second.width), make(row, w.second.width)
	for way, number := range w.patterns {
		o := &openings[number]
		w.all.add(uint32(way))
		if o.anything {
			w.free.add(uint32(way))
			continue
		}
		o.second.each(func(word uint32) {
			second := w.second.of(word)
			second.add(uint32(way))
		})
		for _, s := range o.looks {
			at := slices.IndexFunc(w.looks, func(l look) bool { return l.shape == s })
			if at < 0 {
				at = len(w.looks)
				w.looks = append(w.looks, look{shape: s})
			}
			w.looks[at].ways.add(uint32(way))
		}
	}
}

// begins gives the ways to begin with an atom of some classes.
func (w *ways) begins(classes Class) row {
	found := make(row, w.second.width)
	for i := range w.shapes {
		if w.shapes[i].fits(classes) {
			found.unite(w.shapes[i].ways)
		}
	}
	return found
}

// follows gives the ways in which an atom of some classes may stand second,
// whichever word it is. After what is stepped over anything may come.
func (w *ways) follows(classes Class) row {
	if classes&(hesitation|saidTwice) != 0 {
		return slices.Clone(w.all)
	}
	found := slices.Clone(w.free)
	for i := range w.looks {
		if w.looks[i].fits(classes) {
			found.unite(w.looks[i].ways)
		}
	}
	return found
}

// membership tells by word which sets have phrases that begin with it (first), and
// which of these have it as a phrase and begin no longer one with it (alone): two
// bits a set, side by side, so that all that is asked of one word lies together.
type membership struct{ rows }

const (
	isFirst = 1 << iota
	isAlone

	setsInWord = 32 // sets whose bits fit into one number
)

func newMembership(words int, sets []*trie) membership {
	m := membership{newRows(words, 2*len(sets))}
	for number, set := range sets {
		for _, first := range set.next[0] {
			what := uint64(isFirst)
			if set.final[first.to] && len(set.next[first.to]) == 0 {
				what |= isAlone
			}
			m.bits[int(first.word)*m.width+number/setsInWord] |= what << (2 * (number % setsInWord))
		}
	}
	return m
}

// of gives what a word is in the set of a number.
func (m *membership) of(word, set uint32) uint64 {
	return m.bits[int(word)*m.width+int(set/setsInWord)] >> (2 * (set % setsInWord)) & (isFirst | isAlone)
}
