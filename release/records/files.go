// Package records reads the files of an export or a release, record by record.
//
//	folder ─ List ─► files ─ Open (gzip, Zstandard) ─► Blocks ─ Each ─► records ─ Fields ─► cells
//	                           └ FormatOf (name and first bytes)
//
// It shares no code with the engine that makes releases, so that what proves a
// release does not repeat the engine's mistakes. A block is a run of whole
// records, cut where quoted line breaks and escaped ones are not: blocks can be
// read on all cores. Nothing is refused here: a record with other columns than
// the header, or that is not JSON, is the reader's to judge.
package records

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"anonymooc/internal/fault"
)

// Format is how the records of a file are written.
type Format string

// The formats. What is Binary or Parquet has no records that are cut at line ends.
const (
	CSV      Format = "csv"
	TSV      Format = "tsv"
	Lines    Format = "json lines"
	Document Format = "json"
	Parquet  Format = "parquet"
	Text     Format = "text"
	Binary   Format = "binary"
)

// Entry is one entry below a folder.
type Entry struct {
	Path    string // with slashes, below the folder
	Size    int64  // on disk
	Regular bool   // a file, and no link or device
}

// List gives all entries below a folder that are no folders, in the order of
// their names.
func List(folder string) ([]Entry, error) {
	var files []Entry
	err := filepath.WalkDir(folder, func(p string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		below, err := filepath.Rel(folder, p)
		if err != nil {
			return err
		}
		files = append(files, Entry{filepath.ToSlash(below), info.Size(), info.Mode().IsRegular()})
		return nil
	})
	if err != nil {
		return nil, fault.New(fault.Failure, "folder cannot be read").At(folder, 0, "").
			WithHint("give the folder of a release, and the right to read all of it")
	}
	slices.SortFunc(files, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// Open opens a file and takes off gzip or Zstandard, which it knows by their
// first bytes. Documents that are not one a line are made so: see AsLines.
func Open(name string) (io.ReadCloser, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	buffered := bufio.NewReaderSize(file, 1<<16)
	magic, err := buffered.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		file.Close()
		return nil, err
	}
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		plain, err := gzip.NewReader(buffered)
		if err != nil {
			file.Close()
			return nil, err
		}
		return opened{AsLines(name, plain), file.Close}, nil
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		plain, err := zstd.NewReader(buffered)
		if err != nil {
			file.Close()
			return nil, err
		}
		return opened{AsLines(name, plain), func() error { plain.Close(); return file.Close() }}, nil
	}
	return opened{AsLines(name, buffered), file.Close}, nil
}

type opened struct {
	io.Reader
	close func() error
}

// errCut is the end of a compressed file that comes too early. The readers below
// take io.ErrUnexpectedEOF for the end of a last block.
var errCut = errors.New("the compressed file is cut off")

func (o opened) Read(p []byte) (int, error) {
	n, err := o.Reader.Read(p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCut
	}
	return n, err
}

func (o opened) Close() error { return o.close() }

// PlainName is a file's name without the ending of its compression.
func PlainName(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
}

// FormatOf tells the format of a file from its name and its beginning.
func FormatOf(name string, head []byte) Format {
	extension := strings.ToLower(path.Ext(PlainName(name)))
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	trimmed := bytes.TrimLeft(head, " \t\r\n")
	first, rest, _ := bytes.Cut(trimmed, []byte{'\n'})
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		return Parquet
	case extension == ".bson": // Open gives its documents as lines
		return Lines
	case extension == ".sqlite" || extension == ".db":
		return Binary
	case extension == ".md" || extension == ".html" || extension == ".txt" || extension == ".yaml" || extension == ".yml":
		return Text
	case len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '['):
		rest = bytes.TrimLeft(rest, " \t\r\n")
		if json.Valid(first) || len(rest) > 0 && rest[0] == '{' && bytes.HasPrefix(first, []byte(`{"`)) {
			return Lines
		}
		return Document
	case extension == ".log" || extension == ".json" || extension == ".jsonl" || extension == ".mongo":
		return Lines
	case extension == ".tsv" || extension == ".sql" || bytes.IndexByte(first, '\t') >= 0:
		return TSV
	case extension == ".csv":
		return CSV
	case bytes.IndexByte(head, 0) >= 0:
		return Binary
	}
	return Text
}

// Block is a run of whole records.
type Block struct {
	Number int
	Line   int64 // of its first byte, counted from 1
	Data   []byte
	ends   []int32 // of its records, where cutting has found them all
}

const BlockSize = 1 << 20

// maximumRecord bounds one record; what is longer cannot be told apart from a
// file of another format.
const maximumRecord = 1 << 30

// Blocks cuts a stream into blocks at the ends of records and hands each to
// visit. The data is visit's to keep.
func Blocks(r io.Reader, f Format, visit func(Block) error) error {
	line := int64(1)
	var left []byte
	size := BlockSize
	for number := 0; ; {
		data := make([]byte, len(left), max(size, len(left)+BlockSize/4))
		copy(data, left)
		n, err := io.ReadFull(r, data[len(left):cap(data)])
		data = data[:len(left)+n]
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !ended {
			return err
		}
		end := len(data)
		var ends []int32
		if f == CSV && len(data) <= BlockSize {
			if ends = recordEnds(data, ended); len(ends) > 0 {
				end = int(ends[len(ends)-1])
			} else {
				end = 0
			}
		} else if !ended {
			end = recordsEnd(data, f)
		}
		if end == 0 && !ended {
			if size *= 2; size > maximumRecord {
				return errLongRecord
			}
			left = data
			continue
		}
		size = BlockSize
		if end > 0 {
			if err := visit(Block{number, line, data[:end], ends}); err != nil {
				return err
			}
			number++
			line += int64(bytes.Count(data[:end], []byte{'\n'}))
		}
		if left = data[end:]; ended {
			return nil
		}
	}
}

// recordEnds returns where the records of a CSV block end; the last one counts
// when it is whole, or nothing follows.
func recordEnds(data []byte, last bool) []int32 {
	ends := make([]int32, 0, len(data)/128+1)
	for at := 0; at < len(data); {
		end, whole := RecordEnd(data, at)
		if !whole && !last {
			break
		}
		ends = append(ends, int32(end))
		at = end
	}
	return ends
}

var errLongRecord = errors.New("a record is longer than 1 GiB")

// recordsEnd returns where the last whole record of data ends, 0 when there is
// none. data begins with a record.
func recordsEnd(data []byte, f Format) int {
	switch f {
	case Document, Binary, Parquet:
		return 0
	case TSV:
		for end := len(data); end > 0; {
			i := bytes.LastIndexByte(data[:end], '\n')
			if i < 0 || !escapedAt(data, i) {
				return i + 1
			}
			end = i
		}
		return 0
	case CSV:
		end, at := 0, 0
		for at < len(data) {
			next, whole := RecordEnd(data, at)
			if !whole {
				break
			}
			at, end = next, next
		}
		return end
	}
	return bytes.LastIndexByte(data, '\n') + 1
}

// escapedAt reports whether an odd number of backslashes stands before i.
func escapedAt(data []byte, i int) bool {
	n := 0
	for i-n > 0 && data[i-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// RecordEnd finds where the record that begins at start ends: behind its line
// break, with true, or at the end of data.
func RecordEnd(data []byte, start int) (int, bool) {
	quoted, fieldStart := false, true
	for i := start; i < len(data); i++ {
		c := data[i]
		if quoted {
			next := bytes.IndexByte(data[i:], '"')
			if next < 0 {
				return len(data), false
			}
			if i += next; i+1 < len(data) && data[i+1] == '"' {
				i++
				continue
			}
			quoted, fieldStart = false, false
			continue
		}
		switch c {
		case '\n':
			return i + 1, true
		case '"':
			quoted = fieldStart
			fieldStart = false
		case ',':
			fieldStart = true
		default:
			fieldStart = false
		}
	}
	return len(data), false
}

// mark is the byte order mark that some programs write first.
var mark = []byte("\ufeff")

const headSize = 1 << 16

// Beginning reads the first bytes of a file, up to the end of a line if there
// is one.
func Beginning(name string) ([]byte, error) {
	r, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(r, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], err
}

// Header reads the names of a table's columns.
func Header(head []byte, f Format) []string {
	head = bytes.TrimPrefix(head, mark)
	end := len(head)
	if f == CSV {
		end, _ = RecordEnd(head, 0)
	} else if i := bytes.IndexByte(head, '\n'); i >= 0 {
		end = i + 1
	}
	var r Fields
	r.Read(head[:end], f)
	names := make([]string, len(r.Values))
	for i, field := range r.Values {
		names[i] = string(field)
	}
	return names
}

// Walk calls visit for every record of a file, in order, with the line it
// begins on; the header of a table is left out.
func Walk(name string, f Format, visit func(line int64, record []byte) bool) error {
	r, err := Open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	stop := false
	err = Blocks(r, f, func(b Block) error {
		Each(b, f, func(line int64, record []byte) {
			if line == 1 && b.Number == 0 {
				record = bytes.TrimPrefix(record, mark)
				if f == CSV || f == TSV {
					return
				}
			}
			stop = stop || !visit(line, record)
		})
		if stop {
			return io.EOF
		}
		return nil
	})
	if stop {
		return nil
	}
	return err
}
