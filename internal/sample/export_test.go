package sample

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// small writes a small export and returns its folder.
func small(t *testing.T, style Style) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "export")
	if _, err := Write(out, Options{People: 80, Events: 900, Posts: 200, Courses: 2, Seed: 3, Style: style}); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSameOptionsGiveTheSameBytes(t *testing.T) {
	for _, style := range []Style{FUN, EDX} {
		sameTree(t, small(t, style), small(t, style))
	}
}

func TestFolderThatHoldsSomethingIsRefused(t *testing.T) {
	out := small(t, FUN)
	before := tree(t, out)
	if _, err := Write(out, bundled); err == nil {
		t.Fatal("an export was written over another")
	}
	if err := WriteBroken(out); err == nil {
		t.Fatal("broken exports were written over an export")
	}
	if len(tree(t, out)) != len(before) {
		t.Error("the refused folder was changed")
	}
}

func TestImpossibleOptionsAreRefused(t *testing.T) {
	for _, options := range []Options{
		{People: 60}, {People: 3, Courses: 1}, {People: 60, Courses: 1, Events: -1}, {People: 10, Courses: 11}, {People: 60, Courses: 1, Style: "x"},
	} {
		if _, err := Write(filepath.Join(t.TempDir(), "x"), options); err == nil {
			t.Errorf("%+v was accepted", options)
		}
	}
}

// TestOneCourseLiesInTheFolderItself and many courses have members each.
func TestCoursesAreLaidOut(t *testing.T) {
	out := filepath.Join(t.TempDir(), "one")
	if _, err := Write(out, Options{People: 8, Events: 5, Posts: 3, Courses: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(out, "auth_user.csv")); err != nil {
		t.Error(err)
	}
	files, err := Write(filepath.Join(t.TempDir(), "many"), Options{People: 90, Events: 100, Posts: 33, Courses: 9})
	if err != nil {
		t.Fatal(err)
	}
	var events, posts int64
	for _, f := range files {
		switch filepath.Base(f.Path) {
		case "auth_user.csv":
			if f.Rows < 8 {
				t.Errorf("%s has %d rows", f.Path, f.Rows)
			}
		case "tracking_log.json":
			events += f.Rows
		case "forum_contents.json":
			posts += f.Rows
		}
	}
	if events != 100 || posts != 33 {
		t.Errorf("%d events and %d posts", events, posts)
	}
}

// TestTablesKeepTheirShape reads every table back with readers of their own
// and expects every row to have the header's columns and known people.
func TestTablesKeepTheirShape(t *testing.T) {
	r := newRoster(3, 80)
	ids := map[string]bool{}
	for i := range 80 {
		if p := r.person(i); !p.LogOnly {
			ids[jsonNumber(p.ID)] = true
		}
	}
	checked := 0
	for name, content := range tree(t, small(t, FUN)) {
		if !strings.HasSuffix(name, ".csv") {
			continue
		}
		rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(content, []byte("\uFEFF")))).ReadAll()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checked += checkRows(t, name, rows, ids)
	}
	for name, content := range tree(t, small(t, EDX)) {
		if !strings.HasSuffix(name, ".sql") {
			continue
		}
		var rows [][]string
		for _, line := range strings.Split(strings.TrimSuffix(string(content), "\n"), "\n") {
			rows = append(rows, strings.Split(line, "\t"))
		}
		checked += checkRows(t, name, rows, ids)
	}
	if checked < 2000 {
		t.Errorf("only %d rows were read", checked)
	}
}

func jsonNumber(n int64) string {
	text, _ := json.Marshal(n)
	return string(text)
}

func checkRows(t *testing.T, name string, rows [][]string, ids map[string]bool) int {
	t.Helper()
	for n, row := range rows {
		if len(row) != len(rows[0]) {
			t.Errorf("%s: row %d has %d cells of %d", name, n, len(row), len(rows[0]))
			continue
		}
		for i, column := range rows[0] {
			cell := row[i]
			switch {
			case n == 0:
			case column == "user_id" || column == "student_id" && !strings.Contains(name, "ora"):
				if !ids[cell] && cell != "NULL" {
					t.Errorf("%s: row %d: %s is nobody", name, n, column)
				}
			case (column == "state" && strings.Contains(name, "studentmodule") || column == "meta") && cell != "NULL" && cell != "":
				if strings.HasSuffix(name, ".sql") {
					cell = strings.ReplaceAll(cell, `\\`, `\`)
				}
				if !json.Valid([]byte(cell)) {
					t.Errorf("%s: row %d: %s is no JSON", name, n, column)
				}
			}
		}
	}
	return len(rows)
}

// TestLogHasEveryTrap reads the bundled log as a plain JSON reader would and
// counts what edX logs are known to hold.
func TestLogHasEveryTrap(t *testing.T) {
	types, events, addresses, users := map[string]bool{}, map[string]int{}, map[string]int{}, map[string]int{}
	prefixed, duplicated, cut := 0, 0, 0
	eachLine(t, filepath.Join(testdata, "export"), "tracking_log.json", func(line string) {
		at := strings.Index(line, "{")
		if at > 0 {
			prefixed++
		}
		var record map[string]any
		if err := json.Unmarshal([]byte(line[at:]), &record); err != nil {
			t.Fatalf("a line of the bundled log cannot be read: %v", err)
		}
		if strings.Count(line, `"username": "`) > 1 && strings.HasPrefix(line, `{"username": `) && len(record) < strings.Count(line, `": `) {
			duplicated++
		}
		types[record["event_type"].(string)] = true
		events[shape(record["event"])]++
		if text, ok := record["event"].(string); ok && len([]rune(text)) >= cutLength-4 && !json.Valid([]byte(text)) {
			cut++
		}
		ip, present := record["ip"]
		addresses[addressShape(ip, present)]++
		if context, ok := record["context"].(map[string]any); ok {
			users[shape(context["user_id"])]++
		}
	})
	if len(types) < 40 {
		t.Errorf("%d event types", len(types))
	}
	for _, want := range []struct {
		what  string
		found map[string]int
		names []string
	}{
		{"event", events, []string{"object", "list", "null", `""`, "JSON object in text", "JSON text in text", "query", "text"}},
		{"ip", addresses, []string{"missing", "null", `""`, "four", "six", "mapped", "port", "list", "other"}},
		{"user_id", users, []string{"number", "text", "null", `""`}},
	} {
		for _, name := range want.names {
			if want.found[name] == 0 {
				t.Errorf("no %s is %s: %v", want.what, name, want.found)
			}
		}
	}
	if prefixed < 4 || duplicated < 2 || cut < 4 {
		t.Errorf("%d prefixed lines, %d with duplicate keys, %d cut payloads", prefixed, duplicated, cut)
	}
}

func shape(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case float64:
		return "number"
	case map[string]any:
		return "object"
	case []any:
		return "list"
	case string:
		var inner any
		switch err := json.Unmarshal([]byte(v), &inner); {
		case v == "":
			return `""`
		case err == nil && shape(inner) == "object":
			return "JSON object in text"
		case err == nil && shape(inner) != "number":
			return "JSON text in text"
		case strings.Contains(v, "=") && !strings.HasPrefix(v, "{"):
			return "query"
		}
		return "text"
	}
	return "other"
}

func addressShape(value any, present bool) string {
	text, isText := value.(string)
	switch {
	case !present:
		return "missing"
	case !isText:
		return shape(value)
	case text == "":
		return `""`
	case strings.Contains(text, ","):
		return "list"
	case strings.HasPrefix(text, "::ffff:"):
		return "mapped"
	case strings.Count(text, ":") > 1:
		return "six"
	case strings.Contains(text, ":"):
		return "port"
	case strings.Count(text, ".") == 3:
		return "four"
	}
	return "other"
}

// TestThreadsAreComplete: every comment's thread and parent come before it,
// and votes count who voted.
func TestThreadsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	comments, nested := 0, 0
	eachLine(t, filepath.Join(testdata, "export"), "forum_contents.json", func(line string) {
		type objectID struct {
			OID string `json:"$oid"`
		}
		var post struct {
			ID      objectID   `json:"_id"`
			Type    string     `json:"_type"`
			Thread  objectID   `json:"comment_thread_id"`
			Parent  *objectID  `json:"parent_id"`
			Parents []objectID `json:"parent_ids"`
			Votes   struct {
				Up    []string
				Count int
			}
		}
		if err := json.Unmarshal([]byte(line), &post); err != nil {
			t.Fatal(err)
		}
		if len(post.ID.OID) != 24 || seen[post.ID.OID] {
			t.Fatalf("post id %q", post.ID.OID)
		}
		seen[post.ID.OID] = true
		if post.Type == "Comment" {
			comments++
			if !seen[post.Thread.OID] {
				t.Error("a comment stands before its thread")
			}
		}
		if post.Parent != nil {
			nested++
			if !seen[post.Parent.OID] || len(post.Parents) != 1 || post.Parents[0] != *post.Parent {
				t.Error("a comment's parent does not agree")
			}
		}
		if len(post.Votes.Up) != post.Votes.Count {
			t.Error("votes do not count the voters")
		}
	})
	if comments < 60 || nested < 10 {
		t.Errorf("%d comments, %d of them nested", comments, nested)
	}
}

func eachLine(t *testing.T, root, name string, read func(line string)) {
	t.Helper()
	lines := 0
	for path, content := range tree(t, root) {
		if filepath.Base(path) != name {
			continue
		}
		scanner := bufio.NewScanner(bytes.NewReader(content))
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			lines++
			read(scanner.Text())
		}
	}
	if lines == 0 {
		t.Fatalf("no %s", name)
	}
}

// TestPackageHasEveryTable: a data package has the tables edX documents, its
// log is packed and its organisation file is one.
func TestPackageHasEveryTable(t *testing.T) {
	files := tree(t, small(t, EDX))
	for _, table := range []string{
		"auth_user", "auth_userprofile", "student_courseenrollment", "courseware_studentmodule", "certificates_generatedcertificate",
		"user_id_map", "student_anonymoususerid", "user_api_usercoursetag", "teams", "teams_membership", "verify_student_verificationstatus",
		"student_courseaccessrole", "django_comment_client_role_users", "grades_persistentcoursegrade", "grades_persistentsubsectiongrade",
		"course_groups_cohortmembership", "auth_user_groups", "student_languageproficiency", "credit_crediteligibility", "wiki_article", "wiki_articlerevision",
	} {
		if _, ok := files["ImaginaireX-BOT101-Automne_2014-"+table+"-edge-analytics.sql"]; !ok {
			t.Errorf("no %s", table)
		}
	}
	var assessments, logs, optIns int
	for name, content := range files {
		switch {
		case strings.HasPrefix(name, "ora"+string(filepath.Separator)+"ImaginaireX-BOT101"):
			assessments++
		case strings.HasSuffix(name, ".log.gz"):
			z, err := gzip.NewReader(bytes.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			logs += bytes.Count(text, []byte("\n"))
		case strings.Contains(name, "email_opt_in"):
			optIns++
		}
	}
	if assessments != 21 || logs != 900 || optIns != 1 {
		t.Errorf("%d assessment tables, %d log lines, %d opt-in files", assessments, logs, optIns)
	}
}
