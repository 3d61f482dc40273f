package database

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"

	"anonymooc/internal/fault"
)

// mySQL is a MySQL or MariaDB server. Its snapshot belongs to one connection, so
// tables are read one after the other.
type mySQL struct {
	pool *sql.DB
	conn *sql.Conn
	id   int64         // of the connection
	free chan struct{} // holds one: the right to use the connection
}

// mySQLParameters are those that an address may have, with what the driver calls
// them.
var mySQLParameters = map[string]bool{"tls": true, "timeout": true, "readTimeout": true}

var quiet sync.Once

func openMySQL(ctx context.Context, t *target) (server, error) {
	quiet.Do(func() { mysql.SetLogger(silent{}) }) // what it says may hold the address
	config := mysql.NewConfig()
	config.User, config.Passwd, config.Net, config.Addr, config.DBName = t.user, t.password, "tcp", t.host, t.database
	if _, _, err := net.SplitHostPort(t.host); err != nil {
		config.Addr = net.JoinHostPort(strings.Trim(t.host, "[]"), "3306")
	}
	if err := config.Apply(mysql.Charset("utf8mb4", "")); err != nil {
		return nil, err
	}
	config.Timeout, config.TLSConfig = mostWait, "preferred"
	config.AllowCleartextPasswords, config.AllowAllFiles = false, false
	for name, values := range t.query {
		if !mySQLParameters[name] {
			return nil, fault.New(fault.Usage, "a parameter of the address is not known").WithHint("an address of MySQL may have tls=true, tls=skip-verify, timeout=10s and readTimeout=10m")
		}
		wait, err := time.ParseDuration(values[0])
		switch {
		case name == "tls":
			config.TLSConfig = values[0]
		case err != nil:
			return nil, fault.New(fault.Usage, "a time in the address is none").WithHint("times are such as 30s or 10m")
		case name == "timeout":
			config.Timeout = wait
		default:
			config.ReadTimeout = wait
		}
	}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, fault.New(fault.Usage, "a parameter of the address is not known").WithHint("tls is true, skip-verify, preferred or false")
	}
	s := &mySQL{pool: sql.OpenDB(connector), free: make(chan struct{}, 1)}
	s.free <- struct{}{}
	if s.conn, err = s.pool.Conn(ctx); err != nil {
		s.pool.Close()
		return nil, mySQLFault(err, "", unreachable)
	}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(mySQLFault(err, "", refused), s.close())
	}
	return s, nil
}

// begin begins the transaction. The session is made read-only too: were the
// transaction to end, nothing could be written all the same.
func (s *mySQL) begin(ctx context.Context) error {
	for _, statement := range []string{
		"SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
		"SET SESSION TRANSACTION READ ONLY",
		"SET SESSION time_zone = '+00:00', sql_mode = '', net_write_timeout = 86400, wait_timeout = 604800",
		"START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
	} {
		if _, err := s.conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return s.conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&s.id)
}

func (s *mySQL) close() error {
	var errs []error
	if s.conn != nil {
		s.conn.Close()
	}
	if err := s.pool.Close(); err != nil {
		errs = append(errs, explain(err, "", lost))
	}
	return errors.Join(errs...)
}

func (s *mySQL) list(ctx context.Context) ([]table, error) {
	const query = `SELECT c.TABLE_NAME, c.COLUMN_NAME, c.DATA_TYPE, COALESCE(k.ORDINAL_POSITION, 0)
FROM information_schema.COLUMNS c
JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME AND t.TABLE_TYPE = 'BASE TABLE'
LEFT JOIN information_schema.KEY_COLUMN_USAGE k ON k.TABLE_SCHEMA = c.TABLE_SCHEMA AND k.TABLE_NAME = c.TABLE_NAME AND k.COLUMN_NAME = c.COLUMN_NAME AND k.CONSTRAINT_NAME = 'PRIMARY'
WHERE c.TABLE_SCHEMA = DATABASE()
ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION`
	rows, err := s.conn.QueryContext(ctx, query)
	if err != nil {
		return nil, mySQLFault(err, "", refused)
	}
	defer rows.Close()
	var l lister
	for rows.Next() {
		var table, name, kind string
		var key int
		if err := rows.Scan(&table, &name, &kind, &key); err != nil {
			return nil, mySQLFault(err, "", refused)
		}
		l.add(table, name, strings.ToLower(kind), key)
	}
	if err := rows.Err(); err != nil {
		return nil, mySQLFault(err, "", lost)
	}
	return l.tables, nil
}

// lister gathers tables from a list of columns.
type lister struct{ tables []table }

func (l *lister) add(name, columnName, kind string, key int) {
	if n := len(l.tables); n == 0 || l.tables[n-1].name != name {
		l.tables = append(l.tables, table{name: name})
	}
	t := &l.tables[len(l.tables)-1]
	t.columns = append(t.columns, column{columnName, kind})
	if key > 0 {
		for len(t.key) < key {
			t.key = append(t.key, "")
		}
		t.key[key-1] = columnName
	}
}

func (s *mySQL) read(ctx context.Context, t *table) (cursor, error) {
	select {
	case <-s.free:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	kinds := t.kinds()
	rows, err := s.conn.QueryContext(ctx, selectAll(t, backquoted(t.name), backquoted, func(name string) string {
		if kinds[name] == "float" || kinds[name] == "double" {
			return "CAST(" + backquoted(name) + " AS CHAR)" // the server's digits, not the driver's
		}
		return backquoted(name)
	}))
	if err != nil {
		s.free <- struct{}{}
		return nil, mySQLFault(err, t.name, refused)
	}
	c := &mySQLCursor{server: s, rows: rows, table: t, values: make([]sql.RawBytes, len(t.columns))}
	for i := range c.values {
		c.scanned = append(c.scanned, &c.values[i])
	}
	return c, nil
}

// selectAll is the query for a table, which from names.
func selectAll(t *table, from string, quoted func(string) string, column func(string) string) string {
	var b strings.Builder
	for i, c := range t.columns {
		b.WriteString([...]string{"SELECT ", ", "}[min(i, 1)])
		b.WriteString(column(c.name))
	}
	b.WriteString(" FROM ")
	b.WriteString(from)
	for i, name := range t.key {
		b.WriteString([...]string{" ORDER BY ", ", "}[min(i, 1)])
		b.WriteString(quoted(name))
	}
	return b.String()
}

func backquoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// mySQLCursor reads a query's rows as they come.
type mySQLCursor struct {
	server  *mySQL
	rows    *sql.Rows
	table   *table
	values  []sql.RawBytes
	scanned []any
	ended   bool
	closed  bool
}

func (c *mySQLCursor) next(dst []byte) ([]byte, error) {
	if !c.rows.Next() {
		c.ended = true
		if err := c.rows.Err(); err != nil {
			return dst, mySQLFault(err, c.table.name, lost)
		}
		return dst, io.EOF
	}
	if err := c.rows.Scan(c.scanned...); err != nil {
		return dst, mySQLFault(err, c.table.name, lost)
	}
	return appendRow(dst, len(c.values), func(i int) ([]byte, bool) {
		value, kind := []byte(c.values[i]), c.table.columns[i].kind
		if value != nil && kind == "bit" {
			value = bits(value)
		}
		return value, strings.HasSuffix(kind, "blob") || strings.HasSuffix(kind, "binary")
	}), nil
}

// close ends the query. One that is left in the middle is ended on the server, which
// would send the rest of the table otherwise; the transaction goes on.
func (c *mySQLCursor) close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	defer func() { c.server.free <- struct{}{} }()
	if !c.ended {
		ctx, cancel := context.WithTimeout(context.Background(), mostWait)
		defer cancel()
		c.server.pool.ExecContext(ctx, "KILL QUERY "+strconv.FormatInt(c.server.id, 10))
		c.rows.Close()
		c.server.conn.ExecContext(ctx, "DO 0") // a late KILL meets this
		return nil
	}
	c.rows.Close() // what is wrong was told by next
	return nil
}

// mySQLFault tells the kinds of trouble apart.
func mySQLFault(err error, table string, otherwise trouble) error {
	var said *mysql.MySQLError
	if !errors.As(err, &said) {
		if otherwise == refused {
			otherwise = lost
		}
		return explain(err, table, otherwise)
	}
	switch said.Number {
	case 1044, 1045, 1049, 1698, 1130, 1251, 1862: // access, database, host, plug-in, expired
		return explain(err, table, denied)
	case 1142, 1143, 1370:
		return explain(err, table, forbidden)
	case 1053, 1927, 2006, 2013:
		return explain(err, table, lost)
	}
	if otherwise == unreachable {
		otherwise = denied
	}
	return explain(err, table, otherwise)
}

// silent keeps the driver from writing to the terminal.
type silent struct{}

func (silent) Print(...any) {}
