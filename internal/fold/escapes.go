package fold

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// percent reads the percent escapes of one character of a URL.
func (r *reader) percent() {
	var buf [utf8.UTFMax]byte
	n := 0
	for n < len(buf) && !utf8.FullRune(buf[:n]) || n == 0 {
		b, ok := escaped(r.raw, r.at+3*n)
		if !ok {
			break
		}
		buf[n] = b
		n++
	}
	c, size := utf8.DecodeRune(buf[:n])
	if n == 0 || c == utf8.RuneError || size != n || c < ' ' {
		r.verbatim(r.at + 1)
		return
	}
	r.emit(c, r.at+3*n)
}

// percentInWord reads a percent escape that stands outside a URL, as in an
// address that was copied out of one: "zoe.blanc%40mel.example". Elsewhere
// "20%de" and "40%40" are percentages: an escape must stand between the letters
// of a word, and only the at-sign may follow a digit.
func (r *reader) percentInWord() {
	c, ok := escaped(r.raw, r.at)
	before, _ := utf8.DecodeLastRune(r.text)
	after := r.raw[min(r.at+len("%40"), len(r.raw)):]
	inWord := ok && len(after) > 0 && (alphanumeric(after[0]) || after[0] == '%' || after[0] >= utf8.RuneSelf)
	switch {
	case ok && c >= utf8.RuneSelf, inWord && unicode.IsLetter(before), inWord && c == '@' && r.emailBefore():
		r.percent()
	default:
		r.verbatim(r.at + 1)
	}
}

// emailBefore reports whether the word read last holds a letter, as the local
// part of an address does.
func (r *reader) emailBefore() bool {
	for text := r.text; len(text) > 0; {
		c, size := utf8.DecodeLastRune(text)
		if unicode.IsLetter(c) {
			return true
		}
		if !unicode.IsDigit(c) && !strings.ContainsRune("._-", c) {
			return false
		}
		text = text[:len(text)-size]
	}
	return false
}

// escaped decodes the percent escape at raw[at].
func escaped(raw []byte, at int) (byte, bool) {
	if at+3 > len(raw) || raw[at] != '%' {
		return 0, false
	}
	high, low := unhex(raw[at+1]), unhex(raw[at+2])
	return high<<4 | low, high < 16 && low < 16
}

// escapedRune reads the escape of a character beyond ASCII that a program has
// left in the text: "C\u00e9leste", "C\xe9leste". It reports whether there was
// one.
func (r *reader) escapedRune() bool {
	digits := 0
	switch rest := r.raw[r.at:]; {
	case bytes.HasPrefix(rest, []byte(`\u`)):
		digits = 4
	case bytes.HasPrefix(rest, []byte(`\x`)):
		digits = 2
	}
	end := r.at + len(`\u`) + digits
	if digits == 0 || end > len(r.raw) {
		return false
	}
	var c rune
	for _, digit := range r.raw[r.at+len(`\u`) : end] {
		value := unhex(digit)
		if value >= 16 {
			return false
		}
		c = c<<4 | rune(value)
	}
	if c < utf8.RuneSelf || !utf8.ValidRune(c) {
		return false
	}
	r.emit(c, end)
	return true
}

func unhex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}
