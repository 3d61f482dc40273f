// Package sqldump reads the tables of a MySQL or MariaDB dump, as mysqldump,
// mariadb-dump and phpMyAdmin write them, as if each were a CSV file.
//
//	dump.sql ─ Tables: one pass ─► name, columns, where its rows begin and end
//	                                   │
//	           Open ─ rows of INSERTs ─┴─► "auth_user.csv": header, rows
//
// The statements are read, never executed: CREATE TABLE names the columns, INSERT
// and REPLACE hold the rows, a few SETs say how text is written, and whatever else
// there is (locks, keys, views, triggers) is passed over. What might change rows
// otherwise (UPDATE, DELETE, LOAD DATA …) is refused, because the table would not be
// what the server had.
//
// A dump is streamed: one pass lists its tables, and each reading of a table begins
// where its first row stands, if the dump lies uncompressed on a disk, and ends
// behind its last. NULL becomes the bare word, and a text that is spelt like it stands
// in quotes. Bit fields become numbers; bytes that are no text become hexadecimal.
package sqldump

import (
	"bytes"
	"context"
	"io"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

// suffixes are how dumps are called. Tab-separated tables are called so too, and
// only a file's beginning tells; those of edX's data packages by their names.
var suffixes = []string{".sql", ".sql.gz", ".sql.zst"}

// packageSuffix ends the names of tables in data packages.
const packageSuffix = "-analytics"

// MayBe reports whether a file is called like a dump.
func MayBe(name string) bool {
	return !strings.HasSuffix(Called(name), packageSuffix) && slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(strings.ToLower(name), s) })
}

// Called is a dump's name without its suffix.
func Called(name string) string {
	for _, s := range suffixes {
		if strings.HasSuffix(strings.ToLower(name), s) {
			return name[:len(name)-len(s)]
		}
	}
	return name
}

// headSize is how much of a file is read to tell what it is.
const headSize = 8 << 10

// Is reads the beginning of a file and reports whether it is a dump.
func Is(ctx context.Context, file source.File) (bool, error) {
	in, err := file.Read(ctx)
	if err != nil {
		return false, err
	}
	defer in.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(in, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, err
	}
	return looksLike(head[:n]), nil
}

// looksLike tells a dump by its first statement or comment. A header of tab-separated
// columns is neither.
func looksLike(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \r\n")
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if bytes.IndexByte(line, '\t') >= 0 {
		return false
	}
	if bytes.HasPrefix(line, []byte("--")) || bytes.HasPrefix(line, []byte("/*")) || bytes.HasPrefix(line, []byte("# ")) {
		return true
	}
	word, _, found := strings.Cut(strings.ToUpper(string(line)), " ")
	return found && slices.Contains([]string{"CREATE", "INSERT", "REPLACE", "DROP", "SET", "USE", "LOCK", "START", "BEGIN"}, word)
}

// table is what the first pass learns of a table.
type table struct {
	name     string
	database string
	columns  []column
	from, to int64 // bytes of the dump: from its first row's statement to behind its last
	dialect  dialect
	rows     bool
}

// column is a column of a CREATE TABLE.
type column struct {
	name string
	kind string // lower case, without length: "int", "bit", "longtext"
}

// dialect is how a dump writes text.
type dialect struct {
	charset     *charmap.Charmap // nil for UTF-8
	noBackslash bool             // NO_BACKSLASH_ESCAPES
}

// Tables lists the tables of a dump, as files to be read, called after the tables.
func Tables(ctx context.Context, file source.File) ([]source.File, error) {
	found, err := index(ctx, file)
	if err != nil {
		return nil, err
	}
	var files []source.File
	for _, t := range found {
		name := t.name + ".csv"
		if plain := path.Base(name); plain != name || strings.ContainsAny(name, "\\\x00\n\r") {
			return nil, fault.New(fault.Failure, "the dump holds a table whose name cannot be a file's").At(file.Name, 0, "")
		}
		files = append(files, source.File{
			Name: name, Size: source.Unknown, Stamp: stampOf(file.Stamp, t.name),
			Open: func(ctx context.Context) (io.ReadCloser, error) { return open(ctx, file, t) },
		})
	}
	return files, nil
}

func stampOf(stamp, table string) string {
	if stamp == "" {
		return ""
	}
	return stamp + " " + table
}

// index reads the whole dump once.
func index(ctx context.Context, file source.File) ([]*table, error) {
	in, err := file.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	x := &indexer{statements: newStatements(file.Name, in, 0), tables: make(map[string]*table)}
	if err := x.read(); err != nil {
		return nil, err
	}
	return x.order, nil
}

// open begins to read a table's rows.
func open(ctx context.Context, file source.File, t *table) (io.ReadCloser, error) {
	if !t.rows {
		r := &rows{table: t}
		r.header()
		return r, nil
	}
	if source.CodecOf(file.Name) == source.Plain {
		in, err := file.Open(ctx)
		if err != nil {
			return nil, err
		}
		if seeker, ok := in.(io.Seeker); ok {
			if _, err := seeker.Seek(t.from, io.SeekStart); err == nil {
				return newRows(ctx, file.Name, in, t, t.from), nil
			}
		}
		in.Close()
	}
	in, err := file.Read(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, in, t.from); err != nil {
		in.Close()
		return nil, fault.New(fault.Failure, "the dump is shorter than it was").At(file.Name, 0, "").WithHint("was it changed meanwhile?")
	}
	return newRows(ctx, file.Name, in, t, t.from), nil
}
