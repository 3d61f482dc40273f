package detect

import (
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/lists"
	"anonymooc/internal/fold"
)

// A text says the same words again and again. What depends on the spelling of a
// word alone is found out once and shared by all documents:
//
//	word ─ hash ─► form (folded, flags, votes … │ what each detector knows of it)
//
// What detectors know stands in the form itself: it is there when the form is, and
// a processor that fetches one fetches the other. Nothing is locked. A form that
// was pushed out stays valid for whoever holds it. When all places are filled,
// they take some forty megabytes.

// form is a spelling, what follows from it alone, and what is known of it. It takes
// four lines of the processor's cache.
type form struct {
	traits
	listed    slot[lists.Entry]
	eslo      slot[esloWord]
	nome      slot[nomeFact]
	seekhide  slot[spellingFact]
	catalogue slot[catalogueFact]
	authors   recollections[knownAuthors]
	elided    recollections[elidedWord] // of the word with an apostrophe
	_         [8]byte                   // up to the end of a line
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
	setBits     = 15
	setSize     = 4  // forms in a set
	longestForm = 32 // bytes; longer ones are seldom said twice
)

// formSet holds the last few forms whose hashes begin alike. A mark of 16 bits of
// the hash tells which of them is worth looking at; the marks are no more than
// hints, and may be those of another form for a moment.
type formSet struct {
	marks [setSize]atomic.Uint32
	forms [setSize]atomic.Pointer[form]
	_     [16]byte // one line of the cache for each
}

var forms [1 << setBits]formSet

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
	set := &forms[hash>>(64-setBits)]
	mark := uint32(hash>>(64-setBits-16)) | 1<<31 // no mark is 0
	for i := range set.marks {
		if set.marks[i].Load() == mark {
			if f := set.forms[i].Load(); f != nil && f.is(text) {
				return f
			}
		}
	}
	f := newForm(text)
	place := hash % setSize // which of them goes, where all are taken
	for i := range set.marks {
		if set.marks[i].Load() == 0 {
			place = uint64(i)
			break
		}
	}
	set.forms[place].Store(f)
	set.marks[place].Store(mark)
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

// slot is what the detectors of one kind know of a form: one of them in the form
// itself, as soon as it knows, the others behind it. What stands in it never changes.
type slot[T any] struct {
	number atomic.Uint32 // of the memory that it belongs to; 0 for none yet
	known  T
	others recollections[T]
}

// taken is the number of a slot that is being written.
const taken = math.MaxUint32

// find gives what is remembered; nil for nothing.
func (m memory[T]) find(at *slot[T]) *T {
	if at.number.Load() == m.number {
		return &at.known
	}
	return m.behind(&at.others)
}

// keep remembers it.
func (m memory[T]) keep(at *slot[T], known T) *T {
	if !at.number.CompareAndSwap(0, taken) {
		return m.hang(&at.others, known)
	}
	at.known = known
	at.number.Store(m.number)
	return &at.known
}

// recollections hang at a form: mostly one of each language in which the word is read.
type recollections[T any] struct {
	last atomic.Pointer[recalled[T]]
}

// recalled never changes once it hangs at a form.
type recalled[T any] struct {
	number uint32
	length uint32 // of the chain, this one included
	known  T
	before *recalled[T]
}

// mostRecalled is the length of the longest chain: each language and none.
const mostRecalled = languageCount + 1

// behind finds what hangs at a form; nil for nothing.
func (m memory[T]) behind(at *recollections[T]) *T {
	for r := at.last.Load(); r != nil; r = r.before {
		if r.number == m.number {
			return &r.known
		}
	}
	return nil
}

// hang remembers it there.
func (m memory[T]) hang(at *recollections[T], known T) *T {
	r := &recalled[T]{known: known, number: m.number, length: 1}
	if before := at.last.Load(); before != nil && before.length < mostRecalled {
		r.before, r.length = before, before.length+1
	}
	at.last.Store(r)
	return &r.known
}
