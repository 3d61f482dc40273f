package mongotest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"anonymooc/forum/corpus/mongo"
)

// program is the command line, built once.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "anonymooc")
	build := exec.Command("go", "build", "-o", path, "./cmd/anonymooc")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// exported is the bundled export's first course: its folder without the forum, and
// the forum's documents.
func exported(t *testing.T) (folder string, whole string, documents []any) {
	t.Helper()
	const course = "../../../testdata/export/ImaginaireX-BOT101-Automne_2014"
	folder, whole = filepath.Join(t.TempDir(), "export"), filepath.Join(t.TempDir(), "export")
	if err := os.CopyFS(whole, os.DirFS(course)); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(folder, os.DirFS(course)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(course, "forum_contents.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "forum_contents.json")); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var d bson.D
		if err := bson.UnmarshalExtJSON(line, false, &d); err != nil {
			t.Fatal(err)
		}
		documents = append(documents, d)
	}
	return folder, whole, documents
}

// TestTheCommandLine: a forum on a server is released as the same forum in an
// export is, in the release and on another database, and no message tells where
// the server is.
func TestTheCommandLine(t *testing.T) {
	binary := program(t)
	db := start(t)
	folder, whole, documents := exported(t)
	ctx := context.Background()
	if _, err := db.client().Database("forum").Collection("contents").InsertMany(ctx, documents); err != nil {
		t.Fatal(err)
	}
	users := []any{
		bson.D{{Key: "_id", Value: "1"}, {Key: "external_id", Value: "1"}, {Key: "username", Value: "nobody.known"}, {Key: "email", Value: "nobody.known@post.example"}, {Key: "read_states", Value: bson.A{bson.D{{Key: "course_id", Value: "a/b/c"}, {Key: "last_read_times", Value: bson.D{{Key: "542d1e93ef66844e39647499", Value: bson.DateTime(1)}}}}}}},
	}
	if _, err := db.client().Database("forum").Collection("users").InsertMany(ctx, users); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	address := writeFile(t, "uri", []byte(db.uri()+"\n"))
	run := func(want int, args ...string) string {
		t.Helper()
		c := exec.Command(binary, args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "FORUM_TARGET="+db.uri()+"research")
		out, err := c.CombinedOutput()
		if code := c.ProcessState.ExitCode(); code != want {
			t.Fatalf("%v: exit status %d, %v\n%s", args, code, err, out)
		}
		if bytes.Contains(out, []byte(db.address)) || bytes.Contains(out, []byte("s3cret")) {
			t.Errorf("%v tells the server:\n%s", args, out)
		}
		return string(out)
	}
	source := []string{"--forum-mongo", "file:" + address, "--forum-db", "forum", "--project", "p"}
	with := func(args ...string) []string { return append(args, source...) }
	out := run(0, with("run", folder, "--out", "live", "--text", "strict", "--forum-mongo-out", "env:FORUM_TARGET", "--forum-collection", "contents,users")...)
	if !strings.Contains(out, "contents.bson: 80 documents, written to the server as contents") || strings.Contains(out, "was written to while") {
		t.Errorf("%s", out)
	}
	run(0, "run", whole, "--out", "file", "--text", "strict", "--project", "p")
	sameForum(t, filepath.Join(dir, "live", "contents.bson"), filepath.Join(dir, "file", "forum_contents.json"))
	released, err := os.ReadFile(filepath.Join(dir, "live", "contents.bson"))
	if err != nil {
		t.Fatal(err)
	}
	target := open(t, mongo.Options{URI: uri(db.uri()), Database: "research"})
	if got, err := read(t, target, "contents"); err != nil || len(got) != len(released) {
		t.Errorf("%d bytes on the server, %d in the release, %v", len(got), len(released), err)
	}
	usersOut, err := os.ReadFile(filepath.Join(dir, "live", "users.bson"))
	if err != nil || bytes.Contains(usersOut, []byte("nobody")) || bytes.Contains(usersOut, []byte("542d1e93")) || !bytes.Contains(usersOut, []byte("username")) {
		t.Errorf("%q, %v", usersOut, err)
	}
	manifest, err := os.ReadFile(filepath.Join(dir, "live", "manifest.json"))
	if err != nil || bytes.Contains(manifest, []byte(db.address)) || bytes.Contains(manifest, []byte("mongodb://")) {
		t.Errorf("the manifest tells the server, %v", err)
	}
	// Again: the collection is there with the same documents.
	out = run(0, with("run", folder, "--out", "live", "--replace", "--text", "strict", "--forum-mongo-out", "env:FORUM_TARGET", "--forum-collection", "contents,users")...)
	if !strings.Contains(out, "80 documents, on the server already as contents") {
		t.Errorf("%s", out)
	}
	// The forum alone, and the commands of the plug-in.
	run(0, with("run", "--out", "alone", "--text", "drop")...)
	if out := run(0, with("forum", "queue", "--json", "--known")...); !strings.Contains(out, `"kind"`) {
		t.Errorf("no question is asked: %.300s", out)
	}
	if out := run(0, "forum", "concordance", "Prudence", "--forum-mongo", "file:"+address, "--forum-db", "forum"); !strings.Contains(out, "[Prudence]") {
		t.Errorf("%.300s", out)
	}
	// What is refused, before anything is made.
	for _, refused := range [][]string{
		with("run", folder, "--out", "no", "--forum-mongo-out", "file:"+address, "--forum-out-db", "forum"),
		with("run", folder, "--out", "no", "--forum-collection", "none"),
		with("run", folder, "--out", "no", "--forum-mongo-out", "env:FORUM_TARGET", "--verify=false"),
		{"run", folder, "--out", "no", "--project", "q", "--forum-mongo", "mongodb://bob:s3cret-of-bob@host/"},
		{"run", folder, "--out", "no", "--project", "q", "--forum-mongo", "env:NO_SUCH_VARIABLE"},
		{"run", folder, "--out", "no", "--project", "q", "--forum-db", "forum"},
	} {
		run(2, refused...)
	}
	run(1, "run", folder, "--out", "no", "--project", "q", "--forum-mongo", "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=300")
	for _, gone := range []string{"no", "no.partial", "q"} {
		if _, err := os.Lstat(filepath.Join(dir, gone)); err == nil {
			t.Errorf("%s was made", gone)
		}
	}
}

// sameForum compares a forum in BSON with one in JSON lines.
func sameForum(t *testing.T, binary, lines string) {
	t.Helper()
	raw, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.Open(lines)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	want := map[string]string{}
	for s := bufio.NewScanner(text); s.Scan(); {
		var d bson.D
		if err := bson.UnmarshalExtJSON(s.Bytes(), false, &d); err != nil {
			t.Fatal(err)
		}
		b, err := bson.MarshalExtJSON(d, true, false)
		if err != nil {
			t.Fatal(err)
		}
		want[idOf(t, b)] = string(b)
	}
	n := 0
	for len(raw) > 0 {
		d, rest, ok := first(raw)
		if !ok {
			t.Fatal("the release's BSON is cut")
		}
		raw = rest
		b, err := bson.MarshalExtJSON(d, true, false)
		if err != nil {
			t.Fatal(err)
		}
		n++
		if want[idOf(t, b)] != string(b) {
			t.Errorf("%s\nis in JSON\n%s", b, want[idOf(t, b)])
		}
	}
	if n != len(want) || n == 0 {
		t.Errorf("%d posts, not %d", n, len(want))
	}
}

func first(raw []byte) (document bson.Raw, rest []byte, ok bool) {
	if len(raw) < 4 {
		return nil, nil, false
	}
	n := int(raw[0]) | int(raw[1])<<8 | int(raw[2])<<16
	if n > len(raw) {
		return nil, nil, false
	}
	return raw[:n], raw[n:], bson.Raw(raw[:n]).Validate() == nil
}

func idOf(t *testing.T, document []byte) string {
	t.Helper()
	var d struct {
		ID struct {
			OID string `json:"$oid"`
		} `json:"_id"`
	}
	if err := json.Unmarshal(document, &d); err != nil {
		t.Fatal(err)
	}
	return d.ID.OID
}
