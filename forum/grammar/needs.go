package grammar

import (
	"slices"
	"strings"
	"unicode"
)

// Most patterns begin with something common, a capital or "je", and have something
// rare further on. What must come is found out when the grammar is read, and where
// it comes when a text is: from each atom on, which ways to begin are worth a try.

// needs lists sets of words: whatever fits the node has a word of each of them.
func (c *compiler) needs(n node) []row {
	switch n := n.(type) {
	case nodeWord:
		var word row
		word.add(c.number(n.word))
		return []row{word}
	case nodeSet:
		return []row{n.set.firsts()}
	case nodeSeq:
		var all []row
		for _, part := range n.parts {
			all = append(all, c.needs(part)...)
		}
		return all
	case nodeAlt:
		known, ok := c.needed[&n.parts[0]]
		if !ok {
			known = c.oneOf(n.parts)
			c.needed[&n.parts[0]] = known
		}
		return known
	case nodeRepeat:
		if n.min > 0 {
			return c.needs(n.inner)
		}
	case nodeCapture:
		return c.needs(n.inner)
	}
	return nil
}

// oneOf is needs of alternatives: of each of them, what is rarest.
func (c *compiler) oneOf(parts []node) []row {
	var any row
	for _, part := range parts {
		need := c.rarest(c.needs(part))
		if need == nil {
			return nil
		}
		need.each(any.add)
	}
	return []row{any}
}

// rarest gives the set that texts are least likely to have a word of; nil for none.
func (c *compiler) rarest(needs []row) row {
	var best row
	least := 0
	for _, need := range needs {
		if cost := c.frequency(need); best == nil || cost < least {
			best, least = need, cost
		}
	}
	return best
}

// How often a word is met, about, as long words are: nothing is more frequent than
// punctuation and short words.
const (
	frequencyMark  = 1000
	frequencyShort = 20
	frequencyLong  = 1
	shortWord      = 3 // bytes
)

func (c *compiler) frequency(words row) int {
	sum := 0
	words.each(func(number uint32) {
		switch word := c.words[number]; {
		case !strings.ContainsFunc(word, unicode.IsLetter):
			sum += frequencyMark
		case len(word) <= shortWord:
			sum += frequencyShort
		default:
			sum += frequencyLong
		}
	})
	return sum
}

// await makes the rows of what each word brings.
func (g *Grammar) await(words int) {
	size := 0
	var each []*ways
	var openings [][]opening
	for _, c := range []*cascade{g.entities, g.designating} {
		each, openings = append(each, &c.byWord, &c.byShape), append(openings, c.openings, c.openings)
	}
	for _, w := range each {
		w.offset = size / 64
		size += 64 * w.second.width
	}
	g.brings, g.unneeding = newRows(words, size), make(row, size/64)
	for i, w := range each {
		for way, number := range w.patterns {
			bit := uint32(64*w.offset + way)
			need := openings[i][number].need
			if need == nil {
				g.unneeding.add(bit)
			}
			need.each(func(word uint32) {
				brought := g.brings.of(word)
				brought.add(bit)
			})
		}
	}
}

// stretch is so many atoms that no match which begins in one goes beyond the next one.
const stretch = 2 * MaxSpan

// ahead says of each atom which ways to begin have what they need from it on: in its
// own stretch and in the next one. Most atoms have the same ahead as the next atom.
type ahead struct {
	width     int
	at        []int32  // by atom: the number of its row
	rows      []uint64 // those that differ
	own, next row
}

func newAhead(g *Grammar) ahead {
	width := len(g.unneeding)
	return ahead{width: width, own: make(row, width), next: make(row, width)}
}

func (a *ahead) load(g *Grammar, atoms []Atom) {
	a.at, a.rows = slices.Grow(a.at[:0], len(atoms))[:len(atoms)], a.rows[:0]
	clear(a.next)
	copy(a.own, g.unneeding)
	news := true
	for i := len(atoms) - 1; i >= 0; i-- {
		if i%stretch == stretch-1 {
			copy(a.next, a.own)
			copy(a.own, g.unneeding)
			news = true
		}
		if word := atoms[i].word; word != 0 {
			for j, brought := range g.brings.of(word) {
				if brought&^a.own[j] != 0 {
					a.own[j] |= brought
					news = true
				}
			}
		}
		if news {
			news = false
			for j := range a.own {
				a.rows = append(a.rows, a.own[j]|a.next[j])
			}
		}
		a.at[i] = int32(len(a.rows) - a.width)
	}
}

// of gives the row of an atom.
func (a *ahead) of(atom int) row { return a.rows[a.at[atom]:][:a.width] }
