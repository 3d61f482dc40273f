package corpus

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

// isBSON tells the documents of mongodump, or of a server, by the file's name.
func isBSON(name string) bool {
	plain := strings.TrimSuffix(name, source.CodecOf(name).Suffix())
	return strings.EqualFold(path.Ext(plain), ".bson")
}

// longestDocument bounds what is believed of a length: MongoDB's documents end at
// 16 MiB, and what they are sent in a little later.
const longestDocument = 64 << 20

// decodeBSON reads documents one behind the other.
func decodeBSON(name string, in io.Reader, visit func(*Post) error) error {
	r := bufio.NewReaderSize(in, 1<<18)
	var document []byte
	for n := 1; ; n++ {
		head, err := r.Peek(4)
		if len(head) == 0 && errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return damaged(name, n, err)
		}
		length := int32(binary.LittleEndian.Uint32(head))
		if length < 5 || length > longestDocument {
			return damaged(name, n, nil)
		}
		if cap(document) < int(length) {
			document = make([]byte, length, 2*length)
		}
		document = document[:length]
		if _, err := io.ReadFull(r, document); err != nil {
			return damaged(name, n, err)
		}
		post, err := postOf(document)
		if err != nil {
			return damaged(name, n, nil)
		}
		if post == nil {
			return broken(name, n)
		}
		if err := visit(post); err != nil {
			return err
		}
	}
}

func damaged(name string, record int, err error) error {
	var known *fault.Fault
	if errors.As(err, &known) {
		return known.At(name, 0, "")
	}
	return fault.New(fault.Failure, "document %d is damaged, or the file ends in it", record).At(name, 0, "").
		WithHint("dump the collection again, and copy the file as binary")
}

// postOf reads the fields of a document; nil for one without an id.
func postOf(document bson.Raw) (*Post, error) {
	elements, err := document.Elements()
	if err != nil {
		return nil, err
	}
	p := &Post{}
	for _, e := range elements {
		var field *string
		switch e.Key() {
		case "_id":
			field = &p.ID
		case "comment_thread_id":
			field = &p.Thread
		case "parent_id":
			field = &p.Parent
		case "author_id":
			field = &p.Author
		case "author_username":
			field = &p.Username
		case "title":
			field = &p.Title
		case "body":
			field = &p.Body
		case "course_id":
			field = &p.Course
		case "created_at":
			p.Created = moment(e.Value())
			continue
		default:
			continue
		}
		var ok bool
		if *field, ok = text(e.Value()); !ok {
			return nil, errText
		}
	}
	if p.ID == "" {
		return nil, nil
	}
	p.place()
	return p, nil
}

var errText = errors.New("a text is damaged")

// text reads what scalar reads in JSON: texts, numbers and ids; anything else is
// empty. ok is false for a text that is damaged or not UTF-8.
func text(v bson.RawValue) (s string, ok bool) {
	switch v.Type {
	case bson.TypeString:
		if s, ok = v.StringValueOK(); !ok {
			return "", false
		}
	case bson.TypeSymbol:
		if s, ok = v.SymbolOK(); !ok {
			return "", false
		}
	case bson.TypeObjectID:
		s = v.ObjectID().Hex()
	case bson.TypeInt32:
		s = strconv.FormatInt(int64(v.Int32()), 10)
	case bson.TypeInt64:
		s = strconv.FormatInt(v.Int64(), 10)
	case bson.TypeDouble:
		s = strconv.FormatFloat(v.Double(), 'f', -1, 64)
	case bson.TypeBinary:
		if _, id, ok := v.BinaryOK(); ok && len(id) == 16 {
			s = uuid(id)
		}
	}
	return s, utf8.ValidString(s)
}

// uuid writes an id as extended JSON has it.
func uuid(id []byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// moment reads a date, or a text that is one.
func moment(v bson.RawValue) time.Time {
	if v.Type == bson.TypeDateTime {
		return time.UnixMilli(v.DateTime()).UTC()
	}
	s, _ := text(v)
	return moments(s)
}
