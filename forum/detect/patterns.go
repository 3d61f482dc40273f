package detect

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Patterns finds what has a form of its own: e-mail addresses, web addresses
// with people in them, phone numbers, postal addresses, dates of birth,
// national and student numbers, network addresses, messenger handles, institutions
// that have a number for a name.
//
// One walk over the tokens looks for anchors: an "@", a number, "http", a word
// such as "rue" or "born". Only around an anchor is anything expensive tried:
// an anchored expression over a short window, a check digit, the numbering plan
// of a country. So common text costs one table look-up a word, and every
// expression runs in linear time over bounded text.
//
//	tokens ─ anchors ─► emails, urls, phones, numbers, networks, addresses, births, handles ─► marks
//
// Entities, percent escapes, markup and invisible characters are already read
// through by the Document; marks lead back to the bytes of the source.
type Patterns struct {
	emails    *emailForms
	urls      *urlForms
	phones    *phoneForms
	numbers   *numberForms
	addresses *addressForms
	births    *birthForms
	handles   *handleForms
	schools   *institutionForms
}

// anchor is a set of families that a word may announce.
type anchor uint16

const (
	anchorEmail anchor = 1 << iota
	anchorHost
	anchorPhone
	anchorStreet
	anchorBirth
	anchorNumber
	anchorHandle
	anchorSite

	anchorNumeral // a number in words; announces nothing, and is looked for
	anchorSchool  // an institution that may have a number for a name; the same

	anchorsNothing = anchorNumeral | anchorSchool
)

// NewPatterns prepares the detector.
func NewPatterns() *Patterns {
	return &Patterns{
		emails:    newEmailForms(),
		urls:      newURLForms(),
		phones:    newPhoneForms(),
		numbers:   newNumberForms(),
		addresses: newAddressForms(),
		births:    newBirthForms(),
		handles:   newHandleForms(),
		schools:   newInstitutionForms(),
	}
}

// anchors are the words that announce something.
var anchors = sync.OnceValue(func() map[string]anchor {
	all := map[string]anchor{}
	for kind, words := range map[anchor]string{
		anchorEmail:  emailWords,
		anchorHost:   newURLForms().anchorWords(),
		anchorPhone:  phoneWords,
		anchorStreet: streetWords,
		anchorBirth:  birthWords,
		anchorNumber: numberWords,
		anchorHandle: handleWords,
		anchorSite:   siteWords,

		anchorNumeral: numeralWords,
		anchorSchool:  schoolWords + " " + wardWords,
	} {
		for word := range strings.FieldsSeq(words) {
			all[word] |= kind
		}
	}
	return all
})

// Name is "patterns".
func (p *Patterns) Name() string { return "patterns" }

// Detect appends the marks of all families. A span found by two families is
// marked by both; the engine keeps the longest.
func (p *Patterns) Detect(doc *Document, marks []Mark) []Mark {
	s := &scan{doc: doc, text: doc.view.Text, marks: marks, first: len(marks), phoneWord: -1, siteWord: -1}
	for i := range doc.Tokens {
		p.token(s, i)
	}
	if s.keeper {
		p.urls.findOnly(s)
	}
	return s.marks
}

// token hands one token to the families it announces.
func (p *Patterns) token(s *scan, i int) {
	t := &s.doc.Tokens[i]
	if t.Flags&InContentID != 0 {
		return
	}
	switch {
	case t.Flags&Number != 0:
		p.number(s, i)
	case t.Flags&Punct != 0:
		mark := s.text[t.at]
		if mark >= utf8.RuneSelf && len(t.Folded) == 1 {
			mark = t.Folded[0]
		}
		switch mark {
		case '@':
			p.at(s, i)
		case ':':
			p.colon(s, i)
		}
	default:
		if kinds := t.form.anchors &^ anchorsNothing; kinds != 0 {
			p.word(s, i, kinds)
		}
		if t.form.digit {
			p.number(s, i)
		}
	}
}

func (p *Patterns) number(s *scan, i int) {
	t := &s.doc.Tokens[i]
	if t.at < s.taken {
		return
	}
	if findIPv4(s, i) || t.Flags&(InURL|InCode) != 0 {
		return
	}
	if p.schools.find(s, i) || p.numbers.find(s, i) || p.phones.find(s, i) {
		return
	}
	p.addresses.findPostcode(s, i)
	p.handles.findTag(s, i)
}

func (p *Patterns) at(s *scan, i int) {
	if !p.emails.find(s, i) {
		p.handles.findMention(s, i)
	}
}

func (p *Patterns) colon(s *scan, i int) {
	if strings.HasPrefix(s.text[s.doc.Tokens[i].at:], "://") {
		p.urls.findScheme(s, i)
		return
	}
	findIPv6(s, i)
}

func (p *Patterns) word(s *scan, i int, kinds anchor) {
	if kinds&anchorHost != 0 {
		p.urls.findHost(s, i)
	}
	if s.doc.Tokens[i].Flags&(InURL|InCode) != 0 {
		return
	}
	if kinds&anchorEmail != 0 {
		p.emails.findSpelled(s, i)
	}
	if kinds&anchorPhone != 0 {
		s.phoneWord, s.phoneSure = s.doc.Tokens[i].at, phoneSure[s.doc.Tokens[i].Folded]
		p.phones.findSpelled(s, i)
	}
	if kinds&anchorStreet != 0 {
		p.addresses.find(s, i)
	}
	if kinds&anchorBirth != 0 {
		p.births.find(s, i)
	}
	if kinds&anchorNumber != 0 {
		p.numbers.findNamed(s, i)
	}
	if kinds&anchorSite != 0 {
		s.siteWord = s.doc.Tokens[i].at
		p.urls.findOwn(s, i)
		s.keeper = s.keeper || s.mayLink() && p.urls.kept(s, i)
	}
	if kinds&anchorHandle != 0 {
		p.handles.find(s, i)
	}
}

// scan is the state of one Detect. Offsets are bytes of text, the document's
// decoded text.
type scan struct {
	doc       *Document
	text      string
	marks     []Mark
	first     int  // marks[first:] are ours
	taken     int  // numbers before this offset have been read
	phoneWord int  // where the last word that announces a phone number stands
	phoneSure bool // that word announces nothing else
	siteWord  int  // where the last word for a site of one's own stands
	keeper    bool // somebody here says that they have a site
	links     link // whether there may be an address in the text
}

// add marks text[start:end].
func (s *scan) add(start, end int, category Category, proposal Verdict, score float64, what string) {
	if start >= end {
		return
	}
	rawStart, rawEnd := s.doc.view.Span(start, end)
	s.marks = append(s.marks, Mark{
		Start: rawStart, End: rawEnd, Category: category,
		Proposal: proposal, Score: score, By: "patterns", What: what,
	})
	s.taken = max(s.taken, end)
}

// window gives the text from start-before to start+after, cut at rune borders
// and at line ends that are followed by an empty line, and where it starts.
func (s *scan) window(start, before, after int) (text string, from int) {
	from = max(start-before, 0)
	for from < start && !utf8.RuneStart(s.text[from]) {
		from++
	}
	to := min(start+after, len(s.text))
	for to < len(s.text) && !utf8.RuneStart(s.text[to]) {
		to++
	}
	if i := strings.Index(s.text[start:to], "\n\n"); i >= 0 {
		to = start + i
	}
	return s.text[from:to], from
}

// runeBefore and runeAfter give the neighbouring character, 0 at the ends.
func (s *scan) runeBefore(at int) rune {
	if at <= 0 {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(s.text[:at])
	return r
}

func (s *scan) runeAfter(at int) rune {
	if at >= len(s.text) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(s.text[at:])
	return r
}

// bounded reports whether no letter, digit or underscore touches the span.
func (s *scan) bounded(start, end int) bool {
	return !wordLike(s.runeBefore(start)) && !wordLike(s.runeAfter(end))
}

func wordLike(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r)
}

func hasDigit(s string) bool {
	for i := range len(s) {
		if c := s[i]; '0' <= c && c <= '9' {
			return true
		}
	}
	return false
}

// digitsOf returns the ASCII digits of s.
func digitsOf(s string) string {
	var buf [40]byte
	out := buf[:0]
	for i := range len(s) {
		if c := s[i]; '0' <= c && c <= '9' {
			out = append(out, c)
		}
	}
	return string(out)
}

// wordSet makes a set of the words of a text.
func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}
