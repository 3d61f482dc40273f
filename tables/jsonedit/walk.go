package jsonedit

// The paths and the handler of an Editor hold for documents in other notations
// too. Whoever reads one walks along: Root, Enter, Ask, Leave.

// Place is where a walk stands among the paths.
type Place struct {
	node *node
	rule Rule
}

// Root begins a walk through a document.
func (e *Editor) Root() Place {
	e.path.reset()
	return Place{e.paths.root, e.paths.otherwise}
}

// KeyedByPeople asks whether the keys of the object at hand are people.
func (e *Editor) KeyedByPeople() bool { return e.handler.KeyedByPeople(&e.path) }

// Enter goes to a member of the object at a place; Leave goes back. With drop,
// the member goes, key and all, and there is nothing to leave. A key that names
// someone is to be written as renamed, unless that is empty.
func (e *Editor) Enter(at Place, key []byte, people bool) (to Place, renamed string, drop bool) {
	child, fate, _ := e.findKey(at.node, key, people)
	to = Place{child, e.ruleOf(at.node, at.rule, key, child)}
	if child != nil && child.drop {
		return to, "", true
	}
	if fate.changed {
		renamed = fate.replaced
	}
	e.path.push(key)
	return to, renamed, false
}

// Leave goes back to where Enter came from.
func (e *Editor) Leave() { e.path.pop() }

// Ask lets the handler decide about the scalar at hand.
func (e *Editor) Ask(dst []byte, at Place, kind Type, text []byte) (out, beside []byte, o Outcome, err error) {
	e.spot = Spot{Type: kind, Path: &e.path}
	return e.handler.Value(dst, at.rule, Scalar{text, &e.spot})
}

// Embedded edits JSON that stands in the text at hand, by the paths below. done
// is false when the text is no JSON and is the handler's to treat; out is nil
// when nothing was changed, and valid until the next call.
func (e *Editor) Embedded(at Place, text []byte) (out []byte, done bool, err error) {
	if !looksLikeStart(text) || !e.paths.EmbeddedEverywhere && (at.node == nil || !at.node.embedded) {
		return nil, false, nil
	}
	e.beside = e.beside[:0]
	return e.inside(0, &place{embedded: true, deep: len(e.path.ends), rule: at.rule, node: at.node, path: e.path.bytes}, text)
}
