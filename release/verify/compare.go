package verify

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"path/filepath"
	"strings"
	"sync"

	"anonymooc/release/records"
)

// comparison is one file of the release beside the file of the export that it
// was made of.
type comparison struct {
	file    string
	release *schema
	source  *schema
	kept    map[string]bool  // columns whose action is keep
	single  map[string]int64 // of them, columns with as many cells of single people
	from    []int            // for each column of the release, the export's; -1 for none
	aligned bool             // no row was dropped: row n is row n
	line    int64
	shared  *compared
	fields  [2]records.Fields
	leaves  [2]leafReader
	met     map[string]map[uint64]uint64 // pairs of values that shared knows, by space
	others  map[string]int64             // by column of single, cells that are not what they were
}

// compared is what the workers of all files share.
type compared struct {
	sync.Mutex
	values map[string]*bijection
	told   map[[3]string]*Problem // by file, column and what: the first line
}

// bijection checks that equal values became equal surrogates, and different
// values different ones.
type bijection struct {
	forth, back map[uint64]uint64
}

// add takes in the hashes of a value and of what it became; it reports false when
// the pair contradicts an earlier one.
func (b *bijection) add(x, y uint64, injective bool) bool {
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
	c.shared.Lock()
	defer c.shared.Unlock()
	key := [3]string{c.file, column, what}
	if told := c.shared.told[key]; told == nil {
		c.shared.told[key] = &Problem{File: c.file, Line: c.line, Column: column, What: what}
	} else {
		told.Line = min(told.Line, c.line)
	}
}

// same checks a value and its surrogate against those met before. The space says
// which values share surrogates: persons' numbers do in all files.
func (c *comparison) same(space, column string, from, to []byte, injective bool) {
	if bytes.Equal(from, to) {
		c.problem(column, "was to be replaced, and is what it was")
	}
	met := c.met[space]
	if met == nil {
		met = map[uint64]uint64{}
		c.met[space] = met
	}
	x, y := maphash.Bytes(joinSeed, from), maphash.Bytes(joinSeed, to)
	if have, ok := met[x]; ok && have == y {
		return
	}
	met[x] = y
	c.shared.Lock()
	b := c.shared.values[space]
	if b == nil {
		b = &bijection{map[uint64]uint64{}, map[uint64]uint64{}}
		c.shared.values[space] = b
	}
	fits := b.add(x, y, injective)
	c.shared.Unlock()
	if !fits {
		c.problem(column, "equal values did not stay equal, or different ones became equal")
	}
}

// compare reads a file of the release and the export's in step.
func (v *verifier) compare(ctx context.Context, e exportFile, shared *compared) error {
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
	c := newComparison(e.schema.file, released, e.schema, shared)
	if released.format == records.CSV || released.format == records.TSV {
		released.header(records.Header(head, released.format))
		c.columns()
	} else if released.format != records.Lines || !c.aligned {
		v.limit(e.schema.file + ": rows were dropped or are no records, so kept values were not compared")
		return nil
	}
	if c.aligned {
		err = c.inParallel(ctx, e.name, name, v.request.Jobs)
	} else {
		err = c.inStep(e.name, name)
	}
	if err != nil && ctx.Err() == nil {
		return unreadable(e.path)
	}
	c.singleCells()
	return ctx.Err()
}

func newComparison(file string, released, source *schema, shared *compared) *comparison {
	return &comparison{
		file: file, release: released, source: source, shared: shared, kept: map[string]bool{}, single: map[string]int64{},
		aligned: released.output.RowsIn == released.output.RowsOut, met: map[string]map[uint64]uint64{}, others: map[string]int64{},
	}
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
		if n := c.release.singles(column.name); n > 0 && c.kept[column.name] {
			c.single[column.name], c.kept[column.name] = n, false
		}
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
			case c.single[column] > 0:
				if !bytes.Equal(raw, before) {
					c.others[column]++
				}
			default:
				c.pseudonymised(column, c.release.columns[i].place, source.Values[c.from[i]], out.Values[i], records.IsNull(before), records.IsNull(raw))
			}
		}
	}
	return true
}

// singleCells holds what was found against the cells of single people that the
// manifest counts.
func (c *comparison) singleCells() {
	c.line = 0
	for column, n := range c.single {
		if c.others[column] > n {
			c.problem(column, fmt.Sprintf("was to be kept but for %d cells, and %d are not what they were", n, c.others[column]))
		}
	}
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
	start, from := bytes.IndexByte(before, '{'), bytes.IndexByte(after, '{')
	if start < 0 || from < 0 {
		return
	}
	oldLeaves, whole := c.leaves[0].read(bytes.TrimSpace(before[start:]))
	nowLeaves, stillWhole := c.leaves[1].read(bytes.TrimSpace(after[from:]))
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
