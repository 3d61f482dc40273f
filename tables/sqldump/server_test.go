package sqldump

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"anonymooc/internal/source"
	"anonymooc/internal/sqltest"
)

// everything is a table with what dumps write in different ways.
const everything = `
CREATE DATABASE school CHARACTER SET utf8mb4;
USE school;
CREATE TABLE everything (
  id INT PRIMARY KEY COMMENT 'a key, (of sorts)', plain VARCHAR(200), ` + "`order`" + ` TEXT, state LONGTEXT, born DATE, seen DATETIME(6), stamp TIMESTAMP NULL,
  grade DECIMAL(10,4), share DOUBLE, flag BIT(1), flags BIT(12), small TINYINT(1), raw BLOB, bytes VARBINARY(16), doc JSON, kind ENUM('a','b,c'), KEY plain (plain)
);
INSERT INTO everything VALUES
 (1, 'Zéphyrine "Z" Brun', 'l''eau; -- /* x */ # y', '{"a": "b\\"c\\\\d\\ne"}', '1990-02-28', '2014-10-15 06:45:39.018527', '2014-10-15 06:45:39', 12.5000, 0.1, b'1', b'101', 1, 0x00FF10, 0x616263, '{"k": [1, null]}', 'b,c'),
 (2, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
 (3, 'NULL', '\\N', 'line\nline\r\nline\ttab\0nul\Zsub\\', '0001-01-01', NULL, NULL, -0.0001, -1.5e-30, b'0', b'0', 0, '', '', '[]', 'a'),
 (4, '😀 日本', '100% _x\\%y\\_', 'a,b', NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, 'bonjour', NULL, NULL, NULL);
CREATE TABLE nothing (id INT, name TEXT);
CREATE TABLE one (name VARCHAR(10));
INSERT INTO one VALUES (''), ('x'), (NULL);
CREATE VIEW looked AS SELECT id FROM everything;
DELIMITER ;;
CREATE TRIGGER t BEFORE INSERT ON one FOR EACH ROW BEGIN UPDATE nothing SET id = 1; SET NEW.name = 'x;y'; END;;
DELIMITER ;
`

var everythingWanted = []string{
	"id,plain,order,state,born,seen,stamp,grade,share,flag,flags,small,raw,bytes,doc,kind\n" +
		"1,\"Zéphyrine \"\"Z\"\" Brun\",l'eau; -- /* x */ # y,\"{\"\"a\"\": \"\"b\\\"\"c\\\\d\\ne\"\"}\",1990-02-28,2014-10-15 06:45:39.018527,2014-10-15 06:45:39,12.5000,0.1,1,5,1,00FF10,abc,\"{\"\"k\"\": [1, null]}\",\"b,c\"\n" +
		"2,NULL,,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL\n" +
		"3,\"NULL\",\"\\N\",\"line\nline\r\nline\ttab\x00nul\x1asub\\\",0001-01-01,NULL,NULL,-0.0001,-1.5e-30,0,0,0,,,[],a\n" +
		"4,😀 日本,100% _x\\%y\\_,\"a,b\",NULL,NULL,NULL,0.0000,0,NULL,NULL,NULL,bonjour,NULL,NULL,NULL\n",
	"id,name\n",
	"name\n\"\"\nx\nNULL\n",
}

// tablesOf reads every table of a dump as the release would, several times.
func tablesOf(t testing.TB, file source.File) map[string]string {
	t.Helper()
	if is, err := Is(t.Context(), file); err != nil || !is {
		t.Fatalf("not taken for a dump: %v", err)
	}
	files, err := Tables(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	tables := make(map[string]string)
	for i := len(files) - 1; i >= 0; i-- {
		tables[files[i].Name] = read(t, files[i])
		if again := read(t, files[i]); again != tables[files[i].Name] {
			t.Errorf("%s reads otherwise the second time", files[i].Name)
		}
	}
	return tables
}

func read(t testing.TB, file source.File) string {
	t.Helper()
	in, err := file.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(in); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func write(t testing.TB, name string, text []byte) source.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return source.OnDisk(path)
}

func zipped(text []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(text)
	z.Close()
	return out.Bytes()
}

// TestRealDumps reads what mariadb-dump makes of a real server in its manners.
func TestRealDumps(t *testing.T) {
	server := sqltest.MariaDB(t)
	server.Run("", everything)
	for name, flags := range map[string][]string{
		"as it is": nil, "a row a statement": {"--skip-extended-insert"}, "columns named": {"--complete-insert"}, "bytes in hexadecimal": {"--hex-blob"},
		"names in double quotes": {"--compatible=ansi"}, "without comments": {"--compact"}, "REPLACE": {"--replace"}, "INSERT IGNORE": {"--insert-ignore"},
		"without locks": {"--opt", "--skip-add-locks", "--single-transaction"},
	} {
		t.Run(name, func(t *testing.T) {
			dump := server.Dump("school", flags...)
			tables := tablesOf(t, write(t, "school.sql", dump))
			for i, table := range []string{"everything.csv", "nothing.csv", "one.csv"} {
				if want := everythingWanted[i]; tables[table] != want {
					t.Errorf("%s\ngot  %q\nwant %q", table, tables[table], want)
				}
			}
			if len(tables) > 3 {
				t.Errorf("%d tables", len(tables))
			}
			if packed := tablesOf(t, write(t, "school.sql.gz", zipped(dump))); packed["everything.csv"] != tables["everything.csv"] || packed["one.csv"] != tables["one.csv"] {
				t.Error("compressed it reads otherwise")
			}
		})
	}
	t.Run("latin1", func(t *testing.T) {
		server.Run("", "CREATE DATABASE old CHARACTER SET latin1; USE old; CREATE TABLE people (name VARCHAR(50), raw BLOB); INSERT INTO people VALUES ('Éloïse €', 0xE9)")
		tables := tablesOf(t, write(t, "old.sql", server.Dump("old", "--default-character-set=latin1")))
		if got := tables["people.csv"]; got != "name,raw\nÉloïse €,E9\n" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("rows alone", func(t *testing.T) {
		if _, err := Tables(t.Context(), write(t, "school.sql", server.Dump("school", "--no-create-info", "--complete-insert"))); err == nil {
			t.Error("rows of unknown columns are read")
		}
	})
	t.Run("cut anywhere", func(t *testing.T) {
		dump := server.Dump("school")
		for at := 300; at < len(dump)-2; at += 97 {
			if _, err := Tables(t.Context(), write(t, "school.sql", dump[:at])); err == nil {
				t.Fatalf("a dump cut at byte %d of %d is taken for whole", at, len(dump))
			} else if strings.Contains(err.Error(), "phyrine") {
				t.Fatal(err)
			}
		}
	})
	t.Run("large", func(t *testing.T) {
		var rows strings.Builder
		rows.WriteString("CREATE DATABASE large; USE large; CREATE TABLE big (id INT, state LONGTEXT); CREATE TABLE after (id INT); INSERT INTO after VALUES (7);\n")
		for i := range 300 {
			rows.WriteString("INSERT INTO big SELECT seq, REPEAT(CONCAT('\\\\\"é', seq), " + []string{"1", "40", "3000"}[i%3] + ") FROM seq_" + itoa(i*20) + "_to_" + itoa(i*20+19) + ";\n")
		}
		server.Run("", rows.String())
		tables := tablesOf(t, write(t, "large.sql", server.Dump("large")))
		records, err := csv.NewReader(strings.NewReader(tables["big.csv"])).ReadAll()
		if err != nil || len(records) != 6001 || tables["after.csv"] != "id\n7\n" {
			t.Fatalf("%d records, %v", len(records), err)
		}
		for i, r := range records[1:] {
			if times := []int{1, 40, 3000}[i/20%3]; r[0] != itoa(i) || r[1] != strings.Repeat("\\\"é"+itoa(i), times) {
				t.Fatalf("row %d differs", i)
			}
		}
	})
}
