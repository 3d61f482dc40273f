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
		"catalan.txt": lists.WordOf("ca"),
	} {
		sections, err := lists.ReadSections(filepath.Join(folder, file))
		if err != nil {
			return err
		}
		for _, section := range sections {
			for _, word := range section.Words {
				into.add(word, kind)
			}
		}
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
