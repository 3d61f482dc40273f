package tables_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"anonymooc/internal/fault"
	"anonymooc/tables"
)

// tabular is a Format with headers as the conformance suite drives it: how a test
// of its own writes a value, and where by a naive reading a record ends.
type tabular struct {
	name      string
	format    tables.Tabular
	delimiter string
	write     func(r *rand.Rand, value string) string
	ends      func(text string) []int // offsets behind the records, slowly
}

func tabulars() []tabular {
	return []tabular{
		{"csv", tables.CSV{}, ",", writeCSV, csvEnds},
		{"tsv batch", tables.TSV{}, "\t", writeBatch, tsvEnds},
		{"tsv outfile", tables.TSV{OutFile: true}, "\t", writeOutFile, tsvEnds},
	}
}

func writeCSV(r *rand.Rand, value string) string {
	if strings.ContainsAny(value, ",\"\r\n") || r.IntN(4) == 0 {
		return `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
	}
	return value
}

func writeBatch(_ *rand.Rand, value string) string {
	return strings.NewReplacer("\\", `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`, "\x00", `\0`).Replace(value)
}

func writeOutFile(_ *rand.Rand, value string) string {
	return strings.NewReplacer("\\", `\\`, "\n", "\\\n", "\t", "\\\t", "\x00", `\0`).Replace(value)
}

func csvEnds(text string) (ends []int) {
	quoted := false
	for i, c := range []byte(text) {
		if c == '"' {
			quoted = !quoted
		}
		if c == '\n' && !quoted {
			ends = append(ends, i+1)
		}
	}
	return ends
}

func tsvEnds(text string) (ends []int) {
	escaped := false
	for i, c := range []byte(text) {
		if c == '\n' && !escaped {
			ends = append(ends, i+1)
		}
		escaped = c == '\\' && !escaped
	}
	return ends
}

// awkward values of cells.
var awkward = []string{
	"", "a", "NULL", `\N`, "Null", "1.50", `"Bob" the builder`, "a,b", "tab\there", "line\nbreak", "cr\r\nlf", `back\slash`, `\\n`, `ends in \`,
	"\x00", "é€😀", "\u200b", " spaces ", `{"a": "b\n"}`, "0", "\"", "\"\"", ",", "\n", "\t", "long " + strings.Repeat("x", 300),
}

// sheet is a table as a test wrote it.
type sheet struct {
	names   []string
	rows    [][]string // values
	written [][]string // the same, as they stand in the text
	lineEnd string
	mark    string // a byte order mark, or nothing
	last    string // what ends the last line
}

// newSheet draws a table: column counts, awkward values, line ends, marks.
func (f tabular) newSheet(r *rand.Rand) *sheet {
	s := &sheet{lineEnd: []string{"\n", "\r\n"}[r.IntN(2)], mark: []string{"", "\ufeff"}[r.IntN(2)]}
	if s.last = s.lineEnd; r.IntN(3) == 0 {
		s.last = ""
	}
	for i := range 2 + r.IntN(5) {
		s.names = append(s.names, fmt.Sprintf("column %d", i))
	}
	for range 1 + r.IntN(20) {
		var row, written []string
		for range s.names {
			value := awkward[r.IntN(len(awkward))]
			row = append(row, value)
			text := f.write(r, value)
			if s.lineEnd == "\n" && f.name == "tsv outfile" {
				// INTO OUTFILE leaves a carriage return as it is: before a line
				// end it would be taken for part of it.
				text = strings.ReplaceAll(text, "\r", "r")
			}
			written = append(written, text)
		}
		s.rows, s.written = append(s.rows, row), append(s.written, written)
	}
	return s
}

// text writes the table with the columns that keep says.
func (s *sheet) text(delimiter string, keep func(column int) bool) string {
	var b strings.Builder
	b.WriteString(s.mark)
	for i, row := range append([][]string{s.names}, s.written...) {
		var cells []string
		for j, cell := range row {
			if keep(j) {
				cells = append(cells, cell)
			}
		}
		b.WriteString(strings.Join(cells, delimiter))
		if i == len(s.written) {
			b.WriteString(s.last)
		} else {
			b.WriteString(s.lineEnd)
		}
	}
	return b.String()
}

func all(int) bool { return true }

// rulesFor makes a table whose columns have the same action but for some.
func rulesFor(names []string, action string, other func(i int) *tables.Column) *tables.Table {
	table := &tables.Table{Name: "sheet"}
	for i, name := range names {
		rule := tables.Column{Column: name, Action: action}
		if c := other(i); c != nil {
			rule = *c
			rule.Column = name
		}
		table.Columns = append(table.Columns, rule)
	}
	return table
}

// TestKeepGivesTheInputBack holds invariant 11 for tables, whatever the size of
// the blocks and the number of workers.
func TestKeepGivesTheInputBack(t *testing.T) {
	b := newBench(t, nil)
	for _, f := range tabulars() {
		t.Run(f.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for range 60 {
				s := f.newSheet(r)
				text := s.text(f.delimiter, all)
				plan := bindText(t, rulesFor(s.names, "keep", func(int) *tables.Column { return nil }), f.format, text)
				for _, how := range []tables.Stream{{Jobs: 1, Limits: tables.Limits{Block: 1, Record: 1 << 20}}, {Jobs: 3, Limits: tables.Limits{Block: 1 + r.IntN(200), Record: 1 << 20}}} {
					out, tally, err := b.transform(plan, text, how)
					if err != nil {
						t.Fatalf("%v for %q", err, text)
					}
					if out != text {
						t.Fatalf("block %d:\n%q became\n%q", how.Limits.Block, text, out)
					}
					if tally.RowsIn != int64(len(s.rows)) || tally.RowsOut != tally.RowsIn {
						t.Fatalf("%d rows were counted as %d in, %d out: %q", len(s.rows), tally.RowsIn, tally.RowsOut, text)
					}
				}
			}
		})
	}
}

// TestDroppedColumnsLeaveTheOthers: a column that goes takes its delimiter along
// and changes no byte of the rest, wherever it stands.
func TestDroppedColumnsLeaveTheOthers(t *testing.T) {
	b := newBench(t, nil)
	for _, f := range tabulars() {
		t.Run(f.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			for round := range 84 {
				s := f.newSheet(r)
				last := len(s.names) - 1
				keeps := []func(int) bool{
					func(i int) bool { return i != 0 }, func(i int) bool { return i != last }, func(i int) bool { return i == 0 || i == last },
					func(i int) bool { return i == 0 }, func(i int) bool { return i == last }, func(i int) bool { return i == last/2 },
					func(int) bool { return false },
				}
				mask := r.Uint32()
				keeps = append(keeps, func(i int) bool { return mask>>i&1 == 1 })
				keep := keeps[round%len(keeps)]
				text := s.text(f.delimiter, all)
				plan := bindText(t, rulesFor(s.names, "drop", func(i int) *tables.Column {
					if keep(i) {
						return &tables.Column{Action: "keep"}
					}
					return nil
				}), f.format, text)
				out, _, err := b.transform(plan, text, tables.Stream{Jobs: 2, Limits: tables.Limits{Block: 40, Record: 1 << 20}})
				if err != nil {
					t.Fatalf("%v for %q", err, text)
				}
				if want := s.text(f.delimiter, keep); out != want {
					t.Fatalf("%q became\n%q, not\n%q", text, out, want)
				}
			}
		})
	}
}

// TestChangedCellsAreWrittenAsTheFormatWants: a new value with every special
// character is read back whole by a reader that knows nothing of ours.
func TestChangedCellsAreWrittenAsTheFormatWants(t *testing.T) {
	b := newBench(t, nil)
	value := "a,b\t\"c\"\n\\d\r\\"
	for _, f := range tabulars() {
		t.Run(f.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			for range 25 {
				s := f.newSheet(r)
				at := r.IntN(len(s.names))
				text := s.text(f.delimiter, all)
				plan := bindText(t, rulesFor(s.names, "keep", func(i int) *tables.Column {
					if i == at {
						return &tables.Column{Action: "constant", Value: value}
					}
					return nil
				}), f.format, text)
				out, _, err := b.transform(plan, text, tables.Stream{})
				if err != nil {
					t.Fatal(err)
				}
				for i, row := range s.written {
					var want string
					if f.name != "csv" {
						want = f.write(r, value)
					} else {
						want = `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
					}
					row[at] = want
					s.written[i] = row
				}
				if want := s.text(f.delimiter, all); out != want {
					t.Fatalf("%q is not\n%q", out, want)
				}
			}
		})
	}
}

// TestCSVIsReadAsOthersReadIt compares cells with the standard library's reader.
func TestCSVIsReadAsOthersReadIt(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	f := tabulars()[0]
	for range 100 {
		s := f.newSheet(r)
		s.mark, s.lineEnd, s.last = "", "\n", "\n"
		text := s.text(",", all)
		std, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		row := 0
		err = tables.Scan("file", tables.CSV{}, strings.NewReader(text), tables.Limits{Block: 16, Record: 1 << 20}, s.names, func(cells []tables.Cell) error {
			row++
			for i, c := range cells {
				want := std[row][i]
				if want == "NULL" || want == `\N` {
					continue // NULL is no text
				}
				// The standard reader turns \r\n in quotes into \n.
				if got := strings.ReplaceAll(string(c.Text), "\r\n", "\n"); got != want {
					return fmt.Errorf("row %d: %q is not %q", row, got, want)
				}
			}
			return nil
		})
		if err != nil || row != len(s.rows) {
			t.Fatalf("%d of %d rows: %v", row, len(s.rows), err)
		}
	}
}

// TestScanUndoesTheEscapes: in both dialects a value comes back as it was.
func TestScanUndoesTheEscapes(t *testing.T) {
	for _, f := range tabulars()[1:] {
		for _, value := range awkward {
			if value == "NULL" || value == `\N` && f.name == "tsv outfile" {
				continue
			}
			text := "a\tb\n" + f.write(nil, value) + "\tb\n"
			seen := false
			err := tables.Scan("file", f.format, strings.NewReader(text), tables.DefaultLimits(), []string{"a"}, func(cells []tables.Cell) error {
				seen = true
				if string(cells[0].Text) != value {
					t.Errorf("%s: %q became %q", f.name, value, cells[0].Text)
				}
				return nil
			})
			if err != nil || !seen {
				t.Errorf("%s: %q: %v", f.name, value, err)
			}
		}
	}
}

// TestCutEndsAtARecord: a block ends behind a whole record, the last there is, as
// a slow reading of the same bytes says.
func TestCutEndsAtARecord(t *testing.T) {
	for _, f := range tabulars() {
		t.Run(f.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(9, 10))
			for range 40 {
				text := f.newSheet(r).text(f.delimiter, all)
				ends := f.ends(text)
				for n := range len(text) + 1 {
					want := 0
					for _, end := range ends {
						if end <= n {
							want = end
						}
					}
					if got := f.format.Cut([]byte(text[:n])); got != want {
						t.Fatalf("%q is cut at %d, not at %d", text[:n], got, want)
					}
				}
			}
		})
	}
	if got := (tables.JSONLines{}).Cut([]byte("{}\n{\"a\":\"\\n\"}\n{")); got != len("{}\n{\"a\":\"\\n\"}\n") {
		t.Errorf("JSON lines are cut at %d", got)
	}
}

// TestOddFiles: what real exports hold is read, and given back byte for byte.
func TestOddFiles(t *testing.T) {
	b := newBench(t, nil)
	for name, c := range map[string]struct {
		format tables.Tabular
		text   string
		rows   int64
	}{
		"mark before the first name":   {tables.CSV{}, "\ufeffid,v\n1,a\n", 1},
		"mark in a tab-separated file": {tables.TSV{}, "\ufeffid\tv\n1\ta\n", 1},
		"CRLF":                         {tables.CSV{}, "id,v\r\n1,a\r\n2,\r\n", 2},
		"last line without an end":     {tables.CSV{}, "id,v\n1,a\n2,b", 2},
		"last cell empty, no end":      {tables.CSV{}, "id,v\n1,", 1},
		"NUL":                          {tables.CSV{}, "id,v\n1,a\x00b\n", 1},
		"line break in quotes":         {tables.CSV{}, "id,v\n1,\"a\r\nb\"\n2,c\n", 2},
		"header in quotes":             {tables.CSV{}, "\"id\",\"v\"\n1,a\n", 1},
		"key last":                     {tables.CSV{}, "v,id\na,1\n", 1},
		"empty lines":                  {tables.CSV{}, "id,v\n\n1,a\n\r\n2,b\n\n", 2},
		"only a header":                {tables.CSV{}, "id,v\n", 0},
		"header without an end":        {tables.CSV{}, "id,v", 0},
		"quotes in tab-separated text": {tables.TSV{}, "id\tv\n1\t\"Bob\" the builder\n2\t\"\n", 2},
		"a person called Null":         {tables.TSV{}, "id\tv\n1\tNull\n2\tNULL\n", 2},
		"escaped line break":           {tables.TSV{OutFile: true}, "id\tv\n1\ta\\\nb\n2\t\\N\n", 2},
		"doubled backslashes only":     {tables.TSV{}, "id\tv\n1\t{\"a\": \"x\\\\ny\"}\n", 1},
	} {
		header, _, err := c.format.Header([]byte(c.text))
		if err != nil || !slices.Contains(header, "id") || !slices.Contains(header, "v") {
			t.Errorf("%s: header %q, %v", name, header, err)
			continue
		}
		plan := bindText(t, rulesFor(header, "keep", func(int) *tables.Column { return nil }), c.format, c.text)
		for _, block := range []int{1, 7, 1 << 20} {
			out, tally, err := b.transform(plan, c.text, tables.Stream{Limits: tables.Limits{Block: block, Record: 1 << 20}})
			if err != nil || out != c.text || tally.RowsIn != c.rows {
				t.Errorf("%s, block %d: %q became %q with %d rows, %v", name, block, c.text, out, tally.RowsIn, err)
			}
		}
	}
}

// TestDetect tells tables apart by their first bytes.
func TestDetect(t *testing.T) {
	for text, want := range map[string]tables.Tabular{
		"id,name\n1,a\n":                     tables.CSV{},
		"id\n1\n":                            tables.CSV{},
		"id\tname\n1\ta, b, c\n":             tables.TSV{},
		"id\tname\n1\t\\N\n":                 tables.TSV{OutFile: true},
		"id\tv\tname\n1\t\\N\ta\n":           tables.TSV{OutFile: true},
		"id\tname\n1\ta\\\nb\n":              tables.TSV{OutFile: true},
		"id\tname\n1\tNULL\n2\ta\\nb\\\\c\n": tables.TSV{},
	} {
		if got := tables.Detect([]byte(text)); got != want {
			t.Errorf("%q is %#v, not %#v", text, got, want)
		}
	}
}

// TestFaultsNameThePlaceAndNoValue: what is wrong with a table is told with line
// and hint, never with a cell.
func TestFaultsNameThePlaceAndNoValue(t *testing.T) {
	b := newBench(t, nil)
	const secret = "Zorglub"
	for name, c := range map[string]struct {
		format tables.Tabular
		text   string
		line   int64
	}{
		"too many fields":      {tables.CSV{}, "id,v\n1,a\n2,Zorglub,c\n", 3},
		"too few fields":       {tables.CSV{}, "id,v\n1,\"a\nb\"\nZorglub\n", 4},
		"stray quote":          {tables.CSV{}, "id,v\n1,Zor\"glub Zorglub\n", 2},
		"text behind a quote":  {tables.CSV{}, "id,v\n1,\"Zorglub\"x\n", 2},
		"quote that stays":     {tables.CSV{}, "id,v\n1,\"Zorglub\n2,b\n", 2},
		"not UTF-8":            {tables.CSV{}, "id,v\n1,a\n2,Zorglub\xff\n", 3},
		"ragged tabs":          {tables.TSV{}, "id\tv\n1\ta\n2\tZorglub\tx\n", 3},
		"not UTF-8, with tabs": {tables.TSV{}, "id\tv\nZorglub\xe9\tx\n", 2},
	} {
		plan := bindText(t, rulesFor([]string{"id", "v"}, "keep", func(int) *tables.Column { return nil }), c.format, c.text)
		for _, block := range []int{4, 1 << 20} {
			_, _, err := b.transform(plan, c.text, tables.Stream{Limits: tables.Limits{Block: block, Record: 1 << 20}})
			var f *fault.Fault
			if !errors.As(err, &f) {
				t.Errorf("%s: %v is no fault", name, err)
				continue
			}
			if f.File != "file" || f.Line != c.line || f.Hint == "" || f.Code != fault.Failure {
				t.Errorf("%s, block %d: %+v, wanted line %d and a hint", name, block, f, c.line)
			}
			if strings.Contains(f.Error()+f.Hint, secret) {
				t.Errorf("%s: the message holds the cell", name)
			}
		}
	}
}

// TestHeadersAreChecked: a header that does not name every column once is not
// guessed at.
func TestHeadersAreChecked(t *testing.T) {
	table := &tables.Table{Name: "sheet", Require: []string{"id"}, Columns: []tables.Column{{Column: "id", Action: "keep"}, {Column: "v", Action: "keep"}}}
	for name, header := range map[string][]string{
		"named twice": {"id", "v", "v"}, "without a name": {"id", ""}, "the key is missing": {"v"}, "data in its place": {"17", "Zorglub"},
	} {
		_, _, err := tables.Bind(table, "file", tables.CSV{}, header, false)
		if fault.CodeOf(err) != fault.Unbound {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "Zorglub") {
			t.Errorf("%s: the message holds a cell", name)
		}
	}
	_, unbound, err := tables.Bind(table, "file", tables.CSV{}, []string{"id", "new", "v", "newer"}, false)
	if err != nil || len(unbound) != 2 || unbound[0].Column != "new" || unbound[1].Column != "newer" {
		t.Errorf("unbound %v, %v", unbound, err)
	}
	plan, unbound, err := tables.Bind(table, "file", tables.CSV{}, []string{"id", "new", "v"}, true)
	if err != nil || len(unbound) != 1 {
		t.Fatalf("%v, %v", unbound, err)
	}
	if out, _ := newBench(t, nil).must(t, plan, "id,new,v\n1,x,2\n"); out != "id,v\n1,2\n" {
		t.Errorf("the unknown column stays: %q", out)
	}
}
