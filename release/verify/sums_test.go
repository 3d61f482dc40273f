package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"anonymooc/internal/fault"
	"anonymooc/release/columnar"
	"anonymooc/release/sums"
)

// published writes a release with its manifest, its papers and the hashes of all.
func published(t *testing.T, extra map[string]string) string {
	t.Helper()
	files := maps.Clone(cleanRelease)
	manifest, err := json.Marshal(manifestOf(cleanRelease))
	if err != nil {
		t.Fatal(err)
	}
	files["manifest.json"] = string(manifest)
	files["report.en.html"], files["CODEBOOK.md"] = "<h1>Report</h1>\n", "# Codebook\n"
	maps.Copy(files, extra)
	folder := write(t, files)
	if err := sums.Write(folder, nil); err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestEveryFileIsAccountedFor: data that the manifest does not list, and whatever
// was changed, taken away or put in after the release was made, is told.
func TestEveryFileIsAccountedFor(t *testing.T) {
	edit := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, folder string) {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	again := func(then func(*testing.T, string)) func(*testing.T, string) {
		return func(t *testing.T, folder string) {
			then(t, folder)
			if err := sums.Write(folder, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, folder string) {
			if err := os.Remove(filepath.Join(folder, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, test := range map[string]struct {
		do         func(*testing.T, string)
		file, what string
	}{
		"nothing":                               {func(*testing.T, string) {}, "", ""},
		"a table":                               {edit("more.csv", "a,b\n1,2\n"), "more.csv", "manifest does not list"},
		"a table, hashed":                       {again(edit("more.csv", "a,b\n1,2\n")), "more.csv", "manifest does not list"},
		"a log, hashed":                         {again(edit("more.log", `{"a": 1}`+"\n")), "more.log", "manifest does not list"},
		"a document of data, hashed":            {again(edit("more.json", "[1,\n2]\n")), "more.json", "manifest does not list"},
		"something else, hashed":                {again(edit("more.bin", "\x00\x01")), "more.bin", "manifest does not list"},
		"a report that was changed":             {edit("report.en.html", "<h1>Anonymous</h1>\n"), "report.en.html", "was changed"},
		"a manifest that was changed":           {edit("manifest.json", "{}"), "manifest.json", "was changed"},
		"a paper that is not hashed":            {edit("report.fr.html", "<h1>Rapport</h1>\n"), "report.fr.html", "not in SHA256SUMS"},
		"a paper that was taken away":           {remove("CODEBOOK.md"), "CODEBOOK.md", "not in the release"},
		"data that was changed with its hash":   {again(edit("auth_user.csv", cleanRelease["auth_user.csv"]+"\r\n")), "auth_user.csv", "SHA-256 differs"},
		"a licence put in later is only listed": {edit("LICENCE.txt", "CC BY\n"), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			folder := published(t, nil)
			test.do(t, folder)
			report := run(t, folder, nil)
			if test.what == "" {
				if !report.Passed() {
					t.Errorf("%+v", report.Problems)
				}
			} else if !hasProblem(report, test.file, "", test.what) {
				t.Errorf("%+v", report.Problems)
			}
			if limited := slices.ContainsFunc(report.Limits, func(l string) bool { return strings.HasPrefix(l, "LICENCE.txt: ") }); limited != strings.Contains(name, "licence") {
				t.Errorf("%q", report.Limits)
			}
		})
	}
	folder := published(t, nil)
	edit("SHA256SUMS", "no list\n")(t, folder)
	if _, err := Run(context.Background(), Request{Release: folder}); fault.CodeOf(err) != fault.Failure {
		t.Errorf("a broken list: %v", err)
	}
}

// TestPapersWrittenAnewAreHashedAnew.
func TestPapersWrittenAnewAreHashedAnew(t *testing.T) {
	folder := published(t, nil)
	if err := os.WriteFile(filepath.Join(folder, "report.en.html"), []byte("<h1>Again</h1>\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := sums.Refresh(folder, "report.en.html"); err != nil {
		t.Fatal(err)
	}
	if report := run(t, folder, nil); !report.Passed() {
		t.Errorf("%+v", report.Problems)
	}
}

// TestParquetOfARelease: it passes with the release it was made of, and is told
// when it holds other rows, was changed, or shows somebody.
func TestParquetOfARelease(t *testing.T) {
	files := maps.Clone(cleanRelease)
	folder := write(t, files)
	copies, err := columnar.Write(context.Background(), columnar.Request{Release: folder, Files: []columnar.File{
		{Path: "auth_user.csv", Table: "auth_user", Format: "csv"}, {Path: "auth_userprofile.csv", Table: "auth_userprofile", Format: "csv"},
		{Path: "tracking_log.json", Table: "tracking_log", Format: "json lines"}, {Path: "forum_contents.json", Table: "forum", Format: "json lines"},
	}})
	if err != nil || len(copies) != 4 {
		t.Fatalf("%+v, %v", copies, err)
	}
	manifest := func() *Manifest {
		m := manifestOf(cleanRelease)
		for _, c := range copies {
			m.Parquet = append(m.Parquet, Copy{c.Path, c.Of, c.SHA256, c.Bytes, c.Rows})
		}
		return m
	}
	if report := run(t, folder, manifest()); !report.Passed() {
		t.Fatalf("%+v %+v", report.Residuals, report.Problems)
	}
	lie := manifest()
	lie.Parquet[0].SHA256 = strings.Repeat("0", 64)
	lie.Parquet[1].Rows++
	lie.Parquet[2].Bytes++
	lie.Parquet = lie.Parquet[:3]
	report := run(t, folder, lie)
	for name, what := range map[string]string{"auth_user.parquet": "SHA-256", "auth_userprofile.parquet": "rows", "tracking_log.parquet": "bytes", "forum_contents.parquet": "does not list"} {
		if !hasProblem(report, name, "", what) {
			t.Errorf("%s: %+v", name, report.Problems)
		}
	}
	// The release is clean, and its Parquet was made of something else.
	leaking := write(t, map[string]string{"auth_user.csv": strings.Replace(cleanRelease["auth_user.csv"], "u1500000002,,", "u1500000002,rosa@mail.example,", 1)})
	leaked, err := columnar.Write(context.Background(), columnar.Request{Release: leaking, Out: folder, Files: []columnar.File{{Path: "auth_user.csv", Table: "auth_user", Format: "csv"}}})
	if err != nil {
		t.Fatal(err)
	}
	m := manifest()
	m.Parquet[0].SHA256, m.Parquet[0].Bytes = leaked[0].SHA256, leaked[0].Bytes
	if report := run(t, folder, m); !slices.ContainsFunc(report.Residuals, func(f Finding) bool {
		return f.File == "auth_user.parquet" && f.Line == 2 && f.Column == "email" && f.Kind == Email
	}) {
		t.Errorf("%+v", report.Residuals)
	}
}

// TestCellsOfSinglePeopleAreCounted: as many kept cells may differ from the export
// as the manifest says, and not one more.
func TestCellsOfSinglePeopleAreCounted(t *testing.T) {
	export := write(t, map[string]string{"auth_userprofile.csv": "id,user_id,gender\n1,11,m\n2,22,f\n3,33,o\n"})
	release := map[string]string{"auth_userprofile.csv": "id,user_id,gender\n1700000001,1500000001,m\n1700000002,1500000002,f\n1700000003,1500000003,\n"}
	for single, passes := range map[int64]bool{0: false, 1: true, 2: true} {
		m := manifestOf(nil)
		m.Outputs = []Output{{Path: "auth_userprofile.csv", RowsIn: 3, RowsOut: 3,
			Columns: []Column{{Name: "id", Action: "key(p)"}, {Name: "user_id", Action: "pseudonym(user_id)"}, {Name: "gender", Action: "keep", Single: single}}}}
		if report := run(t, write(t, release), m, export); passes != (len(report.Problems) == 0) {
			t.Errorf("%d cells: %+v", single, report.Problems)
		}
		release := map[string]string{"auth_userprofile.csv": strings.Replace(release["auth_userprofile.csv"], ",m\n", ",x\n", 1)}
		if report := run(t, write(t, release), m, export); (single == 2) != (len(report.Problems) == 0) {
			t.Errorf("%d cells, two others: %+v", single, report.Problems)
		}
	}
}

// TestComparingInParallel: whatever the number of workers, the same is told of a
// long file, with the first line that shows it.
func TestComparingInParallel(t *testing.T) {
	var source, released, users, pseudonyms strings.Builder
	users.WriteString("id,username\n")
	pseudonyms.WriteString("id,username\n")
	for i := range 50 {
		fmt.Fprintf(&users, "%d,name%d\n", 48000+i, i)
		fmt.Fprintf(&pseudonyms, "%d,u%d\n", 1_500_000_000+i, 1_500_000_000+i)
	}
	for i := range 20_000 {
		agent, person := "Mozilla", i%50
		fmt.Fprintf(&source, `{"username": "name%d", "agent": "%s", "event": {"id": "i4x://U/C/problem/%d"}, "context": {"user_id": %d}}`+"\n", person, agent, i, 48000+person)
		if i >= 7000 && i < 7003 {
			agent = "Other"
		}
		if i == 12_000 {
			person++
		}
		fmt.Fprintf(&released, `{"username": "u%d", "agent": "%s", "event": {"id": "i4x://U/C/problem/%d"}, "context": {"user_id": %d}}`+"\n", 1_500_000_000+person, agent, i, 1_500_000_000+person)
	}
	files := map[string]string{"auth_user.csv": pseudonyms.String(), "tracking_log.json": released.String()}
	export := write(t, map[string]string{"auth_user.csv": users.String(), "tracking_log.json": source.String()})
	m := manifestOf(files)
	m.output("auth_user.csv").Columns = []Column{{Name: "id", Action: "pseudonym(user_id)"}, {Name: "username", Action: "pseudonym(username)"}}
	log := m.output("tracking_log.json")
	log.Columns = append(log.Columns, Column{Name: "username", Action: "pseudonym(username)"}, Column{Name: "context.user_id", Action: "pseudonym(user_id)"})
	folder := write(t, files)
	var first []byte
	for _, jobs := range []int{1, 2, 7} {
		report, err := Run(context.Background(), Request{Release: folder, Source: []string{export}, Manifest: m, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		told, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = told
		}
		if !bytes.Equal(told, first) {
			t.Errorf("%d jobs: %s\nnot %s", jobs, told, first)
		}
		for _, want := range []Problem{
			{"tracking_log.json", 7001, "agent", "was to be kept, and is not what it was"},
			{"tracking_log.json", 12001, "username", "equal values did not stay equal, or different ones became equal"},
			{"tracking_log.json", 12001, "context.user_id", "equal values did not stay equal, or different ones became equal"},
		} {
			if !slices.Contains(report.Problems, want) {
				t.Errorf("%d jobs: %+v is not in %+v", jobs, want, report.Problems)
			}
		}
	}
}
