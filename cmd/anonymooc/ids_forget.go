package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"anonymooc/config"
	"anonymooc/forum"
	"anonymooc/forum/ledger"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
)

func newIDsForgetCommand() *cobra.Command {
	var f idsFlags
	var yes bool
	cmd := &cobra.Command{
		Use:   "forget",
		Short: "Erase people for good",
		Long: `forget erases the people that identifiers stand for: from every domain of the id
map, from the ledger of decisions, and from the lines that were set aside. It
cannot be undone. Their pseudonyms are never used again. Where a later export
still holds them, their rows are dropped, or shown under a pseudonym for that one
release (setting "forgotten" of the project: drop or orphan).

Releases made before still hold their rows: the record of the erasure
(map/erasures.jsonl) says which domains' releases are to be issued again, and
names nobody. Backups of the project keep the person until they are overwritten.

` + exitStatuses,
		Example: `  anonymooc ids forget
  anonymooc ids forget --from requests.txt --reason "letters of March 2031" --yes`,
		Args: arguments(0, 0, "no arguments: identifiers come from a prompt or a file"),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.forget(cmd, yes) },
	}
	f.add(cmd)
	f.addReason(cmd)
	f.addIdentifiers(cmd)
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	return cmd
}

func (f *idsFlags) forget(cmd *cobra.Command, yes bool) (err error) {
	project, m, err := f.open(cmd)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	ids, err := f.identifiers(cmd)
	if err != nil {
		return err
	}
	if !yes {
		answer, err := f.ask(fmt.Sprintf("erase whoever %d identifiers stand for, for good? (yes)", len(ids)))
		if err != nil {
			return err
		}
		if strings.TrimSpace(string(answer)) != "yes" {
			return fault.New(fault.Usage, "not confirmed, nobody was erased")
		}
	}
	erasers, closeAll, err := projectErasers(project)
	if err != nil {
		return err
	}
	defer closeAll()
	erasure, err := m.Forget(ids, f.reason, erasers...)
	if err != nil {
		return err
	}
	if f.json {
		return printJSON(cmd.OutOrStdout(), erasure)
	}
	return printErasure(cmd.OutOrStdout(), project, erasure)
}

// projectErasers are the stores of a project, besides the map, that keep traces of people.
func projectErasers(project *config.Project) ([]idmap.Eraser, func(), error) {
	erasers := []idmap.Eraser{asideFiles(filepath.Join(project.Dir, "quarantine"))}
	if cells := project.CellsFile(); cells != "" {
		erasers = append(erasers, cellsFile(cells))
	}
	path := forum.Folder(filepath.Join(project.Dir, "forum")).Ledger()
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return erasers, func() {}, nil
	}
	decisions, err := ledger.Open(path, ledger.Options{})
	if err != nil {
		return nil, nil, err
	}
	return append(erasers, decisions), func() { decisions.Close() }, nil
}

// asideFiles is the folder of lines that could not be read and were set aside.
// Nobody can tell whose they are, and the export still has them: all go.
type asideFiles string

// Erase removes what was set aside.
func (a asideFiles) Erase(idmap.Person) (string, error) {
	entries, err := os.ReadDir(string(a))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return "", nil
	}
	if err == nil {
		err = os.RemoveAll(string(a))
	}
	if err != nil {
		return "", fault.New(fault.Failure, "the lines that were set aside cannot be removed").At(string(a), 0, "")
	}
	return "lines set aside: all removed", nil
}

func printErasure(w io.Writer, project *config.Project, e idmap.Erasure) error {
	fmt.Fprintf(w, "erased: %d people\n", e.People)
	for _, kind := range idmap.Kinds() {
		if e.Identifiers[kind] > 0 {
			fmt.Fprintf(w, "  %d %s\n", e.Identifiers[kind], kind)
		}
	}
	for _, what := range e.Erased {
		fmt.Fprintf(w, "  %s\n", what)
	}
	if e.Unknown+e.Already > 0 {
		fmt.Fprintf(w, "identifiers of nobody: %d unknown, %d forgotten before\n", e.Unknown, e.Already)
	}
	names := make([]string, 0, len(e.Domains))
	for name := range e.Domains {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(w, "issue the releases of domain %s again\n", name)
	}
	if _, err := os.Lstat(forum.Folder(filepath.Join(project.Dir, "forum")).Catalogue()); err == nil {
		fmt.Fprintln(w, "the officer's catalogue (forum/catalogue.csv) is your own file: look there too")
	}
	_, err := fmt.Fprintln(w, "backups of the project keep them until they are overwritten")
	return err
}
