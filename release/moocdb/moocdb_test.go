package moocdb

import (
	"context"
	"database/sql"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"anonymooc/internal/fault"
)

// course is a small export.
var course = map[string]string{
	"auth_user.csv":                         "id,username,is_staff,date_joined\n7,ana,0,2014-01-01 00:00:00\n8,Bo,1,2014-01-02 00:00:00\n",
	"auth_userprofile.csv":                  "id,user_id,gender,year_of_birth,country,language\n1,7,f,1980,FR,fr\n2,8,NULL,,,\n",
	"certificates_generatedcertificate.csv": "id,user_id,grade\n1,7,0.8\n",
	"courseware_studentmodule.csv":          "id,module_type,module_id,student_id,max_grade\n1,problem,i4x://U/C/problem/p1,7,3.0\n",
	"forum_contents.json": `{"_id":{"$oid":"c1"},"_type":"Comment","author_id":"8","body":"hi","comment_thread_id":{"$oid":"t1"},"course_id":"U/C/2014","created_at":{"$date":1391421072000}}
{"_id":{"$oid":"t1"},"_type":"CommentThread","author_id":"7","title":"Hello","body":"all","commentable_id":"week1","course_id":"U/C/2014","created_at":{"$date":"2014-02-03T09:51:12Z"}}
{"_id":{"$oid":"c2"},"_type":"Comment","author_id":"9","body":"ho","comment_thread_id":{"$oid":"t1"},"parent_id":{"$oid":"c1"},"course_id":"U/C/2014","created_at":{"$date":{"$numberLong":"1391421073000"}}}
`,
	"tracking_log.json": strings.Join([]string{
		`{"username":"ana","event_type":"page_close","event_source":"browser","time":"2014-02-01T10:00:00.500000+00:00","page":"https://m.example/courses/U/C/2014/courseware/w1/s1/?x=1#y","ip":"192.0.2.1","agent":"Mozilla/5.0 (X11; Linux x86_64)","event":"{}","context":{"user_id":7}}`,
		`{"username":"Bo","event_type":"/courses/U/C/2014/info","event_source":"server","time":"2014-02-01T10:00:10+00:00","page":null,"host":"m.example","ip":"","agent":"","event":"{\"POST\": {}","context":{"user_id":""}}`,
		`logger: {"username":"ana","event_type":"play_video","event_source":"browser","time":"2014-02-01T10:00:30.500000+00:00","page":"https://m.example/courses/U/C/2014/courseware/w1/s1/","ip":"192.0.2.1","agent":"Mozilla/5.0 (X11; Linux x86_64)","event":"{\"id\": \"i4x-U-C-video-v1\"}","context":{"user_id":"7"}}`,
		`{"username":"ana","event_type":"problem_check","event_source":"browser","time":"2014-02-01T10:00:40+00:00","page":"https://m.example/courses/U/C/2014/courseware/w1/s1/","event":"input_i4x-U-C-problem-p1_2_1=a","context":{"user_id":7}}`,
		`{"username":"ana","event_type":"problem_check","event_source":"server","time":"2014-02-01T10:00:41+00:00","page":"x_module","event":{"problem_id":"i4x://U/C/problem/p1","attempts":2,"answers":{"i4x-U-C-problem-p1_2_1":"choice_1","i4x-U-C-problem-p1_3_1":["a","b"]},"correct_map":{"i4x-U-C-problem-p1_2_1":{"correctness":"correct"},"i4x-U-C-problem-p1_3_1":{"correctness":"incorrect","npoints":0.5}}},"context":{"user_id":7,"path":"/courses/U/C/2014/modx/p1/problem_check"},"host":"m.example"}`,
		`{"username":"ana","event_type":"openassessmentblock.create_submission","event_source":"server","time":"2014-02-01T10:10:00+00:00","event":{"submission_uuid":"s1","attempt_number":1,"answer":{"parts":[{"text":"essay"}]}},"context":{"user_id":7,"module":{"usage_key":"block-v1:U+C+2014+type@openassessment+block@o1"}}}`,
		`{"username":"Bo","event_type":"openassessmentblock.peer_assess","event_source":"server","time":"2014-02-01T12:00:00+00:00","event":{"submission_uuid":"s1","feedback":"good","parts":[{"option":{"points":2},"criterion":{"points_possible":4}}]},"context":{"user_id":8,"module":{"usage_key":"block-v1:U+C+2014+type@openassessment+block@o1"}}}`,
		`{"username":"u1500000001","event_type":"x","event_source":"server","time":"2014-02-01T12:00:00+00:00","event":"","context":{}}`,
		`{"username":"nobody knows","event_type":"x","event_source":"server","time":"2014-02-01T12:00:00+00:00","event":"","context":""}`,
		`{"cut off`,
	}, "\n") + "\n",
}

func write(t testing.TB, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// build makes a SQLite database and opens it.
func build(t testing.TB, source string) (*sql.DB, *Report) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "moocdb.sqlite")
	report, err := Build(context.Background(), Request{Source: source, Out: out, Format: SQLite})
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db, report
}

// query gives a result as text, a row a line.
func query(t testing.TB, db *sql.DB, text string) string {
	t.Helper()
	rows, err := db.Query(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for rows.Next() {
		values := make([]any, len(columns))
		places := make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			t.Fatal(err)
		}
		for i, value := range values {
			if i > 0 {
				b.WriteByte('|')
			}
			if value != nil {
				fmt.Fprint(&b, value)
			}
		}
		b.WriteByte('\n')
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCourseBecomesMOOCdb(t *testing.T) {
	db, report := build(t, write(t, course))
	if report.Skipped != 1 || report.Orphans != 0 || report.Backward != 0 {
		t.Errorf("%+v", report)
	}
	tests := []struct{ what, query, want string }{
		{"people", `SELECT user_id, user_name, user_gender, user_birthdate, user_country, user_final_grade, user_os, user_type_name FROM users JOIN user_types USING (user_type_id) ORDER BY 1`,
			"7|ana|f|1980-01-01|FR|0.8||student\n8|Bo||||||staff\n9|||||||student\n1500000001|u1500000001||||||student\n2147483647|nobody knows||||||student\n"},
		{"durations", `SELECT observed_event_id, user_id, observed_event_duration, observed_event_timestamp FROM observed_events ORDER BY 1 LIMIT 4`,
			"1|7|30|2014-02-01 10:00:00.500000\n2|8||2014-02-01 10:00:10\n3|7|10|2014-02-01 10:00:30.500000\n4|7|1|2014-02-01 10:00:40\n"},
		{"last events", `SELECT count(*) FROM observed_events WHERE observed_event_duration IS NULL`, "5\n"},
		{"URLs", `SELECT url FROM urls ORDER BY url_id`,
			"https://m.example/courses/U/C/2014/courseware/w1/s1/\nhttps://m.example/courses/U/C/2014/info\nhttps://m.example/courses/U/C/2014/courseware/w1/s1/#i4x-U-C-video-v1\nhttps://m.example/courses/U/C/2014/modx/p1/problem_check#i4x://U/C/problem/p1\n"},
		{"hierarchy of a video", `WITH RECURSIVE up AS (SELECT *, 0 AS depth FROM resources WHERE resource_uri = 'i4x-U-C-video-v1' UNION ALL SELECT r.*, depth+1 FROM resources r JOIN up ON r.resource_id = up.resource_parent_id)
			SELECT resource_name, resource_type_name, resource_child_number FROM up JOIN resource_types USING (resource_type_id) ORDER BY depth`,
			"v1|video|1\ns1|sequential|1\nw1|chapter|1\ncourseware|courseware|1\n2014|course|\n"},
		{"event to block", `SELECT resource_uri FROM observed_events JOIN resources_urls USING (url_id) JOIN resources USING (resource_id) WHERE observed_event_id = 3`, "i4x-U-C-video-v1\n"},
		{"problems", `SELECT p.problem_name, q.problem_name, p.problem_child_number, problem_type_name, p.problem_weight FROM problems p LEFT JOIN problems q ON q.problem_id = p.problem_parent_id JOIN problem_types t ON t.problem_type_id = p.problem_type_id ORDER BY p.problem_id`,
			"i4x://U/C/problem/p1|||problem|3\ni4x://U/C/problem/p1#i4x-U-C-problem-p1_2_1|i4x://U/C/problem/p1|1|input|\ni4x://U/C/problem/p1#i4x-U-C-problem-p1_3_1|i4x://U/C/problem/p1|2|input|\nblock-v1:U+C+2014+type@openassessment+block@o1|||openassessment|\n"},
		{"submissions", `SELECT user_id, problem_id, submission_attempt_number, submission_answer, submission_is_submitted FROM submissions ORDER BY submission_id`,
			"7|2|2|choice_1|1\n7|3|2|[\"a\",\"b\"]|1\n7|4|1|{\"parts\":[{\"text\":\"essay\"}]}|1\n"},
		{"assessments", `SELECT submission_id, assessment_grade, assessment_feedback, assessment_grader_id FROM assessments ORDER BY assessment_id`, "1|1||\n2|0.5||\n3|0.5|good|8\n"},
		{"collaborations", `SELECT c.user_id, collaboration_type_name, c.collaboration_content, p.user_id, c.collaboration_child_number, c.collaboration_timestamp FROM collaborations c JOIN collaboration_types t USING (collaboration_type_id) LEFT JOIN collaborations p ON p.collaboration_id = c.collaboration_parent_id ORDER BY c.collaboration_id`,
			"8|forum_response|hi|7|1|2014-02-03 09:51:12\n7|forum_thread|Hello\n\nall|||2014-02-03 09:51:12\n9|forum_comment|ho|8|1|2014-02-03 09:51:13\n"},
		{"address", `SELECT observed_event_ip, observed_event_os FROM observed_events WHERE observed_event_id = 1`, "3221225985|Linux\n"},
		{"foreign keys", `PRAGMA foreign_key_check`, ""},
	}
	for _, test := range tests {
		if got := query(t, db, test.query); got != test.want {
			t.Errorf("%s:\n%swant\n%s", test.what, got, test.want)
		}
	}
}

// TestWhoeverIsInNoTableIsFoundByWhatTheLogSaid.
func TestWhoeverIsInNoTableIsFoundByWhatTheLogSaid(t *testing.T) {
	line := func(name, id string) string {
		return fmt.Sprintf(`{"username":%q,"event_type":"x","event_source":"server","time":"2014-02-01T10:00:00+00:00","event":"","context":{"user_id":%s}}`+"\n", name, id)
	}
	db, _ := build(t, write(t, map[string]string{
		"auth_user.csv":     "id,username\n7,ana\n",
		"tracking_log.json": line("Zoé", "12") + line("zoé", `""`) + line("ana", "null") + line("other", "7") + line("other", "null") + line("ANA", "13") + line("ana", `""`),
	}))
	if got := query(t, db, "SELECT user_id FROM observed_events ORDER BY observed_event_id"); got != "12\n12\n7\n7\n7\n13\n7\n" {
		t.Error(got)
	}
}

// TestForeignKeysAreEnforced: the tables refuse what leads nowhere.
func TestForeignKeysAreEnforced(t *testing.T) {
	db, _ := build(t, write(t, course))
	if _, err := db.Exec("PRAGMA foreign_keys = ON"); err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		"INSERT INTO observed_events (observed_event_id, user_id) VALUES (999, 12345)",
		"INSERT INTO submissions (submission_id, problem_id) VALUES (999, 12345)",
		"DELETE FROM users WHERE user_id = 7",
	} {
		if _, err := db.Exec(statement); err == nil {
			t.Errorf("%s was accepted", statement)
		}
	}
}

// TestBrokenForeignKeyStopsTheBuild.
func TestBrokenForeignKeyStopsTheBuild(t *testing.T) {
	s, err := newStore(filepath.Join(t.TempDir(), "x.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := s.add(position("resources_urls"), 1, 5, 6); err != nil {
		t.Fatal(err)
	}
	if err := s.finish(t.Context()); err == nil {
		t.Error("a row that refers to nothing was accepted")
	}
}

// TestEveryFormatHoldsTheSameRows reads the dumps back.
func TestEveryFormatHoldsTheSameRows(t *testing.T) {
	source := write(t, course)
	db, _ := build(t, source)
	for _, f := range []Format{CSV, PostgreSQL, MySQL} {
		out := filepath.Join(t.TempDir(), "dump")
		if _, err := Build(t.Context(), Request{Source: source, Out: out, Format: f}); err != nil {
			t.Fatal(err)
		}
		for i := range schema {
			want := query(t, db, "SELECT * FROM "+schema[i].name+" ORDER BY 1")
			if got := readDump(t, out, &schema[i], f); got != want {
				t.Errorf("%s, %s:\n%swant\n%s", f, schema[i].name, got, want)
			}
		}
		_, err := os.Stat(filepath.Join(out, "load.sql"))
		if (err == nil) != (f != CSV) {
			t.Errorf("%s: load.sql: %v", f, err)
		}
	}
}

func readDump(t *testing.T, folder string, table *table, f Format) string {
	t.Helper()
	var rows [][]string
	if f == MySQL {
		data, err := os.ReadFile(filepath.Join(folder, table.name+".tsv"))
		if err != nil {
			t.Fatal(err)
		}
		plain := strings.NewReplacer(`\\`, `\`, "\\\t", "\t", "\\\n", "\x00", `\N`, "").Replace(string(data))
		for line := range strings.Lines(plain) {
			rows = append(rows, strings.Split(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\x00", "\n"), "\t"))
		}
	} else {
		file, err := os.Open(filepath.Join(folder, table.name+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if rows, err = csv.NewReader(file).ReadAll(); err != nil {
			t.Fatal(err)
		}
		rows = rows[1:]
	}
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.Join(row, "|") + "\n")
	}
	return b.String()
}

// TestWholeOrNotAtAll: what goes wrong leaves nothing behind.
func TestWholeOrNotAtAll(t *testing.T) {
	folder := t.TempDir()
	out := filepath.Join(folder, "moocdb.sqlite")
	empty := t.TempDir()
	tests := []Request{
		{Source: empty, Out: out, Format: SQLite},
		{Source: filepath.Join(empty, "none"), Out: out, Format: SQLite},
		{Source: write(t, map[string]string{"tracking_log.json.gz": "\x1f\x8b\x08cut"}), Out: out, Format: SQLite},
		{Source: write(t, course), Out: out, Format: "oracle"},
		{Source: write(t, course), Out: "", Format: CSV},
	}
	for _, request := range tests {
		_, err := Build(t.Context(), request)
		if err == nil || fault.CodeOf(err) == fault.OK {
			t.Errorf("%+v was built", request)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 { // wherever it is met, it is the end
		if _, err := Build(cancelled, Request{Source: write(t, course), Out: out, Format: SQLite}); err == nil {
			t.Error("a cancelled build ended well")
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, err := Build(t.Context(), Request{Source: write(t, course), Out: out, Format: SQLite}); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), Request{Source: write(t, course), Out: out, Format: SQLite}); err == nil {
		t.Error("a database was overwritten")
	}
	if _, err := Build(t.Context(), Request{Source: write(t, course), Out: out, Format: SQLite, Replace: true}); err != nil {
		t.Error(err)
	}
}

// TestAnyFolderNameWill: the driver takes a URL, and folders have names of their own.
func TestAnyFolderNameWill(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "cours #1 ? 100%25 é")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(folder, "a?b#c.sqlite")
	if _, err := Build(t.Context(), Request{Source: write(t, course), Out: out, Format: SQLite}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(out); err != nil || info.Size() == 0 {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

// TestAnyNumberOfWorkersMakesTheSameTables over several blocks.
func TestAnyNumberOfWorkersMakesTheSameTables(t *testing.T) {
	files := map[string]string{"tracking_log.json": strings.Repeat(course["tracking_log.json"], 1500)}
	source := write(t, files)
	var dumps []string
	for _, jobs := range []int{1, 4} {
		out := filepath.Join(t.TempDir(), "dump")
		if _, err := Build(t.Context(), Request{Source: source, Out: out, Format: CSV, Jobs: jobs}); err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for i := range schema {
			all.WriteString(readDump(t, out, &schema[i], CSV))
		}
		dumps = append(dumps, all.String())
	}
	if !slices.Equal(dumps[:1], dumps[1:]) {
		t.Error("the tables differ")
	}
}
