package jsonedit

import (
	"errors"
	"fmt"
	"strings"
)

// None marks the absence of a rule.
const None Rule = -1

// Rule is the number of a rule: what it means is the Handler's business.
type Rule int32

// Binding gives one path pattern its rule.
//
// A path is a list of object keys joined by dots; arrays are transparent, so a
// rule for "users" treats the elements of a list as well as a single value.
//
//	username            the key "username" of the outermost object
//	context.user_id     the key "user_id" of the object "context"
//	event.*.answer      any key in the place of the star
//	**.user_id          the key "user_id" at any depth
//	**.*_user_id        any key that ends in "_user_id", at any depth
//
// A rule on an object or a list holds for everything in it that no other rule
// names, unless it is flat. The nearest pattern wins: a full path before a "**." pattern, an exact
// key before one with a star, and any of them before what is inherited.
type Binding struct {
	Path string
	Rule Rule
	// Embedded says that a string here may itself hold JSON, which is then
	// edited with the patterns below this path.
	Embedded bool
	// Drop removes the member, key and all.
	Drop bool
	// Flat keeps the rule out of objects below the value: their members are
	// other values. It still holds for the elements of lists, and inside the
	// wrappers of extended JSON, whose only key starts with "$".
	Flat bool
}

// Paths is a compiled list of bindings, safe for concurrent use.
type Paths struct {
	root      *node
	deep      *node // where no full path leads: only the "**." patterns hold
	suffixes  []suffix
	otherwise Rule

	// EmbeddedEverywhere follows every string that looks like JSON, not only
	// those whose path says so.
	EmbeddedEverywhere bool
}

type node struct {
	rule     Rule
	embedded bool
	drop     bool
	flat     bool
	keys     map[string]*node // full paths and "**." patterns merged
	table    keyTable         // of keys, once compiled
	star     *node
}

type suffix struct {
	prefix, suffix string
	node           *node
}

// Compile checks the bindings and makes the tables for them. Values that no
// binding names get the rule otherwise.
func Compile(bindings []Binding, otherwise Rule) (*Paths, error) {
	p := &Paths{root: newNode(), deep: newNode(), otherwise: otherwise}
	exact := map[string]*node{}
	for _, b := range bindings {
		if deep, ok := strings.CutPrefix(b.Path, "**."); ok {
			if err := p.addDeep(exact, deep, b); err != nil {
				return nil, err
			}
			continue
		}
		if err := p.addFull(b); err != nil {
			return nil, err
		}
	}
	p.deep.keys = exact
	p.deep.table = newKeyTable(exact)
	mergeDeep(p.root, exact)
	return p, nil
}

func newNode() *node { return &node{rule: None, keys: map[string]*node{}, table: newKeyTable(nil)} }

func (n *node) bind(b Binding) error {
	if n.rule != None {
		return fmt.Errorf("path %q has two rules", b.Path)
	}
	n.rule, n.embedded, n.drop, n.flat = b.Rule, b.Embedded, b.Drop, b.Flat
	return nil
}

func (p *Paths) addDeep(exact map[string]*node, key string, b Binding) error {
	if key == "" || strings.Contains(key, ".") {
		return fmt.Errorf("path %q: after \"**.\" stands one key", b.Path)
	}
	n := newNode()
	if err := n.bind(b); err != nil {
		return err
	}
	before, after, star := strings.Cut(key, "*")
	if !star {
		if exact[key] != nil {
			return fmt.Errorf("path %q has two rules", b.Path)
		}
		exact[key] = n
		return nil
	}
	if before+after == "" || strings.Contains(after, "*") {
		return fmt.Errorf("path %q: one star, and something beside it", b.Path)
	}
	p.suffixes = append(p.suffixes, suffix{before, after, n})
	return nil
}

func (p *Paths) addFull(b Binding) error {
	if b.Path == "" {
		return errors.New("empty path")
	}
	at := p.root
	for _, key := range strings.Split(b.Path, ".") {
		switch {
		case key == "" || key == "**" || (key != "*" && strings.Contains(key, "*")):
			return fmt.Errorf("path %q: a key is a name or a star", b.Path)
		case key == "*":
			if at.star == nil {
				at.star = newNode()
			}
			at = at.star
		default:
			if at.keys[key] == nil {
				at.keys[key] = newNode()
			}
			at = at.keys[key]
		}
	}
	return at.bind(b)
}

// mergeDeep puts the "**." patterns into the table of every node of the full
// paths, so that one look-up finds either.
func mergeDeep(n *node, exact map[string]*node) {
	for _, child := range n.keys {
		mergeDeep(child, exact)
	}
	if n.star != nil {
		mergeDeep(n.star, exact)
	}
	for key, d := range exact {
		have := n.keys[key]
		if have == nil {
			n.keys[key] = d
		} else if have.rule == None {
			have.rule, have.embedded, have.drop, have.flat = d.rule, d.embedded, d.drop, d.flat
		}
	}
	n.table = newKeyTable(n.keys)
}

// pattern finds the "**." pattern with a star that a key fits, or nil.
func (p *Paths) pattern(key string) *node {
	for i := range p.suffixes {
		s := &p.suffixes[i]
		if len(key) >= len(s.prefix)+len(s.suffix) && strings.HasPrefix(key, s.prefix) && strings.HasSuffix(key, s.suffix) {
			return s.node
		}
	}
	return nil
}
