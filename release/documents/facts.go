// Package documents writes the papers that go with a release.
//
//	manifest.json ─┐
//	release files ─┴─ Gather ─► Facts ◄── verify, risk, text figures, officer's answers
//	                              │
//	                              ├─ WriteRelease ─► datapackage.json, CODEBOOK.*, report.* (for researchers)
//	                              └─ WriteOfficer ─► record, DPIA annex, checklist, erasures (outside the release)
//
// Facts is a plain struct: counts, names of columns, rules and why they are
// there. It has no place for a value of the data, so that no document can show
// one. What is unknown is left out of a document or said to be unknown; nothing
// is promised that a figure does not show. In particular no document calls a
// release anonymous: it is pseudonymised data, and the figures say how far the
// people in it are hidden.
//
// Every document exists in English and in French. The words stand in messages/,
// the forms in templates/; a document differs from its other language in words
// only. The same Facts give the same bytes.
package documents

import (
	"anonymooc/forum/recheck"
	"anonymooc/release/columnar"
	"anonymooc/release/verify"
	"anonymooc/tables/risk"
)

// Facts is what the documents of a release say.
type Facts struct {
	Tool       string
	Version    string
	Date       string // YYYY-MM-DD, as the officer gives it; empty for none
	Name       string // of the release, as a folder is called
	Title      string // for people; empty for Name
	Domain     string
	Rules      Rules
	TextPolicy string // drop, strict or reviewed
	Geo        Geo

	Files    []File
	LeftOut  int // files of the export that no rule names and that are not released
	Inputs   int // files read
	Warnings []string

	Verify   *verify.Report // nil: not verified
	Risk     *risk.Report   // nil: not measured
	Text     *Text          // nil: no text engine
	Officer  Officer
	Erasures []Erasure
}

// Rules names the rule set.
type Rules struct{ Name, SHA256 string }

// Geo names the geographic database.
type Geo struct{ Type, Credit string }

// File is one file of the release.
type File struct {
	Path   string // with slashes, from the release's folder
	Table  string
	Format string // csv, tsv, json lines, json, bson; file when it was copied whole
	Bytes  int64
	SHA256 string

	RowsIn   int64
	RowsOut  int64
	Dropped  map[string]int64 // by reason
	SetAside int64            // records that could not be read
	People   int64

	Columns     []Column
	PrimaryKey  []string
	ForeignKeys []ForeignKey

	Parquet *columnar.Copy // the same once more; nil for none
}

// Column is one column of a file, or one path of its JSON.
type Column struct {
	Name   string
	Role   string
	Action string
	Why    string

	Type     string // of the released values: integer, number, year, date, datetime, object, string; empty when unknown
	Distinct int64  // different values; -1 when unknown
	Many     bool   // there are more different values than Distinct

	Kept    int64 // values left as they were
	Changed int64 // values replaced
	Emptied int64 // values taken away
	Nulls   int64 // cells that are empty or NULL in the release; of JSON, values that were so from the start
	Failed  int64 // values that could not be read, and were emptied
	Masked  int64 // spans of texts that were masked
	Decided int64 // spans of texts that were kept by a decision
	Waiting int64 // spans of texts masked because nobody has decided
}

// Gone reports whether the release does not show the column.
func (c Column) Gone() bool { return verb(c.Action) == "drop" }

// ForeignKey says that a column refers to another file's column.
type ForeignKey struct {
	Column    string
	Path      string // file referred to
	Reference string // its column
}

// Text is what the text engine knows and did, as the manifest tells it. Spans
// are counted by category.
type Text struct {
	People    int            `json:"people"`    // known to the catalogue
	Forms     int            `json:"forms"`     // known to the catalogue
	Mined     int            `json:"mined"`     // of these, found by mining
	Decisions int            `json:"decisions"` // in the ledger
	Questions int            `json:"questions"` // still open
	Texts     int64          `json:"texts"`     // treated
	Masked    map[string]int `json:"masked"`    // spans replaced
	Kept      map[string]int `json:"kept"`      // spans recognised and kept
	Waiting   map[string]int `json:"waiting"`   // spans masked because nobody has decided

	Recheck *recheck.Estimate `json:"recheck"` // nil: no text was read again blindly
}

// Officer is what only the officer can say. Empty answers become lines to fill in.
type Officer struct {
	Controller     string `yaml:"controller"`
	Representative string `yaml:"representative"`
	Protection     string `yaml:"protection_officer"`
	Purpose        string `yaml:"purpose"`
	LegalBasis     string `yaml:"legal_basis"`
	Recipients     string `yaml:"recipients"`
	Transfers      string `yaml:"transfers"`
	Retention      string `yaml:"retention"`
	Security       string `yaml:"security"`
}

// Erasure is the record of one erasure; it names nobody.
type Erasure struct {
	Date   string // YYYY-MM-DD
	Domain string
	People int
	Reason string // as the officer wrote it; it must name nobody
}
