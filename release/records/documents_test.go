package records

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// TestDocumentsAreLines: a forum reads the same in every form.
func TestDocumentsAreLines(t *testing.T) {
	posts := []string{`{"_id":{"$oid":"52ee7a0000000000000000a1"},"body":"a } \" {\n[","created_at":{"$date":"2014-02-03T09:51:12.345Z"},"votes":{"up":["1"],"count":1}}`, `{"_id":"b","body":"\\"}`}
	want := strings.Join(posts, "\n") + "\n"
	var raw []byte
	for _, p := range posts {
		var d bson.D
		if err := bson.UnmarshalExtJSON([]byte(p), false, &d); err != nil {
			t.Fatal(err)
		}
		document, err := bson.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		raw = append(raw, document...)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"contents.bson": string(raw), "contents.bson.gz": string(raw), "lines.json": want, "array.json": "[" + strings.Join(posts, ",") + "]\n",
		"array.mongo": "\ufeff[\n" + strings.Join(posts, ",\n") + "\n]", "pretty.json": strings.NewReplacer(",\"votes\"", ",\n\"votes\"", "}}", "}\n}").Replace(posts[0]) + "\n" + posts[1],
	} {
		path := filepath.Join(dir, name)
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		var w io.WriteCloser = file
		if strings.HasSuffix(name, ".gz") {
			w = gzip.NewWriter(file)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		w.Close()
		file.Close()
		head, err := Beginning(path)
		if err != nil || FormatOf(name, head) != Lines {
			t.Errorf("%s is %s, %v", name, FormatOf(name, head), err)
		}
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		r.Close()
		flat := strings.NewReplacer(" \"votes\"", "\"votes\"", "} }", "}}").Replace(string(got))
		if err != nil || flat != want {
			t.Errorf("%s, %v:\n%s\nwant\n%s", name, err, got, want)
		}
	}
	for name, text := range map[string]string{"cut.bson": string(raw[:len(raw)-1]), "length.bson": "\x04\x00\x00\x00\x00", "cut.json": "[" + posts[0][:40]} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(r); err == nil {
			t.Errorf("%s is read to its end", name)
		}
		r.Close()
	}
}

// FuzzDocuments: whatever the bytes, they are lines of JSON or an error.
func FuzzDocuments(f *testing.F) {
	f.Add([]byte("\x11\x00\x00\x00\x02body\x00\x00\x00\x00\x00\x00\x00"), true)
	f.Add([]byte("[{\"a\":\n1},{}]"), false)
	f.Fuzz(func(t *testing.T, data []byte, binary bool) {
		name := "a.json"
		if binary {
			name = "a.bson"
		}
		text, err := io.ReadAll(AsLines(name, bytes.NewReader(data)))
		for line := range bytes.Lines(text) {
			if binary && err == nil && !json.Valid(line) {
				t.Fatalf("%q became %q", data, line)
			}
		}
	})
}
