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
		"MySQL 8": {"-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n--\n/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;\n/*!50503 SET NAMES utf8mb4 */;\n/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;\n" +
			"/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;\nSET @MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN;\nSET @@GLOBAL.GTID_PURGED=/*!80000 '+'*/ '3e11fa47:1-5;6';\n" +
			"DROP TABLE IF EXISTS `x`;\n/*!50503 SET character_set_client = utf8mb4 */;\nCREATE TABLE `x` (\n  `id` int NOT NULL AUTO_INCREMENT COMMENT 'it''s; a key',\n  `low` varchar(9) GENERATED ALWAYS AS (lower(_utf8mb4'A,B')) VIRTUAL,\n  `raw` varbinary(9) DEFAULT NULL,\n  `doc` json DEFAULT NULL,\n  PRIMARY KEY (`id`),\n  CONSTRAINT `c` CHECK ((`id` > 0))\n) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci /*!80016 DEFAULT ENCRYPTION='N' */;\n" +
			"LOCK TABLES `x` WRITE;\n/*!40000 ALTER TABLE `x` DISABLE KEYS */;\nINSERT INTO `x` (`id`, `raw`, `doc`) VALUES (1,_binary '\\0ÿ\\'',_utf8mb4'{\\\"a\\\": 1}'),(2,NULL,NULL);\n/*!40000 ALTER TABLE `x` ENABLE KEYS */;\nUNLOCK TABLES;\n" +
			"/*!50001 CREATE VIEW `v` AS SELECT \n 1 AS `id`*/;\nDELIMITER ;;\n/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`%`*/ /*!50003 TRIGGER t BEFORE INSERT ON x FOR EACH ROW BEGIN DELETE FROM y; END */;;\nDELIMITER ;\n-- Dump completed on 2024-01-07  3:00:00\n", "x.csv", "id,raw,doc\n1,\x00ÿ',\"{\"\"a\"\": 1}\"\n2,NULL,NULL\n"},
		"phpMyAdmin": {"-- phpMyAdmin SQL Dump\nSET time_zone = \"+00:00\";\n/*!40101 SET NAMES utf8mb4 */;\nCREATE TABLE `x` (\n  `id` int(11) NOT NULL,\n  `t` varchar(9) DEFAULT 'a,)b'\n) ENGINE=InnoDB;\nINSERT INTO `x` (`id`, `t`) VALUES\n(1, 'y');\nALTER TABLE `x` ADD PRIMARY KEY (`id`);\nCOMMIT;\n", "x.csv", "id,t\n1,y\n"},
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
