package jsonedit

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// text reads a string at pos, which is at its opening quote, and moves behind
// the closing one. It returns what stands between the quotes, as it is.
func (l *level) text() (inner []byte, escaped bool, err error) {
	src, i := l.src, l.pos+1
	start := i
	for {
		// Eight bytes at a time: stop at a quote, a backslash or a control character.
		for i+8 <= len(src) {
			w := binary.LittleEndian.Uint64(src[i:])
			quote := w ^ ones*'"'
			slash := w ^ ones*'\\'
			hit := ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*0x20)&^w) & highs
			if hit != 0 {
				i += bits.TrailingZeros64(hit) >> 3
				break
			}
			i += 8
		}
		for i < len(src) && src[i] != '"' && src[i] != '\\' && src[i] >= 0x20 {
			i++
		}
		if i >= len(src) {
			return nil, false, errCut
		}
		switch {
		case src[i] == '"':
			l.pos = i + 1
			return src[start:i], escaped, nil
		case src[i] == '\\':
			n, err := escapeLength(src[i:])
			if err != "" {
				l.pos = i
				return nil, false, l.syntax(err)
			}
			if n == 0 {
				return nil, false, errCut
			}
			escaped = true
			i += n
		default:
			l.pos = i
			return nil, false, l.syntax("a control character in a string")
		}
	}
}

// escapeLength returns the length of the escape s starts with; 0 when s ends in it.
func escapeLength(s []byte) (n int, wrong string) {
	if len(s) < 2 {
		return 0, ""
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, ""
	case 'u':
		for i := 2; i < 6; i++ {
			if i >= len(s) {
				return 0, ""
			}
			if hexDigit(s[i]) < 0 {
				return 0, "an unknown escape"
			}
		}
		return 6, ""
	}
	return 0, "an unknown escape"
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func hex4(s []byte) rune {
	return rune(hexDigit(s[0])<<12 | hexDigit(s[1])<<8 | hexDigit(s[2])<<4 | hexDigit(s[3]))
}

// unescape appends s, whose escapes text has checked, without them. Half a
// surrogate pair becomes U+FFFD.
func unescape(dst, s []byte) []byte {
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			dst = append(dst, s[i])
			i++
			continue
		}
		switch c := s[i+1]; c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r := hex4(s[i+2:])
			i += 6
			if utf16.IsSurrogate(r) {
				var low rune
				if i+6 <= len(s) && s[i] == '\\' && s[i+1] == 'u' {
					low = hex4(s[i+2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, r)
			continue
		default: // " \ /
			dst = append(dst, c)
		}
		i += 2
	}
	return dst
}

// AppendQuoted appends text as a JSON string, escaping no more than it must.
func AppendQuoted[T string | []byte](dst []byte, text T) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	plain := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, text[plain:i]...)
		plain = i + 1
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	dst = append(dst, text[plain:]...)
	return append(dst, '"')
}

// bare reads a number or a literal at pos and moves behind it.
func (l *level) bare() (Type, error) {
	src, start := l.src, l.pos
	end := start
	for end < len(src) && !ends[src[end]] {
		end++
	}
	token := src[start:end]
	kind, ok := Number, false
	switch string(token) {
	case "null":
		kind, ok = Null, true
	case "true", "false":
		kind, ok = Bool, true
	case "NaN", "Infinity", "-Infinity":
		ok = true
	default:
		ok = number(token)
	}
	if end == len(src) && l.inner {
		return 0, errCut // a cut-off number could be the start of a longer one
	}
	if !ok {
		if end == len(src) {
			return 0, errCut
		}
		return 0, l.syntax("neither a value nor a literal")
	}
	l.pos = end
	return kind, nil
}

// ends marks the bytes that end a number or a literal.
var ends = [256]bool{' ': true, '\t': true, '\n': true, '\r': true, ',': true, ']': true, '}': true, ':': true, '"': true, '{': true, '[': true}

// number checks the grammar of RFC 8259, section 6.
func number(s []byte) bool {
	i := 0
	digits := func() bool {
		from := i
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	switch {
	case i < len(s) && s[i] == '0':
		i++
	case !digits():
		return false
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s)
}
