package sqldump

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"anonymooc/internal/fault"
)

// statements reads a dump byte by byte, knowing where it is.
type statements struct {
	name  string
	in    io.Reader
	buf   []byte
	pos   int
	base  int64 // offset of buf[0] in the dump
	lines int64 // line ends before buf[0]
	whole bool  // the dump is read from its beginning, so that lines can be told
	err   error

	heard    func(statement string) error // an executable comment; may be nil
	remarked func(text string)            // a comment to the end of a line; may be nil
}

func newStatements(name string, in io.Reader, at int64) *statements {
	return &statements{name: name, in: in, buf: make([]byte, 0, 1<<18), base: at, whole: at == 0}
}

// offset is where the next byte stands in the dump.
func (s *statements) offset() int64 { return s.base + int64(s.pos) }

// fault makes an error at the next byte.
func (s *statements) fault(format string, args ...any) *fault.Fault {
	line := int64(0)
	if s.whole {
		line = s.lines + int64(bytes.Count(s.buf[:s.pos], []byte{'\n'})) + 1
	}
	return fault.New(fault.Failure, format, args...).At(s.name, line, "")
}

// early is the fault of a dump that stops in the middle.
func (s *statements) early() error {
	if s.err != nil && !errors.Is(s.err, io.EOF) {
		return s.err
	}
	return s.fault("the dump ends in the middle of a statement").WithHint("copy it again: its making or transfer was interrupted")
}

// more reads on, keeping what has not been taken yet. It reports whether there is
// a byte at pos.
func (s *statements) more() bool {
	if s.pos < len(s.buf) {
		return true
	}
	if s.err != nil {
		return false
	}
	s.base += int64(len(s.buf))
	if s.whole {
		s.lines += int64(bytes.Count(s.buf, []byte{'\n'}))
	}
	s.buf, s.pos = s.buf[:0], 0
	for len(s.buf) == 0 && s.err == nil {
		var n int
		n, s.err = s.in.Read(s.buf[:cap(s.buf)])
		s.buf = s.buf[:n]
	}
	return len(s.buf) > 0
}

// peek gives the next byte, 0 at the end.
func (s *statements) peek() byte {
	if s.pos < len(s.buf) || s.more() {
		return s.buf[s.pos]
	}
	return 0
}

// take gives the next byte and goes on.
func (s *statements) take() (byte, bool) {
	if s.pos == len(s.buf) && !s.more() {
		return 0, false
	}
	c := s.buf[s.pos]
	s.pos++
	return c, true
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// blank passes over white space and plain comments. It stops at "/*!": what a
// server would execute.
func (s *statements) blank() error {
	for {
		c := s.peek()
		switch {
		case isSpace(c):
			s.pos++
		case c == '#' || c == '-' && s.ahead() == '-':
			s.endOfLine()
		case c == '/' && s.ahead() == '*':
			s.pos += 2
			text, err := s.commentText()
			if err != nil {
				return err
			}
			if s.heard != nil && text[0] == '!' {
				if err := s.heard(strings.TrimLeft(text[1:], "M0123456789 ")); err != nil {
					return err
				}
			}
		default:
			return nil
		}
	}
}

// ahead gives the byte after the next.
func (s *statements) ahead() byte {
	if s.pos+1 < len(s.buf) {
		return s.buf[s.pos+1]
	}
	if s.pos >= len(s.buf) || s.err != nil {
		return 0
	}
	one := s.buf[s.pos]
	s.base += int64(s.pos)
	if s.whole {
		s.lines += int64(bytes.Count(s.buf[:s.pos], []byte{'\n'}))
	}
	s.buf = append(s.buf[:0], one)
	s.pos = 0
	for len(s.buf) == 1 && s.err == nil {
		var n int
		n, s.err = s.in.Read(s.buf[1:cap(s.buf)])
		s.buf = s.buf[:1+n]
	}
	if len(s.buf) > 1 {
		return s.buf[1]
	}
	return 0
}

// endOfLine passes over a comment that the line ends.
func (s *statements) endOfLine() {
	var text []byte
	for {
		c, ok := s.take()
		if !ok || c == '\n' {
			break
		}
		if len(text) < mostComment {
			text = append(text, c)
		}
	}
	if s.remarked != nil {
		s.remarked(string(text))
	}
}

// mostComment is how much of a comment is kept.
const mostComment = 1 << 10

// commentText reads a comment behind its opening and gives the beginning of it.
func (s *statements) commentText() (string, error) {
	text := make([]byte, 0, 64)
	quote := byte(0)
	for {
		c, ok := s.take()
		switch {
		case !ok:
			return "", s.early()
		case quote != 0:
			if c == '\\' {
				s.take()
			} else if c == quote {
				quote = 0
			}
		case c == '*' && s.peek() == '/':
			s.pos++
			return string(append(text, ' ')), nil
		case (c == '\'' || c == '"' || c == '`') && len(text) > 0 && text[0] == '!':
			quote = c
		}
		if len(text) < mostComment {
			text = append(text, c)
		}
	}
}

// word reads a keyword or a number, in capitals.
func (s *statements) word() string {
	var b strings.Builder
	for {
		c := s.peek()
		if c == '_' || c == '$' || c == '@' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			if c >= 'a' && c <= 'z' {
				c -= 'a' - 'A'
			}
			b.WriteByte(c)
			s.pos++
			continue
		}
		return b.String()
	}
}

// identifier reads a name, in quotes or not.
func (s *statements) identifier(d dialect) (string, error) {
	if err := s.blank(); err != nil {
		return "", err
	}
	quote := s.peek()
	if quote != '`' && quote != '"' {
		var b strings.Builder
		for c := s.peek(); c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80; c = s.peek() {
			b.WriteByte(c)
			s.pos++
		}
		if b.Len() == 0 {
			return "", s.fault("a name is missing")
		}
		return b.String(), nil
	}
	s.pos++
	var b strings.Builder
	for b.Len() < 1<<10 {
		c, ok := s.take()
		if !ok {
			return "", s.early()
		}
		if c == quote {
			if s.peek() != quote {
				return b.String(), nil
			}
			s.pos++
		}
		b.WriteByte(c)
	}
	return "", s.fault("a name that does not end")
}

// tableName reads a table's name, of a database or not.
func (s *statements) tableName(d dialect) (database, name string, err error) {
	if name, err = s.identifier(d); err != nil {
		return "", "", err
	}
	if s.peek() == '.' {
		s.pos++
		database = name
		name, err = s.identifier(d)
	}
	return database, name, err
}

// skip passes over the rest of a statement: to the semicolon that no quotes hold.
func (s *statements) skip(d dialect) error {
	for {
		c, ok := s.take()
		if !ok {
			return s.early()
		}
		switch c {
		case ';':
			return nil
		case '\'', '"', '`':
			if err := s.skipQuoted(c, d); err != nil {
				return err
			}
		case '-':
			if s.peek() == '-' && (s.ahead() == ' ' || s.ahead() == '\n' || s.ahead() == '\r') {
				s.endOfLine()
			}
		case '#':
			s.endOfLine()
		case '/':
			if s.peek() == '*' {
				s.pos++
				if _, err := s.commentText(); err != nil {
					return err
				}
			}
		}
	}
}

// skipQuoted passes over text in quotes, whose first is taken.
func (s *statements) skipQuoted(quote byte, d dialect) error {
	backslash := byte('\\')
	if quote == '`' || d.noBackslash {
		backslash = quote
	}
	for {
		if s.pos == len(s.buf) && !s.more() {
			return s.early()
		}
		rest := s.buf[s.pos:]
		i := 0
		for i < len(rest) && rest[i] != quote && rest[i] != backslash {
			i++
		}
		s.pos += i
		if i == len(rest) {
			continue
		}
		c := rest[i]
		s.pos++
		if c != quote {
			if _, ok := s.take(); !ok {
				return s.early()
			}
			continue
		}
		if s.peek() != quote {
			return nil
		}
		s.pos++
	}
}
