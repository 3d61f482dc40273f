package verify

import (
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"golang.org/x/sync/errgroup"
)

// parquetFile judges a Parquet file: each value by the last name of its column's
// path. A row counts as a line. Groups of rows are read on all workers; the
// results come in their order.
func (v *verifier) parquetFile(ctx context.Context, name string, s *schema) ([]blockResult, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	data, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		return nil, err
	}
	s.parquetHeader(data.Schema())
	groups := data.RowGroups()
	results := make([]blockResult, len(groups))
	checkers := make([]*checker, v.request.Jobs)
	work := make(chan int)
	tasks, ctx := errgroup.WithContext(ctx)
	first := make([]int64, len(groups)) // row of each group
	for i := 1; i < len(groups); i++ {
		first[i] = first[i-1] + groups[i-1].NumRows()
	}
	for i := range checkers {
		c := newChecker(v.index, s)
		checkers[i] = c
		tasks.Go(func() error {
			for at := range work {
				var err error
				if results[at], err = c.parquetGroup(groups[at], first[at]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	tasks.Go(func() error {
		defer close(work)
		for at := range groups {
			select {
			case work <- at:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	if err := tasks.Wait(); err != nil {
		return nil, err
	}
	for _, c := range checkers {
		v.met(c)
	}
	return results, nil
}

// parquetHeader learns the columns. The file it was made of is joined, so they are
// not.
func (s *schema) parquetHeader(from *parquet.Schema) {
	paths := from.Columns()
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = strings.Join(path, ".")
	}
	s.header(names)
	for i, path := range paths {
		c := &s.columns[i]
		c.place, c.joins = s.placeOf(path[len(path)-1]), ""
		leaf, ok := from.Lookup(path...)
		if !ok || leaf.Node.Type().LogicalType() == nil {
			continue
		}
		c.moment = momentOf(leaf.Node.Type().LogicalType().Value)
	}
}

// momentOf tells how values of a type are read as moments; nil when they are none.
func momentOf(logical format.LogicalTypeValue) func(parquet.Value) time.Time {
	switch logical := logical.(type) {
	case *format.DateType:
		return func(v parquet.Value) time.Time { return time.Unix(24*60*60*int64(v.Int32()), 0) }
	case *format.TimestampType:
		switch logical.Unit.Value.(type) {
		case *format.MilliSeconds:
			return func(v parquet.Value) time.Time { return time.UnixMilli(v.Int64()) }
		case *format.MicroSeconds:
			return func(v parquet.Value) time.Time { return time.UnixMicro(v.Int64()) }
		}
		return func(v parquet.Value) time.Time { return time.Unix(0, v.Int64()) }
	}
	return nil
}

// parquetGroup judges one group of rows.
func (c *checker) parquetGroup(group parquet.RowGroup, before int64) (blockResult, error) {
	c.found = findings{}
	c.path, c.how = c.path[:0], ""
	result := blockResult{nulls: make([]int64, len(c.schema.columns))}
	rows := group.Rows()
	buffer := make([]parquet.Row, 256)
	for {
		n, err := rows.ReadRows(buffer)
		for _, row := range buffer[:n] {
			result.rows++
			c.line = before + result.rows
			c.parquetRow(row, result.nulls)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return blockResult{}, errors.Join(err, rows.Close())
		}
	}
	result.found = c.found
	return result, rows.Close()
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
		if column.moment != nil { // as text: the digits of a moment are nobody's telephone
			c.value([]byte(column.moment(value).UTC().Format(time.RFC3339Nano)), column.place, 0)
			continue
		}
		switch value.Kind() {
		case parquet.ByteArray, parquet.FixedLenByteArray:
			c.value(value.ByteArray(), column.place, 0)
		case parquet.Int32, parquet.Int64:
			c.number([]byte(value.String()), column.place)
		case parquet.Float, parquet.Double:
			if column.place == numberPlace || column.place == personPlace {
				c.number([]byte(strconv.FormatFloat(value.Double(), 'f', -1, 64)), column.place)
			}
		}
	}
	c.path = c.path[:0]
}
