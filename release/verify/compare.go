package verify

import (
	"bytes"
	"hash/maphash"
	"iter"
	"path/filepath"
	"strings"

	"anonymooc/release/records"
)

// comparison is one file of the release beside the file of the export that it
// was made of.
type comparison struct {
	v       *verifier
	file    string
	release *schema
	source  *schema
	kept    map[string]bool // columns whose action is keep
	from    []int           // for each column of the release, the export's; -1 for none
	told    map[string]bool // problems, once a column
	aligned bool            // no row was dropped: row n is row n
	line    int64
	values  map[string]*bijection
}

// bijection checks that equal values became equal surrogates, and different
// values different ones.
type bijection struct {
	forth, back map[uint64]uint64
}

// add reports false when the pair contradicts an earlier one.
func (b *bijection) add(from, to []byte, injective bool) bool {
	x, y := maphash.Bytes(joinSeed, from), maphash.Bytes(joinSeed, to)
	if have, ok := b.forth[x]; ok && have != y {
		return false
	}
	b.forth[x] = y
	if have, ok := b.back[y]; ok && have != x && injective {
		return false
	}
	b.back[y] = x
	return true
}

func (c *comparison) problem(column, what string) {
	if key := column + "\x00" + what; !c.told[key] {
		c.told[key] = true
		c.v.report.Problems = append(c.v.report.Problems, Problem{File: c.file, Line: c.line, Column: column, What: what})
	}
}

// same checks a value and its surrogate against those met before. The space says
// which values share surrogates: persons' numbers do in all files.
func (c *comparison) same(space, column string, from, to []byte, injective bool) {
	b := c.values[space]
	if b == nil {
		b = &bijection{map[uint64]uint64{}, map[uint64]uint64{}}
		c.values[space] = b
	}
	if bytes.Equal(from, to) {
		c.problem(column, "was to be replaced, and is what it was")
	}
	if !b.add(from, to, injective) {
		c.problem(column, "equal values did not stay equal, or different ones became equal")
	}
}

// compare reads a file of the release and the export's in step.
func (v *verifier) compare(e exportFile, values map[string]*bijection) error {
	if given := v.manifest.input(e.path, e.schema.file); given != nil && given.SHA256 != "" {
		if sum, _, err := hashOf(e.name); err != nil || sum != given.SHA256 {
			v.problem(e.schema.file, "was made of another file than the export's: its SHA-256 differs")
			return nil
		}
	}
	name := filepath.Join(v.request.Release, filepath.FromSlash(e.schema.file))
	head, err := records.Beginning(name)
	if err != nil {
		return nil // told by manifestFiles
	}
	released := newSchema(e.schema.file, records.FormatOf(e.schema.file, head), v.manifest)
	if released.format != e.schema.format {
		v.limit(e.schema.file + ": is of another format than the export's file, so kept values were not compared")
		return nil
	}
	c := &comparison{v: v, file: e.schema.file, release: released, source: e.schema, told: map[string]bool{}, values: values, kept: map[string]bool{}}
	c.aligned = released.output.RowsIn == released.output.RowsOut
	if released.format == records.CSV || released.format == records.TSV {
		released.header(records.Header(head, released.format))
		c.columns()
	} else if released.format != records.Lines || !c.aligned {
		v.limit(e.schema.file + ": rows were dropped or are no records, so kept values were not compared")
		return nil
	}
	next, stop := iter.Pull2(c.releaseRecords(name))
	defer stop()
	var source, out records.Fields
	line, record, more := next()
	err = records.Walk(e.name, e.schema.format, func(_ int64, before []byte) bool {
		if !more {
			return c.aligned // what is left in the export was dropped
		}
		c.line = line
		if released.format == records.Lines {
			c.lines(before, record)
		} else {
			source.Read(before, e.schema.format)
			out.Read(record, released.format)
			if !c.row(&source, &out) {
				return true // dropped: the next row of the export may be this one
			}
		}
		line, record, more = next()
		return true
	})
	if err != nil {
		return unreadable(e.path)
	}
	if more {
		c.problem("", "holds a row that the export does not, or not in this order")
	}
	return nil
}

func (c *comparison) releaseRecords(name string) iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		err := records.Walk(name, c.release.format, func(line int64, record []byte) bool { return yield(line, record) })
		if err != nil {
			c.problem("", "cannot be read to its end")
		}
	}
}

// columns fits the columns of the release to those of the export.
func (c *comparison) columns() {
	at := map[string]int{}
	for i, column := range c.source.columns {
		at[column.name] = i
	}
	for _, column := range c.release.columns {
		i, ok := at[column.name]
		if !ok {
			i = -1
		}
		c.from = append(c.from, i)
		c.kept[column.name] = c.release.action([]string{column.name}) == "keep"
	}
}

// row compares two records; false when rows were dropped and this one of the
// export is not that of the release.
func (c *comparison) row(source, out *records.Fields) bool {
	for pass := range 2 {
		for i, raw := range out.Raw {
			if i >= len(c.from) || c.from[i] < 0 || c.from[i] >= len(source.Raw) {
				continue
			}
			column := c.release.columns[i].name
			before := source.Raw[c.from[i]]
			switch {
			case c.kept[column] && !bytes.Equal(raw, before):
				if !c.aligned {
					return false
				}
				c.problem(column, "was to be kept, and is not what it was")
			case pass == 0 || c.kept[column]:
			default:
				c.pseudonymised(column, c.release.columns[i].place, source.Values[c.from[i]], out.Values[i], records.IsNull(before), records.IsNull(raw))
			}
		}
	}
	return true
}

// pseudonymised checks one value of a column that was not kept.
func (c *comparison) pseudonymised(column string, p place, before, after []byte, wasNull, isNull bool) {
	if wasNull != isNull && wasNull {
		c.problem(column, "was empty or NULL, and has got a value")
	}
	if wasNull || isNull || !c.aligned || masked(after) {
		return
	}
	switch p {
	case numberPlace:
		c.same("person", column, bytes.TrimLeft(bytes.TrimSuffix(before, []byte(".0")), "0"), bytes.TrimSuffix(after, []byte(".0")), true)
	case namePlace:
		c.same("username", column, canonicalName(before), after, false)
	case addressPlace:
		if string(after) != "240.0.0.0" {
			c.same("address", column, before, after, false)
		}
	default:
		if action := c.release.action([]string{column}); family(action) == "key" {
			c.same(action, column, before, after, true)
		}
	}
}

// lines compares two JSON objects value by value.
func (c *comparison) lines(before, after []byte) {
	var old, now leafReader
	start, from := bytes.IndexByte(before, '{'), bytes.IndexByte(after, '{')
	if start < 0 || from < 0 {
		return
	}
	oldLeaves, whole := old.read(bytes.TrimSpace(before[start:]))
	nowLeaves, stillWhole := now.read(bytes.TrimSpace(after[from:]))
	if whole && !stillWhole {
		c.problem("", "was JSON, and is none any more")
		return
	}
	was := make(map[string]*leaf, len(oldLeaves))
	for i := range oldLeaves {
		if was[oldLeaves[i].key] == nil {
			was[oldLeaves[i].key] = &oldLeaves[i]
		}
	}
	seen := make(map[string]bool, len(nowLeaves))
	for i := range nowLeaves {
		l := &nowLeaves[i]
		if o := was[l.key]; o != nil && !seen[l.key] {
			seen[l.key] = true
			c.leaf(o, l)
		}
	}
}

// leaf compares one value of a JSON object with what became of it.
func (c *comparison) leaf(before, after *leaf) {
	shown := showPath(c.release, after.path)
	if before.kind != after.kind && after.kind != leafNull && (after.kind != leafString || len(after.text) > 0) {
		c.problem(shown, "has changed its type")
		return
	}
	action := c.release.action(after.path)
	if action == "keep" {
		if !bytes.Equal(before.raw, after.raw) {
			c.problem(shown, "was to be kept, and is not what it was")
		}
		return
	}
	if contentID(before) && !bytes.Equal(before.text, after.text) {
		c.problem(shown, "is the id of a part of a course, and is not what it was")
	}
	if action == "" || before.kind == leafNull || len(before.text) == 0 || len(after.path) == 0 || after.kind == leafNull || len(after.text) == 0 || masked(after.text) {
		return
	}
	last := after.path[len(after.path)-1]
	switch p := placeOf([]byte(last)); {
	case p == numberPlace && allDigits(before.text):
		c.same("person", shown, bytes.TrimLeft(before.text, "0"), after.text, true)
	case p == namePlace && bytes.IndexByte(before.text, '@') < 0:
		c.same("username", shown, canonicalName(before.text), after.text, false)
	case p == addressPlace && string(after.text) != "240.0.0.0":
		c.same("address", shown, before.text, after.text, false)
	case family(action) == "key":
		c.same(action, shown, before.text, after.text, true)
	}
}

// contentID reports whether a value is the id of a course or a part of it, which
// no action may change: it begins as one, or is 32 hexadecimal digits called id.
func contentID(l *leaf) bool {
	if l.kind != leafString || len(l.path) == 0 {
		return false
	}
	for _, mark := range contentMarks {
		if bytes.HasPrefix(l.text, mark) {
			return !bytes.ContainsAny(l.text, "=&") // the names of a form's inputs begin so, too
		}
	}
	return len(l.text) == 32 && l.path[len(l.path)-1] == "id" && shapeOf(l.text) == Token
}

// family is the name of an action without its settings: key of key(session).
func family(action string) string {
	name, _, _ := strings.Cut(action, "(")
	return name
}

// showPath writes a path with the keys that are safe to show.
func showPath(s *schema, path []string) string {
	c := checker{schema: s}
	for _, key := range path {
		c.path = append(c.path, step{key: []byte(key)})
	}
	return c.where()
}
