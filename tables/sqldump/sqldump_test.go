package sqldump

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

func itoa(n int) string { return strconv.Itoa(n) }

func TestOnlyDumpsAreDumps(t *testing.T) {
	for head, want := range map[string]bool{
		"-- MySQL dump 10.13\n": true, "/*!40101 SET NAMES utf8 */;\n": true, "\n\nCREATE TABLE x (id int);": true, "insert into x values (1);": true, "# phpMyAdmin\n": true,
		"id\tusername\temail\n1\tx\ty\n": false, "id,username\n": false, "": false, "-- \tx\n": false, "SETTING\n": false, "update\tx\n": false,
	} {
		if looksLike([]byte(head)) != want {
			t.Errorf("%q: %v", head, !want)
		}
	}
}

func TestHandwrittenDumps(t *testing.T) {
	for name, test := range map[string]struct{ sql, table, want string }{
		"lower case, no quotes, other order": {"create table if not exists school.x (id int, name text, primary key (id));\ninsert into school.x (name, id) values ('a', 1) , ( 'b' , -2 );", "x.csv", "name,id\na,1\nb,-2\n"},
		"literals":                           {"CREATE TABLE x (a text, b text, c text, d text, e bit(8), f blob);INSERT INTO x VALUES (TRUE,x'616263',_utf8mb4 'é',N'n',b'11',_binary 'q');INSERT INTO x VALUES (false,X'',\"d\"\"q\",'it''s',0x0A,_binary 0xFF00);", "x.csv", "a,b,c,d,e,f\n1,abc,é,n,3,q\n0,,\"d\"\"q\",it's,10,FF00\n"},
		"no backslash escapes":               {"SET SQL_MODE='ANSI,NO_BACKSLASH_ESCAPES';CREATE TABLE x (a text);INSERT INTO x VALUES ('C:\\'),('n\\n');", "x.csv", "a\nC:\\\nn\\n\n"},
		"interleaved tables":                 {"CREATE TABLE x (a int);CREATE TABLE y (a int);INSERT INTO x VALUES (1);INSERT INTO y VALUES (2);INSERT INTO x VALUES (3);", "x.csv", "a\n1\n3\n"},
		"phpMyAdmin":                         {"-- phpMyAdmin SQL Dump\nSET time_zone = \"+00:00\";\n/*!40101 SET NAMES utf8mb4 */;\nCREATE TABLE `x` (\n  `id` int(11) NOT NULL,\n  `t` varchar(9) DEFAULT 'a,)b'\n) ENGINE=InnoDB;\nINSERT INTO `x` (`id`, `t`) VALUES\n(1, 'y');\nALTER TABLE `x` ADD PRIMARY KEY (`id`);\nCOMMIT;\n", "x.csv", "id,t\n1,y\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tablesOf(t, write(t, "x.sql", []byte(test.sql)))[test.table]; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestBrokenDumps(t *testing.T) {
	const table = "CREATE TABLE x (a int, b text);\n"
	for name, sql := range map[string]string{
		"an update":        table + "INSERT INTO x VALUES (1,'Zéphyrine');UPDATE x SET b='Zéphyrine';",
		"a delete":         table + "DELETE FROM x WHERE b='Zéphyrine';",
		"loads":            table + "LOAD DATA INFILE 'Zéphyrine' INTO TABLE x;",
		"no columns":       "INSERT INTO x VALUES (1,'Zéphyrine');",
		"from a select":    table + "INSERT INTO x SELECT 1,'Zéphyrine';",
		"a character set":  "/*!40101 SET NAMES koi8r */;\n" + table,
		"two databases":    "USE a;" + table + "USE b;" + table,
		"created twice":    table + table,
		"PostgreSQL":       "--\n-- PostgreSQL database dump\n--\nSET x = 1;\nCOPY x FROM stdin;\n1\tZéphyrine\n\\.\n",
		"like":             "CREATE TABLE x LIKE y;",
		"a hostile name":   "CREATE TABLE `../../etc/x` (a int);",
		"no end":           "-- MySQL dump 10.13\n" + table,
		"an open comment":  table + "/* Zéphyrine",
		"an open quote":    table + "INSERT INTO x VALUES (1,'Zéphyrine",
		"an open name":     "CREATE TABLE `x",
		"an open table":    "CREATE TABLE x (a int",
		"an open column":   "INSERT INTO x (a",
		"not a statement":  table + "!",
		"another encoding": "\xff\xfe-\x00-\x00",
	} {
		_, err := Tables(t.Context(), write(t, "x.sql", []byte(sql)))
		checkFault(t, name, err)
	}
	for name, sql := range map[string]string{
		"too many values":  table + "INSERT INTO x VALUES (1,'Zéphyrine',3);",
		"too few":          table + "INSERT INTO x VALUES (1);",
		"a function":       table + "INSERT INTO x VALUES (1,UPPER('Zéphyrine'));",
		"a sum":            table + "INSERT INTO x VALUES (1+1,'Zéphyrine');",
		"other columns":    table + "INSERT INTO x (a,b) VALUES (1,'x');INSERT INTO x (b,a) VALUES ('Zéphyrine',1);",
		"on duplicate key": table + "INSERT INTO x VALUES (1,'Zéphyrine') ON DUPLICATE KEY UPDATE b='y';",
		"no number":        table + "INSERT INTO x VALUES (-,'Zéphyrine');",
		"odd bits":         table + "INSERT INTO x VALUES (b'12','Zéphyrine');",
		"no hexadecimal":   table + "INSERT INTO x VALUES (x'zz','Zéphyrine');",
		"no parenthesis":   table + "INSERT INTO x VALUES 1,'Zéphyrine';",
		"concatenated":     table + "INSERT INTO x VALUES (1,'Zéph' 'yrine');",
	} {
		files, err := Tables(t.Context(), write(t, "x.sql", []byte(sql)))
		if err == nil {
			in, opened := files[0].Read(t.Context())
			if opened != nil {
				t.Fatal(opened)
			}
			buffer := make([]byte, 1<<16)
			for err == nil {
				_, err = in.Read(buffer)
			}
			in.Close()
		}
		checkFault(t, name, err)
	}
}

func checkFault(t *testing.T, name string, err error) {
	t.Helper()
	var f *fault.Fault
	if !errors.As(err, &f) || strings.Contains(err.Error()+f.Hint, "phyrine") || f.File == "" {
		t.Errorf("%s: %v", name, err)
	}
}

// FuzzTables: whatever a dump holds, its tables are read or refused, and the text of
// a value comes out as it went in.
func FuzzTables(f *testing.F) {
	f.Add("CREATE TABLE x (a int);INSERT INTO x VALUES (1);", "it's \"\\\n\x00,")
	f.Add("/*!40101 SET NAMES latin1 */;CREATE TABLE `x` (`a` bit(3));INSERT INTO `x` VALUES (b'101'),(NULL);", "NULL")
	f.Fuzz(func(t *testing.T, sql, value string) {
		if len(sql) > 1<<12 || len(value) > 1<<12 {
			return
		}
		if files, err := Tables(t.Context(), write(t, "x.sql", []byte(sql))); err == nil {
			for _, file := range files {
				in, err := file.Read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				buffer := make([]byte, 1<<12)
				for err == nil {
					_, err = in.Read(buffer)
				}
				in.Close()
			}
		}
		quoted := strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\x00", `\0`, "\n", `\n`, "\x1a", `\Z`).Replace(value)
		got := read(t, mustTables(t, "CREATE TABLE x (a text, b int);INSERT INTO x VALUES ('"+quoted+"',1);"))
		field := value
		if value == "NULL" || value == `\N` || strings.ContainsAny(value, ",\"\r\n") {
			field = `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
		}
		if want := "a,b\n" + field + ",1\n"; got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func mustTables(t *testing.T, sql string) source.File {
	t.Helper()
	files, err := Tables(t.Context(), write(t, "x.sql", []byte(sql)))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files[0]
}
