package verify

import "bytes"

// looksJSON reports whether a value is JSON, or the beginning of some.
func looksJSON(value []byte) bool {
	if len(value) < 2 {
		return false
	}
	switch value[0] {
	case '{':
		rest := bytes.TrimLeft(value[1:], " \t\r\n")
		return len(rest) == 0 || rest[0] == '"' || rest[0] == '}'
	case '[':
		rest := bytes.TrimLeft(value[1:], " \t\r\n")
		return len(rest) > 0 && (bytes.IndexByte([]byte(`"{[]-`), rest[0]) >= 0 || rest[0] >= '0' && rest[0] <= '9' ||
			bytes.HasPrefix(rest, []byte("null")) || bytes.HasPrefix(rest, []byte("true")) || bytes.HasPrefix(rest, []byte("false")))
	case '"':
		return len(value) > 1 && value[len(value)-1] == '"'
	}
	return false
}

// reader walks through one JSON text. It is lenient: what comes before an error
// has been judged, and what comes behind it is handed back to be read as text.
type reader struct {
	text []byte
	at   int
}

// document judges the leaves of a JSON text. When it is no JSON to its end, the
// rest from the last whole value on is returned with false.
func (c *checker) document(text []byte, p place, depth int) ([]byte, bool) {
	r := reader{text: text}
	steps := len(c.path)
	ok := c.member(&r, p, depth, 0)
	c.path = c.path[:steps]
	if ok {
		r.space()
	}
	if !ok || r.at < len(text) {
		return text[r.at:], false
	}
	return nil, true
}

func (r *reader) space() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\t', '\r', '\n':
			r.at++
		default:
			return
		}
	}
}

// deepest bounds the nesting of lists and objects.
const deepest = 200

// member judges one value, whatever it is.
func (c *checker) member(r *reader, p place, depth, nesting int) bool {
	r.space()
	if r.at == len(r.text) || nesting > deepest {
		return false
	}
	switch r.text[r.at] {
	case '{':
		return c.object(r, p, depth, nesting)
	case '[':
		return c.list(r, p, depth, nesting)
	case '"':
		raw, escaped, ok := r.quoted()
		if !ok {
			return false
		}
		c.leaf(raw, escaped, p, depth)
		return true
	}
	start := r.at
	for r.at < len(r.text) && bytes.IndexByte([]byte(",]} \t\r\n"), r.text[r.at]) < 0 {
		r.at++
	}
	token := r.text[start:r.at]
	if !literal(token) {
		r.at = start
		return false
	}
	c.number(token, p)
	return true
}

// literal reports whether a token is a number or one of JSON's three words;
// Python's NaN and Infinity occur too.
func literal(token []byte) bool {
	switch string(token) {
	case "null", "true", "false", "NaN", "Infinity", "-Infinity":
		return true
	}
	for i, c := range token {
		if !(c >= '0' && c <= '9' || i > 0 && (c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-') || i == 0 && c == '-') {
			return false
		}
	}
	return len(token) > 0
}

// number judges a number, which may be a person's.
func (c *checker) number(token []byte, p place) {
	if token[0] > '9' {
		return // null, true, false
	}
	if p == numberPlace || p == namePlace || p == personPlace {
		c.whole(token, p)
	} else if len(token) >= 8 {
		c.plain(token, p)
	}
}

func (c *checker) object(r *reader, p place, depth, nesting int) bool {
	r.at++
	r.space()
	if r.at < len(r.text) && r.text[r.at] == '}' {
		r.at++
		return true
	}
	for {
		r.space()
		before := r.at
		raw, escaped, ok := r.quoted()
		if !ok {
			return false
		}
		key := raw
		if escaped {
			key, _ = decode(nil, raw)
		}
		if r.space(); r.at == len(r.text) || r.text[r.at] != ':' {
			r.at = before
			return false
		}
		r.at++
		c.key(key, p)
		c.path = append(c.path, step{key: key})
		if !c.member(r, c.placeOf(p, key), depth, nesting+1) {
			return false
		}
		c.path = c.path[:len(c.path)-1]
		r.space()
		if r.at == len(r.text) {
			return false
		}
		mark := r.text[r.at]
		r.at++
		if mark == '}' {
			return true
		}
		if mark != ',' {
			return false
		}
	}
}

func (c *checker) list(r *reader, p place, depth, nesting int) bool {
	r.at++
	r.space()
	if r.at < len(r.text) && r.text[r.at] == ']' {
		r.at++
		return true
	}
	c.path = append(c.path, step{index: true})
	for {
		if !c.member(r, p, depth, nesting+1) {
			return false
		}
		r.space()
		if r.at == len(r.text) {
			return false
		}
		mark := r.text[r.at]
		r.at++
		if mark == ']' {
			c.path = c.path[:len(c.path)-1]
			return true
		}
		if mark != ',' {
			return false
		}
	}
}

// placeOf tells the place of a member. The lists of a forum's votes hold people.
func (c *checker) placeOf(p place, key []byte) place {
	if n := len(c.path); n > 1 && (string(key) == "up" || string(key) == "down") && string(c.path[n-2].key) == "votes" {
		return numberPlace
	}
	if c.schema.describes {
		return anyPlace
	}
	return p.child(key)
}

// quoted reads a string and leaves r behind it; on failure r stays.
func (r *reader) quoted() (raw []byte, escaped, ok bool) {
	if r.at == len(r.text) || r.text[r.at] != '"' {
		return nil, false, false
	}
	start := r.at + 1
	for at := start; ; {
		i := bytes.IndexByte(r.text[at:], '"')
		if i < 0 {
			return nil, false, false
		}
		end := at + i
		slashes := 0
		for end-slashes > start && r.text[end-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			raw = r.text[start:end]
			r.at = end + 1
			return raw, bytes.IndexByte(raw, '\\') >= 0, true
		}
		at = end + 1
	}
}

// leaf judges a string of a JSON text.
func (c *checker) leaf(raw []byte, escaped bool, p place, depth int) {
	if !escaped {
		c.value(raw, p, depth)
		return
	}
	if depth > maximumDepth {
		c.text(raw, p, depth)
		return
	}
	plain := unquote(c.decoded[depth][:0], raw)
	c.decoded[depth] = plain
	c.value(plain, p, depth+1)
}

// unquote appends the text of a JSON string: backslash escapes only.
func unquote(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		next := bytes.IndexByte(raw[i:], '\\')
		if next < 0 {
			return append(dst, raw[i:]...)
		}
		dst = append(dst, raw[i:i+next]...)
		i += next
		size := 0
		if i+1 < len(raw) && raw[i+1] == 'n' {
			dst, size = append(dst, '\n'), 2
		} else {
			dst, size = decodeBackslash(dst, raw[i:])
		}
		if size == 0 {
			dst = append(dst, raw[i])
			size = 1
		}
		i += size
	}
	return dst
}

// key judges a JSON key: some payloads are keyed by usernames.
func (c *checker) key(key []byte, p place) {
	if len(key) < 3 || placeOf(key) != anyPlace || c.schema.words[string(key)] {
		return
	}
	c.path = append(c.path, step{key: key})
	c.plain(key, contentOr(p))
	c.path = c.path[:len(c.path)-1]
}

// contentOr makes a key of text a text, and any other key a place of its own.
func contentOr(p place) place {
	if p == textPlace {
		return textPlace
	}
	return anyPlace
}
