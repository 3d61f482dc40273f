package risk_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"anonymooc/internal/fault"
	"anonymooc/tables/risk"
)

// column describes a column of a test release for its manifest.
type column struct {
	Name   string `json:"name"`
	Role   string `json:"role"`
	Action string `json:"action"`
}

type output struct {
	Path    string   `json:"path"`
	Table   string   `json:"table"`
	Format  string   `json:"format"`
	Columns []column `json:"columns"`
}

// writeRelease writes files, and a manifest when there are outputs.
func writeRelease(t *testing.T, files map[string]string, outputs ...output) string {
	t.Helper()
	dir := t.TempDir()
	if outputs != nil {
		manifest, err := json.Marshal(map[string]any{"outputs": outputs})
		if err != nil {
			t.Fatal(err)
		}
		files["manifest.json"] = string(manifest)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".gz") {
			var packed strings.Builder
			w := gzip.NewWriter(&packed)
			w.Write([]byte(text))
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			text = packed.String()
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var profileColumns = []column{
	{"id", "direct identifier", "key(row)"}, {"user_id", "direct identifier", "pseudonym(user_id)"}, {"name", "direct identifier", "drop"},
	{"gender", "quasi-identifier", "keep"}, {"year_of_birth", "quasi-identifier", "bin(5)"}, {"goals", "free text", "drop"},
}

var enrolmentColumns = []column{
	{"id", "direct identifier", "key(row)"}, {"user_id", "direct identifier", "pseudonym"}, {"course_id", "attribute", "keep"}, {"created", "quasi-identifier", "keep"},
}

// exampleRelease has four people in two courses: two profiles are alike, one
// is empty, one is alone, and a person has no profile at all.
func exampleRelease(t *testing.T) string {
	return writeRelease(t, map[string]string{
		"a/auth_userprofile.csv":               "\ufeffuser_id,id,gender,year_of_birth\r\n1000000001,1,f,1980-1984\r\n1000000002,2,f,\"1980-1984\"\r\n1000000003,3,NULL,\r\n",
		"b/org-x-auth_userprofile-prod.sql.gz": "id\tgender\tyear_of_birth\tuser_id\n1\tf\t1980-1984\t1000000001\n9\tm\tNULL\t1000000004\n",
		"student_courseenrollment.csv": "id,user_id,course_id,created\n1,1000000001,A,2014-01-01\n2,1000000001,B,2014-01-02\n" +
			"3,1000000002,A,2014-01-01\n4,1000000005,A,2014-01-03\n5,1000000005,B,2014-01-03\n",
		"tracking_log.json": `{"username":"u1000000001","time":"2014-01-01T10:11:12Z","context":{"course_id":"A"}}` + "\n" +
			`{"username":"u1000000001","time":"2014-01-01T10:41:12Z","context":{"course_id":"A"}}` + "\n" +
			"cut off\n" + `{"username":"","time":"2014-01-01T10:41:12Z"}` + "\n" +
			`{"username":"u1000000002","time":"2014-01-01T10:59:59Z","course_id":"A"}` + "\n" +
			`{"username":"u1000000002","time":"2014-01-01T11:00:00Z","course_id":"A"}` + "\n" +
			`{"username":"u1000000001","time":"2014-01-01T12:00:00Z","course_id":"A"}` + "\n" +
			`{"username":"u1000000007","time":"2014-01-01T12:00:00Z","course_id":"A"}`,
	},
		output{"a/auth_userprofile.csv", "auth_userprofile", "csv", profileColumns},
		output{"b/org-x-auth_userprofile-prod.sql.gz", "auth_userprofile", "tsv", profileColumns},
		output{"student_courseenrollment.csv", "student_courseenrollment", "csv", enrolmentColumns},
		output{"tracking_log.json", "tracking_log", "json lines", []column{{"username", "direct identifier", "pseudonym(username)"}, {"agent", "quasi-identifier", "keep"}}},
	)
}

func TestAssessCountsEachPersonOnceOverFilesAndTables(t *testing.T) {
	report, _, err := risk.Assess(exampleRelease(t), risk.Request{Choice: risk.Choice{Logs: true}, K: 2, Courses: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Tables) != 1 || report.Tables[0].Scope != "auth_userprofile" {
		t.Fatalf("tables %+v", report.Tables)
	}
	profile := report.Tables[0]
	if profile.People != 4 || profile.Blank != 1 || profile.Classes != 2 || profile.Uniques != 1 || profile.K != 1 {
		t.Errorf("profiles: %+v", profile)
	}
	// u1000000005 and u1000000007 have no profile: with nothing to show, they
	// are in no class.
	if p := report.Person; p.People != 6 || p.Blank != 3 || p.Classes != 2 || p.K != 1 {
		t.Errorf("people: %+v", p)
	}
	// The courses tell 1 (A, B) from 2 (A), and 5 has both.
	if c := report.Courses; c == nil || c.Uniques != 4 || c.K != 1 {
		t.Errorf("with courses: %+v", c)
	}
	if report.Pass || !slices.Equal(report.Longitudinal, []string{"student_courseenrollment.created", "tracking_log.agent"}) {
		t.Errorf("pass %v, longitudinal %v", report.Pass, report.Longitudinal)
	}
	// Of the hours, 10 is shared by 1 and 2, 11 is 2's own, 12 is shared by 1
	// and 7: any two hours of a person are theirs alone.
	if len(report.Traces) != 2 || report.Traces[0].Sampled != 3 || report.Traces[1].Sampled != 2 || report.Traces[1].Unique != 1 {
		t.Errorf("traces: %+v", report.Traces)
	}
	if len(report.Drivers) != 3 || report.Drivers[0].Column != "auth_userprofile.gender" || report.Drivers[2].Column != "courses" {
		t.Errorf("drivers: %+v", report.Drivers)
	}
}

func TestAssessPassesWhenNobodyIsBelowK(t *testing.T) {
	var text strings.Builder
	text.WriteString("user_id,gender\n")
	for i := range 10 {
		text.WriteString([]string{"1", "2"}[i%2] + "00000000" + string(rune('0'+i)) + "," + []string{"f", "m"}[i%2] + "\n")
	}
	dir := writeRelease(t, map[string]string{"auth_userprofile.csv": text.String()})
	for k, want := range map[int]bool{2: true, 5: true, 6: false} {
		report, _, err := risk.Assess(dir, risk.Request{Choice: risk.Choice{Quasi: []string{"gender"}}, K: k})
		if err != nil {
			t.Fatal(err)
		}
		if report.Pass != want {
			t.Errorf("k %d: pass is %v", k, report.Pass)
		}
	}
}

func TestReadRefusesWhatCannotBeMeasured(t *testing.T) {
	csv := output{"t.csv", "t", "csv", []column{{"user_id", "direct identifier", "pseudonym"}, {"year", "quasi-identifier", "keep"}}}
	const secret = "Prudence"
	for name, c := range map[string]struct {
		files   map[string]string
		outputs []output
		quasi   []string
	}{
		"nothing there":      {map[string]string{}, nil, nil},
		"no people":          {map[string]string{"t.csv": "colour\nred\n"}, nil, nil},
		"ragged":             {map[string]string{"t.csv": "user_id,year\n1," + secret + ",3\n"}, []output{csv}, nil},
		"file is missing":    {map[string]string{}, []output{csv}, nil},
		"gzip ends early":    {map[string]string{"t.csv": "\x1f\x8b"}, []output{{"t.csv.gz", "t", "csv", csv.Columns}}, nil},
		"unknown column":     {map[string]string{"t.csv": "user_id,year\n1,2\n"}, []output{csv}, []string{"yaer"}},
		"path leads outside": {map[string]string{}, []output{{"../t.csv", "t", "csv", csv.Columns}}, nil},
		"manifest is broken": {map[string]string{"manifest.json": "{"}, nil, nil},
	} {
		_, err := risk.Read(writeRelease(t, c.files, c.outputs...), risk.Choice{Quasi: c.quasi})
		if err == nil {
			t.Errorf("%s: read", name)
			continue
		}
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%s: a value is in the error", name)
		}
		var f *fault.Fault
		if !errors.As(err, &f) {
			t.Errorf("%s: %v is no fault", name, err)
		}
	}
}

// A release whose rules name no quasi-identifier was not measured, and does not
// pass for safe.
func TestNothingToMeasureIsAnError(t *testing.T) {
	dir := writeRelease(t, map[string]string{"t.csv": "user_id,year\n1000000001,1980\n"},
		output{"t.csv", "t", "csv", []column{{"user_id", "direct identifier", "pseudonym(user_id)"}, {"year", "attribute", "keep"}}})
	if _, _, err := risk.Assess(dir, risk.Request{K: 5}); fault.CodeOf(err) != fault.Usage {
		t.Errorf("got %v", err)
	}
}

func TestTablesOfNobodyAreTold(t *testing.T) {
	dir := exampleRelease(t)
	if err := os.WriteFile(filepath.Join(dir, "x.csv"), []byte("city\nRennes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "manifest.json")); err != nil {
		t.Fatal(err)
	}
	report, _, err := risk.Assess(dir, risk.Request{K: 2, Choice: risk.Choice{Quasi: []string{"gender", "city"}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Unmeasured) != 1 || report.Unmeasured[0] != "x.city" {
		t.Errorf("%v", report.Unmeasured)
	}
}

// A backslash protects a tab and a line end in both dialects of MySQL.
func TestTabSeparatedTextIsSplitAtBareTabsOnly(t *testing.T) {
	dir := writeRelease(t, map[string]string{
		"x-auth_userprofile-y.sql": "user_id\tgender\tcity\n1\tf\ta\\\tb\\\nc\n2\tf\tq \"uo\" te\n3\t\\N\tx\\\\\n4\tf\tx\r\n",
	})
	report, _, err := risk.Assess(dir, risk.Request{Choice: risk.Choice{Quasi: []string{"gender"}}, K: 3})
	if err != nil {
		t.Fatal(err)
	}
	if p := report.Person; p.People != 4 || p.Blank != 1 || p.K != 3 {
		t.Errorf("%+v", p)
	}
}

func TestNamedColumnsOfLongTablesAreSets(t *testing.T) {
	dir := exampleRelease(t)
	report, _, err := risk.Assess(dir, risk.Request{Choice: risk.Choice{Quasi: []string{"student_courseenrollment.created"}}, K: 2})
	if err != nil {
		t.Fatal(err)
	}
	if p := report.Person; len(p.Quasi) != 1 || p.Classes != 3 || p.Blank != 2 {
		t.Errorf("%+v", p)
	}
}

// TestWhatARuleMadeIsNotRuledAgain: another rule would see the export's values, not
// the release's. Dates that were cut can be cut again.
func TestWhatARuleMadeIsNotRuledAgain(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("user_id,year_of_birth,country,joined,seen\n")
	for i := range 60 {
		rows.WriteString(fmt.Sprintf("%d,%d-%d,%s,2014-%02d-01,2014-10-%02d\n", 1_500_000_000+i, 1940+5*(i%12), 1944+5*(i%12), []string{"FR", "BE", "CH", "other"}[i%4], 1+i%12, 1+i%28))
	}
	dir := writeRelease(t, map[string]string{"auth_userprofile.csv": rows.String()}, output{"auth_userprofile.csv", "auth_userprofile", "csv", []column{
		{"user_id", "direct identifier", "pseudonym(user_id)"}, {"year_of_birth", "quasi-identifier", "bin(5)"}, {"country", "quasi-identifier", "map"},
		{"joined", "quasi-identifier", "date(month)"}, {"seen", "quasi-identifier", "date(shift)"},
	}})
	report, _, err := risk.Assess(dir, risk.Request{K: 5, Suggest: true})
	if err != nil || !report.Suggestion.Reached {
		t.Fatalf("%+v, %v", report, err)
	}
	for _, rule := range report.Suggestion.Rules {
		if rule.Action != "blank" && !(rule.Column == "auth_userprofile.joined" && rule.Action == "date" && rule.Unit == "year") {
			t.Errorf("%+v", rule)
		}
	}
}
