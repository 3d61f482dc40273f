package tables

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"anonymooc/idmap"
	"anonymooc/internal/secret"
	"anonymooc/tables/geo"
)

// TestForgottenPeopleAreNowhere: in a log made after a person was erased, none
// of their identifiers is left, wherever it stands, and their own rows are gone.
func TestForgottenPeopleAreNowhere(t *testing.T) {
	m, err := idmap.Create(t.TempDir()+"/map", idmap.Options{Key: secret.Key{Secret: secret.New(bytes.Repeat([]byte{3}, 32))}, Purpose: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	domain, err := m.Domain("test")
	if err != nil {
		t.Fatal(err)
	}
	const anonymous = "00112233445566778899aabbccddeeff"
	claims := [][]idmap.Identifier{
		{{Kind: idmap.UserID, Value: "41"}, {Kind: idmap.Username, Value: "zenobie"}, {Kind: idmap.Email, Value: "zenobie@mail.example"}, {Kind: idmap.AnonymousID, Value: anonymous}},
		{{Kind: idmap.UserID, Value: "42"}, {Kind: idmap.Username, Value: "basile"}},
	}
	for _, ids := range claims {
		if err := domain.Claim(ids...); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := domain.Settle(); err != nil {
		t.Fatal(err)
	}
	if err := m.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Forget([]idmap.Identifier{{Kind: idmap.UserID, Value: "41"}}, "asked to"); err != nil {
		t.Fatal(err)
	}
	places, err := geo.Open("")
	if err != nil {
		t.Fatal(err)
	}
	defer places.Close()
	log := strings.Join([]string{
		`{"username": "basile", "event": {"target": "zenobie", "seen": "/u/zenobie", "id": "` + anonymous + `"}, "context": {"user_id": 42}}`,
		`{"username": "basile", "event": "mail=zenobie%40mail.example&who=zenobie", "page": "https://x.example/u/zenobie?user=zenobie", "context": {"user_id": 42}}`,
		`{"username": "basile", "event": {"by": {"zenobie": 1, "41": 2}}, "context": {"user_id": 42}}`,
		`{"username": "zenobie", "event": {}, "context": {"user_id": 41}}`,
	}, "\n") + "\n"
	table := &Table{Name: "log", Shape: "json", Otherwise: "scrub", Person: []PersonColumn{{"context.user_id", "user_id"}, {"username", "username"}}, Columns: []Column{
		{Column: "username", Action: "pseudonym", Kind: "username"}, {Column: "context.user_id", Action: "pseudonym", Kind: "user_id"}, {Column: "page", Action: "url"},
	}}
	for _, orphans := range []string{"drop", "orphan"} {
		session := &Session{IDs: domain, Geo: places, Forgotten: orphans}
		plan, _, err := Bind(table, "log", JSONLines{}, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		tally, err := session.Transform(context.Background(), plan, strings.NewReader(log), &out, Stream{Jobs: 1, Limits: DefaultLimits(), Aside: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		for _, gone := range []string{"zenobie", anonymous, "41}", `"41"`} {
			if strings.Contains(out.String(), gone) {
				t.Errorf("%s: an identifier of the forgotten person is left", orphans)
			}
		}
		if want := map[string]int64{"drop": 3, "orphan": 4}[orphans]; tally.RowsOut != want {
			t.Errorf("%s: %d rows, want %d", orphans, tally.RowsOut, want)
		}
	}
}
