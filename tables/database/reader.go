package database

import (
	"encoding/hex"
	"math/big"
	"strings"
	"unicode/utf8"

	"anonymooc/tables/csvtext"
)

// reader gives a table as CSV.
type reader struct {
	rows  cursor
	out   []byte
	given int
	err   error
}

// outSize is about how much is made ready at once.
const outSize = 64 << 10

func newReader(t *table, rows cursor) *reader {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return &reader{rows: rows, out: csvtext.AppendHeader(nil, names)}
}

// Read gives the next of the CSV.
func (r *reader) Read(p []byte) (int, error) {
	for r.given == len(r.out) {
		if r.err != nil {
			return 0, r.err
		}
		r.out, r.given = r.out[:0], 0
		for len(r.out) < outSize && r.err == nil {
			r.out, r.err = r.rows.next(r.out)
		}
	}
	n := copy(p, r.out[r.given:])
	r.given += n
	return n, nil
}

// Close ends the query.
func (r *reader) Close() error { return r.rows.close() }

// appendRow writes a row. cell gives a value, nil for NULL, and whether it is bytes
// rather than text.
func appendRow(dst []byte, columns int, cell func(i int) (value []byte, binary bool)) []byte {
	for i := range columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		value, binary := cell(i)
		switch {
		case value == nil:
			dst = append(dst, csvtext.Null...)
		case binary && !utf8.Valid(value):
			dst = append(dst, strings.ToUpper(hex.EncodeToString(value))...)
		default:
			dst = csvtext.AppendField(dst, value, columns == 1)
		}
	}
	return append(dst, '\n')
}

// bits writes a bit field as a number.
func bits(value []byte) []byte { return new(big.Int).SetBytes(value).Append(nil, 10) }
