package verify

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// compareLogs gives what verify tells of a log of the release beside the export's.
func compareLogs(t *testing.T, was, now []string, jobs int, columns ...Column) *Report {
	t.Helper()
	log := func(lines []string) map[string]string {
		return map[string]string{"tracking_log.json": strings.Join(lines, "\n") + "\n"}
	}
	m := &Manifest{Outputs: []Output{{Path: "tracking_log.json", RowsIn: int64(len(was)), RowsOut: int64(len(was)), Columns: columns}}}
	report, err := Run(t.Context(), Request{
		Release: write(t, log(now)), Source: []string{write(t, log(was))}, Manifest: m, Known: slices.Values([]Known(nil)), Jobs: jobs,
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestFirstContradictionIsTold: whoever of the workers was first, the line is the
// one on which a surrogate first was another than before.
func TestFirstContradictionIsTold(t *testing.T) {
	const lines, people, turned, joined = 20_000, 500, 6_007, 9_011
	was, now := make([]string, lines), make([]string, lines)
	for i := range was {
		person := i % people
		surrogate := 1_500_000_000 + person
		switch i + 1 {
		case turned: // one person became two
			surrogate = 1_600_000_000
		case joined: // two became one
			surrogate++
		}
		row := i
		if row == pairsAtOnce { // the first line of the second worker has the key of the first worker's last line
			row--
		}
		was[i] = fmt.Sprintf(`{"context": {"user_id": %d}, "session": "s%d", "row": "r%d", "n": %d}`, 10+person, person, row, i)
		now[i] = fmt.Sprintf(`{"context": {"user_id": %d}, "session": "t%d", "row": "q%d", "n": %d}`, surrogate, (person+i/15_000)%people, i, i)
	}
	rules := []Column{{Name: "context.user_id", Action: "pseudonym(user_id)"}, {Name: "session", Action: "key(session)"}, {Name: "row", Action: "key(row)"}, {Name: "n", Action: "keep"}}
	first := ""
	for _, jobs := range []int{1, 2, 7} {
		report := compareLogs(t, was, now, jobs, rules...)
		if len(report.Problems) != 3 {
			t.Fatalf("%d workers: %+v", jobs, report.Problems)
		}
		for _, p := range report.Problems {
			if want := map[string]int64{"context.user_id": turned, "session": 15_001, "row": pairsAtOnce + 1}[p.Column]; p.Line != want {
				t.Errorf("%d workers: %s is told of line %d, want %d", jobs, p.Column, p.Line, want)
			}
		}
		data, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(data)
		} else if string(data) != first {
			t.Errorf("%d workers tell something else:\n%s\n%s", jobs, data, first)
		}
	}
}

// TestValuesAreComparedWhereTheyStand, however the texts around them differ.
func TestValuesAreComparedWhereTheyStand(t *testing.T) {
	const kept = "was to be kept"
	tests := []struct{ name, was, now, column, what string }{
		{"other order", `{"a": 1, "b": {"c": 2, "d": 3}}`, `{"b": {"d": 3, "c": 2}, "a": 1}`, "", ""},
		{"other order, other value", `{"a": 1, "b": {"c": 2, "d": 3}}`, `{"b": {"d": 4, "c": 2}, "a": 1}`, "*.*", kept},
		{"a member less", `{"a": 1, "b": 2, "c": 3}`, `{"a": 1, "c": 4}`, "*", kept},
		{"element of a list", `{"a": [1, [2, 3]]}`, `{"a": [1, [2, 4]]}`, "*", kept},
		{"elements changed places", `{"a": [{"x": 1}, {"x": 2}]}`, `{"a": [{"x": 2}, {"x": 1}]}`, "*.*", kept},
		{"text in a text", `{"a": "{\"b\": \"{\\\"c\\\": 1}\"}"}`, `{"a": "{\"b\": \"{\\\"c\\\": 2}\"}"}`, "*.*.*", kept},
		{"a text is no object", `{"a": "{\"b\": 1}"}`, `{"a": {"b": 2}}`, "", ""}, // another place: its type is another's business
		{"escaped brace", `{"a": "\u007b\"b\": 1}"}`, `{"a": "{\"b\": 2}"}`, "*.*", kept},
		{"text that is cut", `{"a": "{\"b\": 1, \"c"}`, `{"a": "{\"b\": 2, \"c"}`, "*", kept},
		{"the first of equal keys", `{"a": 1, "a": 2}`, `{"a": 1, "a": 3}`, "", ""},
		{"the first of equal keys, changed", `{"a": 1, "a": 2}`, `{"a": 2, "a": 2}`, "*", kept},
		{"key with escapes", `{"a\"b": 1}`, `{"a\"b": 2}`, "*", kept},
		{"key written otherwise", `{"\u0061": 1}`, `{"a": 2}`, "*", kept},
		{"empty key", `{"": 1}`, `{"": 2}`, "*", kept},
		{"type", `{"a": "1"}`, `{"a": 1}`, "*", "has changed its type"},
		{"no JSON", `{"a": 1}`, `{"a": 1`, "", "is none any more"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			report := compareLogs(t, []string{`{"a": 1, "b": 2, "c": 3}`, test.was}, []string{`{"a": 1, "b": 2, "c": 3}`, test.now}, 1, Column{Name: "**", Action: "keep"})
			if test.what == "" && len(report.Problems) > 0 || test.what != "" &&
				(len(report.Problems) != 1 || report.Problems[0].Line != 2 || !hasProblem(report, "tracking_log.json", test.column, test.what)) {
				t.Errorf("%+v", report.Problems)
			}
		})
	}
}

// TestKeysWithoutEndAreCompared: where keys are data, what is known of paths is
// forgotten and learnt anew.
func TestKeysWithoutEndAreCompared(t *testing.T) {
	var was, now []string
	for i := range 3 * maximumSpots / 8 {
		var line strings.Builder
		for k := range 8 {
			fmt.Fprintf(&line, `, "k%d": "v"`, 8*i+k)
		}
		was = append(was, "{"+line.String()[2:]+"}")
	}
	now = slices.Clone(was)
	last := len(now) - 1
	now[last] = strings.Replace(now[last], `"v"`, `"w"`, 1)
	report := compareLogs(t, was, now, 1, Column{Name: "*", Action: "keep"})
	if len(report.Problems) != 1 || report.Problems[0].Line != int64(last+1) {
		t.Errorf("%+v", report.Problems)
	}
	tree := newTree(newSchema("", "", nil), nil)
	reader := leafReader{tree: tree}
	for _, line := range was {
		tree.begin()
		reader.read([]byte(line))
	}
	if tree.spots > maximumSpots+16 {
		t.Errorf("a tree has grown to %d spots", tree.spots)
	}
}
