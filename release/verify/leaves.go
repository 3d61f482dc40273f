package verify

import "bytes"

// leafKind is the type of a JSON value.
type leafKind uint8

const (
	leafString leafKind = iota
	leafNumber
	leafNull
	leafBool
)

// leaf is one value of a JSON text. Its bytes are valid until the next text is read.
type leaf struct {
	spot    *spot
	raw     []byte // as it is written, without quotes
	kind    leafKind
	escaped bool
}

// leafReader takes a JSON text apart. It is used where two texts are compared,
// one from the export and one from the release: both readers then share a tree.
type leafReader struct {
	tree   *tree
	leaves []leaf
	plain  []byte // texts without their escapes
}

// read gives the leaves of a JSON text, and of JSON texts in its strings, as far
// as the tree wants them; false when it is no JSON to its end.
func (l *leafReader) read(text []byte) ([]leaf, bool) {
	l.leaves, l.plain = l.leaves[:0], l.plain[:0]
	r := reader{text: text}
	ok := l.member(&r, l.tree.root, 0)
	r.space()
	return l.leaves, ok && r.at == len(text)
}

// text is what a leaf says.
func (l *leafReader) text(of *leaf) []byte {
	if !of.escaped {
		return of.raw
	}
	return l.unquoted(of.raw)
}

func (l *leafReader) unquoted(raw []byte) []byte {
	from := len(l.plain)
	l.plain = unquote(l.plain, raw)
	return l.plain[from:len(l.plain):len(l.plain)]
}

func (l *leafReader) member(r *reader, at *spot, nesting int) bool {
	r.space()
	if r.at == len(r.text) || nesting > deepest {
		return false
	}
	start := r.at
	switch r.text[r.at] {
	case '{', '[':
		return l.group(r, at, nesting)
	case '"':
		raw, escaped, ok := r.quoted()
		if !ok {
			return false
		}
		if mayNest(raw) && l.nested(raw, escaped, at, nesting) {
			return true // its leaves stand for the string
		}
		if at.way.wanted {
			l.leaves = append(l.leaves, leaf{at, raw, leafString, escaped})
		}
		return true
	}
	for r.at < len(r.text) && !endsToken[r.text[r.at]] {
		r.at++
	}
	token := r.text[start:r.at]
	kind := leafNumber
	switch {
	case !literal(token):
		return false
	case token[0] == 'n':
		kind = leafNull
	case token[0] == 't' || token[0] == 'f':
		kind = leafBool
	}
	if at.way.wanted {
		l.leaves = append(l.leaves, leaf{at, token, kind, false})
	}
	return true
}

// endsToken marks the bytes behind a number or word.
var endsToken = [256]bool{',': true, ']': true, '}': true, ' ': true, '\t': true, '\r': true, '\n': true}

// mayNest reports whether a string may hold an object: it begins with a brace, or
// with what may be white space or an escaped brace.
func mayNest(raw []byte) bool {
	return len(raw) > 1 && (raw[0] == '{' || raw[0] == '\\' || raw[0] <= ' ' || raw[0] >= 0x80)
}

// nested reads JSON in a string; false when there is none, and the string is one
// leaf.
func (l *leafReader) nested(raw []byte, escaped bool, at *spot, nesting int) bool {
	if escaped {
		raw = l.unquoted(raw)
	}
	text := bytes.TrimSpace(raw)
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	before := len(l.leaves)
	r := reader{text: text}
	if !l.member(&r, l.tree.inner(at), nesting+1) || r.at != len(text) {
		l.leaves = l.leaves[:before]
		return false
	}
	return true
}

// group reads an object or a list.
func (l *leafReader) group(r *reader, at *spot, nesting int) bool {
	object := r.text[r.at] == '{'
	last := byte(']')
	if object {
		last = '}'
	}
	r.at++
	if r.space(); r.at < len(r.text) && r.text[r.at] == last {
		r.at++
		return true
	}
	var next *spot
	for element := 0; ; element++ {
		if object {
			r.space()
			if next = l.key(r, at, next); next == nil {
				return false
			}
			if r.space(); r.at == len(r.text) || r.text[r.at] != ':' {
				return false
			}
			r.at++
		} else {
			next = l.tree.element(at, element)
		}
		if !l.member(r, next, nesting+1) {
			return false
		}
		if r.space(); r.at == len(r.text) {
			return false
		}
		mark := r.text[r.at]
		r.at++
		if mark == last {
			return true
		}
		if mark != ',' {
			return false
		}
	}
}

// key reads a key and gives the spot of its value; nil when there is no key.
// Objects of one kind have their keys in one order: the key that came behind the
// one before is tried first.
func (l *leafReader) key(r *reader, at, before *spot) *spot {
	guess := &at.first
	if before != nil {
		guess = &before.next
	}
	if g := *guess; g != nil && g.written(r.text[r.at:]) {
		r.at += len(g.name) + 2
		return g
	}
	raw, escaped, ok := r.quoted()
	if !ok {
		return nil
	}
	if escaped {
		raw = l.unquoted(raw)
	}
	*guess = l.tree.member(at, raw)
	return *guess
}
