package verify

import (
	"encoding/json"
	"os"
	"path/filepath"

	"anonymooc/internal/fault"
)

// ManifestName is the file in a release that tells how it was made.
const ManifestName = "manifest.json"

// Manifest is what a release says of itself. Verify believes none of it: it
// counts and hashes again and compares.
type Manifest struct {
	Tool       string   `json:"tool"`
	Version    string   `json:"version"`
	Domain     string   `json:"domain"`
	TextPolicy string   `json:"text_policy"`
	Inputs     []Input  `json:"inputs"`
	Outputs    []Output `json:"outputs"`
	Parquet    []Copy   `json:"parquet"`
}

// Input is a file of the export.
type Input struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	Rows   int64  `json:"rows"`
}

// Output is a file of the release.
type Output struct {
	Path    string           `json:"path"`
	Source  string           `json:"source"` // path of the input; empty when it is the same
	Table   string           `json:"table"`
	Format  string           `json:"format"`
	SHA256  string           `json:"sha256"`
	Bytes   int64            `json:"bytes"`
	RowsIn  int64            `json:"rows_in"`
	RowsOut int64            `json:"rows_out"`
	Dropped map[string]int64 `json:"rows_dropped"`
	Columns []Column         `json:"columns"`
}

// Copy is a Parquet file that was made of a file of the release.
type Copy struct {
	Path   string `json:"path"`
	Of     string `json:"of"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	Rows   int64  `json:"rows"`
}

// Column is one column or JSON path of a file, and what was done to it.
type Column struct {
	Name    string   `json:"name"`
	Role    string   `json:"role"`
	Action  string   `json:"action"`
	Kept    int64    `json:"kept"`
	Changed int64    `json:"changed"`
	Emptied int64    `json:"emptied"`
	Nulls   int64    `json:"nulls"`
	Failed  int64    `json:"failed"`
	Single  int64    `json:"single"` // of the changed and emptied, cells of single people
	Fields  []Column `json:"fields"`
}

// UnmarshalJSON reads a column under either name that tallies give it.
func (c *Column) UnmarshalJSON(data []byte) error {
	type plain Column
	var both struct {
		plain
		Column string `json:"column"`
	}
	if err := json.Unmarshal(data, &both); err != nil {
		return err
	}
	*c = Column(both.plain)
	if c.Name == "" {
		c.Name = both.Column
	}
	return nil
}

// ReadManifest reads the manifest of a release; nil without error when it has none.
func ReadManifest(release string) (*Manifest, error) {
	data, err := os.ReadFile(filepath.Join(release, ManifestName))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.Failure, "cannot be read").At(ManifestName, 0, "")
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fault.New(fault.Failure, "is no manifest").At(ManifestName, 0, "").
			WithHint("the release may be damaged: make it again")
	}
	return &m, nil
}

func (m *Manifest) output(file string) *Output {
	for i := range m.Outputs {
		if filepath.ToSlash(m.Outputs[i].Path) == file {
			return &m.Outputs[i]
		}
	}
	return nil
}

func (m *Manifest) parquet(file string) *Copy {
	for i := range m.Parquet {
		if filepath.ToSlash(m.Parquet[i].Path) == file {
			return &m.Parquet[i]
		}
	}
	return nil
}

// input finds a file of the export by its path there, or by the path of what was
// made of it.
func (m *Manifest) input(paths ...string) *Input {
	for i := range m.Inputs {
		for _, p := range paths {
			if filepath.ToSlash(m.Inputs[i].Path) == p {
				return &m.Inputs[i]
			}
		}
	}
	return nil
}
