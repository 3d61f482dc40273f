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
// was made of. It belongs to one worker; what it shares is only read, or locked.
type comparison struct {
	file    string
	release *schema
	source  *schema
	table   []comparedColumn
	single  map[string]int64 // kept columns with as many cells of single people
	aligned bool             // no row was dropped: row n is row n
	line    int64
	shared  *compared
	fields  [2]records.Fields
	leaves  [2]leafReader    // of one tree
	pairs   []surrogate      // that were met since the last call of settle
	recent  []uint64         // hashes of pairs that were handed over
	others  map[string]int64 // by column of single, cells that are not what they were
}

// comparedColumn is a column of the release that the export has, too.
type comparedColumn struct {
	at, from int // its places in the release and in the export
	way      *way
	kept     bool
	single   bool
}

// compared is what the workers of all files share.
type compared struct {
	sync.Mutex
	values map[string]*bijection
	told   map[[3]string]*Problem // by file, column and what: the first line
}

// surrogate is a value and what became of it, as hashes. The space says which
// values share surrogates: persons' numbers do in all files.
type surrogate struct {
	space     string
	injective bool
	way       *way
	line      int64
	from, to  uint64
}

// recentPairs is how many pairs, or identifiers, a worker remembers, a power of
// two: the same people come again and again.
const recentPairs = 1 << 15

// bijection checks that equal values became equal surrogates, and different
// values different ones.
type bijection struct {
	forth, back map[uint64]uint64
}

// add takes in the hashes of a value and of what it became; it reports false when
// the pair contradicts an earlier one.
func (b *bijection) add(x, y uint64, injective bool) bool {
	switch have, ok := b.forth[x]; {
	case ok && have != y:
		return false
	case !ok:
		b.forth[x] = y
	}
	if !injective {
		return true
	}
	have, ok := b.back[y]
	if !ok {
		b.back[y] = x
	}
	return !ok || have == x
}

func (c *comparison) problem(line int64, column, what string) {
	c.shared.Lock()
	defer c.shared.Unlock()
	key := [3]string{c.file, column, what}
	if told := c.shared.told[key]; told == nil {
		c.shared.told[key] = &Problem{File: c.file, Line: line, Column: column, What: what}
	} else {
		told.Line = min(told.Line, line)
	}
}

// wrong tells of a path or column on the line that is being read.
func (c *comparison) wrong(w *way, what string) {
	if w.shown == "" {
		w.shown = showPath(c.release, w.keys)
	}
	c.problem(c.line, w.shown, what)
}

// same notes a value and its surrogate, to be held against those of other lines.
func (c *comparison) same(space string, w *way, from, to []byte, injective bool) {
	if bytes.Equal(from, to) {
		c.wrong(w, "was to be replaced, and is what it was")
	}
	x, y := maphash.Bytes(joinSeed, from), maphash.Bytes(joinSeed, to)
	pair := finish(finish(x^w.number)+y) + uint64(len(space))
	slot := &c.recent[pair%recentPairs]
	if *slot == pair {
		return
	}
	*slot = pair
	c.pairs = append(c.pairs, surrogate{space, injective, w, c.line, x, y})
}

// settle holds pairs against those met before. It is called in the order of the
// lines, so that what is told does not depend on who was first.
func (c *comparison) settle(pairs []surrogate) {
	for i := range pairs {
		p := &pairs[i]
		b := c.shared.values[p.space]
		if b == nil {
			b = &bijection{map[uint64]uint64{}, map[uint64]uint64{}}
			c.shared.values[p.space] = b
		}
		if !b.add(p.from, p.to, p.injective) {
			c.problem(p.line, showPath(c.release, p.way.keys), "equal values did not stay equal, or different ones became equal")
		}
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
	tree := newTree(released, nil)
	return &comparison{
		file: file, release: released, source: source, shared: shared, single: map[string]int64{}, others: map[string]int64{},
		aligned: released.output.RowsIn == released.output.RowsOut,
		leaves:  [2]leafReader{{tree: tree}, {tree: tree}}, recent: make([]uint64, recentPairs),
	}
}

func (c *comparison) releaseRecords(name string) iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		err := records.Walk(name, c.release.format, func(line int64, record []byte) bool { return yield(line, record) })
		if err != nil {
			c.problem(0, "", "cannot be read to its end")
		}
	}
}

// columns fits the columns of the release to those of the export.
func (c *comparison) columns() {
	from := map[string]int{}
	for i, column := range c.source.columns {
		from[column.name] = i
	}
	for i, column := range c.release.columns {
		w := c.leaves[0].tree.way([]string{column.name})
		w.place, w.shown = column.place, column.name
		compared := comparedColumn{at: i, way: w, kept: w.action == "keep"}
		if n := c.release.singles(column.name); n > 0 && compared.kept {
			c.single[column.name], compared.kept, compared.single = n, false, true
		}
		var ok bool
		if compared.from, ok = from[column.name]; ok {
			c.table = append(c.table, compared)
		}
	}
}

// row compares two records; false when rows were dropped and this one of the
// export is not that of the release.
func (c *comparison) row(source, out *records.Fields) bool {
	if !c.aligned {
		for i := range c.table {
			if before, now, ok := c.table[i].cells(source.Raw, out.Raw); ok && c.table[i].kept && !bytes.Equal(before, now) {
				return false
			}
		}
	}
	for i := range c.table {
		column := &c.table[i]
		before, now, ok := column.cells(source.Raw, out.Raw)
		switch {
		case !ok:
		case column.kept:
			if !bytes.Equal(before, now) {
				c.wrong(column.way, "was to be kept, and is not what it was")
			}
		case column.single:
			if !bytes.Equal(before, now) {
				c.others[column.way.keys[0]]++
			}
		default:
			c.pseudonymised(column, source, out)
		}
	}
	return true
}

// cells gives the column's cells in two records; false when one has none.
func (column *comparedColumn) cells(before, now [][]byte) (was, is []byte, ok bool) {
	if column.from >= len(before) || column.at >= len(now) {
		return nil, nil, false
	}
	return before[column.from], now[column.at], true
}

// singleCells holds what was found against the cells of single people that the
// manifest counts.
func (c *comparison) singleCells() {
	for column, n := range c.single {
		if c.others[column] > n {
			c.problem(0, column, fmt.Sprintf("was to be kept but for %d cells, and %d are not what they were", n, c.others[column]))
		}
	}
}

// pseudonymised checks one cell of a column that was not kept.
func (c *comparison) pseudonymised(column *comparedColumn, source, out *records.Fields) {
	wasNull, isNull := records.IsNull(source.Raw[column.from]), records.IsNull(out.Raw[column.at])
	if !isNull && wasNull {
		c.wrong(column.way, "was empty or NULL, and has got a value")
	}
	before, after := source.Values[column.from], out.Values[column.at]
	if wasNull || isNull || !c.aligned || masked(after) {
		return
	}
	w := column.way
	switch w.place {
	case numberPlace:
		c.same("person", w, bytes.TrimLeft(bytes.TrimSuffix(before, []byte(".0")), "0"), bytes.TrimSuffix(after, []byte(".0")), true)
	case namePlace:
		c.same("username", w, canonicalName(before), after, false)
	case addressPlace:
		if string(after) != "240.0.0.0" {
			c.same("address", w, before, after, false)
		}
	default:
		if w.key {
			c.same(w.action, w, before, after, true)
		}
	}
}

// lines compares two JSON objects value by value.
func (c *comparison) lines(before, after []byte) {
	start, from := bytes.IndexByte(before, '{'), bytes.IndexByte(after, '{')
	if start < 0 || from < 0 {
		return
	}
	tree := c.leaves[0].tree
	tree.begin()
	was, whole := c.leaves[0].read(bytes.TrimSpace(before[start:]))
	now, stillWhole := c.leaves[1].read(bytes.TrimSpace(after[from:]))
	if whole && !stillWhole {
		c.problem(c.line, "", "was JSON, and is none any more")
		return
	}
	for i := range was {
		if s := was[i].spot; s.text != tree.texts { // the first of equal keys
			s.text, s.leaf = tree.texts, int32(i)
		}
	}
	for i := range now {
		if s := now[i].spot; s.text == tree.texts {
			s.text = 0
			c.leaf(&was[s.leaf], &now[i])
		}
	}
}

// leaf compares one value of a JSON object with what became of it.
func (c *comparison) leaf(before, after *leaf) {
	w := after.spot.way
	if before.kind != after.kind && after.kind != leafNull && (after.kind != leafString || len(after.raw) > 0) {
		c.wrong(w, "has changed its type")
		return
	}
	same := bytes.Equal(before.raw, after.raw)
	if w.action == "keep" {
		if !same {
			c.wrong(w, "was to be kept, and is not what it was")
		}
		return
	}
	if !same && before.kind == leafString {
		if text := c.leaves[0].text(before); contentID(w, text) && !bytes.Equal(text, c.leaves[1].text(after)) {
			c.wrong(w, "is the id of a part of a course, and is not what it was")
		}
	}
	if !w.replaced || before.kind == leafNull || len(before.raw) == 0 || after.kind == leafNull || len(after.raw) == 0 {
		return
	}
	from, to := c.leaves[0].text(before), c.leaves[1].text(after)
	switch p := w.place; {
	case masked(to):
	case p == numberPlace && allDigits(from):
		c.same("person", w, bytes.TrimLeft(from, "0"), to, true)
	case p == namePlace && bytes.IndexByte(from, '@') < 0:
		c.same("username", w, canonicalName(from), to, false)
	case p == addressPlace && string(to) != "240.0.0.0":
		c.same("address", w, from, to, false)
	case w.key:
		c.same(w.action, w, from, to, true)
	}
}

// contentID reports whether a string is the id of a course or a part of it, which
// no action may change: it begins as one, or is 32 hexadecimal digits called id.
func contentID(w *way, text []byte) bool {
	if len(w.keys) == 0 {
		return false
	}
	for _, mark := range contentMarks {
		if bytes.HasPrefix(text, mark) {
			return !bytes.ContainsAny(text, "=&") // the names of a form's inputs begin so, too
		}
	}
	return len(text) == 32 && w.keys[len(w.keys)-1] == "id" && shapeOf(text) == Token
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
