package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"anonymooc/release/records"
)

// privateNames are files and folders of a project that stay at home.
var privateNames = map[string]string{
	"map": "the id map", "key": "the key of the id map", "ledger.jsonl": "the ledger of decisions", "ledger": "the ledger of decisions",
	"quarantine": "records that were set aside", "project.yaml": "the project file", "audit.jsonl": "the audit of the key", "erasures.jsonl": "the erasure records",
}

// privateThings finds what must never lie in a release.
func (v *verifier) privateThings(files []records.Entry) {
	for _, file := range files {
		if !file.Regular {
			v.problem(file.Path, "is a link or a device, and no file")
			continue
		}
		for part := range strings.SplitSeq(file.Path, "/") {
			if what, private := privateNames[part]; private {
				v.problem(file.Path, "holds "+what+", which never leaves the project")
			}
		}
		switch path.Ext(file.Path) {
		case ".key", ".age", ".idmap", ".ledger", ".partial", ".tmp":
			v.problem(file.Path, "is a private or unfinished file")
		}
	}
}

// recount compares one file with what the manifest says of it.
func (v *verifier) recount(told *File, s *schema) {
	o := s.output
	if sum, size, err := hashOf(filepath.Join(v.request.Release, filepath.FromSlash(told.Path))); err != nil || sum != o.SHA256 && o.SHA256 != "" {
		v.problem(told.Path, "is not the file that the manifest describes: its SHA-256 differs")
	} else if o.Bytes != 0 && size != o.Bytes {
		v.problem(told.Path, fmt.Sprintf("has %d bytes, the manifest says %d", size, o.Bytes))
	}
	if s.format == records.Document || s.format == records.Text || o.Format == "file" {
		return // copied whole: there are no rows in it
	}
	if told.Rows != o.RowsOut {
		v.problem(told.Path, fmt.Sprintf("has %d rows, the manifest says %d", told.Rows, o.RowsOut))
	}
	dropped := int64(0)
	for _, n := range o.Dropped {
		dropped += n
	}
	if o.RowsIn-dropped != o.RowsOut {
		v.problem(told.Path, fmt.Sprintf("%d rows went in, %d were dropped by a rule and %d came out", o.RowsIn, dropped, o.RowsOut))
	}
	if len(s.columns) > 0 && len(o.Columns) > 0 {
		v.columns(told, s)
	}
}

// columns compares a table's header and its empty cells with the manifest.
func (v *verifier) columns(told *File, s *schema) {
	have := map[string]bool{}
	for _, c := range s.columns {
		have[c.name] = true
	}
	for _, c := range s.output.Columns {
		column := func(what string) {
			v.report.Problems = append(v.report.Problems, Problem{File: told.Path, Column: c.Name, What: what})
		}
		switch {
		case c.Action == "drop" && have[c.Name]:
			column("was to be dropped, and is there")
		case c.Action == "drop":
		case !have[c.Name]:
			column("is in the manifest, and not in the file")
		case c.Action == "blank" && told.Nulls[c.Name] != told.Rows:
			column("was to be emptied, and holds values")
		case c.Action != "keep" && told.Nulls[c.Name] != c.Nulls+c.Emptied+c.Failed && c.Kept+c.Changed+c.Nulls+c.Emptied+c.Failed == told.Rows:
			column(fmt.Sprintf("has %d empty cells, the manifest says %d", told.Nulls[c.Name], c.Nulls+c.Emptied+c.Failed))
		}
		delete(have, c.Name)
	}
	for _, c := range s.columns {
		if have[c.name] {
			v.report.Problems = append(v.report.Problems, Problem{File: told.Path, Column: c.name, What: "is in the file, and not in the manifest"})
		}
	}
}

// manifestFiles finds files that the manifest names and the release lacks.
func (v *verifier) manifestFiles(files []records.Entry) {
	if v.manifest == nil {
		return
	}
	have := map[string]bool{}
	for _, file := range files {
		have[file.Path] = true
	}
	for _, o := range v.manifest.Outputs {
		if !have[filepath.ToSlash(o.Path)] {
			v.problem(o.Path, "is in the manifest, and not in the release")
		}
	}
}

// hashOf gives a file's SHA-256 in hexadecimal digits, and its size.
func hashOf(name string) (string, int64, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), n, err
}
