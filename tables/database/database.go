// Package database reads the tables of a MySQL, MariaDB or PostgreSQL server as if
// each were a CSV file.
//
//	address (a secret) ─ Open ─► one read-only transaction ─ Files ─► "auth_user.csv", …
//	                                       │ the same snapshot for all tables
//	                       source.File.Open ┴─► SELECT … ORDER BY key ─► CSV, row by row
//
// A platform goes on writing while it is read. All tables are read as they were when
// the transaction began: from one connection on MySQL, whose snapshots belong to it,
// and from connections that share an exported snapshot on PostgreSQL. The transaction
// is read-only by the server's word, so that nothing here can write, and rows are
// ordered by their primary key, so that the same data is the same bytes.
//
// Values are written as a dump would have them: NULL apart from an empty text, dates in
// UTC, numbers with their digits, truth as 1 and 0, bits as numbers, bytes that are no
// text in hexadecimal.
//
// An address holds a password. It comes from a file, the environment or a prompt, never
// from an argument, and no message shows it or what a server says of it.
package database

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
	"anonymooc/internal/source"
)

// Address is where a database is and who may read it: a URL.
type Address struct {
	secret secret.Secret
}

// Examples of addresses, for help and hints.
const Examples = "mysql://user:password@host:3306/edxapp or postgres://user:password@host:5432/edxapp"

// ReadAddress reads an address from where the user says it is: "env:NAME", "-" for a
// prompt, "file:PATH" or a path for a file that nobody else may read.
func ReadAddress(from string) (*Address, error) {
	if name, ok := strings.CutPrefix(from, "env:"); ok {
		value := os.Getenv(name)
		if value == "" {
			return nil, fault.New(fault.Usage, "the environment has no such variable, or it is empty").At(name, 0, "").
				WithHint("it holds an address such as %s", Examples)
		}
		return &Address{secret.New([]byte(strings.TrimSpace(value)))}, nil
	}
	if strings.Contains(from, "://") {
		return nil, fault.New(fault.Usage, "an address holds a password, which a process list and the shell's history would show").
			WithHint("write it into a file that nobody else may read: file:PATH; or env:NAME, or - to be asked")
	}
	var text []byte
	if from == "-" {
		var err error
		if text, err = secret.Ask("address of the database: "); err != nil {
			return nil, err
		}
	} else {
		path := strings.TrimPrefix(from, "file:")
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
			return nil, fault.New(fault.Usage, "others may read the address").At(path, 0, "").
				WithHint("chmod 600 the file, and change the password in it: it may have been seen")
		}
		held, err := secret.ReadPrivate(path, 1<<16)
		if err != nil {
			return nil, err
		}
		text = held.Reveal()
	}
	return &Address{secret.New([]byte(strings.TrimSpace(string(text))))}, nil
}

// NewAddress is an address that is known already.
func NewAddress(text string) *Address { return &Address{secret.New([]byte(text))} }

// target is an address, taken apart.
type target struct {
	scheme, user, password, host, database string
	query                                  url.Values
}

func (a *Address) parse() (*target, error) {
	wrong := fault.New(fault.Usage, "not the address of a database").WithHint("an address is %s; in a password write %%40 for @, %%3A for : and %%2F for /", Examples)
	u, err := url.Parse(string(a.secret.Reveal()))
	if err != nil || u.Host == "" || u.User == nil || u.User.Username() == "" || u.Fragment != "" {
		return nil, wrong // the parser's message would show the address
	}
	t := &target{scheme: u.Scheme, user: u.User.Username(), host: u.Host, database: strings.TrimPrefix(u.Path, "/"), query: u.Query()}
	t.password, _ = u.User.Password()
	if t.database == "" || strings.Contains(t.database, "/") {
		return nil, wrong
	}
	return t, nil
}

// server is a kind of server: what differs between them.
type server interface {
	// list names the tables with their columns and keys, in the order of names.
	list(ctx context.Context) ([]table, error)
	// read begins to read a table.
	read(ctx context.Context, t *table) (cursor, error)
	close() error
}

// cursor gives the rows of a table.
type cursor interface {
	// next appends the next row as CSV; io.EOF says that there is none.
	next(dst []byte) ([]byte, error)
	close() error
}

// table is a table as a server describes it.
type table struct {
	name    string
	columns []column
	key     []string // primary key
}

type column struct {
	name string
	kind string // the server's name of the type, in lower case
}

// kinds gives the types of a table's columns.
func (t *table) kinds() map[string]string {
	kinds := make(map[string]string, len(t.columns))
	for _, c := range t.columns {
		kinds[c.name] = c.kind
	}
	return kinds
}

// Database is an open database: a transaction that has begun.
type Database struct {
	Files []source.File

	server server
}

// mostWait bounds how long a server may take to let us in.
const mostWait = 30 * time.Second

// Open begins a read-only transaction and lists the tables. Queries end with ctx.
func Open(ctx context.Context, address *Address) (*Database, error) {
	t, err := address.parse()
	if err != nil {
		return nil, err
	}
	entering, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	var s server
	switch t.scheme {
	case "mysql", "mariadb":
		s, err = openMySQL(entering, t)
	case "postgres", "postgresql":
		s, err = openPostgres(entering, t)
	default:
		return nil, fault.New(fault.Usage, "the address is of a kind of database that is not read").WithHint("an address is %s", Examples)
	}
	if err != nil {
		return nil, err
	}
	tables, err := s.list(entering)
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	if len(tables) == 0 {
		return nil, errors.Join(fault.New(fault.Usage, "the database shows this user no table").
			WithHint("is it the right database, and may the user read it?"), s.close())
	}
	d := &Database{server: s}
	for i := range tables {
		table := &tables[i]
		name := table.name + ".csv"
		if path.Base(name) != name || strings.ContainsAny(name, "\\\x00\r\n") {
			return nil, errors.Join(fault.New(fault.Failure, "the database holds a table whose name cannot be a file's"), s.close())
		}
		d.Files = append(d.Files, source.File{Name: name, Size: source.Unknown, Open: func(ctx context.Context) (io.ReadCloser, error) {
			return d.open(ctx, table)
		}})
	}
	return d, nil
}

// Close ends the transaction.
func (d *Database) Close() error { return d.server.close() }

func (d *Database) open(ctx context.Context, t *table) (io.ReadCloser, error) {
	rows, err := d.server.read(ctx, t)
	if err != nil {
		return nil, err
	}
	return newReader(t, rows), nil
}

// explain makes a fault of what a server or the way to it says. Their words may hold
// addresses, users and values, so only the kind of trouble is told.
func explain(err error, table string, what trouble) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	f := fault.New(fault.Failure, "the database cannot be read: the connection was lost").WithHint("run again: a release is made whole or not at all")
	switch what {
	case denied:
		f = fault.New(fault.Usage, "the database does not let this user in").WithHint("user, password or database in the address are wrong, or the server does not expect the user from here")
	case forbidden:
		f = fault.New(fault.Usage, "the user may not read this table").WithHint("GRANT SELECT on the tables is all that is needed")
	case unreachable:
		f = fault.New(fault.Failure, "the database cannot be reached").WithHint("are host and port of the address right, and does the server run?")
	case refused:
		f = fault.New(fault.Failure, "the database refused a query")
	}
	if table != "" {
		f.At(table+".csv", 0, "")
	}
	return f
}

// trouble is a kind of error.
type trouble uint8

const (
	lost trouble = iota
	denied
	forbidden
	unreachable
	refused
)
