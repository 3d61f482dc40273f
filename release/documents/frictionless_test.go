package documents

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"anonymooc/release/columnar"
)

// profileOf compiles a public profile of Frictionless Data.
func profileOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "frictionless", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat() // dates, URIs and e-mail addresses are looked at, too
	if err := c.AddResource(name+".json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// TestDataPackageValidates: a datapackage.json, of a release of every format and
// with Parquet, is what the public profile asks for, and so is each table in it.
func TestDataPackageValidates(t *testing.T) {
	facts := fullFacts()
	for i, format := range []string{"json", "bson", "file"} {
		facts.Files = append(facts.Files, File{Path: []string{"ora/a.json", "forum.bson.gz", "course_structure.json"}[i], Table: "x", Format: format, Bytes: 1})
	}
	facts.Files[0].Parquet = &columnar.Copy{Path: "auth_user.parquet", SHA256: "00", Bytes: 1, Columns: []columnar.Column{{Name: "id", Type: "integer"}, {Name: "seen", Type: "timestamp"}, {Name: "grade", Type: "decimal"}, {Name: "text", Type: "text"}, {Name: "day", Type: "date"}, {Name: "flag", Type: "boolean"}}}
	data, err := dataPackageJSON(facts)
	if err != nil {
		t.Fatal(err)
	}
	validates(t, data)
	// The profile notices what is wrong.
	for _, broken := range [][2]string{{`"resources":`, `"sources":`}, {`"type": "integer"`, `"type": "whole"`}, {`"name": "`, `"name": "A B`}} {
		if bad := bytes.Replace(data, []byte(broken[0]), []byte(broken[1]), -1); bytes.Equal(bad, data) || problemsOf(t, bad) == nil {
			t.Errorf("%q passes for %q", broken[1], broken[0])
		}
	}
}

func validates(t *testing.T, data []byte) {
	t.Helper()
	if err := problemsOf(t, data); err != nil {
		t.Error(err)
	}
}

func problemsOf(t *testing.T, data []byte) error {
	t.Helper()
	p, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := profileOf(t, "data-package").Validate(p); err != nil {
		return err
	}
	var resources struct{ Resources []json.RawMessage }
	if err := json.Unmarshal(data, &resources); err != nil {
		t.Fatal(err)
	}
	tabular := profileOf(t, "tabular-data-resource")
	for _, raw := range resources.Resources {
		var kind struct{ Profile string }
		if err := json.Unmarshal(raw, &kind); err != nil {
			t.Fatal(err)
		}
		resource, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if kind.Profile == "tabular-data-resource" {
			if err := tabular.Validate(resource); err != nil {
				return err
			}
		}
	}
	return nil
}
