package sqldump

import (
	"context"
	"encoding/hex"
	"io"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"anonymooc/tables/csvtext"
)

// rows gives a table's rows as CSV.
type rows struct {
	*statements
	context context.Context
	file    io.Closer
	table   *table

	out    []byte
	given  int
	inside bool   // an INSERT: the next thing is a row
	value  []byte // of the cell that is being read
	done   bool
}

func newRows(ctx context.Context, name string, in io.ReadCloser, t *table, at int64) *rows {
	r := &rows{statements: newStatements(name, in, at), context: ctx, file: in, table: t}
	r.whole = false
	r.header()
	return r
}

// outSize is about how much is made ready at once.
const outSize = 64 << 10

func (r *rows) header() {
	names := make([]string, len(r.table.columns))
	for i, c := range r.table.columns {
		names[i] = c.name
	}
	r.out = csvtext.AppendHeader(r.out, names)
	r.done = !r.table.rows
}

// Read gives the next of the CSV.
func (r *rows) Read(p []byte) (int, error) {
	for r.given == len(r.out) {
		if r.done {
			return 0, io.EOF
		}
		r.out, r.given = r.out[:0], 0
		if err := r.context.Err(); err != nil {
			return 0, err
		}
		for len(r.out) < outSize && !r.done {
			if err := r.next(); err != nil {
				return 0, err
			}
		}
	}
	n := copy(p, r.out[r.given:])
	r.given += n
	return n, nil
}

// Close closes the dump.
func (r *rows) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// next reads one row, or goes on to the next statement.
func (r *rows) next() error {
	if r.inside {
		return r.row()
	}
	if r.offset() >= r.table.to {
		r.done = true
		return nil
	}
	if err := r.blank(); err != nil {
		return err
	}
	if !r.more() {
		return r.early()
	}
	if word := r.word(); word != "INSERT" && word != "REPLACE" {
		if word == "" && r.peek() == ';' {
			r.pos++
			return nil
		}
		return r.skip(r.table.dialect)
	}
	ours := false
	_, columns, err := r.intoTable(r.table.dialect, func(_, name string) (*table, error) {
		ours = name == r.table.name
		return r.table, nil
	})
	if err != nil {
		return err
	}
	if !ours {
		return r.skip(r.table.dialect)
	}
	if columns != nil && !slices.EqualFunc(columns, r.table.columns, func(name string, c column) bool { return name == c.name }) {
		return r.wrong("the rows of a table name other columns than its first rows")
	}
	r.inside = true
	return nil
}

// wrong makes an error in the table.
func (r *rows) wrong(what string) error { return r.fault("%s", what).At("", 0, r.table.name) }

// row reads "(…)" and what follows it: a comma or the statement's end.
func (r *rows) row() error {
	if err := r.blank(); err != nil {
		return err
	}
	if r.peek() != '(' {
		return r.wrong("a row does not begin with a parenthesis")
	}
	r.pos++
	for i := range r.table.columns {
		if err := r.cell(i); err != nil {
			return err
		}
		if err := r.blank(); err != nil {
			return err
		}
		want := byte(',')
		if i == len(r.table.columns)-1 {
			want = ')'
		}
		switch c := r.peek(); {
		case c == want:
			r.pos++
			r.out = append(r.out, ',')
		case c == ',' || c == ')':
			return r.wrong("a row has more or fewer values than the table columns")
		case c == 0 && !r.more():
			return r.early()
		default:
			return r.wrong("a value is no literal")
		}
	}
	r.out[len(r.out)-1] = '\n'
	if err := r.blank(); err != nil {
		return err
	}
	switch c := r.peek(); c {
	case ',':
		r.pos++
		return nil
	case ';':
		r.pos++
		r.inside = false
		return nil
	}
	if !r.more() {
		return r.early()
	}
	return r.wrong("an INSERT that does more than to list rows")
}

// cell reads one value and writes it as a field.
func (r *rows) cell(i int) error {
	if err := r.blank(); err != nil {
		return err
	}
	kind := r.table.columns[i].kind
	alone := len(r.table.columns) == 1
	c := r.peek()
	switch {
	case c == '\'' || c == '"':
		r.pos++
		if err := r.text(c); err != nil {
			return err
		}
		r.out = csvtext.AppendField(r.out, r.plain(kind, true), alone)
		return nil
	case c == '0' && (r.ahead() == 'x' || r.ahead() == 'X'):
		r.pos += 2
		return r.hexadecimal(kind, r.word(), alone)
	case c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.':
		return r.number()
	}
	return r.worded(kind, alone)
}

// number copies a number as it is written.
func (r *rows) number() error {
	digits, last := false, byte(0)
	for {
		c := r.peek()
		sign := (c == '-' || c == '+') && (last == 0 || last == 'e' || last == 'E')
		switch {
		case c >= '0' && c <= '9':
			digits = true
		case sign || c == '.' || (c == 'e' || c == 'E') && digits:
		case digits:
			return nil
		default:
			return r.wrong("a value is no literal")
		}
		r.out = append(r.out, c)
		r.pos++
		last = c
	}
}

// worded reads a value that begins with a word: NULL, TRUE, x'…', b'…', _utf8'…'.
func (r *rows) worded(kind string, alone bool) error {
	word := r.word()
	if word != "" && word[0] == '_' {
		if err := r.blank(); err != nil {
			return err
		}
	}
	quote := r.peek()
	quoted := quote == '\'' || quote == '"'
	switch {
	case word == "NULL":
		r.out = append(r.out, csvtext.Null...)
	case word == "TRUE":
		r.out = append(r.out, '1')
	case word == "FALSE":
		r.out = append(r.out, '0')
	case (word == "X" || word == "B" || word == "N") && quoted:
		r.pos++
		if err := r.text(quote); err != nil {
			return err
		}
		digits := string(r.value)
		switch word {
		case "X":
			return r.hexadecimal(kind, strings.ToUpper(digits), alone)
		case "B":
			n, ok := new(big.Int).SetString(digits, 2)
			if !ok {
				return r.wrong("a bit literal that is none")
			}
			r.out = n.Append(r.out, 10)
		default:
			r.out = csvtext.AppendField(r.out, r.plain(kind, true), alone)
		}
	case word != "" && word[0] == '_' && quoted:
		r.pos++
		if err := r.text(quote); err != nil {
			return err
		}
		r.out = csvtext.AppendField(r.out, r.plain(kind, word != "_BINARY"), alone)
	case word == "_BINARY" && quote == '0' && r.ahead() == 'x':
		r.pos += 2
		return r.hexadecimal(kind, r.word(), alone)
	default:
		return r.wrong("a value is no literal")
	}
	return nil
}

// hexadecimal writes bytes that the dump has in hexadecimal.
func (r *rows) hexadecimal(kind, digits string, alone bool) error {
	if len(digits)%2 == 1 {
		digits = "0" + digits
	}
	var err error
	if r.value, err = hex.AppendDecode(r.value[:0], []byte(digits)); err != nil {
		return r.wrong("a hexadecimal literal that is none")
	}
	r.out = csvtext.AppendField(r.out, r.plain(kind, false), alone)
	return nil
}

// text reads a text in quotes, whose first is taken, into value.
func (r *rows) text(quote byte) error {
	r.value = r.value[:0]
	backslash := byte('\\')
	if r.table.dialect.noBackslash {
		backslash = quote
	}
	for {
		if r.pos == len(r.buf) && !r.more() {
			return r.early()
		}
		rest := r.buf[r.pos:]
		i := 0
		for i < len(rest) && rest[i] != quote && rest[i] != backslash {
			i++
		}
		r.value = append(r.value, rest[:i]...)
		r.pos += i
		if i == len(rest) {
			continue
		}
		c := rest[i]
		r.pos++
		if c == quote {
			if r.peek() != quote {
				return nil
			}
			r.pos++
			r.value = append(r.value, quote)
			continue
		}
		escaped, ok := r.take()
		if !ok {
			return r.early()
		}
		r.value = appendEscaped(r.value, escaped)
	}
}

// appendEscaped gives what a backslash and a character stand for. Before "%" and "_"
// the backslash stays, as on a server.
func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case '0':
		return append(dst, 0)
	case 'b':
		return append(dst, '\b')
	case 'n':
		return append(dst, '\n')
	case 'r':
		return append(dst, '\r')
	case 't':
		return append(dst, '\t')
	case 'Z':
		return append(dst, 26)
	case '%', '_':
		return append(dst, '\\', c)
	}
	return append(dst, c)
}

// plain is a value as a field holds it. text says that it is in the dump's
// character set.
func (r *rows) plain(kind string, text bool) []byte {
	if kind == "bit" {
		return new(big.Int).SetBytes(r.value).Append(nil, 10)
	}
	binary := strings.HasSuffix(kind, "blob") || strings.HasSuffix(kind, "binary")
	if text && !binary && r.table.dialect.charset != nil {
		r.value = decoded(r.table.dialect, r.value)
	}
	if (binary || !text) && !utf8.Valid(r.value) {
		return []byte(strings.ToUpper(hex.EncodeToString(r.value)))
	}
	return r.value
}

func decoded(d dialect, raw []byte) []byte {
	if !slices.ContainsFunc(raw, func(c byte) bool { return c >= 0x80 }) {
		return raw
	}
	text := make([]byte, 0, len(raw)+len(raw)/8)
	for _, c := range raw {
		text = utf8.AppendRune(text, d.charset.DecodeByte(c))
	}
	return text
}
