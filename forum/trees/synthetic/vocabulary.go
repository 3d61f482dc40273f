package synthetic

import (
	"slices"
	"strings"
	"unicode/utf8"

	"anonymooc/forum/lists"
)

// vocabulary is what slots are filled with, all drawn from the shipped lists.
type vocabulary struct {
	usual, given          []string
	surnames, rare        []string
	places, countries     []string
	terms                 []string // what everybody writes with capitals
	words, clashes, stops map[string][]string
	frequent              map[string][]string // words, the commonest of them
	double                map[string][]string // of these, names in wide use: Will, Rose
	halves                [2][]string         // beginnings and ends of names, for invented ones
}

// keepOneIn thins out the words of a language: millions are more than needed.
const keepOneIn = 16

func newVocabulary(known *lists.Lists) (*vocabulary, error) {
	v := &vocabulary{words: make(map[string][]string), frequent: make(map[string][]string), double: make(map[string][]string), clashes: make(map[string][]string), stops: make(map[string][]string)}
	shipped, err := lists.ReadOfficer("")
	if err != nil {
		return nil, err
	}
	v.terms = shipped.Exclusions
	seen := 0
	known.Each(func(key []byte, e lists.Entry) bool {
		seen++
		if !latin(key) {
			return true
		}
		v.add(string(key), e, seen)
		return true
	})
	for _, list := range [...][]string{v.usual, v.given, v.surnames, v.rare, v.places, v.countries} {
		slices.Sort(list)
	}
	for _, name := range v.usual {
		half := len(name) / 2
		if len(name) >= 4 && !strings.Contains(name, " ") {
			v.halves[0], v.halves[1] = append(v.halves[0], name[:half]), append(v.halves[1], name[half:])
		}
	}
	return v, nil
}

// add files a word under its lists.
func (v *vocabulary) add(word string, e lists.Entry, seen int) {
	switch {
	case e.Is(lists.UsualName):
		v.usual = append(v.usual, word)
	case e.Is(lists.FirstName) && len(word) > 2:
		v.given = append(v.given, word)
	}
	if e.Is(lists.Surname) && len(word) > 2 && !e.Is(lists.AnyStop) {
		v.surnames = append(v.surnames, word)
	}
	if e.Is(lists.RareSurname) && !e.Is(lists.Surname|lists.AnyStop) && seen%8 == 0 {
		v.rare = append(v.rare, word)
	}
	if e.Is(lists.Place) && e.Population >= 1<<13 {
		v.places = append(v.places, word)
	}
	if e.Is(lists.Country) {
		v.countries = append(v.countries, word)
	}
	if strings.Contains(word, " ") {
		return
	}
	name := e.Is(lists.FirstName | lists.Surname)
	for _, language := range lists.Languages() {
		if e.Is(lists.UsualName) && e.Is(lists.WordOf(language)|lists.StopOf(language)) && (e.Frequent(language) || language == "ca") {
			v.double[language] = append(v.double[language], word)
		}
	}
	for _, language := range lists.Languages() {
		switch n := utf8.RuneCountInString(word); {
		case e.Is(lists.StopOf(language)):
			v.stops[language] = append(v.stops[language], word)
		case !e.Is(lists.WordOf(language)) || n < 3 || n > 11:
		case e.Frequent(language):
			v.frequent[language] = append(v.frequent[language], word)
		case name:
			v.clashes[language] = append(v.clashes[language], word)
		case seen%keepOneIn == 0 || language == "ca": // whose list is short
			v.words[language] = append(v.words[language], word)
		}
	}
}

func latin(key []byte) bool {
	for _, c := range key {
		if c != ' ' && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// given draws a given name: mostly a usual one, now and then one that no list
// has, or two joined.
func (w *writer) given(language string) string {
	switch at := w.random.IntN(20); {
	case at < 9:
		return capitals(w.draw(w.vocabulary.usual))
	case at == 9 && w.random.IntN(2) == 0:
		return capital(w.word(language)) // what some are called is a word: Summer, Rocky
	case at < 13:
		return capitals(w.draw(w.vocabulary.given))
	case at < 14:
		return capitals(w.draw(w.vocabulary.usual)) + "-" + capitals(w.draw(w.vocabulary.usual))
	}
	return w.inventName()
}

func (w *writer) surname() string {
	switch at := w.random.IntN(10); {
	case at < 3: // lists hold the fewest of surnames
		return w.inventName()
	case at < 5:
		return capitals(w.draw(w.vocabulary.rare))
	}
	return capitals(w.draw(w.vocabulary.surnames))
}

// inventName joins halves of two names into one that no list has.
func (w *writer) inventName() string {
	for range 20 {
		name := w.draw(w.vocabulary.halves[0]) + w.draw(w.vocabulary.halves[1])
		if w.lists.Find(name).Kinds == 0 {
			return capital(name)
		}
	}
	return capital(w.invent(6))
}

// brand is the name of a firm, a program or a school: a term that many know,
// an ordinary word, or a made-up name.
func (w *writer) brand(language string) string {
	switch w.random.IntN(3) {
	case 0:
		return capitals(w.draw(w.vocabulary.terms))
	case 1:
		return capital(w.word(language))
	}
	if w.random.IntN(2) == 0 {
		return capital(w.invent(4 + w.random.IntN(5)))
	}
	return w.inventName()
}

// invent strings syllables together, n letters long.
func (w *writer) invent(n int) string {
	const consonants, vowels = "bcdfglmnprstvz", "aeiou"
	name := make([]byte, n)
	for i := range name {
		letters := consonants
		if i%2 == 1 {
			letters = vowels
		}
		name[i] = letters[w.random.IntN(len(letters))]
	}
	return string(name)
}

// slip makes a mistake in a word.
func (w *writer) slip(word string) string {
	if len(word) < 4 {
		return word
	}
	at := 1 + w.random.IntN(len(word)-2)
	switch w.random.IntN(3) {
	case 0:
		return word[:at] + word[at+1:]
	case 1:
		return word[:at] + word[at:at+1] + word[at:]
	}
	return word[:at] + word[at+1:at+2] + word[at:at+1] + word[at+2:]
}

// capitals writes every part of a name with a capital.
func capitals(name string) string {
	parts := strings.Fields(name)
	for i := range parts {
		parts[i] = capital(parts[i])
	}
	return strings.Join(parts, " ")
}
