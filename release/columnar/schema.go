package columnar

import (
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// Column is one column of a Parquet file.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"`

	kind kind
}

func newColumn(name string, k kind) Column { return Column{Name: name, Type: k.String(), kind: k} }

// ordered is a Parquet group whose fields stay in their order; the library's own
// sorts them by name.
type ordered struct {
	parquet.Group
	fields []parquet.Field
}

func (o ordered) Fields() []parquet.Field { return o.fields }

type field struct {
	parquet.Node
	name string
}

func (f field) Name() string { return f.name }

// Value is for writing Go values, which nobody does here: columns are written.
func (f field) Value(base reflect.Value) reflect.Value {
	return base.MapIndex(reflect.ValueOf(f.name))
}

func schemaOf(name string, columns []Column) *parquet.Schema {
	o := ordered{Group: parquet.Group{}}
	for _, c := range columns {
		node := c.kind.node()
		o.Group[c.Name] = node
		o.fields = append(o.fields, field{node, c.Name})
	}
	return parquet.NewSchema(name, o)
}

// sheet gathers the rows of a block, column by column.
type sheet struct {
	columns []Column
	values  [][]parquet.Value
	rows    int
	plain   []byte // holds the texts; grows by moving on, what points into it stays
}

func newSheet(columns []Column) *sheet {
	return &sheet{columns: columns, values: make([][]parquet.Value, len(columns))}
}

// set puts a value into the row at hand. Its text need not outlive the call.
func (s *sheet) set(column int, v parquet.Value) {
	if v.Kind() == parquet.ByteArray {
		v = parquet.ByteArrayValue(s.copied(v.ByteArray()))
	}
	s.values[column] = append(s.values[column], v.Level(0, 1, column))
}

func (s *sheet) copied(plain []byte) []byte {
	if len(s.plain)+len(plain) > cap(s.plain) {
		s.plain = make([]byte, 0, max(1<<16, len(plain)))
	}
	start := len(s.plain)
	s.plain = append(s.plain, plain...)
	return s.plain[start:len(s.plain):len(s.plain)]
}

// has reports whether the row at hand has got the column's value.
func (s *sheet) has(column int) bool { return len(s.values[column]) > s.rows }

// end ends the row at hand: what it did not get is NULL.
func (s *sheet) end() {
	s.rows++
	for i := range s.values {
		if len(s.values[i]) < s.rows {
			s.values[i] = append(s.values[i], parquet.NullValue().Level(0, 0, i))
		}
	}
}

// write moves the rows into a row group.
func (s *sheet) write(group *parquet.ConcurrentRowGroupWriter) error {
	for i, column := range group.ColumnWriters() {
		if len(s.values[i]) > 0 {
			if _, err := column.WriteRowValues(s.values[i]); err != nil {
				return err
			}
		}
		s.values[i] = s.values[i][:0]
	}
	s.rows, s.plain = 0, s.plain[:0]
	return nil
}
