package main

import (
	"bytes"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
	"anonymooc/release/intake"
	"anonymooc/release/pack"
)

// packageFlags say how encrypted deliveries are opened. Every command that takes
// an export has them.
type packageFlags struct {
	keys           []string
	passphraseFile string
	passphraseFD   int
}

func (f *packageFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.keys, "decrypt-key", nil, "secret key `file` that opens an encrypted export: OpenPGP, age or SSH; may be given again")
	flags.StringVar(&f.passphraseFile, "decrypt-passphrase-file", "", "a file (0600) that holds the passphrase of the key or export (default: ask)")
	flags.IntVar(&f.passphraseFD, "decrypt-passphrase-fd", -1, "an open file descriptor to read that passphrase from instead")
}

// options reads the keys. A passphrase is asked for when something needs it.
func (f *packageFlags) options() (intake.Options, error) {
	ask := askPassphrase
	if f.passphraseFile != "" || f.passphraseFD >= 0 {
		key, err := f.passphrase()
		if err != nil {
			return intake.Options{}, err
		}
		ask = func(string) (secret.Secret, error) { return key.Secret, nil }
	}
	keys, err := intake.NewKeyring(f.keys, ask)
	return intake.Options{Keys: keys}, err
}

func (f *packageFlags) passphrase() (secret.Key, error) {
	if f.passphraseFile != "" {
		text, err := secret.ReadPrivate(f.passphraseFile, 1<<16)
		if err != nil {
			return secret.Key{}, err
		}
		return secret.ReadFrom(bytes.NewReader(text.Reveal()))
	}
	return secret.ReadDescriptor(f.passphraseFD)
}

func askPassphrase(question string) (secret.Secret, error) {
	key, err := secret.Prompt(question, false)
	var f *fault.Fault
	if errors.As(err, &f) && f.Hint != "" {
		f.WithHint("give the passphrase of the key or export by --decrypt-passphrase-file or --decrypt-passphrase-fd")
	}
	return key.Secret, err
}

// openExport opens what a command was given, and a database's tables with it, until
// the command ends: both are only ever read from.
func openExport(cmd *cobra.Command, paths []string, packages *packageFlags, server *databaseFlags) (*intake.Export, func(), error) {
	options, err := packages.options()
	if err != nil {
		return nil, nil, err
	}
	database, err := server.open(cmd.Context(), &options)
	if err != nil {
		return nil, nil, err
	}
	export, err := intake.Open(cmd.Context(), paths, options)
	if err != nil {
		database.Close()
		return nil, nil, err
	}
	return export, func() { export.Close(); database.Close() }, nil
}

// recipients are those who can open the release; nil for a folder, which needs
// nobody's key.
func (f *runFlags) recipients() (*pack.Recipients, error) {
	var to *pack.Recipients
	if len(f.encryptTo) > 0 {
		var err error
		if to, err = pack.ParseRecipients(f.encryptTo); err != nil {
			return nil, err
		}
	}
	if f.out == "" {
		return to, nil
	}
	return to, to.Fits(f.out)
}

// oneFolder is what commands take that read a release: a folder, and no package of
// one.
func oneFolder(what string) cobra.PositionalArgs {
	one := arguments(1, 1, what)
	return func(cmd *cobra.Command, args []string) error {
		if err := one(cmd, args); err != nil {
			return err
		}
		return noPackage(cmd, args[0])
	}
}

// noPackage refuses packages where only folders are read, and says how to open them.
func noPackage(cmd *cobra.Command, path string) error {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return nil
	}
	switch {
	case pack.Sealed(path):
		return fault.New(fault.Usage, "this is an encrypted package, and %s reads folders", cmd.CommandPath()).At(path, 0, "").
			WithHint("open it in a private folder first: %s", pack.HowToOpen(path))
	case intake.Holds(path):
		return fault.New(fault.Usage, "this is a package, and %s reads folders", cmd.CommandPath()).At(path, 0, "").
			WithHint("unpack it in a private folder first")
	}
	return nil
}
