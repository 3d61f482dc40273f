package grammar

import (
	"slices"

	"anonymooc/internal/fault"
)

// A pattern is tried only where its first atom fits, and, when its second atom
// must be one of some words or of some shapes, where that follows: most phrases
// begin with a word as common as "je", and the second one tells them apart.

// wordBits is a set of word numbers.
type wordBits []uint64

func (b *wordBits) add(word uint32) {
	for int(word/64) >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[word/64] |= 1 << (word % 64)
}

// unite adds all words of another set.
func (b *wordBits) unite(other wordBits) {
	for len(*b) < len(other) {
		*b = append(*b, 0)
	}
	for i, bits := range other {
		(*b)[i] |= bits
	}
}

func (b wordBits) remove(word uint32) {
	if b.has(word) {
		b[word/64] &^= 1 << (word % 64)
	}
}

func (b wordBits) has(word uint32) bool {
	return int(word/64) < len(b) && b[word/64]&(1<<(word%64)) != 0
}

// opening is what a pattern may begin with.
type opening struct {
	words    map[uint32]bool
	entities map[string]bool
	classes  []classStart
	second   wordBits
	shapes   []shape // of the second atom
	anything bool    // the second atom may be anything
	empty    bool    // the pattern fits the empty text
}

// add indexes a pattern by the instructions that may consume its first atom.
func (c *cascade) add(p pattern) error {
	o := opening{words: map[uint32]bool{}, entities: map[string]bool{}}
	for _, pc := range p.consuming(0) {
		o.first(&p, pc)
	}
	if o.empty {
		return fault.New(fault.Usage, "rule %s fits the empty text", p.rule.Name)
	}
	if !o.anything {
		p.second, p.shapes, p.follows = o.second, o.shapes, true
		for _, s := range o.shapes {
			c.asked |= s.need | s.forbid
		}
	}
	number := int32(len(c.patterns))
	c.patterns = append(c.patterns, p)
	for word := range o.words {
		for int(word) >= len(c.byWord) {
			c.byWord = append(c.byWord, nil)
		}
		c.byWord[word] = append(c.byWord[word], number)
	}
	for kind := range o.entities {
		c.byEntity[kind] = append(c.byEntity[kind], number)
	}
	for _, start := range o.classes {
		c.begun |= start.need | start.forbid
		c.startsWith(start.need, start.forbid, number)
	}
	return nil
}

// startsWith notes that a pattern may begin with an atom of some classes.
func (c *cascade) startsWith(need, forbid Class, number int32) {
	for i := range c.byClass {
		start := &c.byClass[i]
		if start.need == need && start.forbid == forbid {
			if last := start.patterns[len(start.patterns)-1]; last != number {
				start.patterns = append(start.patterns, number)
			}
			return
		}
	}
	c.byClass = append(c.byClass, classStart{need, forbid, []int32{number}})
}

// consuming lists the instructions, opMatch among them, that may be the next to
// look at an atom from instruction pc on.
func (p *pattern) consuming(pc int32) []int32 {
	var found []int32
	seen := make([]bool, len(p.program))
	var visit func(pc int32)
	visit = func(pc int32) {
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
func (o *opening) first(p *pattern, pc int32) {
	switch i := p.program[pc]; i.op {
	case opMatch:
		o.empty = true
		return
	case opWord:
		o.words[i.word] = true
	case opClass:
		o.classes = append(o.classes, classStart{need: i.need, forbid: i.forbid})
	case opSuffix:
		o.classes = append(o.classes, classStart{need: Word})
	case opEntity:
		o.entities[i.kind] = true
		o.anything = true // an entity covers several atoms
		return
	case opSet:
		for _, first := range i.set.next[0] {
			o.words[first.word] = true
			for _, following := range i.set.next[first.to] {
				o.second.add(following.word)
			}
		}
	}
	for _, next := range p.consuming(pc + 1) {
		switch i := p.program[next]; i.op {
		case opWord:
			o.second.add(i.word)
		case opSet:
			o.second.unite(i.set.first)
		case opClass:
			o.shaped(shape{i.need, i.forbid})
		case opSuffix:
			o.shaped(shape{need: Word})
		default:
			o.anything = true
		}
	}
}

// shape is what an atom must and must not be.
type shape struct{ need, forbid Class }

// shaped notes a shape that the second atom may have, once.
func (o *opening) shaped(s shape) {
	if !slices.Contains(o.shapes, s) {
		o.shapes = append(o.shapes, s)
	}
}
