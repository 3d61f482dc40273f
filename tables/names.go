package tables

import (
	"hash/maphash"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"anonymooc/idmap"
	"anonymooc/internal/fold"
)

// NameIndex finds names of known people in short texts: a wiki slug, a file
// name, a field nobody documented. Two words of a name or more, next to each
// other in either order, tell who is meant; a single word is only somebody's.
//
// It is filled before a run and then only read.
type NameIndex struct {
	people  map[uint64]idmap.Pseudonym // by the hash of "first last", folded: two million names fit
	words   map[uint64]struct{}        // of all names, one by one
	seed    maphash.Seed
	longest int // in words
}

// NewNameIndex makes an empty index.
func NewNameIndex() *NameIndex {
	return &NameIndex{people: map[uint64]idmap.Pseudonym{}, words: map[uint64]struct{}{}, seed: maphash.MakeSeed()}
}

// Add enters a person's full name. A name that two people share keeps no
// pseudonym: whom it means cannot be told.
func (x *NameIndex) Add(name string, p idmap.Pseudonym) {
	words := nameWords(name)
	for _, word := range words {
		if utf8.RuneCountInString(word) >= 3 {
			x.words[maphash.String(x.seed, word)] = struct{}{}
		}
	}
	if len(words) < 2 {
		return
	}
	forms := []string{strings.Join(words, " ")}
	reversed := append(append([]string(nil), words[1:]...), words[0])
	forms = append(forms, strings.Join(reversed, " "))
	for _, text := range forms {
		form := maphash.String(x.seed, text)
		if have, ok := x.people[form]; ok && have != p {
			p = 0
		}
		x.people[form] = p
	}
	x.longest = max(x.longest, len(words))
}

// nameSpan is a full name found in a text.
type nameSpan struct {
	start, end int
	person     idmap.Pseudonym // 0 when it cannot be told whose name it is
}

// find appends the names and the single words of names that stand in text, left
// to right, the longest where they overlap.
func (x *NameIndex) find(spans []nameSpan, text []byte) []nameSpan {
	if x == nil || len(x.words) == 0 {
		return spans
	}
	for at := 0; ; {
		first, ok := nextWord(text, at)
		if !ok {
			return spans
		}
		at = first.end
		folded := first.fold(nil, text)
		if _, ok := x.words[maphash.Bytes(x.seed, folded)]; !ok {
			continue
		}
		if name, ok := x.longestFrom(text, first, folded); ok {
			spans = append(spans, name)
			at = name.end
		} else if !first.isPlatform(text, folded) {
			spans = append(spans, nameSpan{first.start, first.end, 0})
		}
	}
}

// longestFrom finds the longest name of two words or more that starts with a
// word, given with its folded form.
func (x *NameIndex) longestFrom(text []byte, first word, folded []byte) (found nameSpan, ok bool) {
	last := first
	for n := 2; n <= x.longest; n++ {
		next, more := nextWord(text, last.end)
		if !more {
			break
		}
		folded = next.fold(append(folded, ' '), text)
		last = next
		if p, known := x.people[maphash.Bytes(x.seed, folded)]; known {
			found, ok = nameSpan{first.start, last.end, p}, true
		}
	}
	return found, ok
}

// word is a run of letters in a text.
type word struct{ start, end int }

// nextWord finds the first word that starts at or behind at. Letters that touch
// a digit are no word but part of an id.
func nextWord(text []byte, at int) (word, bool) {
	start := -1
	for i := at; i < len(text); {
		c, size := text[i], 1
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '\''
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRune(text[i:])
			letter = unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) || r == '’'
		}
		switch {
		case letter && start < 0:
			start = i
		case !letter && start >= 0:
			if w := (word{start, i}); !w.touchesDigit(text) {
				return w, true
			}
			start = -1
		}
		i += size
	}
	w := word{start, len(text)}
	return w, start >= 0 && !w.touchesDigit(text)
}

func (w word) touchesDigit(text []byte) bool {
	return w.start > 0 && isDigit(text[w.start-1]) || w.end < len(text) && isDigit(text[w.end])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// fold appends the folded form of a word.
func (w word) fold(dst, text []byte) []byte {
	return fold.Key(dst, string(text[w.start:w.end]))
}

// isPlatform reports whether a word is one of the platform's and written like
// one: "page", but not "Page".
func (w word) isPlatform(text, folded []byte) bool {
	first, _ := utf8.DecodeRune(text[w.start:])
	return vocabulary[string(folded)] && !unicode.IsUpper(first)
}

// nameWords splits a name into its folded words.
func nameWords(name string) []string {
	var words []string
	text := []byte(name)
	for at := 0; ; {
		w, ok := nextWord(text, at)
		if !ok {
			return words
		}
		words = append(words, string(w.fold(nil, text)))
		at = w.end
	}
}

// appendPerson writes what stands for a name: the person's pseudonym, or a mask
// when several people have it.
func appendPerson(dst []byte, p idmap.Pseudonym) []byte {
	if p == 0 {
		return append(dst, redacted...)
	}
	return strconv.AppendUint(append(dst, 'u'), uint64(p), 10)
}
