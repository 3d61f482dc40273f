package database

import (
	"context"
	"errors"
	"io"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"anonymooc/internal/fault"
)

// postgres is a PostgreSQL server: one connection holds the snapshot, and every
// table that is read has one of its own, which shares it.
type postgres struct {
	config   *pgx.ConnConfig
	conn     *pgx.Conn
	snapshot string
	schema   string
}

// postgresParameters are those that an address may have.
var postgresParameters = map[string]bool{"sslmode": true, "sslrootcert": true, "sslcert": true, "sslkey": true, "connect_timeout": true, "search_path": true}

func openPostgres(ctx context.Context, t *target) (server, error) {
	for name := range t.query {
		if !postgresParameters[name] {
			return nil, fault.New(fault.Usage, "a parameter of the address is not known").
				WithHint("an address of PostgreSQL may have sslmode, sslrootcert, sslcert, sslkey, connect_timeout and search_path")
		}
	}
	address := url.URL{Scheme: "postgres", User: url.UserPassword(t.user, t.password), Host: t.host, Path: "/" + t.database, RawQuery: t.query.Encode()}
	config, err := pgx.ParseConfig(address.String())
	if err != nil {
		return nil, fault.New(fault.Usage, "not the address of a database").WithHint("an address is %s", Examples)
	}
	config.RuntimeParams["timezone"] = "UTC"
	config.RuntimeParams["datestyle"] = "ISO, YMD"
	config.RuntimeParams["intervalstyle"] = "postgres"
	config.RuntimeParams["bytea_output"] = "hex"
	config.RuntimeParams["extra_float_digits"] = "1"
	config.RuntimeParams["client_encoding"] = "UTF8"
	config.RuntimeParams["default_transaction_read_only"] = "on"
	config.RuntimeParams["idle_in_transaction_session_timeout"] = "0" // logs may be read in between, for hours
	config.RuntimeParams["statement_timeout"] = "0"
	config.RuntimeParams["application_name"] = "anonymooc"
	s := &postgres{config: config}
	if s.conn, err = pgx.ConnectConfig(ctx, config.Copy()); err != nil {
		return nil, postgresFault(err, "", unreachable)
	}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(postgresFault(err, "", refused), s.close())
	}
	return s, nil
}

const beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

func (s *postgres) begin(ctx context.Context) error {
	if _, err := s.conn.Exec(ctx, beginReading); err != nil {
		return err
	}
	return s.conn.QueryRow(ctx, "SELECT pg_export_snapshot(), COALESCE(current_schema(), '')").Scan(&s.snapshot, &s.schema)
}

func (s *postgres) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), mostWait)
	defer cancel()
	s.conn.Close(ctx) // the server rolls back
	return nil
}

// list gives what the user may read, as MySQL does.
func (s *postgres) list(ctx context.Context) ([]table, error) {
	const query = `SELECT c.relname, a.attname, format_type(a.atttypid, NULL),
  COALESCE((SELECT array_position(i.indkey::int2[], a.attnum) + 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary), 0)
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(c.oid, a.attnum, 'SELECT')
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = $1
ORDER BY c.relname COLLATE "C", a.attnum`
	rows, err := s.conn.Query(ctx, query, s.schema)
	if err != nil {
		return nil, postgresFault(err, "", refused)
	}
	defer rows.Close()
	var l lister
	for rows.Next() {
		var table, name, kind string
		var key int
		if err := rows.Scan(&table, &name, &kind, &key); err != nil {
			return nil, postgresFault(err, "", refused)
		}
		l.add(table, name, kind, key)
	}
	if err := rows.Err(); err != nil {
		return nil, postgresFault(err, "", lost)
	}
	return l.tables, nil
}

func (s *postgres) read(ctx context.Context, t *table) (cursor, error) {
	conn, err := pgx.ConnectConfig(ctx, s.config.Copy())
	if err != nil {
		return nil, postgresFault(err, t.name, unreachable)
	}
	c := &postgresCursor{conn: conn, table: t}
	for _, statement := range []string{beginReading, "SET TRANSACTION SNAPSHOT '" + strings.ReplaceAll(s.snapshot, "'", "''") + "'"} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			c.close()
			return nil, postgresFault(err, t.name, lost)
		}
	}
	kinds := t.kinds()
	c.rows = conn.PgConn().ExecParams(ctx, selectAll(t, doubleQuoted(s.schema)+"."+doubleQuoted(t.name), doubleQuoted, func(name string) string {
		if kinds[name] == "timestamp with time zone" {
			return doubleQuoted(name) + " AT TIME ZONE 'UTC'" // all times are of one zone: say none
		}
		return doubleQuoted(name)
	}), nil, nil, nil, nil)
	return c, nil
}

func doubleQuoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// postgresCursor reads a query's rows as they come, in the server's text form.
type postgresCursor struct {
	conn  *pgx.Conn
	table *table
	rows  *pgconn.ResultReader
}

func (c *postgresCursor) next(dst []byte) ([]byte, error) {
	if !c.rows.NextRow() {
		if _, err := c.rows.Close(); err != nil {
			return dst, postgresFault(err, c.table.name, lost)
		}
		return dst, io.EOF
	}
	values := c.rows.Values()
	return appendRow(dst, len(values), func(i int) ([]byte, bool) {
		value := values[i]
		if value == nil {
			return nil, false
		}
		switch c.table.columns[i].kind {
		case "boolean":
			if string(value) == "t" {
				return []byte{'1'}, false
			}
			return []byte{'0'}, false
		case "bytea":
			return unhex(value), true
		}
		return value, false
	}), nil
}

// unhex reads bytea's "\x…".
func unhex(value []byte) []byte {
	digits, ok := strings.CutPrefix(string(value), `\x`)
	if !ok {
		return value
	}
	raw := make([]byte, 0, len(digits)/2)
	for i := 0; i+1 < len(digits); i += 2 {
		raw = append(raw, nibble(digits[i])<<4|nibble(digits[i+1]))
	}
	return raw
}

func nibble(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}

// close ends the connection, whatever it is doing.
func (c *postgresCursor) close() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // not to wait for the rest of the rows
	c.conn.Close(ctx)
	return nil
}

// postgresFault tells the kinds of trouble apart.
func postgresFault(err error, table string, otherwise trouble) error {
	var said *pgconn.PgError
	if !errors.As(err, &said) {
		if otherwise == refused {
			otherwise = lost
		}
		return explain(err, table, otherwise)
	}
	switch {
	case strings.HasPrefix(said.Code, "28") || said.Code == "3D000":
		return explain(err, table, denied)
	case said.Code == "42501":
		return explain(err, table, forbidden)
	case strings.HasPrefix(said.Code, "57P") || strings.HasPrefix(said.Code, "08"):
		return explain(err, table, lost)
	}
	return explain(err, table, refused)
}
