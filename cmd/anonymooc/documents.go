package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/release/documents"
	"anonymooc/release/verify"
)

type documentsFlags struct {
	request  documents.Request
	verified string
	answers  string
	project  string
	json     bool
}

func newDocumentsCommand() *cobra.Command {
	var f documentsFlags
	cmd := &cobra.Command{
		Use:   "documents RELEASE",
		Short: "Write the papers that go with a release",
		Long: `documents writes, in English and French: for researchers, into the release, a
Frictionless datapackage.json, a codebook and a report as one self-contained page;
for the officer, into the folder --officer, the entry for the record of processing
(GDPR Article 30), an annex for the impact assessment (Article 35) along singling
out, linkability and inference, the release checklist and the record of erasures.

They hold counts and rules, no value of the data, and promise nothing that a figure
does not show. --verified takes the report of "anonymooc verify --json"; without it
the papers say that the release was not verified. --answers is a YAML file with
what only the officer knows: controller, representative, protection_officer,
purpose, legal_basis, recipients, transfers, retention, security.

` + exitStatuses,
		Example: `  anonymooc documents release/
  anonymooc verify release/ --json > verified.json
  anonymooc documents release/ --verified verified.json --officer officer/ --answers answers.yaml`,
		Args: oneFolder("one release folder"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.request.OfficerDir, "officer", "", "`folder` for the officer's documents, outside the release")
	flags.StringVar(&f.request.Title, "title", "", "title of the release (default: the folder's name)")
	flags.StringVar(&f.request.Date, "date", "", "date of the release, YYYY-MM-DD")
	flags.StringVar(&f.verified, "verified", "", "report of \"anonymooc verify --json\" (`file`)")
	flags.StringVar(&f.project, "project", defaultProject, "folder of the project, for the record of erasures")
	flags.StringVar(&f.answers, "answers", "", "YAML `file` with the officer's answers")
	flags.IntVar(&f.request.Risk.K, "k", 5, "least number of people in a group")
	flags.BoolVar(&f.request.Risk.Courses, "courses", true, "count the set of courses of a person as a quasi-identifier")
	flags.BoolVar(&f.request.Risk.Logs, "logs", true, "read the logs, for the uniqueness of traces")
	flags.BoolVar(&f.json, "json", false, "print the names of the documents as JSON")
	return cmd
}

func (f *documentsFlags) run(cmd *cobra.Command, dir string) error {
	f.request.Release = dir
	if f.request.OfficerDir != "" {
		inside, err := within(dir, f.request.OfficerDir)
		if err != nil {
			return err
		}
		if inside {
			return fault.New(fault.Usage, "the officer's documents do not belong into the release").At(f.request.OfficerDir, 0, "").
				WithHint("choose a folder outside of it")
		}
	}
	if f.verified != "" {
		f.request.Verify = new(verify.Report)
		if err := readInto(f.verified, f.request.Verify, json.Unmarshal); err != nil {
			return err
		}
	}
	if f.answers != "" {
		strict := func(data []byte, into any) error { return yaml.UnmarshalWithOptions(data, into, yaml.Strict()) }
		if err := readInto(f.answers, &f.request.Officer, strict); err != nil {
			return err
		}
	}
	erasures, err := idmap.ReadErasures(filepath.Join(f.project, "map"))
	if err != nil {
		return err
	}
	f.request.Erasures = erasures
	_, names, err := documents.Make(f.request)
	if err != nil {
		return err
	}
	if f.json {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(names)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), strings.Join(names, "\n"))
	return err
}

// readInto reads a file that the user wrote or had written.
func readInto(path string, into any, decode func([]byte, any) error) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fault.New(fault.Usage, "the file cannot be read").At(path, 0, "")
	}
	if err := decode(data, into); err != nil {
		return fault.New(fault.Usage, "the file is not what is expected here").At(path, 0, "").
			WithHint("\"anonymooc documents --help\" says what it holds")
	}
	return nil
}

// within reports whether a path lies in a folder, or is it.
func within(folder, path string) (bool, error) {
	outer, err := filepath.Abs(folder)
	if err != nil {
		return false, err
	}
	inner, err := filepath.Abs(path)
	if err != nil {
		return false, err
	}
	relative, err := filepath.Rel(outer, inner)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator)), nil
}
