package fold

import (
	"bytes"
	"html"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Read makes v the view of raw, reusing v's memory. Text is a new string.
//
// What it reads through: HTML entities (also doubly escaped ones), tags and
// comments, percent escapes in URLs and inside words, the escapes
// of JSON and Python for what is beyond ASCII, Markdown's backslash escapes and emphasis
// inside a word, combining marks, invisible characters, Latin-1 bytes in UTF-8
// text, and UTF-8 that was once read as Latin-1.
func (v *View) Read(raw []byte) {
	r := reader{raw: raw, text: make([]byte, 0, len(raw)), view: v}
	v.pieces, v.regions = v.pieces[:0], v.regions[:0]
	r.lineStart(0)
	for r.at < len(raw) {
		r.plain()
		if r.at < len(raw) {
			r.special()
		}
	}
	r.closeCode()
	r.closeQuote()
	v.Text = string(r.text)
	order(v.regions)
}

// order sorts the regions by their start; there are few, and they come nearly
// in order.
func order(regions []stretch) {
	for i := 1; i < len(regions); i++ {
		for j := i; j > 0 && regions[j].start < regions[j-1].start; j-- {
			regions[j], regions[j-1] = regions[j-1], regions[j]
		}
	}
}

// reader is the state of one Read.
type reader struct {
	raw  []byte
	text []byte
	view *View

	at     int  // next byte of raw
	joined bool // the last piece is verbatim and ends at raw[at]
	urlEnd int  // raw offset where the current URL ends
	quote  int  // where the quoted line began in text, -1 outside quotes

	codeText   int // where the current code began in text
	codeEnd    int // raw offset where it ends; 0 outside code
	codeClose  int // length of what closes it
	unfinished int // when set: an element or comment before is never closed, look for no other
}

// interesting marks the bytes that plain must not run over.
var interesting = interestingTable()

func interestingTable() (table [256]bool) {
	for _, c := range "&<\\*`$[:wW%\n" {
		table[c] = true
	}
	for c := utf8.RuneSelf; c < 256; c++ {
		table[c] = true
	}
	return table
}

// plain copies the run of bytes that stand for themselves.
func (r *reader) plain() {
	end := r.at
	for end < len(r.raw) && !interesting[r.raw[end]] {
		end++
	}
	r.verbatim(end)
}

// verbatim copies raw[at:end] as it is.
func (r *reader) verbatim(end int) {
	if end <= r.at {
		return
	}
	if !r.joined {
		r.view.pieces = append(r.view.pieces, piece{text: int32(len(r.text)), raw: int32(r.at), rawEnd: int32(end), verbatim: true})
		r.joined = true
	}
	r.text = append(r.text, r.raw[r.at:end]...)
	r.at = end
}

// atom lets text stand for raw[at:end]; empty text drops those bytes.
func (r *reader) atom(text string, end int) {
	if text != "" {
		r.view.pieces = append(r.view.pieces, piece{text: int32(len(r.text)), raw: int32(r.at), rawEnd: int32(end)})
		r.text = append(r.text, text...)
	}
	r.at, r.joined = end, false
}

// special reads one construct that plain has stopped at.
func (r *reader) special() {
	if r.codeEnd > 0 && r.at >= r.codeEnd {
		closing := r.codeEnd + r.codeClose
		r.closeCode()
		if r.at < closing {
			r.verbatim(closing)
			return
		}
	}
	switch c := r.raw[r.at]; {
	case c >= utf8.RuneSelf:
		r.foreign()
	case c == '&':
		r.entity()
	case c == '\n':
		r.closeQuote()
		r.verbatim(r.at + 1)
		r.lineStart(r.at)
	case r.codeEnd > 0:
		r.verbatim(r.at + 1)
	case c == '<':
		r.tag()
	case c == '\\', c == '`', c == '$', c == '[':
		r.code()
	case c == ':', c == 'w', c == 'W':
		r.address()
	case c == '*':
		r.emphasis()
	case c == '%':
		r.percentInWord()
	default:
		r.verbatim(r.at + 1)
	}
}

// openCode puts what follows, up to the raw offset end, in the region Code;
// closing is the length of what stands at end to close it.
func (r *reader) openCode(end, closing int) {
	if end > r.at {
		r.codeText, r.codeEnd, r.codeClose = len(r.text), end, closing
	}
}

func (r *reader) closeCode() {
	if r.codeEnd > 0 {
		r.region(r.codeText, len(r.text), Code)
		r.codeEnd = 0
	}
}

func (r *reader) region(start, end int, kind Region) {
	if end > start {
		r.view.regions = append(r.view.regions, stretch{int32(start), int32(end), kind})
	}
}

// lineStart notes a line that quotes another post.
func (r *reader) lineStart(at int) {
	line := bytes.TrimLeft(r.raw[at:min(at+16, len(r.raw))], " \t")
	r.quote = -1
	if bytes.HasPrefix(line, []byte(">")) || bytes.HasPrefix(line, []byte("&gt;")) {
		r.quote = len(r.text)
	}
}

func (r *reader) closeQuote() {
	if r.quote >= 0 {
		r.region(r.quote, len(r.text), Quote)
		r.quote = -1
	}
}

// foreign reads one character outside ASCII.
func (r *reader) foreign() {
	c, size := utf8.DecodeRune(r.raw[r.at:])
	switch {
	case c == utf8.RuneError && size == 1:
		r.emit(rune(r.raw[r.at]), r.at+1) // a Latin-1 byte
	case c == 'Ã' && r.mojibake(r.at+size):
		second, n := utf8.DecodeRune(r.raw[r.at+size:])
		r.emit(0xC0+second-0x80, r.at+size+n)
	case invisible(c) || accent(c):
		r.emit(c, r.at+size)
	default:
		r.verbatim(r.at + size)
	}
}

// mojibake reports whether the "Ã" before at is the first half of a letter
// whose two UTF-8 bytes were read as Latin-1.
func (r *reader) mojibake(at int) bool {
	c, _ := utf8.DecodeRune(r.raw[at:])
	return 0x80 <= c && c <= 0xBF && c != 0xA0
}

// emit lets one character stand for raw[at:end]: invisible ones vanish, marks
// are composed with the letter before them.
func (r *reader) emit(c rune, end int) {
	switch {
	case invisible(c):
		r.atom("", end)
	case accent(c) && len(r.text) > 0 && len(r.view.pieces) > 0:
		r.compose(c, end)
	default:
		r.atom(string(c), end)
	}
}

// compose joins the mark c to the character before it; the two become one atom.
func (r *reader) compose(c rune, end int) {
	last := &r.view.pieces[len(r.view.pieces)-1]
	start, rawStart := int(last.text), int(last.raw)
	if last.verbatim {
		_, size := utf8.DecodeLastRune(r.text)
		start = max(start, len(r.text)-size)
		rawStart += start - int(last.text)
	}
	base := norm.NFC.String(string(r.text[start:]) + string(c))
	r.text = append(r.text[:start], base...)
	atom := piece{text: int32(start), raw: int32(rawStart), rawEnd: int32(end)}
	if int(last.text) == start {
		*last = atom
	} else {
		r.view.pieces = append(r.view.pieces, atom)
	}
	r.at, r.joined = end, false
}

// maxEntity is longer than the longest named character reference.
const maxEntity = 34

// entity reads a character reference.
func (r *reader) entity() {
	rest := r.raw[r.at:min(r.at+maxEntity, len(r.raw))]
	if bytes.HasPrefix(rest, []byte("&amp;")) {
		// "&amp;eacute;" was escaped twice.
		if inner := reference(append([]byte("&"), rest[len("&amp;"):]...)); inner > 0 {
			size := len("&amp;") + inner - 1
			r.character(html.UnescapeString("&"+string(rest[len("&amp;"):size])), r.at+size)
			return
		}
	}
	size := reference(rest)
	if size == 0 {
		r.verbatim(r.at + 1)
		return
	}
	r.character(html.UnescapeString(string(rest[:size])), r.at+size)
}

// character lets the characters of a reference stand for raw[at:end].
func (r *reader) character(text string, end int) {
	c, size := utf8.DecodeRuneInString(text)
	if size == len(text) {
		if c == 0xA0 {
			c = ' '
		}
		r.emit(c, end)
		return
	}
	r.atom(text, end)
}

// reference gives the length of the character reference b begins with, 0 when
// it begins with none.
func reference(b []byte) int {
	i := 1
	if i < len(b) && b[i] == '#' {
		i++
	}
	for i < len(b) && alphanumeric(b[i]) {
		i++
	}
	if i >= len(b) || b[i] != ';' || i < 2 {
		return 0
	}
	s := string(b[:i+1])
	if html.UnescapeString(s) == s {
		return 0
	}
	if c, _ := utf8.DecodeRuneInString(html.UnescapeString(s)); c == utf8.RuneError {
		return 0
	}
	return i + 1
}

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// emphasis drops asterisks inside a word ("Zo**é**").
func (r *reader) emphasis() {
	end := r.at
	for end < len(r.raw) && r.raw[end] == '*' {
		end++
	}
	before, _ := utf8.DecodeLastRune(r.text)
	after, _ := utf8.DecodeRune(r.raw[end:])
	if unicode.IsLetter(before) && unicode.IsLetter(after) {
		r.atom("", end)
		return
	}
	r.verbatim(end)
}
