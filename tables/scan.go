package tables

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"anonymooc/internal/fault"
	"anonymooc/tables/jsonedit"
)

// Scan reads some columns of a table, row by row, before anything is
// transformed: that is how people are linked and described. A cell of a column
// that the file does not have is NULL. Rows that cannot be read are left to the
// run that follows, which says what is wrong with them.
func Scan(file string, format Tabular, in io.Reader, limits Limits, columns []string, visit func(cells []Cell) error) error {
	r := blockReader{in: in, file: file, format: format, limits: limits}
	rows := rowScanner(format, columns, visit)
	var buf []byte
	for {
		block, _, end := r.next(buf[:0])
		if len(block) > 0 {
			if err := rows(block); err != nil {
				return err
			}
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return end
		}
		buf = block
	}
}

// rowScanner visits the rows of tables; the first row it sees is the header.
func rowScanner(format Tabular, columns []string, visit func([]Cell) error) func([]byte) error {
	record, cell := csvRecord, CSV{}.cell
	if f, ok := format.(TSV); ok {
		record, cell = tsvRecord, f.cell
	}
	var at []int // position of each column, -1 for none
	var spans []span
	cells := make([]Cell, len(columns))
	buffers := make([][]byte, len(columns))
	return func(block []byte) error {
		pos := 0
		if at == nil {
			header, length, err := format.Header(block)
			if err != nil {
				return err
			}
			for _, name := range columns {
				at = append(at, slices.Index(header, name))
			}
			pos = length
		}
		for pos < len(block) {
			if n := blankLine(block[pos:]); n > 0 {
				pos += n
				continue
			}
			var wrong string
			var next int
			spans, next, wrong = record(spans[:0], block, pos)
			if wrong != "" {
				return nil
			}
			for i, column := range at {
				cells[i] = Cell{Type: jsonedit.Null}
				if column >= 0 && column < len(spans) {
					cells[i], buffers[i] = cell(buffers[i], block, spans[column])
				}
			}
			if err := visit(cells); err != nil {
				return err
			}
			pos = next
		}
		return nil
	}
}

// extractor takes the first value at each of some paths out of a JSON object.
type extractor struct {
	format Documents
	editor *jsonedit.Editor
	out    []byte
	cells  []Cell
	text   [][]byte
	twice  bool // some path had two values: duplicate keys, or a list
}

func newExtractor(format Documents, paths []string) (*extractor, error) {
	var bindings []jsonedit.Binding
	for i, path := range paths {
		bindings = append(bindings, jsonedit.Binding{Path: path, Rule: jsonedit.Rule(i)})
	}
	compiled, err := jsonedit.Compile(bindings, jsonedit.None)
	if err != nil {
		return nil, fmt.Errorf("the paths cannot be compiled: %w", err)
	}
	x := &extractor{format: format, cells: make([]Cell, len(paths)), text: make([][]byte, len(paths))}
	x.editor = jsonedit.NewEditor(compiled, x)
	return x, nil
}

// read returns the values, valid until the next call; ok is false for what is
// not readable.
func (x *extractor) read(object []byte) (cells []Cell, ok bool) {
	for i := range x.cells {
		x.cells[i] = Cell{Type: jsonedit.Null}
	}
	x.twice = false
	out, err := x.format.edit(x.editor, x.out[:0], object)
	if err != nil {
		return nil, false
	}
	x.out = out
	return x.cells, true
}

// Value implements jsonedit.Handler.
func (x *extractor) Value(dst []byte, rule jsonedit.Rule, s jsonedit.Scalar) ([]byte, []byte, jsonedit.Outcome, error) {
	switch {
	case rule == jsonedit.None || s.Type == jsonedit.Null:
	case x.cells[rule].Type != jsonedit.Null:
		x.twice = true
	default:
		x.text[rule] = append(x.text[rule][:0], s.Text...)
		x.cells[rule] = Cell{x.text[rule], s.Type}
	}
	return dst, nil, jsonedit.Keep, nil
}

// Key implements jsonedit.Handler.
func (*extractor) Key(dst []byte, _ string, _ bool) ([]byte, bool) { return dst, false }

// KeyedByPeople implements jsonedit.Handler.
func (*extractor) KeyedByPeople(*jsonedit.Path) bool { return false }

// blockReader cuts a stream into blocks of whole records.
type blockReader struct {
	in     io.Reader
	file   string
	format Format
	limits Limits
	line   int64  // of the next block's first byte
	rest   []byte // what stands behind the last whole record
	ended  bool
}

// next appends a block of whole records to buf, which is empty. line is that of
// its first byte. At the end of the stream the block comes with io.EOF.
func (r *blockReader) next(buf []byte) (block []byte, line int64, err error) {
	if r.line == 0 {
		r.line = 1
	}
	if r.ended {
		return buf, r.line, io.EOF
	}
	buf = append(buf, r.rest...)
	cut := 0
	for cut == 0 && !r.ended {
		size := len(buf)
		if size > r.limits.Record {
			return nil, r.line, fault.New(fault.Failure, "a record is longer than %d MiB", r.limits.Record>>20).At(r.file, r.line, "").
				WithHint("a quote that is not closed, or a file without line ends, makes everything one record")
		}
		// One more block's worth; a record longer than that makes it grow.
		buf = append(buf, make([]byte, r.limits.Block)...)
		n, err := io.ReadFull(r.in, buf[size:])
		buf = buf[:size+n]
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF: // a source that ends early says so with a fault
			r.ended = true
			cut = len(buf)
		case err != nil:
			return nil, r.line, readFault(r.file, r.line, err)
		default:
			cut = r.format.Cut(buf)
		}
	}
	r.rest = append(r.rest[:0], buf[cut:]...)
	block, line = buf[:cut], r.line
	if n, ok := r.format.(numbered); ok {
		r.line += n.count(block)
	} else {
		r.line += int64(bytes.Count(block, []byte{'\n'}))
	}
	if r.ended {
		return block, line, io.EOF
	}
	return block, line, nil
}

// ScanRecords is Scan for documents. Records for which skip is true are not even
// parsed, and those in which a path has two values tell nothing for certain and
// are left out.
func ScanRecords(file string, format Documents, in io.Reader, limits Limits, paths []string, skip func(record []byte) bool, visit func(cells []Cell) error) error {
	x, err := newExtractor(format, paths)
	if err != nil {
		return err
	}
	return eachDocument(file, format, in, limits, func(record []byte) error {
		if skip(record) {
			return nil
		}
		if cells, ok := x.read(record); ok && !x.twice {
			return visit(cells)
		}
		return nil
	})
}

// Head returns the header and the first records of a file.
func Head(file string, format Format, in io.Reader, limits Limits, records int) ([]byte, error) {
	if documents, ok := format.(Documents); ok {
		return headOf(file, documents, in, limits, records)
	}
	r := blockReader{in: in, file: file, format: format, limits: limits}
	block, _, err := r.next(nil)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if _, ok := format.(Tabular); ok {
		records++
	}
	end := 0
	for ; records > 0 && end < len(block); records-- {
		next := end
		for { // a record ends at the first line end after which all before is whole
			i := bytes.IndexByte(block[next:], '\n')
			if i < 0 {
				return block, nil
			}
			next += i + 1
			if format.Cut(block[end:next]) == next-end {
				break
			}
		}
		end = next
	}
	return block[:end], nil
}

// headOf is Head for documents. A head of an array is an array.
func headOf(file string, format Documents, in io.Reader, limits Limits, records int) ([]byte, error) {
	r := blockReader{in: in, file: file, format: format, limits: limits}
	block, _, err := r.next(nil)
	if err != nil && err != io.EOF {
		return nil, err
	}
	whole := err == io.EOF
	end := 0
	err = format.each(block, func(_ []byte, to int) error {
		if records--; records < 0 {
			return io.EOF
		}
		end = to
		return nil
	})
	if whole && err == nil {
		return block, nil
	}
	head := block[:end]
	if _, text := format.(JSONText); text && bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n"), []byte{'['}) {
		head = append(head, "\n]\n"...)
	}
	return head, nil
}
