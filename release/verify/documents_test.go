package verify_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// exportOfForms is the bundled export with one course's forum in BSON and the
// other's in an array.
func exportOfForms(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "export")
	if err := os.CopyFS(dir, os.DirFS(export)); err != nil {
		t.Fatal(err)
	}
	forums, err := filepath.Glob(filepath.Join(dir, "*", "forum_contents.json"))
	if err != nil || len(forums) != 2 {
		t.Fatalf("%v, %v", forums, err)
	}
	text, err := os.ReadFile(forums[0])
	if err != nil {
		t.Fatal(err)
	}
	var documents []byte
	for line := range bytes.Lines(text) {
		var d bson.D
		if err := bson.UnmarshalExtJSON(line, false, &d); err != nil {
			t.Fatal(err)
		}
		b, err := bson.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, b...)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(forums[0]), "contents.bson"), documents, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(forums[0]); err != nil {
		t.Fatal(err)
	}
	if text, err = os.ReadFile(forums[1]); err != nil {
		t.Fatal(err)
	}
	array := "[\n" + strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", ",\n") + "\n]\n"
	if err := os.WriteFile(forums[1], []byte(array), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestForumsInEveryForm: a forum in BSON or in an array is read back as one in
// lines is: nothing to tell of it, and a name that is put back is found.
func TestForumsInEveryForm(t *testing.T) {
	m := makeReleaseOf(t, exportOfForms(t))
	report := m.mutant("", nil)
	for _, f := range report.Residuals {
		t.Errorf("residual %+v", f)
	}
	for _, p := range report.Problems {
		t.Errorf("problem %+v", p)
	}
	const binary, text = "ImaginaireX-BOT101-Automne_2014/contents.bson", "ImaginaireX-HIS202-2015_T2/forum_contents.json"
	username := ""
	for _, known := range m.known {
		if known.Kind == "username" && len(known.Value) > 8 && !strings.ContainsAny(known.Value, "@ \"") {
			username = known.Value
		}
	}
	if username == "" {
		t.Fatal("nobody has a username")
	}
	data := m.read(m.folder, binary)
	var first bson.D
	n := int(data[0]) | int(data[1])<<8
	if err := bson.Unmarshal(data[:n], &first); err != nil {
		t.Fatal(err)
	}
	for i := range first {
		if first[i].Key == "commentable_id" || first[i].Key == "_type" {
			first[i].Value = username
		}
	}
	leaking, err := bson.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	for file, mutated := range map[string][]byte{
		binary: append(leaking, data[n:]...),
		text:   bytes.Replace(m.read(m.folder, text), []byte(`"CommentThread"`), []byte(`"`+username+`"`), 1),
	} {
		found := false
		for _, f := range m.mutant(file, mutated).Residuals {
			found = found || f.File == file
		}
		if !found {
			t.Errorf("a username in %s is not found", file)
		}
	}
	// A document less is noticed by the count.
	counted := false
	for _, p := range m.mutant(binary, data[n:]).Problems {
		counted = counted || p.File == binary && strings.Contains(p.What, "rows")
	}
	if !counted {
		t.Error("a document that is missing is not noticed")
	}
}
