package verify

import (
	"bytes"
	"html"
	"unicode/utf8"
)

// decode appends text with one layer of encoding taken off, all kinds at once:
// percent escapes, HTML entities, backslash escapes. The second result is false
// when there was nothing to take off.
func decode(dst, text []byte) ([]byte, bool) {
	if bytes.IndexByte(text, '%') < 0 && bytes.IndexByte(text, '&') < 0 && bytes.IndexByte(text, '\\') < 0 {
		return dst, false
	}
	changed := false
	for i := 0; i < len(text); {
		var size int
		switch text[i] {
		case '%':
			dst, size = decodePercent(dst, text[i:])
		case '&':
			dst, size = decodeEntity(dst, text[i:])
		case '\\':
			dst, size = decodeBackslash(dst, text[i:])
		}
		if size == 0 {
			dst = append(dst, text[i])
			i++
			continue
		}
		changed = true
		i += size
	}
	return dst, changed
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// hexNumber reads n hexadecimal digits.
func hexNumber(text []byte, n int) (rune, bool) {
	if len(text) < n {
		return 0, false
	}
	value := rune(0)
	for _, c := range text[:n] {
		digit, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		value = value<<4 | rune(digit)
	}
	return value, true
}

func decodePercent(dst, text []byte) ([]byte, int) {
	if len(text) > 5 && text[1] == 'u' { // %u00E9, as JavaScript's escape writes
		if r, ok := hexNumber(text[2:], 4); ok {
			return utf8.AppendRune(dst, r), 6
		}
	}
	value, ok := hexNumber(text[1:], 2)
	if !ok {
		return dst, 0
	}
	return append(dst, byte(value)), 3
}

const longestEntity = 32

func decodeEntity(dst, text []byte) ([]byte, int) {
	end := bytes.IndexByte(text[:min(len(text), longestEntity)], ';')
	if end < 2 {
		return dst, 0
	}
	entity := string(text[:end+1])
	if plain := html.UnescapeString(entity); plain != entity {
		return append(dst, plain...), end + 1
	}
	return dst, 0
}

func decodeBackslash(dst, text []byte) ([]byte, int) {
	if len(text) < 2 {
		return dst, 0
	}
	switch text[1] {
	case 'n', 'r', 't', 'b', 'f', 'v':
		return append(dst, ' '), 2
	case '"', '\'', '/', '\\':
		return append(dst, text[1]), 2
	case 'x':
		if r, ok := hexNumber(text[2:], 2); ok {
			return utf8.AppendRune(dst, r), 4
		}
	case 'U':
		if r, ok := hexNumber(text[2:], 8); ok {
			return utf8.AppendRune(dst, r), 10
		}
	case 'u':
		r, ok := hexNumber(text[2:], 4)
		if !ok {
			return dst, 0
		}
		if r >= 0xd800 && r < 0xdc00 && len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
			if low, ok := hexNumber(text[8:], 4); ok && low >= 0xdc00 && low < 0xe000 {
				return utf8.AppendRune(dst, (r-0xd800)<<10|(low-0xdc00)+0x10000), 12
			}
		}
		return utf8.AppendRune(dst, r), 6
	}
	return dst, 0
}

// shortestBase64 is the least number of characters that are tried: six bytes of text.
const shortestBase64 = 8

// base64Value gives the six bits of a character of either alphabet of base64,
// 0xff for any other.
var base64Value = func() (t [256]byte) {
	for c := range t {
		t[c] = 0xff
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		t[c] = byte(i)
	}
	t['-'], t['_'] = 62, 63
	return t
}()

// base64Words calls visit with what each word of text decodes to, if that is
// text. Only words with capitals and small letters or digits can be.
func base64Words(text []byte, spans []wordSpan, visit func([]byte)) {
	done := int32(0)
	for _, span := range spans {
		if span.shape&mixedWord == 0 || span.start < done {
			continue
		}
		start, end := span.start, span.end
		for start > done && base64Value[text[start-1]] < 64 {
			start--
		}
		for int(end) < len(text) && base64Value[text[end]] < 64 {
			end++
		}
		done = end
		if !tryBase64(text[start:end], visit) && span.end-span.start != end-start {
			tryBase64(text[span.start:span.end], visit)
			done = span.end
		}
	}
}

func tryBase64(word []byte, visit func([]byte)) bool {
	if len(word) < shortestBase64 || len(word)%4 == 1 {
		return false
	}
	// A look at the first six bytes turns nearly everything away.
	if head := appendBase64(make([]byte, 0, 6), word[:8]); !readable(head, true) {
		return false
	}
	plain := appendBase64(make([]byte, 0, len(word)*3/4), word)
	if !readable(plain, false) {
		return false
	}
	visit(plain)
	return true
}

// appendBase64 decodes characters of either alphabet, without padding.
func appendBase64(dst, word []byte) []byte {
	bits, have := uint32(0), 0
	for _, c := range word {
		bits = bits<<6 | uint32(base64Value[c])
		if have += 6; have >= 8 {
			have -= 8
			dst = append(dst, byte(bits>>have))
		}
	}
	return dst
}

// readable reports whether bytes are text. A beginning may end inside a rune.
func readable(plain []byte, beginning bool) bool {
	for i := 0; i < len(plain); {
		c := plain[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(plain[i:])
		if r == utf8.RuneError && size == 1 {
			return beginning && !utf8.FullRune(plain[i:])
		}
		i += size
	}
	return len(plain) > 0
}
