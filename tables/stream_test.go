package tables_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/tables"
)

// enrolments writes a table of FUN with many rows, of known people and others.
func enrolments(rows int) string {
	var b strings.Builder
	b.WriteString("id,user_id,course_id,created,is_active,mode\r\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,%s,\"X,\"\"%d\"\"\r\n\",2014-02-03,1,audit\r\n", i+1, people[i%len(people)].id, i)
	}
	return b.String()
}

// TestSameBytesWhateverTheBlocksAndJobs holds invariant 4 for one file.
func TestSameBytesWhateverTheBlocksAndJobs(t *testing.T) {
	b := newBench(t, people)
	text := enrolments(500)
	plan := bindText(t, builtin(t, "fun", "student_courseenrollment"), tables.CSV{}, text)
	want, tally := b.must(t, plan, text)
	if tally.RowsIn != 500 || tally.RowsOut != 500 || tally.People != int64(len(people)) {
		t.Errorf("%+v", tally)
	}
	for _, jobs := range []int{1, 2, 7} {
		for _, block := range []int{1, 100, 4096} {
			out, other, err := b.transform(plan, text, tables.Stream{Jobs: jobs, Limits: tables.Limits{Block: block, Record: 1 << 20}})
			if err != nil || out != want {
				t.Errorf("%d jobs, blocks of %d: another output, %v", jobs, block, err)
			}
			if fmt.Sprint(other) != fmt.Sprint(tally) {
				t.Errorf("%d jobs, blocks of %d: %+v, not %+v", jobs, block, other, tally)
			}
		}
	}
}

// TestTalliesAccountForEveryValue: what was kept, changed, emptied or NULL adds up
// to the rows.
func TestTalliesAccountForEveryValue(t *testing.T) {
	b := newBench(t, people)
	text := "user_id,goals,year_of_birth,name,gender\n4711,text,1987,Prudence,f\nzoe,,NULL,,\n"
	_, tally := b.must(t, bindText(t, builtin(t, "fun", "auth_userprofile"), tables.CSV{}, text), text)
	for _, c := range tally.Columns {
		if sum := c.Kept + c.Changed + c.Emptied + c.Nulls + c.Failed; sum != tally.RowsIn {
			t.Errorf("%s: %d of %d values: %+v", c.Column, sum, tally.RowsIn, c)
		}
		if c.Role == "" || c.Action == "" || c.Why == "" {
			t.Errorf("%s has no role, action or reason: %+v", c.Column, c)
		}
	}
	if failed := tally.Columns[0].Failed; failed != 1 {
		t.Errorf("%d user ids could not be read", failed)
	}
}

// TestLongRecords: a record beyond the limit is refused with its line, one below
// it is read however small the blocks are.
func TestLongRecords(t *testing.T) {
	b := newBench(t, nil)
	header := "a,b\n1,2\n"
	plan := bindText(t, rulesFor([]string{"a", "b"}, "keep", func(int) *tables.Column { return nil }), tables.CSV{}, header)
	limits := tables.Limits{Block: 64, Record: 1000}
	long := header + "1," + strings.Repeat("x", 900) + "\n"
	if out, _, err := b.transform(plan, long, tables.Stream{Limits: limits}); err != nil || out != long {
		t.Errorf("a long record: %v", err)
	}
	for name, text := range map[string]string{
		"a cell":           header + "1," + strings.Repeat("x", 5000) + "\n3,4\n",
		"an open quote":    header + "1,\"" + strings.Repeat("Zorglub\n", 5000),
		"without line end": header + strings.Repeat("Zorglub", 5000),
	} {
		_, _, err := b.transform(plan, text, tables.Stream{Limits: limits})
		var f *fault.Fault
		if !errors.As(err, &f) || f.Line != 3 || f.Hint == "" || strings.Contains(f.Error(), "Zorglub") {
			t.Errorf("%s: %v", name, err)
		}
	}
	records := bindRecords(t, keepAll)
	if _, _, err := b.transform(records, `{"a": "`+strings.Repeat("x", 5000)+`"}`, tables.Stream{Limits: limits}); fault.CodeOf(err) != fault.Failure {
		t.Errorf("a long line: %v", err)
	}
}

// TestDeepNesting: JSON that nests without end is no way to break the program.
func TestDeepNesting(t *testing.T) {
	b := newBench(t, nil)
	deep := `{"a": ` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000) + "}\n"
	out, tally, err := b.transform(bindRecords(t, keepAll), deep, tables.Stream{Aside: io.Discard})
	if err != nil || out != "" || tally.Quarantined != 1 {
		t.Errorf("%d bytes, %+v, %v", len(out), tally, err)
	}
	quoted := `"x"`
	for range 12 {
		quoted = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(quoted) + `"`
	}
	if _, tally, err := b.transform(bindRecords(t, keepAll), `{"a": `+quoted+"}\n", tables.Stream{}); err != nil || tally.RowsOut != 1 {
		t.Errorf("%+v, %v", tally, err)
	}
}

// failing is a writer that has no space left after some bytes.
type failing struct{ left int }

func (w *failing) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, syscall.ENOSPC
	}
	return len(p), nil
}

// TestBrokenStreams: no space left, a source that breaks, a run that is cancelled:
// each ends with its error, and no goroutine waits for ever.
func TestBrokenStreams(t *testing.T) {
	b := newBench(t, people)
	text := enrolments(2000)
	plan := bindText(t, builtin(t, "fun", "student_courseenrollment"), tables.CSV{}, text)
	limits := tables.Limits{Block: 256, Record: 1 << 20}
	how := tables.Stream{Jobs: 3, Limits: limits}
	ctx := context.Background()

	_, err := b.session.Transform(ctx, plan, strings.NewReader(text), &failing{5000}, how)
	if !errors.Is(err, syscall.ENOSPC) || fault.CodeOf(err) != fault.Failure {
		t.Errorf("no space left: %v", err)
	}
	broken := errors.New("the disk is gone")
	_, err = b.session.Transform(ctx, plan, io.MultiReader(strings.NewReader(text[:5000]), iotest.ErrReader(broken)), io.Discard, how)
	if !errors.Is(err, broken) {
		t.Errorf("broken source: %v", err)
	}
	early := fault.New(fault.Failure, "the compressed file ends early").WithHint("copy it again")
	_, err = b.session.Transform(ctx, plan, io.MultiReader(strings.NewReader(text[:5000]), iotest.ErrReader(early)), io.Discard, how)
	var f *fault.Fault
	if !errors.As(err, &f) || f.File != "file" || f.Line < 2 || f.Hint != "copy it again" {
		t.Errorf("truncated source: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	how.Progress = func(int64, int64) { cancel() }
	_, err = b.session.Transform(cancelled, plan, strings.NewReader(text), io.Discard, how)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	how.Progress = nil
	_, err = b.session.Transform(ctx, bindRecords(t, keepAll), strings.NewReader("no object\n"), io.Discard, tables.Stream{Limits: limits, Aside: &failing{}})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("no space left for what is set aside: %v", err)
	}
}

// TestSlowSources: a source that gives a byte at a time gives the same output.
func TestSlowSources(t *testing.T) {
	b := newBench(t, people)
	text := enrolments(50)
	plan := bindText(t, builtin(t, "fun", "student_courseenrollment"), tables.CSV{}, text)
	want, _ := b.must(t, plan, text)
	var out bytes.Buffer
	if _, err := b.session.Transform(context.Background(), plan, iotest.OneByteReader(strings.NewReader(text)), &out, tables.Stream{Jobs: 2, Limits: tables.Limits{Block: 32, Record: 1 << 20}}); err != nil || out.String() != want {
		t.Errorf("another output, %v", err)
	}
}

// TestProgressCountsEverything: what progress hears adds up to the file.
func TestProgressCountsEverything(t *testing.T) {
	b := newBench(t, people)
	text := enrolments(300)
	plan := bindText(t, builtin(t, "fun", "student_courseenrollment"), tables.CSV{}, text)
	var read, rows int64
	_, tally, err := b.transform(plan, text, tables.Stream{Jobs: 2, Limits: tables.Limits{Block: 512, Record: 1 << 20}, Progress: func(bytes, r int64) { read, rows = read+bytes, rows+r }})
	header := int64(strings.IndexByte(text, '\n') + 1)
	if err != nil || rows != tally.RowsIn || read != int64(len(text))-header {
		t.Errorf("%d bytes and %d rows of %d and %d, %v", read, rows, len(text), tally.RowsIn, err)
	}
}

// TestBlocksAreCompressedOneByOne: each block goes through the compressor once, in
// order, and nothing else is written.
func TestBlocksAreCompressedOneByOne(t *testing.T) {
	b := newBench(t, people)
	text := enrolments(100)
	plan := bindText(t, builtin(t, "fun", "student_courseenrollment"), tables.CSV{}, text)
	want, _ := b.must(t, plan, text)
	out, _, err := b.transform(plan, text, tables.Stream{Jobs: 3, Limits: tables.Limits{Block: 256, Record: 1 << 20}, Compress: func(dst, src []byte) []byte {
		return append(append(append(dst, '<'), src...), '>')
	}})
	if err != nil || strings.Count(out, "<") < 5 || strings.Count(out, "<") != strings.Count(out, "><")+1 {
		t.Fatalf("%d blocks, %v", strings.Count(out, "<"), err)
	}
	if strings.NewReplacer("<", "", ">", "").Replace(out) != want {
		t.Error("another output")
	}
}

// TestForgottenPeople: the rows of a person who was erased go, and are counted;
// where they stand in another's row, nothing of them is left.
func TestForgottenPeople(t *testing.T) {
	b := newBench(t, people)
	if _, err := b.idMap.Forget([]idmap.Identifier{{Kind: idmap.UserID, Value: "4711"}}, "asked to be"); err != nil {
		t.Fatal(err)
	}
	text := "id,user_id,course_id\n1,4711,X\n2,90210,X\n3,4711,Y\n"
	plan := bindText(t, builtin(t, "fun", "student_courseenrollment"), tables.CSV{}, text)
	out, tally := b.must(t, plan, text)
	if strings.Count(out, "\n") != 2 || tally.RowsOut != 1 || tally.Dropped[tables.DroppedForgotten] != 2 {
		t.Errorf("%q, %+v", out, tally)
	}
	log := bindRecords(t, builtin(t, "fun", "tracking_log"))
	lines := `{"username": "prudence.martin", "event": {}}` + "\n" + `{"username": "zoe", "event": {"user_id": 4711, "instructor": "prudence.martin", "url": "/u/prudence.martin"}}` + "\n"
	out, tally = b.must(t, log, lines)
	clean(t, "a log without prudence", strings.ReplaceAll(out, "zoe", ""))
	if tally.RowsOut != 1 || !strings.Contains(out, `"user_id": null, "instructor": ""`) {
		t.Errorf("%q, %+v", out, tally)
	}

	b.session.Forgotten = "orphan"
	out, tally = b.must(t, plan, text)
	rows := strings.Split(strings.TrimSpace(out), "\n")[1:]
	if tally.RowsOut != 3 || len(rows) != 3 {
		t.Fatalf("as orphans: %q, %+v", out, tally)
	}
	person := func(row string) string { return strings.Split(row, ",")[1] }
	if person(rows[0]) == "" || person(rows[0]) == "4711" || person(rows[0]) == person(rows[1]) {
		t.Errorf("as orphans: %q", out)
	}
}
