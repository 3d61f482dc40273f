package corpus

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"anonymooc/internal/fault"

	"anonymooc/internal/source"
)

const dialects = `{"_id":{"$oid":"52ee7a0000000000000000a1"},"_type":"CommentThread","author_id":"7","author_username":"zoe","title":"Bonjour","body":"Merci","course_id":"a/b/c","created_at":{"$date":1391421072000}}
{"_id":{"$oid":"52ee7a0000000000000000a2"},"_type":"Comment","comment_thread_id":{"$oid":"52ee7a0000000000000000a1"},"author_id":8,"body":"x","created_at":{"$date":"2014-02-03T09:51:12Z"}}
{"_id":{"$oid":"52ee7a0000000000000000a3"},"_type":"Comment","comment_thread_id":{"$oid":"52ee7a0000000000000000a1"},"parent_id":{"$oid":"52ee7a0000000000000000a2"},"author_id":{"$numberLong":"7"},"body":null,"created_at":{"$date":{"$numberLong":"1391421072000"}}}
{"_id":"p-4","author_username":"anna","body":"y","created_at":"nonsense"}
`

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func posts(t *testing.T, path string) []Post {
	t.Helper()
	c, err := Open(source.OnDisk(path))
	if err != nil {
		t.Fatal(err)
	}
	var all []Post
	if err := c.Each(func(p *Post) error { all = append(all, *p); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEveryDialectAndFileReadsAlike(t *testing.T) {
	lines := posts(t, write(t, "forum.mongo", dialects))
	if len(lines) != 4 {
		t.Fatalf("%d posts", len(lines))
	}
	when := time.Date(2014, 2, 3, 9, 51, 12, 0, time.UTC)
	for i, p := range lines[:3] {
		if !p.Created.Equal(when) || p.Thread != "52ee7a0000000000000000a1" {
			t.Errorf("post %d: %+v", i, p)
		}
	}
	if lines[1].Author != "8" || lines[2].Author != "7" || lines[1].Parent != lines[0].ID || lines[2].Parent != lines[1].ID {
		t.Errorf("authors or parents differ: %+v", lines)
	}
	if lines[3].Thread != "p-4" || !lines[3].Created.IsZero() {
		t.Errorf("got %+v", lines[3])
	}
	array := "\xef\xbb\xbf [" + strings.ReplaceAll(strings.TrimSpace(dialects), "\n", ",\n") + "]\n"
	zipped := write(t, "forum.json.gz", "")
	f, err := os.Create(zipped)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	z.Write([]byte(dialects))
	z.Close()
	f.Close()
	for _, path := range []string{write(t, "forum.json", array), zipped} {
		got := posts(t, path)
		if len(got) != len(lines) {
			t.Fatalf("%s: %d posts", filepath.Base(path), len(got))
		}
		for i := range got {
			if got[i] != lines[i] {
				t.Errorf("%s: post %d is %+v, want %+v", filepath.Base(path), i, got[i], lines[i])
			}
		}
	}
}

func TestIndexKnowsTheConversation(t *testing.T) {
	c, err := Open(source.OnDisk(write(t, "forum.mongo", dialects)))
	if err != nil {
		t.Fatal(err)
	}
	x := c.Index()
	name := func(n int32) string {
		if n == None {
			return ""
		}
		return x.Authors()[n]
	}
	tests := []struct{ post, author, answered, talkers string }{
		{"52ee7a0000000000000000a1", "7", "", "7 8"},
		{"52ee7a0000000000000000a2", "8", "7", "7 8"},
		{"52ee7a0000000000000000a3", "7", "8", "7 8"},
		{"p-4", "anna", "", "anna"},
	}
	for _, tt := range tests {
		where, ok := x.Conversation(tt.post)
		var talkers []string
		for _, n := range x.Participants(where.Thread) {
			talkers = append(talkers, name(n))
		}
		if !ok || name(where.Author) != tt.author || name(where.Answered) != tt.answered || strings.Join(talkers, " ") != tt.talkers {
			t.Errorf("%s: author %q answers %q among %v", tt.post, name(where.Author), name(where.Answered), talkers)
		}
	}
	if _, ok := x.Conversation("unknown"); ok {
		t.Error("an unknown post is found")
	}
}

func TestBrokenForumIsAFaultWithoutValues(t *testing.T) {
	for _, text := range []string{`{"_id":"a"} {"body":"Zoé"}`, `{"_id":"a"}` + "\n" + `{"Zoé`, `[{"_id":"a"},"Zoé"]`, `[{"_id":"a"}`} {
		_, err := Open(source.OnDisk(write(t, "forum.json", text)))
		var f *fault.Fault
		if !errors.As(err, &f) || strings.Contains(err.Error(), "Zo") || f.File != "forum.json" {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := Open(source.OnDisk(filepath.Join(t.TempDir(), "none.json"))); err == nil {
		t.Error("a missing file is read")
	}
	if c, err := Open(source.OnDisk(write(t, "forum.json", " \n"))); err != nil || c.Index().Len() != 0 {
		t.Errorf("an empty file: %v", err)
	}
}

// FuzzDecodeNeverLosesARecord: a file made of whole records gives as many posts.
func FuzzDecodeNeverLosesARecord(f *testing.F) {
	f.Add("Merci \"Zoé\"\n", uint8(3), true)
	f.Fuzz(func(t *testing.T, body string, n uint8, array bool) {
		body = strings.ToValidUTF8(body, "")
		quoted := quote(t, body)
		var records []string
		for range n {
			records = append(records, `{"_id":{"$oid":"52ee7a0000000000000000a1"},"body":`+quoted+`}`)
		}
		text := strings.Join(records, "\n")
		if array {
			text = "[" + strings.Join(records, ",") + "]"
		}
		count := 0
		err := decode("forum.json", strings.NewReader(text), func(p *Post) error {
			count++
			if p.Body != body {
				t.Errorf("body %q, want %q", p.Body, body)
			}
			return nil
		})
		if err != nil || count != int(n) {
			t.Fatalf("%d of %d records: %v", count, n, err)
		}
	})
}

func quote(t *testing.T, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
