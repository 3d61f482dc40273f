package verify

import (
	"bytes"

	"anonymooc/release/records"
)

// blockResult is what was found in one block.
type blockResult struct {
	rows  int64
	nulls []int64 // by column
	found findings
}

// block judges all records of a block. The first block of a table begins with
// its header, which the schema has learnt.
func (c *checker) block(b records.Block) blockResult {
	c.found = findings{}
	c.path, c.how = c.path[:0], ""
	result := blockResult{nulls: make([]int64, len(c.schema.columns))}
	s := c.schema
	skip := b.Number == 0 && (s.format == records.CSV || s.format == records.TSV)
	var fields records.Fields
	records.Each(b, s.format, func(line int64, record []byte) {
		c.line = line
		if b.Number == 0 && line == 1 {
			record = bytes.TrimPrefix(record, []byte("\ufeff"))
		}
		if skip {
			skip = false
			c.plain(record, contentPlace) // names of columns
			return
		}
		result.rows++
		switch s.format {
		case records.CSV, records.TSV:
			fields.Read(record, s.format)
			c.row(&fields, result.nulls)
		case records.Lines:
			c.jsonLine(record)
		case records.Document:
			c.value(record, anyPlace, 0)
		default:
			c.text(record, anyPlace, 0)
		}
	})
	result.found = c.found
	return result
}

// row judges one record of a table.
func (c *checker) row(r *records.Fields, nulls []int64) {
	if len(r.Values) != len(c.schema.columns) {
		c.found.problem(c, "a record has other columns than the header")
	}
	person := pair{}
	for i, field := range r.Values {
		if i >= len(c.schema.columns) {
			c.text(field, anyPlace, 0)
			continue
		}
		column := &c.schema.columns[i]
		c.path = append(c.path[:0], step{name: column.name})
		if records.IsNull(r.Raw[i]) {
			nulls[i]++
			continue
		}
		person.see(column.name, field, c.schema.table)
		c.value(field, column.place, 0)
	}
	c.path = c.path[:0]
	c.joins.row(c.schema, r)
	if !person.agrees() {
		c.found.problem(c, "number, username and e-mail of one row are not of one pseudonym")
	}
}

// jsonLine judges one line of a log or of a forum.
func (c *checker) jsonLine(line []byte) {
	line = bytes.TrimSpace(line)
	start := bytes.IndexByte(line, '{')
	if start < 0 {
		c.text(line, anyPlace, 0)
		return
	}
	if start > 0 {
		c.text(line[:start], anyPlace, 0) // what a logger wrote before the event
	}
	if c.schema.talk != nil {
		c.participants = c.schema.talk.participants(line[start:])
		c.leaves.tree.begin()
		leaves, _ := c.leaves.read(line[start:])
		c.joins.post(&c.leaves, leaves)
	}
	if rest, ok := c.document(line[start:], anyPlace, 0); !ok {
		c.text(rest, anyPlace, 0)
	}
	c.participants = nil
}

// pair is what one row says of its person.
type pair struct {
	number, name, mail []byte
}

func (p *pair) see(column string, value []byte, table string) {
	switch {
	case column == "username":
		p.name = value
	case column == "email":
		p.mail = value
	case column == "user_id", column == "id" && (table == "auth_user" || table == "user_id_map"):
		p.number = value
	}
}

// agrees reports whether number, username and address are those of one
// pseudonym. What is no pseudonym is another check's business.
func (p *pair) agrees() bool {
	var first []byte
	for _, value := range [][]byte{p.number, bytes.TrimPrefix(p.name, []byte{'u'}), bytes.TrimSuffix(bytes.TrimPrefix(p.mail, []byte{'u'}), []byte("@example.invalid"))} {
		if !pseudonymNumber(value) {
			continue
		}
		if first != nil && !bytes.Equal(first, value) {
			return false
		}
		first = value
	}
	return true
}
