package verify

import "strings"

// tree holds the ways to the values of a file's JSON texts, so that what is known
// of a path is asked for once and not at every value. It belongs to one worker.
type tree struct {
	schema *schema
	wanted func(*way) bool
	root   *spot
	spots  int
	ways   uint64 // how many were made
	texts  uint64 // how many were begun
}

// maximumSpots bounds a tree: where keys are data, there is no end of them. A tree
// that has grown beyond is begun anew with the next text.
const maximumSpots = 1 << 15

// way is a path: keys only. Elements of lists and JSON in strings have the way of
// what holds them.
type way struct {
	keys    []string
	number  uint64 // of this way among the tree's
	members map[string]*way
	wanted  bool // whether its leaves are to be read

	action   string
	key      bool // the action makes keys
	replaced bool // values here are to be held against their surrogates
	place    place

	kind   Kind   // of the identifiers that the export holds there; "" for none
	common bool   // they may stand elsewhere: see Known
	join   string // column of joinRules, for a forum
	shown  string // how reports write it; "" when none was asked for
}

// spot is a place in a text: a way, and where in lists and in which text in a string.
type spot struct {
	way      *way
	name     string
	plain    bool // the name is written as it is
	members  map[string]*spot
	elements []*spot
	inner    *spot // in the text that a string is
	first    *spot // the member that came first, the last time
	next     *spot // the member that came behind this one

	text uint64 // in which a leaf was last met here
	leaf int32  // its place among the leaves
}

// newTree makes a tree; wanted says which leaves are to be read, nil all.
func newTree(s *schema, wanted func(*way) bool) *tree {
	return &tree{schema: s, wanted: wanted}
}

// begin is called before each text, or pair of texts.
func (t *tree) begin() {
	t.texts++
	if t.root == nil || t.spots > maximumSpots {
		t.spots = 0
		t.root = t.spot(t.way(nil), "")
	}
}

func (t *tree) spot(w *way, name string) *spot {
	t.spots++
	return &spot{way: w, name: name, plain: strings.IndexFunc(name, func(r rune) bool { return r == '"' || r == '\\' }) < 0}
}

func (t *tree) member(of *spot, key []byte) *spot {
	if next := of.members[string(key)]; next != nil {
		return next
	}
	name := string(key)
	w := of.way.members[name]
	if w == nil {
		if of.way.members == nil {
			of.way.members = map[string]*way{}
		}
		w = t.way(append(of.way.keys[:len(of.way.keys):len(of.way.keys)], name))
		of.way.members[name] = w
	}
	if of.members == nil {
		of.members = map[string]*spot{}
	}
	next := t.spot(w, name)
	of.members[name] = next
	return next
}

func (t *tree) element(of *spot, i int) *spot {
	if i == len(of.elements) {
		of.elements = append(of.elements, t.spot(of.way, ""))
	}
	return of.elements[i]
}

func (t *tree) inner(of *spot) *spot {
	if of.inner == nil {
		of.inner = t.spot(of.way, "")
	}
	return of.inner
}

// written reports whether a text begins with the spot's key in quotes.
func (s *spot) written(text []byte) bool {
	n := len(s.name)
	return s.plain && len(text) > n+1 && text[0] == '"' && text[n+1] == '"' && string(text[1:n+1]) == s.name
}

// way tells what is known of a path.
func (t *tree) way(keys []string) *way {
	t.ways++
	w := &way{keys: keys, number: t.ways << 32, wanted: true}
	if len(keys) > 0 {
		last := keys[len(keys)-1]
		w.action = t.schema.action(keys)
		w.place = placeOf([]byte(last))
		w.key = family(w.action) == "key"
		w.replaced = w.action != "" && (w.key || w.place == numberPlace || w.place == namePlace || w.place == addressPlace)
		if w.action != "keep" {
			w.kind = harvestedKind(t.schema.table, last)
		}
		// The key of a piece of work names nobody, and joins with nothing outside
		// the platform: that it is still there is told, and is no residual.
		w.common = last == "submission_uuid"
		if t.schema.table == "forum" {
			w.join = forumColumn(keys)
		}
	}
	if t.wanted != nil {
		w.wanted = t.wanted(w)
	}
	return w
}
