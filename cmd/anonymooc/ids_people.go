package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

func newIDsLookupCommand() *cobra.Command {
	var f idsFlags
	var byPseudonym bool
	cmd := &cobra.Command{
		Use:   "lookup",
		Short: "Find the pseudonym of a person, or the person behind a pseudonym",
		Long: `lookup shows what the id map knows about single people. It asks for an identifier,
or reads several from a file; with --pseudonyms it takes numbers or usernames of a
release and tells who they are. The audit entry is written before the answer.

` + exitStatuses,
		Example: `  anonymooc ids lookup
  anonymooc ids lookup --from people.txt --json
  anonymooc ids lookup --pseudonyms --reason "participant 12 asked for their answers"`,
		Args: arguments(0, 0, "no arguments: identifiers come from a prompt or a file"),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			m, d, err := f.openDomain(cmd)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, m.Close()) }()
			m.SetReason(f.reason)
			entries, err := f.lookup(cmd, d, byPseudonym)
			if err != nil {
				return err
			}
			if f.json {
				return printJSON(cmd.OutOrStdout(), entries)
			}
			if len(entries) == 0 {
				return fault.New(fault.Failure, "the domain knows nobody by this").WithHint("another --domain or another identifier may")
			}
			return printEntries(cmd.OutOrStdout(), entries)
		},
	}
	f.add(cmd)
	f.addDomain(cmd)
	f.addReason(cmd)
	f.addIdentifiers(cmd)
	cmd.Flags().BoolVar(&byPseudonym, "pseudonyms", false, "what is given are pseudonyms: 1234567890 or u1234567890")
	return cmd
}

func (f *idsFlags) lookup(cmd *cobra.Command, d *idmap.Domain, byPseudonym bool) ([]idmap.Entry, error) {
	if !byPseudonym {
		ids, err := f.identifiers(cmd)
		if err != nil {
			return nil, err
		}
		return d.Lookup(ids...)
	}
	lines, err := f.lines(cmd, "pseudonym")
	if err != nil {
		return nil, err
	}
	var pseudonyms []idmap.Pseudonym
	for i, line := range lines {
		text := strings.TrimPrefix(strings.TrimSpace(line), "u")
		if text == "" || text[0] == '#' {
			continue
		}
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			return nil, fault.New(fault.Usage, "not a pseudonym").At(f.from, int64(i)+1, "").
				WithHint("a pseudonym is a number of ten digits, or u and that number")
		}
		pseudonyms = append(pseudonyms, idmap.Pseudonym(n))
	}
	return d.LookupPseudonyms(pseudonyms...)
}

func printEntries(w io.Writer, entries []idmap.Entry) error {
	for _, e := range entries {
		fmt.Fprintf(w, "%d\n", e.Pseudonym)
		for _, id := range e.Identifiers {
			fmt.Fprintf(w, "  %s: %s\n", id.Kind, id.Value)
		}
		for _, a := range e.Attributes {
			if _, err := fmt.Fprintf(w, "  %s: %s\n", a.Name, a.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

func newIDsExportCommand() *cobra.Command {
	var f idsFlags
	var to, format string
	cmd := &cobra.Command{
		Use:   "export --to FILE",
		Short: "Write the list of everyone in a domain, to contact them again",
		Long: `export writes pseudonym, identifiers and what is known of everyone in a domain to
a file that only its owner can read (0600). Whoever has that file and a release
knows everyone in it: keep it apart, delete it after use. The audit entry is
written before the file.

` + exitStatuses,
		Example: `  anonymooc ids export --to contact.csv --reason "follow-up survey, ethics vote 2031-7"`,
		Args:    arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if to == "" || format != "csv" && format != "jsonl" {
				return fault.New(fault.Usage, "export needs --to FILE, and csv or jsonl as --format")
			}
			if err := checkPrivatePlace(to); err != nil {
				return err
			}
			m, d, err := f.openDomain(cmd)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, m.Close()) }()
			m.SetReason(f.reason)
			people, err := export(d, to, format)
			if err != nil {
				return err
			}
			if f.json {
				return printJSON(cmd.OutOrStdout(), map[string]any{"file": to, "people": people})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d people; delete it after use\n", to, people)
			return err
		},
	}
	f.add(cmd)
	f.addDomain(cmd)
	f.addReason(cmd)
	cmd.Flags().StringVar(&to, "to", "", "`file` to write, outside any release")
	cmd.Flags().StringVar(&format, "format", "csv", "csv (one line an identifier or attribute) or jsonl (one line a person)")
	return cmd
}

// export writes a domain's people, whole or not at all.
func export(d *idmap.Domain, to, format string) (people int, err error) {
	err = writePrivate(to, func(w io.Writer) error {
		lines, table := json.NewEncoder(w), csv.NewWriter(w)
		lines.SetEscapeHTML(false)
		if format == "csv" {
			if err := table.Write([]string{"pseudonym", "what", "value"}); err != nil {
				return err
			}
		}
		err := d.Export(func(e idmap.Entry) error {
			people++
			if format == "jsonl" {
				return lines.Encode(e)
			}
			pseudonym := strconv.FormatUint(uint64(e.Pseudonym), 10)
			for _, id := range e.Identifiers {
				table.Write([]string{pseudonym, id.Kind.String(), id.Value})
			}
			for _, a := range e.Attributes {
				table.Write([]string{pseudonym, a.Name, a.Value})
			}
			return table.Error()
		})
		table.Flush()
		return errors.Join(err, table.Error())
	})
	return people, err
}

// checkPrivatePlace refuses to write about people where others would get it:
// into a git work tree, or into a release.
func checkPrivatePlace(path string) error {
	if idmap.CheckPlace(filepath.Dir(path)) != nil {
		return fault.New(fault.Usage, "a list of people does not belong into a git work tree").At(path, 0, "").
			WithHint("a commit would publish it: write it somewhere else")
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		return fault.New(fault.Usage, "the folder cannot be found").At(path, 0, "")
	}
	for dir := filepath.Dir(whole); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, "manifest.json")); err == nil {
			return fault.New(fault.Usage, "a list of people does not belong into a release").At(path, 0, "").
				WithHint("whoever gets the release would get it: write it somewhere else")
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// writePrivate writes a file of mode 0600, whole or not at all.
func writePrivate(path string, write func(io.Writer) error) error {
	file, err := safefile.Create(path, 0o600)
	if err != nil {
		return fault.New(fault.Failure, "the file cannot be written").At(path, 0, "")
	}
	defer file.Abort()
	if err := write(file); err != nil {
		return err
	}
	if err := file.Commit(); err != nil {
		return fault.New(fault.Failure, "the file cannot be written").At(path, 0, "")
	}
	return nil
}

func newIDsCrosswalkCommand() *cobra.Command {
	var f idsFlags
	var to string
	cmd := &cobra.Command{
		Use:   "crosswalk DOMAIN DOMAIN --to FILE",
		Short: "Let two domains be joined on purpose",
		Long: `crosswalk writes a table of the pseudonyms that people have in two domains, for
two projects that were allowed to join their data. It names nobody, but whoever
has it can join what was kept apart: the audit entry is written first.

` + exitStatuses,
		Example: `  anonymooc ids crosswalk dropout forum-study --to crosswalk.csv --reason "joint study, agreement 12"`,
		Args:    arguments(2, 2, "the names of two domains"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if to == "" {
				return fault.New(fault.Usage, "crosswalk needs --to FILE")
			}
			if err := checkPrivatePlace(to); err != nil {
				return err
			}
			_, m, err := f.open(cmd)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, m.Close()) }()
			m.SetReason(f.reason)
			here, err := existingDomain(m, args[0])
			if err != nil {
				return err
			}
			there, err := existingDomain(m, args[1])
			if err != nil {
				return err
			}
			pairs := 0
			err = writePrivate(to, func(w io.Writer) error {
				table := csv.NewWriter(w)
				table.Write([]string{args[0], args[1]})
				err := here.Crosswalk(there, func(a, b idmap.Pseudonym) error {
					pairs++
					return table.Write([]string{strconv.Itoa(int(a)), strconv.Itoa(int(b))})
				})
				table.Flush()
				return errors.Join(err, table.Error())
			})
			if err != nil {
				return err
			}
			if f.json {
				return printJSON(cmd.OutOrStdout(), map[string]any{"file": to, "people": pairs})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d people are in both domains\n", to, pairs)
			return err
		},
	}
	f.add(cmd)
	f.addReason(cmd)
	cmd.Flags().StringVar(&to, "to", "", "`file` to write")
	return cmd
}
