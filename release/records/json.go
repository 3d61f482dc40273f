package records

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Members calls visit for each member of the JSON object that text is, with the
// key and the value as it is written, until visit returns false. It copies
// nothing unless a key is written with escapes, and looks into values only as far
// as their ends. whole is false when text is no object to its end or, inside of
// what was visited, no JSON; what comes behind the first fault is not visited.
func Members(text []byte, visit func(key, value []byte) bool) (whole bool) {
	at := space(text, 0)
	if at == len(text) || text[at] != '{' {
		return false
	}
	if at = space(text, at+1); at < len(text) && text[at] == '}' {
		return space(text, at+1) == len(text)
	}
	for {
		end, escaped := quotedEnd(text, at)
		if end < 0 {
			return false
		}
		key := text[at+1 : end-1]
		if escaped {
			plain, ok := Unquote(nil, text[at:end])
			if !ok {
				return false
			}
			key = plain
		}
		if at = space(text, end); at == len(text) || text[at] != ':' {
			return false
		}
		at = space(text, at+1)
		if end = valueEnd(text, at); end < 0 {
			return false
		}
		if !visit(key, text[at:end]) {
			return true
		}
		if at = space(text, end); at == len(text) {
			return false
		}
		if text[at] == '}' {
			return space(text, at+1) == len(text)
		}
		if text[at] != ',' {
			return false
		}
		at = space(text, at+1)
	}
}

// Elements calls visit for each element of the JSON list that text is; see Members.
func Elements(text []byte, visit func(value []byte) bool) (whole bool) {
	at := space(text, 0)
	if at == len(text) || text[at] != '[' {
		return false
	}
	if at = space(text, at+1); at < len(text) && text[at] == ']' {
		return space(text, at+1) == len(text)
	}
	for {
		end := valueEnd(text, at)
		if end < 0 {
			return false
		}
		if !visit(text[at:end]) {
			return true
		}
		if at = space(text, end); at == len(text) {
			return false
		}
		if text[at] == ']' {
			return space(text, at+1) == len(text)
		}
		if text[at] != ',' {
			return false
		}
		at = space(text, at+1)
	}
}

// space returns where the next token begins.
func space(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') {
		at++
	}
	return at
}

// quotedEnd returns where the string that begins at at ends, behind its quote;
// -1 when it does not.
func quotedEnd(text []byte, at int) (end int, escaped bool) {
	if at >= len(text) || text[at] != '"' {
		return -1, false
	}
	for from := at + 1; ; {
		i := bytes.IndexByte(text[from:], '"')
		if i < 0 {
			return -1, false
		}
		end := from + i
		if text[end-1] != '\\' {
			return end + 1, escaped || bytes.IndexByte(text[from:end], '\\') >= 0
		}
		escaped = true
		if !escapedAt(text[at+1:end], end-at-1) {
			return end + 1, true
		}
		from = end + 1
	}
}

// valueEnd returns where the value that begins at at ends; -1 when it does not.
func valueEnd(text []byte, at int) int {
	if at >= len(text) {
		return -1
	}
	switch text[at] {
	case '"':
		end, _ := quotedEnd(text, at)
		return end
	case '{', '[':
		return groupEnd(text, at)
	}
	start := at
	for at < len(text) && bytes.IndexByte([]byte(",]} \t\r\n\":[{"), text[at]) < 0 {
		at++
	}
	if at == start {
		return -1
	}
	return at
}

// groupEnd returns where an object or list ends. Brackets of one kind may not
// close those of the other.
func groupEnd(text []byte, at int) int {
	var room [64]byte
	open := room[:0]
	for at < len(text) {
		switch c := text[at]; c {
		case '"':
			end, _ := quotedEnd(text, at)
			if end < 0 {
				return -1
			}
			at = end
			continue
		case '{', '[':
			open = append(open, c+2) // of both, what closes them
		case '}', ']':
			if open[len(open)-1] != c {
				return -1
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return at + 1
			}
		}
		at++
	}
	return -1
}

// Unquote appends the text of a JSON string; false when it is none. What is no
// character becomes U+FFFD.
func Unquote(dst, value []byte) ([]byte, bool) {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return dst, false
	}
	for text := value[1 : len(value)-1]; ; {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(dst, text...), true
		}
		dst = append(dst, text[:i]...)
		if i+1 >= len(text) {
			return dst, false
		}
		c := text[i+1]
		text = text[i+2:]
		switch c {
		case '"', '\\', '/':
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, ok := hexRune(text)
			if !ok {
				return dst, false
			}
			text = text[4:]
			if utf16.IsSurrogate(r) {
				second := rune(-1)
				if len(text) >= 6 && text[0] == '\\' && text[1] == 'u' {
					second, _ = hexRune(text[2:])
				}
				if r = utf16.DecodeRune(r, second); r != utf8.RuneError {
					text = text[6:]
				}
			}
			dst = utf8.AppendRune(dst, r)
			continue
		default:
			return dst, false
		}
		dst = append(dst, c)
	}
}

func hexRune(text []byte) (rune, bool) {
	if len(text) < 4 {
		return -1, false
	}
	r := rune(0)
	for _, c := range text[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
