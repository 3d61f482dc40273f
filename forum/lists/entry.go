package lists

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode"

	"anonymooc/internal/fold"
)

// Kind is the set of lists that a word is in. Lists overlap, and every overlap
// is told: no list is ever subtracted from another.
type Kind uint64

// The lists.
const (
	FirstName    Kind = 1 << iota // given name
	Male                          // given name of men
	Female                        // given name of women
	UsualName                     // given name in three sources or more
	Surname                       // family name
	Proper                        // only with a capital in a dictionary: names, brands, towns
	Title                         // civility title
	Institution                   // kind of institution: school, lycée
	Chat                          // chat and SMS spelling
	Onomatopoeia                  // sound, laugh, hesitation
	Pronoun                       // pronoun
	Place                         // populated place
	Country                       // country
	Demonym                       // people of a place
	firstWord                     // bit of the first language's dictionary
)

// Languages lists the languages that have word lists, in the order of their bits.
func Languages() []string { return []string{"fr", "en", "es", "it", "pt", "ca", "de"} }

const (
	languages = 7
	wordBits  = (firstWord<<languages - 1) &^ (firstWord - 1)
	firstStop = firstWord << languages
	stopBits  = (firstStop<<languages - 1) &^ (firstStop - 1)
)

// OtherStop are the stop words of languages that have no dictionary here and
// another script than the Latin one: Russian, Greek, Arabic …
const OtherStop Kind = firstStop << languages

// RareSurname is a family name that few bear: it tells something of a word with
// a capital that no other list knows, and nothing of others.
const RareSurname = OtherStop << 1

// Public is somebody whom many know: the whole name, of one word or more. PublicPart
// is the last part of such a name.
const (
	Public     = RareSurname << 1
	PublicPart = RareSurname << 2
)

// Thing is the name of a work, a brand, a prize, a feast, a theorem: what many
// know and nobody is.
const Thing = RareSurname << 3

// AnyWord and AnyStop stand for the dictionaries and stop words of all languages.
const (
	AnyWord = wordBits
	AnyStop = stopBits
)

// WordOf gives the list of the words of a language; none for another language.
func WordOf(language string) Kind { return bitOf(language, firstWord) }

// StopOf gives the list of the stop words of a language; none for another.
func StopOf(language string) Kind { return bitOf(language, firstStop) }

func bitOf(language string, first Kind) Kind {
	if len(language) < 2 {
		return 0
	}
	// The codes are compared by hand: this is asked for every word of a text.
	switch language[:2] {
	case "fr":
		return first
	case "en":
		return first << 1
	case "es":
		return first << 2
	case "it":
		return first << 3
	case "pt":
		return first << 4
	case "ca":
		return first << 5
	case "de":
		return first << 6
	}
	return 0
}

// Entry is what the lists know of a word or a sequence of words.
type Entry struct {
	Kinds      Kind
	Population uint32  // of the largest place of that name, rounded down to a power of two
	Country    [2]byte // ISO 3166-1 code of that place or country
	frequent   uint8   // bit i: among the commonest words of language i
	begins     bool    // a name of several words begins with it; only Find tells
}

// Begins reports whether a name of several words in some list begins with the
// word, as far as it comes from Find.
func (e Entry) Begins() bool { return e.begins }

// Is reports whether the word is in one of the lists.
func (e Entry) Is(k Kind) bool { return e.Kinds&k != 0 }

// Frequent reports whether the word is among the commonest of what is said in a
// language; in any language when it is not known.
func (e Entry) Frequent(language string) bool {
	bit := uint8(WordOf(language) / firstWord)
	return e.frequent&bit != 0 || bit == 0 && e.frequent != 0
}

// MakeFrequent notes that the word is among the commonest of a language.
func (e *Entry) MakeFrequent(language string) { e.frequent |= uint8(WordOf(language) / firstWord) }

// Key gives the form in which words are kept: folded (fold.Key), cut wherever
// there is neither letter nor digit, the parts joined by one space, as in
// "saint etienne".
func Key(text string) string {
	parts := strings.FieldsFunc(fold.KeyString(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r)
	})
	return strings.Join(parts, " ")
}

// Blob is the form in which lists are stored:
//
//	"anonymooc lists 2\n" · uint32 entries · entry … · automaton
//
// An entry is 12 bytes: kinds (uint64), log2 of the population plus one (byte),
// country (2 bytes), languages in which the word is common (byte). The value of a word in the automaton is the number of
// its entry. Numbers are little-endian.
const (
	magic     = "anonymooc lists 2\n"
	entrySize = 12
)

// ErrDamaged is returned for bytes that are no lists.
var ErrDamaged = errors.New("lists: damaged")

// AppendEntries writes the head of a blob; the automaton's bytes follow it.
func AppendEntries(dst []byte, entries []Entry) []byte {
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(entries)))
	for _, e := range entries {
		log := byte(0)
		for p := e.Population; p > 0; p >>= 1 {
			log++
		}
		dst = binary.LittleEndian.AppendUint64(dst, uint64(e.Kinds))
		dst = append(dst, log, e.Country[0], e.Country[1], e.frequent)
	}
	return dst
}

// readEntries reads the head of a blob and gives what follows it.
func readEntries(blob string) ([]Entry, string, error) {
	if len(blob) < len(magic)+4 || blob[:len(magic)] != magic {
		return nil, "", ErrDamaged
	}
	rest := blob[len(magic):]
	n := uint64(binary.LittleEndian.Uint32([]byte(rest[:4])))
	rest = rest[4:]
	if uint64(len(rest)) < n*entrySize {
		return nil, "", ErrDamaged
	}
	entries := make([]Entry, n)
	for i := range entries {
		raw := []byte(rest[i*entrySize : (i+1)*entrySize])
		entries[i] = Entry{Kinds: Kind(binary.LittleEndian.Uint64(raw)), Country: [2]byte{raw[9], raw[10]}, frequent: raw[11]}
		if raw[8] > 32 {
			return nil, "", ErrDamaged
		}
		if raw[8] > 0 {
			entries[i].Population = 1 << (raw[8] - 1)
		}
	}
	return entries, rest[n*entrySize:], nil
}
