package tables

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/tables/jsonedit"
)

// JSONLines is one JSON object a line. A logger may have put a prefix before the
// object; a line that cannot be read is set aside where the rules say so.
type JSONLines struct{}

// Name implements Format.
func (JSONLines) Name() string { return "json lines" }

// Cut ends a block at its last line end: JSON has none inside a value.
func (JSONLines) Cut(block []byte) int { return bytes.LastIndexByte(block, '\n') + 1 }

// each implements Documents.
func (JSONLines) each(block []byte, visit func([]byte, int) error) error {
	end := 0
	for line := range bytes.Lines(block) {
		end += len(line)
		if i := bytes.IndexByte(line, '{'); i >= 0 {
			if err := visit(line[i:], end); err != nil {
				return err
			}
		}
	}
	return nil
}

func (JSONLines) edit(e *jsonedit.Editor, dst, record []byte) ([]byte, error) {
	return e.Edit(dst, record)
}

// Transform implements Format.
func (f JSONLines) Transform(w *Worker, p *Plan, b *Block) error {
	editor := w.editor(p.json)
	valid := utf8.Valid(b.src)
	for pos := 0; pos < len(b.src); {
		end := len(b.src)
		if i := bytes.IndexByte(b.src[pos:], '\n'); i >= 0 {
			end = pos + i + 1
		}
		line := b.src[pos:end]
		record := bytes.TrimRight(line, "\r\n")
		if len(record) == 0 {
			b.out = append(b.out, line...)
			pos = end
			continue
		}
		b.rowsIn++
		wrong := ""
		if !valid && !utf8.Valid(record) {
			wrong = "the line is not UTF-8"
		}
		start := len(b.out)
		gone := false
		if wrong == "" {
			var err error
			wrong, gone, err = f.line(w, p, b, editor, record, pos)
			if err != nil {
				return err
			}
		}
		switch {
		case wrong != "" && !p.quarantine:
			return unreadable(b.fault(p, pos, "", "%s", wrong), record)
		case wrong != "":
			b.out = b.out[:start]
			b.set = append(append(b.set, record...), '\n')
			b.setLines = append(b.setLines, b.line+int64(bytes.Count(b.src[:pos], []byte{'\n'})))
		case gone:
			b.out = b.out[:start]
			b.forgotten++
		default:
			b.out = append(b.out, line[len(record):]...)
			b.rowsOut++
		}
		pos = end
	}
	return nil
}

// line appends one record. wrong says why it cannot be read, without its text.
func (f JSONLines) line(w *Worker, p *Plan, b *Block, editor *jsonedit.Editor, record []byte, pos int) (wrong string, gone bool, err error) {
	object := bytes.IndexByte(record, '{')
	if object < 0 {
		return "the line holds no JSON object", false, nil
	}
	if object > 0 && record[0] != '{' {
		if b.out, err = w.prefix(b.out, record[:object]); err != nil {
			return "", false, b.place(p, pos, err)
		}
	}
	if p.asksPerson(w) {
		gone, err := w.placeRecord(p.lookup, f, record[object:])
		if gone || err != nil {
			return "", gone, b.wrap(p, pos, err)
		}
	}
	w.rowGone = false
	out, err := editor.Edit(b.out, record[object:])
	w.tallies[len(w.tallies)-1].Cut += int64(editor.Cuts())
	if w.rowGone {
		w.rowGone = false
		return "", true, nil
	}
	if syntax, ok := asSyntax(err); ok {
		return "the line is " + syntax.Error(), false, nil
	}
	if err != nil {
		return "", false, b.place(p, pos, err)
	}
	b.out = out
	return "", false, nil
}

// prefix appends what a logger wrote before the object: "[user 12] [ip …]" names
// the one who is logged, the rest is scrubbed.
func (w *Worker) prefix(dst, text []byte) ([]byte, error) {
	if i := bytes.Index(text, []byte("[user ")); i >= 0 {
		start := i + len("[user ")
		end := until(text, start, ']')
		out, err := w.prefix(dst, text[:start-1])
		if err != nil {
			return dst, err
		}
		out = append(out, ' ')
		value := text[start:end]
		if len(value) > 0 && string(value) != "None" {
			if out, _, err = w.pseudonym(out, w.guessKind(value), Cell{value, jsonedit.String}); err != nil {
				return dst, err
			}
		}
		return w.prefix(out, text[end:])
	}
	out, changed, err := w.scrubWords(dst, text, false)
	if !changed {
		out = append(dst, text...)
	}
	return out, err
}

func (b *Block) wrap(p *Plan, pos int, err error) error {
	if err == nil {
		return nil
	}
	return b.place(p, pos, err)
}

func asSyntax(err error) (*jsonedit.SyntaxError, bool) {
	s, ok := err.(*jsonedit.SyntaxError)
	return s, ok
}

// recordLookup says where a JSON record tells whose it is and where its texts
// stand.
type recordLookup struct {
	paths            []string
	kinds            []idmap.Kind // of the first paths
	document, course int          // index among the paths, -1 for none
}

// newRecordLookup returns nil when the table names neither person nor place.
func newRecordLookup(t *Table) *recordLookup {
	l := &recordLookup{document: -1, course: -1}
	for _, person := range t.Person {
		kind, err := parseKind(person.Kind)
		if err != nil {
			continue // RuleSet.Check has refused it
		}
		l.paths = append(l.paths, person.Column)
		l.kinds = append(l.kinds, kind)
	}
	if t.Document != "" {
		l.document = len(l.paths)
		l.paths = append(l.paths, t.Document)
	}
	if t.Course != "" {
		l.course = len(l.paths)
		l.paths = append(l.paths, t.Course)
	}
	if len(l.paths) == 0 {
		return nil
	}
	return l
}

// placeRecord finds, before a record is treated, whose it is and where its texts
// stand. A record that cannot be read is left to the edit that follows.
func (w *Worker) placeRecord(l *recordLookup, format Documents, record []byte) (gone bool, err error) {
	x := w.lookups[l]
	if x == nil {
		if x, err = newExtractor(format, l.paths); err != nil {
			return false, err
		}
		w.lookups[l] = x
	}
	w.place.Author, w.place.Document, w.place.Course = 0, "", ""
	cells, ok := x.read(record)
	if !ok {
		return false, nil
	}
	if l.document >= 0 {
		w.place.Document = string(cells[l.document].Text)
	}
	if l.course >= 0 {
		w.place.Course = string(cells[l.course].Text)
	}
	for i, kind := range l.kinds {
		gone, found, err := w.setAuthor(kind, cells[i])
		if gone || found || err != nil {
			return gone, err
		}
	}
	return false, nil
}

// Schema collects the paths of JSON records that no rule of a table names, so
// that the run can stop before it starts and name them all.
//
// A path is told no further than to its first key that no rule knows: what is
// below it may be keyed by people. A key that is no plain name is told as a star.
type Schema struct {
	table *Table
	paths *jsonedit.Paths
	known map[string]bool // every beginning of a path that some rule names
	seen  map[string]bool // paths as they came
	found []string
}

// NewSchema makes an empty schema of a table; nil when the table scrubs what no
// rule names.
func NewSchema(t *Table) (*Schema, error) {
	if t.Shape != "json" || t.Otherwise == "scrub" {
		return nil, nil
	}
	s := &Schema{table: t, known: map[string]bool{}, seen: map[string]bool{}}
	var bindings []jsonedit.Binding
	for i := range t.Columns {
		path := t.Columns[i].Column
		bindings = append(bindings, jsonedit.Binding{Path: path, Rule: 1})
		for at := range path {
			if path[at] == '.' {
				s.known[path[:at]] = true
			}
		}
		s.known[path] = true
	}
	paths, err := jsonedit.Compile(bindings, 0)
	if err != nil {
		return nil, fault.New(fault.Usage, "table %q: %v", t.Name, err)
	}
	s.paths = paths
	return s, nil
}

// Value implements jsonedit.Handler.
func (s *Schema) Value(dst []byte, rule jsonedit.Rule, v jsonedit.Scalar) ([]byte, []byte, jsonedit.Outcome, error) {
	if v.Type == jsonedit.Null && s.known[string(v.Path.Bytes())] {
		return dst, nil, jsonedit.Keep, nil // "endorsement": null, where rules name what stands in it
	}
	if rule == 0 && !s.seen[string(v.Path.Bytes())] {
		if len(s.seen) >= profilePaths { // an object keyed by ids
			clear(s.seen)
		}
		s.seen[v.Path.String()] = true
		if path := s.unknown(v.Path.String()); !slices.Contains(s.found, path) {
			s.found = append(s.found, path)
		}
	}
	return dst, nil, jsonedit.Keep, nil
}

// unknown cuts a path behind its first key that no rule knows.
func (s *Schema) unknown(path string) string {
	for end := 0; end < len(path); end++ {
		at := strings.IndexByte(path[end:], '.')
		if at < 0 {
			at = len(path) - end
		}
		beginning := path[:end+at]
		if !s.known[beginning] {
			if key := path[end : end+at]; !plainKey(key) {
				return path[:end] + "*"
			}
			return beginning
		}
		end += at
	}
	return path
}

// plainKey accepts what a schema calls its keys.
func plainKey(key string) bool {
	for i := 0; i < len(key); i++ {
		if c := key[i]; !isWordByte(c) && c != '$' && c != '-' {
			return false
		}
	}
	return key != "" && len(key) <= 40 && !isDigit(key[0])
}

// Key implements jsonedit.Handler.
func (*Schema) Key(dst []byte, _ string, _ bool) ([]byte, bool) { return dst, false }

// KeyedByPeople implements jsonedit.Handler.
func (*Schema) KeyedByPeople(*jsonedit.Path) bool { return false }

// ReadAll notes the paths of all records of a file and returns those that no
// rule names.
func (s *Schema) ReadAll(file string, format Documents, in io.Reader, limits Limits) ([]string, error) {
	editor := jsonedit.NewEditor(s.paths, s)
	var out []byte
	err := eachDocument(file, format, in, limits, func(record []byte) error {
		if edited, err := format.edit(editor, out[:0], record); err == nil {
			out = edited
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.found, nil
}

// Dropping returns a table with rules that drop some paths besides its own.
func (t *Table) Dropping(paths []string) *Table {
	with := *t
	with.Columns = slices.Clone(t.Columns)
	for _, path := range paths {
		with.Columns = append(with.Columns, Column{Column: path, Action: "drop", Why: "no rule names it, what is unknown is dropped"})
	}
	return &with
}
