package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"anonymooc/release"
	"anonymooc/tables"
)

func newScanCommand() *cobra.Command {
	var project projectFlags
	var packages packageFlags
	var server databaseFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "scan EXPORT [EXPORT ...]",
		Short: "Show what is in an export and which rules apply, without any of its values",
		Long: `scan reads the files of an export and tells, for every column or JSON path, how
often it is filled, how many values differ, what shapes they have (e-mail, IP
address, date, text …) and which rule applies. For what no rule names it drafts
one, by shape; it never drafts keep. Nothing is written, and no value is shown;
the keys of JSON objects are, and they may name people in undocumented payloads.

` + exitStatuses,
		Example: "  anonymooc scan export/\n  anonymooc scan export/ --json > scan.json",
		Args:    argumentsOrServer(1, -1, "one export or more: folders or packages"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rules, _, err := rulesOf(cmd, &project)
			if err != nil {
				return err
			}
			export, done, err := openExport(cmd, args, &packages, &server)
			if err != nil {
				return err
			}
			defer done()
			found, err := release.Discover(cmd.Context(), export, rules, true, tables.DefaultLimits())
			if err != nil {
				return err
			}
			files, err := surveyAll(cmd.Context(), found)
			if err != nil {
				return err
			}
			if asJSON {
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetEscapeHTML(false)
				e.SetIndent("", "  ")
				return e.Encode(map[string]any{"files": files, "unknown_files": found.Unknown, "unbound": found.Unbound})
			}
			return writeScan(cmd.OutOrStdout(), files, found)
		},
	}
	project.add(cmd)
	packages.add(cmd)
	server.add(cmd)
	addSettings(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// scannedFile is what scan found in one file.
type scannedFile struct {
	File    string            `json:"file"`
	Table   string            `json:"table"`
	Format  string            `json:"format"`
	Bytes   int64             `json:"bytes"`
	Rows    int64             `json:"rows"`
	Columns []*tables.Profile `json:"columns"`
}

func surveyAll(ctx context.Context, found *release.Discovery) ([]scannedFile, error) {
	var files []scannedFile
	for i := range found.Sources {
		s := &found.Sources[i]
		in, err := s.Read(ctx)
		if err != nil {
			return nil, err
		}
		profiles, rows, err := tables.Survey(s.Plan, in, tables.DefaultLimits())
		var size int64
		if err == nil {
			size, _, err = in.Sum()
		}
		in.Close()
		if err != nil {
			return nil, err
		}
		files = append(files, scannedFile{s.Name, s.Table.Name, s.Plan.Format.Name(), size, rows, profiles})
	}
	return files, nil
}

func writeScan(w io.Writer, files []scannedFile, found *release.Discovery) error {
	for _, f := range files {
		fmt.Fprintf(w, "%s: table %s, %s, %s rows, %s\n", f.File, f.Table, f.Format, thousands(f.Rows), megabytes(f.Bytes))
		t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
		fmt.Fprintln(t, "  column\tvalues\tempty\tdistinct\tshapes\trule")
		for _, p := range f.Columns {
			fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\t%s\n", p.Column, thousands(p.Values), thousands(p.Nulls), thousands(p.Distinct), shapes(p.Shapes), p.Rule)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	for _, name := range found.Unknown {
		fmt.Fprintf(w, "%s: no rule names this file\n", name)
	}
	if len(found.Unbound) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\nNo rule names these columns. A draft for the overrides of project.yaml; decide on each action:")
	profiles := map[string]*tables.Profile{}
	for _, f := range files {
		for _, p := range f.Columns {
			profiles[f.File+"\x00"+p.Column] = p
		}
	}
	for _, u := range found.Unbound {
		action, role, why := "drop", tables.Attribute, "nothing is known of it"
		if p := profiles[u.File+"\x00"+u.Column]; p != nil {
			action, role, why = p.Suggest()
		}
		fmt.Fprintf(w, "  - {name: %s, columns: [{column: %q, action: %s, role: %s, why: \"%s\"}]}\n", u.Table, u.Column, action, role, why)
	}
	return nil
}

// shapes lists shapes with their counts, the most frequent first.
func shapes(counts map[string]int64) string {
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool {
		if counts[names[i]] != counts[names[j]] {
			return counts[names[i]] > counts[names[j]]
		}
		return names[i] < names[j]
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %s", name, thousands(counts[name]))
	}
	return strings.Join(names, ", ")
}
