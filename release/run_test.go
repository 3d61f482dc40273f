package release_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/config"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/internal/sample/canary"
	"anonymooc/internal/secret"
	"anonymooc/release"
	"anonymooc/tables/geo"
)

const bundled = "../testdata/export"

// maker makes releases with one project and one id map.
type maker struct {
	t       *testing.T
	project string
	idMap   *idmap.Map
}

func newMaker(t *testing.T) *maker {
	t.Helper()
	project := filepath.Join(t.TempDir(), "project")
	if _, err := config.CreateProject(project); err != nil {
		t.Fatal(err)
	}
	seed := sha256.Sum256([]byte("release tests"))
	m, err := idmap.Create(filepath.Join(project, "map"), idmap.Options{
		Key:     secret.Key{Secret: secret.New(bytes.Repeat([]byte{7}, 32))},
		Purpose: "test", Rand: rand.NewChaCha8(seed),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return &maker{t: t, project: project, idMap: m}
}

// request prepares a run; change may be nil.
func (m *maker) request(out string, change func(*release.Request), exports ...string) release.Request {
	m.t.Helper()
	project, err := config.OpenProject(m.project, nil)
	if err != nil {
		m.t.Fatal(err)
	}
	rules, sum, err := project.RuleSet()
	if err != nil {
		m.t.Fatal(err)
	}
	places, err := geo.Open("")
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { places.Close() })
	request := release.Request{Exports: exports, Out: out, Project: project, Rules: rules, RulesSHA: sum, Map: m.idMap, Geo: places, Version: "test"}
	if change != nil {
		change(&request)
	}
	return request
}

func (m *maker) run(out string, change func(*release.Request), exports ...string) (*release.Result, error) {
	m.t.Helper()
	return release.Run(context.Background(), m.request(out, change, exports...))
}

func (m *maker) mustRun(out string, change func(*release.Request), exports ...string) *release.Result {
	m.t.Helper()
	result, err := m.run(out, change, exports...)
	if err != nil {
		m.t.Fatal(err)
	}
	return result
}

func jobs(n int) func(*release.Request) {
	return func(r *release.Request) { r.Project.Settings.Jobs = n }
}

// readTree returns every file below a folder by its relative path.
func readTree(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, path)
		files[filepath.ToSlash(relative)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func canaries(t *testing.T) []canary.Canary {
	t.Helper()
	f, err := os.Open("../testdata/canaries/canaries.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := canary.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestNoCanaryIsLeft: none of the identifiers planted in the bundled export is
// left in a drop release, in any encoding.
func TestNoCanaryIsLeft(t *testing.T) {
	out := filepath.Join(t.TempDir(), "release")
	newMaker(t).mustRun(out, nil, bundled)
	hits, err := canary.Search(out, canaries(t), canary.Options{Altered: true, Phrases: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, hit := range hits {
		t.Error(hit)
	}
}

// TestSameBytesWhateverTheWorkers holds invariant 4.
func TestSameBytesWhateverTheWorkers(t *testing.T) {
	m := newMaker(t)
	dir := t.TempDir()
	small := func(n int) func(*release.Request) {
		return func(r *release.Request) {
			r.Project.Settings.Jobs = n
			r.Limits.Block, r.Limits.Record = 4096, 1<<20 // many blocks
		}
	}
	m.mustRun(filepath.Join(dir, "warm"), jobs(1), bundled)
	m.mustRun(filepath.Join(dir, "one"), small(1), bundled)
	m.mustRun(filepath.Join(dir, "many"), small(7), bundled)
	one, many := readTree(t, filepath.Join(dir, "one")), readTree(t, filepath.Join(dir, "many"))
	if len(one) < 15 || len(one) != len(many) {
		t.Fatalf("%d and %d files", len(one), len(many))
	}
	for name, text := range one {
		if many[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

// TestWholeOrNotAtAll holds invariant 3 for every kind of broken input: a fault
// with a place and a hint, and nothing is left where the release would be.
func TestWholeOrNotAtAll(t *testing.T) {
	folders, err := os.ReadDir("../testdata/broken")
	if err != nil || len(folders) < 10 {
		t.Fatalf("%d broken exports: %v", len(folders), err)
	}
	readable := map[string]bool{ // these are set aside line by line, and told
		"not-json-log-line": true, "invalid-utf8-log-line": true, "truncated-last-line": true, "truncated-log-line": true,
		"nul-byte": true, // a NUL is a character like any other
	}
	secrets := canaries(t)
	for _, folder := range folders {
		t.Run(folder.Name(), func(t *testing.T) {
			m := newMaker(t)
			dir := t.TempDir()
			result, err := m.run(filepath.Join(dir, "release"), nil, filepath.Join("../testdata/broken", folder.Name()))
			if readable[folder.Name()] {
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(folder.Name(), "line") && len(result.Warnings) == 0 {
					t.Error("nothing is told of the line that was set aside")
				}
				return
			}
			var list fault.List
			var one *fault.Fault
			switch {
			case err == nil:
				t.Fatal("no error")
			case errors.As(err, &list):
			case errors.As(err, &one):
				list = fault.List{one}
			default:
				t.Fatalf("no fault: %v", err)
			}
			for _, f := range list {
				if f.File == "" || f.Hint == "" {
					t.Errorf("no place or no hint: %+v", f)
				}
				for _, c := range secrets {
					if len(c.Value) > 5 && strings.Contains(f.Error()+f.Hint, c.Value) {
						t.Errorf("a %s of the data is in the message", c.Kind)
					}
				}
			}
			left, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, entry := range left {
				t.Errorf("%s is left behind", entry.Name())
			}
		})
	}
}

// TestPlacesAreChecked: a release never lands in an export, over something else,
// or around the id map.
func TestPlacesAreChecked(t *testing.T) {
	m := newMaker(t)
	export := t.TempDir()
	if err := os.CopyFS(export, os.DirFS(bundled)); err != nil {
		t.Fatal(err)
	}
	occupied := t.TempDir()
	half := filepath.Join(t.TempDir(), "x.partial")
	if err := os.CopyFS(half, os.DirFS(bundled)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.run(strings.TrimSuffix(half, ".partial"), nil, half); fault.CodeOf(err) != fault.Usage || len(readTree(t, half)) < 10 {
		t.Errorf("an export where the release would grow: %v", err)
	}
	if _, err := m.run(strings.TrimSuffix(half, ".partial"), nil, export); fault.CodeOf(err) != fault.Usage || len(readTree(t, half)) < 10 {
		t.Errorf("somebody's folder where the release would grow: %v", err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(export, link); err != nil {
		t.Fatal(err)
	}
	if _, err := m.run(filepath.Join(link, "release"), nil, export); fault.CodeOf(err) != fault.Usage {
		t.Errorf("inside the export, by a link: %v", err)
	}
	for name, out := range map[string]string{
		"inside the export":       filepath.Join(export, "release"),
		"the export itself":       export,
		"around the export":       filepath.Dir(export),
		"around the id map":       m.project,
		"over an ordinary folder": occupied,
	} {
		if _, err := m.run(out, nil, export); fault.CodeOf(err) != fault.Usage {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := m.run(out, func(r *release.Request) { r.Replace = true }, export); fault.CodeOf(err) != fault.Usage {
			t.Errorf("%s, replacing: %v", name, err)
		}
	}
}

// TestReplace: an existing release is kept unless the user says otherwise.
func TestReplace(t *testing.T) {
	m := newMaker(t)
	out := filepath.Join(t.TempDir(), "release")
	m.mustRun(out, nil, bundled)
	before := readTree(t, out)
	if _, err := m.run(out, nil, bundled); fault.CodeOf(err) != fault.Usage {
		t.Fatalf("a second run into a release: %v", err)
	}
	m.mustRun(out, func(r *release.Request) { r.Replace = true }, bundled)
	if after := readTree(t, out); len(after) != len(before) {
		t.Errorf("%d files became %d", len(before), len(after))
	}
	left, err := os.ReadDir(filepath.Dir(out))
	if err != nil || len(left) != 1 {
		t.Errorf("beside the release lie %v, %v", left, err)
	}
}

// TestInterrupted: a run that is cancelled leaves nothing behind.
func TestInterrupted(t *testing.T) {
	m := newMaker(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	request := m.request(filepath.Join(dir, "release"), nil, bundled)
	request.Progress = &cancelling{cancel: cancel, after: 5}
	if _, err := release.Run(ctx, request); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// cancelling cancels the run at the given file.
type cancelling struct {
	cancel func()
	after  int
}

func (c *cancelling) File(string, int64) {
	if c.after--; c.after == 0 {
		c.cancel()
	}
}
func (*cancelling) Start(int, int64)  {}
func (*cancelling) Read(int64, int64) {}
func (*cancelling) Stage(string)      {}
func (*cancelling) Done()             {}

// TestSecondCourseReusesPseudonyms: with one project, a person has the same
// pseudonym in the releases of two courses made one after the other.
func TestSecondCourseReusesPseudonyms(t *testing.T) {
	m := newMaker(t)
	dir := t.TempDir()
	courses, err := filepath.Glob(bundled + "/*")
	if err != nil || len(courses) != 2 {
		t.Fatalf("%v, %v", courses, err)
	}
	pseudonyms := map[string]string{} // by real id
	shared := 0
	for i, course := range courses {
		out := filepath.Join(dir, "release", filepath.Base(course))
		if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
			t.Fatal(err)
		}
		m.mustRun(out, nil, course)
		real, released := csvColumn(t, filepath.Join(course, "auth_user.csv"), "id"), csvColumn(t, filepath.Join(out, "auth_user.csv"), "id")
		if len(real) != len(released) {
			t.Fatalf("%d rows became %d", len(real), len(released))
		}
		for row, id := range real {
			if have, ok := pseudonyms[id]; ok {
				shared++
				if have != released[row] {
					t.Errorf("course %d: a person has two pseudonyms", i)
				}
			}
			pseudonyms[id] = released[row]
		}
	}
	if shared < 3 {
		t.Errorf("only %d people take both courses: the test proves nothing", shared)
	}
}

// TestMentionedBeforeTheirRow: somebody whom only a table without names knows is
// replaced wherever they are mentioned, before their own row too, and the first
// release is the same as any later one.
func TestMentionedBeforeTheirRow(t *testing.T) {
	export := t.TempDir()
	for name, text := range map[string]string{
		"auth_user.csv": "id,username\n5,basile\n",
		"courseware_studentmodule.csv": "id,module_type,module_id,student_id,state,grade,created,modified,max_grade,done,course_id\n" +
			"1,problem,i4x://x/y/problem/z,5,\"{\"\"peer\"\": 990099}\",NULL,2014-10-07,2014-10-07,NULL,na,x/y/z\n" +
			"2,problem,i4x://x/y/problem/z,990099,{},NULL,2014-10-07,2014-10-07,NULL,na,x/y/z\n",
		"tracking_log.json": `{"username": "basile", "event": {"mentor": "zenobie", "seen": {"by": {"777077": 1}}}, "context": {"user_id": 5}}` + "\n" +
			`{"username": "zenobie", "event": {}, "context": {"user_id": 777077}}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(export, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := newMaker(t)
	dir := t.TempDir()
	m.mustRun(filepath.Join(dir, "first"), jobs(1), export)
	m.mustRun(filepath.Join(dir, "second"), jobs(3), export)
	first, second := readTree(t, filepath.Join(dir, "first")), readTree(t, filepath.Join(dir, "second"))
	for name, text := range first {
		if second[name] != text && name != release.ManifestFile {
			t.Errorf("%s differs in the second release", name)
		}
		for _, identifier := range []string{"990099", "zenobie", "777077"} {
			if strings.Contains(text, identifier) {
				t.Errorf("%s: somebody is left", name)
			}
		}
	}
}
