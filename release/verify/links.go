package verify

import "bytes"

// links judges who stands in the URLs and query strings of a text: behind /u/,
// /progress/ or user= stands a pseudonym, whatever the word.
func (c *checker) links(text []byte) {
	if bytes.IndexByte(text, '/') < 0 && bytes.IndexByte(text, '=') < 0 {
		return
	}
	var before []byte
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && !endsSegment(text[end]) {
			end++
		}
		segment := text[at:end]
		position := noPosition
		if end < len(text) {
			switch text[end] {
			case '/':
				position = behindSegment(segment)
			case '=':
				position = behindParameter(segment)
			}
		}
		if position != noPosition {
			stop := end + 1
			for stop < len(text) && !endsSegment(text[stop]) {
				stop++
			}
			c.linked(text[end+1:stop], position, string(before) == "forum")
		}
		before = segment
		at = end + 1
	}
}

func endsSegment(c byte) bool {
	switch c {
	case '/', '=', '?', '&', '#', ';', '"', '\'', '<', '>', ' ', '\t', '\n', '\r', ',', ')', '(', '{', '}':
		return true
	}
	return false
}

// linked judges one value behind a segment or parameter.
func (c *checker) linked(value []byte, position linkPosition, forum bool) {
	if bytes.IndexByte(value, '%') >= 0 {
		value, _ = decode(nil, value)
	}
	if len(value) == 0 || masked(value) || c.pseudonym(value) {
		return
	}
	digits := allDigits(value)
	switch {
	case digits && len(value) <= 12:
		c.found.residual(c, numberOfUserID, "not a pseudonym, in a link")
	case position == numberPosition, digits:
	case position == namePosition && !platformWords[string(bytes.ToLower(value))]:
		if bytes.IndexByte(value, '@') < 0 { // an address is judged by its shape
			c.found.residual(c, numberOfUsername, "not a pseudonym, in a link")
		}
	default:
		if kind, ok := c.known(value); ok && !platformWords[string(bytes.ToLower(value))] {
			c.found.residual(c, kind, "known, in a link")
		} else if forum {
			c.found.unjudged(c, numberOfUsername, "behind /users/ in a link")
		}
	}
}

// known reports whether a value as a whole is a known identifier, an ordinary
// word or not.
func (c *checker) known(value []byte) (kindNumber, bool) {
	for _, h := range c.second.find(value) {
		if h.start == 0 && int(h.end) == len(value) {
			return h.kind, true
		}
	}
	return 0, false
}
