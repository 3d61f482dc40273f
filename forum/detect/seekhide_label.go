package detect

import (
	"math/bits"
	"slices"
	"sync"
	"unicode/utf8"

	"anonymooc/forum/lists"
)

// Label is what the dictionaries say of a word (Patel et al. 2013, table 1).
type Label uint8

// The labels, with the paper's examples.
const (
	LabelIgnore    Label = iota // in the anti-dictionary only: crayon
	LabelMask                   // in the dictionary only: Cédric
	LabelAmbiguous              // in both: Pierre
	LabelUnknown                // in neither: Namrata
)

// String gives the label's name.
func (l Label) String() string {
	return [...]string{"ignore", "mask", "ambiguous", "unknown"}[l]
}

// Dictionaries are the lists that Seek&Hide compares; *lists.Lists is one.
type Dictionaries interface {
	Look(key string) lists.Entry
	Prefixes(key string, entries []lists.Entry) []lists.Entry // of the first byte, of the first two …
	Near(key string) lists.Kind
}

// wordFact is what is known of one token.
type wordFact struct {
	entry    lists.Entry
	from, to int32 // part of the token's Text that is the name; to 0: all of it
	label    Label
	word     bool  // a word that was looked at; all else has label LabelIgnore
	how      how   // the heuristic that settled it
	authors  uint8 // other authors who use the word in small letters, 3 and more count as 3; asked where it matters
}

// spellingFact is what the lists say of a form in a language, wherever it stands.
type spellingFact struct {
	counts      bool // it may be a name: long enough, and no number
	word        bool
	in, against bool      // what the lists of names and the others say
	otherwise   *wordFact // what the heuristics say where neither knows it
}

// spellings remembers them, for each language and for none.
type spellings [languageCount + 1]memory[spellingFact]

// wordReader looks up the words of one document at a time and keeps its memory.
type wordReader struct {
	dictionaries Dictionaries
	listed       *Listed  // what they say of words as they are written
	lexicon      *Lexicon // may be nil
	spellings    *spellings
	known        memory[spellingFact] // of the text's language
	words        lists.Kind
	author       uint64 // the digest of the text's author
	facts        []wordFact
	squeezed     []byte
	prefixes     []lists.Entry
	features     []float64
	scores       []float64
	asked        []float64 // by token: the forest's opinion (see Traits)
	capitals     int       // words with a capital; together with all words, how a text is written
	all          int
}

// newWordReaders gives a pool of readers for concurrent use.
func newWordReaders(dictionaries Dictionaries, lexicon *Lexicon) *sync.Pool {
	shared, listed := new(spellings), NewListed(dictionaries)
	for i := range shared {
		shared[i] = newMemory[spellingFact]()
	}
	return &sync.Pool{New: func() any {
		return &wordReader{dictionaries: dictionaries, listed: listed, lexicon: lexicon, spellings: shared}
	}}
}

// largePlace is the population from which a town's name speaks against a
// person's: small places are named like people in every country.
const largePlace = 1 << 16

// read looks up all words of a document.
func (r *wordReader) read(doc *Document) {
	r.words = lists.WordOf(doc.Lang) | lists.StopOf(doc.Lang)
	if r.words == 0 {
		r.words = lists.AnyWord | lists.AnyStop
	}
	number := bits.TrailingZeros32(uint32(lists.WordOf(doc.Lang) / lists.WordOf(lists.Languages()[0])))
	r.known = r.spellings[min(number, languageCount)]
	if r.lexicon != nil {
		r.author = r.lexicon.authorOf(doc)
	}
	r.capitals, r.all = 0, 0
	r.facts = slices.Grow(r.facts[:0], len(doc.Tokens))[:len(doc.Tokens)]
	for i := range doc.Tokens {
		r.look(&doc.Tokens[i], &r.facts[i])
	}
}

// look looks up one token.
func (r *wordReader) look(t *Token, f *wordFact) {
	*f = wordFact{}
	if !t.Any(Word) || t.Any(InCode|InURL|InMarkup|InContentID|Mention|Hashtag) {
		return
	}
	r.all++
	if t.Any(Capital) {
		r.capitals++
	}
	s := r.known.find(&t.form.seekhide)
	if s == nil {
		s = r.known.keep(&t.form.seekhide, r.spelling(t))
	}
	f.entry, f.word = r.listed.of(t.form), s.word
	if !s.counts {
		return
	}
	against := s.against
	if r.lexicon != nil && (s.in || !against || t.Any(Capital)) {
		f.authors = r.lexicon.others(t.form, r.author)
		against = against || f.authors >= enoughAuthors
	}
	if !s.in && !against {
		authors := f.authors
		*f = *s.otherwise
		f.authors = authors
		return
	}
	f.label = labelOf(s.in, against)
}

// spelling asks the lists and the heuristics about a token's form.
func (r *wordReader) spelling(t *Token) spellingFact {
	var s spellingFact
	entry := r.listed.of(t.form)
	if entry.Kinds == 0 && t.form.digit {
		return s // a version, a time, a username: other detectors' business
	}
	s.word, s.counts = true, t.form.runes > 1
	if !s.counts {
		return s
	}
	s.in, s.against = r.dictionary(entry, t), r.antiDictionary(entry, t)
	if !s.in && !s.against {
		s.otherwise = &wordFact{entry: entry, word: true}
		r.heuristics(t, s.otherwise)
	}
	return s
}

// labelOf is the paper's table 1.
func labelOf(in, against bool) Label {
	switch {
	case in && against:
		return LabelAmbiguous
	case in:
		return LabelMask
	case against:
		return LabelIgnore
	}
	return LabelUnknown
}

// dictionary reports whether a word is in the lists of names. Two letters in
// lower case are no name, nor is a function word of the text's language that
// has the spelling of a surname somewhere ("pour" is one in Czech). Surnames
// count with a capital only: in small letters nearly all of them are words. Rare
// surnames count where the language has no such word.
func (r *wordReader) dictionary(e lists.Entry, t *Token) bool {
	switch {
	case !e.Is(lists.FirstName|lists.Surname) && (!e.Is(lists.RareSurname) || e.Is(r.words)):
		return false
	case e.Is(lists.UsualName):
		return t.Any(Capital) || !e.Is(r.words&lists.AnyStop)
	case e.Is(r.words & lists.AnyStop):
		return false
	}
	return t.Any(Capital) || e.Is(lists.FirstName) && utf8.RuneCountInString(t.Folded) > 2
}

// notNames are the lists that speak against a name in every language.
const notNames = lists.Chat | lists.Onomatopoeia | lists.Pronoun | lists.Title | lists.Institution |
	lists.Country | lists.Demonym | lists.AnyStop | lists.OtherStop

// antiDictionary reports whether a word is in the lists of what is no name: the
// language, chat, large places, countries. In small letters a word of another language
// counts too, unless it is a name in wide use.
func (r *wordReader) antiDictionary(e lists.Entry, t *Token) bool {
	return e.Is(r.words|notNames) || e.Is(lists.Place) && e.Population >= largePlace ||
		!t.Any(Capital) && e.Is(lists.AnyWord) && !e.Is(lists.UsualName)
}
