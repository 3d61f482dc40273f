package tables

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"anonymooc/internal/fault"
	"anonymooc/tables/jsonedit"
)

// CSV is comma-separated text as in RFC 4180: a field may stand in quotes, and
// then hold commas, line breaks and doubled quotes. Line ends may be LF or CRLF.
type CSV struct{}

// Name implements Format.
func (CSV) Name() string { return "csv" }

// Cut ends a block at its last line end outside quotes.
func (CSV) Cut(block []byte) int {
	quotes := bytes.Count(block, []byte{'"'})
	for end := len(block); ; {
		i := bytes.LastIndexByte(block[:end], '\n')
		if i < 0 {
			return 0
		}
		quotes -= bytes.Count(block[i:end], []byte{'"'})
		if quotes%2 == 0 {
			return i + 1
		}
		end = i
	}
}

// span is a field in a block, without its quotes.
type span struct {
	start, end int
	quoted     bool
}

// outer returns where the field starts and ends with its quotes.
func (s span) outer() (int, int) {
	if s.quoted {
		return s.start - 1, s.end + 1
	}
	return s.start, s.end
}

// The faults of a record, as csvRecord and tsvRecord tell them.
const (
	faultQuoteInside = "a quote inside a field that is not in quotes"
	faultQuoteOpen   = "a field in quotes that is not closed"
	faultAfterQuote  = "text behind a closing quote"
)

// csvRecord splits the record at pos. next is where the following one starts.
func csvRecord(spans []span, src []byte, pos int) (out []span, next int, wrong string) {
	for {
		if pos == len(src) || src[pos] != '"' {
			var quoted bool
			if spans, pos, quoted, wrong = csvPlain(spans, src, pos); !quoted {
				return spans, pos, wrong
			}
		}
		end := pos + 1
		for {
			i := bytes.IndexByte(src[end:], '"')
			if i < 0 {
				return spans, pos, faultQuoteOpen
			}
			end += i
			if end+1 < len(src) && src[end+1] == '"' {
				end += 2
				continue
			}
			break
		}
		spans = append(spans, span{pos + 1, end, true})
		if pos = end + 1; pos < len(src) && src[pos] == '\r' && (pos+1 == len(src) || src[pos+1] == '\n') {
			pos++
		}
		switch {
		case pos == len(src):
			return spans, pos, ""
		case src[pos] == '\n':
			return spans, pos + 1, ""
		case src[pos] != ',':
			return spans, pos, faultAfterQuote
		}
		pos++
	}
}

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// csvPlain splits fields that are not in quotes, up to the end of the record or, with
// quoted, to a field that is. Eight bytes are looked at together: each is compared
// with what may end a field, and only those that could be one are looked at.
func csvPlain(spans []span, src []byte, pos int) (out []span, next int, quoted bool, wrong string) {
	start := pos
	for ; pos+8 <= len(src); pos += 8 {
		word := binary.LittleEndian.Uint64(src[pos:])
		comma, line, quote := word^lowBits*',', word^lowBits*'\n', word^lowBits*'"'
		hits := ((comma-lowBits)&^comma | (line-lowBits)&^line | (quote-lowBits)&^quote) & highBits
		for ; hits != 0; hits &= hits - 1 {
			i := pos + bits.TrailingZeros64(hits)>>3
			switch src[i] {
			case ',':
				spans = append(spans, span{start, i, false})
				if start = i + 1; start < len(src) && src[start] == '"' {
					return spans, start, true, ""
				}
			case '\n':
				return append(spans, span{start, withoutReturn(src, start, i), false}), i + 1, false, ""
			case '"':
				return spans, i, false, faultQuoteInside
			}
		}
	}
	for ; pos < len(src); pos++ {
		switch src[pos] {
		case ',':
			spans = append(spans, span{start, pos, false})
			if start = pos + 1; start < len(src) && src[start] == '"' {
				return spans, start, true, ""
			}
		case '\n':
			return append(spans, span{start, withoutReturn(src, start, pos), false}), pos + 1, false, ""
		case '"':
			return spans, pos, false, faultQuoteInside
		}
	}
	return append(spans, span{start, withoutReturn(src, start, pos), false}), pos, false, ""
}

// withoutReturn returns where a line's last field ends: before a carriage return.
func withoutReturn(src []byte, start, end int) int {
	if end > start && src[end-1] == '\r' {
		end--
	}
	return end
}

// Header implements Tabular.
func (f CSV) Header(first []byte) ([]string, int, error) {
	text := bytes.TrimPrefix(first, byteOrderMark)
	spans, next, wrong := csvRecord(nil, text, 0)
	if wrong != "" {
		return nil, 0, fault.New(fault.Failure, "the header has %s", wrong)
	}
	columns := make([]string, len(spans))
	for i, s := range spans {
		columns[i] = string(f.decode(nil, text[s.start:s.end], s.quoted))
	}
	return columns, len(first) - len(text) + next, nil
}

// AppendHeader implements Tabular.
func (CSV) AppendHeader(dst, header []byte, keep []bool) []byte {
	text := bytes.TrimPrefix(header, byteOrderMark)
	dst = append(dst, header[:len(header)-len(text)]...)
	spans, _, _ := csvRecord(nil, text, 0)
	return appendKept(dst, text, spans, ',', keep)
}

// appendKept writes the fields of a record that keep says, and its line end.
func appendKept(dst, record []byte, spans []span, delimiter byte, keep []bool) []byte {
	first := true
	for i, s := range spans {
		if !keep[i] {
			continue
		}
		if !first {
			dst = append(dst, delimiter)
		}
		first = false
		start, end := s.outer()
		dst = append(dst, record[start:end]...)
	}
	_, end := spans[len(spans)-1].outer()
	return append(dst, record[end:]...)
}

// decode appends a field without its doubled quotes.
func (CSV) decode(dst, field []byte, quoted bool) []byte {
	if !quoted {
		return append(dst, field...)
	}
	for {
		i := bytes.IndexByte(field, '"')
		if i < 0 {
			return append(dst, field...)
		}
		dst = append(dst, field[:i+1]...)
		field = field[i+2:]
	}
}

// cell decodes a field; the text of a field that needs no decoding is its bytes.
func (f CSV) cell(buf []byte, src []byte, s span) (Cell, []byte) {
	field := src[s.start:s.end]
	if !s.quoted {
		if string(field) == "NULL" || string(field) == `\N` {
			return Cell{nil, jsonedit.Null}, buf
		}
		return Cell{field, jsonedit.String}, buf
	}
	if bytes.IndexByte(field, '"') < 0 {
		return Cell{field, jsonedit.String}, buf
	}
	buf = f.decode(buf[:0], field, true)
	return Cell{buf, jsonedit.String}, buf
}

// encode appends a new value, in quotes if the old one was or if it must be.
func (CSV) encode(dst, value []byte, quoted bool) []byte {
	if !quoted && !needsQuotes(value) {
		return append(dst, value...)
	}
	dst = append(dst, '"')
	for {
		i := bytes.IndexByte(value, '"')
		if i < 0 {
			break
		}
		dst = append(append(dst, value[:i+1]...), '"')
		value = value[i+1:]
	}
	return append(append(dst, value...), '"')
}

// needsQuotes looks at each byte itself: values are short, and a search for any of
// four would cost more to set up.
func needsQuotes(value []byte) bool {
	for _, c := range value {
		if c == ',' || c == '"' || c == '\r' || c == '\n' {
			return true
		}
	}
	return false
}

// Transform implements Format.
func (f CSV) Transform(w *Worker, p *Plan, b *Block) error {
	return transformRows(w, p, b, rowFormat{record: csvRecord, cell: f.cell, encode: f.encode, delimiter: ','})
}
