package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"anonymooc/release/moocdb"
)

type moocdbFlags struct {
	out     string
	format  string
	replace bool
	json    bool
	jobs    int
}

func newMOOCdbCommand() *cobra.Command {
	var f moocdbFlags
	cmd := &cobra.Command{
		Use:   "moocdb RELEASE --out DB",
		Short: "Build the MOOCdb tables from a release",
		Long: `moocdb reads a release, or the export it was made of, and writes the tables of
MOOCdb: users, observed_events with durations, urls, resources with their
hierarchy, problems, submissions with attempts, assessments, collaborations from
the forum. Both make the same rows with the same joins.

The formats are sqlite (one file, foreign keys declared and checked), csv (a
folder with one file a table), mysql and postgres (a folder with the files,
schema.sql and load.sql).

` + exitStatuses,
		Example: `  anonymooc moocdb release/ --out moocdb.sqlite
  anonymooc moocdb release/ --out moocdb/ --format csv
  anonymooc moocdb release/ --out load/ --format postgres && cd load && psql -f schema.sql -f load.sql`,
		Args: oneFolder("one folder"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "database file or folder, to be made")
	flags.StringVar(&f.format, "format", string(moocdb.SQLite), "sqlite, csv, mysql or postgres")
	flags.BoolVar(&f.replace, "replace", false, "replace what is there")
	flags.BoolVar(&f.json, "json", false, "print the counts as JSON")
	flags.IntVar(&f.jobs, "jobs", 0, "goroutines that decode; 0 for one a core")
	return cmd
}

func (f *moocdbFlags) run(cmd *cobra.Command, dir string) error {
	report, err := moocdb.Build(cmd.Context(), moocdb.Request{
		Source: dir, Out: f.out, Format: moocdb.Format(f.format), Replace: f.replace, Jobs: f.jobs,
	})
	if err != nil {
		return err
	}
	if f.json {
		e := json.NewEncoder(cmd.OutOrStdout())
		e.SetIndent("", "  ")
		return e.Encode(report)
	}
	_, err = fmt.Fprint(cmd.OutOrStdout(), report)
	return err
}
