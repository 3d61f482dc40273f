package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
	"anonymooc/tables/risk"
)

type riskFlags struct {
	request  risk.Request
	rulesOut string
	cellsOut string
	json     bool
}

func newRiskCommand() *cobra.Command {
	var f riskFlags
	cmd := &cobra.Command{
		Use:   "risk RELEASE",
		Short: "Measure how well the people of a release are hidden among each other",
		Long: `risk groups the people of a release by their quasi-identifiers (what an
acquaintance may know: gender, year of birth, country, …) and counts who is alone
or in a small group, table by table and over all tables. It also looks at the set
of courses a person took, at the hours a person was active in the logs, and at
what a group tells about sensitive columns though nobody in it can be told apart.

Roles come from the release's manifest.json; --quasi and --sensitive name columns
instead, as COLUMN or TABLE.COLUMN. An empty cell is no value: people who show
nothing are counted apart.

With --k N the command is a gate: it ends with status 6 when somebody is in a
group smaller than N. --effects tries recodings one by one and shows what they
gain and cost; --suggest searches the rules that reach k with the least loss.
What it proposes comes in two parts: rules for whole columns, to paste into the
project file, and cells of single people, which --cells-out writes (a CSV of
person, table, column, value; an empty value empties the cell). "anonymooc run"
applies both: the rules as overrides, the cells with "cells: cells.csv" among the
settings of the project file. The cells say who stands out, so the file lies in
the project folder, where nobody else may read it.

` + exitStatuses,
		Example: `  anonymooc risk release/
  anonymooc risk release/ --k 5
  anonymooc risk release/ --k 5 --suggest --rules-out overrides.yaml --cells-out anonymooc-project/cells.csv
  anonymooc risk release/ --quasi gender,year_of_birth,country --effects`,
		Args: oneFolder("one release folder"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.IntVar(&f.request.K, "k", 5, "least number of people in a group; when given, fewer end with status 6")
	flags.StringSliceVar(&f.request.Quasi, "quasi", nil, "quasi-identifiers, instead of the manifest's")
	flags.StringSliceVar(&f.request.Sensitive, "sensitive", nil, "sensitive columns, instead of the manifest's")
	flags.BoolVar(&f.request.Courses, "courses", true, "count the set of courses of a person as a quasi-identifier")
	flags.BoolVar(&f.request.Logs, "logs", true, "read the logs, for the uniqueness of traces")
	flags.BoolVar(&f.request.Effects, "effects", false, "try recodings of each column")
	flags.BoolVar(&f.request.Suggest, "suggest", false, "propose rules that reach k with the least loss")
	flags.Float64Var(&f.request.Local, "local", 0.05, "share of people whose cells may be recoded one by one by --suggest")
	flags.StringVar(&f.rulesOut, "rules-out", "", "write the proposed rules to this `file` (YAML)")
	flags.StringVar(&f.cellsOut, "cells-out", "", "write the proposed cells of single people to this `file` (CSV, 0600)")
	flags.BoolVar(&f.json, "json", false, "print the report as JSON")
	return cmd
}

func (f *riskFlags) run(cmd *cobra.Command, dir string) error {
	if err := f.check(dir); err != nil {
		return err
	}
	report, cells, err := risk.Assess(dir, f.request)
	if err != nil {
		return err
	}
	if err := f.writeFiles(report, cells); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if f.json {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		err = e.Encode(report)
	} else {
		err = printRisk(out, report, f.rulesOut == "")
		if err == nil {
			err = f.printNext(out, report)
		}
	}
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("k") && !report.Pass {
		return riskFault(dir, report)
	}
	return nil
}

// check refuses flags that make no sense before anything is read.
func (f *riskFlags) check(dir string) error {
	usage := func(format string, args ...any) *fault.Fault { return fault.New(fault.Usage, format, args...) }
	switch {
	case f.request.K < 2:
		return usage("--k is 2 or more").WithHint("everybody is in a group of 1: themselves")
	case f.request.Local < 0 || f.request.Local > 1:
		return usage("--local is a share between 0 and 1")
	case (f.rulesOut != "" || f.cellsOut != "") && !f.request.Suggest:
		return usage("--rules-out and --cells-out go with --suggest")
	}
	if f.cellsOut == "" {
		return nil
	}
	inside, err := within(dir, f.cellsOut)
	if err != nil {
		return err
	}
	if inside {
		return usage("the cells of single people do not belong into the release").At(f.cellsOut, 0, "").
			WithHint("they say who stands out: write them into the project folder")
	}
	return nil
}

func (f *riskFlags) writeFiles(report *risk.Report, cells []risk.PersonCell) error {
	write := func(path string, data []byte) error {
		if path == "" {
			return nil
		}
		if err := safefile.Write(path, data, 0o600); err != nil {
			return fault.New(fault.Failure, "the file cannot be written").At(path, 0, "").WithHint("does its folder exist, and is there space left?")
		}
		return nil
	}
	if report.Suggestion == nil {
		return nil
	}
	if err := write(f.rulesOut, []byte(report.Suggestion.YAML())); err != nil {
		return err
	}
	var table bytes.Buffer
	rows := csv.NewWriter(&table)
	rows.Write([]string{"person", "table", "column", "value"})
	for _, c := range cells {
		name, column := risk.TableOf(c.Column)
		rows.Write([]string{c.Person, name, column, c.Value})
	}
	rows.Flush()
	return write(f.cellsOut, table.Bytes())
}

// riskFault is what the gate ends with.
func riskFault(dir string, report *risk.Report) error {
	m := &report.Person
	if report.CoursesCounted && report.Courses != nil {
		m = report.Courses
	}
	return fault.New(fault.Risk, "the smallest group has %d of the %d people wanted", m.K, report.K).At(dir, 0, "").
		WithHint("\"anonymooc risk %s --k %d --suggest\" proposes rules that reach it", dir, report.K)
}

// printRisk writes the report for a person.
func printRisk(w io.Writer, r *risk.Report, withRules bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "scope\tpeople\tshow nothing\tgroups\tk\talone\tunder 5\tunder 10\tmean risk\n")
	measures := append([]risk.Measures{}, r.Tables...)
	measures = append(measures, r.Person)
	if r.Courses != nil {
		measures = append(measures, *r.Courses)
	}
	for i := range measures {
		m := &measures[i]
		five, _ := m.UnderK(5)
		ten, _ := m.UnderK(10)
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d (%s)\t%d\t%d\t%s\n",
			m.Scope, m.People, m.Blank, m.Classes, m.K, m.Uniques, percent(m.Unique), five, ten, percent(m.MeanRisk))
	}
	if len(r.Drivers) > 0 {
		fmt.Fprintf(t, "\nquasi-identifier\tvalues\tempty\talone by it\tunder %d without it\tunder %d because of it\n", r.K, r.K)
		for _, d := range r.Drivers {
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\n", d.Column, d.Values, d.Blank, d.Alone, d.Without, d.Adds)
		}
	}
	if len(r.Person.Sensitive) > 0 {
		fmt.Fprint(t, "\nsensitive column\tl (distinct)\tl (entropy)\tt\tpeople whose group has one value\n")
		for _, d := range r.Person.Sensitive {
			fmt.Fprintf(t, "%s\t%d\t%.2f\t%.2f\t%d\n", d.Column, d.Distinct, d.Entropy, d.Closeness, d.Disclosed)
		}
	}
	printTraces(t, r)
	printEffects(t, r)
	if err := t.Flush(); err != nil {
		return err
	}
	return printSuggestion(w, r, withRules)
}

func printTraces(w io.Writer, r *risk.Report) {
	if len(r.Longitudinal) > 0 {
		fmt.Fprintf(w, "\nnot in the groups, several rows a person: %s\n", strings.Join(r.Longitudinal, ", "))
	}
	if len(r.Unmeasured) > 0 {
		fmt.Fprintf(w, "\nnot in the groups, no column says whose row it is: %s\n", strings.Join(r.Unmeasured, ", "))
	}
	if len(r.Traces) == 0 {
		return
	}
	fmt.Fprint(w, "\nknown hours of activity\tpeople looked at\tunique\n")
	for _, trace := range r.Traces {
		fmt.Fprintf(w, "%d\t%d\t%s\n", trace.Points, trace.Sampled, percent(trace.Unique))
	}
}

func printEffects(w io.Writer, r *risk.Report) {
	if len(r.Effects) == 0 {
		return
	}
	fmt.Fprintf(w, "\nrecoding\tk\tunder %d\tgain\tcells changed\tloss\tentropy (bits)\tmean\tdeviation\n", r.K)
	change := func(c *risk.Change) string {
		if c == nil {
			return "–"
		}
		return fmt.Sprintf("%.6g → %.6g", c.Before, c.After)
	}
	for i := range r.Effects {
		e := &r.Effects[i]
		fmt.Fprintf(w, "%s: %s\t%d\t%d\t%d\t%d\t%.3f\t%s\t%s\t%s\n", e.Rule.Column, e.Rule.Label, e.K, e.Under, e.Gain, e.Changed, e.Loss,
			change(&e.Entropy), change(e.Mean), change(e.Deviation))
	}
}

func printSuggestion(w io.Writer, r *risk.Report, withRules bool) error {
	s := r.Suggestion
	if s == nil {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nproposal for k = %d: %d rules, cells of %d people, loss %s; k is then %d", s.K, len(s.Rules), s.Treated, percent(s.Loss), s.After.K)
	if !s.Reached {
		fmt.Fprintf(&b, " (not reached: %d people stay in smaller groups)", s.Left)
	}
	b.WriteByte('\n')
	for _, local := range s.Local {
		fmt.Fprintf(&b, "  %s: %d cells of single people made less exact, %d emptied\n", local.Column, local.Recoded, local.Emptied)
	}
	if s.ByRules > s.Left {
		fmt.Fprintf(&b, "  by the rules alone %d people stay in smaller groups; --local 0 proposes rules that need no cells of single people\n", s.ByRules)
	}
	fmt.Fprintf(&b, "method: %s\n", s.Method)
	if withRules && len(s.Rules) > 0 {
		b.WriteString("\n" + s.YAML())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// printNext tells how what was written is applied.
func (f *riskFlags) printNext(w io.Writer, r *risk.Report) error {
	var steps []string
	if r.Suggestion != nil && f.rulesOut != "" && len(r.Suggestion.Rules) > 0 {
		steps = append(steps, "the overrides of "+f.rulesOut)
	}
	if r.Suggestion != nil && f.cellsOut != "" && len(r.Suggestion.Cells) > 0 {
		steps = append(steps, "among its settings \"cells: "+filepath.Base(f.cellsOut)+"\", the file in the project folder")
	}
	if len(steps) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "to apply it: put into the project file %s; then run again\n", strings.Join(steps, ", and "))
	return err
}

func percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }
