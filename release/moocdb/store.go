package moocdb

import (
	"context"
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the database/sql driver called sqlite

	"anonymooc/internal/fault"
)

// store writes rows into a SQLite database that nobody else has open.
type store struct {
	db      *sql.DB
	tx      *sql.Tx
	inserts []insert // by position in the schema
}

// insert gathers rows of one table and writes many with one statement.
type insert struct {
	table  *table
	values []any
	full   *sql.Stmt
	rows   int64
}

// rowsAtOnce is how many rows one statement writes. The driver looks for each
// parameter among all of them, so more rows are not faster.
const rowsAtOnce = 12

// newStore makes a database with empty tables. A crash may leave it torn: it is
// given its name only when it is whole.
func newStore(path string) (*store, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, cannotWrite(path)
	}
	dsn := (&url.URL{Scheme: "file", Path: filepath.ToSlash(absolute)}).String() + // escapes "#" and "?" in folders' names
		"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)&_pragma=locking_mode(EXCLUSIVE)&_pragma=page_size(16384)&_pragma=cache_size(-65536)"
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, cannotWrite(path)
	}
	db.SetMaxOpenConns(1)
	for i := range schema {
		if _, err := db.Exec(schema[i].ddl(SQLite)); err != nil {
			db.Close()
			return nil, cannotWrite(path)
		}
	}
	s := &store{db: db, inserts: make([]insert, len(schema))}
	if s.tx, err = db.Begin(); err != nil {
		db.Close()
		return nil, cannotWrite(path)
	}
	for i := range schema {
		s.inserts[i].table = &schema[i]
	}
	return s, nil
}

func cannotWrite(path string) error {
	return fault.New(fault.Failure, "the database cannot be written").At(path, 0, "").
		WithHint("does its folder exist, and is there space left?")
}

// add writes one row: a value for each column, nil for NULL.
func (s *store) add(table int, values ...any) error {
	in := &s.inserts[table]
	in.values = append(in.values, values...)
	in.rows++
	if len(in.values) < rowsAtOnce*len(in.table.columns) {
		return nil
	}
	if in.full == nil {
		var err error
		if in.full, err = s.tx.Prepare(in.statement(rowsAtOnce)); err != nil {
			return cannotWrite(in.table.name)
		}
	}
	if _, err := in.full.Exec(in.values...); err != nil {
		return cannotWrite(in.table.name)
	}
	in.values = in.values[:0]
	return nil
}

func (in *insert) statement(rows int) string {
	row := "(" + strings.Repeat("?,", len(in.table.columns)-1) + "?)"
	return "INSERT INTO " + in.table.name + " VALUES " + strings.Repeat(row+",", rows-1) + row
}

// finish writes what is left, commits, and checks every foreign key.
func (s *store) finish(ctx context.Context) error {
	for i := range s.inserts {
		in := &s.inserts[i]
		if n := len(in.values) / len(in.table.columns); n > 0 {
			if _, err := s.tx.Exec(in.statement(n), in.values...); err != nil {
				return cannotWrite(in.table.name)
			}
			in.values = nil
		}
	}
	if err := s.tx.Commit(); err != nil {
		return cannotWrite("moocdb")
	}
	s.tx = nil
	rows, err := s.db.QueryContext(ctx, "PRAGMA foreign_key_check")
	if err != nil {
		return cannotWrite("moocdb")
	}
	defer rows.Close()
	if rows.Next() {
		var from, to string
		var row, key sql.NullInt64
		if err := rows.Scan(&from, &row, &to, &key); err != nil {
			return cannotWrite("moocdb")
		}
		return fault.New(fault.Failure, "a row refers to a row of %s that is not there", to).At(from, row.Int64, "")
	}
	return rows.Err()
}

func (s *store) close() error {
	if s.tx != nil {
		s.tx.Rollback() // the file is thrown away
	}
	return s.db.Close()
}
