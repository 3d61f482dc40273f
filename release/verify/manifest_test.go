package verify

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"anonymooc/release/records"
)

// manifestOf describes the clean release truly.
func manifestOf(files map[string]string) *Manifest {
	m := &Manifest{Tool: "anonymooc", TextPolicy: "strict"}
	columns := map[string][]Column{
		"auth_userprofile.csv": {
			{Name: "id", Action: "key(auth_userprofile)", Changed: 2}, {Name: "user_id", Action: "pseudonym(user_id)", Changed: 2},
			{Name: "name", Action: "blank", Emptied: 2}, {Name: "goals", Role: "free text", Action: "text", Kept: 1, Nulls: 1}, {Name: "gender", Action: "keep", Kept: 2},
			{Name: "mailing_address", Action: "drop"},
		},
		"tracking_log.json": {{Name: "agent", Action: "keep"}, {Name: "time", Action: "keep"}, {Name: "event", Action: "json", Fields: []Column{{Name: "**.mode", Action: "keep"}}}},
	}
	for name, content := range files {
		sum := sha256.Sum256([]byte(content))
		rows := int64(strings.Count(content, "\n"))
		if strings.HasSuffix(name, ".csv") {
			rows--
		}
		digest := hex.EncodeToString(sum[:])
		m.Inputs = append(m.Inputs, Input{Path: name, Rows: rows})
		m.Outputs = append(m.Outputs, Output{
			Path: name, SHA256: digest, Bytes: int64(len(content)), RowsIn: rows, RowsOut: rows, Columns: columns[name],
		})
	}
	return m
}

func hasProblem(report *Report, file, column, what string) bool {
	return slices.ContainsFunc(report.Problems, func(p Problem) bool {
		return p.File == file && p.Column == column && strings.Contains(p.What, what)
	})
}

func TestTrueManifestPasses(t *testing.T) {
	report := run(t, write(t, cleanRelease), manifestOf(cleanRelease))
	if !report.Passed() {
		t.Errorf("%+v %+v", report.Residuals, report.Problems)
	}
}

// TestManifestIsNotBelieved tells one lie after the other.
func TestManifestIsNotBelieved(t *testing.T) {
	profile := func(m *Manifest) *Output { return m.output("auth_userprofile.csv") }
	tests := []struct {
		name   string
		lie    func(*Manifest)
		column string
		what   string
	}{
		{"hash", func(m *Manifest) { profile(m).SHA256 = strings.Repeat("0", 64) }, "", "SHA-256"},
		{"bytes", func(m *Manifest) { profile(m).Bytes++ }, "", "bytes"},
		{"rows out", func(m *Manifest) { profile(m).RowsOut, profile(m).RowsIn = 3, 3 }, "", "has 2 rows"},
		{"rows that nobody dropped", func(m *Manifest) { profile(m).RowsIn = 5 }, "", "5 rows went in"},
		{"a column that is not there", func(m *Manifest) {
			profile(m).Columns = append(profile(m).Columns, Column{Name: "bio", Action: "keep"})
		}, "bio", "not in the file"},
		{"a column that nobody named", func(m *Manifest) { profile(m).Columns = profile(m).Columns[1:] }, "id", "not in the manifest"},
		{"a column that was to go", func(m *Manifest) { profile(m).Columns[4].Action = "drop" }, "gender", "to be dropped"},
		{"a column that was to be empty", func(m *Manifest) { profile(m).Columns[4].Action = "blank" }, "gender", "to be emptied"},
		{"empty cells", func(m *Manifest) { profile(m).Columns[3].Kept, profile(m).Columns[3].Nulls = 2, 0 }, "goals", "has 1 empty cells"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := manifestOf(cleanRelease)
			test.lie(m)
			if report := run(t, write(t, cleanRelease), m); !hasProblem(report, "auth_userprofile.csv", test.column, test.what) {
				t.Errorf("%+v", report.Problems)
			}
		})
	}
	m := manifestOf(cleanRelease)
	m.Outputs = append(m.Outputs, Output{Path: "wiki_article.csv"})
	if report := run(t, write(t, cleanRelease), m); !hasProblem(report, "wiki_article.csv", "", "not in the release") {
		t.Errorf("%+v", report.Problems)
	}
}

func TestPrivateThingsAreNotInARelease(t *testing.T) {
	for _, name := range []string{"key", "map/data", "forum/ledger.jsonl", "quarantine/tracking_log.json", "project.yaml", "half.csv.partial", "my.key"} {
		files := changed("auth_user.csv", "", "")
		files[name] = "x\n"
		if report := run(t, write(t, files), nil); !slices.ContainsFunc(report.Problems, func(p Problem) bool { return p.File == name }) {
			t.Errorf("%s was not told", name)
		}
	}
	folder := write(t, cleanRelease)
	if err := os.Symlink("/etc/hostname", filepath.Join(folder, "link.csv")); err != nil {
		t.Skip("no symbolic links here")
	}
	if report := run(t, folder, nil); !hasProblem(report, "link.csv", "", "link") {
		t.Error("a symbolic link was not told")
	}
}

// exportOf is an export from which the clean release may have been made.
var exportOf = map[string]string{
	"auth_user.csv": "id,username,email,date_joined\r\n" +
		"48213,benoit_d,benoit.delacroix@courriel.example,2014-01-02 10:11:12\r\n" +
		"77,rosa,,2014-01-02 10:11:12\r\n",
	"auth_userprofile.csv":         "id,user_id,name,goals,gender\n5,48213,Benoît Delacroix,\"to learn, slowly\",m\n6,77,,NULL,f\n",
	"student_courseenrollment.csv": "id,user_id,course_id,created,is_active,mode\n9,48213,course-v1:Univ+Rose+2014,2014-01-01,1,audit\n",
	"tracking_log.json":            strings.NewReplacer("u1500000001", "benoit_d", "1500000001", "48213", "u1500000002", "rosa", "240.1.2.3", "192.0.2.1", "9d1c5f7a", "1f2e3d4c").Replace(cleanRelease["tracking_log.json"]),
	"forum_contents.json":          strings.NewReplacer("u1500000001", "benoit_d", "1500000001", "48213", "1500000002", "77", "52ee0b9a6b5c1a0f1100", "52ee0b9a6b5c1a0f11aa").Replace(cleanRelease["forum_contents.json"]),
}

func TestComparedWithItsExport(t *testing.T) {
	export := write(t, exportOf)
	manifest := func(files map[string]string) *Manifest {
		m := manifestOf(files)
		for i := range m.Outputs {
			if m.Outputs[i].Path == "auth_user.csv" {
				m.Outputs[i].Columns = []Column{{Name: "id", Action: "pseudonym(user_id)"}, {Name: "username", Action: "pseudonym(username)"},
					{Name: "email", Action: "pseudonym(email)"}, {Name: "date_joined", Action: "keep"}}
			}
		}
		return m
	}
	if report := run(t, write(t, cleanRelease), manifest(cleanRelease), export); !report.Passed() {
		t.Fatalf("%+v %+v", report.Residuals, report.Problems)
	}
	tests := []struct{ name, file, old, new, column, what string }{
		{"kept column", "auth_user.csv", "10:11:12", "10:11:13", "date_joined", "to be kept"},
		{"kept value in a log", "tracking_log.json", "Chrome/38", "Chrome/39", "agent", "to be kept"},
		{"two people became one", "auth_userprofile.csv", "1700000002,1500000002", "1700000002,1500000001", "user_id", "stay equal"},
		{"one person became two", "student_courseenrollment.csv", "1500000001", "1500000003", "", ""},
		{"type of a number", "tracking_log.json", `"user_id": 1500000001`, `"user_id": "1500000001"`, "context.user_id", "type"},
		{"value out of NULL", "auth_user.csv", "u1500000002,,", "u1500000002,u1500000002@example.invalid,", "email", "was empty"},
		{"id of content", "tracking_log.json", "problem/1", "problem/2", "event.id", "part of a course"},
		{"key as it was", "auth_userprofile.csv", "1700000001,", "5,", "id", "is what it was"},
		{"rows in another order", "auth_userprofile.csv", ",m\n1700000002,1500000002,,NULL,f\n", ",f\n1700000002,1500000002,,NULL,m\n", "gender", "to be kept"},
		{"number and name of two people", "auth_user.csv", "1500000001,u1500000001", "1500000001,u1500000002", "", "one row"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := changed(test.file, test.old, test.new)
			if files[test.file] == cleanRelease[test.file] {
				t.Fatal("nothing was changed")
			}
			report := run(t, write(t, files), manifest(files), export)
			if test.what == "" {
				if len(report.Problems) == 0 {
					t.Error("nobody noticed")
				}
			} else if !hasProblem(report, test.file, test.column, test.what) {
				t.Errorf("%+v", report.Problems)
			}
		})
	}
}

// TestDroppedRowsAreLeftOutOfTheComparison: whoever was forgotten takes rows
// along; what is left is still compared.
func TestDroppedRowsAreLeftOutOfTheComparison(t *testing.T) {
	export := write(t, map[string]string{"auth_userprofile.csv": "id,user_id,gender\n1,11,m\n2,22,f\n3,33,o\n"})
	release := map[string]string{"auth_userprofile.csv": "id,user_id,gender\n1700000001,1500000001,m\n1700000003,1500000003,o\n"}
	m := manifestOf(nil)
	m.Outputs = []Output{{Path: "auth_userprofile.csv", RowsIn: 3, RowsOut: 2, Dropped: map[string]int64{"person was forgotten": 1},
		Columns: []Column{{Name: "id", Action: "key(p)"}, {Name: "user_id", Action: "pseudonym(user_id)"}, {Name: "gender", Action: "keep"}}}}
	if report := run(t, write(t, release), m, export); len(report.Problems) > 0 {
		t.Errorf("%+v", report.Problems)
	}
	release["auth_userprofile.csv"] = strings.Replace(release["auth_userprofile.csv"], ",o", ",x", 1)
	if report := run(t, write(t, release), m, export); !hasProblem(report, "auth_userprofile.csv", "", "the export does not") {
		t.Errorf("%+v", report.Problems)
	}
}

// TestAnotherExportIsTold: a comparison with the wrong files would tell nothing.
func TestAnotherExportIsTold(t *testing.T) {
	m := manifestOf(cleanRelease)
	for i := range m.Inputs {
		m.Inputs[i].SHA256 = strings.Repeat("1", 64)
	}
	if report := run(t, write(t, cleanRelease), m, write(t, exportOf)); !hasProblem(report, "auth_user.csv", "", "another file") {
		t.Errorf("%+v", report.Problems)
	}
}

// TestBrokenJoinIsTold takes away what others refer to.
func TestBrokenJoinIsTold(t *testing.T) {
	comment := `{"_id": {"$oid": "52ee0b9a6b5c1a0f11000002"}, "_type": "Comment", "author_id": "1500000001", "body": "x", "comment_thread_id": {"$oid": "52ee0b9a6b5c1a0f11000001"}}` + "\n"
	released, given := changed("auth_user.csv", "", ""), map[string]string{}
	for name, content := range exportOf {
		given[name] = content
	}
	released["forum_contents.json"] += comment
	given["forum_contents.json"] += strings.NewReplacer("1500000001", "48213", "52ee0b9a6b5c1a0f1100", "52ee0b9a6b5c1a0f11aa").Replace(comment)
	export := write(t, given)
	if report := run(t, write(t, released), nil, export); hasProblem(report, "", "", "join") {
		t.Fatalf("%+v", report.Problems)
	}
	released["forum_contents.json"] = strings.Replace(released["forum_contents.json"], `"comment_thread_id": {"$oid": "52ee0b9a6b5c1a0f11000001"}`, `"comment_thread_id": {"$oid": "52ee0b9a6b5c1a0f11000009"}`, 1)
	if report := run(t, write(t, released), nil, export); !hasProblem(report, "", "", "comment → thread: 1 values, 1 without") {
		t.Errorf("%+v %+v", report.Problems, report.Joins)
	}
}

// TestUnreadableFilesAreNotPassedOver: what cannot be judged does not pass.
func TestUnreadableFilesAreNotPassedOver(t *testing.T) {
	files := changed("auth_user.csv", "", "")
	files["forum.sqlite"] = "\x16\x00\x00\x00\x02a\x00\x02\x00\x00\x00b\x00\x00"
	if report := run(t, write(t, files), nil); !hasProblem(report, "forum.sqlite", "", "cannot read") {
		t.Error("a binary file passed")
	}
}

// TestCompressedFilesAreRead plants a leak in a gzip file.
func TestCompressedFilesAreRead(t *testing.T) {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(strings.Replace(cleanRelease["tracking_log.json"], "problem_check", "benoit_d", 1))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	report := run(t, write(t, map[string]string{"tracking_log.json.gz": b.String()}), nil)
	if report.ResidualCount != 1 || report.Residuals[0].Line != 1 {
		t.Errorf("%+v", report.Residuals)
	}
}

// TestReportIsTheSameForAnyNumberOfWorkers over a file of several blocks.
func TestReportIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	line := strings.TrimSuffix(cleanRelease["tracking_log.json"], "\n")
	var b strings.Builder
	for i := 0; b.Len() < 3*records.BlockSize; i++ {
		if i%997 == 0 {
			b.WriteString(strings.Replace(line, "problem_check", "benoit_d", 1) + "\n")
		} else {
			b.WriteString(line + "\n")
		}
	}
	folder := write(t, map[string]string{"tracking_log.json": b.String()})
	var first []byte
	for _, jobs := range []int{1, 2, 7} {
		report, err := Run(t.Context(), Request{Release: folder, Known: slices.Values(people), Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		if report.ResidualCount < 5 || report.Residuals[1].Line != 998 {
			t.Fatalf("%+v", report.Residuals)
		}
		data, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		} else if string(data) != string(first) {
			t.Errorf("%d workers tell something else", jobs)
		}
	}
}
