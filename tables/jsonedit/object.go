package jsonedit

func (e *Editor) list(l *level, nest int, at *place) error {
	l.pos++
	l.whole = l.pos
	l.space()
	if l.pos < len(l.src) && l.src[l.pos] == ']' {
		l.pos++
		return nil
	}
	for {
		if err := e.value(l, nest, at); err != nil {
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

func (e *Editor) object(l *level, nest int, at *place) error {
	l.pos++
	l.whole = l.pos
	separator := l.pos // where the bytes start that a dropped member takes along
	kept := false      // some member before this one stays
	last := uint8(0)   // the step that came
	people := e.keyedByPeople(at)
	l.space()
	if l.pos < len(l.src) && l.src[l.pos] == '}' {
		l.pos++
		return nil
	}
	for {
		dropped, err := e.member(l, nest, at, &last, people)
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
func (e *Editor) member(l *level, nest int, at *place, last *uint8, people bool) (dropped bool, err error) {
	var to *place
	if n := at.guess(l, *last); n != 0 {
		to, *last = at.steps[n].to, n
	} else if to, err = e.key(l, at, last, people); err != nil {
		return false, err
	}
	l.space()
	if to.node != nil && to.node.drop {
		return true, e.skip(l, nest)
	}
	if err = e.value(l, nest, to); len(e.beside) > 0 && err == nil {
		l.replace(l.pos, l.pos)
		l.dst = append(append(l.dst, ", "...), e.beside...)
		e.beside = e.beside[:0]
	}
	return false, err
}

// key reads a key in quotes and its colon, finds its place, and replaces the key
// where it names someone. A key whose value is missing is given up with what
// follows: see whole.
func (e *Editor) key(l *level, at *place, last *uint8, people bool) (*place, error) {
	start := l.pos
	if l.pos >= len(l.src) {
		return nil, errCut
	}
	if l.src[l.pos] != '"' {
		return nil, l.syntax("an object wants a key in quotes")
	}
	key, escaped, err := l.text()
	if err != nil {
		return nil, err
	}
	end := l.pos
	if n := at.find(key); n != 0 && !escaped {
		at.follow(*last, n)
		*last = n
		return at.steps[n].to, l.colon()
	}
	if escaped {
		l.scratch = unescape(l.scratch[:0], key)
		key = l.scratch
	}
	child, fate, settled := e.findKey(at.node, key, people)
	if fate.changed && (child == nil || !child.drop) { // a member that goes takes its key along
		l.replace(start, end)
		l.dst = AppendQuoted(l.dst, fate.replaced)
	}
	if err := l.colon(); err != nil {
		return nil, err
	}
	text := l.src[start:l.pos]
	keep := at.kept && settled && !fate.changed && !escaped && !people &&
		len(at.steps) < knownSteps && e.places < knownPlaces && len(text) <= longestStep
	to := e.enter(at, key, child, keep)
	if keep {
		n := at.learn(text, end-start-1, to)
		at.follow(*last, n)
		*last = n
	}
	return to, nil
}

// colon moves behind the colon of a key, and one blank.
func (l *level) colon() error {
	l.space()
	if l.pos >= len(l.src) {
		return errCut
	}
	if l.src[l.pos] != ':' {
		return l.syntax("a key wants a colon")
	}
	if l.pos++; l.pos < len(l.src) && l.src[l.pos] == ' ' {
		l.pos++
	}
	return nil
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
func (e *Editor) skip(l *level, nest int) error {
	if e.skipper == nil {
		e.skipper = NewEditor(nothing, ignore{})
	}
	inner := e.skipper.level(0)
	inner.begin(l.src, nil, l.inner)
	inner.pos = l.pos
	err := e.skipper.value(inner, nest, e.skipper.root)
	l.pos = inner.pos
	return err
}

type ignore struct{}

func (ignore) Value(dst []byte, _ Rule, _ Scalar) ([]byte, []byte, Outcome, error) {
	return dst, nil, Keep, nil
}
func (ignore) Key(dst []byte, _ string, _ bool) ([]byte, bool) { return dst, false }
func (ignore) KeyedByPeople(*Path) bool                        { return false }
