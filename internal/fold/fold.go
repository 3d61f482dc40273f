// Package fold shows a text as a reader sees it and as a matcher compares it,
// and leads from either back to the exact bytes it came from.
//
// Forum posts hide names without meaning to: "Beno&icirc;t", "Zo%C3%A9" in a
// link, "<b>Zo</b>é", a combining accent, a soft hyphen, a Cyrillic о. Whoever
// looks for names must look through all of that, and whoever replaces them
// must replace the bytes that are really there. So there are two steps:
//
//	raw bytes ── Read ──► View: decoded text, NFC, markup and invisible
//	                      characters gone, with an exact map back to raw bytes
//	                │
//	                └─ Key ──► folded key of a word: NFKD, lower case, no marks,
//	                      confusables resolved; equal keys mean "same spelling"
//
// The map is a list of pieces: most are verbatim runs (one byte of text is one
// byte of the source), the others are atoms (an entity, a tag, a composed
// letter) that are taken whole or not at all. Hence a span taken from a View
// never cuts a rune, an entity or a percent escape, and the map is monotone.
//
// A View also knows its regions: code, formulas, URLs, tag attributes, content
// ids; what to do with them is the caller's decision.
package fold

import "sort"

// Region says in what kind of place a stretch of text stands.
type Region uint8

// The regions; a stretch may stand in several at once.
const (
	Code      Region = 1 << iota // code span or block, formula
	URL                          // web address, percent escapes decoded
	Markup                       // value of a tag's attribute, comment
	ContentID                    // i4x://…, block-v1:…, course-v1:…
	Quote                        // line that quotes another post ("> …")
)

// piece maps a run of the view to the source. A verbatim piece maps byte by
// byte; an atom maps as a whole: n bytes of text stand for the raw bytes up to
// the next piece's raw start.
type piece struct {
	text, raw int32 // where the piece starts in the view and in the source
	rawEnd    int32 // where it ends in the source
	verbatim  bool
}

// stretch is a part of the view that lies in some region.
type stretch struct {
	start, end int32
	region     Region
}

// View is a decoded text with its way back to the source. The zero View is
// empty. Offsets of Text are bytes.
type View struct {
	Text    string
	pieces  []piece
	regions []stretch
}

// Span gives the bytes of the source that text[start:end] was read from. An
// empty span gives the place before the piece that holds start.
func (v *View) Span(start, end int) (rawStart, rawEnd int) {
	if len(v.pieces) == 0 {
		return 0, 0
	}
	first := v.piece(start)
	rawStart = v.offset(first, start)
	if end <= start {
		return rawStart, rawStart
	}
	last := v.piece(end - 1)
	p := v.pieces[last]
	if p.verbatim {
		return rawStart, int(p.raw) + end - int(p.text)
	}
	return rawStart, int(p.rawEnd)
}

func (v *View) offset(i, text int) int {
	p := v.pieces[i]
	if p.verbatim {
		return int(p.raw) + text - int(p.text)
	}
	return int(p.raw)
}

// piece finds the last piece that starts at or before text and is not empty
// there.
func (v *View) piece(text int) int {
	i := sort.Search(len(v.pieces), func(i int) bool { return int(v.pieces[i].text) > text }) - 1
	return max(i, 0)
}

// Region gives the regions that text[start] lies in.
func (v *View) Region(start int) Region {
	var r Region
	for _, s := range v.regions {
		if int(s.start) <= start && start < int(s.end) {
			r |= s.region
		}
	}
	return r
}

// Cursor walks a View from left to right: its questions must be asked in
// rising order, and then cost next to nothing.
type Cursor struct {
	view   *View
	piece  int
	region int
}

// Cursor starts at the beginning of the view.
func (v *View) Cursor() Cursor { return Cursor{view: v} }

// Span is View.Span for spans that never go back.
func (c *Cursor) Span(start, end int) (rawStart, rawEnd int) {
	pieces := c.view.pieces
	if len(pieces) == 0 {
		return 0, 0
	}
	c.piece = forward(pieces, c.piece, start)
	rawStart = c.view.offset(c.piece, start)
	if end <= start {
		return rawStart, rawStart
	}
	last := forward(pieces, c.piece, end-1)
	if p := pieces[last]; p.verbatim {
		return rawStart, int(p.raw) + end - int(p.text)
	}
	return rawStart, int(pieces[last].rawEnd)
}

func forward(pieces []piece, i, text int) int {
	for i+1 < len(pieces) && int(pieces[i+1].text) <= text {
		i++
	}
	return i
}

// Region is View.Region for places that never go back.
func (c *Cursor) Region(start int) Region {
	var r Region
	regions := c.view.regions
	for c.region < len(regions) && int(regions[c.region].end) <= start {
		c.region++
	}
	for i := c.region; i < len(regions) && int(regions[i].start) <= start; i++ {
		if start < int(regions[i].end) {
			r |= regions[i].region
		}
	}
	return r
}
