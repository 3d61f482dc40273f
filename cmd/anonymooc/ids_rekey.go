package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"anonymooc/config"
	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
	"anonymooc/internal/secret"
)

// newKeyFlags say what the map is to be locked with.
type newKeyFlags struct {
	file           string
	passphrase     bool
	passphraseFile string
	passphraseFD   int
}

func newIDsRekeyCommand() *cobra.Command {
	var f idsFlags
	var to newKeyFlags
	cmd := &cobra.Command{
		Use:   "rekey",
		Short: "Lock the id map with another key or passphrase",
		Long: `rekey seals the whole id map anew. Pseudonyms and everything else in releases
stay. Without flags a new key file takes the place of the old one; it is written
beside it first, with the ending .new, and renamed once the map needs it: after a
power failure in between, --key with that name opens the map.

The old key no longer opens this map. It still opens old backups of it.

` + exitStatuses,
		Example: `  anonymooc ids rekey
  anonymooc ids rekey --new-key /media/safe/anonymooc.key
  anonymooc ids rekey --new-passphrase`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.rekey(cmd, to) },
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&to.file, "new-key", "", "key `file` to make; say --key from then on")
	flags.BoolVar(&to.passphrase, "new-passphrase", false, "ask for a passphrase instead of a key file")
	flags.StringVar(&to.passphraseFile, "new-passphrase-file", "", "a `file` (0600) that holds the new passphrase")
	flags.IntVar(&to.passphraseFD, "new-passphrase-fd", -1, "an open file descriptor to read the new passphrase from")
	return cmd
}

func (f *idsFlags) rekey(cmd *cobra.Command, to newKeyFlags) (err error) {
	project, m, err := f.open(cmd)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	key, finish, err := to.newKey(project)
	if err != nil {
		return err
	}
	if err := m.Rekey(key); err != nil {
		return err
	}
	message, err := finish()
	if err != nil {
		return err
	}
	if f.json {
		return printJSON(cmd.OutOrStdout(), m.Stat())
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), message)
	return err
}

// newKey makes or reads the new key; finish is called once the map needs it.
func (to newKeyFlags) newKey(project *config.Project) (key secret.Key, finish func() (string, error), err error) {
	say := func(message string) func() (string, error) {
		return func() (string, error) { return message, nil }
	}
	const passphrase = "the id map opens with its new passphrase only"
	switch {
	case to.passphrase:
		key, err = secret.Prompt("new passphrase of the id map", true)
		return key, say(passphrase), err
	case to.passphraseFile != "":
		key, err = secret.ReadFile(to.passphraseFile)
		return key, say(passphrase), err
	case to.passphraseFD >= 0:
		key, err = secret.ReadDescriptor(to.passphraseFD)
		return key, say(passphrase), err
	case to.file != "":
		key, err = secret.CreateKeyFile(to.file, rand.Reader)
		return key, say(fmt.Sprintf("made %s: say --key from now on, or set key in project.yaml", to.file)), err
	}
	path := project.Settings.Key
	if path == "" {
		path = filepath.Join(project.Dir, "key")
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		key, err = secret.CreateKeyFile(path, rand.Reader)
		return key, say("made " + path), err
	}
	key, err = secret.CreateKeyFile(path+".new", rand.Reader)
	return key, func() (string, error) {
		err := os.Rename(path+".new", path)
		if err == nil {
			err = safefile.SyncDir(filepath.Dir(path))
		}
		if err != nil {
			return "", fault.New(fault.Failure, "the new key cannot take the place of the old one").At(path+".new", 0, "").
				WithHint("the map needs the new one already: rename it by hand")
		}
		return path + " holds the new key; keep a copy of it apart from the map", nil
	}, err
}
