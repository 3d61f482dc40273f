package tables_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/config"
	"anonymooc/tables"
)

// TestSurveyTellsShapesAndNoValues: a survey counts what is filled, what differs
// and how values look, and holds none of them.
func TestSurveyTellsShapesAndNoValues(t *testing.T) {
	values := map[string][]string{
		"integer": {"1", "4711"}, "number": {"1.5", "-3e4"}, "e-mail": {"zorglub@mail.example"}, "date": {"2014-02-03", "2014-02-03 10:11:12.5+00:00"},
		"ip address": {"192.0.2.17", "2001:db8::17"}, "url": {"/u/zorglub", "https://x.example/zorglub"}, "json": {`{"zorglub": 1}`, `[1, 2]`}, "content id": {"i4x://X/Y/zorglub/1"},
		"hex id": {"e4a7b7a2b9a00b1d9fd5a8eb386a9afe", "d755ac65-f6aa-c662-340f-e47c1cb4296b"}, "text": {"zorglub was here again"}, "word": {"zorglub", "audit"},
	}
	var header []string
	rows := [4][]string{}
	for shape, list := range values {
		header = append(header, shape)
		for i := range rows {
			cell := "NULL"
			if i < 3 {
				cell = list[i%len(list)]
			}
			rows[i] = append(rows[i], cell)
		}
	}
	text := strings.Join(header, "\t") + "\n"
	for _, row := range rows {
		text += strings.Join(row, "\t") + "\n"
	}
	plan := bindText(t, rulesFor(header, "drop", func(int) *tables.Column { return nil }), tables.TSV{}, text)
	profiles, n, err := tables.Survey(plan, strings.NewReader(text), tables.Limits{Block: 50, Record: 1 << 20})
	if err != nil || n != 4 || len(profiles) != len(header) {
		t.Fatalf("%d rows, %d columns, %v", n, len(profiles), err)
	}
	for i, p := range profiles {
		if p.Column != header[i] || p.Values != 4 || p.Nulls != 1 || p.Distinct != int64(len(values[header[i]])) || p.Shapes[header[i]] != 3 || len(p.Shapes) != 1 || p.Rule != "drop" {
			t.Errorf("%s: %+v", header[i], p)
		}
	}
	if encoded, err := json.Marshal(profiles); err != nil || strings.Contains(string(encoded), "zorglub") {
		t.Errorf("a value is in the survey: %s, %v", encoded, err)
	}
}

// TestSurveyOfRecords: JSON paths are told apart with the rule that holds for each.
func TestSurveyOfRecords(t *testing.T) {
	text := `{"username": "zoe", "event": {"user_id": 4711, "x": [1, 2.5, null]}}` + "\nno object\n" + `{"username": "", "event": "{\"user_id\": 12}"}` + "\n"
	profiles, n, err := tables.Survey(bindRecords(t, builtin(t, "fun", "tracking_log")), strings.NewReader(text), tables.DefaultLimits())
	if err != nil || n != 2 {
		t.Fatalf("%d rows, %v", n, err)
	}
	var got []string
	for _, p := range profiles {
		got = append(got, fmt.Sprint(p.Column, " ", p.Values, " ", p.Nulls, " ", p.Distinct, " ", p.Rule))
	}
	want := []string{"event.user_id 2 0 2 pseudonym(user_id)", "event.x 3 1 2 scrub", "username 2 1 1 pseudonym(username)"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, not %q", got, want)
	}
}

// TestDraftsAreRulesAndNeverKeep: whatever a column looks like, the rule drafted
// for it can be pasted as it is, and keeping is left to a person.
func TestDraftsAreRulesAndNeverKeep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "project")
	if _, err := config.CreateProject(dir); err != nil {
		t.Fatal(err)
	}
	for _, shape := range []string{"integer", "number", "e-mail", "date", "ip address", "url", "json", "content id", "hex id", "text", "word", "boolean"} {
		for _, distinct := range []int64{1, 10} {
			p := tables.Profile{Column: "new", Values: 10, Distinct: distinct, Shapes: map[string]int64{shape: 10}}
			action, role, why := p.Suggest()
			if strings.HasPrefix(action, "keep") || why == "" {
				t.Errorf("%s: %s", shape, action)
			}
			text := fmt.Sprintf("version: 1\noverrides:\n  - {name: auth_user, columns: [{column: new, action: %s, role: %s, why: %q}]}\n", action, role, why)
			if err := os.WriteFile(filepath.Join(dir, config.ProjectFile), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			project, err := config.OpenProject(dir, nil)
			if err == nil {
				_, _, err = project.RuleSet()
			}
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	mixed := tables.Profile{Values: 100, Distinct: 3, Shapes: map[string]int64{"word": 99, "e-mail": 1}}
	if action, role, _ := mixed.Suggest(); action != "pseudonym, kind: email" || role != tables.DirectIdentifier {
		t.Errorf("one e-mail among words: %s, %s", action, role)
	}
}

// TestHead returns whole records, however they are quoted.
func TestHead(t *testing.T) {
	for _, c := range []struct {
		format  tables.Format
		text    string
		records int
		want    string
	}{
		{tables.CSV{}, "a,b\n1,\"x\ny\"\n2,z\n", 1, "a,b\n1,\"x\ny\"\n"},
		{tables.CSV{}, "a,b\n1,2\n", 0, "a,b\n"},
		{tables.CSV{}, "a,b\n1,2", 5, "a,b\n1,2"},
		{tables.TSV{OutFile: true}, "a\tb\n1\tx\\\ny\n2\tz\n", 1, "a\tb\n1\tx\\\ny\n"},
		{tables.JSONLines{}, "{\"a\":1}\n{\"a\":2}\n", 1, "{\"a\":1}\n"},
		{tables.JSONLines{}, "", 3, ""},
	} {
		head, err := tables.Head("file", c.format, strings.NewReader(c.text), tables.Limits{Block: 1 << 10, Record: 1 << 20}, c.records)
		if err != nil || string(head) != c.want {
			t.Errorf("%d records of %q: %q, %v", c.records, c.text, head, err)
		}
	}
}

// TestScanRecords visits what the paths name, parses no line that is skipped, and
// leaves out a line that names two people for one.
func TestScanRecords(t *testing.T) {
	text := `x {"context": {"user_id": 4711}, "username": "zoe"}` + "\nno object\n{broken\n" + `{"username": "skipped"}` + "\n" + `{"username": null, "username": "amy"}` + "\n" + `{"username": "one", "username": "two"}` + "\n"
	var seen []string
	skip := func(record []byte) bool { return strings.Contains(string(record), "skipped") }
	err := tables.ScanRecords("file", tables.JSONLines{}, strings.NewReader(text), tables.Limits{Block: 8, Record: 1 << 20}, []string{"username", "context.user_id"}, skip, func(cells []tables.Cell) error {
		seen = append(seen, string(cells[0].Text)+"="+string(cells[1].Text))
		return nil
	})
	if err != nil || strings.Join(seen, " ") != "zoe=4711 amy=" {
		t.Errorf("%q, %v", seen, err)
	}
	stop := fmt.Errorf("enough")
	if err := tables.ScanRecords("file", tables.JSONLines{}, strings.NewReader(text), tables.DefaultLimits(), []string{"username"}, skip, func([]tables.Cell) error { return stop }); err != stop {
		t.Errorf("%v", err)
	}
}
