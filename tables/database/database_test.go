package database

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
	"anonymooc/internal/sqltest"
)

const mariaDBTables = `
CREATE DATABASE school CHARACTER SET utf8mb4;
USE school;
CREATE TABLE everything (
  id INT PRIMARY KEY, plain VARCHAR(200), ` + "`order`" + ` TEXT, born DATE, seen DATETIME(6), stamp TIMESTAMP NULL,
  grade DECIMAL(10,4), share DOUBLE, flag BIT(1), flags BIT(12), small TINYINT(1), raw BLOB, doc JSON
);
INSERT INTO everything VALUES
 (3, 'NULL', '\\N', '0001-01-01', NULL, NULL, -0.0001, -1.5e-30, b'0', b'0', 0, '', '[]'),
 (1, 'Zéphyrine "Z" Brun', 'l''eau, 😀\r\n\t\\', '1990-02-28', '2014-10-15 06:45:39.018527', '2014-10-15 06:45:39', 12.5000, 0.1, b'1', b'101', 1, 0x00FF10, '{"k": [1, null]}'),
 (2, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE one (name VARCHAR(10) PRIMARY KEY);
INSERT INTO one VALUES ('x'), ('');
CREATE VIEW looked AS SELECT id FROM everything;
CREATE USER reader IDENTIFIED BY 'r@ader'; GRANT SELECT ON school.* TO reader;
CREATE USER halved IDENTIFIED BY 'r@ader'; GRANT SELECT ON school.one TO halved; GRANT SELECT (id) ON school.everything TO halved;
`

const postgresTables = `
CREATE DATABASE school;
\c school
CREATE TABLE everything (
  id INT PRIMARY KEY, plain VARCHAR(200), "order" TEXT, born DATE, seen TIMESTAMP(6), stamp TIMESTAMPTZ,
  grade NUMERIC(10,4), share DOUBLE PRECISION, flag BOOLEAN, flags INT, small SMALLINT, raw BYTEA, doc JSON
);
INSERT INTO everything VALUES
 (3, 'NULL', '\N', '0001-01-01', NULL, NULL, -0.0001, -1.5e-30, false, 0, 0, '', '[]'),
 (1, 'Zéphyrine "Z" Brun', E'l''eau, 😀\r\n\t\\', '1990-02-28', '2014-10-15 06:45:39.018527', '2014-10-15 08:45:39+02', 12.5, 0.1, true, 5, 1, '\x00FF10', '{"k": [1, null]}'),
 (2, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE one (name VARCHAR(10) PRIMARY KEY);
INSERT INTO one VALUES ('x'), ('');
CREATE VIEW looked AS SELECT id FROM everything;
CREATE ROLE reader LOGIN PASSWORD 'r@ader'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
CREATE SCHEMA other; CREATE TABLE other.alone (id INT); INSERT INTO other.alone VALUES (1); GRANT USAGE ON SCHEMA other TO reader; GRANT SELECT ON other.alone TO reader;
CREATE ROLE halved LOGIN PASSWORD 'r@ader'; GRANT SELECT ON one TO halved; GRANT SELECT (id) ON everything TO halved;
`

var wanted = map[string]string{
	"everything.csv": "id,plain,order,born,seen,stamp,grade,share,flag,flags,small,raw,doc\n" +
		"1,\"Zéphyrine \"\"Z\"\" Brun\",\"l'eau, 😀\r\n\t\\\",1990-02-28,2014-10-15 06:45:39.018527,2014-10-15 06:45:39,12.5000,0.1,1,5,1,00FF10,\"{\"\"k\"\": [1, null]}\"\n" +
		"2,NULL,,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL\n" +
		"3,\"NULL\",\"\\N\",0001-01-01,NULL,NULL,-0.0001,-1.5e-30,0,0,0,,[]\n",
	"one.csv": "name\n\"\"\nx\n",
}

// servers are both kinds, as the tests of one see them.
func servers(t *testing.T, test func(t *testing.T, scheme string, s *sqltest.Server)) {
	t.Run("MariaDB", func(t *testing.T) {
		s := sqltest.MariaDB(t)
		s.Run("", mariaDBTables)
		test(t, "mysql", s)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		s := sqltest.PostgreSQL(t)
		s.Run("", postgresTables)
		test(t, "postgres", s)
	})
}

func mustOpen(t *testing.T, address string) *Database {
	t.Helper()
	d, err := Open(t.Context(), NewAddress(address))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func readAll(t *testing.T, f source.File) (string, error) {
	t.Helper()
	in, err := f.Read(t.Context())
	if err != nil {
		return "", err
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	return string(text), err
}

// checkSilent makes sure that an error says neither address nor value.
func checkSilent(t *testing.T, err error, code fault.Code) {
	t.Helper()
	var f *fault.Fault
	if !errors.As(err, &f) {
		t.Errorf("not a fault: %v", err)
		return
	}
	for _, hidden := range []string{"r@ader", "r%40ader", "reader", "halved", "school", "127.0.0.1", "phyrine", sqltest.Password} {
		if strings.Contains(err.Error()+f.Hint, hidden) {
			t.Errorf("%q is told: %v (%s)", hidden, err, f.Hint)
		}
	}
	if f.Code != code {
		t.Errorf("exit %d instead of %d: %v", f.Code, code, err)
	}
}

func TestServers(t *testing.T) {
	servers(t, func(t *testing.T, scheme string, s *sqltest.Server) {
		address := s.URL(scheme, "reader", "r@ader", "school")
		t.Run("every type", func(t *testing.T) {
			d := mustOpen(t, address)
			if len(d.Files) != len(wanted) {
				t.Errorf("%d tables", len(d.Files))
			}
			for range 2 {
				for _, f := range d.Files {
					if got, err := readAll(t, f); got != wanted[f.Name] || err != nil {
						t.Errorf("%s: %v\ngot  %q\nwant %q", f.Name, err, got, wanted[f.Name])
					}
				}
			}
		})
		t.Run("another schema", func(t *testing.T) {
			if scheme != "postgres" {
				return // a MySQL schema is a database
			}
			d := mustOpen(t, address+"?search_path=other")
			if text, err := readAll(t, d.Files[0]); err != nil || len(d.Files) != 1 || text != "id\n1\n" {
				t.Errorf("%d tables, %q, %v", len(d.Files), text, err)
			}
		})
		t.Run("one snapshot", func(t *testing.T) {
			d := mustOpen(t, address)
			s.Run("school", "INSERT INTO one VALUES ('later'); CREATE TABLE later (id INT)")
			defer s.Run("school", "DELETE FROM one WHERE name = 'later'; DROP TABLE later")
			for _, f := range d.Files {
				if got, err := readAll(t, f); got != wanted[f.Name] || err != nil {
					t.Errorf("%s: %v %q", f.Name, err, got)
				}
			}
		})
		t.Run("nothing can be written", func(t *testing.T) {
			cannotWrite(t, s.URL(scheme, s.User, sqltest.Password, "school")) // who may do anything
		})
		t.Run("left in the middle", func(t *testing.T) {
			s.Run("school", map[string]string{
				"mysql":    "CREATE TABLE big (id INT PRIMARY KEY, t TEXT); INSERT INTO big SELECT seq, REPEAT('x', 1000) FROM seq_1_to_100000",
				"postgres": "CREATE TABLE big (id INT PRIMARY KEY, t TEXT); INSERT INTO big SELECT n, REPEAT('x', 1000) FROM generate_series(1, 100000) n; GRANT SELECT ON big TO reader",
			}[scheme])
			d := mustOpen(t, address)
			for range 3 {
				in, err := d.Files[0].Read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.CopyN(io.Discard, in, 1<<16); err != nil {
					t.Fatal(err)
				}
				if err := in.Close(); err != nil {
					t.Error(err)
				}
				for _, f := range d.Files[1:] {
					if got, err := readAll(t, f); got != wanted[f.Name] || err != nil {
						t.Errorf("%s: %v %q", f.Name, err, got)
					}
				}
			}
			if text, err := readAll(t, d.Files[0]); err != nil || strings.Count(text, "\n") != 100001 {
				t.Errorf("%d lines, %v", strings.Count(text, "\n"), err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			in, err := d.Files[0].Open(ctx)
			if err != nil {
				t.Fatal(err)
			}
			cancel()
			if _, err := io.Copy(io.Discard, in); err == nil {
				t.Error("a run that was interrupted reads to the end")
			}
			in.Close()
		})
		t.Run("doors that stay shut", func(t *testing.T) {
			for name, test := range map[string]struct {
				address string
				code    fault.Code
			}{
				"wrong password":   {s.URL(scheme, "reader", "wrong", "school"), fault.Usage},
				"no such user":     {s.URL(scheme, "phyrine", "r@ader", "school"), fault.Usage},
				"no such database": {s.URL(scheme, "reader", "r@ader", "phyrine"), fault.Usage},
				"nobody there":     {scheme + "://reader:r%40ader@127.0.0.1:1/school", fault.Failure},
				"no address":       {"reader@school", fault.Usage},
				"no database":      {scheme + "://reader:r%40ader@" + s.Address, fault.Usage},
				"unknown kind":     {"oracle://reader:r%40ader@" + s.Address + "/school", fault.Usage},
				"unknown setting":  {address + "?allowAllFiles=true", fault.Usage},
				"broken escape":    {scheme + "://reader:r%4@" + s.Address + "/school", fault.Usage},
			} {
				_, err := Open(t.Context(), NewAddress(test.address))
				if err == nil {
					t.Errorf("%s: opened", name)
					continue
				}
				checkSilent(t, err, test.code)
			}
			d := mustOpen(t, s.URL(scheme, "halved", "r@ader", "school"))
			for _, f := range d.Files {
				want := map[string]string{"one.csv": wanted["one.csv"], "everything.csv": "id\n1\n2\n3\n"}[f.Name]
				if got, err := readAll(t, f); err != nil || got != want {
					t.Errorf("%s: %q, %v", f.Name, got, err)
				}
			}
			if len(d.Files) != 2 {
				t.Errorf("who may read two tables sees %d", len(d.Files))
			}
			s.Run("school", "REVOKE SELECT ON one FROM halved")
			_, err := readAll(t, d.Files[1])
			checkSilent(t, err, fault.Usage)
		})
		t.Run("killed", func(t *testing.T) {
			d, err := Open(t.Context(), NewAddress(address))
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			in, err := d.Files[0].Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.CopyN(io.Discard, in, 1<<16); err != nil {
				t.Fatal(err)
			}
			s.Kill()
			_, err = io.Copy(io.Discard, in)
			checkSilent(t, err, fault.Failure)
			in.Close()
			_, err = readAll(t, d.Files[1])
			checkSilent(t, err, fault.Failure)
		})
	})
}

// cannotWrite tries what the transaction must not do, as a user who may do anything.
func cannotWrite(t *testing.T, address string) {
	t.Helper()
	d := mustOpen(t, address)
	before, err := readAll(t, d.Files[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{"INSERT INTO one VALUES ('written')", "UPDATE one SET name = 'written'", "DELETE FROM one", "COMMIT; INSERT INTO one VALUES ('written')", "INSERT INTO one VALUES ('after')"} {
		var failed error
		for part := range strings.SplitSeq(statement, "; ") {
			switch s := d.server.(type) {
			case *mySQL:
				_, failed = s.conn.ExecContext(t.Context(), part)
			case *postgres:
				if part == "COMMIT" {
					part = "ROLLBACK" // of what failed before
				}
				_, failed = s.conn.Exec(t.Context(), part)
			}
		}
		if failed == nil {
			t.Errorf("%s was done", statement)
		}
	}
	if after, err := readAll(t, mustOpen(t, address).Files[1]); after != before || err != nil {
		t.Errorf("%q became %q, %v", before, after, err)
	}
}

func TestAddressesAreSecrets(t *testing.T) {
	const text = "mysql://reader:r%40ader@127.0.0.1:1/school"
	path := filepath.Join(t.TempDir(), "address")
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SCHOOL", text)
	for _, from := range []string{path, "file:" + path, "env:SCHOOL"} {
		address, err := ReadAddress(from)
		if err != nil {
			t.Fatal(err)
		}
		if parsed, err := address.parse(); err != nil || parsed.password != "r@ader" {
			t.Errorf("%s: %v", from, err)
		}
	}
	os.Chmod(path, 0o644)
	for _, from := range []string{path, text, "env:NOTHING", filepath.Join(t.TempDir(), "none")} {
		if _, err := ReadAddress(from); err == nil {
			t.Errorf("%s is read", from)
		}
	}
}
