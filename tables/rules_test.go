package tables_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/config"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/tables"
)

// TestPastedRulesSettleWhatTheyAreFor: the rule that is shown for an unbound column
// is one that binds it, whatever the column is called.
func TestPastedRulesSettleWhatTheyAreFor(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "project")
	if _, err := config.CreateProject(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"second_phone", "Grade", "a.b", "with space", `quo"ted`, `back\slash`, "été", "*", "yes", "12", "tab\t", "# no comment", "a: b"} {
		u := tables.Unbound{Table: "auth_user", File: "auth_user.csv", Column: name}
		text := "version: 1\noverrides:\n  " + u.Paste() + "\n"
		if err := os.WriteFile(filepath.Join(dir, config.ProjectFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		project, err := config.OpenProject(dir, nil)
		if err != nil {
			t.Errorf("%s: %v", u.Paste(), err)
			continue
		}
		set, _, err := project.RuleSet()
		if err != nil {
			t.Errorf("%s: %v", u.Paste(), err)
			continue
		}
		_, unbound, err := tables.Bind(set.Table("auth_user"), "auth_user.csv", tables.CSV{}, []string{"id", name}, false)
		if err != nil || len(unbound) > 0 {
			t.Errorf("%s: %v, %v", u.Paste(), unbound, err)
		}
	}
}

// TestIdleRules: a rule of the project whose column no file of the table has is
// told with its line; one that some file has, or that cannot be judged, is not.
func TestIdleRules(t *testing.T) {
	set := &tables.RuleSet{Overridden: []tables.Overridden{
		{Table: "one", Column: "a", File: "project.yaml", Line: 3}, {Table: "one", Column: "A", File: "project.yaml", Line: 4},
		{Table: "two", Column: "x", File: "project.yaml", Line: 5}, {Table: "log", Column: "x", File: "project.yaml", Line: 6},
	}}
	one := &tables.Table{Name: "one", Columns: []tables.Column{{Column: "a", Action: "keep"}, {Column: "b", Action: "keep"}}}
	first, _, err := tables.Bind(one, "1.csv", tables.CSV{}, []string{"b"}, false)
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := tables.Bind(one, "2.csv", tables.CSV{}, []string{"a", "b"}, false)
	if err != nil {
		t.Fatal(err)
	}
	log := bindRecords(t, &tables.Table{Name: "log", Shape: "json", Otherwise: "scrub"})
	var list fault.List
	if err := set.Idle([]*tables.Plan{first, nil, second, log}); !errors.As(err, &list) || len(list) != 1 || list[0].Line != 4 || list[0].Code != fault.Usage {
		t.Errorf("%v", err)
	}
	if err := set.Idle(nil); err != nil {
		t.Errorf("without files: %v", err)
	}
}

// TestOverrideKeepsWhatIsLeftOpen: only what the other table says changes.
func TestOverrideKeepsWhatIsLeftOpen(t *testing.T) {
	table := tables.Table{
		Name: "one", About: "a", Files: []string{"a.csv"}, Shape: "table", Course: "c", Document: "d", Use: "u", Unreadable: "stop",
		Person: []tables.PersonColumn{{Column: "p", Kind: "user_id"}}, Links: []tables.PersonColumn{{Column: "p", Kind: "user_id"}},
		Describe: []tables.DescribeColumn{{Column: "n", As: "name"}}, Require: []string{"p"}, Columns: []tables.Column{{Column: "p", Action: "drop"}},
	}
	same := table
	same.Override(&tables.Table{Name: "one"})
	if same.About != "a" || same.Files[0] != "a.csv" || same.Course != "c" || same.Document != "d" || same.Use != "u" || same.Person[0].Column != "p" ||
		len(same.Links) != 1 || len(same.Describe) != 1 || len(same.Require) != 1 || len(same.Columns) != 1 || same.Drop {
		t.Errorf("%+v", same)
	}
	other := table
	other.Override(&tables.Table{Name: "one", Shape: "json", Otherwise: "scrub", Require: []string{"q"}, Columns: []tables.Column{{Column: "p", Action: "keep"}, {Column: "q", Action: "drop"}}})
	if other.Shape != "json" || other.Otherwise != "scrub" || other.Require[0] != "q" || len(other.Columns) != 2 || other.Columns[0].Action != "keep" {
		t.Errorf("%+v", other)
	}
	if table.Columns[0].Action != "drop" || len(table.Columns) != 1 {
		t.Error("the override reached the rules it was laid over")
	}
}

// TestSchemaFindsUnnamedPaths: paths that no rule names are all found before the
// run, and are gone when they are dropped.
func TestSchemaFindsUnnamedPaths(t *testing.T) {
	b := newBench(t, people)
	table := builtin(t, "fun", "forum")
	schema, err := tables.NewSchema(table)
	if err != nil || schema == nil {
		t.Fatalf("%v", err)
	}
	text := `{"_id": {"$oid": "542bdeea1b03b7992903a1b9"}, "author_id": "4711", "body": "x", "endorsement": null, "nick": "zoe", "votes": {"up": ["4711"], "who": [1]}}` + "\n" +
		`{"author_id": "4711", "nick": "zoe", "extra": {"deep": [{"er": "prudence"}]}}` + "\n"
	found, err := schema.ReadAll("file", tables.JSONLines{}, strings.NewReader(text), tables.Limits{Block: 16, Record: 1 << 20})
	if err != nil || strings.Join(found, " ") != "nick votes.who extra" {
		t.Fatalf("%q, %v", found, err)
	}
	out, _ := b.must(t, bindRecords(t, table.Dropping(found)), text)
	clean(t, "dropped paths", out)
	for _, gone := range []string{"nick", "who", `"er"`} {
		if strings.Contains(out, gone) {
			t.Errorf("%s is there: %s", gone, out)
		}
	}
	if !strings.Contains(out, `"author_id": "`+b.number(t, "4711")+`"`) || !strings.Contains(out, `"up": ["`+b.number(t, "4711")+`"]`) {
		t.Errorf("%s", out)
	}
	if s, err := tables.NewSchema(builtin(t, "fun", "tracking_log")); s != nil || err != nil {
		t.Errorf("the log scrubs what no rule names: %v", err)
	}
}

// TestForumPeople: every place of a post where a person stands (edx-data section
// 3), in extended JSON as Mongo writes it.
func TestForumPeople(t *testing.T) {
	b := newBench(t, people)
	number, name := b.number(t, "4711"), b.username(t, "4711")
	text := `{ "_id" : { "$oid" : "542bdeea1b03b7992903a1b9" }, "_type" : "Comment", "author_id" : "4711", "author_username" : "prudence.martin", "votes" : { "up" : [ "4711", "90210" ], "down" : [ ], "point" : 1 }, "abuse_flaggers" : [ "4711" ], "historical_abuse_flaggers" : [ "4711" ], "endorsement" : { "user_id" : "4711", "time" : { "$date" : 1412161258860 } }, "closed_by_id" : "4711", "edit_history" : [ { "author_id" : "4711", "editor_username" : "prudence.martin", "original_body" : "by Prudence" } ], "retired_username" : "prudence.martin", "body" : "I am Prudence", "title" : "zoe", "comment_thread_id" : { "$oid" : "542bdeea1b03b7992903a1b9" }, "parent_ids" : [ { "$oid" : "542bdeea1b03b7992903a1b9" } ], "sk" : "542bdeea1b03b7992903a1b9-542fa318016c6f1a42d0b72e", "created_at" : { "$date" : { "$numberLong" : "1412161258860" } }, "at_position_list" : [ "zoe" ] }` + "\n"
	out, tally := b.must(t, bindRecords(t, builtin(t, "fun", "forum")), text)
	clean(t, "a post", out)
	if n := strings.Count(out, `"`+number+`"`); n != 7 {
		t.Errorf("the person's number stands %d times, not 7: %s", n, out)
	}
	if n := strings.Count(out, `"`+name+`"`); n != 3 {
		t.Errorf("the person's username stands %d times, not 3: %s", n, out)
	}
	for _, kept := range []string{`"created_at" : { "$date" : { "$numberLong" : "1412161258860" } }`, `"time" : { "$date" : 1412161258860 }`, `"_type" : "Comment"`, `"body" : ""`, `"point" : 1`, `"down" : [ ]`} {
		if !strings.Contains(out, kept) {
			t.Errorf("%s is not there: %s", kept, out)
		}
	}
	if strings.Contains(out, "542bdeea") || strings.Contains(out, "at_position_list") {
		t.Errorf("an id is left: %s", out)
	}
	id := out[strings.Index(out, `"$oid" : "`)+len(`"$oid" : "`):][:24]
	if strings.Count(out, id) != 4 {
		t.Errorf("equal ids became different: %s", out)
	}
	if tally.People != 1 {
		t.Errorf("%d people", tally.People)
	}
}

// TestNameIndex finds full names, in either order and spelling, and tells whose
// they are when only one person has them.
func TestNameIndex(t *testing.T) {
	b := newBench(t, people)
	b.session.Names.Add("Zoé Blanc", idmap.Pseudonym(2000000000)) // another one of that name
	for in, want := range map[string]string{
		"Prudence-Martin.pdf": b.username(t, "4711") + ".pdf", "martin_prudence": b.username(t, "4711"), "PRUDENCE+MARTIN": b.username(t, "4711"),
		"zoe-blanc": "[redacted]", "Prudence": "[redacted]", "Martinique": "Martinique", "prudently": "prudently", "page": "page", "Page": "[redacted]",
	} {
		if out := b.payload(t, `{"undocumented": "`+in+`"}`); out != `{"undocumented": "`+want+`"}` {
			t.Errorf("%s became %s, not %s", in, out, want)
		}
	}
	empty := newBench(t, nil)
	empty.session.Names = nil
	if out := empty.payload(t, `{"undocumented": "Prudence"}`); out != `{"undocumented": "Prudence"}` {
		t.Errorf("without names: %s", out)
	}
}

// TestTextPlaces: the engine hears whose text it is, and where it stands.
func TestTextPlaces(t *testing.T) {
	b := newBench(t, people)
	places := &placeEngine{}
	b.session.Text = places
	b.must(t, bindRecords(t, builtin(t, "fun", "forum")), `{"_id": {"$oid": "542bdeea1b03b7992903a1b9"}, "author_id": "4711", "course_id": "X/Y/Z", "body": "a", "title": "b"}`+"\n")
	text := "user_id,goals\n90210,c\n"
	b.must(t, bindText(t, builtin(t, "fun", "auth_userprofile"), tables.CSV{}, text), text)
	text = "student_id,course_id,state\n4711,X/Y/Z,\"{\"\"answers\"\": {\"\"i_2_1\"\": \"\"d\"\"}}\"\n"
	b.must(t, bindText(t, builtin(t, "fun", "courseware_studentmodule"), tables.CSV{}, text), text)
	author := func(id string) idmap.Pseudonym {
		p, _ := b.domain.Resolver().Known(idmap.UserID, []byte(id))
		return p
	}
	for i, want := range []tables.TextPlace{
		{Table: "forum", Field: "body", Document: "542bdeea1b03b7992903a1b9", Author: author("4711"), Course: "X/Y/Z"},
		{Table: "forum", Field: "title", Document: "542bdeea1b03b7992903a1b9", Author: author("4711"), Course: "X/Y/Z"},
		{Table: "auth_userprofile", Field: "goals", Author: author("90210")},
		{Table: "courseware_studentmodule", Field: "**.answers", Author: author("4711"), Course: "X/Y/Z"},
	} {
		if i >= len(places.seen) || places.seen[i] != want {
			t.Errorf("text %d: %+v, not %+v", i, places.seen, want)
		}
	}
}

// placeEngine notes where texts stand and leaves them.
type placeEngine struct{ seen []tables.TextPlace }

func (e *placeEngine) Treat(dst, text []byte, place tables.TextPlace) ([]byte, tables.TextTally, error) {
	e.seen = append(e.seen, place)
	return append(dst, text...), tables.TextTally{}, nil
}
