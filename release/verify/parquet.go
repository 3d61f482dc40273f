package verify

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// parquetFile judges a Parquet file: each value by the last name of its column's
// path, in one worker. A row counts as a line.
func (v *verifier) parquetFile(name string, s *schema) (blockResult, error) {
	file, err := os.Open(name)
	if err != nil {
		return blockResult{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return blockResult{}, err
	}
	data, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		return blockResult{}, err
	}
	paths := data.Schema().Columns()
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = strings.Join(path, ".")
	}
	s.header(names)
	for i, path := range paths {
		s.columns[i].place = s.placeOf(path[len(path)-1])
	}
	c := newChecker(v.index, s)
	result := blockResult{nulls: make([]int64, len(names))}
	buffer := make([]parquet.Row, 256)
	for _, group := range data.RowGroups() {
		rows := group.Rows()
		for {
			n, err := rows.ReadRows(buffer)
			for _, row := range buffer[:n] {
				result.rows++
				c.line = result.rows
				c.parquetRow(row, result.nulls)
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return blockResult{}, errors.Join(err, rows.Close())
			}
		}
		if err := rows.Close(); err != nil {
			return blockResult{}, err
		}
	}
	result.found = c.found
	v.met(c)
	return result, nil
}

func (c *checker) parquetRow(row parquet.Row, nulls []int64) {
	for _, value := range row {
		i := value.Column()
		if i < 0 || i >= len(c.schema.columns) {
			continue
		}
		if value.IsNull() {
			nulls[i]++
			continue
		}
		column := &c.schema.columns[i]
		c.path = append(c.path[:0], step{name: column.name})
		switch value.Kind() {
		case parquet.ByteArray, parquet.FixedLenByteArray:
			c.value(value.ByteArray(), column.place, 0)
		case parquet.Int32, parquet.Int64:
			c.number([]byte(value.String()), column.place)
		}
	}
	c.path = c.path[:0]
}
