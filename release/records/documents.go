package records

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"path"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// AsLines gives documents that are not one a line as JSON lines: BSON as relaxed
// extended JSON, the elements of an array and objects over several lines without
// their line ends. Whatever reads lines then reads those too.
func AsLines(name string, r io.Reader) io.Reader {
	switch strings.ToLower(path.Ext(PlainName(name))) {
	case ".bson":
		return &lines{next: bsonDocuments(bufio.NewReaderSize(r, 1<<18))}
	case ".json", ".jsonl", ".mongo":
		buffered := bufio.NewReaderSize(r, headSize)
		head, _ := buffered.Peek(headSize) // an error comes again with what follows
		if isText(head) {
			return &lines{next: jsonObjects(buffered)}
		}
		return buffered
	}
	return r
}

// isText recognises an array of objects, and objects over several lines one
// behind the other.
func isText(head []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, mark), " \t\r\n")
	if len(text) == 0 {
		return false
	}
	next := bytes.TrimLeft(text[1:], " \t\r\n")
	switch text[0] {
	case '[':
		return len(next) > 0 && next[0] == '{'
	case '{':
		return bytes.Contains(text, []byte("\n}\n{")) || bytes.Contains(text, []byte("\n}\r\n{"))
	}
	return false
}

// lines is a text made of what next gives, a line each.
type lines struct {
	next func(dst []byte) ([]byte, error)
	line []byte
	rest []byte
	err  error
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		if l.line, l.err = l.next(l.line[:0]); l.err == nil {
			l.line = append(l.line, '\n')
			l.rest = l.line
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

var errDocument = errors.New("a document is damaged")

// bsonDocuments reads documents one behind the other.
func bsonDocuments(r *bufio.Reader) func([]byte) ([]byte, error) {
	var document []byte
	return func(dst []byte) ([]byte, error) {
		var length [4]byte
		if _, err := io.ReadFull(r, length[:]); err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				err = errDocument
			}
			return dst, err
		}
		n := int32(binary.LittleEndian.Uint32(length[:]))
		if n < 5 || n > maximumRecord {
			return dst, errDocument
		}
		body := bytes.NewBuffer(append(document[:0], length[:]...))
		if _, err := io.CopyN(body, r, int64(n)-4); err != nil {
			return dst, errDocument
		}
		document = body.Bytes()
		if bson.Raw(document).Validate() != nil {
			return dst, errDocument
		}
		text, err := bson.MarshalExtJSON(bson.Raw(document), false, false)
		if err != nil {
			return dst, errDocument
		}
		return append(dst, text...), nil
	}
}

// jsonObjects reads objects with anything but braces and quotes between them.
func jsonObjects(r *bufio.Reader) func([]byte) ([]byte, error) {
	return func(dst []byte) ([]byte, error) {
		depth, quoted, escaped := 0, false, false
		for {
			c, err := r.ReadByte()
			if err != nil {
				if errors.Is(err, io.EOF) && depth > 0 {
					err = errDocument
				}
				return dst, err
			}
			switch {
			case escaped:
				escaped = false
			case quoted:
				escaped, quoted = c == '\\', c != '"'
			case c == '"':
				quoted = true
			case c == '{':
				depth++
			case c == '}':
				depth--
			}
			if c == '\n' || c == '\r' {
				c = ' '
			}
			switch {
			case depth > 0:
				dst = append(dst, c)
			case depth < 0:
				return dst, errDocument
			case c == '}':
				return append(dst, c), nil
			case quoted:
				return dst, errDocument
			}
		}
	}
}
