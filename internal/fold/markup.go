package fold

import (
	"bytes"
	"strings"
)

// code reads what opens a code span, a code block or a formula, and backslash
// escapes. What is inside stays in the text, in the region Code.
func (r *reader) code() {
	rest := r.raw[r.at:]
	switch {
	case rest[0] == '`':
		r.backticks()
	case rest[0] == '\\' && len(rest) > 1 && (rest[1] == '(' || rest[1] == '['):
		end := `\)`
		if rest[1] == '[' {
			end = `\]`
		}
		r.formula(2, end)
	case rest[0] == '\\' && bytes.HasPrefix(rest, []byte(`\begin{`)):
		r.formula(len(`\begin{`), `\end{`)
	case rest[0] == '\\' && len(rest) > 1 && strings.IndexByte("_*.-#@!+~>`", rest[1]) >= 0:
		r.atom(string(rest[1]), r.at+2)
	case rest[0] == '\\' && r.escapedRune():
	case bytes.HasPrefix(rest, []byte("$$")):
		r.formula(2, "$$")
	case rest[0] == '$':
		r.formula(1, "$")
	case bytes.HasPrefix(rest, []byte("[mathjaxinline]")):
		r.formula(len("[mathjaxinline]"), "[/mathjaxinline]")
	case bytes.HasPrefix(rest, []byte("[mathjax]")):
		r.formula(len("[mathjax]"), "[/mathjax]")
	default:
		r.verbatim(r.at + 1)
	}
}

// backticks reads a Markdown code span or fence: it ends at the next run of as
// many backticks; a fence that is never closed ends with the text.
func (r *reader) backticks() {
	n := 0
	for r.at+n < len(r.raw) && r.raw[r.at+n] == '`' {
		n++
	}
	body := r.raw[r.at+n:]
	if n < 3 {
		body = body[:min(len(body), maxSpan)]
		if blank := bytes.Index(body, []byte("\n\n")); blank >= 0 {
			body = body[:blank]
		}
	}
	end := sameRun(body, n)
	r.verbatim(r.at + n)
	switch {
	case end >= 0:
		r.openCode(r.at+end, n)
	case n >= 3:
		r.openCode(len(r.raw), 0)
	}
}

// sameRun finds the first run of exactly n backticks.
func sameRun(body []byte, n int) int {
	for i := 0; i < len(body); i++ {
		start := i
		for i < len(body) && body[i] == '`' {
			i++
		}
		if i-start == n {
			return start
		}
	}
	return -1
}

// maxSpan bounds a code span and a formula: what opens one and is not closed
// nearby opens nothing.
const maxSpan = 4096

// maxFormula bounds a formula between single dollars.
const maxFormula = 200

// formula reads a formula that ends with end; opening gives the length of what
// opens it. Something in it must look like mathematics: people put amounts
// between dollars and names between escaped brackets.
func (r *reader) formula(opening int, end string) {
	body := r.raw[r.at+opening:]
	body = body[:min(len(body), maxSpan)]
	if end == "$" {
		body = body[:min(len(body), maxFormula)]
		if line := bytes.IndexByte(body, '\n'); line >= 0 {
			body = body[:line]
		}
	}
	n := bytes.Index(body, []byte(end))
	if n <= 0 || !bytes.ContainsAny(body[:n], `\^_{}=`) || end == "$" && (body[0] == ' ' || body[n-1] == ' ') {
		r.verbatim(r.at + 1)
		return
	}
	r.verbatim(r.at + opening)
	closing := len(end)
	if end == `\end{` {
		closing = 0
	}
	r.openCode(r.at+n, closing)
}

// address opens the region of a URL or of a content id.
func (r *reader) address() {
	raw, at := r.raw, r.at
	if at < r.urlEnd {
		r.verbatim(at + 1)
		return
	}
	if raw[at] != ':' {
		www := len(raw) >= at+5 && bytes.EqualFold(raw[at:at+4], []byte("www.")) && alphanumeric(raw[at+4])
		if www && (at == 0 || !alphanumeric(raw[at-1])) {
			r.openAddress(at, URL)
			return
		}
		r.verbatim(at + 1)
		return
	}
	scheme := at
	for scheme > 0 && (alphanumeric(raw[scheme-1]) || raw[scheme-1] == '-' || raw[scheme-1] == '+') {
		scheme--
	}
	name := string(raw[scheme:at])
	switch {
	case strings.HasSuffix(name, "-v1") && at+1 < len(raw) && alphanumeric(raw[at+1]):
		r.openAddress(scheme, ContentID)
	case !bytes.HasPrefix(raw[at:], []byte("://")) || name == "" || at+3 >= len(raw):
		r.verbatim(at + 1)
	case name == "i4x" || name == "c4x":
		r.openAddress(scheme, ContentID)
	default:
		r.openAddress(scheme, URL)
	}
}

// openAddress puts the address that begins at the raw offset start in a region.
// Everything before r.at has been copied already, byte for byte if it belongs
// to the address.
func (r *reader) openAddress(start int, kind Region) {
	end := r.at
	for end < len(r.raw) && !addressEnd(r.raw[end]) {
		end++
	}
	for end > r.at+1 && strings.IndexByte(".,;:!?)]}*'", r.raw[end-1]) >= 0 {
		end--
	}
	textStart := len(r.text) - (r.at - start)
	r.urlEnd = end
	if kind == ContentID {
		r.verbatim(end)
		r.region(max(textStart, 0), len(r.text), kind)
		return
	}
	for r.at < end {
		switch c := r.raw[r.at]; {
		case c == '%':
			r.percent()
		case c == '&':
			r.entity()
		case c < 0x80:
			r.verbatim(r.at + 1)
		default:
			r.foreign()
		}
	}
	r.region(max(textStart, 0), len(r.text), kind)
}

func addressEnd(c byte) bool {
	return c <= ' ' || strings.IndexByte("<>\"`|\\^", c) >= 0
}

// tag reads an HTML tag or comment. Its name vanishes; a tag that starts a new
// block becomes a line end, and the values of attributes stay, in the region
// Markup, because links and titles name people too.
func (r *reader) tag() {
	rest := r.raw[r.at:]
	if bytes.HasPrefix(rest, []byte("<!--")) {
		r.comment(rest)
		return
	}
	name, closing := tagName(rest)
	length := tagLength(rest)
	kind, known := elements[name]
	if !known || length == 0 {
		r.verbatim(r.at + 1)
		return
	}
	end := r.at + length
	if kind == block {
		r.atom("\n", r.at+1)
	}
	for !closing && r.at < end {
		from, to, ok := attribute(r.raw[:end], r.at)
		if !ok {
			break
		}
		r.atom(" ", from)
		start := len(r.text)
		r.value(to)
		r.region(start, len(r.text), Markup)
		r.atom(" ", min(to+1, end))
	}
	r.atom("", end)
	if (name == "code" || name == "pre") && !closing {
		r.codeElement(name)
	}
}

// codeElement opens the region of a code element, if it is closed.
func (r *reader) codeElement(name string) {
	if r.unfinished > 0 {
		return
	}
	n := bytes.Index(r.raw[r.at:], []byte("</"+name))
	if n < 0 {
		n = bytes.Index(r.raw[r.at:], []byte("</"+strings.ToUpper(name)))
	}
	if n < 0 {
		r.unfinished = r.at
		return
	}
	r.openCode(r.at+n, 0)
}

// value reads an attribute's value, up to the raw offset end, as an address.
func (r *reader) value(end int) {
	urlEnd := r.urlEnd
	r.urlEnd = end
	for r.at < end {
		switch c := r.raw[r.at]; {
		case c == '%':
			r.percent()
		case c == '&':
			r.entity()
		case c < 0x80:
			r.verbatim(r.at + 1)
		default:
			r.foreign()
		}
	}
	r.urlEnd = urlEnd
}

// comment keeps what a comment says, in the region Markup.
func (r *reader) comment(rest []byte) {
	n := -1
	if r.unfinished == 0 {
		n = bytes.Index(rest, []byte("-->"))
	}
	if n < len("<!--") {
		r.unfinished = r.at + 1
		r.verbatim(r.at + 1)
		return
	}
	end := r.at + n
	r.atom(" ", r.at+len("<!--"))
	start := len(r.text)
	r.value(end)
	r.region(start, len(r.text), Markup)
	r.atom(" ", end+len("-->"))
}

// tagName gives the lower-case name of the tag b begins with.
func tagName(b []byte) (name string, closing bool) {
	i := 1
	if i < len(b) && b[i] == '/' {
		closing = true
		i++
	}
	start := i
	for i < len(b) && i-start < 12 && alphanumeric(b[i]) {
		i++
	}
	return strings.ToLower(string(b[start:i])), closing
}

// maxTag bounds the length of a tag; a "<" without ">" nearby is text.
const maxTag = 4096

// tagLength gives the length of the tag b begins with, quotes respected, 0 when
// it is never closed.
func tagLength(b []byte) int {
	quote := byte(0)
	for i := 1; i < len(b) && i < maxTag; i++ {
		switch c := b[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && b[i-1] == '=':
			quote = c
		case c == '>':
			return i + 1
		case c == '<':
			return 0
		}
	}
	return 0
}

// attribute finds the next attribute value worth reading in a tag.
func attribute(tag []byte, at int) (from, to int, ok bool) {
	for {
		equals := bytes.IndexByte(tag[at:], '=')
		if equals < 0 {
			return 0, 0, false
		}
		name := at + equals
		for name > at && (alphanumeric(tag[name-1]) || tag[name-1] == '-') {
			name--
		}
		from = at + equals + 1
		if from >= len(tag) {
			return 0, 0, false
		}
		if quote := tag[from]; quote == '"' || quote == '\'' {
			from++
			n := bytes.IndexByte(tag[from:], quote)
			if n < 0 {
				return 0, 0, false
			}
			to = from + n
		} else {
			to = from
			for to < len(tag) && tag[to] > ' ' && tag[to] != '>' {
				to++
			}
		}
		if to > from && !layout[strings.ToLower(string(tag[name:at+equals]))] {
			return from, to, true
		}
		at = to
	}
}

// layout names the attributes that only say how something looks.
var layout = map[string]bool{
	"class": true, "style": true, "width": true, "height": true, "align": true, "valign": true, "border": true,
	"target": true, "rel": true, "type": true, "dir": true, "lang": true, "colspan": true, "rowspan": true,
	"color": true, "size": true, "face": true, "bgcolor": true, "cellpadding": true, "cellspacing": true,
}

type element uint8

const (
	inline element = iota
	block
)

// elements names the HTML elements people's posts hold; anything else between
// angle brackets is text (a mail address, a placeholder).
var elements = func() map[string]element {
	m := make(map[string]element)
	for _, n := range strings.Fields("a abbr acronym b bdi bdo big cite code del dfn em font i img ins kbd label mark q s samp script small span strike strong style sub sup tt u var wbr iframe video audio source object param embed input button select option") {
		m[n] = inline
	}
	for _, n := range strings.Fields("address article aside blockquote body br center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html li main nav ol p pre section summary table tbody td textarea tfoot th thead title tr ul") {
		m[n] = block
	}
	return m
}()

// Tags gives the names of the HTML tags in raw as bare tags, one after the
// other: what keeps the markup in balance when raw is replaced. Attributes are
// left out, for they may say what raw said.
func Tags(raw []byte) []byte {
	var tags []byte
	for i := 0; i < len(raw); i++ {
		if raw[i] != '<' {
			continue
		}
		name, closing := tagName(raw[i:])
		length := tagLength(raw[i:])
		if _, known := elements[name]; !known || length == 0 {
			continue
		}
		tags = append(tags, '<')
		if closing {
			tags = append(tags, '/')
		}
		tags = append(append(tags, name...), '>')
		i += length - 1
	}
	return tags
}
