package tables_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"anonymooc/tables"
)

// TestDateUnits cuts dates to a unit and writes them as they came.
func TestDateUnits(t *testing.T) {
	b := newBench(t, people)
	for _, c := range []struct{ unit, in, want string }{
		{"day", "2014-02-05 10:11:12", "2014-02-05 00:00:00"},
		{"week", "2014-02-05", "2014-02-03"},
		{"week", "2014-02-03", "2014-02-03"},
		{"week", "2014-02-09T23:59:59Z", "2014-02-03T00:00:00Z"},
		{"week", "2015-01-01", "2014-12-29"},
		{"month", "2014-02-28 10:11:12.123456+00:00", "2014-02-01 00:00:00.000000+00:00"},
		{"year", "2014-12-31T10:11:12.5Z", "2014-01-01T00:00:00.0Z"},
		{"day", "2016-02-29T10:11", "2016-02-29T00:00"},
		{"day", "2014-02-05 10:11:12 UTC", "2014-02-05 00:00:00 UTC"},
		{"day", "2014-02-05 10:11:12+0200", "2014-02-05 00:00:00+0200"},
		{"day", "2014-02-30", ""},
		{"day", "05/02/2014", ""},
		{"day", "2014-02-05 Zoé", ""},
		{"day", "2014-02-05 10:11:12.", ""},
		{"day", "0", ""},
	} {
		out, tally := b.cell(t, tables.Column{Action: "date", Unit: c.unit}, c.in)
		if out != c.want || (tally.Failed == 1) != (c.want == "") {
			t.Errorf("%s of %q is %q, not %q (%+v)", c.unit, c.in, out, c.want, tally)
		}
	}
}

// TestShiftedDatesKeepIntervals: all dates of one person move by the same number
// of days, another's by another, nobody's by none; without a person a date goes.
func TestShiftedDatesKeepIntervals(t *testing.T) {
	b := newBench(t, people)
	table := &tables.Table{Name: "one", Person: []tables.PersonColumn{{Column: "user_id", Kind: "user_id"}}, Columns: []tables.Column{
		{Column: "user_id", Action: "pseudonym", Kind: "user_id"}, {Column: "at", Action: "date", ShiftDays: 30}, {Column: "until", Action: "date", ShiftDays: 30},
	}}
	var text strings.Builder
	text.WriteString("user_id,at,until\n")
	for range 2 {
		for _, p := range people {
			text.WriteString(p.id + ",2014-02-03 10:11:12,2014-03-01\n")
		}
	}
	text.WriteString(",2014-02-03,2014-03-01\n")
	out, _ := b.must(t, bindText(t, table, tables.CSV{}, text.String()), text.String())
	lines := strings.Split(strings.TrimSpace(out), "\n")[1:]
	shifts := map[string]time.Duration{}
	different := map[time.Duration]bool{}
	for i, line := range lines[:len(lines)-1] {
		cells := strings.Split(line, ",")
		at, err := time.Parse("2006-01-02 15:04:05", cells[1])
		if err != nil {
			t.Fatal(err)
		}
		until, err := time.Parse("2006-01-02", cells[2])
		if err != nil {
			t.Fatal(err)
		}
		shift := at.Sub(time.Date(2014, 2, 3, 10, 11, 12, 0, time.UTC))
		if second := until.Sub(time.Date(2014, 3, 1, 0, 0, 0, 0, time.UTC)); second != shift {
			t.Errorf("row %d: shifted by %v and by %v", i, shift, second)
		}
		if have, ok := shifts[cells[0]]; ok && have != shift {
			t.Errorf("row %d: the person's shift changed", i)
		}
		if shift == 0 || shift.Abs() > 30*24*time.Hour {
			t.Errorf("row %d: shifted by %v", i, shift)
		}
		shifts[cells[0]], different[shift] = shift, true
	}
	if len(different) < 3 {
		t.Errorf("%d people share %d shifts", len(shifts), len(different))
	}
	if last := lines[len(lines)-1]; last != ",," {
		t.Errorf("without a person: %q", last)
	}
}

// TestGeolocate replaces an address and puts the place beside it.
func TestGeolocate(t *testing.T) {
	b := newBench(t, people)
	rule := tables.Column{Action: "geolocate", Beside: "geo"}
	inReserved := func(out string) bool {
		for _, prefix := range []string{"240.", "241.", "242.", "243.", "244.", "245.", "246.", "247.", "248.", "249.", "25"} {
			if strings.HasPrefix(out, `{"v": "`+prefix) {
				return true
			}
		}
		return false
	}
	for value, country := range map[string]string{
		`"90.36.40.224"`: `"GP"`, `"::ffff:90.36.40.224"`: `"GP"`, `"192.168.0.1"`: "", `"2001:db8::1"`: "", `"not an address"`: "", `"999.1.2.3"`: "", `"127.0.0.1"`: "",
	} {
		out := b.member(t, rule, value)
		if !inReserved(out) || !strings.Contains(out, `, "geo": {`) || strings.Contains(out, "not an") || strings.Contains(out, "999.1") {
			t.Errorf("%s: %s", value, out)
		}
		if got := strings.Contains(out, `"country"`); got != (country != "") || !strings.Contains(out, country) {
			t.Errorf("%s: %s, wanted country %s", value, out, country)
		}
	}
	one, two := b.member(t, rule, `"90.36.40.224"`), b.member(t, rule, `"90.36.40.224"`)
	other := b.member(t, rule, `"90.36.40.225"`)
	if one != two || one == other {
		t.Errorf("%s, %s, another address %s", one, two, other)
	}
	if out := b.member(t, rule, `17`); out != `{"v": null, "w": 1}`+"\n" {
		t.Errorf("a number became %s", out)
	}
	if out, _ := b.cell(t, tables.Column{Action: "geolocate"}, "84.131.123.142"); strings.Contains(out, "84.131") || strings.Count(out, ".") != 3 {
		t.Errorf("a cell became %s", out)
	}
}

// TestDictionaryFiles reads the dictionary of a map from a CSV file.
func TestDictionaryFiles(t *testing.T) {
	b := newBench(t, nil)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rule := tables.Column{Action: "map", File: write("good.csv", "from,to\nFR,Europe\n\"a,b\",c\n")}
	if out, _ := b.cell(t, rule, "FR"); out != "Europe" {
		t.Errorf("FR became %q", out)
	}
	if out, _ := b.cell(t, rule, `"a,b"`); out != `"c"` {
		t.Errorf("a,b became %q", out)
	}
	bad := tables.Column{Column: "v", Action: "map", File: write("twice.csv", "from,to\nZorglub,a\nZorglub,b\n")}
	if _, err := tables.NewAction(&bad); err == nil || !strings.Contains(err.Error(), "line 3") || strings.Contains(err.Error(), "Zorglub") {
		t.Errorf("a value that stands twice: %v", err)
	}
}

// TestNumbersThroughMap: a number becomes a number or nothing.
func TestNumbersThroughMap(t *testing.T) {
	b := newBench(t, nil)
	rule := tables.Column{Action: "map", Values: map[string]string{"1": "10", "2": "two", "true": "yes"}}
	for value, want := range map[string]string{`1`: "10", `2`: "null", `"2"`: `"two"`, `true`: "null", `3`: "null"} {
		if out := b.member(t, rule, value); out != `{"v": `+want+`, "w": 1}`+"\n" {
			t.Errorf("%s became %s", value, out)
		}
	}
}
