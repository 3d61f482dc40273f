package detect

import (
	_ "embed" // the list
	"slices"
	"strings"
	"sync"

	"anonymooc/forum/lists"
	"anonymooc/internal/fold"
)

// senses.txt says what words are about: relatives, books, battles, software. There
// are far fewer senses than words, so that what is learnt of "novel" holds for
// "romancier" too.
//
//go:embed senses.txt
var sensesText string

// sense numbers one of them; senseSet is some of them.
type (
	sense    uint8
	senseSet uint64
)

// mostSenses is how many a senseSet holds.
const mostSenses = 64

// senseBook holds the senses of the words of all languages.
type senseBook struct {
	names []string
	words map[uint64]senseSet // by wordOf
	clues map[string]senseClue
}

// senseClue is a sense and how the word that has it stands to a form.
type senseClue struct {
	kind int
	sense
}

// wordOf hashes a folded word of a language, which is given by its number (senseBook.number).
func wordOf(language int, folded string) uint64 {
	h := hashByte(hashStart, byte(language))
	for i := range len(folded) {
		h = hashByte(h, folded[i])
	}
	return h
}

var senses = sync.OnceValue(func() *senseBook {
	b := &senseBook{words: make(map[uint64]senseSet), clues: make(map[string]senseClue)}
	for _, section := range lists.Sections(sensesText) {
		language, name, ok := strings.Cut(section.Name, " ")
		if !ok {
			continue // the head of the file
		}
		number := slices.Index(b.names, name)
		if number < 0 {
			number = len(b.names)
			b.names = append(b.names, name)
		}
		for _, word := range section.Words {
			for _, at := range [2]int{b.number(language), languageCount} {
				b.words[wordOf(at, fold.KeyString(word))] |= 1 << number
			}
		}
	}
	for number, name := range b.names {
		for kind, mark := range senseMarks {
			b.clues[mark+name] = senseClue{kind, sense(number)}
		}
	}
	return b
})

// number is a language's; that of all together where it is none of them.
func (b *senseBook) number(language string) int {
	languages := Languages()
	if at := slices.Index(languages[:], language); at >= 0 {
		return at
	}
	return languageCount
}

// of gives the senses of a word in a language; in all where it is not known.
func (b *senseBook) of(language, folded string) senseSet {
	return b.words[wordOf(b.number(language), folded)]
}
