package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"anonymooc/config"
	"anonymooc/forum"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
	"anonymooc/release"
	"anonymooc/release/intake"
	"anonymooc/tables"
	"anonymooc/tables/geo"
)

func newPreviewCommand() *cobra.Command {
	var project projectFlags
	var packages packageFlags
	var records int
	var force bool
	cmd := &cobra.Command{
		Use:   "preview EXPORT [FILE ...]",
		Short: "Show the first records of files before and after",
		Long: `preview shows some records of an export as they are and as a release would show
them. What it prints holds real people: it prints to a terminal only, unless
--force says otherwise. The pseudonyms are drawn for the preview alone and are not
those of a release. Free text is treated by the policy of --text; what is still
undecided under "reviewed" is shown masked.

` + exitStatuses,
		Example: "  anonymooc preview export/ tracking_log.json -n 3",
		Args:    arguments(1, -1, "an export, and names of files in it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			if f, ok := out.(*os.File); !force && (!ok || !term.IsTerminal(int(f.Fd()))) {
				return fault.New(fault.Usage, "a preview shows real people and goes to a terminal only").WithHint("pass --force to write it elsewhere")
			}
			opened, err := config.OpenOrDefault(project.dir, cmd.Flags())
			if err != nil {
				return err
			}
			rules, _, err := opened.RuleSet()
			if err != nil {
				return err
			}
			options, err := packages.options()
			if err != nil {
				return err
			}
			export, err := intake.Open(cmd.Context(), args[:1], options)
			if err != nil {
				return err
			}
			defer export.Close() // only ever read from
			found, err := release.Discover(cmd.Context(), export, rules, opened.Settings.Unknown == "drop", tables.DefaultLimits())
			if err != nil {
				return err
			}
			return preview(cmd.Context(), out, found, args[1:], records, opened)
		},
	}
	project.add(cmd)
	packages.add(cmd)
	addSettings(cmd)
	cmd.Flags().IntVarP(&records, "records", "n", 5, "records to show of each file")
	cmd.Flags().BoolVar(&force, "force", false, "write to a file or pipe as well")
	return cmd
}

// preview transforms the first records of files with an id map that is thrown
// away.
func preview(ctx context.Context, out io.Writer, found *release.Discovery, wanted []string, records int, project *config.Project) (err error) {
	dir, err := os.MkdirTemp("", "anonymooc-preview-")
	if err != nil {
		return fault.New(fault.Failure, "no temporary folder can be made").Because(errors.Unwrap(err))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	bytesOfKey := make([]byte, 32)
	if _, err := rand.Read(bytesOfKey); err != nil {
		return err
	}
	m, err := idmap.Create(filepath.Join(dir, "map"), idmap.Options{Key: secret.Key{Secret: secret.New(bytesOfKey)}, Purpose: "preview"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	domain, err := m.Domain("preview")
	if err != nil {
		return err
	}
	places, err := geo.Open(project.Settings.GeoDB)
	if err != nil {
		return err
	}
	defer places.Close()
	if _, err := found.Link(ctx, domain, tables.DefaultLimits()); err != nil {
		return err
	}
	names, err := release.Names(domain)
	if err != nil {
		return err
	}
	session := &tables.Session{IDs: domain, Geo: places, Names: names}
	if forum.Policy(project.Settings.Text) != forum.Drop {
		if session.Text, err = openText(project, domain, found.Sources); err != nil {
			return err
		}
	}
	shown := 0
	for i := range found.Sources {
		s := &found.Sources[i]
		if len(wanted) > 0 && !slices.Contains(wanted, s.Name) && !slices.Contains(wanted, filepath.Base(s.Name)) {
			continue
		}
		shown++
		before, after, err := s.Preview(session, records)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "── %s ── before\n%s── after\n%s\n", s.Name, withLineEnd(before), withLineEnd(after))
	}
	if shown == 0 {
		return fault.New(fault.Usage, "the export has no file of this name").WithHint("anonymooc check lists the files")
	}
	return nil
}

func withLineEnd(text []byte) []byte {
	if len(text) > 0 && !bytes.HasSuffix(text, []byte{'\n'}) {
		text = append(text, '\n')
	}
	return text
}
