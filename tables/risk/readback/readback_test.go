package readback

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"anonymooc/internal/fault"
)

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// rows reads the columns of a table; a cell is followed by "|", a row by ";".
func rows(path string, columns ...string) (string, error) {
	var b strings.Builder
	err := Rows(path, columns, func(cells []string) { b.WriteString(strings.Join(cells, "|") + ";") })
	return b.String(), err
}

func TestRowsReadsTheFormsThatAReleaseHas(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"comma":             {"a,b\n1,2\n3,4\n", "1|2;3|4;"},
		"mark, CRLF":        {"\ufeffa,b\r\n1,2\r\n3,4", "1|2;3|4;"},
		"line break":        {"a,b\n\"x\ny\",\"2 \"\"q\"\"\"\n", "x\ny|2 \"q\";"},
		"order":             {"b,c,a\n2,9,1\n", "1|2;"},
		"nulls":             {"a,b\nNULL,\\N\n,x\n", "|;|x;"},
		"missing column":    {"a\n1\n2\n", "1|;2|;"},
		"tabs":              {"a\tb\n1\t2\n", "1|2;"},
		"tab: lone quote":   {"a\tb\n\"1\t2\"\n", "\"1|2\";"},
		"tab: backslashes":  {"a\tb\nx\\\ty\tz\\\\\n1\\\n2\t3\n", "x\\\ty|z\\\\;1\\\n2|3;"},
		"header only":       {"a,b\n", ""},
		"nothing":           {"", ""},
		"blank line at end": {"a,b\n1,2\n\n", "1|2;"},
	} {
		var packed bytes.Buffer
		g := gzip.NewWriter(&packed)
		g.Write([]byte(c.text))
		g.Close()
		encoder, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		for file, data := range map[string][]byte{"t.csv": []byte(c.text), "t.sql.gz": packed.Bytes(), "t.csv.zst": encoder.EncodeAll([]byte(c.text), nil)} {
			got, err := rows(write(t, file, data), "a", "b")
			if err != nil || got != c.want {
				t.Errorf("%s in %s: %q, %v; want %q", name, file, got, err, c.want)
			}
		}
	}
}

func TestRowsRefusesARaggedTable(t *testing.T) {
	for name, text := range map[string]string{"short": "a,b\n1\n", "long": "a,b\n1,2,3\n", "tabs": "a\tb\n1\n"} {
		_, err := rows(write(t, "t.csv", []byte(text)), "a")
		var f *fault.Fault
		if !errors.As(err, &f) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := rows(filepath.Join(t.TempDir(), "none.csv")); fault.CodeOf(err) != fault.Failure {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := rows(write(t, "t.csv.gz", []byte("no gzip"))); fault.CodeOf(err) != fault.Failure {
		t.Errorf("no gzip: %v", err)
	}
}

func TestLinesGivesEveryLineHoweverLong(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	var got []int
	if err := Lines(strings.NewReader("a\n\n"+long+"\nlast"), func(line []byte) { got = append(got, len(bytes.TrimSpace(line))) }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []int{1, 0, len(long), 4}) {
		t.Errorf("%v", got)
	}
}
