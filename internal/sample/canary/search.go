package canary

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Options say what a search judges beyond identifiers as they were written.
type Options struct {
	// Altered judges spellings that people changed (misspelt, elongated,
	// spaced, initials) too: nothing of them is left when text is dropped.
	Altered bool
	// Phrases judges common words in running text by the words around them.
	Phrases bool
}

// Hit is a canary that still stands. It holds no value.
type Hit struct {
	File   string
	Line   int64
	Kind   string
	Person int
	Code   string // the shortest way it was read: "", "json", "json+percent" …
}

// String gives "tracking_log.json:12: username of person 3 (json+percent)".
func (h Hit) String() string {
	code := h.Code
	if code == "" {
		code = "as written"
	}
	return fmt.Sprintf("%s:%d: %s of person %d (%s)", h.File, h.Line, h.Kind, h.Person, code)
}

// Search reads every file below folder, packed ones too, and returns the
// canaries that stand in it, each once a line, ordered by file and line.
func Search(folder string, canaries []Canary, options Options) ([]Hit, error) {
	x := newIndex(canaries, options)
	var hits []Hit
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		found, err := x.searchFile(path, filepath.ToSlash(name))
		hits = append(hits, found...)
		return err
	})
	return hits, err
}

func (x *index) searchFile(path, name string) ([]Hit, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var in io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(file)
		if err != nil {
			return nil, err
		}
		defer z.Close()
		in = z
	}
	return x.searchReader(in, name)
}

// searchReader searches the lines of one file. A quoted cell may hold line
// ends: columns are judged on the whole record, values line by line.
func (x *index) searchReader(in io.Reader, name string) ([]Hit, error) {
	found := map[Hit]string{} // without their code, which is kept beside
	lines := bufio.NewReaderSize(in, 1<<20)
	columns := newColumns(name)
	for number := int64(1); ; number++ {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			report := func(c *Canary, code string) {
				h := Hit{File: name, Line: number, Kind: c.Kind, Person: c.Person}
				if known, ok := found[h]; !ok || len(code) < len(known) {
					found[h] = code
				}
			}
			x.searchValues(string(bytes.TrimRight(line, "\r\n")), report)
			x.searchColumns(columns, line, report)
			x.searchJSON(line, report)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	hits := make([]Hit, 0, len(found))
	for h, code := range found {
		h.Code = code
		hits = append(hits, h)
	}
	sort.Slice(hits, func(i, j int) bool {
		a, b := hits[i], hits[j]
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		if a.Kind != b.Kind {
			return a.Kind < b.Kind
		}
		return a.Person < b.Person
	})
	return hits, nil
}

// searchValues looks for canaries anywhere in a line, in all its views.
func (x *index) searchValues(line string, report func(*Canary, string)) {
	for _, v := range views(line) {
		folded := Fold(v.text)
		x.match(folded, func(p *pattern) { report(p.canary, v.code) })
		x.searchAddresses(folded, func(c *Canary) { report(c, v.code) })
	}
}
