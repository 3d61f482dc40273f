package detect

import (
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"anonymooc/internal/fold"
)

// A text says the same words again and again. What depends on the spelling of a
// word alone is found out once and shared by all documents:
//
//	word ─ hash ─► form (folded, flags, votes … │ what each detector knows of it)
//
// What a detector knows hangs at the form itself, so that it is there when the
// form is, and near. Nothing is locked: a pair of places holds the two forms that
// came last. A form that was pushed out stays valid for whoever holds it. When all
// places are filled with words that all detectors were asked about, they take some
// fifty megabytes.

// form is a spelling and what follows from it alone. It takes two lines of the
// processor's cache: one to know it by and be asked about, one of what is known.
type form struct {
	traits
	catalogue recollections[catalogueFact]
	nome      recollections[nomeFact]
	seekhide  recollections[spellingFact]
	authors   recollections[knownAuthors]
	eslo      recollections[esloWord]
	elided    recollections[esloWord] // of the word with an apostrophe
}

// traits are what follows from a spelling.
type traits struct {
	letters [longestForm]byte // the spelling itself, if it is short enough to be kept
	length  uint8             // of it; 0 for what is too long
	run     uint8             // longest run of one letter of folded; 255 is 255 or more
	anchors anchor            // what it may announce
	flags   Flags             // of spelling: what kind of token, its capitals
	cue     cue               // what it says of its neighbours
	role    role
	effect  effect
	joins   bool   // a mark that may stand between two words of a name
	digit   bool   // folded has a digit
	word    bool   // two letters or more
	runes   uint16 // characters of folded; 65535 is that many or more
	folded  string

	votes      *ballot // nil when it votes for no language
	characters int32   // of the spelling
}

const (
	formBits    = 17
	longestForm = 32 // bytes; longer ones are seldom said twice
)

var forms [1 << formBits]atomic.Pointer[form]

// The hash of a word is made while its end is looked for.
const hashStart = 14695981039346656037

func hashByte(h uint64, b byte) uint64 { return (h ^ uint64(b)) * 0x9E3779B97F4A7C15 }

// formOf gives the form of a whole token's text.
func formOf(text string) *form {
	h := uint64(hashStart)
	for i := range len(text) {
		h = hashByte(h, text[i])
	}
	return formAt(text, h)
}

// formAt is formOf where the hash is known.
func formAt(text string, hash uint64) *form {
	if len(text) > longestForm {
		return newForm(text)
	}
	place := hash >> (64 - formBits) &^ 1
	first := forms[place].Load()
	if first != nil && first.is(text) {
		return first
	}
	if last := forms[place+1].Load(); last != nil && last.is(text) {
		return last
	}
	f := newForm(text)
	forms[place+1].Store(first) // what came before the last one goes
	forms[place].Store(f)
	return f
}

// is reports whether it is the form of a text.
func (f *form) is(text string) bool { return string(f.letters[:f.length]) == text }

// newForm finds out about a spelling. Nothing of the text is held, which may be part of a long one.
func newForm(text string) *form {
	f := new(form)
	f.folded, f.characters = fold.KeyString(text), int32(utf8.RuneCountInString(text))
	if len(text) <= longestForm {
		f.length = uint8(copy(f.letters[:], text))
	}
	first, _ := utf8.DecodeRuneInString(text)
	if wordRune(first) {
		s := spellingOf(text)
		f.flags, f.word = s.flags(), s.letters > 1
	} else {
		f.flags, f.effect = Punct, effectOf(first)
	}
	f.runes, f.run = uint16(min(utf8.RuneCountInString(f.folded), math.MaxUint16)), uint8(min(longestRun(f.folded), math.MaxUint8))
	if known, ok := vocabulary()[f.folded]; ok {
		f.cue, f.role, f.anchors, f.votes = known.cue, known.role, known.anchors, known.votes
	}
	f.joins = f.flags&Punct != 0 && strings.Contains("-'._", f.folded)
	f.digit = hasDigit(f.folded)
	if len(text) != len(f.folded) { // there may be accents in it
		f.votes = votesOf(text, f.votes)
	}
	return f
}

// vocabulary is what the detectors' lists of words say, by folded word.
var vocabulary = sync.OnceValue(func() map[string]wordKnown {
	words := make(map[string]wordKnown)
	note := func(word string, what func(*wordKnown)) {
		known := words[word]
		what(&known)
		words[word] = known
	}
	for word, c := range cues {
		note(word, func(k *wordKnown) { k.cue = c })
	}
	for _, set := range []map[string]bool{finiteVerbs, ofPeople, ands} {
		for word := range set {
			note(word, func(k *wordKnown) { k.role = roleOf(word) })
		}
	}
	for word, a := range anchors() {
		note(word, func(k *wordKnown) { k.anchors = a })
	}
	for word, votes := range functionWordVotes {
		note(word, func(k *wordKnown) { k.votes = votes })
	}
	return words
})

// wordKnown is what they say of one word.
type wordKnown struct {
	votes   *ballot
	anchors anchor
	cue     cue
	role    role
}

// spellingOf counts what a word is made of.
func spellingOf(word string) spelling {
	var s spelling
	for _, r := range word {
		if r < utf8.RuneSelf {
			s.add('A' <= r && r <= 'Z', 'a' <= r && r <= 'z', '0' <= r && r <= '9')
			continue
		}
		if spaceless(r) && !unicode.IsMark(r) {
			s.letters++
			break // one such character is a token
		}
		s.add(unicode.IsUpper(r) || unicode.IsTitle(r), unicode.IsLetter(r), unicode.IsNumber(r))
	}
	return s
}

// effect is what a punctuation mark does to the word after it.
type effect uint8

const (
	binds    effect = iota + 1 // "@", "#": to that word
	ends                       // the sentence
	opens                      // a sentence, where it stands apart
	opensAll                   // a sentence, wherever it stands
)

func effectOf(r rune) effect {
	switch {
	case r == '@' || r == '#':
		return binds
	case strings.ContainsRune(".!?…。！？؟¿¡", r), unicode.Is(unicode.So, r):
		return ends
	case r == ':' || r == '*':
		return opensAll
	case strings.ContainsRune("«“\"-–—•>", r):
		return opens
	}
	return 0
}

// memory is what one detector remembers of forms: its number tells what hangs at a
// form for it from what hangs there for others. It is safe for concurrent use.
type memory[T any] struct{ number uint32 }

var memories atomic.Uint32 // numbers that were given

func newMemory[T any]() memory[T] { return memory[T]{memories.Add(1)} }

// recollections is what the detectors of one kind know of a form: mostly there is
// one of them, or one for each language in which the word is read.
type recollections[T any] struct {
	last atomic.Pointer[recalled[T]]
}

// recalled never changes once it hangs at a form.
type recalled[T any] struct {
	known  T
	before *recalled[T]
	number uint32
	length uint32 // of the chain, this one included
}

// mostRecalled is the length of the longest chain: each language and none.
const mostRecalled = languageCount + 1

// find gives what is remembered; nil for nothing.
func (m memory[T]) find(at *recollections[T]) *T {
	for r := at.last.Load(); r != nil; r = r.before {
		if r.number == m.number {
			return &r.known
		}
	}
	return nil
}

// keep remembers it.
func (m memory[T]) keep(at *recollections[T], known T) *T {
	r := &recalled[T]{known: known, number: m.number, length: 1}
	if before := at.last.Load(); before != nil && before.length < mostRecalled {
		r.before, r.length = before, before.length+1
	}
	at.last.Store(r)
	return &r.known
}
