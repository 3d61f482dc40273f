package tables_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"anonymooc/tables"
)

// The tests of this file carry the names of what the existing obfuscator of edX
// gets wrong (edx-data, section 7).

// TestFaultUnknownEventTypesAreKept: an event type that nobody documented is as
// safe as any other, and stays.
func TestFaultUnknownEventTypesAreKept(t *testing.T) {
	b := newBench(t, people)
	in := `{"event_type": "org.example.brand_new.thing_happened", "event": {"count": 3, "kind": "novel", "by_whom": "prudence.martin", "ref": "zoe.blanc@courriel.example"}}`
	out := b.event(t, in)
	clean(t, "unknown event type", out)
	if !strings.HasPrefix(out, `{"event_type": "org.example.brand_new.thing_happened", "event": {"count": 3, "kind": "novel", "by_whom": "u`) {
		t.Errorf("the event is damaged: %s", out)
	}
}

// TestFaultTextThatIsNoJSONIsScrubbed: payload text that does not parse passes
// nobody.
func TestFaultTextThatIsNoJSONIsScrubbed(t *testing.T) {
	b := newBench(t, people)
	for _, in := range []string{
		`"prudence.martin"`, `"{\"username\": \"prudence.martin\", \"student\": \"zo"`, `"{'username': 'prudence.martin'}"`, `"user prudence.martin, 4711@zoe.blanc.example"`,
		`"mail=zoe.blanc%40courriel.example&u=prudence.martin"`, `"{prudence.martin}"`, `"[prudence.martin, zoe]"`, `"\"prudence.martin"`,
	} {
		clean(t, in, b.payload(t, in))
	}
}

// TestFaultOtherPeopleInATextAreFound: not only the row's own user is looked for.
func TestFaultOtherPeopleInATextAreFound(t *testing.T) {
	b := newBench(t, people)
	for _, line := range []string{
		`{"username": "zoe", "event": {"link": "/files/prudence.martin/report.pdf"}}`,
		`{"username": "zoe", "event": {"label": "Prudence Martin <prudence.martin@post.example>"}}`,
		`{"username": "zoe", "event": {"slug": "martin-prudence-2014"}}`,
		`{"username": "zoe", "event": {"file": "Prudence_Martin.pdf"}}`,
	} {
		clean(t, line, b.event(t, line))
	}
}

// TestFaultTargetFieldsAreReplaced: target_username and its like do not keep the
// real value.
func TestFaultTargetFieldsAreReplaced(t *testing.T) {
	b := newBench(t, people)
	for _, field := range []string{"target_username", "added_username", "removed_user_id", "invited_by", "assigned_to_user_id", "moderator"} {
		in := `{"` + field + `": "prudence.martin"}`
		if strings.HasSuffix(field, "_id") {
			in = `{"` + field + `": 4711}`
		}
		out := b.payload(t, in)
		clean(t, field, out)
		if !strings.Contains(out, b.number(t, "4711")) {
			t.Errorf("%s became %s: not the person's pseudonym", in, out)
		}
	}
}

// TestFaultPhonesHandlesAndMailsWrittenOut: French telephone numbers,
// name(at)host and handles do not stay.
func TestFaultPhonesHandlesAndMailsWrittenOut(t *testing.T) {
	b := newBench(t, people)
	for in, want := range map[string]string{
		`{"q2": "07700900969"}`: `{"q2": "[redacted]"}`, `{"q3": ["0612345678"]}`: `{"q3": ["[redacted]"]}`,
		`{"q2": 7700900969}`: `{"q2": 7700900969}`, `{"q2": "1412161258"}`: `{"q2": "1412161258"}`, `{"q2": "000123"}`: `{"q2": "000123"}`, `{"q2": "x/0612345678/y"}`: `{"q2": "x/0612345678/y"}`,
	} {
		if out := b.payload(t, in); out != want {
			t.Errorf("%s became %s", in, out)
		}
	}
	for _, text := range []string{
		"06 12 34 56 78", "06.12.34.56.78", "06-12-34-56-78", "0612345678 is mine to call", "+33 6 12 34 56 78", "+33612345678", "+44 7700 900718",
		"write to someone(at)host.example please", "my handle is @someone_there on the bird site",
	} {
		out := b.payload(t, `{"undocumented": "`+text+`", "query": "`+text+`"}`)
		for _, secret := range []string{"34", "900", "someone(at)", "someone_there"} {
			if strings.Contains(out, secret) {
				t.Errorf("%s became %s", text, out)
				break
			}
		}
	}
}

// TestFaultPseudonymsAreNoPermutation: ids that are near one another have
// pseudonyms that tell nothing of it: no order, no common bits.
func TestFaultPseudonymsAreNoPermutation(t *testing.T) {
	var crowd []someone
	for i := range 600 {
		n := strconv.Itoa(1000 + i)
		crowd = append(crowd, someone{id: n, username: "person" + n, email: "p" + n + "@mail.example", name: "A B", anonymous: "00000000000000000000000000" + "00" + n})
	}
	b := newBench(t, crowd)
	inversions, same := 0, [31]int{}
	var before uint64
	for i, p := range crowd {
		n, err := strconv.ParseUint(b.number(t, p.id), 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		if n < before {
			inversions++
		}
		before = n
		for bit := range same {
			if n>>bit&1 == uint64(1000+i)>>bit&1 {
				same[bit]++
			}
		}
	}
	if inversions < 200 || inversions > 400 {
		t.Errorf("%d of 600 neighbours change order", inversions)
	}
	for bit, n := range same[:20] { // six standard deviations
		if n < 226 || n > 374 {
			t.Errorf("bit %d of the pseudonym agrees with that of the id %d times of 600", bit, n)
		}
	}
}

// TestFaultColumnsGoByName: the order of the columns does not matter.
func TestFaultColumnsGoByName(t *testing.T) {
	b := newBench(t, people)
	table := builtin(t, "fun", "student_courseenrollment")
	names := []string{"id", "user_id", "course_id", "created", "is_active", "mode"}
	cells := []string{"17", "4711", "X/Y/Z", "2014-02-03 10:11:12", "1", "audit"}
	want := ""
	for turn := range names {
		turned := func(of []string) []string { return append(slices.Clone(of[turn:]), of[:turn]...) }
		text := strings.Join(turned(names), ",") + "\n" + strings.Join(turned(cells), ",") + "\n"
		out, _ := b.must(t, bindText(t, table, tables.CSV{}, text), text)
		row := strings.Split(strings.Split(strings.TrimSpace(out), "\n")[1], ",")
		row = append(slices.Clone(row[len(row)-turn:]), row[:len(row)-turn]...)
		if got := strings.Join(row, ","); want == "" {
			want = got
		} else if got != want {
			t.Errorf("turned by %d: %s, not %s", turn, got, want)
		}
	}
	if want == strings.Join(cells, ",") || !strings.HasSuffix(want, b.number(t, "4711")+",X/Y/Z,2014-02-03 10:11:12,1,audit") {
		t.Errorf("%s", want)
	}
}

// TestFaultRowKeysAreReplaced: the keys of the rows lead back to the platform.
func TestFaultRowKeysAreReplaced(t *testing.T) {
	b := newBench(t, people)
	for set, names := range map[string][]string{
		"fun": {"auth_user", "auth_userprofile", "student_courseenrollment", "courseware_studentmodule", "certificates_generatedcertificate"},
		"edx": {"student_anonymoususerid", "user_api_usercoursetag", "teams", "teams_membership", "wiki_article", "submissions_submission", "assessment_assessment", "student_languageproficiency"},
	} {
		for _, name := range names {
			table := *builtin(t, set, name)
			table.Require = nil
			text := "id\n123456789\n"
			out, _ := b.must(t, bindText(t, &table, tables.CSV{}, text), text)
			if key := strings.TrimSpace(strings.TrimPrefix(out, "id\n")); key == "123456789" || len(key) != 10 {
				t.Errorf("%s: the row's key is %q", name, key)
			}
		}
	}
}

// TestFaultGoalsAreText: goals is free text.
func TestFaultGoalsAreText(t *testing.T) {
	b := newBench(t, people)
	text := "user_id,goals,year_of_birth\n4711,\"to meet Zoé, call 06 12 34 56 78\",1987\n"
	out, _ := b.must(t, bindText(t, builtin(t, "fun", "auth_userprofile"), tables.CSV{}, text), text)
	if want := "user_id,goals,year_of_birth\n" + b.number(t, "4711") + ",\"\",1987\n"; out != want && out != strings.Replace(want, `""`, "", 1) {
		t.Errorf("%q", out)
	}
}

// TestFaultUnparsableState: a state that does not parse becomes no silent {}: it
// is emptied and counted, or treated as the text it is.
func TestFaultUnparsableState(t *testing.T) {
	b := newBench(t, people)
	table := builtin(t, "fun", "courseware_studentmodule")
	run := func(state string) (string, tables.ColumnTally) {
		text := "student_id\tstate\tgrade\n4711\t" + state + "\t1\n"
		out, tally := b.must(t, bindText(t, table, tables.TSV{}, text), text)
		cells := strings.Split(strings.TrimSpace(strings.Split(out, "\n")[1]), "\t")
		if len(cells) != 3 || cells[2] != "1" {
			t.Fatalf("%q", out)
		}
		return cells[1], tally.Columns[1]
	}
	for _, state := range []string{`{"student": "prudence.martin`, `{"a": prudence.martin}`, `{"a": 1}} prudence.martin`, `[{"a": "prudence.martin"`} {
		out, tally := run(state)
		clean(t, state, out)
		if out == "{}" || tally.Failed+tally.Cut+tally.Changed == 0 {
			t.Errorf("%s became %q and nothing is counted: %+v", state, out, tally)
		}
	}
	for _, state := range []string{`{"position": 1}`, "NULL", `{"seed": 1, "done": true, "correct_map": {}, "input_state": {"i4x-X_2_1": {}}}`, `{"x": "a\\nb"}`} {
		if out, _ := run(state); out != state {
			t.Errorf("%s became %s", state, out)
		}
	}
	out, _ := run(`{"student_answers": {"i4x-X_2_1": "I am Zoé\\nBlanc", "i4x-X_3_1": "choice_1"}, "attempts": 2}`)
	if out != `{"student_answers": {"i4x-X_2_1": "", "i4x-X_3_1": "choice_1"}, "attempts": 2}` {
		t.Errorf("%s", out)
	}
}

// TestChangedStatesKeepTheRest holds invariant 11 inside a cell: around the value
// that is replaced, every escape of the JSON and of the table stays as it was.
func TestChangedStatesKeepTheRest(t *testing.T) {
	b := newBench(t, people)
	table := builtin(t, "fun", "courseware_studentmodule")
	name := b.username(t, "90210")
	for _, c := range []struct {
		format        tables.Tabular
		before, after string // around the username in the state
	}{
		{tables.TSV{}, `student_id	state	grade` + "\n" + `4711	{"x": "a\\nb \\"q\\" \\\\ \\u00e9 \\/", "n": 1.50e+3 , "student":"`, `" , "y": "a\\tb", "z": [ ]}	NULL` + "\n"},
		{tables.TSV{OutFile: true}, "student_id\tstate\tgrade\n4711\t{\"x\": \"a\\\\nb\",\\\n \"student\":\"", "\", \\\n\\\t\"z\": {}}\t\\N\n"},
		{tables.CSV{}, `student_id,state,grade` + "\r\n" + `4711,"{""x"": ""a\nb \""q\"""",` + "\r\n" + ` ""student"": ""`, `"", ""e"": ""{\""i\"": 1.0}""}",` + "\r\n"},
	} {
		text := c.before + "zoe" + c.after
		out, tally := b.must(t, bindText(t, table, c.format, text), text)
		want := strings.Replace(c.before, "4711", b.number(t, "4711"), 1) + name + c.after
		if out != want || tally.Columns[1].Failed > 0 {
			t.Errorf("%q became\n%q, not\n%q", text, out, want)
		}
	}
}

// TestFaultNamesWithUnexpectedCharacters: a name is found however it is made, and
// never told in a message.
func TestFaultNamesWithUnexpectedCharacters(t *testing.T) {
	odd := []someone{
		{"21", "o'brien+x", "o.brien+x@mail.example", "Siobhán O'Brien", "11111111111111111111111111111111"},
		{"22", "ИваН_Петров", "ivan@mail.example", "Иван Петров", "22222222222222222222222222222222"},
		{"23", "a(b)[c]*", "abc@mail.example", "Łukasz Żółć", "33333333333333333333333333333333"},
		{"24", "x\\d", "xd@mail.example", "Jean-Luc d’Été", "44444444444444444444444444444444"},
	}
	b := newBench(t, odd)
	for _, p := range odd {
		escaped := strings.ReplaceAll(p.username, `\`, `\\`)
		out := b.event(t, `{"username": "`+escaped+`", "event": {"user": "`+escaped+`", "label": "`+p.name+`", "email": "`+p.email+`"}}`)
		for _, secret := range []string{escaped, p.name, p.email} {
			if strings.Contains(out, secret) {
				t.Errorf("%s is left: %s", secret, out)
			}
		}
		if want := `"username": "` + b.username(t, p.id) + `", "event": {"user": "` + b.username(t, p.id) + `"`; !strings.Contains(out, want) {
			t.Errorf("%s", out)
		}
	}
}
