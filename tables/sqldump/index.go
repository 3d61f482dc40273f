package sqldump

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// indexer reads a dump for its tables.
type indexer struct {
	*statements
	dialect  dialect
	database string
	tables   map[string]*table
	order    []*table
	maker    string // program that says it made the dump
	complete bool
}

// passed are the statements that change no row.
var passed = map[string]bool{
	"DROP": true, "LOCK": true, "UNLOCK": true, "ALTER": true, "START": true, "BEGIN": true, "COMMIT": true, "FLUSH": true,
	"ANALYZE": true, "OPTIMIZE": true, "CHANGE": true, "GRANT": true, "REVOKE": true, "SELECT": true, "SHOW": true,
}

// read goes through all statements.
func (x *indexer) read() error {
	x.heard, x.remarked = x.executed, x.remark
	for {
		if err := x.blank(); err != nil {
			return err
		}
		if !x.more() {
			break
		}
		if x.maker == postgres {
			return x.fault("this is a dump of PostgreSQL, of which only MySQL's kind is read").WithHint("import it and read the database: --database-from")
		}
		from := x.offset()
		word := x.word()
		var err error
		switch {
		case word == "CREATE":
			err = x.create()
		case word == "INSERT" || word == "REPLACE":
			err = x.insert(from)
		case word == "SET":
			err = x.setting()
		case word == "USE":
			if x.database, err = x.identifier(x.dialect); err == nil {
				err = x.skip(x.dialect)
			}
		case word == "DELIMITER":
			x.otherDelimiter()
		case word == "" && x.peek() == ';':
			x.pos++
		case word == "" && x.peek() == '\\': // of MariaDB: the dump may not start programs
			x.endOfLine()
		case passed[word]:
			err = x.skip(x.dialect)
		case word == "":
			err = x.fault("not a statement of a dump")
		default:
			err = x.fault("a statement that may change rows is not read from a dump").
				WithHint("a dump for anonymooc holds CREATE TABLE and INSERT: make it with mysqldump, or import it and read the database (--database-from)")
		}
		if err != nil {
			return err
		}
	}
	if x.err != nil && x.err.Error() != "EOF" {
		return x.err
	}
	if x.maker != "" && !x.complete {
		return x.fault("the dump has no end: the line \"Dump completed\" is missing").WithHint("copy it again, or make it again: its making or transfer was interrupted")
	}
	return nil
}

// uncreated is the fault of rows whose columns nobody has described: what they hold,
// text, bits or bytes, could only be guessed.
func (x *indexer) uncreated(t *table) error {
	return x.fault("the dump does not say what the columns of a table are").At("", 0, t.name).
		WithHint("make it without --no-create-info: CREATE TABLE must stand before the rows")
}

const postgres = "PostgreSQL"

// remark reads a comment of its own line: who made the dump, and whether it is
// whole.
func (x *indexer) remark(text string) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "--"))
	for _, maker := range [...]string{"MySQL dump", "MariaDB dump"} {
		if strings.HasPrefix(text, maker) {
			x.maker = maker
		}
	}
	if strings.HasPrefix(text, "Dump completed") {
		x.complete = true
	}
	if strings.HasPrefix(text, "PostgreSQL database dump") {
		x.maker = postgres
	}
}

// executed reads a comment that a server would execute.
func (x *indexer) executed(statement string) error {
	rest, ok := cutWord(statement, "SET")
	if !ok {
		return nil
	}
	return x.set(rest)
}

func cutWord(text, word string) (string, bool) {
	if len(text) > len(word) && strings.EqualFold(text[:len(word)], word) && isSpace(text[len(word)]) {
		return text[len(word)+1:], true
	}
	return "", false
}

// setting reads a SET statement.
func (x *indexer) setting() error {
	var text []byte
	for {
		c, ok := x.take()
		if !ok {
			return x.early()
		}
		if c == ';' {
			return x.set(string(text))
		}
		if c == '\'' || c == '"' {
			text = append(text, c)
			for {
				d, ok := x.take()
				if !ok {
					return x.early()
				}
				text = append(text, d)
				if d == c {
					break
				}
			}
			continue
		}
		if len(text) < mostComment {
			text = append(text, c)
		}
	}
}

var (
	namesSetting   = regexp.MustCompile(`(?i)^\s*(?:NAMES|CHARACTER\s+SET|CHARSET)\s+['"]?([A-Za-z0-9_]+)`)
	sqlModeSetting = regexp.MustCompile(`(?i)sql_mode\s*=\s*['"]([^'"]*)['"]`)
)

// charsets are the character sets that a dump's text may be in.
var charsets = map[string]*charmap.Charmap{
	"utf8": nil, "utf8mb3": nil, "utf8mb4": nil, "binary": nil, "ascii": nil,
	"latin1": charmap.Windows1252, "latin2": charmap.ISO8859_2, "cp1250": charmap.Windows1250, "cp1251": charmap.Windows1251,
}

// set takes note of how text is written from here on. Other settings do not matter.
func (x *indexer) set(text string) error {
	if m := sqlModeSetting.FindStringSubmatch(text); m != nil {
		x.dialect.noBackslash = strings.Contains(strings.ToUpper(m[1]), "NO_BACKSLASH_ESCAPES")
	}
	m := namesSetting.FindStringSubmatch(text)
	if m == nil {
		return nil // character_set_client is what SET NAMES set, kept and put back for views and triggers
	}
	table, known := charsets[strings.ToLower(m[1])]
	if !known {
		return x.fault("the dump is in a character set that is not read").WithHint("make it with --default-character-set=utf8mb4")
	}
	x.dialect.charset = table
	return nil
}

// otherDelimiter passes over what is written with another end of statements:
// triggers and procedures.
func (x *indexer) otherDelimiter() {
	if strings.TrimSpace(x.restOfLine()) == ";" {
		return
	}
	for x.more() {
		fields := strings.Fields(x.restOfLine())
		if len(fields) == 2 && strings.EqualFold(fields[0], "DELIMITER") && fields[1] == ";" {
			return
		}
	}
}

func (x *indexer) restOfLine() string {
	var text []byte
	for {
		c, ok := x.take()
		if !ok || c == '\n' {
			return string(text)
		}
		if len(text) < mostComment {
			text = append(text, c)
		}
	}
}

// table finds a table, or makes it at first sight.
func (x *indexer) table(database, name string) (*table, error) {
	if database == "" {
		database = x.database
	}
	t := x.tables[name]
	switch {
	case t == nil:
		t = &table{name: name, database: database, dialect: x.dialect}
		x.tables[name] = t
		x.order = append(x.order, t)
	case t.database != database:
		return nil, x.fault("two databases of the dump have a table of the same name").At("", 0, name).WithHint("dump one database at a time")
	}
	return t, nil
}

// create reads CREATE TABLE for its columns and passes over other CREATEs.
func (x *indexer) create() error {
	for {
		if err := x.blank(); err != nil {
			return err
		}
		switch word := x.word(); word {
		case "TEMPORARY":
			continue
		case "TABLE":
			return x.createTable()
		default:
			return x.skip(x.dialect)
		}
	}
}

func (x *indexer) createTable() error {
	if err := x.blank(); err != nil {
		return err
	}
	database, name, err := x.tableName(x.dialect)
	if err == nil && strings.EqualFold(name, "IF") {
		x.blank()
		x.word() // NOT
		x.blank()
		x.word() // EXISTS
		database, name, err = x.tableName(x.dialect)
	}
	if err != nil {
		return err
	}
	t, err := x.table(database, name)
	if err != nil {
		return err
	}
	if len(t.columns) > 0 {
		return x.fault("a table is created twice").At("", 0, name)
	}
	if err := x.blank(); err != nil {
		return err
	}
	if x.peek() != '(' {
		return x.fault("a table is created without its columns").At("", 0, name)
	}
	x.pos++
	for {
		last, err := x.definition(t)
		if err != nil {
			return err
		}
		if last {
			return x.skip(x.dialect)
		}
	}
}

// notColumns begin definitions that are no columns.
var notColumns = []string{"PRIMARY", "KEY", "UNIQUE", "INDEX", "CONSTRAINT", "FULLTEXT", "SPATIAL", "FOREIGN", "CHECK", "PERIOD"}

// definition reads one definition of CREATE TABLE and reports whether it was the
// last.
func (x *indexer) definition(t *table) (last bool, err error) {
	if err := x.blank(); err != nil {
		return false, err
	}
	quoted := x.peek() == '`' || x.peek() == '"'
	name, err := x.identifier(x.dialect)
	if err != nil {
		return false, err
	}
	if quoted || !slices.Contains(notColumns, strings.ToUpper(name)) {
		if err := x.blank(); err != nil {
			return false, err
		}
		t.columns = append(t.columns, column{name, strings.ToLower(x.word())})
	}
	for depth := 0; ; {
		c, ok := x.take()
		switch {
		case !ok:
			return false, x.early()
		case c == '\'' || c == '"' || c == '`':
			if err := x.skipQuoted(c, x.dialect); err != nil {
				return false, err
			}
		case c == '(':
			depth++
		case c == ')' && depth == 0:
			return true, nil
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			return false, nil
		}
	}
}

// insert takes note of where a table's rows stand.
func (x *indexer) insert(from int64) error {
	t, columns, err := x.intoTable(x.dialect, x.table)
	if err != nil {
		return err
	}
	switch {
	case len(t.columns) == 0:
		return x.uncreated(t)
	case !t.rows:
		t.rows, t.from, t.dialect = true, from, x.dialect
		if columns != nil {
			kinds := t.columns
			t.columns = nil
			for _, name := range columns {
				i := slices.IndexFunc(kinds, func(c column) bool { return c.name == name })
				if i < 0 {
					return x.uncreated(t)
				}
				t.columns = append(t.columns, kinds[i])
			}
		}
	case t.dialect != x.dialect:
		return x.fault("the rows of a table are written in two manners").At("", 0, t.name)
	}
	if err := x.skip(x.dialect); err != nil {
		return err
	}
	t.to = x.offset()
	return nil
}

// intoTable reads what stands before VALUES: the table, and the columns if they are
// named.
func (s *statements) intoTable(d dialect, find func(database, name string) (*table, error)) (*table, []string, error) {
	for {
		if err := s.blank(); err != nil {
			return nil, nil, err
		}
		switch s.word() {
		case "LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE":
			continue
		case "INTO":
		default:
			return nil, nil, s.fault("an INSERT that does not say INTO")
		}
		break
	}
	if err := s.blank(); err != nil {
		return nil, nil, err
	}
	database, name, err := s.tableName(d)
	if err != nil {
		return nil, nil, err
	}
	t, err := find(database, name)
	if err != nil {
		return nil, nil, err
	}
	if err := s.blank(); err != nil {
		return nil, nil, err
	}
	var columns []string
	if s.peek() == '(' {
		for c := byte(','); c == ','; {
			s.pos++
			column, err := s.identifier(d)
			if err != nil {
				return nil, nil, err
			}
			columns = append(columns, column)
			if err := s.blank(); err != nil {
				return nil, nil, err
			}
			if c = s.peek(); c != ',' && c != ')' {
				return nil, nil, s.fault("a list of columns that does not end").At("", 0, t.name)
			}
		}
		s.pos++
		if err := s.blank(); err != nil {
			return nil, nil, err
		}
	}
	if word := s.word(); word != "VALUES" && word != "VALUE" {
		return nil, nil, s.fault("an INSERT without VALUES").At("", 0, t.name)
	}
	return t, columns, nil
}
