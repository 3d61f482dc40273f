package release

import (
	"bytes"
	"encoding/json"
	"path/filepath"

	"anonymooc/idmap"
	"anonymooc/internal/safefile"
	"anonymooc/release/columnar"
	"anonymooc/tables"
)

// ManifestFile is the name of the file in a release that says what it is.
const ManifestFile = "manifest.json"

// Manifest says what a release was made from, by which rules, and what was done.
// It holds no value of the data, and no time: the same inputs, rules and map
// make the same manifest.
type Manifest struct {
	Tool       string          `json:"tool"`
	Version    string          `json:"version"`
	Format     int             `json:"format"` // of this file
	Domain     string          `json:"domain"`
	Rules      RulesRef        `json:"rules"`
	TextPolicy string          `json:"text_policy"`
	Geo        string          `json:"geo_database"`
	GeoCredit  string          `json:"geo_credit,omitempty"` // whoever shows places from it gives it
	Text       any             `json:"text,omitempty"`       // what the text engine knows and did
	Inputs     []Input         `json:"inputs"`
	Outputs    []Output        `json:"outputs"`
	Parquet    []columnar.Copy `json:"parquet,omitempty"`  // of the outputs, beside them
	LeftOut    []string        `json:"left_out,omitempty"` // files that no rule names
	Conflicts  idmap.Conflicts `json:"identity_conflicts,omitempty"`
	Warnings   []string        `json:"warnings,omitempty"`
}

// RulesRef names the rules; the hash stands for all of them, overrides included.
type RulesRef struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Input is a file of the export.
type Input struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Rows   int64  `json:"rows"`
}

// Output is a file of the release.
type Output struct {
	Path   string `json:"path"`
	Table  string `json:"table"`
	Format string `json:"format"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	tables.FileTally
}

// write puts the manifest into a folder.
func (m *Manifest) write(dir string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return err
	}
	return safefile.Write(filepath.Join(dir, ManifestFile), b.Bytes(), 0o644)
}
