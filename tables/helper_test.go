package tables_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"

	"anonymooc/config"
	"anonymooc/idmap"
	"anonymooc/internal/secret"
	"anonymooc/tables"
	"anonymooc/tables/geo"
)

// someone is an invented person of the tests.
type someone struct {
	id, username, email, name, anonymous string
}

// The people of the tests: ordinary ones, and some whose names are words, numbers
// or addresses.
var people = []someone{
	{"4711", "prudence.martin", "prudence.martin@post.example", "Prudence Martin", "5608781fc048460e78c7fc81f7b6c1ca"},
	{"90210", "zoe", "zoe.blanc@courriel.example", "Zoé Blanc", "413a0a6504c5f5d659e28ad6fd58df5c"},
	{"48", "audit", "olive.page@mail.example", "Olive Page", "e4a7b7a2b9a00b1d9fd5a8eb386a9afe"},
	{"7", "1", "pierre.rose@courriel.example", "Pierre Rose", "499a05ce6c211605266d96246a0d1498"},
	{"1", "page", "grace.lune@mail.example", "Grace Lune", "a4589fe8f5d3a4b659ccf361e7fc1308"},
	{"12", "true", "ada.kern@mail.example", "Ada Kern", "bf4f3fec26400b050c5d3663d0a628d5"},
	{"13", "problem", "bo.nil@mail.example", "Bo Nil", "163913c0f46b1543399b7283003f411f"},
	{"5150", "zora@courriel.example", "zora@courriel.example", "Zora Ocre", "00112233445566778899aabbccddeeff"},
}

// bench is a session with an id map that knows the people of the tests.
type bench struct {
	session *tables.Session
	domain  *idmap.Domain
	idMap   *idmap.Map
	log     *tables.Plan // the tracking log by the rules of FUN, once it was asked for
}

// newBench is deterministic: two benches of one seed draw the same pseudonyms.
func newBench(t testing.TB, known []someone) *bench {
	t.Helper()
	m, err := idmap.Create(filepath.Join(t.TempDir(), "map"), idmap.Options{
		Key:     secret.Key{Secret: secret.New(bytes.Repeat([]byte{5}, 32))},
		Purpose: "test", Rand: rand.NewChaCha8(sha256.Sum256([]byte("tables"))),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	domain, err := m.Domain("test")
	if err != nil {
		t.Fatal(err)
	}
	names := tables.NewNameIndex()
	for _, p := range known {
		if err := domain.Claim(
			idmap.Identifier{Kind: idmap.UserID, Value: p.id}, idmap.Identifier{Kind: idmap.Username, Value: p.username},
			idmap.Identifier{Kind: idmap.Email, Value: p.email}, idmap.Identifier{Kind: idmap.AnonymousID, Value: p.anonymous},
		); err != nil {
			t.Fatal(err)
		}
	}
	if conflicts, err := domain.Settle(); err != nil || len(conflicts) > 0 {
		t.Fatalf("%v, %v", conflicts, err)
	}
	for _, p := range known {
		pseudonym, ok := domain.Resolver().Known(idmap.UserID, []byte(p.id))
		if !ok {
			t.Fatalf("person %s is not known", p.id)
		}
		names.Add(p.name, pseudonym)
	}
	places, err := geo.Open("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { places.Close() })
	return &bench{session: &tables.Session{IDs: domain, Geo: places, Names: names, Forgotten: "drop"}, domain: domain, idMap: m}
}

// number returns a person's pseudonym as a release shows it.
func (b *bench) number(t testing.TB, id string) string {
	t.Helper()
	p, ok := b.domain.Resolver().Known(idmap.UserID, []byte(id))
	if !ok {
		t.Fatalf("person %s is not known", id)
	}
	return strconv.FormatUint(uint64(p), 10)
}

// username returns the pseudonymous username of the person with a user id.
func (b *bench) username(t testing.TB, id string) string { return "u" + b.number(t, id) }

// transform runs a text through a plan.
func (b *bench) transform(plan *tables.Plan, text string, how tables.Stream) (string, tables.FileTally, error) {
	if how.Limits == (tables.Limits{}) {
		how.Limits = tables.DefaultLimits()
	}
	var out bytes.Buffer
	tally, err := b.session.Transform(context.Background(), plan, bytes.NewReader([]byte(text)), &out, how)
	return out.String(), tally, err
}

// must is transform for what has to succeed.
func (b *bench) must(t testing.TB, plan *tables.Plan, text string) (string, tables.FileTally) {
	t.Helper()
	out, tally, err := b.transform(plan, text, tables.Stream{Aside: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	return out, tally
}

// bindText binds a table to the header that a text starts with.
func bindText(t testing.TB, table *tables.Table, format tables.Tabular, text string) *tables.Plan {
	t.Helper()
	header, _, err := format.Header([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	plan, unbound, err := tables.Bind(table, "file", format, header, false)
	if err != nil || len(unbound) > 0 {
		t.Fatalf("%v, %v", unbound, err)
	}
	return plan
}

// bindRecords binds a table of JSON lines.
func bindRecords(t testing.TB, table *tables.Table) *tables.Plan {
	t.Helper()
	plan, _, err := tables.Bind(table, "file", tables.JSONLines{}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// builtin returns a table of a built-in rule set.
func builtin(t testing.TB, set, name string) *tables.Table {
	t.Helper()
	rules, _, err := config.LoadRules(set)
	if err != nil {
		t.Fatal(err)
	}
	table := rules.Table(name)
	if table == nil {
		t.Fatalf("rule set %s has no table %s", set, name)
	}
	return table
}

// cell runs one value through a rule, in a CSV file with one column.
func (b *bench) cell(t testing.TB, rule tables.Column, value string) (string, tables.ColumnTally) {
	t.Helper()
	rule.Column = "v"
	text := "v,w\n" + value + ",w\n"
	table := &tables.Table{Name: "one", Columns: []tables.Column{rule, {Column: "w", Action: "keep"}}}
	out, tally := b.must(t, bindText(t, table, tables.CSV{}, text), text)
	if len(out) < len("v,w\n,w\n") {
		t.Fatalf("output %q", out)
	}
	return out[len("v,w\n") : len(out)-len(",w\n")], tally.Columns[0]
}

// member runs one JSON value through a rule and returns the record it stood in.
func (b *bench) member(t testing.TB, rule tables.Column, value string) string {
	t.Helper()
	rule.Column = "v"
	table := &tables.Table{Name: "one", Shape: "json", Otherwise: "scrub", Columns: []tables.Column{rule, {Column: "w", Action: "keep"}}}
	out, _ := b.must(t, bindRecords(t, table), `{"v": `+value+`, "w": 1}`+"\n")
	return out
}

func number(x float64) *float64 { return &x }
func word(s string) *string     { return &s }
