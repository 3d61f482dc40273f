package mine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/detect"
	"anonymooc/internal/fold"
)

// FormID numbers a form of a corpus's lexicon.
type FormID = uint32

// The first numbers stand for what is no form.
const (
	boundary FormID = iota // between two texts
	lineEnd                // a line's end
	hidden                 // code, addresses, ids: nothing is looked for there
	number                 // any number
	firstForm
)

// Form is one spelling of the lexicon.
type Form struct {
	Text    string // as written, decoded
	Key     string // folded
	Count   int32  // occurrences
	Middle  int32  // of these, capitalised where no sentence begins
	Opening int32  // of these, capitalised at a sentence's start
	item    uint32 // number of the key
	authors [3]uint32
	Word    bool // letters, not punctuation
}

// ManyAuthors reports whether at least three people wrote the form.
func (f *Form) ManyAuthors() bool { return f.authors[2] != 0 }

// Corpus is a text read once: the lexicon of its forms and the order they come in.
type Corpus struct {
	forms  []Form
	keys   []string // by item number
	lower  []int32  // occurrences that begin with a small letter, by item number
	upper  []int32  // occurrences that begin with a capital, by item number
	common []bool   // written in lower case by three people or more, by item number
	stream []FormID
	texts  []text
}

// text is where a document begins in the stream.
type text struct {
	start int
	lang  string
}

// Builder reads documents into a Corpus. It is not safe for concurrent use.
type Builder struct {
	corpus  *Corpus
	ids     map[string]FormID
	items   map[string]uint32
	authors map[string]uint32
}

// NewBuilder begins an empty corpus.
func NewBuilder() *Builder {
	b := &Builder{
		corpus: new(Corpus), ids: make(map[string]FormID),
		items: make(map[string]uint32), authors: make(map[string]uint32),
	}
	for _, text := range []string{boundaryItem, lineItem, hiddenItem, numberItem} {
		b.form(text, text, false)
	}
	b.corpus.stream = append(b.corpus.stream, boundary)
	return b
}

// How contexts write what is no form.
const (
	boundaryItem = "<edge>" // start or end of a text
	lineItem     = "<line>" // end of a line
	hiddenItem   = "<hidden>"
	numberItem   = "<number>"
)

// Add reads one document. The corpus keeps nothing of it.
func (b *Builder) Add(doc *detect.Document) {
	author := b.author(doc.Post.Author)
	stream := b.corpus.stream
	b.corpus.texts = append(b.corpus.texts, text{len(stream), doc.Lang})
	for i := range doc.Tokens {
		token := &doc.Tokens[i]
		if i > 0 && token.Has(detect.LineStart) {
			stream = append(stream, lineEnd)
		}
		stream = b.token(stream, token, author, doc.Lang)
	}
	b.corpus.stream = append(stream, boundary)
}

func (b *Builder) token(stream []FormID, token *detect.Token, author uint32, lang string) []FormID {
	switch {
	case token.Has(detect.InMarkup):
		return stream
	case token.Skipped() || token.Has(detect.InURL):
		if stream[len(stream)-1] != hidden {
			stream = append(stream, hidden)
		}
		return stream
	case token.Has(detect.Number):
		return append(stream, number)
	}
	id := b.form(token.Text, token.Folded, token.Has(detect.Word))
	form := &b.corpus.forms[id]
	form.Count++
	if token.Has(detect.Capital) {
		b.corpus.upper[form.item]++
		if token.Has(detect.SentenceStart) {
			form.Opening++
		} else if lang != "de" { // German writes every noun with a capital
			form.Middle++
		}
	} else {
		b.corpus.lower[form.item]++
	}
	form.wroteBy(author)
	return append(stream, id)
}

func (f *Form) wroteBy(author uint32) {
	for i := range f.authors {
		if f.authors[i] == author {
			return
		}
		if f.authors[i] == 0 {
			f.authors[i] = author
			return
		}
	}
}

// author numbers authors from 1; texts without one count as one author each.
func (b *Builder) author(id string) uint32 {
	if id == "" {
		return 1<<31 + uint32(len(b.corpus.texts))
	}
	n, ok := b.authors[id]
	if !ok {
		n = uint32(len(b.authors) + 1)
		b.authors[strings.Clone(id)] = n
	}
	return n
}

func (b *Builder) form(text, key string, word bool) FormID {
	if id, ok := b.ids[text]; ok {
		return id
	}
	text = strings.Clone(text)
	item, ok := b.items[key]
	if !ok {
		item = uint32(len(b.corpus.keys))
		key = strings.Clone(key)
		b.items[key] = item
		b.corpus.keys = append(b.corpus.keys, key)
		b.corpus.lower = append(b.corpus.lower, 0)
		b.corpus.upper = append(b.corpus.upper, 0)
	}
	id := FormID(len(b.corpus.forms))
	b.corpus.forms = append(b.corpus.forms, Form{Text: text, Key: b.corpus.keys[item], item: item, Word: word})
	b.ids[text] = id
	return id
}

// Corpus ends the reading; the builder must not be used any more.
func (b *Builder) Corpus() *Corpus {
	c := b.corpus
	c.common = make([]bool, len(c.keys))
	for i := range c.forms {
		form := &c.forms[i]
		if form.ManyAuthors() && !capitalised(form.Text) {
			c.common[form.item] = true
		}
	}
	c.stream = slices.Clip(c.stream)
	b.corpus, b.ids, b.items, b.authors = nil, nil, nil, nil
	return c
}

// Texts is the number of documents read.
func (c *Corpus) Texts() int { return len(c.texts) }

// Words is the number of words read, each time they occur.
func (c *Corpus) Words() int {
	n := 0
	for i := range c.forms {
		if c.forms[i].Word {
			n += int(c.forms[i].Count)
		}
	}
	return n
}

// Lexicon calls each with every word form.
func (c *Corpus) Lexicon(each func(*Form)) {
	for i := int(firstForm); i < len(c.forms); i++ {
		if c.forms[i].Word {
			each(&c.forms[i])
		}
	}
}

// LowerShare is the share of a form's occurrences, in any case, that begin with
// a small letter: near 1 for ordinary words.
func (c *Corpus) LowerShare(form *Form) float64 {
	lower, upper := c.lower[form.item], c.upper[form.item]
	if lower+upper == 0 {
		return 0
	}
	return float64(lower) / float64(lower+upper)
}

// ordinary reports whether three people or more wrote the form in lower case,
// and mostly so: the cheap dictionary of the corpus itself.
func (c *Corpus) ordinary(form *Form) bool {
	return c.common[form.item] && c.LowerShare(form) > 0.5
}

func capitalised(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r) || unicode.IsTitle(r)
}

// wordsOf cuts a form into its words, as documents are cut.
func wordsOf(form string) []string {
	doc := new(detect.Document)
	doc.Reset(doc.Post, "", []byte(form))
	var words []string
	for i := range doc.Tokens {
		if doc.Tokens[i].Any(detect.Word | detect.Number) {
			words = append(words, doc.Tokens[i].Text)
		}
	}
	return words
}

// keysOf is the folded words of a form.
func keysOf(form string) []string {
	words := wordsOf(form)
	for i, word := range words {
		words[i] = fold.KeyString(word)
	}
	return words
}
