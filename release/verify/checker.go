package verify

import (
	"bytes"
	"hash/maphash"
	"unicode"

	"anonymooc/internal/fold"
)

// maximumDepth bounds how many layers of encoding are taken off: deeper than any
// real payload, and short enough that no value can keep a worker busy.
const maximumDepth = 8

// checker judges the values of one block after the other. It belongs to one
// goroutine; what it shares is only read.
type checker struct {
	finder finder
	second finder // for parts of a text while the first one's hits are read
	view   fold.View
	schema *schema
	found  findings

	line    int64
	path    []step
	how     string // how the text under judgement was encoded
	decoded [maximumDepth + 2][]byte
	content []int32
	people  map[uint32]struct{}
	clean   []uint64 // hashes of values in which nothing was found
	joins   joinSets
	leaves  leafReader
	// participants are the folded names of those who take part in the
	// conversation that is being read; nil outside a forum.
	participants map[uint64]nameOf
}

// step is one step of the way to a value.
type step struct {
	name  string // a column, fixed for the file
	key   []byte // a JSON key
	index bool   // an element of a list
}

func newChecker(index *Index, s *schema) *checker {
	return &checker{finder: finder{index: index}, second: finder{index: index}, schema: s, people: map[uint32]struct{}{}, joins: joinSets{}, clean: make([]uint64, rememberedValues), leaves: leafReader{tree: newTree(s, joins)}}
}

// value judges one value that the file's own encoding has been taken off.
func (c *checker) value(text []byte, p place, depth int) {
	if len(text) == 0 {
		return
	}
	if depth > 1 || len(text) < shortestRemembered || c.participants != nil {
		c.fresh(text, p, depth)
		return
	}
	hash := maphash.Bytes(joinSeed, text)*wordStep + uint64(p) + 1
	slot := &c.clean[hash%rememberedValues]
	if *slot == hash {
		return
	}
	before := c.found.said
	c.fresh(text, p, depth)
	if c.found.said == before {
		*slot = hash
	}
}

// A log repeats itself: a value in which nothing was found in a place is not
// read again there. Its 64-bit hash stands for it.
const (
	rememberedValues   = 1 << 15
	shortestRemembered = 8
)

// fresh judges a value that was not met before.
func (c *checker) fresh(text []byte, p place, depth int) {
	trimmed := bytes.TrimSpace(text)
	if len(trimmed) == 0 {
		return
	}
	if depth <= maximumDepth && looksJSON(trimmed) {
		rest, ok := c.document(trimmed, p, depth+1)
		if ok {
			return
		}
		text = rest // what could not be read as JSON is read as text
	} else {
		c.whole(trimmed, p)
	}
	c.text(text, p, depth)
}

// text judges a text and everything that can be decoded from it.
func (c *checker) text(text []byte, p place, depth int) {
	c.plain(text, p)
	if depth > maximumDepth {
		return
	}
	outer := c.how
	var plains [][]byte
	if spans := c.finder.split.spans; hasMixed(spans) { // the words of text, just judged
		base64Words(text, spans, func(plain []byte) { plains = append(plains, plain) })
	}
	for _, plain := range plains {
		c.how = with(outer, "base64")
		c.value(plain, p, depth+1)
		c.how = outer
	}
	if p == textPlace || bytes.IndexByte(text, '<') >= 0 {
		c.view.Read(text)
		if c.view.Text != string(text) {
			c.how = with(outer, "markup")
			c.plain([]byte(c.view.Text), p)
			c.how = outer
		}
	}
	buffer, changed := decode(c.decoded[depth][:0], text)
	if changed {
		c.decoded[depth] = buffer
		c.how = with(outer, "escaped")
		c.value(buffer, p, depth+1)
		c.how = outer
	}
}

func hasMixed(spans []wordSpan) bool {
	for _, span := range spans {
		if span.shape&mixedWord != 0 && span.end-span.start >= 3 {
			return true
		}
	}
	return false
}

func with(outer, layer string) string {
	if outer == "" || outer == layer {
		return layer
	}
	if len(outer) >= len(layer) && outer[len(outer)-len(layer):] == layer {
		return outer
	}
	return outer + ", " + layer
}

// whole judges what a value is as a whole, by what may stand in its place.
func (c *checker) whole(value []byte, p place) {
	switch p {
	case numberPlace:
		c.wholeNumber(value, false)
	case namePlace:
		if !c.pseudonym(value) && !masked(value) {
			c.found.residual(c, numberOfUsername, "not a pseudonym")
		}
	case personPlace:
		c.wholeNumber(value, true)
	case addressPlace:
		if !masked(value) && !pseudonymousAddresses(value) {
			c.found.residual(c, numberOfIP, "not a pseudonym")
		}
	}
}

// wholeNumber judges a person's number.
func (c *checker) wholeNumber(value []byte, loose bool) {
	digits := bytes.TrimSuffix(value, []byte(".0"))
	if c.pseudonym(digits) || !allDigits(digits) {
		return
	}
	if loose && len(digits) > 12 {
		return // some other system's number
	}
	c.found.residual(c, numberOfUserID, "not a pseudonym")
}

// pseudonym reports whether a value is a pseudonym, as a number or a name, and
// notes the person.
func (c *checker) pseudonym(value []byte) bool {
	if len(value) == 11 && value[0] == 'u' {
		value = value[1:]
	}
	if !pseudonymNumber(value) {
		return false
	}
	n := uint32(0)
	for _, d := range value {
		n = n*10 + uint32(d-'0')
	}
	c.people[n] = struct{}{}
	return true
}

// masked reports whether a value is what stands where something was taken away,
// or a word for nothing.
func masked(value []byte) bool {
	if len(value) >= 2 && (value[0] == '[' && value[len(value)-1] == ']' || value[0] == '<' && value[len(value)-1] == '>') {
		return bytes.IndexByte(value, ' ') < 0
	}
	switch string(value) {
	case "", "NULL", "null", "None", `\N`, "someone", "redacted", "anonymous", "unknown", "-":
		return true
	}
	return false
}

// plain judges the hits in a text.
func (c *checker) plain(text []byte, p place) {
	hits := c.finder.find(text)
	if len(hits) > 0 {
		c.content = contentSpans(c.content[:0], text)
		trimmed := bytes.TrimSpace(text)
		lead := int32(bytes.Index(text, trimmed))
		for _, h := range hits {
			alone := h.start <= lead && int(h.end) >= int(lead)+len(trimmed)
			c.judge(text, h, p, alone)
		}
	}
	if c.participants != nil && p == textPlace {
		c.neighbours(text)
	}
	c.links(text)
}

// judge decides what a hit means where it stands.
func (c *checker) judge(text []byte, h hit, p place, alone bool) {
	inContent := p == contentPlace || within(c.content, h.start, h.end)
	switch {
	case h.kind == numberOfUserID:
		if p == textPlace && h.end-h.start >= 5 && !inContent {
			c.found.unjudged(c, h.kind, "a number that is also somebody's")
		}
	case h.shape:
		c.judgeShape(h, p, inContent)
	case h.common && h.kind == numberOfToken:
		c.found.unjudged(c, h.kind, "a key of the export")
	case h.common && (alone && p.holdsPerson() || addressed(text, h) || p == textPlace && h.kind == numberOfFullName && capitals(text[h.start:h.end]) > 1):
		c.found.residual(c, h.kind, "known")
	case h.common:
		number := allDigits(text[h.start:h.end])
		if !inContent && (p == textPlace || h.kind == numberOfFullName || alone && !number) {
			c.found.unjudged(c, h.kind, "also an ordinary word")
		}
	case inContent && (h.kind == numberOfUsername || h.kind == numberOfFullName || h.kind == numberOfExternal):
		c.found.unjudged(c, h.kind, "inside the id of a course or its content")
	case h.wordlike && !alone && (p != textPlace || c.schema.reviewed):
		c.found.unjudged(c, h.kind, "a word among others")
	default:
		c.found.residual(c, h.kind, "known")
	}
}

// addressed reports whether a word is called or quoted as a person is: "@rose",
// "rose a écrit :".
func addressed(text []byte, h hit) bool {
	if h.start > 0 && text[h.start-1] == '@' && (h.start == 1 || ascii.class[text[h.start-2]] == classGap) {
		return true
	}
	rest := bytes.TrimLeft(text[h.end:], " ")
	for _, verb := range quoteVerbs {
		if bytes.HasPrefix(rest, verb) {
			return true
		}
	}
	return false
}

// quoteVerbs follow the name of whoever is quoted.
var quoteVerbs = [...][]byte{
	[]byte("a écrit"), []byte("a dit"), []byte("wrote"), []byte("escribió"), []byte("ha escrito"), []byte("ha scritto"), []byte("schrieb"), []byte("escreveu"), []byte("написал"), []byte("пишет"),
}

// capitals counts the words of a name that begin with a capital.
func capitals(name []byte) int {
	n, inside := 0, false
	for _, r := range string(name) {
		if letter := unicode.IsLetter(r) || unicode.IsMark(r); !letter {
			inside = false
		} else if !inside {
			inside = true
			if unicode.IsUpper(r) {
				n++
			}
		}
	}
	return n
}

func (c *checker) judgeShape(h hit, p place, inContent bool) {
	switch {
	case inContent:
		// Files of a course are called …@asset+block@image.png, blocks 012-345-6789.
	case h.kind == numberOfURL:
		if p == textPlace {
			c.found.unjudged(c, h.kind, "may be a person's page")
		}
	case h.kind == numberOfPhone && (h.doubtful || p != textPlace && p != anyPlace && !p.holdsPerson()):
		c.found.unjudged(c, h.kind, "a number that may be a telephone's")
	case h.kind == numberOfIP && (h.doubtful || p == agentPlace):
		c.found.unjudged(c, h.kind, "an address or the version of a program")
	default:
		c.found.residual(c, h.kind, "shape")
	}
}
