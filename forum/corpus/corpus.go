// Package corpus reads the posts of an export's forum and remembers who talks
// to whom.
//
//	forum.mongo (JSON lines)  ┐
//	forum.json  (one array)   ┤
//	contents.bson (mongodump) ┼─► Each ─► Post ─► mark, mine
//	packed, gz or zst         ┘      └─► Index: post → thread, author, post answered
//
// A forum is read as often as needed, from front to back, and never held: texts
// stay in the files. What is held is the Index, because a name's evidence
// depends on the conversation it stands in: about 100 bytes a post, so 100 MB
// for a million posts, whatever their length.
//
// The export is what mongoexport writes, in any of its dialects (legacy,
// relaxed or canonical extended JSON), or the BSON of mongodump and of a server
// (see corpus/mongo), of which only the fields of a Post are looked at.
package corpus

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

// Corpus is the forum of one export, or of several courses' exports together.
type Corpus struct {
	files []source.File
	index *Index
}

// Open reads the files once, from front to back, to build the index. Files are
// only read. A record that is no forum post is an error that names the file
// and the record's number.
func Open(files ...source.File) (*Corpus, error) {
	c := &Corpus{files: files, index: newIndex()}
	if err := c.Each(func(p *Post) error { c.index.add(p); return nil }); err != nil {
		return nil, err
	}
	c.index.settle()
	return c, nil
}

// Index tells who talks to whom.
func (c *Corpus) Index() *Index { return c.index }

// Each calls visit for every post, in the order of the files. The post is the
// visitor's to keep. The first error ends the walk and is returned.
func (c *Corpus) Each(visit func(*Post) error) error {
	for _, file := range c.files {
		if err := each(file, visit); err != nil {
			return err
		}
	}
	return nil
}

func each(file source.File, visit func(*Post) error) error {
	in, err := file.Read(context.Background())
	if err != nil {
		return err
	}
	defer in.Close()
	if isBSON(file.Name) {
		return decodeBSON(file.Name, in, visit)
	}
	return decode(file.Name, in, visit)
}

// decode reads posts one after the other, or the elements of one array.
func decode(name string, in io.Reader, visit func(*Post) error) error {
	buffered := bufio.NewReaderSize(in, 1<<20)
	skipMark(buffered)
	decoder := json.NewDecoder(buffered)
	array, err := opensArray(buffered)
	if err != nil && !errors.Is(err, io.EOF) {
		return broken(name, 1)
	}
	if array {
		if _, err := decoder.Token(); err != nil {
			return broken(name, 1)
		}
	}
	for n := 1; ; n++ {
		if array && !decoder.More() {
			if _, err := decoder.Token(); err != nil {
				return broken(name, n)
			}
			return nil
		}
		var r record
		err := decoder.Decode(&r)
		if errors.Is(err, io.EOF) && !array {
			return nil
		}
		if err != nil {
			return broken(name, n)
		}
		post, ok := r.post()
		if !ok {
			return broken(name, n)
		}
		if err := visit(post); err != nil {
			return err
		}
	}
}

func broken(name string, record int) error {
	return fault.New(fault.Failure, "record %d is not a forum post", record).At(name, 0, "").
		WithHint("the forum file is what mongoexport writes: one JSON object a line, or one array of them; ObjectId(…) is the shell's syntax, not JSON")
}

// skipMark skips a byte order mark.
func skipMark(r *bufio.Reader) {
	if head, err := r.Peek(3); err == nil && bytes.Equal(head, []byte("\xef\xbb\xbf")) {
		r.Discard(3)
	}
}

// opensArray looks at the first character that is not white space.
func opensArray(r *bufio.Reader) (bool, error) {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return false, err
		}
		if c > ' ' {
			return c == '[', r.UnreadByte()
		}
	}
}
