package columnar

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"go.mongodb.org/mongo-driver/v2/bson"

	"anonymooc/internal/fault"
)

// folder makes a folder of files.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// shown reads a Parquet file back: the names and types of its columns, and its
// rows as text, NULL as "∅".
func shown(t testing.TB, path string) (columns []string, rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range file.Schema().Fields() {
		columns = append(columns, f.Name()+" "+f.Type().String())
	}
	for _, group := range file.RowGroups() {
		from := group.Rows()
		buffer := make([]parquet.Row, 7)
		for {
			n, err := from.ReadRows(buffer)
			for _, row := range buffer[:n] {
				var cells []string
				for _, v := range row {
					switch {
					case v.IsNull():
						cells = append(cells, "∅")
					case strings.Contains(columns[v.Column()], "TIMESTAMP"):
						cells = append(cells, time.UnixMicro(v.Int64()).UTC().Format("2006-01-02T15:04:05.999999"))
					default:
						cells = append(cells, v.String())
					}
				}
				rows = append(rows, cells)
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		from.Close()
	}
	return columns, rows
}

func copied(t testing.TB, dir string, files ...File) []Copy {
	t.Helper()
	copies, err := Write(context.Background(), Request{Release: dir, Files: files})
	if err != nil {
		t.Fatal(err)
	}
	return copies
}

// TestTablesHaveTypes: a column has the type of all its values in all files of the
// table, NULL stays NULL, and one value of another type makes it text.
func TestTablesHaveTypes(t *testing.T) {
	dir := folder(t, map[string]string{
		"a/t.csv": "id,grade,born,seen,zip,answer,gone,day\n1,0.5,1970-1974,2014-10-01 06:00:52,01234,\"NULL\",,2014-10-01\n2,1,NULL,NULL,75001,\"a \"\"b\"\"\n\",NULL,\n",
		"b/t.csv": "id,grade,born,seen,zip,answer,gone,day\n9223372036854775807,NULL,,2014-10-01T06:00:52.5Z,,NULL,,2014-10-02\n",
		"c.tsv":   "x\ty\n-1\t\\N\n\ta\\tb\n",
	})
	copies := copied(t, dir, File{"a/t.csv", "t", "csv"}, File{"b/t.csv", "t", "csv"}, File{"c.tsv", "c", "tsv"})
	columns, rows := shown(t, filepath.Join(dir, "a", "t.parquet"))
	want := []string{"id INT(64,true)", "grade DOUBLE", "born STRING", "seen TIMESTAMP(isAdjustedToUTC=true,unit=MICROS)", "zip STRING", "answer STRING", "gone STRING", "day DATE"}
	if !slices.Equal(columns, want) {
		t.Errorf("%q", columns)
	}
	if got := fmt.Sprintf("%q", rows); got != `[["1" "0.5" "1970-1974" "2014-10-01T06:00:52" "01234" "NULL" "" "16344"] ["2" "1" "∅" "∅" "75001" "a \"b\"\n" "∅" "∅"]]` {
		t.Error(got)
	}
	columns, rows = shown(t, filepath.Join(dir, "b", "t.parquet"))
	if got := fmt.Sprintf("%q", rows); !slices.Equal(columns, want) || got != `[["9223372036854775807" "∅" "" "2014-10-01T06:00:52.5" "" "∅" "" "16345"]]` {
		t.Errorf("%q: %s", columns, got)
	}
	columns, rows = shown(t, filepath.Join(dir, "c.parquet"))
	if got := fmt.Sprintf("%q %q", columns, rows); got != `["x INT(64,true)" "y STRING"] [["-1" "∅"] ["∅" "a\tb"]]` {
		t.Error(got)
	}
	if c := copies[0]; c.Of != "a/t.csv" || c.Path != "a/t.parquet" || c.Rows != 2 || c.Columns[1].Type != "decimal" || len(c.SHA256) != 64 {
		t.Errorf("%+v", c)
	}
}

// TestKindsAreExact: nothing is taken for a number or a date that would read
// otherwise when it is written again.
func TestKindsAreExact(t *testing.T) {
	for value, want := range map[string]kind{
		"0": integer, "-7": integer, "00": text, "007": text, "+1": text, "-0": decimal, "1 ": text, "9223372036854775808": text, "": text,
		"0.5": decimal, "1e-05": decimal, ".5": text, "-0.25": decimal, "00.5": text, "1.2.3": text, "1e999": text, "0.123456789012345678": text, "-": text, "1-2": text,
		"2014-10-01": day, "2014-02-30": text, "0000-00-00": text, "2014-10-01 06:00:52": moment, "0000-00-00 00:00:00": text, "2014-10": text, "true": text,
	} {
		var c candidates
		c.see([]byte(value))
		if got := c.kind(); got != want {
			t.Errorf("%q is taken for %v, not %v", value, got, want)
		}
	}
}

// TestEventsAreFlat: the columns are filled from wherever edX writes them, and a
// line that holds none of them still has its row.
func TestEventsAreFlat(t *testing.T) {
	lines := []string{
		`{"username": "u1500000001", "time": "2014-10-01T06:00:52.937694+00:00", "context": {"user_id": 1500000001, "course_id": "U/C/R", "path": "/event", "module": {"usage_key": "i4x://U/C/problem/p"}}, "geo": {"country": "FR"}, "event": {"problem_id": "other", "grade": 1, "max_grade": "2", "attempts": 3, "success": "correct"}}`,
		`Oct  1 06:00:52 host tracking: {"time": "2014-10-01T08:00:52+02:00", "context": {"user_id": ""}, "course_id": "U/C/S", "event": "{\"id\": \"i4x-U-C-video-v\", \"currentTime\": 12.5, \"code\": \"html5\"}"}`,
		`{"time": "yesterday", "context": {"user_id": "1500000002"}, "event": "input_1=a&input_2=%C3%A9"}`,
		`{"time": null, "event": {"old_time": "x", "id": null}, "page": null, "context": null`, // cut off
		`no object`,
	}
	dir := folder(t, map[string]string{"tracking_log.json": strings.Join(lines, "\n") + "\n"})
	copied(t, dir, File{"tracking_log.json", "tracking_log", "json lines"})
	columns, rows := shown(t, filepath.Join(dir, "tracking_log.parquet"))
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i], _, _ = strings.Cut(c, " ")
	}
	if len(rows) != len(lines) || names[0] != "line" || names[len(names)-1] != "context" {
		t.Fatalf("%d rows of %q", len(rows), names)
	}
	for _, want := range []struct {
		row         int
		name, value string
	}{
		{0, "line", "1"}, {0, "user_id", "1500000001"}, {0, "time", "2014-10-01T06:00:52.937694"}, {0, "course_id", "U/C/R"}, {0, "country", "FR"}, {0, "city", "∅"},
		{0, "module_id", "i4x://U/C/problem/p"}, {0, "grade", "1"}, {0, "max_grade", "2"}, {0, "attempts", "3"}, {0, "success", "correct"}, {0, "event", `{"problem_id": "other", "grade": 1, "max_grade": "2", "attempts": 3, "success": "correct"}`},
		{1, "time", "2014-10-01T06:00:52"}, {1, "user_id", "∅"}, {1, "course_id", "U/C/S"}, {1, "module_id", "i4x-U-C-video-v"}, {1, "video_time", "12.5"}, {1, "video_code", "html5"},
		{1, "event", `{"id": "i4x-U-C-video-v", "currentTime": 12.5, "code": "html5"}`},
		{2, "time", "∅"}, {2, "user_id", "1500000002"}, {2, "event", "input_1=a&input_2=%C3%A9"}, {2, "module_id", "∅"},
		{3, "line", "4"}, {3, "video_from", "∅"}, {3, "page", "∅"}, {4, "line", "5"}, {4, "event", "∅"},
	} {
		if got := rows[want.row][slices.Index(names, want.name)]; got != want.value {
			t.Errorf("row %d, %s: %q, want %q", want.row, want.name, got, want.value)
		}
	}
}

// TestPostsAreFlat reads the forms of MongoDB's exports.
func TestPostsAreFlat(t *testing.T) {
	dir := folder(t, map[string]string{"forum.mongo": `{ "_id" : { "$oid" : "c12b3a10ce73b6273711643d" }, "_type" : "Comment", "author_id" : "1500000001", "created_at" : { "$date" : 1412243091848 }, "updated_at": {"$date": "2014-10-02T09:44:51.848Z"}, "last_activity_at": {"$date": {"$numberLong": "1412243091848"}}, "body": "é\n\"x\"", "votes" : { "up" : ["1415767449"], "up_count" : 1, "point" : -1 }, "closed" : true, "endorsement": null }` + "\n"})
	copied(t, dir, File{"forum.mongo", "forum", "json lines"})
	columns, rows := shown(t, filepath.Join(dir, "forum.parquet"))
	for name, want := range map[string]string{
		"_id": "c12b3a10ce73b6273711643d", "author_id": "1500000001", "created_at": "2014-10-02T09:44:51.848", "updated_at": "2014-10-02T09:44:51.848", "last_activity_at": "2014-10-02T09:44:51.848",
		"body": "é\n\"x\"", "votes_up": "1", "votes_point": "-1", "voters_up": `["1415767449"]`, "closed": "true", "endorsed_by": "∅", "pinned": "∅",
	} {
		i := slices.IndexFunc(columns, func(c string) bool { return strings.HasPrefix(c, name+" ") })
		if i < 0 || rows[0][i] != want {
			t.Errorf("%s: %q", name, rows)
		}
	}
}

// TestPostsOfAnyForm: an array, and BSON, have the same rows as lines have.
func TestPostsOfAnyForm(t *testing.T) {
	posts := []bson.D{
		{{Key: "_type", Value: "CommentThread"}, {Key: "author_id", Value: "1500000001"}, {Key: "created_at", Value: bson.NewDateTimeFromTime(time.UnixMilli(1412243091848))}, {Key: "body", Value: "é"}},
		{{Key: "_type", Value: "Comment"}, {Key: "author_id", Value: "1500000002"}, {Key: "created_at", Value: bson.NewDateTimeFromTime(time.UnixMilli(1412243091849))}, {Key: "body", Value: "x"}},
	}
	files := map[string]string{}
	var array []string
	for _, post := range posts {
		raw, err := bson.Marshal(post)
		if err != nil {
			t.Fatal(err)
		}
		files["forum.bson"] += string(raw)
		text, err := bson.MarshalExtJSON(post, false, false)
		if err != nil {
			t.Fatal(err)
		}
		array = append(array, string(text))
		files["forum.mongo"] += string(text) + "\n"
	}
	files["forum.json"] = "[\n  " + strings.Join(array, ",\n  ") + "\n]\n"
	dir := folder(t, files)
	var first [][]string
	for name, format := range map[string]string{"forum.bson": "bson", "forum.json": "json", "forum.mongo": "json lines"} {
		made := copied(t, dir, File{name, "forum", format})
		_, rows := shown(t, filepath.Join(dir, made[0].Path))
		if first == nil {
			first = rows
		}
		if len(rows) != 2 || fmt.Sprint(rows) != fmt.Sprint(first) || rows[1][10] != "2014-10-02T09:44:51.849" {
			t.Errorf("%s: %q", name, rows)
		}
	}
}

// TestTheSameBytesWhateverTheCores: batches are written in order, and the same
// file gives the same bytes.
func TestTheSameBytesWhateverTheCores(t *testing.T) {
	var log strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&log, `{"username": "u%d", "time": "2014-10-01T06:00:52", "event": {"n": %d}, "agent": "%s"}`+"\n", 1_500_000_000+i%50, i, strings.Repeat("x", i%200))
	}
	dir := folder(t, map[string]string{"tracking_log.json": log.String()})
	var first []byte
	for _, jobs := range []int{1, 2, 5} {
		out := t.TempDir()
		copies, err := Write(context.Background(), Request{Release: dir, Out: out, Jobs: jobs, Limit: 1, Files: []File{{"tracking_log.json", "tracking_log", "json lines"}}})
		if err != nil || copies[0].Rows != 20_000 {
			t.Fatalf("%+v, %v", copies, err)
		}
		data, err := os.ReadFile(filepath.Join(out, "tracking_log.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
			_, rows := shown(t, filepath.Join(out, "tracking_log.parquet"))
			for i, row := range rows {
				if row[0] != fmt.Sprint(i+1) {
					t.Fatalf("row %d is of line %s", i, row[0])
				}
			}
		}
		if !bytes.Equal(data, first) {
			t.Errorf("%d jobs make other bytes", jobs)
		}
	}
}

// TestNamesDoNotCollide, and what has no Parquet is passed over.
func TestNamesDoNotCollide(t *testing.T) {
	dir := folder(t, map[string]string{"x.csv": "a\n1\n", "x.json": `{"time": null}` + "\n", "y.csv": "a\n", "y.parquet": "there", "z.json": "{}", "w.csv.gz": "a\n1\n"})
	copies := copied(t, dir, File{"x.csv", "x", "csv"}, File{"x.json", "tracking_log", "json lines"}, File{"y.csv", "y", "csv"}, File{"y.parquet", "", "file"}, File{"z.json", "z", "file"}, File{"w.csv.gz", "w", "csv"})
	var names []string
	for _, c := range copies {
		names = append(names, c.Path)
	}
	if !slices.Equal(names, []string{"x.parquet", "x.json.parquet", "y.csv.parquet", "w.parquet"}) {
		t.Errorf("%q", names)
	}
	if data, err := json.Marshal(copies[0].Columns); err != nil || string(data) != `[{"name":"a","type":"integer"}]` {
		t.Errorf("%s, %v", data, err)
	}
}

// TestWholeOrNotAtAll: a file that cannot be read to its end leaves nothing.
func TestWholeOrNotAtAll(t *testing.T) {
	dir := folder(t, map[string]string{"tracking_log.json.gz": "\x1f\x8b\x08\x00broken"})
	_, err := Write(context.Background(), Request{Release: dir, Files: []File{{"tracking_log.json.gz", "tracking_log", "json lines"}}})
	if fault.CodeOf(err) != fault.Failure {
		t.Errorf("%v", err)
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	dir = folder(t, map[string]string{"t.csv": "a\n" + strings.Repeat("1\n", 1<<21)})
	if _, err := Write(cancelled, Request{Release: dir, Limit: 1, Files: []File{{"t.csv", "t", "csv"}}}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}
