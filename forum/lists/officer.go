package lists

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

// Officer is the lists that the officer edits, as NOME has them (Pelletier,
// Plamondon & Lapalme, section 2.1.2): three files of the project, each with a
// set per language or institution.
type Officer struct {
	Inclusions []string // always shown
	Exclusions []string // never proposed
	Titles     []string // stand before a name
}

//go:embed defaults
var defaults embed.FS

// officerFiles are the names of the files, in a project and in the program.
func officerFiles() []string { return []string{"inclusions.txt", "exclusions.txt", "titles.txt"} }

// ReadOfficer reads the officer's lists in a folder; a file that is not there
// is taken as shipped, and without a folder all are. Only the named sets are
// used, besides what stands above the first set; no names: all sets.
func ReadOfficer(folder string, sets ...string) (Officer, error) {
	var o Officer
	for i, into := range []*[]string{&o.Inclusions, &o.Exclusions, &o.Titles} {
		name := officerFiles()[i]
		sections, err := officerSections(folder, name)
		if err != nil {
			return Officer{}, fault.New(fault.Usage, "cannot read the list").At(filepath.Join(folder, name), 0, "").Because(err)
		}
		for _, s := range sections {
			if s.Name == "" || len(sets) == 0 || slices.Contains(sets, s.Name) {
				*into = append(*into, s.Words...)
			}
		}
	}
	return o, nil
}

func officerSections(folder, name string) ([]Section, error) {
	if folder != "" {
		sections, err := ReadPhrases(filepath.Join(folder, name))
		if !errors.Is(err, fs.ErrNotExist) {
			return sections, err
		}
	}
	file, err := defaults.Open("defaults/" + name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return parseSections(file, byCommas)
}

// WriteOfficerDefaults puts the shipped lists into a folder, for the officer to
// edit. Files that are there are left alone.
func WriteOfficerDefaults(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for _, name := range officerFiles() {
		path := filepath.Join(folder, name)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		text, err := defaults.ReadFile("defaults/" + name)
		if err != nil {
			return err
		}
		if err := safefile.Write(path, text, 0o600); err != nil {
			return err
		}
	}
	return nil
}
