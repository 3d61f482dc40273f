package detect

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// shape says how a form was spelled where it was found.
type shape uint8

const (
	normal shape = iota
	elongated
	spacedOut
	glued
	numbered
	disguised
	parted
)

// words of a shape, for Mark.What.
func (s shape) String() string {
	return [...]string{"", ", elongated", ", letter by letter", ", glued to a word", ", with a number", ", disguised", ", in two words"}[s]
}

// match is an occurrence of a form: tokens from to to, or the part of one token.
type match struct {
	from, to   int // tokens, to excluded
	start, end int // bytes of Document.Raw
	readings   []Reading
	shape      shape
}

// matchLists are the memory of Detect.
var matchLists = sync.Pool{New: func() any { return new([]match) }}

// Detect implements Detector.
func (c *Catalogue) Detect(doc *Document, marks []Mark) []Mark {
	list := matchLists.Get().(*[]match)
	matches := (*list)[:0]
	for i := 0; i < len(doc.Tokens); {
		tok := &doc.Tokens[i]
		if tok.Skipped() && !c.Code {
			i++
			continue
		}
		matches, i = c.at(doc, i, matches)
	}
	for i := 0; i < len(matches); i++ {
		if whole, used := c.compose(doc, matches, i); used > 0 {
			marks = append(marks, whole)
			i += used - 1
			continue
		}
		marks = c.emit(&matches[i], marks)
	}
	clear(matches)
	*list = matches
	matchLists.Put(list)
	return marks
}

// fact gives what the catalogue says of token i alone.
func (c *Catalogue) fact(doc *Document, i int) *catalogueFact {
	tok := &doc.Tokens[i]
	if known := c.known.find(&tok.form.catalogue); known != nil {
		return known
	}
	f := catalogueFact{lengths: c.lengths[tok.Folded]}
	if f.words > 0 {
		f.name = c.numbered(tok.Folded)
	}
	if f.tokens > 0 {
		f.exact = c.numbered(exactKey + tok.Folded)
	}
	if f.begins() {
		if people := c.bothNames(tok.Folded); people != nil {
			f.both = &people
		}
	}
	f.altered = tok.Any(Word) && tok.Folded != "" && c.altered(doc, i) != nil
	return c.known.keep(&tok.form.catalogue, f)
}

// numbered gives the number of a form's readings, counted from 1; 0 for none.
func (c *Catalogue) numbered(key string) int32 {
	if n, ok := c.forms[key]; ok {
		return n + 1
	}
	return 0
}

// at appends the forms at token i and gives the token to go on with.
func (c *Catalogue) at(doc *Document, i int, matches []match) ([]match, int) {
	tok := &doc.Tokens[i]
	fact := c.fact(doc, i)
	if fact.begins() {
		first := len(matches)
		if matches = c.direct(doc, i, fact, matches); len(matches) > first {
			next := matches[first].to
			if tok.Any(Mixed) {
				matches = append(matches, c.camel(doc, i)...)
			}
			if fact.both != nil {
				matches = append(matches, match{from: i, to: i + 1, start: tok.Start, end: tok.End, shape: glued,
					readings: []Reading{{Category: FullName, Type: TypeRunTogether, Entities: *fact.both}}})
			}
			return matches, next
		}
	}
	if !tok.Any(Word) || tok.Folded == "" {
		return matches, i + 1
	}
	if found, next := c.inPieces(doc, i); found != nil {
		return append(matches, found...), next
	}
	if tok.form.runes == 1 {
		found, next := c.letters(doc, i)
		return append(matches, found...), next
	}
	if fact.altered {
		matches = append(matches, c.altered(doc, i)...)
	}
	return matches, i + 1
}

// direct appends the longest name and the longest username or address that begin
// with token i. When they are of different lengths the longer one stands.
func (c *Catalogue) direct(doc *Document, i int, fact *catalogueFact, matches []match) []match {
	name, exact := match{to: -1}, match{to: -1}
	if fact.words > 0 {
		name = c.name(doc, i, fact)
	}
	if fact.tokens > 0 {
		exact = c.exact(doc, i, fact)
	}
	if name.to >= max(exact.to, 0) {
		matches = append(matches, name)
	}
	if exact.to >= max(name.to, 0) {
		matches = append(matches, exact)
	}
	return matches
}

// name finds the longest sequence of words from token i that is a known name; to
// is less than 0 for none.
func (c *Catalogue) name(doc *Document, i int, fact *catalogueFact) match {
	best := match{to: -1}
	if fact.name > 0 {
		best = match{from: i, to: i + 1, readings: c.reads[fact.name-1]}
	}
	if fact.words > 1 {
		var buf [64]byte
		key := append(buf[:0], doc.Tokens[i].Folded...)
		for n, j := 1, joined(doc, i); n < int(fact.words) && j >= 0; n, j = n+1, joined(doc, j) {
			key = append(append(key, ' '), doc.Tokens[j].Folded...)
			if id, ok := c.forms[string(key)]; ok {
				best = match{from: i, to: j + 1, readings: c.reads[id]}
			}
		}
	}
	return best.spanned(doc)
}

// spanned notes the bytes of the tokens, where there are some.
func (m match) spanned(doc *Document) match {
	if m.to > 0 {
		m.start, m.end = doc.Tokens[m.from].Start, doc.Tokens[m.to-1].End
	}
	return m
}

// joined gives the word that may continue a name after token j, or -1: the next
// one, or the one after a hyphen, an apostrophe, a dot or an underscore.
func joined(doc *Document, j int) int {
	k := j + 1
	if k < len(doc.Tokens) && doc.Tokens[k].form.joins {
		k++
	}
	if k >= len(doc.Tokens) || doc.Tokens[k].Any(Punct|LineStart) {
		return -1
	}
	return k
}

// exact finds the longest known username or address that is written from token i
// on without a gap; to is less than 0 for none.
func (c *Catalogue) exact(doc *Document, i int, fact *catalogueFact) match {
	best := match{to: -1}
	if fact.exact > 0 {
		best = match{from: i, to: i + 1, readings: c.reads[fact.exact-1]}
	}
	if fact.tokens > 1 {
		var buf [96]byte
		key := append(append(buf[:0], exactKey...), doc.Tokens[i].Folded...)
		for j := i + 1; j < len(doc.Tokens) && j-i < int(fact.tokens); j++ {
			if doc.Tokens[j].Any(SpaceBefore | LineStart) {
				break
			}
			key = append(key, doc.Tokens[j].Folded...)
			if id, ok := c.forms[string(key)]; ok {
				best = match{from: i, to: j + 1, readings: c.reads[id]}
			}
		}
	}
	return best.spanned(doc)
}

// single finds a one-word form, name or username.
func (c *Catalogue) single(folded string) []Reading {
	if !c.maybe(folded) {
		return nil
	}
	var readings []Reading
	if id, ok := c.forms[folded]; ok {
		readings = c.reads[id]
	}
	if id, ok := c.forms[exactKey+folded]; ok {
		readings = append(readings[:len(readings):len(readings)], c.reads[id]...)
	}
	return readings
}

// letters finds a name written letter by letter: "Z o é", "Z.O.É".
func (c *Catalogue) letters(doc *Document, i int) ([]match, int) {
	var buf [64]byte
	key := append(buf[:0], doc.Tokens[i].Folded...)
	n, last := 1, i
	var best match
	for j := joined(doc, i); j >= 0 && n < 20; j = joined(doc, j) {
		if doc.Tokens[j].form.runes != 1 {
			break
		}
		key = append(key, doc.Tokens[j].Folded...)
		n, last = n+1, j
		if readings := c.single(string(key)); n >= 3 && readings != nil {
			best = match{from: i, to: last + 1, readings: readings, shape: spacedOut,
				start: doc.Tokens[i].Start, end: doc.Tokens[last].End}
		}
	}
	if best.readings == nil {
		return nil, i + 1
	}
	return []match{best}, best.to
}

// altered finds a form in a word that is not one itself.
func (c *Catalogue) altered(doc *Document, i int) []match {
	tok := &doc.Tokens[i]
	whole := match{from: i, to: i + 1, start: tok.Start, end: tok.End}
	if heldLetters(tok.Folded) >= 3 {
		if readings := c.elongated(tok.Folded); readings != nil {
			whole.readings, whole.shape = readings, elongated
			return []match{whole}
		}
	}
	if last := tok.Folded[len(tok.Folded)-1]; '0' <= last && last <= '9' {
		base := strings.TrimRight(tok.Folded, "0123456789")
		if readings := c.single(base); len(base) >= 3 && readings != nil {
			whole.readings, whole.shape = readings, numbered
			return []match{whole}
		}
	}
	if strings.ContainsAny(tok.Folded, "01345") && len(tok.Folded) >= 4 {
		if readings := c.single(disguises.Replace(tok.Folded)); readings != nil {
			whole.readings, whole.shape = readings, disguised
			return []match{whole}
		}
	}
	if tok.Any(Mixed) {
		return c.camel(doc, i)
	}
	if people := c.bothNames(tok.Folded); people != nil {
		whole.readings, whole.shape = []Reading{{Category: FullName, Type: TypeRunTogether, Entities: people}}, glued
		return []match{whole}
	}
	return c.greeted(doc, i)
}

// leastHalf is the length of the shortest name that is looked for inside a word.
const leastHalf = 3

// bothNames finds the people whose two names, run together, make a word:
// "chiarafontana".
func (c *Catalogue) bothNames(folded string) []EntityID {
	for at := leastHalf; at <= len(folded)-leastHalf; at++ {
		if !utf8.RuneStart(folded[at]) || !c.maybe(folded[:at]) {
			continue
		}
		left := match{readings: c.single(folded[:at])}
		right := match{readings: c.single(folded[at:])}
		for _, pair := range [...][2]*Reading{{left.reading(FirstName), right.reading(LastName)}, {left.reading(LastName), right.reading(FirstName)}} {
			if pair[0] == nil || pair[1] == nil {
				continue
			}
			if people := intersect(pair[0].Entities, pair[1].Entities); len(people) > 0 {
				return people
			}
		}
	}
	return nil
}

// disguises are the digits people write for letters.
var disguises = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s")

// inPieces finds a name that a sign inside it ("Cl@ire") or a space after its
// first syllable ("Le Brun") cuts in two.
func (c *Catalogue) inPieces(doc *Document, i int) ([]match, int) {
	tokens := doc.Tokens
	tok := &tokens[i]
	found := func(to int, key string, s shape) ([]match, int) {
		readings := c.single(key)
		if readings == nil {
			return nil, i + 1
		}
		return []match{{from: i, to: to, start: tok.Start, end: tokens[to-1].End, readings: readings, shape: s}}, to
	}
	if i+2 < len(tokens) && tokens[i+1].Text == "@" && tokens[i+2].Has(Mention) && !tokens[i+1].Any(SpaceBefore) && !tokens[i+2].Any(SpaceBefore) {
		if i+3 == len(tokens) || tokens[i+3].Text != "." || tokens[i+3].Any(SpaceBefore) {
			return found(i+3, tok.Folded+"a"+tokens[i+2].Folded, disguised)
		}
	}
	if len(tok.Folded) <= 3 && tok.Any(Capital) && i+1 < len(tokens) && tokens[i+1].Has(Word|Capital|SpaceBefore) && !tokens[i+1].Any(LineStart) && len(tokens[i+1].Folded) >= 3 {
		return found(i+2, tok.Folded+tokens[i+1].Folded, parted)
	}
	return nil, i + 1
}

// heldLetters gives the length of the longest run of one letter.
func heldLetters(s string) int {
	run, best := 1, 1
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == s[i-1] && s[i] < utf8.RuneSelf:
			run++
			best = max(best, run)
		case s[i] < utf8.RuneSelf:
			run = 1
		default:
			return heldRunes(s)
		}
	}
	return best
}

func heldRunes(s string) int {
	run, best := 0, 0
	last := rune(-1)
	for _, r := range s {
		if r != last {
			run = 0
		}
		run++
		last = r
		best = max(best, run)
	}
	return best
}

// maxRuns bounds the runs of a word that are tried at both lengths.
const maxRuns = 4

// elongated looks up a word with each run of three letters or more cut down to
// one letter, then to two.
func (c *Catalogue) elongated(folded string) []Reading {
	type part struct {
		letter rune
		count  int
	}
	var parts []part
	var long []int
	for _, r := range folded {
		if n := len(parts); n > 0 && parts[n-1].letter == r {
			parts[n-1].count++
			if parts[n-1].count == 3 {
				long = append(long, n-1)
			}
			continue
		}
		parts = append(parts, part{r, 1})
	}
	if len(long) > maxRuns {
		long = long[:maxRuns]
	}
	for choice := range 1 << len(long) {
		var key []byte
		for i, p := range parts {
			count := min(p.count, 2)
			for bit, at := range long {
				if at == i {
					count = 1 + choice>>bit&1
				}
			}
			for range count {
				key = utf8.AppendRune(key, p.letter)
			}
		}
		if readings := c.single(string(key)); readings != nil {
			return readings
		}
	}
	return nil
}

// camel finds forms among the parts of a word like "MerciZoé" or "LauraPa". A
// name of three letters or more is enough.
func (c *Catalogue) camel(doc *Document, i int) []match {
	text := doc.Tokens[i].Text
	var found []match
	start := 0
	for at, r := range text + "A" {
		previous, _ := utf8.DecodeLastRuneInString(text[:at])
		if at == 0 || at < len(text) && !(unicode.IsUpper(r) && !unicode.IsUpper(previous)) {
			continue
		}
		part := text[start:at]
		if readings := c.single(foldWord(part)); readings != nil && utf8.RuneCountInString(part) >= 3 {
			s, e := doc.Span(i, start, at)
			found = append(found, match{from: i, to: i + 1, start: s, end: e, readings: readings, shape: glued})
		}
		start = at
	}
	return found
}

// greetings are the words people run together with a name in a hurry.
var greetings = strings.Fields("merci bonjour bonsoir salut coucou hello bienvenue jtaime cher chere bravo hola gracias ciao grazie obrigado obrigada oi ola hi hey thanks dear gracies bonjou")

// greeted finds a lower-case name glued to a greeting: "mercizoe".
func (c *Catalogue) greeted(doc *Document, i int) []match {
	tok := &doc.Tokens[i]
	if len(tok.Folded) < 6 || strings.IndexByte("mbscjhogtdi", tok.Folded[0]) < 0 {
		return nil
	}
	for _, g := range greetings {
		rest, ok := strings.CutPrefix(tok.Folded, g)
		if !ok || len(rest) < 3 {
			continue
		}
		readings := c.single(rest)
		at, n := len(tok.Text), utf8.RuneCountInString(rest)
		for ; n > 0; n-- {
			_, size := utf8.DecodeLastRuneInString(tok.Text[:at])
			at -= size
		}
		if readings == nil || foldWord(tok.Text[at:]) != rest {
			continue
		}
		s, e := doc.Span(i, at, len(tok.Text))
		return []match{{from: i, to: i + 1, start: s, end: e, readings: readings, shape: glued}}
	}
	return nil
}
