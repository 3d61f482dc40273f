package tables

import (
	"bytes"
	"io"
	"strings"

	"anonymooc/tables/jsonedit"
)

// Documents is a Format whose records are objects, in which rules name paths.
type Documents interface {
	Format
	// each calls visit with every record of a block and where in it the record ends.
	each(block []byte, visit func(record []byte, end int) error) error
	// edit lets an editor go through one record. On an error dst is returned as
	// it came.
	edit(e *jsonedit.Editor, dst, record []byte) ([]byte, error)
}

// numbered is a Format whose records have numbers and no lines.
type numbered interface {
	// count tells how many records stand in whole records.
	count(block []byte) int64
}

// jointed is a Format whose blocks have to fit to one another.
type jointed interface{ joint() joint }

// joint sees the blocks in the order of the file before they are written.
type joint interface {
	// join may take from the block's output, and then says so.
	join(p *Plan, b *Block) (changed bool, err error)
	// end says what is missing at the end of the file.
	end(p *Plan) error
}

// DocumentsOf tells how the records of a file of shape json are written, by its
// name without the compression's ending and by its first bytes.
func DocumentsOf(name string, first []byte) Documents {
	if strings.HasSuffix(strings.ToLower(name), ".bson") {
		return BSON{}
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(first, byteOrderMark), " \t\r\n")
	if len(text) == 0 {
		return JSONLines{}
	}
	next := bytes.TrimLeft(text[1:], " \t\r")
	switch text[0] {
	case '[': // a logger's prefix may begin with a bracket too
		if next = bytes.TrimLeft(next, "\n"); len(bytes.TrimSpace(next)) == 0 || next[0] <= ' ' || next[0] == '{' || next[0] == ']' {
			return JSONText{}
		}
	case '{':
		if len(next) == 0 || next[0] == '\n' {
			return JSONText{}
		}
	}
	return JSONLines{}
}

// eachDocument calls visit with every record of a file.
func eachDocument(file string, format Documents, in io.Reader, limits Limits, visit func(record []byte) error) error {
	r := blockReader{in: in, file: file, format: format, limits: limits}
	var buf []byte
	for {
		block, _, end := r.next(buf[:0])
		if err := format.each(block, func(record []byte, _ int) error { return visit(record) }); err != nil {
			return err
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return end
		}
		buf = block
	}
}

// lineOf is the line, or the number of the record, at an offset of a block.
func (b *Block) lineOf(format Format, pos int) int64 {
	if n, ok := format.(numbered); ok {
		return b.line + n.count(b.src[:pos])
	}
	return b.line + int64(bytes.Count(b.src[:pos], []byte{'\n'}))
}
