package columnar

import (
	"bytes"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"anonymooc/release/records"
)

// kind is the type of a column.
type kind uint8

// The kinds, each with what becomes of a value that is not of it: NULL.
const (
	text kind = iota
	integer
	decimal
	flag
	day
	moment
)

// Name is a kind as the manifest and the handbook call it.
func (k kind) String() string {
	return [...]string{"text", "integer", "decimal", "boolean", "date", "timestamp"}[k]
}

// node is the column's type in Parquet. What repeats itself is written by
// dictionary.
func (k kind) node() parquet.Node {
	var node parquet.Node
	switch k {
	case integer:
		node = parquet.Int(64)
	case decimal:
		node = parquet.Leaf(parquet.DoubleType)
	case flag:
		node = parquet.Leaf(parquet.BooleanType)
	case day:
		node = parquet.Date()
	case moment:
		node = parquet.Timestamp(parquet.Microsecond)
	default:
		node = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	}
	return parquet.Optional(node)
}

// value reads a value; false when it is not of the kind.
func (k kind) value(plain []byte) (parquet.Value, bool) {
	switch k {
	case integer:
		n, ok := wholeNumber(plain)
		return parquet.Int64Value(n), ok
	case decimal:
		x, ok := decimalNumber(plain)
		return parquet.DoubleValue(x), ok
	case flag:
		return parquet.BooleanValue(len(plain) == 4), string(plain) == "true" || string(plain) == "false"
	case day:
		days, ok := records.Day(plain)
		return parquet.Int32Value(int32(days)), ok
	case moment:
		at, ok := records.Moment(plain)
		return parquet.Int64Value(at), ok
	}
	return parquet.ByteArrayValue(plain), true
}

// wholeNumber reads a number in its one spelling: no sign but minus, no leading
// zero.
func wholeNumber(plain []byte) (int64, bool) {
	digits := bytes.TrimPrefix(plain, []byte{'-'})
	if len(digits) == 0 || len(digits) > 19 || digits[0] == '0' && len(plain) > 1 {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(string(plain), 10, 64)
	return n, err == nil
}

// exactDigits is how many digits a double keeps.
const exactDigits = 15

// decimalNumber reads a decimal number that a double holds as it is written.
func decimalNumber(plain []byte) (float64, bool) {
	digits, started := 0, false
	for i, c := range plain {
		switch {
		case c >= '0' && c <= '9':
			if started = started || c != '0'; started {
				digits++
			}
		case c == '.' || c == 'e' || c == 'E':
			if i == 0 {
				return 0, false
			}
		case c == '-':
		case c == '+' && i > 0:
		default:
			return 0, false
		}
	}
	leading := bytes.TrimPrefix(plain, []byte{'-'})
	if digits > exactDigits+2 || len(leading) > 1 && leading[0] == '0' && leading[1] != '.' && leading[1]|0x20 != 'e' {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(plain), 64)
	return x, err == nil
}
