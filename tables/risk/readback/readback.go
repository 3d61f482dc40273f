// Package readback reads the tables of a release again, for the proofs about
// it: what measures does not trust what made.
//
//	Open ─► text ─┬─ NewTable ─► header, rows     comma- or tab-separated, as a release has it
//	              └─ Lines    ─► lines            logs and the forum
//
// It knows only the forms that a release has, and nothing of the engine that
// writes them.
package readback

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"anonymooc/internal/fault"
)

// RowReader gives the rows of a table one by one; a row is good until the next.
type RowReader func() ([]string, error)

// Open opens a file of a release, compressed or not.
func Open(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	switch {
	case strings.HasSuffix(path, ".gz"):
		unpacked, err := gzip.NewReader(file)
		if err != nil {
			file.Close()
			return nil, err
		}
		return unpackedFile{unpacked, file}, nil
	case strings.HasSuffix(path, ".zst"):
		decoder, err := zstd.NewReader(file)
		if err != nil {
			file.Close()
			return nil, err
		}
		return unpackedFile{decoder.IOReadCloser(), file}, nil
	}
	return file, nil
}

// unpackedFile closes the file behind a decompressor too.
type unpackedFile struct {
	io.ReadCloser
	file *os.File
}

func (u unpackedFile) Close() error { return errors.Join(u.ReadCloser.Close(), u.file.Close()) }

var byteOrderMark = []byte("\ufeff")

// NewTable finds out whether the table is tab- or comma-separated from its
// first line, and reads the header.
func NewTable(r io.Reader) (header []string, next RowReader, err error) {
	buffered := bufio.NewReaderSize(r, 1<<20)
	if mark, err := buffered.Peek(len(byteOrderMark)); err == nil && bytes.Equal(mark, byteOrderMark) {
		buffered.Discard(len(byteOrderMark))
	}
	line, _ := buffered.Peek(1 << 16)
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	if bytes.IndexByte(line, '\t') >= 0 {
		next = tabbed(buffered)
	} else {
		rows := csv.NewReader(buffered)
		rows.ReuseRecord, rows.FieldsPerRecord, rows.LazyQuotes = true, -1, true
		next = rows.Read
	}
	first, err := next()
	if err != nil {
		return nil, nil, err
	}
	return append([]string(nil), first...), next, nil
}

// tabbed reads the tab-separated text of MySQL: a backslash protects the tab or
// the line end behind it. Fields stay as written, for only whole values are
// compared.
func tabbed(r *bufio.Reader) RowReader {
	var fields []string
	return func() ([]string, error) {
		line, err := readLine(r)
		if err != nil {
			return nil, err
		}
		fields = fields[:0]
		text, start := string(line), 0
		for i := 0; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '\t':
				fields = append(fields, text[start:i])
				start = i + 1
			}
		}
		return append(fields, text[start:]), nil
	}
}

// readLine reads up to a line end that no backslash protects.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadBytes('\n')
		line = append(line, part...)
		if err != nil {
			if errors.Is(err, io.EOF) && len(line) > 0 {
				return bytes.TrimSuffix(line, []byte("\r")), nil
			}
			return nil, err
		}
		body := line[:len(line)-1]
		if slashes := len(body) - len(bytes.TrimRight(body, `\`)); slashes%2 == 0 {
			return bytes.TrimSuffix(body, []byte("\r")), nil
		}
	}
}

// IsNull reports whether a cell tells nothing.
func IsNull(cell string) bool { return cell == "" || cell == "NULL" || cell == `\N` }

// Rows calls f with the cells of the wanted columns of every row; a column
// that the file does not have is "".
func Rows(path string, columns []string, f func(cells []string)) error {
	broken := func(line int64, err error) error {
		f := fault.New(fault.Failure, "the table cannot be read").At(path, line, "")
		var syntax *csv.ParseError
		var pathError *os.PathError
		switch {
		case errors.As(err, &syntax):
			f = f.Because(syntax.Err)
		case errors.As(err, &pathError):
			f = f.Because(pathError.Err)
		default:
			f = f.Because(err)
		}
		return f.WithHint("a release is CSV or tab-separated text with a header; make it again if it was changed")
	}
	file, err := Open(path)
	if err != nil {
		return broken(0, err)
	}
	defer file.Close()
	header, next, err := NewTable(file)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return broken(1, err)
	}
	at := make([]int, len(columns))
	for i, name := range columns {
		at[i] = -1
		for j, column := range header {
			if column == name {
				at[i] = j
			}
		}
	}
	cells := make([]string, len(columns))
	for record := int64(2); ; record++ {
		row, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return broken(record, err)
		}
		if len(row) != len(header) {
			if len(row) == 1 && row[0] == "" {
				continue
			}
			return fault.New(fault.Failure, "record %d has %d fields, the header has %d", record, len(row), len(header)).At(path, 0, "")
		}
		for i, j := range at {
			cells[i] = ""
			if j >= 0 && !IsNull(row[j]) {
				cells[i] = row[j]
			}
		}
		f(cells)
	}
}

// Lines calls f with every line of a text; a line is good until the next.
func Lines(r io.Reader, f func(line []byte)) error {
	lines := bufio.NewReaderSize(r, 1<<20)
	var long []byte
	for {
		line, err := lines.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, line...)
			continue
		case len(long) > 0:
			long = append(long, line...)
			line = long
		}
		if len(line) > 0 {
			f(line)
		}
		long = long[:0]
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fault.New(fault.Failure, "the log cannot be read to its end").
				WithHint("make the release again, or copy it again")
		}
	}
}
