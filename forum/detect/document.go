package detect

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/corpus"
	"anonymooc/internal/fold"
)

// Flags describe how and where a token stands.
type Flags uint32

// The flags.
const (
	Word          Flags = 1 << iota // letters, perhaps with digits
	Number                          // digits only
	Punct                           // anything else: one character a token
	Capital                         // begins with an upper-case letter
	AllCaps                         // two letters or more, all upper case
	Mixed                           // upper case after lower case: "MerciZoé"
	SentenceStart                   // first word of a sentence, a line or a quote
	LineStart                       // first token of a line
	SpaceBefore                     // white space or a line end stands before it
	Mention                         // word right after "@"
	Hashtag                         // word right after "#"
	InCode                          // code or formula
	InURL                           // web address
	InMarkup                        // value of a tag's attribute, comment
	InContentID                     // course, block or asset id
	InQuote                         // quoted line
)

// Token is a word, a number or a punctuation character. Words are cut at
// everything that is no letter, mark or digit: "d'Éloïse" is three tokens,
// "p_monem" too. In scripts that write without spaces each character is one.
type Token struct {
	Start, End int    // bytes of Document.Raw
	Text       string // decoded: entities, percent escapes, NFC
	Folded     string // fold.Key of Text
	Flags      Flags

	at   int   // where Text stands in the view
	form *form // what is known of Text
}

// Has reports whether the token has all the given flags.
func (t *Token) Has(f Flags) bool { return t.Flags&f == f }

// Any reports whether the token has one of the given flags.
func (t *Token) Any(f Flags) bool { return t.Flags&f != 0 }

// Skipped reports whether the token stands where names are never looked for.
func (t *Token) Skipped() bool { return t.Flags&(InCode|InContentID) != 0 }

// Document is a text cut into tokens.
type Document struct {
	Post   corpus.Post // zero for texts from elsewhere
	Field  string      // "title", "body", or the column or path of another text
	Raw    []byte
	Tokens []Token
	Lang   string // language of most of the text; empty when unknown

	words, shouted int // words of two letters or more; of these, in capitals only

	view fold.View
}

// NewDocument cuts raw into tokens. The document keeps raw.
func NewDocument(post corpus.Post, field string, raw []byte) *Document {
	d := new(Document)
	d.Reset(post, field, raw)
	return d
}

// Reset makes d the document of another text, reusing its memory: tokens of
// the text before must not be used any more.
func (d *Document) Reset(post corpus.Post, field string, raw []byte) {
	d.Post, d.Field, d.Raw, d.Lang = post, field, raw, post.Lang
	d.words, d.shouted = 0, 0
	d.Tokens = d.Tokens[:0]
	d.view.Read(raw)
	c := cutter{doc: d, text: d.view.Text, cursor: d.view.Cursor(), lineStart: true, sentenceStart: true}
	for c.at < len(c.text) {
		c.next()
	}
}

// Shouting reports whether most words of the text are in capitals.
func (d *Document) Shouting() bool { return 2*d.shouted > d.words }

// Text gives the decoded text, markup stripped.
func (d *Document) Text() string { return d.view.Text }

// Span gives the bytes of Raw that a part of a token was read from; from and
// to are bytes of the token's Text.
func (d *Document) Span(token, from, to int) (start, end int) {
	at := d.Tokens[token].at
	return d.view.Span(at+from, at+to)
}

// Between gives the decoded text from token i to token j, both included.
func (d *Document) Between(i, j int) string {
	last := &d.Tokens[j]
	return d.view.Text[d.Tokens[i].at : last.at+len(last.Text)]
}

// At finds the first token that ends after the byte offset raw.
func (d *Document) At(raw int) int {
	low, high := 0, len(d.Tokens)
	for low < high {
		if mid := (low + high) / 2; d.Tokens[mid].End <= raw {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// Next gives the first token after i that is part of the running text (not in
// a tag's attribute), or -1.
func (d *Document) Next(i int) int {
	for i++; i < len(d.Tokens); i++ {
		if d.Tokens[i].Flags&InMarkup == 0 {
			return i
		}
	}
	return -1
}

// Previous gives the last token before i that is part of the running text, or -1.
func (d *Document) Previous(i int) int {
	for i--; i >= 0; i-- {
		if d.Tokens[i].Flags&InMarkup == 0 {
			return i
		}
	}
	return -1
}

// cutter cuts a view into tokens.
type cutter struct {
	doc    *Document
	text   string
	cursor fold.Cursor
	at     int

	spaced, lineStart, sentenceStart bool
	before                           byte // the punctuation right before, 0 otherwise
}

// next reads white space or one token.
func (c *cutter) next() {
	if c.text[c.at] == ' ' {
		c.spaced, c.before = true, 0
		c.at++
		return
	}
	if b := c.text[c.at]; b < utf8.RuneSelf && wordTable[b] {
		c.word()
		return
	}
	r, size := utf8.DecodeRuneInString(c.text[c.at:])
	switch {
	case r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029:
		c.lineStart, c.sentenceStart, c.spaced, c.before = true, true, true, 0
		c.at += size
	case unicode.IsSpace(r) || unicode.IsControl(r):
		c.spaced, c.before = true, 0
		c.at += size
	case wordRune(r):
		c.word()
	default:
		c.punct(r, size)
	}
}

// wordTable answers wordRune for what most texts are written with.
var wordTable = func() (table [0x250]bool) {
	for r := range rune(len(table)) {
		if r < utf8.RuneSelf {
			table[r] = 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		} else {
			table[r] = unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
		}
	}
	return table
}()

func wordRune(r rune) bool {
	if uint32(r) < uint32(len(wordTable)) {
		return wordTable[r]
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

// spaceless reports whether r belongs to a script written without spaces.
func spaceless(r rune) bool {
	return r >= 0xE00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// spelling counts what a word is made of.
type spelling struct {
	letters, uppers, digits int
	capital, lower, mixed   bool
}

// add takes in the next character.
func (s *spelling) add(upper, letter, digit bool) {
	switch {
	case upper:
		s.capital = s.capital || s.letters+s.digits == 0
		s.mixed = s.mixed || s.lower
		s.letters++
		s.uppers++
	case letter:
		s.letters++
		s.lower = true
	case digit:
		s.digits++
	}
}

func (s *spelling) flags() Flags {
	flags := Word
	if s.letters == 0 && s.digits > 0 {
		flags = Number
	}
	if s.capital {
		flags |= Capital
	}
	if s.letters > 1 && s.uppers == s.letters {
		flags |= AllCaps
	}
	if s.mixed {
		flags |= Mixed
	}
	return flags
}

// word reads a word or a number.
func (c *cutter) word() {
	start, end := c.at, c.at
	hash := uint64(hashStart)
	for end < len(c.text) {
		b := c.text[end]
		if b < utf8.RuneSelf {
			if !wordTable[b] {
				break
			}
			hash = hashByte(hash, b)
			end++
			continue
		}
		r, size := utf8.DecodeRuneInString(c.text[end:])
		if !wordRune(r) {
			break
		}
		alone := spaceless(r) && !unicode.IsMark(r)
		if alone && end > start {
			break
		}
		if alone {
			size += marks(c.text[end+size:])
		}
		for range size {
			hash = hashByte(hash, c.text[end])
			end++
		}
		if alone {
			break
		}
	}
	f := formAt(c.text[start:end], hash)
	flags := f.flags
	if f.word {
		c.doc.words++
		if f.flags&AllCaps != 0 {
			c.doc.shouted++
		}
	}
	switch c.before {
	case 0:
	case '@':
		flags |= Mention
	case '#':
		flags |= Hashtag
	}
	if c.sentenceStart {
		flags |= SentenceStart
	}
	c.append(start, end, flags, f)
	c.sentenceStart, c.before = false, 0
}

// marks gives the length of the combining marks s begins with.
func marks(s string) int {
	n := 0
	for _, r := range s {
		if !unicode.IsMark(r) {
			break
		}
		n += utf8.RuneLen(r)
	}
	return n
}

// punct reads one punctuation character.
func (c *cutter) punct(r rune, size int) {
	end := c.at + size
	if end < len(c.text) && c.text[end] >= utf8.RuneSelf {
		end += marks(c.text[end:])
	}
	f := formOf(c.text[c.at:end])
	c.append(c.at, end, Punct, f)
	c.before = 0
	switch f.effect {
	case binds:
		c.before = byte(r)
	case ends, opensAll:
		c.sentenceStart = true
	case opens:
		// After a colon, an opening quote or a dash a capital tells little, but
		// a sentence that has begun is not begun again by a hyphen in a word.
		last := &c.doc.Tokens[len(c.doc.Tokens)-1]
		c.sentenceStart = c.sentenceStart || last.Any(SpaceBefore|LineStart)
	}
}

// append adds text[start:end] as a token.
func (c *cutter) append(start, end int, flags Flags, f *form) {
	d := c.doc
	if c.spaced {
		flags |= SpaceBefore
	}
	if c.lineStart {
		flags |= LineStart
	}
	if region := c.cursor.Region(start); region != 0 {
		flags |= regionFlags(region)
	}
	rawStart, rawEnd := c.cursor.Span(start, end)
	n := len(d.Tokens)
	if n == cap(d.Tokens) {
		d.Tokens = slices.Grow(d.Tokens, 1)
	}
	d.Tokens = d.Tokens[:n+1]
	t := &d.Tokens[n] // written where it stays: a token is large
	t.Start, t.End, t.Flags, t.at = rawStart, rawEnd, flags, start
	t.Text, t.Folded, t.form = c.text[start:end], f.folded, f
	c.at = end
	c.spaced, c.lineStart = false, false
}

// regionFlags says in flags where a token stands.
func regionFlags(region fold.Region) Flags {
	var flags Flags
	for _, m := range [...]struct {
		region fold.Region
		flag   Flags
	}{{fold.Code, InCode}, {fold.URL, InURL}, {fold.Markup, InMarkup}, {fold.ContentID, InContentID}, {fold.Quote, InQuote}} {
		if region&m.region != 0 {
			flags |= m.flag
		}
	}
	return flags
}
