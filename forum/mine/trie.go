package mine

import "anonymooc/forum/detect"

// Side is the side of a name that a context stands on.
type Side uint8

// The sides.
const (
	Left Side = iota
	Right
)

// node is one context: the items from its root, nearest to the name first.
type node struct {
	item    uint32
	parent  int32
	depth   int32
	total   int32 // occurrences in the corpus
	known   int32 // of these, beside a known form
	grown   bool  // too frequent or too empty: its longer contexts count
	empty   bool  // holds neither a word nor a category
	trust   float64
	classes []classCount
}

// classCount says how often a category stood beside a context.
type classCount struct {
	class uint8
	count int32
}

// trie holds contexts of one side. Node 0 is the empty context.
type trie struct {
	view  *view
	side  Side
	nodes []node
	first []int32          // contexts of one item, by item: 0 for none
	next  map[uint64]int32 // longer ones, by parent and item
}

func newTrie(v *view, side Side) *trie {
	return &trie{
		view: v, side: side, nodes: []node{{empty: true}},
		first: make([]int32, len(v.corpus.keys)+len(v.category)), next: make(map[uint64]int32),
	}
}

// child finds the context that has one more item; 0 when there is none.
func (t *trie) child(parent int32, item uint32) int32 {
	if parent == 0 {
		return t.first[item]
	}
	return t.next[uint64(parent)<<32|uint64(item)]
}

// add gives the context that has one more item, and makes it if need be.
func (t *trie) add(parent int32, item uint32) int32 {
	if n := t.child(parent, item); n != 0 {
		return n
	}
	n := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{
		item: item, parent: parent, depth: t.nodes[parent].depth + 1,
		empty: t.nodes[parent].empty && !t.view.telling(item),
	})
	if parent == 0 {
		t.first[item] = n
	} else {
		t.next[uint64(parent)<<32|uint64(item)] = n
	}
	return n
}

// leaf follows the words beside a place as far as contexts go and gives the
// longest one that stands there.
func (t *trie) leaf(at int) int32 {
	n := int32(0)
	for {
		if at = t.view.step(at, t.side); at < 0 {
			return n
		}
		longer := t.child(n, t.view.item(at))
		if longer == 0 {
			return n
		}
		n = longer
		if !t.nodes[n].grown || t.view.corpus.stream[at] == boundary {
			return n
		}
	}
}

// all calls visit with every context beside a place, shortest first.
func (t *trie) all(at int, visit func(n int32)) {
	for n := int32(0); ; {
		if at = t.view.step(at, t.side); at < 0 {
			return
		}
		if n = t.child(n, t.view.item(at)); n == 0 {
			return
		}
		visit(n)
	}
}

// count adds one occurrence of a context, beside a known form of a class or
// beside anything else (class 0).
func (t *trie) count(n int32, class uint8) {
	node := &t.nodes[n]
	node.total++
	if class == 0 {
		return
	}
	node.known++
	for i := range node.classes {
		if node.classes[i].class == class {
			node.classes[i].count++
			return
		}
	}
	node.classes = append(node.classes, classCount{class, 1})
}

// category is what a context stands beside most often.
func (t *trie) category(n int32) detect.Category {
	var most classCount
	for _, c := range t.nodes[n].classes {
		if c.count > most.count || c.count == most.count && c.class < most.class {
			most = c
		}
	}
	if most.class == 0 {
		return detect.FirstName
	}
	return t.view.category[most.class-1]
}

// items gives a context's items in the order they are read.
func (t *trie) items(n int32) []string {
	items := make([]string, t.nodes[n].depth)
	for at := 0; n != 0; n = t.nodes[n].parent {
		place := at // Left: the item farthest from the name comes first
		if t.side == Right {
			place = len(items) - 1 - at
		}
		items[place] = t.view.itemText(t.nodes[n].item)
		at++
	}
	return items
}
