package grammar

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"anonymooc/internal/fault"
)

//go:embed data
var data embed.FS

// Shipped gives the grammars that come with the program: one folder a language.
func Shipped() fs.FS {
	files, err := fs.Sub(data, "data")
	if err != nil { // cannot be: the folder is embedded above
		return data
	}
	return files
}

// ReadAll compiles the grammars of all languages that files has a folder for.
func ReadAll(files fs.FS) (map[string]*Grammar, error) {
	folders, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, err
	}
	grammars := map[string]*Grammar{}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		if grammars[folder.Name()], err = Read(files, folder.Name(), folder.Name()); err != nil {
			return nil, err
		}
	}
	return grammars, nil
}

// ReadOwn compiles the shipped grammars with those of an officer's folder laid
// over them: a file there takes the place of the shipped one of that language,
// additions.lg goes on where designating.lg ends. No folder, or one that is not
// there: the shipped grammars alone. languages are those that texts may be in: a
// folder of another name would never be used, and is an error.
func ReadOwn(folder string, languages ...string) (map[string]*Grammar, error) {
	if folder == "" {
		return ReadAll(Shipped())
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return ReadAll(Shipped())
	}
	if err != nil {
		return nil, fault.New(fault.Failure, "the folder of the grammars cannot be read").At(folder, 0, "")
	}
	if err := checkOwn(folder, entries, languages); err != nil {
		return nil, err
	}
	grammars, err := ReadAll(overlay{own: os.DirFS(folder), shipped: Shipped()})
	var f *fault.Fault
	if errors.As(err, &f) {
		own := filepath.Join(folder, filepath.FromSlash(f.File))
		if _, missing := os.Stat(own); missing == nil || errors.Is(f, fs.ErrNotExist) {
			return nil, f.At(own, 0, "")
		}
	}
	return grammars, err
}

// checkOwn refuses folders and files that would be passed over.
func checkOwn(folder string, entries []fs.DirEntry, languages []string) error {
	for _, entry := range entries {
		place := filepath.Join(folder, entry.Name())
		if !slices.Contains(languages, entry.Name()) {
			return fault.New(fault.Usage, "this is no language that texts are told apart by").At(place, 0, "").
				WithHint("the folders of grammars are %s", strings.Join(languages, ", "))
		}
		files, err := os.ReadDir(place)
		if err != nil {
			return fault.New(fault.Usage, "a language is a folder with its grammar's files").At(place, 0, "")
		}
		for _, file := range files {
			if !slices.Contains(grammarFiles(), file.Name()) {
				return fault.New(fault.Usage, "this is no file of a grammar").At(filepath.Join(place, file.Name()), 0, "").
					WithHint("a grammar's files are %s", strings.Join(grammarFiles(), ", "))
			}
		}
	}
	return nil
}

// overlay shows the officer's files, and the shipped ones where there are none.
type overlay struct{ own, shipped fs.FS }

// Open implements fs.FS.
func (o overlay) Open(name string) (fs.File, error) {
	file, err := o.own.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o.shipped.Open(name)
	}
	return file, err
}

// ReadDir implements fs.ReadDirFS: the languages of both.
func (o overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.shipped, name)
	if err != nil {
		return nil, err
	}
	own, err := fs.ReadDir(o.own, name)
	if err != nil {
		return nil, err
	}
	for _, entry := range own {
		if _, err := fs.Stat(o.shipped, path.Join(name, entry.Name())); err != nil {
			entries = append(entries, entry)
		}
	}
	return entries, nil
}
