package moocdb

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// dump writes all tables to a folder: a file each, and for a database server the
// statements that make the tables and load the files.
func dump(ctx context.Context, db *sql.DB, folder string, f Format) error {
	if err := os.Mkdir(folder, 0o755); err != nil {
		return cannotWrite(folder)
	}
	var ddl, load strings.Builder
	for i := range schema {
		t := &schema[i]
		name := t.name + ".csv"
		if f == MySQL {
			name = t.name + ".tsv"
		}
		if err := dumpTable(ctx, db, filepath.Join(folder, name), t, f); err != nil {
			return err
		}
		if f == CSV {
			continue
		}
		ddl.WriteString(t.ddl(f) + ";\n")
		if f == MySQL {
			fmt.Fprintf(&load, "LOAD DATA LOCAL INFILE '%s' INTO TABLE %s CHARACTER SET utf8mb4 FIELDS TERMINATED BY '\\t' ESCAPED BY '\\\\' LINES TERMINATED BY '\\n';\n", name, t.name)
		} else {
			fmt.Fprintf(&load, "\\copy %s FROM '%s' WITH (FORMAT csv, HEADER true, ENCODING 'UTF8')\n", t.name, name)
		}
	}
	if f == CSV {
		return nil
	}
	loads := load.String()
	if f == MySQL { // a row may refer to a later one of its own table
		loads = "SET foreign_key_checks = 0;\n" + loads + "SET foreign_key_checks = 1;\n"
	}
	if err := os.WriteFile(filepath.Join(folder, "schema.sql"), []byte(ddl.String()), 0o644); err != nil {
		return cannotWrite(folder)
	}
	if err := os.WriteFile(filepath.Join(folder, "load.sql"), []byte(loads), 0o644); err != nil {
		return cannotWrite(folder)
	}
	return nil
}

// dumpTable writes one table in the order of its key.
func dumpTable(ctx context.Context, db *sql.DB, name string, t *table, f Format) error {
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+t.name+" ORDER BY "+t.key())
	if err != nil {
		return cannotWrite(t.name)
	}
	defer rows.Close()
	file, err := os.Create(name)
	if err != nil {
		return cannotWrite(name)
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<16)
	if f != MySQL {
		for i, c := range t.columns {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(c.name)
		}
		out.WriteByte('\n')
	}
	values := make([]any, len(t.columns))
	places := make([]any, len(values))
	for i := range values {
		places[i] = &values[i]
	}
	var line []byte
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return cannotWrite(t.name)
		}
		line = appendRow(line[:0], values, f)
		if _, err := out.Write(line); err != nil {
			return cannotWrite(name)
		}
	}
	if err := rows.Err(); err != nil {
		return cannotWrite(t.name)
	}
	if err := out.Flush(); err != nil {
		return cannotWrite(name)
	}
	if err := file.Sync(); err != nil {
		return cannotWrite(name)
	}
	return nil
}

func appendRow(line []byte, values []any, f Format) []byte {
	separator := byte(',')
	if f == MySQL {
		separator = '\t'
	}
	for i, value := range values {
		if i > 0 {
			line = append(line, separator)
		}
		switch v := value.(type) {
		case nil:
			if f == MySQL {
				line = append(line, '\\', 'N')
			}
		case int64:
			line = strconv.AppendInt(line, v, 10)
		case float64:
			line = strconv.AppendFloat(line, v, 'g', -1, 64)
		case string:
			line = appendText(line, v, f)
		}
	}
	return append(line, '\n')
}

// appendText writes a text so that it is told from NULL: in quotes, or with
// backslash escapes for MySQL.
func appendText(line []byte, text string, f Format) []byte {
	if f == MySQL {
		for i := 0; i < len(text); i++ {
			switch c := text[i]; c {
			case '\\', '\t', '\n':
				line = append(line, '\\', c)
			case 0:
				line = append(line, '\\', '0')
			default:
				line = append(line, c)
			}
		}
		return line
	}
	line = append(line, '"')
	for i := 0; i < len(text); i++ {
		if text[i] == '"' {
			line = append(line, '"')
		}
		if text[i] != 0 { // PostgreSQL has no such character
			line = append(line, text[i])
		}
	}
	return append(line, '"')
}
