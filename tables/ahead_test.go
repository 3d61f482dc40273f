package tables_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"anonymooc/idmap"
	"anonymooc/tables"
)

// TestRowsTogetherAreRowsAlone: what becomes of a row does not depend on the rows
// that are looked up with it. Each row of a table is treated once in a file of its
// own, where nothing is before or behind it, and once among all.
func TestRowsTogetherAreRowsAlone(t *testing.T) {
	b := newBench(t, people)
	r := rand.New(rand.NewPCG(7, 8))
	if err := b.idMap.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.idMap.Forget([]idmap.Identifier{{Kind: idmap.UserID, Value: "12"}}, "test"); err != nil {
		t.Fatal(err)
	}
	table := &tables.Table{
		Name: "rows", Person: []tables.PersonColumn{{Column: "user_id", Kind: "user_id"}},
		Columns: []tables.Column{
			{Column: "id", Action: "key", Space: "rows"}, {Column: "other", Action: "key", Space: "rows"},
			{Column: "user_id", Action: "pseudonym", Kind: "user_id"}, {Column: "username", Action: "pseudonym", Kind: "username"},
			{Column: "email", Action: "pseudonym", Kind: "email"}, {Column: "hash", Action: "pseudonym", Kind: "hash_id"},
			{Column: "who", Action: "pseudonym", Kind: "person"}, {Column: "kept", Action: "keep"}, {Column: "date", Action: "date", ShiftDays: 30},
		},
	}
	const header = "id,other,user_id,username,email,hash,who,kept,date\n"
	forms := func(values ...string) string { return values[r.IntN(len(values))] }
	keys := []string{"1", "0", "007", "2147483647", "1147483647", "1147483648", "99999999999", "18446744073709551616", "", "NULL", `\N`, " 5 ", "\"6\"", "abc", "-1", "+1", "1.0"}
	var rows []string
	for range 700 {
		p := people[r.IntN(len(people))]
		q := people[r.IntN(len(people))]
		switch {
		case r.IntN(20) == 0: // somebody never met, for whom a pseudonym is drawn
			p = someone{id: fmt.Sprint(1_000_000 + r.IntN(9)), username: fmt.Sprint("new", r.IntN(9)), email: fmt.Sprint("new", r.IntN(9), "@mail.example"), anonymous: fmt.Sprintf("%032x", r.IntN(9))}
		case r.IntN(20) == 0:
			rows = append(rows, forms("\n", "\r\n"))
			continue
		}
		rows = append(rows, strings.Join([]string{
			forms(keys...), forms(keys...),
			forms(p.id, "0"+p.id, p.id+".0", "+"+p.id, " "+p.id, `"`+p.id+`"`, "NULL", "", "nobody", "1e3"),
			forms(p.username, strings.ToUpper(p.username), `"`+p.username+`"`, " "+p.username+" ", q.username, "NULL", ""),
			forms(p.email, strings.ToUpper(p.email), "NULL", `\N`),
			forms(p.anonymous, strings.ToUpper(p.anonymous), `"`+p.anonymous+`"`, "x", ""),
			forms(p.id, p.username, p.email, p.anonymous, ""), "kept", "2014-02-03 10:11:12",
		}, ",")+forms("\n", "\r\n"))
	}
	plan := bindText(t, table, tables.CSV{}, header)
	for range 2 { // in the first round pseudonyms are drawn, in the second all is known
		var alone strings.Builder
		var in, out, forgotten int64
		for _, row := range rows {
			text, tally := b.must(t, plan, header+row)
			alone.WriteString(strings.TrimPrefix(text, header))
			in, out, forgotten = in+tally.RowsIn, out+tally.RowsOut, forgotten+tally.Dropped[tables.DroppedForgotten]
		}
		together, tally := b.must(t, plan, header+strings.Join(rows, ""))
		if together != header+alone.String() {
			t.Fatal("rows together became something else than each alone")
		}
		if tally.RowsIn != in || tally.RowsOut != out || tally.Dropped[tables.DroppedForgotten] != forgotten || forgotten == 0 {
			t.Errorf("%d rows in, %d out, %d of the forgotten; alone %d, %d, %d", tally.RowsIn, tally.RowsOut, tally.Dropped[tables.DroppedForgotten], in, out, forgotten)
		}
		if want := b.countPeople(t, plan, header, rows); tally.People != want {
			t.Errorf("%d people, want %d", tally.People, want)
		}
	}
}

// countPeople counts whose rows they are, slowly.
func (b *bench) countPeople(t *testing.T, plan *tables.Plan, header string, rows []string) int64 {
	t.Helper()
	seen := map[string]bool{}
	for _, row := range rows {
		text, tally := b.must(t, plan, header+row)
		if tally.People == 1 {
			shown := strings.Split(strings.TrimPrefix(text, header), ",")[2]
			seen[strings.TrimSuffix(strings.Trim(shown, `"`), ".0")] = true
		}
	}
	return int64(len(seen))
}

// TestAFaultNamesItsRow: records that were split ahead change neither the line nor
// the fault, and an earlier fault of an action comes first.
func TestAFaultNamesItsRow(t *testing.T) {
	b := newBench(t, people)
	table := &tables.Table{Name: "rows", Columns: []tables.Column{{Column: "user_id", Action: "pseudonym", Kind: "user_id"}, {Column: "b", Action: "keep"}}}
	plan := bindText(t, table, tables.CSV{}, "user_id,b\n")
	for _, line := range []int{2, 3, 64, 65, 66, 67, 130, 200} {
		for wrong, want := range map[string]string{"7,1,2\n": "3 fields", "7,a\"b\n": "quote", "7,\"open\n": "closed", "7\n": "1 fields"} {
			text := "user_id,b\n" + strings.Repeat("7,1\n", line-2) + wrong
			_, _, err := b.transform(plan, text, tables.Stream{})
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), fmt.Sprintf("line %d", line)) {
				t.Errorf("line %d, %q: %v", line, wrong, err)
			}
		}
	}
}
