package moocdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"

	"anonymooc/internal/fault"
)

// store writes rows into a SQLite database that nobody else has open. While it is
// filled, the driver is used without database/sql, whose care for many users costs
// a tenth of the time; afterwards db reads it.
type store struct {
	path    string
	conn    driver.Conn // nil once everything is written
	inserts []insert    // by position in the schema
	db      *sql.DB     // nil before
}

// insert writes rows of one table. The driver looks for each parameter among all
// of a statement's, so one row at a time is as fast as many.
type insert struct {
	table  *table
	values []driver.NamedValue
	into   driver.StmtExecContext // nil before the first row
	rows   int64
}

// newStore makes a database with empty tables. A crash may leave it torn: it is
// given its name only when it is whole.
func newStore(path string) (*store, error) {
	s := &store{path: path, inserts: make([]insert, len(schema))}
	dsn, err := s.dsn("_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)&_pragma=locking_mode(EXCLUSIVE)&_pragma=page_size(16384)&_pragma=cache_size(-65536)")
	if err != nil {
		return nil, err
	}
	if s.conn, err = (&sqlite.Driver{}).Open(dsn); err != nil {
		return nil, cannotWrite(path)
	}
	for i := range schema {
		s.inserts[i].table = &schema[i]
		err = errors.Join(err, s.exec(schema[i].ddl(SQLite)))
	}
	if err = errors.Join(err, s.exec("BEGIN")); err != nil {
		s.close()
		return nil, cannotWrite(path)
	}
	return s, nil
}

// dsn names the database with options.
func (s *store) dsn(options string) (string, error) {
	absolute, err := filepath.Abs(s.path)
	if err != nil {
		return "", cannotWrite(s.path)
	}
	// Escapes "#" and "?" in folders' names.
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(absolute)}).String() + "?" + options, nil
}

// exec carries out one statement that is not kept.
func (s *store) exec(statement string) error {
	to, ok := s.conn.(driver.ExecerContext)
	if !ok {
		return errors.New("moocdb: the driver carries out no statements")
	}
	_, err := to.ExecContext(context.Background(), statement, nil)
	return err
}

func cannotWrite(path string) error {
	return fault.New(fault.Failure, "the database cannot be written").At(path, 0, "").
		WithHint("does its folder exist, and is there space left?")
}

// add writes one row: a value for each column, nil for NULL.
func (s *store) add(table int, values ...any) error {
	in := &s.inserts[table]
	if in.into == nil {
		if err := s.prepare(in); err != nil {
			return err
		}
	}
	if len(values) != len(in.values) {
		return fmt.Errorf("moocdb: a row of %s has %d values", in.table.name, len(values))
	}
	for i, value := range values {
		if n, ok := value.(int); ok {
			value = int64(n)
		}
		in.values[i].Value = value
	}
	if _, err := in.into.ExecContext(context.Background(), in.values); err != nil {
		return cannotWrite(in.table.name)
	}
	in.rows++
	return nil
}

func (s *store) prepare(in *insert) error {
	in.values = make([]driver.NamedValue, len(in.table.columns))
	for i := range in.values {
		in.values[i].Ordinal = i + 1
	}
	made, err := s.conn.Prepare("INSERT INTO " + in.table.name + " VALUES (" + strings.Repeat("?,", len(in.values)-1) + "?)")
	if err != nil {
		return cannotWrite(in.table.name)
	}
	into, ok := made.(driver.StmtExecContext)
	if !ok {
		return cannotWrite(in.table.name)
	}
	in.into = into
	return nil
}

// finish commits, and checks every foreign key.
func (s *store) finish(ctx context.Context) error {
	if err := s.exec("COMMIT"); err != nil {
		return cannotWrite("moocdb")
	}
	if err := s.close(); err != nil {
		return cannotWrite("moocdb")
	}
	dsn, err := s.dsn("_pragma=cache_size(-65536)")
	if err != nil {
		return err
	}
	if s.db, err = sql.Open("sqlite", dsn); err != nil {
		return cannotWrite("moocdb")
	}
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

// close lets go of the database; what was not committed is thrown away with its
// file.
func (s *store) close() error {
	var err error
	if s.conn != nil {
		for i := range s.inserts {
			if stmt, ok := s.inserts[i].into.(driver.Stmt); ok {
				err = errors.Join(err, stmt.Close())
			}
			s.inserts[i].into = nil
		}
		err = errors.Join(err, s.conn.Close())
		s.conn = nil
	}
	if s.db != nil {
		err = errors.Join(err, s.db.Close())
		s.db = nil
	}
	return err
}
