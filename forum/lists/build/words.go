package main

import (
	"fmt"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/lists"
	"anonymooc/forum/lists/hunspell"
)

// words gathers the dictionaries and the stop words.
func words(from sources, into *table) error {
	for _, language := range []string{"fr", "en", "es", "pt"} {
		if err := dictionary(from, into, language); err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
	}
	if err := frequentWords(from, into); err != nil {
		return err
	}
	stop := make(map[string][]string)
	if err := readJSON(from.path("stopwords-iso", "stopwords-iso.json"), &stop); err != nil {
		return err
	}
	for language, words := range stop {
		kind := lists.StopOf(language)
		for _, word := range words {
			switch first, _ := utf8.DecodeRuneInString(word); {
			case !single(word):
			case kind != 0:
				into.add(word, kind)
			case !unicode.Is(unicode.Latin, first):
				into.add(word, lists.OtherStop)
			}
		}
	}
	return nil
}

// frequent is how many words of a language are its commonest.
const frequent = 5000

// frequentWords notes which words are commonest in films' subtitles, the nearest
// there is to how people write to each other. Names among them are no words of
// the dictionary, and stay what they are.
func frequentWords(from sources, into *table) error {
	for folder, language := range map[string]string{"en": "en", "fr": "fr", "es-es": "es", "pt-br": "pt", "it": "it", "de": "de"} {
		var list []string
		if err := readJSON(from.path("@zxcvbn-ts/language-"+folder, "src", "commonWords.json"), &list); err != nil {
			return err
		}
		for rank, word := range list {
			if rank < frequent && single(word) {
				into.makeFrequent(word, language)
			}
		}
	}
	return nil
}

// dictionary expands a Hunspell dictionary. A word that the dictionary knows
// with a capital only is a proper noun, not a word of the language.
func dictionary(from sources, into *table, language string) error {
	affixes, err := os.Open(from.path("dictionary-"+language, "index.aff"))
	if err != nil {
		return err
	}
	defer affixes.Close()
	rules, err := hunspell.ReadRules(affixes)
	if err != nil {
		return err
	}
	stems, err := os.Open(from.path("dictionary-"+language, "index.dic"))
	if err != nil {
		return err
	}
	defer stems.Close()
	return rules.Expand(stems, func(word string) {
		if !single(word) {
			return
		}
		if first, _ := utf8.DecodeRuneInString(word); unicode.IsUpper(first) {
			into.add(word, lists.Proper)
		} else {
			into.add(word, lists.WordOf(language))
		}
	})
}

// single reports whether a word is one token: the parts of others are looked
// up by themselves.
func single(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r)
	})
}

// shareAlikeWords reads the Italian and German words, whose licence asks that
// what is made from them be shared alike: they go to a blob of their own.
func shareAlikeWords(from sources, into *table) error {
	for language, prefix := range map[string]string{"it": "italian", "de": "german"} {
		for part, file := range map[string]string{"words": "words", "adjectives": "adjectives", "verbs": "verbs"} {
			var value any
			if err := readJSON(from.path(prefix+"-"+part+"-dict", "dist", file+".json"), &value); err != nil {
				return err
			}
			leaves(value, func(word string) {
				// Single letters and capitals are the names of fields: "G", "MP", "IND".
				if single(word) && utf8.RuneCountInString(word) > 1 && word != strings.ToUpper(word) && !fieldName(word) {
					into.add(word, lists.WordOf(language))
				}
			})
		}
	}
	return nil
}

// fieldName reports whether a string of these files names a field.
func fieldName(word string) bool {
	switch word {
	case "cond", "pres", "ger", "impr", "ind", "inf", "part", "past", "sub", "impf", "fut", "cong", "hasPrefix":
		return true
	}
	return false
}
