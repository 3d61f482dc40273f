// Package lists knows words: given names and surnames of many countries, the
// dictionaries of seven languages, stop words, chat spellings, civility titles,
// kinds of institution, countries and places with their population.
//
//	public packages ─ build/ ─► general.blob, sharealike.blob ─ embedded ─┐
//	the officer's own dictionaries (system, project) ─────────────────────┴─► Lists
//
// A word is looked up by its folded key (Key) and the answer says all the lists
// it is in, so that a clash shows: "pierre" is a given name, a surname and a
// French word, and it is the caller who weighs that against the sentence.
//
// The lists lie in the program as minimal automata: Open costs a scan of their
// bytes (six megabytes, some milliseconds), a look-up a walk of one step a
// letter; the words asked for last are remembered. They are two blobs because of their licences: what is made from
// share-alike sources is kept apart. NOTICE names the sources,
// build/ makes the blobs.
package lists

import (
	_ "embed" // the blobs
	"sync"
	"sync/atomic"

	"anonymooc/forum/lists/automaton"
)

//go:embed general.blob
var generalBlob string

//go:embed sharealike.blob
var shareAlikeBlob string

// Lists answers for all lists together. It is safe for concurrent use.
type Lists struct {
	number uint32
	blobs  []blob
	words  *cache[Entry]
	slips  *cache[Kind]
}

var numbers atomic.Uint32 // that were given

func newLists(blobs []blob) *Lists {
	return &Lists{number: numbers.Add(1), blobs: blobs, words: new(cache[Entry]), slips: new(cache[Kind])}
}

// Number tells these lists from all others of the program: whoever remembers what
// they say of a word may note whose answer it is.
func (l *Lists) Number() uint32 { return l.number }

// blob is one automaton with its entries.
type blob struct {
	words   *automaton.Automaton
	entries []Entry
}

// embedded holds what the program carries; it is read once and never changes.
var embedded = sync.OnceValues(scan)

// Scan reads and checks what the program carries, as the first Open does: so the
// cost of it can be measured.
func Scan() error {
	_, err := scan()
	return err
}

func scan() ([]blob, error) {
	var blobs []blob
	for _, data := range []string{generalBlob, shareAlikeBlob} {
		b, err := readBlob(data)
		if err != nil {
			return nil, err
		}
		blobs = append(blobs, b)
	}
	return blobs, nil
}

// Open gives the lists that the program carries.
func Open() (*Lists, error) {
	blobs, err := embedded()
	if err != nil {
		return nil, err
	}
	return newLists(blobs), nil
}

func readBlob(data string) (blob, error) {
	entries, rest, err := readEntries(data)
	if err != nil {
		return blob{}, err
	}
	words, err := automaton.Open(rest)
	if err != nil {
		return blob{}, err
	}
	return blob{words: words, entries: entries}, nil
}

// Find says what is known of a word, given by its key. The zero Entry: nothing.
func (l *Lists) Find(key string) Entry { return l.words.find(key, l.Look) }

// Look is Find for those who remember the answer themselves: nothing is kept.
func (l *Lists) Look(key string) Entry {
	var e Entry
	for i := range l.blobs {
		words := l.blobs[i].words
		state := words.Walk(words.Start(), key)
		if value, ok := words.Value(state); ok && key != "" {
			l.blobs[i].join(&e, value)
		}
		e.begins = e.begins || words.Walk(state, " ") != automaton.Dead
	}
	return e
}

// Prefixes appends what is known of the first byte of a key, of the first two, and
// so on to the whole of it; whether they begin names of several words is not told.
func (l *Lists) Prefixes(key string, entries []Entry) []Entry {
	first := len(entries)
	entries = append(entries, make([]Entry, len(key))...)
	for i := range l.blobs {
		words := l.blobs[i].words
		state := words.Start()
		for at := 0; at < len(key) && state != automaton.Dead; at++ {
			state = words.Walk(state, key[at:at+1])
			if value, ok := words.Value(state); ok {
				l.blobs[i].join(&entries[first+at], value)
			}
		}
	}
	return entries
}

// join adds what an entry knows.
func (b *blob) join(e *Entry, value uint32) {
	if int(value) >= len(b.entries) {
		return
	}
	found := &b.entries[value]
	e.Kinds |= found.Kinds
	e.frequent |= found.frequent
	if found.Country != [2]byte{} {
		e.Population, e.Country = found.Population, found.Country
	}
}

// Near tells in which lists the words are that one slip of the pen parts from
// key (automaton.Near): a way to see that an unknown word is a misspelt one.
func (l *Lists) Near(key string) Kind { return l.slips.find(key, l.near) }

func (l *Lists) near(key string) Kind {
	kinds := Kind(0)
	for i := range l.blobs {
		entries := l.blobs[i].entries
		l.blobs[i].words.Near(key, func(value uint32) bool {
			if int(value) < len(entries) {
				kinds |= entries[value].Kinds
			}
			return true
		})
	}
	return kinds
}

// longestName bounds how many words a name in the lists may have.
const longestName = 6

// Longest finds the longest sequence of words, from the first one on, that is
// in one of the lists wanted. Word gives the key of the i-th word and whether
// the sequence may run on to it. It returns the number of words, 0 for none.
func (l *Lists) Longest(want Kind, word func(i int) (key string, ok bool)) (int, Entry) {
	best, entry := 0, Entry{}
	for i := range l.blobs {
		b := &l.blobs[i]
		state := b.words.Start()
		for n := range longestName {
			key, ok := word(n)
			if !ok {
				break
			}
			if n > 0 {
				state = b.words.Walk(state, " ")
			}
			if state = b.words.Walk(state, key); state == automaton.Dead {
				break
			}
			value, ok := b.words.Value(state)
			if !ok || n+1 < best {
				continue
			}
			var e Entry
			if b.join(&e, value); e.Is(want) {
				if n+1 == best {
					e.Kinds |= entry.Kinds
					e.frequent |= entry.frequent
				}
				best, entry = n+1, e
			}
		}
	}
	return best, entry
}

// IsFirstName reports whether key is a given name.
func (l *Lists) IsFirstName(key string) bool { return l.Find(key).Is(FirstName) }

// IsSurname reports whether key is a family name.
func (l *Lists) IsSurname(key string) bool { return l.Find(key).Is(Surname) }

// IsCommonWord reports whether key is in the dictionary or among the stop words
// and chat spellings of a language; of any language when it is not known.
func (l *Lists) IsCommonWord(language, key string) bool {
	return l.Find(key).Common(language)
}

// Common reports whether the entry is an ordinary word of a language; of any
// language when it is not known.
func (e Entry) Common(language string) bool {
	words := WordOf(language) | StopOf(language)
	if words == 0 {
		words = AnyWord | AnyStop
	}
	return e.Is(words | OtherStop | Chat | Onomatopoeia | Pronoun)
}

// Place gives the population (rounded down to a power of two) and country of
// the largest place with that name.
func (l *Lists) Place(key string) (population uint32, country string, ok bool) {
	e := l.Find(key)
	if !e.Is(Place) {
		return 0, "", false
	}
	return e.Population, string(e.Country[:]), true
}

// Ambiguous reports whether key is a name of people and also something else in
// that language: an ordinary word, a place, a country.
func (l *Lists) Ambiguous(language, key string) bool {
	e := l.Find(key)
	return e.Is(FirstName|Surname) && (e.Is(Place|Country) || e.Common(language))
}

// Each calls each with every word of the lists that the program carries. It is
// for building other lists, not for looking up.
func (l *Lists) Each(each func(key []byte, e Entry) bool) {
	for i := range l.blobs {
		b := &l.blobs[i]
		b.words.All(func(word []byte, value uint32) bool {
			var e Entry
			b.join(&e, value)
			return each(word, e)
		})
	}
}
