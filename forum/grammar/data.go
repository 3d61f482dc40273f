package grammar

import (
	"embed"
	"io/fs"
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
