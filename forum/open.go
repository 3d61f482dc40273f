package forum

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/forum/mine"
	"anonymooc/forum/recheck"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

// Folder is the plug-in's part of a project (0700): what must outlive a run.
//
//	ledger.jsonl    what reviewers decided
//	catalogue.csv   the officer's own forms
//	styles.txt      the officer's choice of what stands for names
//	contexts/       trigger contexts that mining kept
//	lists/          the officer's inclusions, exclusions, titles and familiar forms
type Folder string

// Ledger is the path of the ledger.
func (f Folder) Ledger() string { return filepath.Join(string(f), "ledger.jsonl") }

// Catalogue is the path of the officer's catalogue.
func (f Folder) Catalogue() string { return filepath.Join(string(f), "catalogue.csv") }

// Styles is the path of the officer's choice of styles: see ReadStyles.
func (f Folder) Styles() string { return filepath.Join(string(f), "styles.txt") }

// Contexts is the folder of the contexts.
func (f Folder) Contexts() string { return filepath.Join(string(f), "contexts") }

// Recheck is the file of the blind re-checks.
func (f Folder) Recheck() string { return filepath.Join(string(f), "recheck.jsonl") }

// Open builds an engine for a project: everybody the domain knows, the forum
// files, and what the folder holds. Options.Rows, Contexts and Number are filled
// in; the rest is the caller's, usually Standard.
func Open(domain *idmap.Domain, files []source.File, folder Folder, options Options) (*Engine, error) {
	roster, err := Roster(domain)
	if err != nil {
		return nil, err
	}
	posts, err := corpus.Open(files...)
	if err != nil {
		return nil, err
	}
	rows, err := folder.Rows()
	if err != nil {
		return nil, err
	}
	decisions, err := folder.State()
	if err != nil {
		return nil, err
	}
	if options.Contexts, err = mine.OpenContexts(folder.Contexts()); err != nil {
		return nil, err
	}
	familiar, err := folder.Familiar()
	if err != nil {
		return nil, err
	}
	options.Familiar = options.Familiar.With(familiar)
	checks, err := recheck.Read(folder.Recheck())
	if err != nil {
		return nil, err
	}
	if len(checks) > 0 {
		estimate := recheck.Estimated(checks)
		options.Recheck = &estimate
	}
	options.Rows = append(options.Rows, rows...)
	options.Number = Numbers(domain)
	return New(roster, posts, decisions, options)
}

// Rows reads the officer's catalogue; none is no error.
func (f Folder) Rows() ([]detect.Row, error) {
	file, err := os.Open(f.Catalogue())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.Failure, "the catalogue cannot be read").At(f.Catalogue(), 0, "")
	}
	defer file.Close()
	return ReadCatalogue(file, filepath.Base(f.Catalogue()))
}

// Familiar reads what the officer says that people are called by custom
// (lists/familiar.txt); none is no error.
func (f Folder) Familiar() (mine.Familiar, error) {
	path := filepath.Join(f.Lists(), "familiar.txt")
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.Failure, "the familiar forms cannot be read").At(path, 0, "")
	}
	defer file.Close()
	return mine.ReadFamiliar(file, path)
}

// State replays the ledger; an absent ledger is an empty one.
func (f Folder) State() (*ledger.State, error) { return ledger.Load(f.Ledger()) }

// Numbers gives codes their numbers from the id map: random, drawn once per
// form and domain, and forgotten with it. It is safe for concurrent use.
func Numbers(domain *idmap.Domain) func(form string) (uint64, error) {
	var mu sync.Mutex
	resolver := domain.Resolver()
	return func(form string) (uint64, error) {
		mu.Lock()
		defer mu.Unlock()
		token, err := resolver.Token("forum-form", []byte(form))
		return binary.BigEndian.Uint64(token[:8]), err
	}
}

// Among are the files that are named like a forum's export.
func Among(files []source.File) []source.File {
	var forums []source.File
	for _, file := range files {
		if isForum(file.Name) {
			forums = append(forums, file)
		}
	}
	return forums
}

func isForum(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), source.CodecOf(name).Suffix())
	for _, ending := range [...]string{".mongo", "forum.json", "forum.jsonl", "forum.bson", "contents.json", "contents.jsonl", "contents.bson"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return false
}
