package verify

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

// format is how the records of a file are written.
type format string

const (
	formatCSV      format = "csv"
	formatTSV      format = "tsv"
	formatLines    format = "json lines"
	formatDocument format = "json"
	formatParquet  format = "parquet"
	formatText     format = "text"
	formatBinary   format = "binary"
)

// listed is one entry below a folder.
type listed struct {
	path    string // with slashes, below the folder
	size    int64
	regular bool
}

// list gives all entries below a folder that are no folders, in the order of
// their names.
func list(folder string) ([]listed, error) {
	var files []listed
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
		files = append(files, listed{filepath.ToSlash(below), info.Size(), info.Mode().IsRegular()})
		return nil
	})
	if err != nil {
		return nil, fault.New(fault.Failure, "folder cannot be read").At(folder, 0, "").
			WithHint("give the folder of a release, and the right to read all of it")
	}
	slices.SortFunc(files, func(a, b listed) int { return strings.Compare(a.path, b.path) })
	return files, nil
}

// open opens a file and takes off gzip or Zstandard, which it knows by their
// first bytes.
func open(name string) (io.ReadCloser, error) {
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
		return opened{plain, file.Close}, nil
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		plain, err := zstd.NewReader(buffered)
		if err != nil {
			file.Close()
			return nil, err
		}
		return opened{plain, func() error { plain.Close(); return file.Close() }}, nil
	}
	return opened{buffered, file.Close}, nil
}

type opened struct {
	io.Reader
	close func() error
}

func (o opened) Close() error { return o.close() }

// plainName is a file's name without the ending of its compression.
func plainName(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
}

// formatOf tells the format of a file from its name and its beginning.
func formatOf(name string, head []byte) format {
	extension := strings.ToLower(path.Ext(plainName(name)))
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	trimmed := bytes.TrimLeft(head, " \t\r\n")
	first, rest, _ := bytes.Cut(trimmed, []byte{'\n'})
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		return formatParquet
	case extension == ".bson" || extension == ".sqlite" || extension == ".db":
		return formatBinary
	case extension == ".md" || extension == ".html" || extension == ".txt" || extension == ".yaml" || extension == ".yml":
		return formatText
	case len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '['):
		rest = bytes.TrimLeft(rest, " \t\r\n")
		if json.Valid(first) || len(rest) > 0 && rest[0] == '{' && bytes.HasPrefix(first, []byte(`{"`)) {
			return formatLines
		}
		return formatDocument
	case extension == ".log" || extension == ".json" || extension == ".jsonl" || extension == ".mongo":
		return formatLines
	case extension == ".tsv" || extension == ".sql" || bytes.IndexByte(first, '\t') >= 0:
		return formatTSV
	case extension == ".csv":
		return formatCSV
	case bytes.IndexByte(head, 0) >= 0:
		return formatBinary
	}
	return formatText
}

// block is a run of whole records.
type block struct {
	number int
	line   int64 // of its first byte
	data   []byte
}

const blockSize = 1 << 20

// maximumRecord bounds one record; what is longer cannot be told apart from a
// file of another format.
const maximumRecord = 1 << 30

// blocks cuts a stream into blocks at the ends of records and hands each to
// visit. The data is visit's to keep.
func blocks(r io.Reader, f format, visit func(block) error) error {
	line := int64(1)
	var left []byte
	size := blockSize
	for number := 0; ; {
		data := make([]byte, len(left), max(size, len(left)+blockSize/4))
		copy(data, left)
		n, err := io.ReadFull(r, data[len(left):cap(data)])
		data = data[:len(left)+n]
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !ended {
			return err
		}
		end := len(data)
		if !ended {
			end = recordsEnd(data, f)
		}
		if end == 0 && !ended {
			if size *= 2; size > maximumRecord {
				return errLongRecord
			}
			left = data
			continue
		}
		size = blockSize
		if end > 0 {
			if err := visit(block{number, line, data[:end]}); err != nil {
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

var errLongRecord = errors.New("a record is longer than 1 GiB")

// recordsEnd returns where the last whole record of data ends, 0 when there is
// none. data begins with a record.
func recordsEnd(data []byte, f format) int {
	switch f {
	case formatDocument, formatBinary, formatParquet:
		return 0
	case formatTSV:
		for end := len(data); end > 0; {
			i := bytes.LastIndexByte(data[:end], '\n')
			if i < 0 || !escapedAt(data, i) {
				return i + 1
			}
			end = i
		}
		return 0
	case formatCSV:
		end, at := 0, 0
		for at < len(data) {
			next, whole := csvRecord(data, at)
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

// csvRecord finds where the record that begins at start ends: behind its line
// break, with true, or at the end of data.
func csvRecord(data []byte, start int) (int, bool) {
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
