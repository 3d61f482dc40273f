package main

import (
	"path/filepath"

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

// largest is the population that a large place is given when the gazetteer does
// not know its name: above every threshold. ZZ is ISO 3166-1's "unknown".
const largest = 1 << 20
