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

// leaf is one value of a JSON text, or one field of a table.
type leaf struct {
	path []string // keys; elements of lists have none of their own
	key  string   // the path and the places in lists: the same for the same value
	text []byte   // decoded
	raw  []byte   // as it is written
	kind leafKind
}

// leafReader takes a JSON text apart. It is used where two texts are compared,
// one from the export and one from the release.
type leafReader struct {
	leaves []leaf
	path   []string
	key    []byte
}

// read gives the leaves of a JSON text, and of JSON texts in its strings; false
// when it is no JSON to its end.
func (l *leafReader) read(text []byte) ([]leaf, bool) {
	l.leaves, l.path, l.key = l.leaves[:0], l.path[:0], l.key[:0]
	r := reader{text: text}
	ok := l.member(&r, 0)
	r.space()
	return l.leaves, ok && r.at == len(text)
}

func (l *leafReader) add(text, raw []byte, kind leafKind) {
	l.leaves = append(l.leaves, leaf{path: append([]string(nil), l.path...), key: string(l.key), text: text, raw: raw, kind: kind})
}

func (l *leafReader) member(r *reader, nesting int) bool {
	r.space()
	if r.at == len(r.text) || nesting > deepest {
		return false
	}
	start := r.at
	switch r.text[r.at] {
	case '{', '[':
		return l.group(r, nesting)
	case '"':
		raw, escaped, ok := r.quoted()
		if !ok {
			return false
		}
		plain := raw
		if escaped {
			plain = unquote(nil, raw)
		}
		l.add(plain, raw, leafString)
		if inner := bytes.TrimSpace(plain); len(inner) > 0 && inner[0] == '{' {
			l.nested(inner, nesting)
		}
		return true
	}
	for r.at < len(r.text) && bytes.IndexByte([]byte(",]} \t\r\n"), r.text[r.at]) < 0 {
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
	l.add(token, token, kind)
	return true
}

// nested reads JSON in a string; when it is none, the string stays one leaf.
func (l *leafReader) nested(text []byte, nesting int) {
	before, path, key := len(l.leaves), len(l.path), len(l.key)
	l.key = append(l.key, '\\')
	r := reader{text: text}
	if ok := l.member(&r, nesting+1); !ok || r.at != len(text) {
		l.leaves = l.leaves[:before]
	} else {
		l.leaves = append(l.leaves[:before-1], l.leaves[before:]...) // its leaves stand for the string
	}
	l.path, l.key = l.path[:path], l.key[:key]
}

// group reads an object or a list.
func (l *leafReader) group(r *reader, nesting int) bool {
	object := r.text[r.at] == '{'
	last := byte(']')
	if object {
		last = '}'
	}
	path, key := len(l.path), len(l.key)
	r.at++
	if r.space(); r.at < len(r.text) && r.text[r.at] == last {
		r.at++
		return true
	}
	for element := 0; ; element++ {
		r.space()
		if object {
			raw, escaped, ok := r.quoted()
			if !ok {
				return false
			}
			if escaped {
				raw = unquote(nil, raw)
			}
			if r.space(); r.at == len(r.text) || r.text[r.at] != ':' {
				return false
			}
			r.at++
			l.path = append(l.path, string(raw))
			l.key = append(append(l.key, '.'), raw...)
		} else {
			l.key = append(l.key, '[', byte(element), byte(element>>8), byte(element>>16))
		}
		if !l.member(r, nesting+1) {
			return false
		}
		l.path, l.key = l.path[:path], l.key[:key]
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
