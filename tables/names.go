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
	words := splitWords(text)
	for i := 0; i < len(words); {
		found := 0
		for n := min(x.longest, len(words)-i); n >= 2; n-- {
			folded := make([]string, n)
			for j := range folded {
				folded[j] = words[i+j].folded
			}
			if p, ok := x.people[maphash.String(x.seed, strings.Join(folded, " "))]; ok {
				spans = append(spans, nameSpan{words[i].start, words[i+n-1].end, p})
				found = n
				break
			}
		}
		if found == 0 {
			if _, ok := x.words[maphash.String(x.seed, words[i].folded)]; ok && !words[i].isPlatform(text) {
				spans = append(spans, nameSpan{words[i].start, words[i].end, 0})
			}
		}
		i += max(found, 1)
	}
	return spans
}

type word struct {
	start, end int
	folded     string
}

// isPlatform reports whether a word is one of the platform's and written like
// one: "page", but not "Page".
func (w word) isPlatform(text []byte) bool {
	first, _ := utf8.DecodeRune(text[w.start:])
	return vocabulary[w.folded] && !unicode.IsUpper(first)
}

// splitWords cuts a text into its runs of letters and folds them.
func splitWords(text []byte) []word {
	var words []word
	start := -1
	for i := 0; i <= len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if i < len(text) && (unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) || r == '\'' || r == '’') {
			if start < 0 {
				start = i
			}
		} else if start >= 0 {
			words = append(words, word{start, i, fold.KeyString(string(text[start:i]))})
			start = -1
		}
		i += max(size, 1)
	}
	return words
}

func nameWords(name string) []string {
	var words []string
	for _, w := range splitWords([]byte(name)) {
		words = append(words, w.folded)
	}
	return words
}

// appendPerson writes what stands for a name: the person's pseudonym, or a mask
// when several people have it.
func appendPerson(dst []byte, p idmap.Pseudonym) []byte {
	if p == 0 {
		return append(dst, redacted...)
	}
	return strconv.AppendUint(append(dst, 'u'), uint64(p), 10)
}
