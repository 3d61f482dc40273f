package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/lists"
)

// names gathers given names and surnames.
func names(from sources, into *table) error {
	if err := fakerNames(from, into); err != nil {
		return err
	}
	if err := humanNames(from, into); err != nil {
		return err
	}
	return passwordSurnames(from, into)
}

// passwordSurnames reads the surnames of a checker of passwords: those of the
// census of the United States of 1990 and of Spain and Germany from the commonest
// down, and alphabetical lists of other countries, in which words that are seldom
// a surname (Bonjour) stand beside those that often are. The French package has
// surnames and given names the wrong way round.
func passwordSurnames(from sources, into *table) error {
	for _, source := range []struct {
		folder, file string
		usual        int // so many of them are in wide use, the others rare
	}{
		{"en", "lastnames", 5000}, {"es-es", "lastnames", 2000}, {"de", "lastnames", 2000},
		{"fr", "firstnames", 0}, {"pt-br", "lastnames", 0}, {"it", "lastnames", 0},
	} {
		var list []string
		if err := readJSON(from.path("@zxcvbn-ts/language-"+source.folder, "src", source.file+".json"), &list); err != nil {
			return err
		}
		for rank, name := range list {
			switch {
			case utf8.RuneCountInString(name) < 3 || !nameLike(name):
			case rank < source.usual:
				into.add(name, lists.Surname)
			default:
				into.add(name, lists.RareSurname)
			}
		}
	}
	return nil
}

// fakerScript prints the names of all locales as JSON.
const fakerScript = `
import(process.argv[1]).then(({allLocales}) => {
  const all = {};
  for (const [locale, data] of Object.entries(allLocales)) {
    const p = data.person ?? {};
    all[locale] = {first: p.first_name ?? {}, last: p.last_name ?? {}};
  }
  console.log(JSON.stringify(all));
});`

// byGender are names as the faker package keeps them.
type byGender struct {
	Generic, Female, Male []string
}

// fakerNames reads the given names and surnames of some seventy locales. A
// locale that repeats the names of another (fr_BE those of en) counts once.
func fakerNames(from sources, into *table) error {
	module := from.path("@faker-js/faker", "dist", "index.js")
	absolute, err := filepath.Abs(module)
	if err != nil {
		return err
	}
	output, err := exec.Command("node", "-e", fakerScript, absolute).Output()
	if err != nil {
		return fmt.Errorf("node: %w", err)
	}
	locales := make(map[string]struct{ First, Last byGender })
	if err := json.Unmarshal(output, &locales); err != nil {
		return err
	}
	languages := make(map[string]map[string]bool) // key of a name → languages
	for locale, l := range locales {
		language, _, _ := strings.Cut(locale, "_")
		if locale == "fr_BE" {
			language = "en" // its lists are the English ones
		}
		for kinds, list := range map[lists.Kind][]string{
			0: l.First.Generic, lists.Female: l.First.Female, lists.Male: l.First.Male,
		} {
			for _, name := range list {
				addGiven(into, name, kinds)
				key := lists.Key(name)
				if languages[key] == nil {
					languages[key] = make(map[string]bool)
				}
				languages[key][language] = true
			}
		}
		for _, list := range [][]string{l.Last.Generic, l.Last.Female, l.Last.Male} {
			for _, name := range list {
				addSurname(into, name)
			}
		}
	}
	for key, in := range languages {
		into.sources[key] += len(in)
	}
	return nil
}

// addGiven adds a given name, and its parts when they are written apart: the
// Vietnamese source gives "Anh Vũ", where either may stand alone.
func addGiven(into *table, name string, kinds lists.Kind) {
	if !nameLike(name) {
		return
	}
	into.add(name, lists.FirstName|kinds)
	parts := strings.Fields(lists.Key(name))
	if len(parts) < 2 {
		return
	}
	for _, part := range parts {
		if utf8.RuneCountInString(part) > 2 {
			into.add(part, lists.FirstName)
		}
	}
}

// addSurname adds a surname; particles stay part of it ("de la cruz").
func addSurname(into *table, name string) {
	if nameLike(name) {
		into.add(name, lists.Surname)
	}
}

// nameLike refuses what is no name in a list of names: patterns, numbers, and
// single letters of alphabets.
func nameLike(name string) bool {
	letters := 0
	for _, r := range name {
		if unicode.IsNumber(r) || strings.ContainsRune("{}()/.", r) {
			return false
		}
		if unicode.IsLetter(r) {
			letters++
			if r > 0x2E80 {
				letters++ // one ideograph or syllable is a name
			}
		}
	}
	return letters > 1
}

// humanNames reads the given names of six countries.
func humanNames(from sources, into *table) error {
	for _, country := range []string{"de", "en", "es", "fr", "it", "nl"} {
		for file, kind := range map[string]lists.Kind{"female": lists.Female, "male": lists.Male} {
			var list []string
			path := from.path("human-names", "data", file+"-human-names-"+country+".json")
			if err := readJSON(path, &list); err != nil {
				return err
			}
			for _, name := range list {
				addGiven(into, name, kind)
				into.sources[lists.Key(name)]++
			}
		}
	}
	return nil
}
