package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"anonymooc/config"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/release"
	"anonymooc/release/documents"
	"anonymooc/release/pack"
	"anonymooc/release/verify"
	"anonymooc/tables/geo"
	"anonymooc/tables/risk"
)

type runFlags struct {
	project   projectFlags
	packages  packageFlags
	mongo     mongoFlags
	database  databaseFlags
	out       string
	encryptTo []string
	replace   bool
	verify    bool
	documents bool
	dryRun    bool
	json      bool
}

func newRunCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run EXPORT [EXPORT ...] --out RELEASE",
		Short: "Make a release of one or more exports",
		Long: `run reads one or more exports, replaces the people in them by their
pseudonyms as the rules say, checks the result and gives it its name only when
everything is right. The files keep their names.

An export is a folder or a package as it was delivered: .zip, .tar, .tar.gz,
.tar.zst, encrypted by OpenPGP (.gpg, .pgp, .asc) or age (.age), or with such files
in it; or a MySQL dump (.sql, .sql.gz), or an archive of mongodump (.archive,
.archive.gz). Nothing of a package is written anywhere but in the release. With
--encrypt-to the release is one encrypted archive: --out release.tar.zst.age for age
and SSH keys, release.tar.zst.gpg for OpenPGP keys.

With --database-from tables are read from a MySQL, MariaDB or PostgreSQL server, in
one read-only transaction: each is <table>.csv to the rules.

With --forum-mongo the forum is read from a MongoDB server, to which nothing but
reading commands is sent: contents.bson to the rules. With --forum-mongo-out the
released forum is then written to another server or database, into a collection
that gets its name when it is whole.

The project folder holds what must never be in a release: the id map, its key,
decisions, and log lines that could not be read. It is made on first use. Use the
same project for every course and year whose releases are to be joined.

` + exitStatuses,
		Example: `  anonymooc run export/ --out release/
  anonymooc run course-2014/ course-2015/ --out release/ --text strict
  anonymooc run export/ --out release/ --geo-db GeoLite2-City.mmdb
  anonymooc run org-2024-01-07.zip --decrypt-key officer.key --out release/
  anonymooc run export/ --encrypt-to colleague.pub --out release.tar.zst.age
  anonymooc run export/ --out release/ --format parquet
  anonymooc run edxapp.sql.gz --out release/
  anonymooc run logs/ --database-from file:address --out release/`,
		Args: argumentsOrServer(1, -1, "one export or more: folders or packages"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "folder or encrypted archive of the release, to be made")
	flags.StringArrayVar(&f.encryptTo, "encrypt-to", nil, "`who` can open the release: an age1… or ssh-… key, a file of them or of OpenPGP public keys; may be given again")
	flags.BoolVar(&f.replace, "replace", false, "replace the release that is there")
	flags.BoolVar(&f.verify, "verify", true, "look for residuals before the release is published")
	flags.BoolVar(&f.documents, "documents", true, "write the papers that go with the release")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only tell whether the rules fit the export")
	flags.BoolVar(&f.json, "json", false, "print the result as JSON")
	flags.String("format", config.Defaults().Format, "export: the files as they are delivered; parquet: Parquet beside them")
	flags.Lookup("format").Annotations = map[string][]string{config.FormatFlag: {}}
	f.project.add(cmd)
	f.project.addKey(cmd)
	f.packages.add(cmd)
	f.mongo.add(cmd)
	f.database.add(cmd)
	f.mongo.addTarget(cmd)
	addSettings(cmd)
	return cmd
}

// addSettings adds the flags that lie over the settings of the project file.
func addSettings(cmd *cobra.Command) {
	d := config.Defaults()
	flags := cmd.Flags()
	flags.String("rules", d.Rules, "rule set: fun, edx, or the path of one")
	flags.String("text", d.Text, "free text: drop, strict or reviewed")
	flags.String("detectors", d.Detectors, "who looks at free text: `names` with commas between them")
	flags.String("expert", d.Expert, "words that only lists know: all asked about, those where lists and trees disagree (table), or none")
	flags.String("unknown", d.Unknown, "files and columns that no rule names: stop or drop")
	flags.String("domain", d.Domain, "research project: releases of one domain share their pseudonyms, two domains none")
	flags.String("geo-db", d.GeoDB, "GeoIP2, GeoLite2 or DB-IP country or city `file` (default: the built-in countries)")
	flags.String("forgotten", d.Forgotten, "rows of people who were erased: drop or orphan")
	flags.Int("jobs", d.Jobs, "goroutines that transform; 0 for one a core")
}

// openProject makes the project on first use; a dry run makes nothing.
func (f *runFlags) openProject(cmd *cobra.Command, tell io.Writer) (*config.Project, error) {
	if f.dryRun {
		return config.OpenOrDefault(f.project.dir, cmd.Flags())
	}
	return f.project.open(cmd, true, tell)
}

func (f *runFlags) run(cmd *cobra.Command, exports []string) (err error) {
	tell := cmd.ErrOrStderr()
	if f.out == "" && !f.dryRun { // before anything is made
		return fault.New(fault.Usage, "a release wants a place").WithHint("--out RELEASE names the folder to be made")
	}
	options, err := f.packages.options()
	if err != nil {
		return err
	}
	seal, err := f.recipients()
	if err != nil {
		return err
	}
	if f.mongo.to != "" && (seal != nil || !f.verify) {
		return fault.New(fault.Usage, "a forum is written to a server from a folder that was verified").
			WithHint("leave out --encrypt-to and --verify=false, or --forum-mongo-out")
	}
	server, collections, err := f.mongo.open(cmd.Context())
	if err != nil {
		return err
	}
	if server != nil {
		defer server.Close()
		options.Also = collections
	}
	database, err := f.database.open(cmd.Context(), &options)
	if err != nil {
		return err
	}
	defer database.Close() // only ever read from
	if f.dryRun {
		f.mongo.to = "" // nothing is written, not even the marker that tells the target from the source
	}
	target, err := f.mongo.openTarget(cmd.Context(), server)
	if err != nil {
		return err
	}
	if target != nil {
		defer target.Close()
	}
	project, err := f.openProject(cmd, tell)
	if err != nil {
		return err
	}
	rules, sum, err := project.RuleSet()
	if err != nil {
		return err
	}
	request := release.Request{
		Exports: exports, Intake: options, Out: f.out, Seal: seal, Replace: f.replace, DryRun: f.dryRun,
		Project: project, Rules: rules, RulesSHA: sum, Version: version,
		Progress: newProgress(tell),
	}
	if !f.dryRun {
		if request.Geo, err = geo.Open(project.Settings.GeoDB); err != nil {
			return err
		}
		defer request.Geo.Close()
		if request.Map, err = f.project.openMap(project, true, "run", tell); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, request.Map.Close()) }()
		request.Text = textEngine(project)
		request.Verify = f.prove(tell, project)
	}
	result, err := release.Run(cmd.Context(), request)
	if err != nil {
		return err
	}
	tellChange(tell, server)
	if target != nil {
		if err := load(cmd.Context(), tell, target, result, f.replace); err != nil {
			return err
		}
	}
	if f.dryRun && f.json {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(result)
	}
	if f.dryRun {
		_, err = cmd.OutOrStdout().Write([]byte("every file and column has its rule; nothing was written\n"))
		return err
	}
	if f.json {
		return writeRunJSON(cmd.OutOrStdout(), result)
	}
	if err := summarise(cmd.OutOrStdout(), result); err != nil || seal == nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "to open it: %s\n", pack.HowToOpen(result.Out))
	return err
}

// writeRunJSON prints what a run did, for scripts.
func writeRunJSON(w io.Writer, result *release.Result) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Release  string            `json:"release"`
		People   int               `json:"people"`
		SetAside string            `json:"set_aside,omitempty"`
		Warnings []string          `json:"warnings"`
		Manifest *release.Manifest `json:"manifest"`
	}{result.Out, result.People, result.Aside, append([]string{}, result.Warnings...), result.Manifest})
}

// prove looks for residuals before a release is published, and writes its papers
// once there are none. What is wrong stops the run.
func (f *runFlags) prove(tell io.Writer, project *config.Project) func(context.Context, *idmap.Domain, string) error {
	return func(ctx context.Context, domain *idmap.Domain, dir string) error {
		request := documents.Request{
			Release: dir, OfficerDir: filepath.Join(project.Dir, "officer", filepath.Base(f.out)),
			Risk: risk.Request{K: 5, Courses: true, Choice: risk.Choice{Logs: true}},
		}
		if f.verify {
			report, err := residuals(ctx, domain, dir, tell)
			if err != nil {
				return err
			}
			request.Verify = report
		}
		if !f.documents {
			return nil
		}
		var err error
		if request.Erasures, err = idmap.ReadErasures(filepath.Join(project.Dir, "map")); err != nil {
			return err
		}
		_, _, err = documents.Make(request)
		return err
	}
}

// residuals verifies a release against everybody the id map knows.
func residuals(ctx context.Context, domain *idmap.Domain, dir string, tell io.Writer) (*verify.Report, error) {
	report, err := verifyAgainst(ctx, domain, verify.Request{Release: dir})
	if err != nil {
		return nil, err
	}
	if !report.Passed() {
		if err := report.WriteText(tell, 40); err != nil {
			return nil, err
		}
	}
	return report, report.Err()
}
