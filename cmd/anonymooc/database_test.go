package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"anonymooc/internal/fault"
	"anonymooc/internal/sqltest"
)

// courseTables are the tables of the bundled export's second course.
const courseTables = "../../testdata/export/ImaginaireX-HIS202-2015_T2"

// null stands for NULL among cells: no text of the export is like it.
const null = "\x00"

// cells reads a CSV file, NULL apart from a text that is spelt like it.
func cells(t *testing.T, path string) [][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	var marked strings.Builder // every NULL outside of quotes
	for i, part := range strings.Split(string(text), `"`) {
		if i > 0 {
			marked.WriteByte('"')
		}
		if i%2 == 1 {
			marked.WriteString(part)
			continue
		}
		part = "\n" + part + "\n" // a field also ends where the file does
		for range 2 {
			for _, before := range []string{",", "\n"} {
				for _, after := range []string{",", "\n", "\r\n"} {
					part = strings.ReplaceAll(part, before+"NULL"+after, before+null+after)
				}
			}
		}
		marked.WriteString(part[1 : len(part)-1])
	}
	records, err := csv.NewReader(strings.NewReader(marked.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// loading is the SQL that makes the course's tables, keyed by id as the platform's are.
func loading(t *testing.T, quote func(string) string, literal func(string) string) string {
	t.Helper()
	paths, err := filepath.Glob(courseTables + "/*.csv")
	if err != nil || len(paths) == 0 {
		t.Fatal("the bundled export has no tables", err)
	}
	var b strings.Builder
	for _, path := range paths {
		records := cells(t, path)
		table := quote(strings.TrimSuffix(filepath.Base(path), ".csv"))
		var columns []string
		for _, name := range records[0] {
			kind := "TEXT"
			if name == "id" {
				kind = "INT PRIMARY KEY"
			}
			columns = append(columns, quote(name)+" "+kind)
		}
		fmt.Fprintf(&b, "CREATE TABLE %s (%s);\n", table, strings.Join(columns, ", "))
		for _, record := range records[1:] {
			var values []string
			for _, cell := range record {
				if cell == null {
					values = append(values, "NULL")
				} else {
					values = append(values, literal(cell))
				}
			}
			fmt.Fprintf(&b, "INSERT INTO %s VALUES (%s);\n", table, strings.Join(values, ", "))
		}
	}
	return b.String()
}

// sorted reads a released table, its rows in an order of their own.
func sorted(t *testing.T, path string) []string {
	t.Helper()
	var rows []string
	for _, record := range cells(t, path) {
		rows = append(rows, strings.Join(record, "\x1f"))
	}
	slices.Sort(rows[1:])
	return rows
}

// TestSameReleaseFromEverywhere releases the same tables from files, a dump, MariaDB
// and PostgreSQL, in one project.
func TestSameReleaseFromEverywhere(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	do := func(status fault.Code, args ...string) (string, string) {
		t.Helper()
		var out, tell bytes.Buffer
		if got := run(append(args, "--project", in("project")), &out, &tell); got != int(status) {
			t.Fatalf("%v: exit status %d, wanted %d\n%s%s", args, got, status, out.String(), tell.String())
		}
		for _, hidden := range []string{"r@ader", "r%40ader", "127.0.0.1", sqltest.Password} {
			if strings.Contains(out.String()+tell.String(), hidden) {
				t.Fatalf("%v tells %q", args, hidden)
			}
		}
		return out.String(), tell.String()
	}
	if err := os.CopyFS(in("files"), os.DirFS(courseTables)); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"tracking_log.json", "forum_contents.json"} {
		if err := os.Remove(filepath.Join(in("files"), other)); err != nil {
			t.Fatal(err)
		}
	}
	do(fault.OK, "run", in("files"), "--out", in("from-files"))

	maria := sqltest.MariaDB(t)
	maria.Run("", "CREATE DATABASE edxapp CHARACTER SET utf8mb4; CREATE USER reader IDENTIFIED BY 'r@ader'; GRANT SELECT ON edxapp.* TO reader")
	maria.Run("edxapp", loading(t, func(name string) string { return "`" + name + "`" }, func(text string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(text) + "'"
	}))
	elephant := sqltest.PostgreSQL(t)
	elephant.Run("", "CREATE DATABASE edxapp")
	elephant.Run("edxapp", loading(t, func(name string) string { return `"` + name + `"` }, func(text string) string {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	})+"CREATE ROLE reader LOGIN PASSWORD 'r@ader'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;\n")

	if err := os.WriteFile(in("edxapp.sql"), maria.Dump("edxapp"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in("address"), []byte(maria.URL("mysql", "reader", "r@ader", "edxapp")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("EDXAPP", elephant.URL("postgres", "reader", "r@ader", "edxapp"))
	do(fault.OK, "run", in("edxapp.sql"), "--out", in("from-dump"))
	do(fault.OK, "run", "--database-from", "file:"+in("address"), "--out", in("from-mariadb"))
	do(fault.OK, "run", "--database-from", "env:EDXAPP", "--out", in("from-postgresql"))
	do(fault.OK, "check", "--database-from", "file:"+in("address"))
	if out, _ := do(fault.OK, "scan", "--database-from", "env:EDXAPP"); !strings.Contains(out, "auth_userprofile.csv") {
		t.Error("scan does not show the tables")
	}
	for _, from := range []string{"from-dump", "from-mariadb", "from-postgresql"} {
		for _, table := range []string{"auth_user.csv", "auth_userprofile.csv", "certificates_generatedcertificate.csv", "courseware_studentmodule.csv", "student_courseenrollment.csv"} {
			if !slices.Equal(sorted(t, filepath.Join(in(from), table)), sorted(t, filepath.Join(in("from-files"), table))) {
				t.Errorf("%s %s is another release", from, table)
			}
		}
		manifest, err := os.ReadFile(filepath.Join(in(from), "manifest.json"))
		if err != nil || bytes.Contains(manifest, []byte("reader")) || bytes.Contains(manifest, []byte("127.0.0.1")) {
			t.Errorf("%s: the manifest tells where the data came from, or is missing: %v", from, err)
		}
	}

	// A table without one of its columns, and one that no rule names: both stop the run.
	maria.Run("edxapp", "ALTER TABLE auth_userprofile DROP COLUMN user_id; ALTER TABLE auth_user ADD COLUMN shoe INT; CREATE TABLE shoes (id INT)")
	_, tell := do(fault.Unbound, "run", "--database-from", "file:"+in("address"), "--out", in("never"))
	for _, said := range []string{"shoes.csv", `column "shoe"`, `auth_userprofile.csv`} {
		if !strings.Contains(tell, said) {
			t.Errorf("%q is not told:\n%s", said, tell)
		}
	}
	do(fault.Usage, "run", "--database-from", maria.URL("mysql", "reader", "r@ader", "edxapp"), "--out", in("never"))
	do(fault.Usage, "run", "--out", in("never"))
	elephant.Kill()
	do(fault.Failure, "run", "--database-from", "env:EDXAPP", "--out", in("never"))
	if _, err := os.Lstat(in("never")); err == nil {
		t.Error("something is left of a run that failed")
	}
}
