package detect

import (
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"anonymooc/internal/fold"
)

// A text says the same words again and again. What depends on the spelling of a
// word alone is found out once and shared by all documents:
//
//	word ─ hash ─► form (folded, flags, votes …) ─► memory of each detector ─► what it knows
//
// Nothing is locked: a pair of places holds the two forms that came last. A form that
// was pushed out stays valid for whoever holds it. The places take some ten
// megabytes when they are all filled.

// form is a spelling and what follows from it alone.
type form struct {
	text, folded string
	votes        *ballot // nil when it votes for no language
	flags        Flags   // of spelling: what kind of token, its capitals
	place        int32   // in the table; none for what is too long to be kept
	letters      int32   // characters of text that are letters
	uppers       int32
	characters   int32  // of text
	runes        int32  // characters of folded
	run          int32  // longest run of one letter of folded
	anchors      anchor // what it may announce
	cue          cue    // what it says of its neighbours
	role         role
	effect       effect
	joins        bool // a mark that may stand between two words of a name
	digit        bool // folded has a digit
}

const (
	formBits     = 16
	formPlaces   = 1 << formBits
	memoryPlaces = formPlaces / 2
	longestForm  = 32 // bytes; longer ones are seldom said twice
	noPlace      = -1
)

var forms [formPlaces]atomic.Pointer[form]

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
		return newForm(text, noPlace)
	}
	place := int32(hash>>(64-formBits)) &^ 1
	if known := forms[place].Load(); known != nil && known.text == text {
		return known
	}
	last := forms[place+1].Load()
	if last != nil && last.text == text {
		return last
	}
	f := newForm(text, place)
	forms[place+1].Store(forms[place].Load()) // what came before the last one goes
	forms[place].Store(f)
	return f
}

// newForm finds out about a spelling. The text is copied: it may be part of a long one.
func newForm(text string, place int32) *form {
	text = strings.Clone(text)
	f := &form{text: text, folded: fold.KeyString(text), place: place}
	first, _ := utf8.DecodeRuneInString(text)
	if wordRune(first) {
		s := spellingOf(text)
		f.flags, f.letters, f.uppers = s.flags(), int32(s.letters), int32(s.uppers)
	} else {
		f.flags, f.effect = Punct, effectOf(first)
	}
	f.characters, f.runes, f.run = int32(utf8.RuneCountInString(text)), int32(utf8.RuneCountInString(f.folded)), int32(longestRun(f.folded))
	f.cue, f.role, f.anchors = cues[f.folded], roleOf(f.folded), anchors()[f.folded]
	f.joins = f.flags&Punct != 0 && strings.Contains("-'._", f.folded)
	f.digit = hasDigit(f.folded)
	f.votes = votesOf(text, f.folded)
	return f
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

// memory is what a detector remembers of forms. It is safe for concurrent use.
type memory[T any] struct {
	places [memoryPlaces]atomic.Pointer[recalled[T]]
}

type recalled[T any] struct {
	form  *form
	known T
}

// find gives what is remembered of a form; nil for nothing.
func (m *memory[T]) find(f *form) *T {
	if f.place < 0 {
		return nil
	}
	place := f.place & (memoryPlaces - 1)
	if r := m.places[place].Load(); r != nil && r.form == f {
		return &r.known
	}
	if r := m.places[place+1].Load(); r != nil && r.form == f {
		return &r.known
	}
	return nil
}

// keep remembers it.
func (m *memory[T]) keep(f *form, known T) *T {
	r := &recalled[T]{f, known}
	if f.place >= 0 {
		place := f.place & (memoryPlaces - 1)
		m.places[place+1].Store(m.places[place].Load())
		m.places[place].Store(r)
	}
	return &r.known
}
