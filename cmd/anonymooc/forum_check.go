package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/check"
	"anonymooc/forum/detect"
	"anonymooc/forum/mine"
)

func newForumCheckCommand() *cobra.Command {
	var f forumFlags
	cmd := &cobra.Command{
		Use:   "check EXPORT [EXPORT ...]",
		Short: "Look for trouble in the replacements before they are made",
		Long: `check makes the table of replacements that a release would use and alerts to
(Reffay et al. 2012, step 6):
  shared       one pseudonym for two people or forms
  collision    a pseudonym that stays in the forum as an unmasked form
  split        one form with two pseudonyms
  participant  a pseudonym that is a real participant's name
  initials     initials that two people share
  explained    a masked form that its neighbours give away: "Paris (like the capital)"
It changes nothing. Whether an alert matters is for a person to say: the exit
status is 0 with alerts and without.

` + exitStatuses,
		Example: `  anonymooc forum check export/
  anonymooc forum check export/ --json`,
		Args: forumArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.withEngine(cmd, args, func(_ *forumSession, e *forum.Engine) error { return f.check(cmd, e) })
		},
	}
	f.add(cmd)
	return cmd
}

func (f *forumFlags) check(cmd *cobra.Command, e *forum.Engine) error {
	table, explained, err := replacementTable(e)
	if err != nil {
		return err
	}
	text, err := whatStays(e, table)
	if err != nil {
		return err
	}
	alerts := append(check.Alerts(table, text), explained...)
	out := bufio.NewWriter(cmd.OutOrStdout())
	if f.json {
		err = jsonLines(out, alerts)
	} else {
		printAlerts(out, alerts)
	}
	return errors.Join(err, out.Flush())
}

// replacementTable gathers what stands for what, each pair once, and the masked
// forms that are explained where they stand.
func replacementTable(e *forum.Engine) ([]check.Row, []check.Alert, error) {
	rows := make(map[check.Row]bool)
	var explained []check.Alert
	var failed error
	err := e.Each(func(doc *detect.Document, findings []forum.Finding) {
		var masked [][2]int
		for i := range findings {
			finding := &findings[i]
			if finding.Verdict == detect.Keep {
				continue
			}
			pseudonym, style, err := e.Replacement(finding)
			if err != nil && failed == nil {
				failed = err
			}
			rows[check.Row{
				Form: finding.Surface, Category: finding.Category, Entity: finding.Entity, Pseudonym: pseudonym,
				Generic: style == forum.Hyperonym || style == forum.Asterisks, Initials: style == forum.Initials,
			}] = true
			masked = append(masked, [2]int{finding.Start, finding.End})
		}
		explained = append(explained, check.Explanations(doc, masked)...)
	})
	return slices.Collect(maps.Keys(rows)), explained, errors.Join(err, failed)
}

// stays tells which pseudonyms the forum holds where nothing is masked.
type stays struct {
	left      map[string]int
	catalogue *detect.Catalogue
}

// Left implements check.Text.
func (s *stays) Left(key string) int { return s.left[key] }

// Participant implements check.Text.
func (s *stays) Participant(key string) bool { return len(s.catalogue.Readings(key)) > 0 }

// whatStays looks for a table's pseudonyms in what no masked span covers.
func whatStays(e *forum.Engine, table []check.Row) (*stays, error) {
	s := &stays{left: make(map[string]int), catalogue: e.Catalogue()}
	distinct := make(map[string]bool)
	for _, row := range table {
		if !row.Generic {
			distinct[check.Key(row.Pseudonym)] = true
		}
	}
	pseudonyms := slices.Collect(maps.Keys(distinct))
	search := mine.NewConcordance(pseudonyms...)
	err := e.Each(func(doc *detect.Document, findings []forum.Finding) {
		search.Find(doc, func(form, start, end int) {
			masked := slices.ContainsFunc(findings, func(f forum.Finding) bool {
				return f.Verdict != detect.Keep && f.Start < end && start < f.End
			})
			if !masked {
				s.left[pseudonyms[form]]++
			}
		})
	})
	return s, err
}

func printAlerts(out io.Writer, alerts []check.Alert) {
	for _, a := range alerts {
		fmt.Fprintf(out, "%-11s  %s: %s", a.Kind, a.What, strings.Join(a.Forms, ", "))
		if a.Pseudonym != "" {
			fmt.Fprintf(out, " → %s", a.Pseudonym)
		}
		if a.Post != "" {
			fmt.Fprintf(out, " (post %s, %s)", a.Post, a.Field)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "%d alerts\n", len(alerts))
}
