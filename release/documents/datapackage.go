package documents

import (
	"bytes"
	"encoding/json"
	"path"
	"strconv"
	"strings"

	"anonymooc/release/records"
)

// The parts of a Frictionless Data Package, version 1 (specs.frictionlessdata.io:
// Data Package, Tabular Data Resource, Table Schema, CSV Dialect).
type (
	dataPackage struct {
		Profile     string            `json:"profile"`
		Name        string            `json:"name"`
		Title       string            `json:"title"`
		Description string            `json:"description"`
		Sources     []packageSource   `json:"sources,omitempty"`
		Resources   []packageResource `json:"resources"`
	}
	packageSource struct {
		Title string `json:"title"`
		Path  string `json:"path,omitempty"`
	}
	packageResource struct {
		Profile     string          `json:"profile"`
		Name        string          `json:"name"`
		Path        string          `json:"path"`
		Title       string          `json:"title"`
		Format      string          `json:"format"`
		MediaType   string          `json:"mediatype"`
		Encoding    string          `json:"encoding,omitempty"`
		Compression string          `json:"compression,omitempty"`
		Bytes       int64           `json:"bytes"`
		Hash        string          `json:"hash,omitempty"`
		Dialect     *packageDialect `json:"dialect,omitempty"`
		Schema      *packageSchema  `json:"schema,omitempty"`
	}
	packageDialect struct {
		Delimiter   string `json:"delimiter"`
		DoubleQuote bool   `json:"doubleQuote"`
		EscapeChar  string `json:"escapeChar,omitempty"`
		QuoteChar   string `json:"quoteChar,omitempty"`
	}
	packageSchema struct {
		Fields        []packageField `json:"fields"`
		MissingValues []string       `json:"missingValues"`
		PrimaryKey    []string       `json:"primaryKey,omitempty"`
		ForeignKeys   []packageKey   `json:"foreignKeys,omitempty"`
	}
	packageField struct {
		Name        string `json:"name"`
		Type        string `json:"type"`
		Format      string `json:"format,omitempty"`
		Description string `json:"description,omitempty"`
		Role        string `json:"anonymooc:role,omitempty"`
		Action      string `json:"anonymooc:action,omitempty"`
	}
	packageKey struct {
		Fields    []string         `json:"fields"`
		Reference packageReference `json:"reference"`
	}
	packageReference struct {
		Resource string   `json:"resource"`
		Fields   []string `json:"fields"`
	}
)

// dataPackageJSON describes the files of a release for programs.
func dataPackageJSON(f *Facts) ([]byte, error) {
	names := resourceNames(f.Files)
	p := dataPackage{
		Profile: "data-package", Name: slug(f.Name), Title: f.title(),
		Description: "Pseudonymised course data. Columns and what was done to them: CODEBOOK.md. Figures on residuals and risk: report.en.html.",
		Resources:   []packageResource{},
	}
	if f.Geo.Credit != "" {
		p.Sources = append(p.Sources, packageSource{Title: f.Geo.Credit})
	}
	for i := range f.Files {
		p.Resources = append(p.Resources, resource(&f.Files[i], names))
		if f.Files[i].Parquet != nil {
			p.Resources = append(p.Resources, parquetResource(&f.Files[i], names))
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(p)
	return out.Bytes(), err
}

// resource describes one file. Every file is UTF-8: the engine refuses others.
func resource(f *File, names map[string]string) packageResource {
	r := packageResource{
		Profile: "data-resource", Name: names[f.Path], Path: f.Path, Title: f.Table, Encoding: "utf-8", Bytes: f.Bytes, Hash: f.hash(),
	}
	switch f.Format {
	case "json lines":
		r.Format, r.MediaType = "ndjson", "application/x-ndjson"
	case "json":
		r.Format, r.MediaType = "json", "application/json"
	case "bson":
		r.Format, r.MediaType, r.Encoding = "bson", "application/octet-stream", ""
	default: // copied as it was
		r.Format, r.MediaType = strings.TrimPrefix(path.Ext(records.PlainName(f.Path)), "."), "application/octet-stream"
	}
	switch path.Ext(f.Path) {
	case ".gz":
		r.Compression = "gz"
	case ".zst":
		r.Compression = "zst"
	}
	if !f.tabular() {
		return r
	}
	r.Profile, r.Format, r.MediaType = "tabular-data-resource", "csv", "text/csv"
	r.Dialect = &packageDialect{Delimiter: ",", DoubleQuote: true, QuoteChar: `"`}
	if f.Format == "tsv" {
		r.Format, r.MediaType = "tsv", "text/tab-separated-values"
		r.Dialect = &packageDialect{Delimiter: "\t", EscapeChar: `\`}
	}
	r.Schema = &packageSchema{MissingValues: []string{"", "NULL", `\N`}, PrimaryKey: f.PrimaryKey, Fields: []packageField{}}
	for _, c := range f.Columns {
		if c.Gone() || strings.Contains(c.Name, " › ") {
			continue
		}
		field := packageField{Name: c.Name, Type: c.Type, Description: c.Why, Role: c.Role, Action: c.Action}
		switch c.Type {
		case "":
			field.Type = "any"
		case "datetime":
			field.Format = "any"
		}
		r.Schema.Fields = append(r.Schema.Fields, field)
	}
	for _, key := range f.ForeignKeys {
		r.Schema.ForeignKeys = append(r.Schema.ForeignKeys, packageKey{
			Fields: []string{key.Column}, Reference: packageReference{Resource: names[key.Path], Fields: []string{key.Reference}},
		})
	}
	return r
}

// parquetResource describes the Parquet of a file.
func parquetResource(f *File, names map[string]string) packageResource {
	c := f.Parquet
	r := packageResource{
		Profile: "data-resource", Name: names[c.Path], Path: c.Path, Title: f.Table, Format: "parquet", MediaType: "application/vnd.apache.parquet",
		Bytes: c.Bytes, Hash: "sha256:" + c.SHA256, Schema: &packageSchema{Fields: []packageField{}, MissingValues: []string{""}},
	}
	types := map[string]string{"text": "string", "decimal": "number", "timestamp": "datetime"}
	for _, column := range c.Columns {
		field := packageField{Name: column.Name, Type: column.Type}
		if other, ok := types[column.Type]; ok {
			field.Type = other
		}
		r.Schema.Fields = append(r.Schema.Fields, field)
	}
	return r
}

func (f *File) hash() string {
	if f.SHA256 == "" {
		return ""
	}
	return "sha256:" + f.SHA256
}

// resourceNames gives each file a name of its own in the letters that the
// specification allows.
func resourceNames(files []File) map[string]string {
	names, taken := map[string]string{}, map[string]bool{}
	give := func(place, base string) {
		base = slug(base)
		name := base
		for n := 2; taken[name]; n++ {
			name = base + "-" + strconv.Itoa(n)
		}
		taken[name] = true
		names[place] = name
	}
	for _, f := range files {
		give(f.Path, strings.TrimSuffix(f.Path, path.Ext(f.Path)))
	}
	for _, f := range files {
		if f.Parquet != nil {
			give(f.Parquet.Path, f.Parquet.Path)
		}
	}
	return names
}

// slug keeps lower-case letters, digits, ".", "_", "-" and "/".
func slug(s string) string {
	out := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '.', r == '_', r == '-', r == '/':
			return r
		}
		return '-'
	}, strings.ToLower(s))
	if out = strings.Trim(out, "-./"); out == "" {
		return "release"
	}
	return out
}

func (f *Facts) title() string {
	if f.Title != "" {
		return f.Title
	}
	return f.Name
}
