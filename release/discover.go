package release

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
	"anonymooc/release/intake"
	"anonymooc/tables"
)

// Source is one file of an export, recognised and bound to the rules of its
// table.
type Source struct {
	source.File
	Codec source.Codec
	Table *tables.Table
	Plan  *tables.Plan // nil when the file stays out of the release
}

// Discovery is what was found in the exports.
type Discovery struct {
	Sources  []Source
	Unbound  []tables.Unbound // columns and JSON paths that no rule names
	Unknown  []string         // files that no rule names
	Warnings []string
}

// Discover recognises the files of an export by name and header and binds their
// columns. Everything that is wrong is reported at once. With drop, what no rule
// names is left out instead of being an error.
func Discover(ctx context.Context, export *intake.Export, rules *tables.RuleSet, drop bool, limits tables.Limits) (*Discovery, error) {
	d := &Discovery{}
	found := make(map[string]*Discovery, len(export.Files))
	failed := map[string]error{}
	for _, file := range export.Files { // in the order in which reading is cheapest
		one := &Discovery{}
		found[file.Name], failed[file.Name] = one, one.recognise(ctx, Source{File: file, Codec: source.CodecOf(file.Name)}, rules, drop, limits)
		d.Sources = append(d.Sources, one.Sources...)
	}
	var faults fault.List
	for _, name := range slices.SortedFunc(maps.Keys(found), byFolder) { // however they were packed
		one := found[name]
		d.Unbound, d.Unknown, d.Warnings = append(d.Unbound, one.Unbound...), append(d.Unknown, one.Unknown...), append(d.Warnings, one.Warnings...)
		if err := failed[name]; err != nil {
			if ended := ctx.Err(); ended != nil {
				return nil, ended
			}
			faults = appendFault(faults, err)
		}
	}
	faults = together(faults)
	if len(faults) == 0 && len(d.Sources) == 0 {
		return nil, fault.New(fault.Unbound, "no file of the export is one that the rules name").At(export.Paths[0], 0, "").
			WithHint("the files of rule set %q are called like %s", rules.Name, strings.Join(examples(rules), ", "))
	}
	if !drop {
		faults = append(faults, d.unnamed()...)
	}
	var plans []*tables.Plan
	for _, s := range d.Sources {
		plans = append(plans, s.Plan)
	}
	if err := rules.Idle(plans); err != nil {
		faults = appendFault(faults, err)
	}
	return d, faults.Err()
}

// byFolder orders names as walking a folder does, which lists what it holds by
// name.
func byFolder(a, b string) int {
	return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
}

// together tells once what is wrong with the use of the program, a missing key for
// instance, however many files it is wrong for.
func together(faults fault.List) fault.List {
	var told fault.List
	same := map[string]int{}
	for _, f := range faults {
		if f.Code == fault.Usage {
			if same[f.What]++; same[f.What] > 1 {
				continue
			}
		}
		told = append(told, f)
	}
	for _, f := range told {
		if n := same[f.What]; f.Code == fault.Usage && n > 1 {
			f.What += fmt.Sprintf(", and so with %d more", n-1)
		}
	}
	return told
}

func appendFault(faults fault.List, err error) fault.List {
	var list fault.List
	if errors.As(err, &list) {
		return append(faults, list...)
	}
	var f *fault.Fault
	if !errors.As(err, &f) {
		f = fault.New(fault.Failure, "the file cannot be read").Because(err)
	}
	return append(faults, f)
}

func examples(rules *tables.RuleSet) []string {
	var names []string
	for _, t := range rules.Tables {
		if len(t.Files) > 0 {
			names = append(names, t.Files[0])
		}
	}
	return names
}

// unnamed turns what no rule names into faults, rules to paste included.
func (d *Discovery) unnamed() fault.List {
	var faults fault.List
	for _, file := range d.Unknown {
		faults = append(faults, fault.New(fault.Unbound, "no rule names this file").At(file, 0, "").
			WithHint("add to the overrides of project.yaml: - {name: %s, files: [%q], drop: true}, or pass --unknown drop", tableName(file), path.Base(file)))
	}
	for _, u := range d.Unbound {
		faults = append(faults, fault.New(fault.Unbound, "no rule of table %q names this column", u.Table).At(u.File, 0, u.Column).
			WithHint("add to the overrides of project.yaml, with the action you decide on: %s", u.Paste()))
	}
	return faults
}

// tableName makes a table's name of a file's.
func tableName(file string) string {
	base, _, _ := strings.Cut(path.Base(file), ".")
	return base
}

// recognise finds the table of a file and binds its columns.
func (d *Discovery) recognise(ctx context.Context, s Source, rules *tables.RuleSet, drop bool, limits tables.Limits) error {
	base := strings.TrimSuffix(path.Base(s.Name), s.Codec.Suffix())
	for i := range rules.Tables {
		if slices.ContainsFunc(rules.Tables[i].Files, func(pattern string) bool {
			match, err := path.Match(pattern, base)
			return err == nil && match
		}) {
			s.Table = &rules.Tables[i]
			break
		}
	}
	if s.Table == nil {
		d.Unknown = append(d.Unknown, s.Name)
		return nil
	}
	if s.Table.Drop {
		d.Warnings = append(d.Warnings, fmt.Sprintf("%s: left out, as its rule says", s.Name))
		return nil
	}
	if err := d.bind(ctx, &s, drop, limits); err != nil {
		return err
	}
	d.Sources = append(d.Sources, s)
	return nil
}

// bind reads as much of the file as names its columns.
func (d *Discovery) bind(ctx context.Context, s *Source, drop bool, limits tables.Limits) error {
	in, err := s.Read(ctx)
	if err != nil {
		return err
	}
	defer in.Close()
	buffered := bufio.NewReaderSize(in, 64<<10)
	var plan *tables.Plan
	var unbound []tables.Unbound
	switch s.Table.Shape {
	case "json":
		plan, unbound, err = d.bindJSON(s, buffered, drop, limits)
	case "file":
		plan, unbound, err = tables.Bind(s.Table, s.Name, tables.Whole{}, nil, drop)
	default:
		plan, unbound, err = bindTable(s, buffered, drop, limits)
	}
	if err != nil {
		return err
	}
	d.Unbound = append(d.Unbound, unbound...)
	s.Plan = plan
	return nil
}

func bindTable(s *Source, in *bufio.Reader, drop bool, limits tables.Limits) (*tables.Plan, []tables.Unbound, error) {
	first, err := firstRecord(s, in, limits)
	if err != nil {
		return nil, nil, err
	}
	format := tables.Detect(first)
	header, _, err := format.Header(first)
	if err != nil {
		var f *fault.Fault
		if errors.As(err, &f) {
			return nil, nil, f.At(s.Name, 1, "")
		}
		return nil, nil, err
	}
	return tables.Bind(s.Table, s.Name, format, header, drop)
}

// firstRecord reads enough of a table to hold its header and to tell its
// dialect.
func firstRecord(s *Source, in *bufio.Reader, limits tables.Limits) ([]byte, error) {
	first := make([]byte, limits.Block)
	n, err := io.ReadFull(in, first)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	first = first[:n]
	if len(bytes.TrimSpace(first)) == 0 {
		return nil, fault.New(fault.Unbound, "the file is empty").At(s.Name, 0, "").
			WithHint("a table has at least a header; was the export interrupted?")
	}
	return first, nil
}

// bindJSON compiles the paths; where the table does not scrub what no rule
// names, the whole file is read for paths that none does.
func (d *Discovery) bindJSON(s *Source, in *bufio.Reader, drop bool, limits tables.Limits) (*tables.Plan, []tables.Unbound, error) {
	schema, err := tables.NewSchema(s.Table)
	if err != nil {
		return nil, nil, err
	}
	first, err := in.Peek(4 << 10)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	format := tables.DocumentsOf(strings.TrimSuffix(s.Name, s.Codec.Suffix()), first)
	table := s.Table
	var unbound []tables.Unbound
	_, empty := in.Peek(1) // a size is not known of every file
	if schema != nil {
		found, err := schema.ReadAll(s.Name, format, in, limits)
		if err != nil {
			return nil, nil, err
		}
		table = table.Dropping(found)
		for _, p := range found {
			unbound = append(unbound, tables.Unbound{Table: table.Name, File: s.Name, Column: p})
		}
		if len(unbound) > 0 && !drop {
			return nil, unbound, nil
		}
	}
	if empty == io.EOF {
		d.Warnings = append(d.Warnings, fmt.Sprintf("%s: the file is empty", s.Name))
	}
	plan, _, err := tables.Bind(table, s.Name, format, nil, drop)
	return plan, unbound, err
}
