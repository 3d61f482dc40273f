package documents

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/release/columnar"
	"anonymooc/tables/geo"
)

// manifestFile is where a release says what it is.
const manifestFile = "manifest.json"

// manifest is the part of manifest.json that the documents use.
type manifest struct {
	Tool       string           `json:"tool"`
	Version    string           `json:"version"`
	Domain     string           `json:"domain"`
	Rules      Rules            `json:"rules"`
	TextPolicy string           `json:"text_policy"`
	Geo        string           `json:"geo_database"`
	Text       *Text            `json:"text"`
	Inputs     []struct{}       `json:"inputs"`
	Outputs    []manifestOutput `json:"outputs"`
	Parquet    []columnar.Copy  `json:"parquet"`
	LeftOut    []string         `json:"left_out"`
	Warnings   []string         `json:"warnings"`
}

type manifestOutput struct {
	Path     string           `json:"path"`
	Table    string           `json:"table"`
	Format   string           `json:"format"`
	Bytes    int64            `json:"bytes"`
	SHA256   string           `json:"sha256"`
	RowsIn   int64            `json:"rows_in"`
	RowsOut  int64            `json:"rows_out"`
	Dropped  map[string]int64 `json:"rows_dropped"`
	SetAside int64            `json:"rows_quarantined"`
	People   int64            `json:"people"`
	Columns  []manifestColumn `json:"columns"`
}

type manifestColumn struct {
	Name    string           `json:"name"`
	Role    string           `json:"role"`
	Action  string           `json:"action"`
	Why     string           `json:"why"`
	Kept    int64            `json:"kept"`
	Changed int64            `json:"changed"`
	Emptied int64            `json:"emptied"`
	Nulls   int64            `json:"nulls"`
	Failed  int64            `json:"failed"`
	Masked  int64            `json:"masked"`
	Decided int64            `json:"decided"`
	Waiting int64            `json:"waiting"`
	Fields  []manifestColumn `json:"fields"`
}

// Gather reads what a release says about itself in its manifest, and looks at
// its tables for types and numbers of different values. What verify and risk
// found, and what the officer knows, is for the caller to add.
func Gather(dir string) (*Facts, error) {
	where := filepath.Join(dir, manifestFile)
	data, err := os.ReadFile(where)
	if err != nil {
		return nil, fault.New(fault.Usage, "the release has no manifest that can be read").At(where, 0, "").
			WithHint("name the folder of a release")
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fault.New(fault.Failure, "the manifest is not what a release has").At(where, 0, "").
			WithHint("make the release again")
	}
	f := &Facts{
		Tool: m.Tool, Version: m.Version, Name: strings.TrimSuffix(filepath.Base(filepath.Clean(dir)), ".partial"), Domain: m.Domain, Rules: m.Rules,
		TextPolicy: m.TextPolicy, Geo: Geo{m.Geo, geo.Credit(m.Geo)}, Text: m.Text, Inputs: len(m.Inputs), LeftOut: len(m.LeftOut), Warnings: m.Warnings,
	}
	for _, o := range m.Outputs {
		file := File{
			Path: o.Path, Table: o.Table, Format: o.Format, Bytes: o.Bytes, SHA256: o.SHA256, RowsIn: o.RowsIn, RowsOut: o.RowsOut,
			Dropped: o.Dropped, SetAside: o.SetAside, People: o.People,
		}
		for _, c := range o.Columns {
			file.addColumn(c, "")
		}
		if !filepath.IsLocal(filepath.FromSlash(o.Path)) {
			return nil, fault.New(fault.Failure, "the manifest names a file outside of the release").At(where, 0, "")
		}
		if err := profile(filepath.Join(dir, filepath.FromSlash(o.Path)), &file); err != nil {
			return nil, err
		}
		for _, c := range m.Parquet {
			if c.Of == o.Path {
				file.Parquet = &c
			}
		}
		f.Files = append(f.Files, file)
	}
	f.findKeys()
	return f, nil
}

// addColumn adds a column of the manifest and the paths inside it.
func (f *File) addColumn(c manifestColumn, outer string) {
	name := c.Name
	if outer != "" {
		name = outer + " › " + c.Name
	}
	f.Columns = append(f.Columns, Column{
		Name: name, Role: c.Role, Action: c.Action, Why: c.Why, Distinct: -1,
		Kept: c.Kept, Changed: c.Changed, Emptied: c.Emptied, Nulls: c.Nulls, Failed: c.Failed,
		Masked: c.Masked, Decided: c.Decided, Waiting: c.Waiting,
	})
	for _, field := range c.Fields {
		f.addColumn(field, name)
	}
}

// verb is an action without its settings: "pseudonym(user_id)" is a pseudonym.
func verb(action string) string {
	name, _, _ := strings.Cut(action, "(")
	return name
}

// tabular reports whether a file is a table with a header.
func (f *File) tabular() bool { return f.Format == "csv" || f.Format == "tsv" }

// shows reports whether the release shows a column of the file.
func (f *File) shows(name string) bool {
	return slices.ContainsFunc(f.Columns, func(c Column) bool { return c.Name == name && !c.Gone() })
}

// joins are the columns that refer to another table of the same export
// (edX data: user ids everywhere are auth_user.id; a language proficiency
// belongs to a profile).
var joins = []struct{ column, table, reference string }{
	{"user_id", "auth_user", "id"},
	{"student_id", "auth_user", "id"},
	{"user_profile_id", "auth_userprofile", "id"},
	{"article_id", "wiki_article", "id"},
	{"team_id", "teams", "id"},
}

// identifies reports whether a column called id is the primary key of its file:
// when the release shows as many different ids as rows. Beyond what is counted,
// the action decides: ids of edX tables are unique, and pseudonyms and row keys
// stay so.
func (f *File) identifies(c Column) bool {
	if c.Name != "id" || c.Gone() || c.Nulls > 0 || f.RowsOut == 0 {
		return false
	}
	if c.Many {
		return verb(c.Action) == "key" || verb(c.Action) == "pseudonym"
	}
	return c.Distinct == f.RowsOut
}

// findKeys finds primary and foreign keys. A reference is told only when its
// target is a primary key in the same folder.
func (f *Facts) findKeys() {
	for i := range f.Files {
		file := &f.Files[i]
		for _, c := range file.Columns {
			if file.identifies(c) {
				file.PrimaryKey = []string{"id"}
			}
		}
	}
	for i := range f.Files {
		file := &f.Files[i]
		for _, join := range joins {
			if !file.tabular() || !file.shows(join.column) {
				continue
			}
			for j := range f.Files {
				target := &f.Files[j]
				if target.Table == join.table && i != j && path.Dir(target.Path) == path.Dir(file.Path) && slices.Equal(target.PrimaryKey, []string{join.reference}) {
					file.ForeignKeys = append(file.ForeignKeys, ForeignKey{join.column, target.Path, join.reference})
					break
				}
			}
		}
	}
}
