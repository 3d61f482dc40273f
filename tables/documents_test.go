package tables_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/tables"
)

// forumPlan binds the forum's rules of FUN to a format.
func forumPlan(t testing.TB, format tables.Format) *tables.Plan {
	t.Helper()
	plan, _, err := tables.Bind(builtin(t, "fun", "forum"), "forum", format, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// forumPosts are posts as mongoexport writes them, one a line.
func forumPosts() []string {
	var posts []string
	for i, p := range people {
		posts = append(posts, fmt.Sprintf(`{ "_id" : { "$oid" : "52ee7a00000000000000%04x" }, "_type" : "CommentThread", "author_id" : "%s", "author_username" : "%s", "body" : "{ \"not\": [\"%s\"] } ] ,", "votes" : { "up" : [ "%s" ], "count" : %d }, "created_at" : { "$date" : 1391421072000 }, "course_id" : "a/b/c" }`,
			i, p.id, p.username, p.name, p.id, i))
	}
	return posts
}

// asBSON reads posts into documents one behind the other.
func asBSON(t testing.TB, posts ...string) []byte {
	t.Helper()
	var out []byte
	for _, text := range posts {
		var d bson.D
		if err := bson.UnmarshalExtJSON([]byte(text), false, &d); err != nil {
			t.Fatal(err)
		}
		document, err := bson.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, document...)
	}
	return out
}

// asLines writes documents as extended JSON, one a line.
func asLines(t testing.TB, documents []byte) (lines []string) {
	t.Helper()
	for len(documents) > 0 {
		n := int(documents[0]) | int(documents[1])<<8 | int(documents[2])<<16
		if err := bson.Raw(documents[:n]).Validate(); err != nil {
			t.Fatal(err)
		}
		text, err := bson.MarshalExtJSON(bson.Raw(documents[:n]), false, false)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
		documents = documents[n:]
	}
	return lines
}

// TestFormsOfAForum: a forum says the same in every form, whatever the size of
// the blocks, and stays in its form.
func TestFormsOfAForum(t *testing.T) {
	b := newBench(t, people)
	posts := forumPosts()
	lines, _ := b.must(t, forumPlan(t, tables.JSONLines{}), strings.Join(posts, "\n")+"\n")
	want := strings.Split(strings.TrimSpace(lines), "\n")
	indented := make([]string, len(posts))
	for i, p := range posts {
		indented[i] = strings.NewReplacer(", \"", ",\n\t\"", "{ \"", "{\n\t\"").Replace(p)
	}
	wantIndented, _ := b.must(t, forumPlan(t, tables.JSONText{}), strings.Join(indented, "\n"))
	for _, form := range []struct {
		name, text, want string
		format           tables.Documents
	}{
		{"array", "[" + strings.Join(posts, ",") + "]\n", "[" + strings.Join(want, ",") + "]\n", tables.JSONText{}},
		{"array over lines", "\ufeff[\n" + strings.Join(posts, ",\n") + "\n]", "\ufeff[\n" + strings.Join(want, ",\n") + "\n]", tables.JSONText{}},
		{"pretty array", "[\n" + strings.Join(indented, ",\n") + "\n]\n", "", tables.JSONText{}},
		{"pretty", strings.Join(indented, "\n"), wantIndented, tables.JSONText{}},
		{"lines", strings.Join(posts, "\n"), strings.Join(want, "\n"), tables.JSONLines{}},
		{"empty array", "[ ]\n", "[ ]\n", tables.JSONText{}},
	} {
		name := "forum.json"
		if got := tables.DocumentsOf(name, []byte(form.text[:min(len(form.text), 4096)])); got != form.format && form.name != "empty array" {
			t.Errorf("%s is taken for %s", form.name, got.Name())
		}
		for _, block := range []int{1, 40, 900, 1 << 20} {
			out, tally, err := b.transform(forumPlan(t, form.format), form.text, tables.Stream{Jobs: 3, Limits: tables.Limits{Block: block, Record: 1 << 20}})
			if err != nil {
				t.Fatalf("%s: %v", form.name, err)
			}
			if form.want == "" { // what a first reading gave
				form.want = out
			}
			if out != form.want {
				t.Fatalf("%s, blocks of %d:\n%s\nwant\n%s", form.name, block, out, form.want)
			}
			if tally.RowsIn != tally.RowsOut || form.name != "empty array" && tally.RowsIn != int64(len(posts)) {
				t.Errorf("%s: %d rows in, %d out", form.name, tally.RowsIn, tally.RowsOut)
			}
		}
		clean(t, form.name, form.want)
	}
	documents := asBSON(t, posts...)
	for _, block := range []int{1, 200, 1 << 20} {
		out, tally, err := b.transform(forumPlan(t, tables.BSON{}), string(documents), tables.Stream{Jobs: 3, Limits: tables.Limits{Block: block, Record: 1 << 20}})
		if err != nil {
			t.Fatal(err)
		}
		got := asLines(t, []byte(out))
		if fmt.Sprint(got) != fmt.Sprint(asLines(t, asBSON(t, want...))) || tally.RowsOut != int64(len(posts)) {
			t.Fatalf("blocks of %d: %v\nwant %v", block, got, want)
		}
	}
}

// TestForgottenInArrays: wherever the forgotten stand in an array, an array is left.
func TestForgottenInArrays(t *testing.T) {
	posts := forumPosts()
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 24 {
		b := newBench(t, people)
		gone := map[int]bool{}
		for i := range people {
			if round == 0 || r.IntN(2) == 0 {
				gone[i] = true
				if _, err := b.idMap.Forget([]idmap.Identifier{{Kind: idmap.UserID, Value: people[i].id}}, "test"); err != nil {
					t.Fatal(err)
				}
			}
		}
		var left int
		for i := range posts {
			if !gone[i] {
				left++
			}
		}
		text := "[\n" + strings.Join(posts, ",\n") + "\n]\n"
		out, tally, err := b.transform(forumPlan(t, tables.JSONText{}), text, tables.Stream{Jobs: 2, Limits: tables.Limits{Block: 1 + r.IntN(3000), Record: 1 << 20}})
		if err != nil {
			t.Fatal(err)
		}
		var list []bson.D
		if err := bson.UnmarshalExtJSON([]byte(`{"list": `+out+`}`), false, &struct{ List *[]bson.D }{&list}); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		if len(list) != left || tally.RowsOut != int64(left) || tally.Dropped[tables.DroppedForgotten] != int64(len(posts)-left) {
			t.Fatalf("%d of %d left, %+v:\n%s", len(list), left, tally, out)
		}
		raw, tally, err := b.transform(forumPlan(t, tables.BSON{}), string(asBSON(t, posts...)), tables.Stream{Jobs: 2, Limits: tables.Limits{Block: 500, Record: 1 << 20}})
		if err != nil || len(asLines(t, []byte(raw))) != left || tally.Dropped[tables.DroppedForgotten] != int64(len(posts)-left) {
			t.Fatalf("%v, %+v", err, tally)
		}
	}
}

// TestDamagedForums: what is no whole forum is an error that tells where, and
// quotes nothing.
func TestDamagedForums(t *testing.T) {
	b := newBench(t, people)
	posts := forumPosts()
	documents := string(asBSON(t, posts...))
	second := len(asBSON(t, posts[0]))
	invalid, err := bson.Marshal(bson.D{{Key: "body", Value: "\xff prudence"}})
	if err != nil {
		t.Fatal(err)
	}
	shell := strings.Replace(posts[1], `{ "$oid" : "52ee7a000000000000000001" }`, `ObjectId("52ee7a000000000000000001")`, 1)
	for _, c := range []struct {
		name, text, message, hint string
		format                    tables.Format
	}{
		{"cut array", "[" + strings.Join(posts, ",\n"), "does not end", "", tables.JSONText{}},
		{"cut object", "[" + posts[0] + ",\n" + posts[1][:50], "line 1: the text is not JSON: an object that does not end", "", tables.JSONText{}},
		{"no comma", "[" + posts[0] + "\n" + posts[1] + "]", "objects and commas do not take turns", "", tables.JSONText{}},
		{"two commas", "[" + posts[0] + ",,\n" + posts[1] + "]", "neither an object nor a comma", "", tables.JSONText{}},
		{"comma at the end", "[" + posts[0] + ",]", "neither an object nor the end", "", tables.JSONText{}},
		{"two arrays", "[" + posts[0] + "]\n[" + posts[1] + "]", "", "", tables.JSONText{}},
		{"a value that is no object", "[" + posts[0] + ",\"prudence\"]", "neither an object", "", tables.JSONText{}},
		{"shell in an array", "[" + posts[0] + ",\n" + shell + "]", "line 2: this is the syntax of the mongo shell, not JSON", "mongoexport", tables.JSONText{}},
		{"shell", posts[0] + "\n" + shell + "\n", "line 2: this is the syntax of the mongo shell, not JSON", "mongoexport", tables.JSONLines{}},
		{"shell dates", `{ "_id" : 1, "created_at" : ISODate("2014-02-03T00:00:00Z") }`, "line 1: this is the syntax of the mongo shell", "mongoexport", tables.JSONLines{}},
		{"cut bson", documents[:second+70], "document 2: it ends early", "copy it as binary", tables.BSON{}},
		{"no bson", posts[0], "document 1: it ends early", "copy it as binary", tables.BSON{}},
		{"wrong length", documents[:second] + "\x04\x00\x00\x00\x00", "document 2: it ends early, or its length is wrong", "", tables.BSON{}},
		{"bomb", documents[:second] + "\xff\xff\xff\x7f", "document 2: it ends early, or its length is wrong", "", tables.BSON{}},
		{"no UTF-8", documents + string(invalid), fmt.Sprintf("document %d: it is not BSON at byte 15: a text that is not UTF-8", len(posts)+1), "", tables.BSON{}},
	} {
		for _, block := range []int{1, 600, 1 << 20} {
			out, _, err := b.transform(forumPlan(t, c.format), c.text, tables.Stream{Jobs: 2, Limits: tables.Limits{Block: block, Record: 1 << 20}})
			var hint string
			if f, ok := err.(*fault.Fault); ok {
				hint = f.Hint
			}
			if err == nil || !strings.Contains(err.Error(), c.message) || !strings.Contains(hint, c.hint) || strings.Contains(err.Error()+hint, "prudence") {
				t.Errorf("%s, blocks of %d: %v, %q, wrote %d bytes", c.name, block, err, hint, len(out))
			}
		}
	}
}

// TestSetAside: where the rules say so, a record that cannot be read is set aside
// and the others go on.
func TestSetAside(t *testing.T) {
	b := newBench(t, people)
	table := *builtin(t, "fun", "forum")
	table.Unreadable = "quarantine"
	posts := forumPosts()[:3]
	invalid, err := bson.Marshal(bson.D{{Key: "body", Value: "\xff prudence"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		format tables.Format
		text   string
		aside  string
		line   int64
	}{
		{tables.BSON{}, string(asBSON(t, posts[0])) + string(invalid) + string(asBSON(t, posts[1:]...)), string(invalid), 2},
		{tables.JSONText{}, "[\n{\"a\" 1},\n" + strings.Join(posts, ",\n") + "\n]", "{\"a\" 1}\n", 2},
	} {
		plan, _, err := tables.Bind(&table, "forum", c.format, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range []int{1, 1 << 20} {
			var aside bytes.Buffer
			out, tally, err := b.transform(plan, c.text, tables.Stream{Jobs: 2, Limits: tables.Limits{Block: block, Record: 1 << 20}, Aside: &aside})
			if err != nil || tally.RowsIn != 4 || tally.RowsOut != 3 || tally.Quarantined != 1 || tally.QuarantinedLines[0] != c.line || aside.String() != c.aside {
				t.Fatalf("%s: %v, %+v, aside %q", c.format.Name(), err, tally, aside.String())
			}
			if _, again, err := b.transform(forumPlan(t, c.format), out, tables.Stream{Jobs: 2, Limits: tables.Limits{Block: block, Record: 1 << 20}}); err != nil || again.RowsIn != 3 {
				t.Errorf("%s: what is left is %v, %+v: %s", c.format.Name(), err, again, out)
			}
		}
	}
}

// TestIdsOfAnyType: a person's id is a number or a text, and stays what it was.
func TestIdsOfAnyType(t *testing.T) {
	b := newBench(t, people)
	for _, c := range []struct {
		value any
		want  any
	}{
		{"4711", b.number(t, "4711")}, {int32(4711), toInt(b.number(t, "4711"))}, {int64(4711), int64(toInt(b.number(t, "4711")))}, {4711.0, float64(toInt(b.number(t, "4711")))},
	} {
		document, err := bson.Marshal(bson.D{{Key: "_id", Value: bson.NewObjectID()}, {Key: "author_id", Value: c.value}})
		if err != nil {
			t.Fatal(err)
		}
		out, _ := b.must(t, forumPlan(t, tables.BSON{}), string(document))
		var got bson.M
		if err := bson.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		if got["author_id"] != c.want {
			t.Errorf("%T %v became %T %v", c.value, c.value, got["author_id"], got["author_id"])
		}
	}
}

func toInt(number string) (n int32) {
	fmt.Sscan(number, &n)
	return n
}

// TestDatesOfMongoDB: dates that are counted in milliseconds are cut as those that
// are written.
func TestDatesOfMongoDB(t *testing.T) {
	b := newBench(t, people)
	table := &tables.Table{Name: "forum", Shape: "json", Columns: []tables.Column{{Column: "at", Action: "date", Unit: "month"}, {Column: "n", Action: "keep"}}}
	for in, want := range map[string]string{
		`{"at": {"$date": 1391421072345}}`:                    `{"at": {"$date": 1391212800000}}`,
		`{"at": {"$date": {"$numberLong": "1391421072345"}}}`: `{"at": {"$date": {"$numberLong": "1391212800000"}}}`,
		`{"at": {"$date": "2014-02-03T09:51:12.345Z"}}`:       `{"at": {"$date": "2014-02-01T00:00:00.000Z"}}`,
		`{"at": 1391421072345}`:                               `{"at": null}`,
	} {
		if out, _ := b.must(t, bindRecords(t, table), in); out != want {
			t.Errorf("%s became %s, want %s", in, out, want)
		}
	}
	document, err := bson.Marshal(bson.D{{Key: "at", Value: bson.DateTime(1391421072345)}})
	if err != nil {
		t.Fatal(err)
	}
	plan, _, err := tables.Bind(table, "forum", tables.BSON{}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	out, _ := b.must(t, plan, string(document))
	if got := bson.Raw(out).Lookup("at").DateTime(); got != 1391212800000 {
		t.Errorf("the date became %d", got)
	}
}

// TestSchemaOfBSON: paths that no rule names are found in BSON as in JSON.
func TestSchemaOfBSON(t *testing.T) {
	schema, err := tables.NewSchema(builtin(t, "fun", "forum"))
	if err != nil {
		t.Fatal(err)
	}
	text := asBSON(t, `{"_id": {"$oid": "542bdeea1b03b7992903a1b9"}, "nick": "zoe", "votes": {"up": ["4711"], "who": [1]}}`, `{"nick": "zoe", "extra": {"deep": [{"er": "prudence"}]}}`)
	found, err := schema.ReadAll("file", tables.BSON{}, bytes.NewReader(text), tables.Limits{Block: 16, Record: 1 << 20})
	if err != nil || strings.Join(found, " ") != "nick votes.who extra" {
		t.Fatalf("%q, %v", found, err)
	}
	head, err := tables.Head("file", tables.BSON{}, bytes.NewReader(text), tables.DefaultLimits(), 1)
	if err != nil || len(asLines(t, head)) != 1 {
		t.Errorf("%d bytes, %v", len(head), err)
	}
	posts := forumPosts()
	head, err = tables.Head("file", tables.JSONText{}, strings.NewReader("["+strings.Join(posts, ",")+"]"), tables.DefaultLimits(), 2)
	if err != nil || string(head) != "["+posts[0]+","+posts[1]+"\n]\n" {
		t.Errorf("%s, %v", head, err)
	}
}

// FuzzJSONText: whatever the text, it is refused or comes out as it was, in blocks
// of any size.
func FuzzJSONText(f *testing.F) {
	b := newBench(f, nil)
	f.Add("[{\"a\": 1},\n {\"a\": \"}\\\"\"} ]\n", uint8(7))
	f.Add("{\"a\": 1} {\"a\": 2}", uint8(1))
	f.Add("[]", uint8(1))
	f.Add("{\"\": 1} {\"a\": 2}", uint8(0))
	f.Fuzz(func(t *testing.T, text string, block uint8) {
		table := &tables.Table{Name: "t", Shape: "json", Columns: []tables.Column{{Column: "**.a", Action: "keep"}}, Otherwise: "scrub"}
		plan, _, err := tables.Bind(table, "file", tables.JSONText{}, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		var outs []string
		for _, size := range []int{1 + int(block), 1 << 20} {
			var out bytes.Buffer
			_, err := b.session.Transform(context.Background(), plan, strings.NewReader(text), &out, tables.Stream{Jobs: 2, Limits: tables.Limits{Block: size, Record: 1 << 20}, Aside: io.Discard})
			if err != nil {
				outs = append(outs, "refused")
				continue
			}
			outs = append(outs, out.String())
		}
		if outs[0] != outs[1] {
			t.Fatalf("%q in blocks of %d became %q, else %q", text, 1+int(block), outs[0], outs[1])
		}
	})
}
