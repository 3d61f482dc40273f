package tables

import (
	"bytes"

	"anonymooc/internal/fault"
)

// Format knows how the records of a file are written. A Format has no state: it
// is shared by all workers. What it is told to keep it copies byte for byte.
type Format interface {
	// Name is told in the manifest and in messages: "csv", "tsv", "json lines".
	Name() string
	// Cut returns how many bytes of block, which starts at a record, are whole
	// records: 0 when there is not one.
	Cut(block []byte) int
	// Transform appends the released form of the whole records in b.src to b.out.
	Transform(w *Worker, p *Plan, b *Block) error
}

// Tabular is a Format whose first record names the columns.
type Tabular interface {
	Format
	// Header splits the first record. length is what it takes in the file, line
	// end included; ok is false when first holds no whole record.
	Header(first []byte) (columns []string, length int, err error)
	// AppendHeader writes the header with the columns that keep says.
	AppendHeader(dst, header []byte, keep []bool) []byte
}

// Block is a stretch of whole records on its way through a worker.
type Block struct {
	src        []byte
	out        []byte
	set        []byte // records set aside: they could not be read
	setLines   []int64
	line       int64 // of the first byte of src, counted from 1
	rowsIn     int64
	rowsOut    int64
	forgotten  int64
	tallies    []ColumnTally
	seam       seam // of JSON text: what it tells the blocks around it
	err        error
	ready      chan struct{}
	compressed []byte
}

// fault makes an error about the record at offset pos of the block.
func (b *Block) fault(p *Plan, pos int, column, format string, args ...any) *fault.Fault {
	return fault.New(fault.Failure, format, args...).At(p.File, b.lineOf(p.Format, pos), column)
}

// Detect tells the format of a file of tables from its first bytes, which hold
// at least the first record if they can: a tab in it makes it tab-separated.
func Detect(first []byte) Tabular {
	line, _, _ := bytes.Cut(first, []byte{'\n'})
	if bytes.IndexByte(line, '\t') >= 0 && bytes.Count(line, []byte{'\t'}) >= bytes.Count(line, []byte{','}) {
		return TSV{OutFile: looksOutFile(first)}
	}
	return CSV{}
}

// byteOrderMark may stand before the first column's name.
var byteOrderMark = []byte{0xEF, 0xBB, 0xBF}
