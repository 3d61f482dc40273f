package main

import (
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"

	"anonymooc/internal/source"
	"anonymooc/release"
	"anonymooc/tables"
	"anonymooc/tables/jsonedit"
)

// rung is one step of the ladder: everything below it, and something more.
type rung struct {
	name string
	cost cost
}

// climb measures the steps between reading and the full rules.
func (b *bench) climb(s *release.Source, data []byte, f *figures) error {
	steps := []struct {
		name string
		work func() error
	}{{"copying", func() error { _, err := io.Copy(io.Discard, &copying{data: data}); return err }}}
	if s.Table.Shape == "json" {
		steps = append(steps, struct {
			name string
			work func() error
		}{"tokens, checked, paths followed", func() error { return follow(s.Table, data) }})
	} else {
		steps = append(steps, struct {
			name string
			work func() error
		}{"splitting, all kept", b.with(s, data, func(c *tables.Column) { *c = tables.Column{Column: c.Column, Action: "keep"} }, "", true)})
	}
	steps = append(steps, struct {
		name string
		work func() error
	}{"rules, a constant for each look-up", b.with(s, data, constants, "blank", true)})
	if s.Table.Shape == "json" && (s.Table.Otherwise == "" || s.Table.Otherwise == "scrub") {
		steps = append(steps, struct {
			name string
			work func() error
		}{"all rules, what none names is blanked", b.with(s, data, nil, "blank", false)})
	}
	for _, step := range steps {
		c, err := b.repeat(step.work)
		if err != nil {
			return err
		}
		f.ladder = append(f.ladder, rung{step.name, c})
	}
	f.ladder = append(f.ladder, rung{"all rules", f.one})
	return nil
}

// lookups are the actions that ask the id map or take a value apart.
var lookups = []string{"pseudonym", "key", "geolocate", "scrub", "url"}

// constants puts an action without a look-up in the place of those with one.
func constants(c *tables.Column) {
	if slices.Contains(lookups, c.Action) {
		*c = tables.Column{Column: c.Column, Action: "constant", Value: "1000000000"}
	}
	if c.Otherwise == "scrub" || c.Action == "json" {
		c.Otherwise = "blank"
	}
	c.Fields = slices.Clone(c.Fields)
	for i := range c.Fields {
		constants(&c.Fields[i])
	}
}

// with returns a transform of the file by changed rules.
func (b *bench) with(s *release.Source, data []byte, change func(*tables.Column), otherwise string, nobody bool) func() error {
	t := *s.Table
	t.Columns = slices.Clone(t.Columns)
	for i := range t.Columns {
		if change != nil {
			change(&t.Columns[i])
		}
	}
	if otherwise != "" {
		t.Otherwise = otherwise
	}
	if nobody {
		t.Person = nil
	}
	var header []string
	if format := s.Plan.Tabular(); format != nil {
		header, _, _ = format.Header(data)
	}
	plan, _, err := tables.Bind(&t, s.Name, s.Plan.Format, header, true)
	return func() error {
		if err != nil {
			return err
		}
		return b.transform(plan, data, 1, nil)
	}
}

// copying gives its bytes out in pieces and keeps a copy of them, as a reader of
// blocks does.
type copying struct {
	data  []byte
	block [1 << 20]byte
}

func (c *copying) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := copy(c.block[:], c.data)
	c.data = c.data[n:]
	return copy(p, c.block[:n]), nil
}

// follow checks every record and follows the paths of a table, embedded texts
// too, without asking anything of what is found.
func follow(t *tables.Table, data []byte) error {
	var bindings []jsonedit.Binding
	for i := range t.Columns {
		bindings = append(bindings, jsonedit.Binding{Path: t.Columns[i].Column, Rule: jsonedit.Rule(i)})
	}
	paths, err := jsonedit.Compile(bindings, jsonedit.None)
	if err != nil {
		return err
	}
	paths.EmbeddedEverywhere = true
	editor := jsonedit.NewEditor(paths, keepAll{})
	var out []byte
	for line := range bytes.Lines(data) {
		if i := bytes.IndexByte(line, '{'); i >= 0 {
			if edited, err := editor.Edit(out[:0], line[i:]); err == nil {
				out = edited
			}
		}
	}
	return nil
}

type keepAll struct{}

func (keepAll) Value(dst []byte, _ jsonedit.Rule, _ jsonedit.Scalar) ([]byte, []byte, jsonedit.Outcome, error) {
	return dst, nil, jsonedit.Keep, nil
}
func (keepAll) Key(dst []byte, _ string, _ bool) ([]byte, bool) { return dst, false }
func (keepAll) KeyedByPeople(*jsonedit.Path) bool               { return false }

func (b *bench) transform(p *tables.Plan, data []byte, jobs int, compress func(dst, src []byte) []byte) error {
	_, err := b.session.Transform(context.Background(), p, bytes.NewReader(data), io.Discard,
		tables.Stream{Jobs: jobs, Limits: tables.DefaultLimits(), Aside: io.Discard, Compress: compress})
	return err
}

// packed measures a packed log: unpacking alone, unpacked and treated on all
// cores, and the same with the output packed again as a run packs it.
func (b *bench) packed(s *release.Source, data []byte, f *figures) error {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	unpack := func(use func(io.Reader) error) func() error {
		return func() error {
			r, err := gzip.NewReader(bytes.NewReader(packed.Bytes()))
			if err != nil {
				return err
			}
			return use(r)
		}
	}
	treat := func(compress func(dst, src []byte) []byte) func(io.Reader) error {
		return func(r io.Reader) error {
			_, err := b.session.Transform(context.Background(), s.Plan, r, io.Discard,
				tables.Stream{Jobs: 2, Limits: tables.DefaultLimits(), Aside: io.Discard, Compress: compress})
			return err
		}
	}
	var err error
	if f.unpack, err = b.repeat(unpack(func(r io.Reader) error { _, err := io.Copy(io.Discard, r); return err })); err != nil {
		return err
	}
	if f.packed, err = b.repeat(unpack(treat(nil))); err != nil {
		return err
	}
	f.repacked, err = b.repeat(unpack(treat(release.Compressor(source.Gzip))))
	return err
}
