package main

import (
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/lists"
)

// written reads the lists that are kept in the repository.
func written(folder string, into *table) error {
	for file, kind := range map[string]lists.Kind{
		"chat.txt": lists.Chat, "onomatopoeia.txt": lists.Onomatopoeia,
		"institutions.txt": lists.Institution, "pronouns.txt": lists.Pronoun, "demonyms.txt": lists.Demonym,
		"catalan.txt": lists.WordOf("ca"), "names.txt": lists.FirstName | lists.UsualName, "surnames.txt": lists.Surname,
	} {
		sections, err := lists.ReadSections(filepath.Join(folder, file))
		if err != nil {
			return err
		}
		for _, section := range sections {
			for _, word := range section.Words {
				if len(word) < shortestUsual {
					into.add(word, kind&^lists.UsualName)
				} else {
					into.add(word, kind)
				}
			}
		}
	}
	if err := largePlaces(filepath.Join(folder, "places.txt"), into); err != nil {
		return err
	}
	if err := public(folder, into); err != nil {
		return err
	}
	if err := things(filepath.Join(folder, "things.txt"), into); err != nil {
		return err
	}
	officer, err := lists.ReadOfficer(filepath.Join(folder, "..", "defaults"))
	if err != nil {
		return err
	}
	for _, title := range officer.Titles {
		into.add(title, lists.Title)
	}
	return nil
}

// shortestUsual is the length from which a name in the written list is taken for
// one wherever it stands: two letters are too often something else.
const shortestUsual = 3

// largePlaces reads the other names of large places.
func largePlaces(path string, into *table) error {
	sections, err := lists.ReadPhrases(path)
	if err != nil {
		return err
	}
	for _, section := range sections {
		for _, name := range section.Words {
			into.addPlace(name, "ZZ", largest)
		}
	}
	return nil
}

// public reads the lists of people whom many know: one a line, with the other
// names of the same person behind "=".
func public(folder string, into *table) error {
	files, err := filepath.Glob(filepath.Join(folder, "public_*.txt"))
	if err != nil {
		return err
	}
	for _, file := range files {
		err := eachName(file, func(name string) {
			if strings.HasSuffix(name, " I") {
				return // "Thanks James I will"
			}
			into.add(name, lists.Public)
			if last := lastName(name); last != "" {
				into.add(last, lists.PublicPart)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// things reads the list of names of things, which is written like those of people.
func things(path string, into *table) error {
	return eachName(path, func(name string) { into.add(name, lists.Thing) })
}

func eachName(path string, add func(name string)) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		for name := range strings.SplitSeq(line, " = ") {
			add(strings.TrimSpace(name))
		}
	}
	return nil
}

// lastName is the last word of a name of several words; empty for what is no
// name of a family: numbers, bynames, the names of saints and kings, two people.
func lastName(name string) string {
	words := strings.Fields(name)
	if len(words) < 2 || nameless[strings.ToLower(words[0])] {
		return ""
	}
	last := words[len(words)-1]
	first, _ := utf8.DecodeRuneInString(last)
	if !unicode.IsUpper(first) || strings.Trim(last, "IVX") == "" || strings.HasSuffix(last, ".") {
		return ""
	}
	if before := words[len(words)-2]; bynames[before] || len(words) == 3 && both[before] {
		return ""
	}
	return last
}

var (
	// nameless are the titles of people who are known by their given names.
	nameless = wordSet(`saint sainte santo santa san são sant sankt st heilige heiliger hl. papa pape pope papst rey reina roi reine rei rainha re regina
		king queen könig königin prince princesse prince princess príncipe princesa principe principessa prinz prinzessin dom doña dona don
		emperor empereur imperatriz imperador emperador emperatriz imperatore kaiser kaiserin tsar tsarina zar zarina czar sultan fra frei frère fray
		lady soeur sœur sor irmã suor bruder schwester duc duke duque duca herzog conde comte count conte infante infanta`)
	both    = wordSet("et y e i and und & és")
	bynames = wordSet("the le la el il o a der die das den los les els i")
)

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// largest is the population that a large place is given when the gazetteer does
// not know its name: above every threshold. ZZ is ISO 3166-1's "unknown".
const largest = 1 << 20
