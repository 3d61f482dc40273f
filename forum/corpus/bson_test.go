package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

// dumped reads extended JSON, one document a line, and gives what mongodump writes.
func dumped(t testing.TB, lines string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		var d bson.D
		if err := bson.UnmarshalExtJSON([]byte(line), false, &d); err != nil {
			t.Fatal(err)
		}
		document, err := bson.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(document)
	}
	return out.String()
}

func TestBSONReadsAsJSON(t *testing.T) {
	lines := strings.Replace(dialects, `{"$date":1391421072000}`, `{"$date":{"$numberLong":"1391421072000"}}`, 1)
	want, got := posts(t, write(t, "forum.mongo", lines)), posts(t, write(t, "contents.bson", dumped(t, lines)))
	if len(got) != len(want) {
		t.Fatalf("%d posts, not %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("post %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestDamagedBSONIsAFaultWithoutValues(t *testing.T) {
	whole := dumped(t, dialects)
	invalid, err := bson.Marshal(bson.D{{Key: "_id", Value: "a"}, {Key: "body", Value: "Zo\xff"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"cut": whole[:len(whole)-3], "length": whole + "\x02\x00\x00\x00", "bomb": "\xff\xff\xff\x7fZoé", "no id": dumped(t, `{"body":"Zoé"}`), "utf-8": whole + string(invalid),
	} {
		_, err := Open(source.OnDisk(write(t, "contents.bson", text)))
		var f *fault.Fault
		if !errors.As(err, &f) || strings.Contains(err.Error(), "Zo") || f.File != "contents.bson" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzDecodeBSON: whatever the bytes, there are posts or a fault.
func FuzzDecodeBSON(f *testing.F) {
	f.Add([]byte(dumped(f, dialects)))
	f.Add([]byte("\x11\x00\x00\x00\x02body\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		_ = decodeBSON("contents.bson", strings.NewReader(string(text)), func(*Post) error { return nil })
	})
}

// BenchmarkIndex compares what a corpus is read from: 100,000 posts, by their bytes.
func BenchmarkIndex(b *testing.B) {
	line := strings.Split(dialects, "\n")[2]
	lines := strings.Repeat(strings.Replace(line, `"body":null`, `"body":"`+strings.Repeat("Un message comme les autres. ", 20)+`"`, 1)+"\n", 100_000)
	for name, text := range map[string]string{"lines.mongo": lines, "contents.bson": dumped(b, lines)} {
		dir := b.TempDir()
		path := filepath.Join(dir, name)
		if err := writeFile(path, text); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := Open(source.OnDisk(path)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func writeFile(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }
