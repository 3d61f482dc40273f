package canary

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// view is a line as one reader of it may see it.
type view struct {
	text string
	code string // how it was read, outermost code first
}

// maxDepth bounds how many codes are read inside each other.
const maxDepth = 5

// decoder reads one code wherever it stands in a text. It gives the text back
// when there is nothing to read.
type decoder struct {
	name   string
	decode func(text string) string
}

func decoders() []decoder {
	return []decoder{
		{"json", unescapeJSON},
		{"percent", unescapePercent},
		{"html", html.UnescapeString},
		{"csv", func(text string) string { return strings.ReplaceAll(text, `""`, `"`) }},
		{"plus", func(text string) string { return strings.ReplaceAll(text, "+", " ") }},
		{"base64", packed(isBase64, decodeBase64)},
		{"hex", packed(isHex, decodeHex)},
	}
}

// views reads a line through all codes, and what comes out again, until
// nothing new appears. The first view is the line itself.
func views(line string) []view {
	list := []view{{text: line}}
	seen := map[string]bool{line: true}
	codes := decoders()
	for next, end, depth := 0, 1, 0; next < end && depth < maxDepth; depth++ {
		for ; next < end; next++ {
			for _, d := range codes {
				text := d.decode(list[next].text)
				if seen[text] {
					continue
				}
				seen[text] = true
				code := d.name
				if list[next].code != "" {
					code = list[next].code + "+" + d.name
				}
				list = append(list, view{text, code})
			}
		}
		end = len(list)
	}
	return list
}

// unescapeJSON reads backslash escapes, in a string or not, whole or cut off.
func unescapeJSON(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			i++
			continue
		}
		switch c := text[i+1]; c {
		case 'n', 'r', 't', 'b', 'f':
			b.WriteByte("\n\r\t\b\f"[strings.IndexByte("nrtbf", c)])
			i += 2
		case 'u':
			r, size := unescapeUnit(text[i:])
			b.WriteRune(r)
			i += size
		default:
			b.WriteByte(c)
			i += 2
		}
	}
	return b.String()
}

// unescapeUnit reads \uXXXX, or a surrogate pair of them, at the start of text.
func unescapeUnit(text string) (rune, int) {
	unit := func(at int) (rune, bool) {
		if len(text) < at+6 || text[at] != '\\' || text[at+1] != 'u' {
			return 0, false
		}
		n, err := strconv.ParseUint(text[at+2:at+6], 16, 16)
		return rune(n), err == nil
	}
	high, ok := unit(0)
	if !ok {
		return 'u', 2
	}
	if high >= 0xD800 && high < 0xDC00 {
		if low, ok := unit(6); ok && low >= 0xDC00 && low < 0xE000 {
			return (high-0xD800)<<10 + (low - 0xDC00) + 0x10000, 12
		}
	}
	return high, 6
}

// unescapePercent reads %XX and leaves broken sequences alone.
func unescapePercent(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if n, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// packed wraps a decoder of whole words: what the readable words decode to,
// one a line.
func packed(letter func(byte) bool, decode func(string) (string, bool)) func(string) string {
	return func(text string) string {
		var found []string
		for i := 0; i < len(text); i++ {
			start := i
			for i < len(text) && letter(text[i]) {
				i++
			}
			if i-start < shortestWord {
				continue
			}
			if decoded, ok := decode(text[start:i]); ok && readable(decoded) {
				found = append(found, decoded)
			}
		}
		if found == nil {
			return text
		}
		return strings.Join(found, "\n")
	}
}

// shortestWord is how long a word must be to be read as base64 or hexadecimal:
// four letters make six.
const shortestWord = 6

func isBase64(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

func decodeBase64(word string) (string, bool) {
	word = strings.NewReplacer("-", "+", "_", "/").Replace(word)
	decoded, err := base64.RawStdEncoding.DecodeString(word)
	return string(decoded), err == nil
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func decodeHex(word string) (string, bool) {
	decoded, err := hex.DecodeString(word)
	return string(decoded), err == nil
}

// readable tells text from bytes that only happened to decode.
func readable(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' {
			return false
		}
	}
	return text != ""
}
