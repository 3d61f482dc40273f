package jsonedit

func (e *Editor) list(depth, nest int, at *node, rule Rule) error {
	l := e.levels[depth]
	l.pos++
	l.whole = l.pos
	l.space()
	if l.pos < len(l.src) && l.src[l.pos] == ']' {
		l.pos++
		return nil
	}
	for {
		if err := e.value(depth, nest, at, rule); err != nil {
			return err
		}
		e.beside = e.beside[:0]
		l.space()
		if l.pos >= len(l.src) {
			return errCut
		}
		c := l.src[l.pos]
		l.pos++
		if c == ']' {
			return nil
		}
		if c != ',' {
			l.pos--
			return l.syntax("a list wants a comma or its end")
		}
		l.space()
	}
}

func (e *Editor) object(depth, nest int, at *node, inherited Rule) error {
	l := e.levels[depth]
	l.pos++
	l.whole = l.pos
	separator := l.pos // where the bytes start that a dropped member takes along
	kept := false      // some member before this one stays
	order := order{people: e.handler.KeyedByPeople(&e.path)}
	if !order.people { // an object keyed by people has no order to remember
		order.steps = e.steps(at)
	}
	l.space()
	if l.pos < len(l.src) && l.src[l.pos] == '}' {
		l.pos++
		return nil
	}
	for {
		dropped, err := e.member(depth, nest, at, inherited, &order)
		if err != nil {
			return err
		}
		l.space()
		if l.pos >= len(l.src) {
			return errCut
		}
		c := l.src[l.pos]
		if c != ',' && c != '}' {
			return l.syntax("an object wants a comma or its end")
		}
		switch {
		case !dropped:
			kept = true
		case kept: // the comma before it goes, the one behind it stays
			l.replace(separator, l.pos)
		case c == ',': // it was the first: the comma behind it goes
			l.replace(separator, l.pos+1)
		default:
			l.replace(separator, l.pos)
		}
		separator = l.pos
		l.pos++
		if c == '}' {
			return nil
		}
		if !kept {
			separator = l.pos
		}
		l.space()
	}
}

// member reads `"key": value`.
func (e *Editor) member(depth, nest int, at *node, inherited Rule, o *order) (dropped bool, err error) {
	l := e.levels[depth]
	key, child, ok := o.guess(l)
	if !ok {
		if key, child, err = e.key(l, at, o); err != nil {
			return false, err
		}
	}
	l.space()
	if l.pos >= len(l.src) {
		return false, errCut
	}
	if l.src[l.pos] != ':' {
		return false, l.syntax("a key wants a colon")
	}
	l.pos++
	l.space()
	rule := inherited
	if at != nil && at.flat && (len(key) == 0 || key[0] != '$') {
		rule = e.paths.otherwise
	}
	if child != nil {
		if child.rule != None {
			rule = child.rule
		}
		if child.drop {
			return true, skip(l, nest)
		}
	}
	e.path.push(key)
	err = e.value(depth, nest, child, rule)
	e.path.pop()
	if len(e.beside) > 0 && err == nil {
		l.replace(l.pos, l.pos)
		l.dst = append(append(l.dst, ", "...), e.beside...)
		e.beside = e.beside[:0]
	}
	return false, err
}

// key reads a key in quotes, finds its node, and replaces the key where it names
// someone. A key whose value is missing is given up with what follows: see whole.
func (e *Editor) key(l *level, at *node, o *order) (key []byte, child *node, err error) {
	start := l.pos
	if l.pos >= len(l.src) {
		return nil, nil, errCut
	}
	if l.src[l.pos] != '"' {
		return nil, nil, l.syntax("an object wants a key in quotes")
	}
	key, escaped, err := l.text()
	if err != nil {
		return nil, nil, err
	}
	if escaped {
		l.scratch = unescape(l.scratch[:0], key)
		key = l.scratch
	}
	child, settled := e.keyNode(l, at, key, start, l.pos, o.people)
	if settled && !escaped && !o.people {
		o.learn(key, child)
	}
	return key, child, nil
}

// keyNode finds the node of a key. settled is true when the answer for this key
// is always the same and the key stays as it is.
func (e *Editor) keyNode(l *level, at *node, key []byte, start, end int, people bool) (child *node, settled bool) {
	child, fate, settled := e.findKey(at, key, people)
	if fate.changed && (child == nil || !child.drop) { // a member that goes takes its key along
		l.replace(start, end)
		l.dst = AppendQuoted(l.dst, fate.replaced)
	}
	return child, settled && !fate.changed
}

// findKey finds the node of a key and, for keys that no path names, what becomes
// of the key. seen says that this key was looked up before.
func (e *Editor) findKey(at *node, key []byte, people bool) (child *node, fate keyFate, seen bool) {
	from := at
	if from == nil || len(from.keys) == 0 {
		from = e.paths.deep
	}
	if n := from.table.get(key); n != nil {
		return n, keyFate{}, true
	}
	fates := e.keys[0]
	if people {
		fates = e.keys[1]
	}
	fate, seen = fates[string(key)]
	if !seen {
		fate = e.decideKey(fates, string(key), people)
	}
	if fate.node != nil {
		return fate.node, fate, seen
	}
	if at != nil {
		return at.star, fate, seen
	}
	return nil, fate, seen
}

func (e *Editor) decideKey(fates map[string]keyFate, key string, people bool) keyFate {
	fate := keyFate{node: e.paths.pattern(key)}
	replaced, changed := e.handler.Key(nil, key, people)
	if changed {
		fate.replaced, fate.changed = string(replaced), true
	}
	if len(fates) >= keyFates {
		clear(fates)
	}
	fates[key] = fate
	return fate
}

// nothing names no path.
var nothing = &Paths{root: newNode(), deep: newNode(), otherwise: None}

// skip moves behind a value that is to be dropped, and checks it all the same.
func skip(l *level, nest int) error {
	s := NewEditor(nothing, ignore{})
	s.level(0).begin(l.src, nil, l.inner)
	s.levels[0].pos = l.pos
	err := s.value(0, nest, nil, None)
	l.pos = s.levels[0].pos
	return err
}

type ignore struct{}

func (ignore) Value(dst []byte, _ Rule, _ Scalar) ([]byte, []byte, Outcome, error) {
	return dst, nil, Keep, nil
}
func (ignore) Key(dst []byte, _ string, _ bool) ([]byte, bool) { return dst, false }
func (ignore) KeyedByPeople(*Path) bool                        { return false }
