package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"anonymooc/idmap"
	"anonymooc/internal/fault"
)

func newIDsStatCommand() *cobra.Command {
	var f idsFlags
	cmd := &cobra.Command{
		Use:   "stat",
		Short: "Show how many people and identifiers the id map holds",
		Long: `stat counts what the id map holds: people and identifiers by kind in each domain,
its size, when it was last used. It names nobody.

` + exitStatuses,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			_, m, err := f.open(cmd)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, m.Close()) }()
			s := m.Stat()
			if f.json {
				return printJSON(cmd.OutOrStdout(), s)
			}
			return printStat(cmd.OutOrStdout(), s)
		},
	}
	f.add(cmd)
	return cmd
}

func printStat(w io.Writer, s idmap.Stat) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "locked by\t%s\n", s.Lock)
	fmt.Fprintf(t, "format\t%d\n", s.Format)
	fmt.Fprintf(t, "made\t%s\n", s.Created.Format(time.DateOnly))
	fmt.Fprintf(t, "last changed\t%s\n", s.Changed.Format(time.DateTime))
	fmt.Fprintf(t, "last used\t%s\n", s.Used.Format(time.DateTime))
	fmt.Fprintf(t, "on disk\t%d bytes\n", s.FileBytes)
	fmt.Fprintf(t, "in memory\t%d bytes\n", s.MemoryBytes)
	fmt.Fprintf(t, "forgotten\t%d identifiers\n", s.Forgotten)
	fmt.Fprintf(t, "never drawn again\t%d numbers\n", s.Spent)
	if s.Collisions > 0 {
		fmt.Fprintf(t, "collisions\t%d real user ids equal a pseudonym\n", s.Collisions)
	}
	for _, d := range s.Domains {
		fmt.Fprintf(t, "domain %s\t%d people\n", d.Name, d.People)
		for _, kind := range idmap.Kinds() {
			if d.Identifiers[kind] > 0 {
				fmt.Fprintf(t, "  %s\t%d\n", kind, d.Identifiers[kind])
			}
		}
		fmt.Fprintf(t, "  addresses\t%d\n", d.Addresses)
	}
	return t.Flush()
}

func newIDsDomainsCommand() *cobra.Command {
	var f idsFlags
	cmd := &cobra.Command{
		Use:   "domains",
		Short: "List the research projects whose releases share their pseudonyms",
		Long: `domains lists the domains of the id map. Releases of one domain can be joined:
a person has one pseudonym in all of them. Releases of two domains cannot; where
two projects may join their data after all, ids crosswalk makes the table for it.

` + exitStatuses,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			_, m, err := f.open(cmd)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, m.Close()) }()
			domains := m.Stat().Domains
			if f.json {
				return printJSON(cmd.OutOrStdout(), domains)
			}
			t := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, d := range domains {
				fmt.Fprintf(t, "%s\t%d people\n", d.Name, d.People)
			}
			return t.Flush()
		},
	}
	f.add(cmd)
	return cmd
}

func newIDsAuditCommand() *cobra.Command {
	var f idsFlags
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Show who used the id map for what, and whether the record is whole",
		Long: `audit prints the audit file: each time the id map was opened, looked into,
exported, changed. Each entry is chained to the one before by a keyed digest;
audit says where the chain does not hold, and then ends with status 1.

` + exitStatuses,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			_, m, err := f.open(cmd)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, m.Close()) }()
			report, err := m.ReadAudit()
			if err != nil {
				return err
			}
			if f.json {
				err = printJSON(cmd.OutOrStdout(), report)
			} else {
				err = printAudit(cmd.OutOrStdout(), report)
			}
			if err != nil {
				return err
			}
			return auditFault(report)
		},
	}
	f.add(cmd)
	return cmd
}

func printAudit(w io.Writer, report idmap.AuditReport) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range report.Entries {
		var kinds []string
		for kind, n := range e.Kinds {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, kind))
		}
		slices.Sort(kinds)
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\n", e.Time.Format(time.DateTime), e.By, e.Purpose, e.Action,
			e.Domain, e.Count, strings.Join(kinds, ", "), e.Reason)
	}
	return t.Flush()
}

// auditFault says that the record was tampered with.
func auditFault(report idmap.AuditReport) error {
	if len(report.Broken) == 0 && !report.Cut {
		return nil
	}
	return fault.New(fault.Failure, "the audit file is not whole: %d lines do not follow from the line before", len(report.Broken)).
		WithHint("a power failure can cut one line; anything else is somebody's doing: compare with a backup")
}
