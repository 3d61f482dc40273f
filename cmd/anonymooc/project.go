package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"anonymooc/config"
	"anonymooc/idmap"
	"anonymooc/internal/secret"
)

// defaultProject is where a project lies unless the user says otherwise.
const defaultProject = "./anonymooc-project"

// projectFlags are the flags of every command that works in a project.
type projectFlags struct {
	dir            string
	passphraseFile string
	passphraseFD   int
}

func (f *projectFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.dir, "project", defaultProject, "folder of the project: settings, id map, key, ledger")
}

// addKey adds the flags that say how the id map is unlocked.
func (f *projectFlags) addKey(cmd *cobra.Command) {
	cmd.Flags().String("key", "", "the id map's key `file` (default: key in the project folder)")
	cmd.Flags().StringVar(&f.passphraseFile, "passphrase-file", "", "a file (0600) that holds the id map's passphrase instead")
	cmd.Flags().IntVar(&f.passphraseFD, "passphrase-fd", -1, "an open file descriptor to read the passphrase from instead")
}

// open reads the project, making it first if it is not there.
func (f *projectFlags) open(cmd *cobra.Command, create bool, tell io.Writer) (*config.Project, error) {
	if create {
		if err := idmap.CheckPlace(filepath.Join(f.dir, "map")); err != nil {
			return nil, err
		}
		made, err := config.CreateProject(f.dir)
		if err != nil {
			return nil, err
		}
		for _, path := range made {
			fmt.Fprintf(tell, "made %s\n", path)
		}
	}
	return config.OpenProject(f.dir, cmd.Flags())
}

// key returns what unlocks the id map of a project.
func (f *projectFlags) key(p *config.Project, create bool, tell io.Writer) (secret.Key, error) {
	switch {
	case f.passphraseFile != "":
		return secret.ReadFile(f.passphraseFile)
	case f.passphraseFD >= 0:
		return secret.ReadDescriptor(f.passphraseFD)
	}
	if !create {
		needed, err := idmap.NeedsPassphrase(filepath.Join(p.Dir, "map"))
		if err != nil {
			return secret.Key{}, err
		}
		if needed {
			return secret.Prompt("passphrase of the id map", false)
		}
	}
	path := p.Settings.Key
	if path == "" {
		path = filepath.Join(p.Dir, "key")
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && create {
		key, err := secret.CreateKeyFile(path, rand.Reader)
		if err == nil {
			fmt.Fprintf(tell, "made %s: keep a copy of it apart from the map, without it nobody can be found again\n", path)
		}
		return key, err
	}
	return secret.ReadKeyFile(path)
}

// openMap opens the id map of a project, making it and its key if create is set
// and there is none.
func (f *projectFlags) openMap(p *config.Project, create bool, purpose string, tell io.Writer) (*idmap.Map, error) {
	dir := filepath.Join(p.Dir, "map")
	create = create && !idmap.Exists(dir)
	key, err := f.key(p, create, tell)
	if err != nil {
		return nil, err
	}
	options := idmap.Options{Key: key, Purpose: purpose}
	if !create {
		return idmap.Open(dir, options)
	}
	m, err := idmap.Create(dir, options)
	if err == nil {
		fmt.Fprintf(tell, "made %s%c\n", dir, filepath.Separator)
	}
	return m, err
}
