package detect

import (
	"slices"

	"anonymooc/forum/lists"
)

// sequence is what step 1 finds: tokens from to to-1, of which those before
// name are civility titles.
type sequence struct {
	from, name, to int
	words          int  // parted by spaces, titles not counted
	long           bool // passes step 2
	capitals       bool // wholly in capitals
}

// nomeReader reads one document at a time and keeps its memory.
type nomeReader struct {
	nome      *Nome
	doc       *Document
	sequences []sequence
	words     [][2]int
	buffer    []byte
	facts     []*nomeFact // of the tokens, where they were asked for

	gathered  bool // the next two are those of this text
	longHere  map[string]bool
	partsHere map[string]bool

	next    func(word int) (string, bool) // words from at to end, for look-ups of several words
	at, end int
}

// read does steps 1 and 2.
func (r *nomeReader) read(doc *Document) {
	r.doc, r.sequences, r.gathered = doc, r.sequences[:0], false
	r.facts = slices.Grow(r.facts[:0], len(doc.Tokens))[:len(doc.Tokens)]
	clear(r.facts)
	for i := 0; i < len(doc.Tokens); {
		if !r.capital(i) && !r.title(i) {
			i++ // nothing begins here
			continue
		}
		s, ok := r.sequence(i)
		if !ok {
			i++
			continue
		}
		i = s.to
		r.sequences = append(r.sequences, s)
		if !r.judge(&r.sequences[len(r.sequences)-1]) {
			r.sequences = r.sequences[:len(r.sequences)-1]
		}
	}
}

// fact gives what the lists say of token i; it is asked for several times.
func (r *nomeReader) fact(i int) *nomeFact {
	if r.facts[i] == nil {
		r.facts[i] = r.nome.fact(&r.doc.Tokens[i])
	}
	return r.facts[i]
}

// judge finishes a sequence; it is dropped if nothing is left of it.
func (r *nomeReader) judge(s *sequence) bool {
	r.trim(s)
	if s.name >= s.to {
		return false
	}
	s.words = len(r.wordsOf(s))
	s.capitals = r.allCapitals(s.name, s.to)
	s.long = r.isLong(s)
	return true
}

// sequence reads the sequence that starts at token i.
func (r *nomeReader) sequence(i int) (sequence, bool) {
	s := sequence{from: i, name: i, to: i}
	for s.name < len(r.doc.Tokens) && r.title(s.name) && (s.name == i || !r.doc.Tokens[s.name].Any(LineStart)) {
		s.name++
		if s.name < len(r.doc.Tokens) && r.doc.Tokens[s.name].Text == "." {
			s.name++
		}
	}
	at := s.name
	for at < len(r.doc.Tokens) && r.capital(at) && (at == i || !r.doc.Tokens[at].Any(LineStart)) {
		if at > s.name && r.title(at) {
			break // "Bonjour Mme Dupont": a title opens a name of its own
		}
		at++
		at = r.joint(at)
	}
	// A joint that leads nowhere is punctuation.
	for at > s.name && r.doc.Tokens[at-1].Any(Punct) {
		if at-2 >= s.name && r.initial(at-2) && r.doc.Tokens[at-1].Text == "." {
			break
		}
		at--
	}
	s.to = at
	return s, s.to > s.name
}

// capital reports whether token i is a word of running text with a capital.
func (r *nomeReader) capital(i int) bool {
	t := &r.doc.Tokens[i]
	return t.Has(Word|Capital) && !t.Any(InCode|InURL|InMarkup|InContentID|Mention|Hashtag)
}

// title reports whether token i is a civility title with something after it.
func (r *nomeReader) title(i int) bool {
	t := &r.doc.Tokens[i]
	return t.Any(Word) && !t.Any(InCode|InURL|InMarkup|InContentID) && r.fact(i).title && i+1 < len(r.doc.Tokens)
}

// initial reports whether token i is one capital letter.
func (r *nomeReader) initial(i int) bool {
	t := &r.doc.Tokens[i]
	return t.Has(Word|Capital) && t.form.runes == 1
}

// joint steps over "-", "'" or the "." of an initial between two words.
func (r *nomeReader) joint(at int) int {
	if at >= len(r.doc.Tokens) || r.doc.Tokens[at].Any(SpaceBefore|LineStart) {
		return at
	}
	switch r.doc.Tokens[at].Folded {
	case "-", "'":
		if at+1 < len(r.doc.Tokens) && !r.doc.Tokens[at+1].Any(SpaceBefore|LineStart) && r.capital(at+1) {
			return at + 1
		}
	case ".":
		if r.initial(at - 1) {
			return at + 1
		}
	}
	return at
}

// trim takes countries off the beginning of a sequence ("vive l'Algérie Karima"), and
// ordinary words where it begins a sentence.
func (r *nomeReader) trim(s *sequence) {
	if r.nome.lists == nil || s.name > s.from {
		return
	}
	for s.name+1 < s.to && r.doc.Tokens[s.name+1].Any(SpaceBefore) && r.country(s.name) {
		s.name++
		s.from = s.name
	}
	for s.name < s.to {
		t := &r.doc.Tokens[s.name]
		if !t.Any(SentenceStart) && s.name == s.from {
			return
		}
		e := r.nome.listed.of(t.form)
		if e.Is(lists.UsualName) || !e.Common(r.doc.Lang) || t.Any(AllCaps) {
			return
		}
		if next := s.name + 1; next < s.to && r.doc.Tokens[next].Any(Punct) {
			return // "Jean-Marc", "L'Hermitte": part of a name
		}
		s.name++
		s.from = s.name
		if s.name < s.to && !r.doc.Tokens[s.name].Any(SentenceStart) {
			return
		}
	}
}

// country reports whether token i is a country's name, and nobody's.
func (r *nomeReader) country(i int) bool {
	e := r.nome.listed.of(r.doc.Tokens[i].form)
	return e.Is(lists.Country) && !e.Is(lists.FirstName|lists.Surname)
}

// wordsOf cuts a sequence at its spaces, titles left out; the result is valid
// until the next call.
func (r *nomeReader) wordsOf(s *sequence) [][2]int {
	r.words = r.words[:0]
	start := s.name
	for i := s.name + 1; i < s.to; i++ {
		if r.doc.Tokens[i].Any(SpaceBefore) {
			r.words = append(r.words, [2]int{start, i})
			start = i
		}
	}
	return append(r.words, [2]int{start, s.to})
}

// mostWords is how many words a name may have: more are a heading.
const mostWords = 7

// isLong is step 2.
func (r *nomeReader) isLong(s *sequence) bool {
	if s.words > mostWords || r.excluded(s) || !r.letters(s.name, s.to) {
		return false
	}
	if s.name > s.from {
		return true
	}
	return s.words > 1 && !s.capitals
}

// letters reports whether two letters stand side by side: what has none is
// initials.
func (r *nomeReader) letters(from, to int) bool {
	for i := from; i < to; i++ {
		if r.doc.Tokens[i].Any(Word) && r.doc.Tokens[i].form.runes > 1 {
			return true
		}
	}
	return false
}

func (r *nomeReader) allCapitals(from, to int) bool {
	for i := from; i < to; i++ {
		if t := &r.doc.Tokens[i]; t.Any(Word) && !t.Any(AllCaps) && t.form.runes > 1 {
			return false
		}
	}
	return r.letters(from, to)
}

// excluded reports whether a sequence holds an excluded expression, or is a
// country or a large town as a whole.
func (r *nomeReader) excluded(s *sequence) bool {
	for i := s.from; i < s.to; i++ {
		if r.fact(i).excluded && r.phraseAt(r.nome.excluded, i, s.to) > i {
			return true
		}
	}
	if r.nome.lists == nil || s.name > s.from {
		return false
	}
	words, first := 0, -1
	for j := s.name; j < s.to; j++ {
		if !r.doc.Tokens[j].Any(Punct) {
			if words++; first < 0 {
				first = j
			}
		}
	}
	if words == 0 {
		return false
	}
	if words == 1 {
		return r.fact(first).place
	}
	r.at, r.end = s.name, s.to
	return r.nome.listed.of(r.doc.Tokens[first].form).Begins() && r.nome.largeTown(words, r.next)
}

// word gives the n-th word from r.at on, punctuation left out.
func (r *nomeReader) word(n int) (string, bool) {
	for i := r.at; i < r.end; i++ {
		if r.doc.Tokens[i].Any(Punct) {
			continue
		}
		if n == 0 {
			return r.doc.Tokens[i].Folded, true
		}
		n--
	}
	return "", false
}

// phraseAt gives the token after the expression that starts at token i, or i.
func (r *nomeReader) phraseAt(p *phrases, i, end int) int {
	t := &r.doc.Tokens[i]
	if !t.Any(Word) || !p.first[t.Folded] {
		return i
	}
	r.buffer = r.buffer[:0]
	found := i
	for j, words := i, 0; j < end && words < p.longest; j++ {
		if r.doc.Tokens[j].Any(Punct) {
			continue
		}
		if words > 0 {
			r.buffer = append(r.buffer, ' ')
		}
		r.buffer = append(r.buffer, r.doc.Tokens[j].Folded...)
		words++
		if p.whole[string(r.buffer)] {
			found = j + 1
		}
	}
	return found
}

// key is the folded form of tokens from to to-1.
func (r *nomeReader) key(from, to int) string {
	r.fill(from, to)
	return string(r.buffer)
}

// fill puts that key into the buffer.
func (r *nomeReader) fill(from, to int) {
	r.buffer = r.buffer[:0]
	for i := from; i < to; i++ {
		if t := &r.doc.Tokens[i]; !t.Any(Punct) {
			if len(r.buffer) > 0 {
				r.buffer = append(r.buffer, ' ')
			}
			r.buffer = append(r.buffer, t.Folded...)
		}
	}
}
