package release_test

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// csvRows reads a table with the standard library, which knows nothing of ours.
func csvRows(t *testing.T, path string) (header []string, rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	header, err = r.Read()
	if err != nil {
		t.Fatal(err)
	}
	if rows, err = r.ReadAll(); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return header, rows
}

func csvColumn(t *testing.T, path, column string) []string {
	t.Helper()
	header, rows := csvRows(t, path)
	for i, name := range header {
		if name == column {
			values := make([]string, len(rows))
			for j, row := range rows {
				values[j] = row[i]
			}
			return values
		}
	}
	t.Fatalf("%s has no column %s", path, column)
	return nil
}

// jsonLines decodes the objects of a file; lines with a logger's prefix count
// from their first brace.
func jsonLines(t *testing.T, path string) []map[string]any {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var records []map[string]any
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadBytes('\n')
		if i := bytes.IndexByte(line, '{'); i >= 0 {
			d := json.NewDecoder(bytes.NewReader(line[i:]))
			d.UseNumber()
			var record map[string]any
			if err := d.Decode(&record); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			records = append(records, record)
		}
		if err == io.EOF {
			return records
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// at follows keys into a record; the result is its spelling, "" for null and
// for what is not there.
func at(record map[string]any, keys ...string) string {
	var value any = record
	for _, key := range keys {
		object, ok := value.(map[string]any)
		if !ok {
			return ""
		}
		value = object[key]
	}
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// pairing checks that two lists are the same up to the names of the values:
// equal stays equal and different stays different.
type pairing struct {
	t        *testing.T
	forward  map[string]string
	backward map[string]string
	pairs    int
}

func newPairing(t *testing.T) *pairing {
	return &pairing{t, map[string]string{}, map[string]string{}, 0}
}

func (p *pairing) add(where, real, released string) {
	p.t.Helper()
	if real == "" {
		if released != "" {
			p.t.Errorf("%s: a value where there was none", where)
		}
		return
	}
	p.pairs++
	if have, ok := p.forward[real]; ok && have != released {
		p.t.Errorf("%s: equal became different", where)
	}
	if have, ok := p.backward[released]; ok && have != real {
		p.t.Errorf("%s: different became equal", where)
	}
	if real == released {
		p.t.Errorf("%s: the value is still there", where)
	}
	p.forward[real], p.backward[released] = released, real
}

func (p *pairing) atLeast(n int) {
	p.t.Helper()
	if p.pairs < n {
		p.t.Errorf("only %d values were compared: the test proves nothing", p.pairs)
	}
}

// eachCourse makes a release of the bundled export and visits its courses.
func eachCourse(t *testing.T, visit func(t *testing.T, real, released string)) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "release")
	newMaker(t).mustRun(out, nil, bundled)
	courses, err := filepath.Glob(bundled + "/*")
	if err != nil || len(courses) != 2 {
		t.Fatalf("%v, %v", courses, err)
	}
	for _, course := range courses {
		visit(t, course, filepath.Join(out, filepath.Base(course)))
	}
}

// TestJoinPersonByNumberAndName holds joins 1 and 2: one person is one number in
// all tables, in the log and the forum, and their username follows from it.
func TestJoinPersonByNumberAndName(t *testing.T) {
	person := newPairing(t)
	nameOf := map[string]string{} // real id → real username
	eachCourse(t, func(t *testing.T, real, released string) {
		for _, c := range []struct{ file, column string }{
			{"auth_user.csv", "id"}, {"auth_userprofile.csv", "user_id"}, {"student_courseenrollment.csv", "user_id"},
			{"courseware_studentmodule.csv", "student_id"}, {"certificates_generatedcertificate.csv", "user_id"},
		} {
			before, after := csvColumn(t, filepath.Join(real, c.file), c.column), csvColumn(t, filepath.Join(released, c.file), c.column)
			if len(before) != len(after) {
				t.Fatalf("%s: %d rows became %d", c.file, len(before), len(after))
			}
			for i := range before {
				person.add(c.file, before[i], after[i])
			}
		}
		ids, names := csvColumn(t, filepath.Join(real, "auth_user.csv"), "id"), csvColumn(t, filepath.Join(real, "auth_user.csv"), "username")
		for i := range ids {
			nameOf[names[i]] = ids[i]
		}
		checkPosts(t, real, released, person)
		checkEvents(t, real, released, person, nameOf)
	})
	person.atLeast(1000)
}

func checkPosts(t *testing.T, real, released string, person *pairing) {
	t.Helper()
	before, after := jsonLines(t, filepath.Join(real, "forum_contents.json")), jsonLines(t, filepath.Join(released, "forum_contents.json"))
	if len(before) != len(after) {
		t.Fatalf("%d posts became %d", len(before), len(after))
	}
	for i := range before {
		if id := at(before[i], "author_id"); strings.Trim(id, "0123456789") == "" {
			person.add("forum author", id, at(after[i], "author_id"))
		}
		if name := at(after[i], "author_username"); name != "" && strings.Trim(at(before[i], "author_id"), "0123456789") == "" && name != "u"+at(after[i], "author_id") {
			t.Errorf("post %d: the author's username does not follow from the number", i)
		}
	}
}

func checkEvents(t *testing.T, real, released string, person *pairing, idOf map[string]string) {
	t.Helper()
	before, after := jsonLines(t, filepath.Join(real, "tracking_log.json")), jsonLines(t, filepath.Join(released, "tracking_log.json"))
	if len(before) != len(after) {
		t.Fatalf("%d events became %d", len(before), len(after))
	}
	for i := range before {
		if id := at(before[i], "context", "user_id"); id != "" {
			person.add("log context.user_id", id, at(after[i], "context", "user_id"))
		}
		if id := idOf[at(before[i], "username")]; id != "" {
			if want := person.forward[id]; want != "" && at(after[i], "username") != "u"+want {
				t.Errorf("event %d: the username does not follow from the number", i+1)
			}
		}
	}
}

// TestJoinThreads holds join 5: threads, parents and comments.
func TestJoinThreads(t *testing.T) {
	ids := newPairing(t)
	joined := 0
	eachCourse(t, func(t *testing.T, real, released string) {
		before, after := jsonLines(t, filepath.Join(real, "forum_contents.json")), jsonLines(t, filepath.Join(released, "forum_contents.json"))
		known := map[string]bool{}
		for i := range before {
			ids.add("_id", at(before[i], "_id", "$oid"), at(after[i], "_id", "$oid"))
			known[at(after[i], "_id", "$oid")] = true
		}
		for i := range before {
			for _, key := range []string{"comment_thread_id", "parent_id"} {
				ids.add(key, at(before[i], key, "$oid"), at(after[i], key, "$oid"))
				if id := at(after[i], key, "$oid"); id != "" {
					joined++
					if !known[id] {
						t.Errorf("post %d: its %s leads nowhere", i+1, key)
					}
				}
			}
			if sk := at(after[i], "sk"); sk != "" {
				for _, part := range strings.Split(sk, "-") {
					if !known[part] {
						t.Errorf("post %d: sk names a post that is not there", i+1)
					}
				}
			}
		}
	})
	ids.atLeast(150)
	if joined < 50 {
		t.Errorf("only %d joins", joined)
	}
}

// TestJoinContent holds join 6: what says which part of a course is meant stays
// byte for byte.
func TestJoinContent(t *testing.T) {
	compared := 0
	same := func(where string, before, after []string) {
		for i := range before {
			compared++
			if before[i] != after[i] {
				t.Errorf("%s: content was changed in row %d", where, i+1)
			}
		}
	}
	eachCourse(t, func(t *testing.T, real, released string) {
		for _, c := range []struct{ file, column string }{
			{"courseware_studentmodule.csv", "module_id"}, {"courseware_studentmodule.csv", "course_id"},
			{"student_courseenrollment.csv", "course_id"}, {"student_courseenrollment.csv", "mode"}, {"certificates_generatedcertificate.csv", "grade"},
		} {
			same(c.file+" "+c.column, csvColumn(t, filepath.Join(real, c.file), c.column), csvColumn(t, filepath.Join(released, c.file), c.column))
		}
		before, after := jsonLines(t, filepath.Join(real, "tracking_log.json")), jsonLines(t, filepath.Join(released, "tracking_log.json"))
		for i := range before {
			for _, path := range [][]string{{"context", "course_id"}, {"event_source"}, {"time"}, {"event", "problem_id"}, {"event", "mode"}, {"event", "usage_key"}, {"event", "grade"}, {"agent"}} {
				same(strings.Join(path, "."), []string{at(before[i], path...)}, []string{at(after[i], path...)})
			}
		}
		forumBefore, forumAfter := jsonLines(t, filepath.Join(real, "forum_contents.json")), jsonLines(t, filepath.Join(released, "forum_contents.json"))
		for i := range forumBefore {
			same("commentable_id", []string{at(forumBefore[i], "commentable_id")}, []string{at(forumAfter[i], "commentable_id")})
		}
	})
	if compared < 2000 {
		t.Errorf("only %d values were compared", compared)
	}
}

// TestJoinSessionsAndAddresses holds join 7: equal session, equal pseudonymous
// session; equal address, equal pseudonymous address; order and times stay.
func TestJoinSessionsAndAddresses(t *testing.T) {
	sessions, addresses := newPairing(t), newPairing(t)
	eachCourse(t, func(t *testing.T, real, released string) {
		before, after := jsonLines(t, filepath.Join(real, "tracking_log.json")), jsonLines(t, filepath.Join(released, "tracking_log.json"))
		for i := range before {
			for _, path := range [][]string{{"session"}, {"context", "session"}} {
				sessions.add("session", at(before[i], path...), at(after[i], path...))
			}
			ip := at(after[i], "ip")
			if ip != "" && !strings.HasPrefix(ip, "24") && !strings.HasPrefix(ip, "25") {
				t.Errorf("event %d: the address is not in 240.0.0.0/4", i+1)
			}
			if ip != "240.0.0.0" { // where addresses that cannot be read meet
				address, _, _ := strings.Cut(at(before[i], "ip"), ",") // what proxies added
				if strings.Count(address, ":") == 1 {
					address, _, _ = strings.Cut(address, ":") // a port
				}
				addresses.add("ip", strings.TrimPrefix(address, "::ffff:"), ip)
			}
			if at(before[i], "time") != at(after[i], "time") {
				t.Errorf("event %d: the time changed", i+1)
			}
		}
	})
	sessions.atLeast(200)
	addresses.atLeast(300)
}
