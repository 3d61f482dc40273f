package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"anonymooc/internal/fault"
	"anonymooc/release/columnar"
	"anonymooc/release/verify"
)

type parquetFlags struct {
	out  string
	jobs int
	json bool
}

func newParquetCommand() *cobra.Command {
	var f parquetFlags
	cmd := &cobra.Command{
		Use:   "parquet RELEASE --out FOLDER",
		Short: "Write the tables, events and posts of a release as Parquet",
		Long: `parquet writes one Parquet file for each table, tracking log and forum of a
release that has none beside its files, with typed columns, NULLs kept, and events
and posts flattened into columns that are the same in every release. The release
itself is not touched. "anonymooc run --format parquet" writes the same files into
the release.

` + exitStatuses,
		Example: `  anonymooc parquet release/ --out parquet/`,
		Args:    arguments(1, 1, "one release folder"),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "folder of the Parquet files, to be made")
	flags.IntVar(&f.jobs, "jobs", 0, "goroutines that convert; 0 for one a core")
	flags.BoolVar(&f.json, "json", false, "print what was written as JSON")
	return cmd
}

func (f *parquetFlags) run(cmd *cobra.Command, dir string) error {
	if err := f.check(dir); err != nil {
		return err
	}
	manifest, err := verify.ReadManifest(dir)
	if err != nil {
		return err
	}
	if manifest == nil {
		return fault.New(fault.Usage, "the folder has no manifest").At(dir, 0, "").WithHint("name the folder of a release")
	}
	request := columnar.Request{Release: dir, Out: f.out, Jobs: f.jobs}
	for _, o := range manifest.Outputs {
		if !filepath.IsLocal(filepath.FromSlash(o.Path)) {
			return fault.New(fault.Failure, "the manifest names a file outside of the release").At(filepath.Join(dir, verify.ManifestName), 0, "")
		}
		request.Files = append(request.Files, columnar.File{Path: o.Path, Table: o.Table, Format: o.Format})
	}
	copies, err := columnar.Write(cmd.Context(), request)
	if err != nil {
		return err
	}
	if f.json {
		e := json.NewEncoder(cmd.OutOrStdout())
		e.SetIndent("", "  ")
		return e.Encode(copies)
	}
	t := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "rows\tcolumns\tbytes\t  file\n")
	for _, c := range copies {
		fmt.Fprintf(t, "%d\t%d\t%d\t  %s\n", c.Rows, len(c.Columns), c.Bytes, c.Path)
	}
	return t.Flush()
}

// check refuses places before anything is read: a release is not added to.
func (f *parquetFlags) check(dir string) error {
	if f.out == "" {
		return fault.New(fault.Usage, "the Parquet files want a place").WithHint("--out names the folder to be made")
	}
	inside, err := within(dir, f.out)
	if err != nil {
		return err
	}
	if inside {
		return fault.New(fault.Usage, "the release is finished: its manifest would not list what is added").At(f.out, 0, "").
			WithHint("choose a folder outside of it, or make the release with --format parquet")
	}
	if entries, err := os.ReadDir(f.out); err == nil && len(entries) > 0 {
		return fault.New(fault.Usage, "something is here already").At(f.out, 0, "").WithHint("choose an empty folder")
	}
	return nil
}
