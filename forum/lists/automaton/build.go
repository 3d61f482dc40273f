package automaton

import (
	"encoding/binary"
	"errors"
	"sort"
)

// ErrOrder is returned by Builder.Add for a word that is empty, holds the byte
// 0, or does not follow the word added before it.
var ErrOrder = errors.New("automaton: words must be added once, in the order of their bytes")

// ErrTooLarge is returned when a value or the whole automaton does not fit the
// format.
var ErrTooLarge = errors.New("automaton: too large for the format")

// ErrEmpty is returned for an automaton without words.
var ErrEmpty = errors.New("automaton: no words")

// Builder makes an automaton of words that come in order.
type Builder struct {
	known map[string]int // key of a finished node → its number
	nodes []node         // finished nodes
	path  []node         // nodes on the way to the last word, root first
	last  string
}

// node is a state: the values of its word, if one ends here, and its arcs.
type node struct {
	value int64 // -1: no word ends here
	arcs  []edge
}

// edge leads to a finished node; the last edge of a node on the path is not
// yet decided.
type edge struct {
	label byte
	to    int
}

// NewBuilder starts an empty automaton.
func NewBuilder() *Builder {
	return &Builder{known: make(map[string]int), path: []node{{value: -1}}}
}

// Add adds a word that sorts after all words added before.
func (b *Builder) Add(word string, value uint32) error {
	if word <= b.last {
		return ErrOrder
	}
	if value >= maxValue {
		return ErrTooLarge
	}
	for i := range len(word) {
		if word[i] == 0 {
			return ErrOrder
		}
	}
	common := 0
	for common < len(b.last) && common < len(word) && b.last[common] == word[common] {
		common++
	}
	b.finish(common)
	for i := common; i < len(word); i++ {
		top := &b.path[len(b.path)-1]
		top.arcs = append(top.arcs, edge{label: word[i]})
		b.path = append(b.path, node{value: -1})
	}
	b.path[len(b.path)-1].value = int64(value)
	b.last = word
	return nil
}

// finish freezes the path below depth, replacing nodes by equal known ones.
func (b *Builder) finish(depth int) {
	for len(b.path) > depth+1 {
		n := b.path[len(b.path)-1]
		b.path = b.path[:len(b.path)-1]
		parent := &b.path[len(b.path)-1]
		parent.arcs[len(parent.arcs)-1].to = b.freeze(n)
	}
}

// freeze gives the number of a finished node that equals n.
func (b *Builder) freeze(n node) int {
	key := make([]byte, 0, 8+5*len(n.arcs))
	key = binary.LittleEndian.AppendUint64(key, uint64(n.value))
	for _, e := range n.arcs {
		key = append(key, e.label)
		key = binary.LittleEndian.AppendUint32(key, uint32(e.to))
	}
	if known, ok := b.known[string(key)]; ok {
		return known
	}
	number := len(b.nodes)
	b.nodes = append(b.nodes, n)
	b.known[string(key)] = number
	return number
}

// Bytes ends the automaton. The builder cannot be used any more.
func (b *Builder) Bytes() ([]byte, error) {
	if b.last == "" {
		return nil, ErrEmpty
	}
	b.finish(0)
	root := b.freeze(b.path[0])
	used := [256]int{}
	total := 0
	for _, n := range b.nodes {
		for _, e := range n.arcs {
			used[e.label]++
		}
		total += len(n.arcs)
		if n.value >= 0 {
			total++
		}
	}
	if total >= maxValue {
		return nil, ErrTooLarge
	}
	// Nodes are frozen after the nodes they lead to, and written in that order.
	starts := make([]uint32, len(b.nodes))
	arcs := make([]byte, 0, total*arcSize)
	for i, n := range b.nodes {
		starts[i] = uint32(len(arcs) / arcSize)
		arcs = appendNode(arcs, n, starts, &used)
	}
	return append(appendHeader(nil, starts[root], uint32(total)), arcs...), nil
}

// appendNode writes the arcs of a node.
func appendNode(dst []byte, n node, starts []uint32, used *[256]int) []byte {
	sort.Slice(n.arcs, func(i, j int) bool {
		a, b := n.arcs[i].label, n.arcs[j].label
		if used[a] != used[b] {
			return used[a] > used[b]
		}
		return a < b
	})
	if n.value >= 0 {
		arc := uint32(n.value) << shift
		if len(n.arcs) == 0 {
			arc |= lastArc
		}
		dst = binary.LittleEndian.AppendUint32(dst, arc)
	}
	for i, e := range n.arcs {
		arc := starts[e.to]<<shift | uint32(e.label)
		if i == len(n.arcs)-1 {
			arc |= lastArc
		}
		dst = binary.LittleEndian.AppendUint32(dst, arc)
	}
	return dst
}
