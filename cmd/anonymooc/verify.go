package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"anonymooc/config"
	"anonymooc/forum/lists"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/release/intake"
	"anonymooc/release/pack"
	"anonymooc/release/verify"
	"anonymooc/tables/sqldump"
)

type verifyFlags struct {
	project projectFlags
	source  []string
	shapes  bool
	json    bool
	limit   int
	jobs    int
}

func newVerifyCommand() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify RELEASE",
		Short: "Look for whoever can still be recognised in a release",
		Long: `verify reads a release back with readers of its own and looks for every known
identifier in every spelling and encoding, for everything that has the shape of
one, and for what stands where only pseudonyms may stand. It counts rows again,
hashes files again, and with --source compares what was kept, and the joins, with
the export, which must be a folder of plain files: packages and dumps are not
opened. Data that the manifest does not list fails, and so does whatever is
not what SHA256SUMS says. Parquet is searched like the files it was made of.

A residual is told by file, line, column and kind, never by its value. Words that
may name somebody or be just words are listed to look at.

` + exitStatuses,
		Example: `  anonymooc verify release/
  anonymooc verify release/ --source export/
  anonymooc verify release/ --shapes-only --json`,
		Args: oneFolder("one release folder"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.source, "source", nil, "export `folder` the release was made of; may be given again")
	flags.BoolVar(&f.shapes, "shapes-only", false, "do without the id map: look for shapes, places, and what --source holds")
	flags.BoolVar(&f.json, "json", false, "print the report as JSON")
	flags.IntVar(&f.limit, "limit", 40, "lines of each list that are printed; 0 for all")
	flags.IntVar(&f.jobs, "jobs", 0, "goroutines; 0 for one a core")
	flags.String("domain", config.Defaults().Domain, "research project of the id map whose people are looked for")
	f.project.add(cmd)
	f.project.addKey(cmd)
	return cmd
}

func (f *verifyFlags) run(cmd *cobra.Command, dir string) error {
	if err := verify.Exists(dir); err != nil {
		return err
	}
	for _, export := range f.source {
		if err := onlyFiles(export); err != nil {
			return err
		}
	}
	report, err := f.verify(cmd, verify.Request{Release: dir, Source: f.source, Jobs: f.jobs})
	if err != nil {
		return err
	}
	if f.json {
		e := json.NewEncoder(cmd.OutOrStdout())
		e.SetIndent("", "  ")
		err = e.Encode(report)
	} else {
		err = report.WriteText(cmd.OutOrStdout(), f.limit)
	}
	if err != nil {
		return err
	}
	return report.Err()
}

// onlyFiles refuses exports that cannot be compared: verify shares no reader with
// the engine, and opens neither packages nor dumps, nor folders that hold some.
func onlyFiles(export string) error {
	info, err := os.Stat(export)
	if err != nil {
		return fault.New(fault.Usage, "no such folder that can be read").At(export, 0, "").WithHint("give the folder of the export that the release was made of")
	}
	if !info.IsDir() {
		return notComparable(export, export)
	}
	return filepath.WalkDir(export, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil // what cannot be read is told when it is listed
		}
		if sealedName(name) || intake.Holds(name) {
			return notComparable(export, name)
		}
		return nil
	})
}

// notComparable says what a file is, and what can be done about it.
func notComparable(export, name string) error {
	what, hint := "no folder", "give the folder of the export that the release was made of"
	switch {
	case sealedName(name) || name == export && pack.Sealed(name):
		what, hint = "an encrypted package", "open it in a private folder first, and give that: "+pack.HowToOpen(name)
	case sqldump.MayBe(name) && intake.Holds(name):
		what, hint = "a MySQL dump", "verify without --source: everything is checked but what was kept and the joins"
	case strings.Contains(strings.ToLower(filepath.Base(name)), ".archive") && intake.Holds(name):
		what, hint = "an archive of mongodump", "give the folder that mongodump --out writes, or verify without --source"
	case intake.Holds(name):
		what, hint = "a package", "unpack it in a private folder first, and give that"
	}
	return fault.New(fault.Usage, "--source compares folders of plain files only, and this is %s", what).At(name, 0, "").WithHint("%s", hint)
}

// sealedName reports whether a file is called as encrypted ones are.
func sealedName(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gpg", ".pgp", ".asc", ".age":
		return true
	}
	return false
}

// verify runs the request against the people of the project's id map.
func (f *verifyFlags) verify(cmd *cobra.Command, request verify.Request) (report *verify.Report, err error) {
	if f.shapes {
		return verify.Run(cmd.Context(), request)
	}
	project, err := f.project.open(cmd, false, cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	ids, err := f.project.openMap(project, false, "verify", cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, ids.Close()) }()
	domain, err := ids.Domain(project.Settings.Domain)
	if err != nil {
		return nil, err
	}
	return verifyAgainst(cmd.Context(), domain, request)
}

// verifyAgainst runs the request against everybody a domain knows. Names that
// are ordinary words too are judged where they stand: verify has no dictionary
// of its own.
func verifyAgainst(ctx context.Context, domain *idmap.Domain, request verify.Request) (*verify.Report, error) {
	words, err := lists.Open()
	if err != nil {
		return nil, err
	}
	known, failed := verify.Roster(domain)
	request.Known = verify.MarkCommon(known, func(word string) bool { return words.Find(lists.Key(word)).Is(lists.AnyWord) })
	report, err := verify.Run(ctx, request)
	return report, errors.Join(err, failed())
}
