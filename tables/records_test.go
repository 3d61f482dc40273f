package tables_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"anonymooc/internal/fault"
	"anonymooc/tables"
)

// keepAll keeps every member of a record.
var keepAll = &tables.Table{Name: "log", Shape: "json", Otherwise: "scrub", Unreadable: "quarantine", Columns: []tables.Column{{Column: "*", Action: "keep"}}}

// TestKeptRecordsStayByteForByte holds invariant 11 for JSON lines.
func TestKeptRecordsStayByteForByte(t *testing.T) {
	b := newBench(t, nil)
	plan := bindRecords(t, keepAll)
	for _, text := range []string{
		"{}\n", `{"b":1,"a":2}`, "{ \"a\" :\t1.50e+3 , \"b\":\"\\u00e9\\/\" }\r\n", `{"a":"{\"b\": 1}","c":[1, 2 ,{"d":null}]}` + "\n",
		"\n\n{\"a\":1}\n\n", `{"a":1,"a":2}` + "\n", `{"a":NaN,"b":-Infinity}` + "\n", `{"a":"[1] not a list"}` + "\n",
		`{"a":{"c":-0.0,"e":1E5},"s":"\ud83d\ude00"}` + "\n" + `{"next":true}`, "{\"a\":\"\u2028\u200b\"}\n",
	} {
		for _, block := range []int{1, 5, 1 << 20} {
			out, tally, err := b.transform(plan, text, tables.Stream{Jobs: 2, Limits: tables.Limits{Block: block, Record: 1 << 20}})
			if err != nil || out != text || tally.Quarantined != 0 {
				t.Errorf("block %d: %q became %q, %v, %d set aside", block, text, out, err, tally.Quarantined)
			}
		}
	}
}

// FuzzKeepGivesTheInputBack holds invariant 11 for any bytes: either a fault, or
// the same bytes, whatever the size of the blocks.
func FuzzKeepGivesTheInputBack(f *testing.F) {
	b := newBench(f, nil)
	for _, text := range []string{"a,b\n1,\"x\"\"y\"\n", "a\tb\r\n\\\n\t\\N\n", "\ufeffa,b\n\n\"\n\",\r\n", "a\n\"\r\n", "a\tb\\\t\n", "a,b\n1,2\r"} {
		for kind := range byte(3) {
			f.Add([]byte(text), kind, byte(3))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, kind, block byte) {
		format := tabulars()[kind%3].format
		header, _, err := format.Header(data)
		if err != nil {
			return
		}
		plan, _, err := tables.Bind(rulesFor(header, "keep", func(int) *tables.Column { return nil }), "file", format, header, false)
		if err != nil {
			return
		}
		small, _, smallErr := b.transform(plan, string(data), tables.Stream{Jobs: 2, Limits: tables.Limits{Block: 1 + int(block), Record: 1 << 20}})
		large, _, largeErr := b.transform(plan, string(data), tables.Stream{Jobs: 1})
		if (smallErr == nil) != (largeErr == nil) {
			t.Fatalf("%q: %v with small blocks, %v with large ones", data, smallErr, largeErr)
		}
		if smallErr != nil {
			var fault *fault.Fault
			if !errors.As(smallErr, &fault) {
				t.Fatalf("%v is no fault", smallErr)
			}
			return
		}
		if small != string(data) || large != string(data) {
			t.Fatalf("%q became %q and %q", data, small, large)
		}
	})
}

// FuzzKeptRecordsStay puts any bytes into a member that is kept.
func FuzzKeptRecordsStay(f *testing.F) {
	b := newBench(f, nil)
	for _, text := range []string{"", "a", `{"x": 1}`, `{"x": "\u00e9"`, "[1,2", "\"{", "é\n", `{"a@b.example": "c@d.example"}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		line := `{"k": ` + string(quoted) + `, "n" : 1.0}` + "\n"
		out, tally, err := b.transform(bindRecords(t, keepAll), line, tables.Stream{})
		if err != nil {
			t.Fatal(err)
		}
		var cut int64
		for _, c := range tally.Columns {
			cut += c.Cut
		}
		// Keys inside the text that name someone are replaced all the same, and a
		// text that was cut off loses its broken end.
		if out != line && cut == 0 && !strings.ContainsAny(text, "@+0123456789") {
			t.Fatalf("%q became %q", line, out)
		}
		var record map[string]any
		if err := json.Unmarshal([]byte(out), &record); err != nil || len(record) != 2 {
			t.Fatalf("%q is not the record any more: %v", out, err)
		}
	})
}

// TestUnreadableRecords: a log line that cannot be read is set aside and counted;
// elsewhere it stops the run.
func TestUnreadableRecords(t *testing.T) {
	b := newBench(t, nil)
	good := `{"a": 1}` + "\n"
	for name, bad := range map[string]string{
		"no object": "Zorglub was here", "cut off": `{"a": "Zorglub`, "not UTF-8": "{\"a\": \"Zorglub\xff\"}", "two values": `{"a": 1} Zorglub`, "bare word": `{"a": Zorglub}`,
	} {
		text := good + bad + "\n" + good
		var aside bytes.Buffer
		out, tally, err := b.transform(bindRecords(t, keepAll), text, tables.Stream{Aside: &aside, Limits: tables.Limits{Block: 8, Record: 1 << 20}})
		if err != nil || out != good+good || aside.String() != bad+"\n" || tally.Quarantined != 1 || tally.RowsIn != 3 || tally.RowsOut != 2 {
			t.Errorf("%s: %q, %q, %+v, %v", name, out, aside.String(), tally, err)
		}
		if !slices.Equal(tally.QuarantinedLines, []int64{2}) {
			t.Errorf("%s: lines %v", name, tally.QuarantinedLines)
		}
		strict := *keepAll
		strict.Unreadable = "stop"
		_, _, err = b.transform(bindRecords(t, &strict), text, tables.Stream{Aside: io.Discard})
		var f *fault.Fault
		if !errors.As(err, &f) || f.Line != 2 || f.Hint == "" || strings.Contains(f.Error(), "Zorglub") {
			t.Errorf("%s, strictly: %v", name, err)
		}
	}
}

// TestWholeFilesAreCopied: a file without records stays as it is.
func TestWholeFilesAreCopied(t *testing.T) {
	b := newBench(t, people)
	plan, unbound, err := tables.Bind(&tables.Table{Name: "structure", Shape: "file"}, "file", tables.Whole{}, nil, false)
	if err != nil || len(unbound) > 0 {
		t.Fatalf("%v, %v", unbound, err)
	}
	for _, text := range []string{"", "{\n  \"a\": [\n\"x\xff\"]", strings.Repeat("no line end ", 1000)} {
		out, tally, err := b.transform(plan, text, tables.Stream{Jobs: 2, Limits: tables.Limits{Block: 100, Record: 200}})
		if err != nil || out != text || len(tally.Columns) != 0 {
			t.Errorf("%d bytes became %d, %+v, %v", len(text), len(out), tally, err)
		}
	}
}
