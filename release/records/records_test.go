package records

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// FuzzFieldsAgreeWithTheStandardLibrary: whatever encoding/csv writes is read
// back, however its records are cut.
func FuzzFieldsAgreeWithTheStandardLibrary(f *testing.F) {
	f.Add("a,b\n\"c\"", "\"", "x\r\ny", "")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		rows := [][]string{{"1", a, b}, {"2", c, d}}
		var buffer bytes.Buffer
		w := csv.NewWriter(&buffer)
		if w.WriteAll(rows) != nil {
			t.Skip()
		}
		n := 0
		Each(Block{Data: buffer.Bytes(), Line: 1}, CSV, func(_ int64, record []byte) {
			var r Fields
			r.Read(record, CSV)
			if n < len(rows) && len(r.Values) == 3 {
				for i, field := range r.Values {
					if string(field) != rows[n][i] {
						t.Errorf("row %d: %q is read as %q", n, rows[n][i], field)
					}
				}
			} else {
				t.Errorf("row %d: %d fields", n, len(r.Values))
			}
			n++
		})
		if n != len(rows) {
			t.Errorf("%d rows are read as %d", len(rows), n)
		}
	})
}

// FuzzEscapedTabsRoundTrip: a field written with backslash escapes is read back.
func FuzzEscapedTabsRoundTrip(f *testing.F) {
	f.Add("a\tb\\\n", "\\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		escape := strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)
		if strings.ContainsRune(a+b, 0) || a == "" || b == "" {
			t.Skip()
		}
		var r Fields
		r.Read([]byte(escape.Replace(a)+"\t"+escape.Replace(b)+"\n"), TSV)
		if len(r.Values) != 2 || string(r.Values[0]) != a || string(r.Values[1]) != b {
			t.Errorf("%q and %q are read as %q", a, b, r.Values)
		}
	})
}

// TestBlocksHoldWholeRecords: whatever the size of records, cutting a stream into
// blocks loses none and tears none, and each knows its line.
func TestBlocksHoldWholeRecords(t *testing.T) {
	long := strings.Repeat("x, \"\"y\"\"\n", BlockSize/4)
	text := "a,b\r\n1,\"" + long + "\"\r\n" + strings.Repeat("2,\"line\nbreak\"\r\n", BlockSize/8) + "3,last"
	rows, line := 0, int64(1)
	err := Blocks(strings.NewReader(text), CSV, func(b Block) error {
		Each(b, CSV, func(at int64, record []byte) {
			var r Fields
			r.Read(record, CSV)
			if at != line || len(r.Values) != 2 {
				t.Fatalf("row %d begins on line %d, not %d, with %d fields", rows, at, line, len(r.Values))
			}
			line += int64(bytes.Count(record, []byte{'\n'}))
			rows++
		})
		return nil
	})
	if err != nil || rows != BlockSize/8+3 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

func TestFormatOf(t *testing.T) {
	tests := []struct {
		name, head string
		want       Format
	}{
		{"auth_user.csv", "id,username\n", CSV},
		{"a-auth_user-prod-analytics.sql", "id\tusername\n", TSV},
		{"tracking_log.json", "{\"a\": 1}\n{\"b\": 2}\n", Lines},
		{"tracking.log.gz", "Oct 3 app: {\"a\": 1}\n", Lines},
		{"tracking.log", "{\"cut off\n{\"b\": 2}\n", Lines},
		{"course_structure.json", "{\n  \"a\": 1\n}\n", Document},
		{"forum.bson", "", Lines},
		{"forum.sqlite", "\x16\x00\x00\x00", Binary},
		{"events.parquet", "PAR1....", Parquet},
		{"README.md", "# a, b", Text},
		{"auth_user.csv", "\ufeffid,username\n", CSV},
	}
	for _, test := range tests {
		if got := FormatOf(test.name, []byte(test.head)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestHeaderIsReadThroughMarkAndCompression, and so are the records behind it.
func TestHeaderIsReadThroughMarkAndCompression(t *testing.T) {
	name := filepath.Join(t.TempDir(), "auth_user.csv.gz")
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte("\ufeffid,\"user\nname\"\n1,x\n2,y\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	head, err := Beginning(name)
	if err != nil {
		t.Fatal(err)
	}
	if header := Header(head, CSV); len(header) != 2 || header[0] != "id" || header[1] != "user\nname" {
		t.Errorf("%q", header)
	}
	var lines []int64
	err = Walk(name, CSV, func(line int64, record []byte) bool {
		lines = append(lines, line)
		return len(lines) < 1
	})
	if err != nil || len(lines) != 1 || lines[0] != 3 {
		t.Errorf("%v, %v", lines, err)
	}
}

// TestCutFilesDoNotPass: a compressed file that lost its end is no file that ends
// there.
func TestCutFilesDoNotPass(t *testing.T) {
	text := []byte("a,b\n" + strings.Repeat("1,2\n", 1<<16))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, whole := range map[string][]byte{"t.csv.gz": packed.Bytes(), "t.csv.zst": encoder.EncodeAll(text, nil)} {
		for cut := range 12 {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, whole[:len(whole)-cut], 0o600); err != nil {
				t.Fatal(err)
			}
			rows := 0
			err := Walk(path, CSV, func(int64, []byte) bool { rows++; return true })
			if cut == 0 && (err != nil || rows != 1<<16) || cut > 0 && err == nil {
				t.Errorf("%s without its last %d bytes: %d rows, %v", name, cut, rows, err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "head.csv.gz")
	if err := os.WriteFile(path, packed.Bytes()[:10], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Beginning(path); err == nil {
		t.Error("a header alone passes for an empty file")
	}
}
