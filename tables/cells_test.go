package tables_test

import (
	"strings"
	"testing"

	"anonymooc/idmap"
	"anonymooc/tables"
)

// TestCellsOfSinglePeople: they are what the list says whatever the rule of the
// column, in every row of their person and in nobody else's, and are counted.
func TestCellsOfSinglePeople(t *testing.T) {
	b := newBench(t, people)
	table := &tables.Table{Name: "profiles", Person: []tables.PersonColumn{{Column: "user_id", Kind: "user_id"}}, Columns: []tables.Column{
		{Column: "user_id", Action: "pseudonym", Kind: "user_id"}, {Column: "year", Action: "bin", Width: 5},
		{Column: "country", Action: "keep"}, {Column: "mail", Action: "drop"},
	}}
	known := func(id string) idmap.Pseudonym {
		p, ok := b.domain.Resolver().Known(idmap.UserID, []byte(id))
		if !ok {
			t.Fatal("nobody has the id")
		}
		return p
	}
	one, two := known("4711"), known("90210")
	for name, format := range map[string]struct {
		format tables.Tabular
		comma  string
	}{"csv": {tables.CSV{}, ","}, "tsv": {tables.TSV{}, "\t"}} {
		t.Run(name, func(t *testing.T) {
			in := strings.ReplaceAll("user_id,year,country,mail\n4711,1972,FR,m\n90210,1983,NULL,m\n48,1984,BE,m\n4711,NULL,,m\n", ",", format.comma)
			plan := bindText(t, table, format.format, in)
			elsewhere := plan.Single([]tables.SingleCell{
				{Person: one, Table: "profiles", Column: "year", Value: "1970-1979"}, {Person: one, Table: "profiles", Column: "country"},
				{Person: two, Table: "profiles", Column: "country", Value: "Europe, South"}, {Person: two, Table: "other", Column: "country"},
				{Person: two, Table: "profiles", Column: "mail", Value: "x"}, {Person: two, Table: "profiles", Column: "user_id", Value: "x"},
			})
			if len(elsewhere) != 3 {
				t.Errorf("cells that cannot be: %d", len(elsewhere))
			}
			out, tally := b.must(t, plan, in)
			south := "Europe, South"
			if name == "csv" {
				south = `"Europe, South"`
			}
			want := strings.ReplaceAll("user_id;year;country\n"+b.number(t, "4711")+";1970-1979;\n"+b.number(t, "90210")+";1980-1984;"+south+"\n"+
				b.number(t, "48")+";1980-1984;BE\n"+b.number(t, "4711")+";1970-1979;\n", ";", format.comma)
			if out != want {
				t.Errorf("%q, want %q", out, want)
			}
			if year, country := tally.Columns[1], tally.Columns[2]; year.Single != 2 || country.Single != 3 || country.Changed != 1 || country.Emptied+country.Nulls != 2 {
				t.Errorf("%+v, %+v", year, country)
			}
		})
	}
}
