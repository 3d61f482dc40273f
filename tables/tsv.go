package tables

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"anonymooc/tables/jsonedit"
)

// TSV is tab-separated text as MySQL writes it: no quotes, a backslash escapes.
// Two dialects occur. "mysql --batch", which edX packages use, writes a line
// break as \n, a tab as \t and NULL as the bare word. INTO OUTFILE puts the
// backslash before the real character and writes NULL as \N. Both are split in
// the same way; a changed value is written in the file's own dialect.
type TSV struct {
	OutFile bool // the INTO OUTFILE dialect
}

// looksOutFile tells the dialects apart by what only one of them writes.
func looksOutFile(text []byte) bool {
	return bytes.Contains(text, []byte("\\\n")) || bytes.Contains(text, []byte("\\\t")) ||
		bytes.Contains(text, []byte("\t\\N\t")) || bytes.Contains(text, []byte("\t\\N\n"))
}

// Name implements Format.
func (TSV) Name() string { return "tsv" }

// Cut ends a block at its last line end that no backslash escapes.
func (TSV) Cut(block []byte) int {
	for end := len(block); ; {
		i := bytes.LastIndexByte(block[:end], '\n')
		if i < 0 {
			return 0
		}
		if !escapedAt(block, i) {
			return i + 1
		}
		end = i
	}
}

// escapedAt reports whether an odd number of backslashes stands before i.
func escapedAt(text []byte, i int) bool {
	n := 0
	for n < i && text[i-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// tsvRecord splits the record at pos. As in csvPlain, eight bytes are looked at
// together.
func tsvRecord(spans []span, src []byte, pos int) (out []span, next int, wrong string) {
	start, protected := pos, pos // bytes before protected stand behind a backslash
	for ; pos+8 <= len(src); pos += 8 {
		word := binary.LittleEndian.Uint64(src[pos:])
		tab, line, slash := word^lowBits*'\t', word^lowBits*'\n', word^lowBits*'\\'
		hits := ((tab-lowBits)&^tab | (line-lowBits)&^line | (slash-lowBits)&^slash) & highBits
		for ; hits != 0; hits &= hits - 1 {
			i := pos + bits.TrailingZeros64(hits)>>3
			if i < protected {
				continue
			}
			switch src[i] {
			case '\\':
				protected = i + 2
			case '\t':
				spans = append(spans, span{start, i, false})
				start = i + 1
			case '\n':
				return append(spans, span{start, withoutReturn(src, start, i), false}), i + 1, ""
			}
		}
	}
	for pos = max(pos, protected); pos < len(src); pos++ {
		switch src[pos] {
		case '\\':
			pos++
		case '\t':
			spans = append(spans, span{start, pos, false})
			start = pos + 1
		case '\n':
			return append(spans, span{start, withoutReturn(src, start, pos), false}), pos + 1, ""
		}
	}
	return append(spans, span{start, len(src), false}), len(src), ""
}

// Header implements Tabular.
func (f TSV) Header(first []byte) ([]string, int, error) {
	text := bytes.TrimPrefix(first, byteOrderMark)
	spans, next, _ := tsvRecord(nil, text, 0)
	columns := make([]string, len(spans))
	for i, s := range spans {
		columns[i] = string(unescapeTSV(nil, text[s.start:s.end]))
	}
	return columns, len(first) - len(text) + next, nil
}

// AppendHeader implements Tabular.
func (TSV) AppendHeader(dst, header []byte, keep []bool) []byte {
	text := bytes.TrimPrefix(header, byteOrderMark)
	dst = append(dst, header[:len(header)-len(text)]...)
	spans, _, _ := tsvRecord(nil, text, 0)
	return appendKept(dst, text, spans, '\t', keep)
}

func (TSV) cell(buf []byte, src []byte, s span) (Cell, []byte) {
	field := src[s.start:s.end]
	if string(field) == "NULL" || string(field) == `\N` {
		return Cell{nil, jsonedit.Null}, buf
	}
	if bytes.IndexByte(field, '\\') < 0 {
		return Cell{field, jsonedit.String}, buf
	}
	buf = unescapeTSV(buf[:0], field)
	return Cell{buf, jsonedit.String}, buf
}

// unescapeTSV appends a field without its backslashes. Before a letter that has
// no meaning a backslash only protects it.
func unescapeTSV(dst, field []byte) []byte {
	for i := 0; i < len(field); i++ {
		c := field[i]
		if c == '\\' && i+1 < len(field) {
			i++
			switch c = field[i]; c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			case '0':
				c = 0
			case 'b':
				c = '\b'
			case 'Z':
				c = 26
			}
		}
		dst = append(dst, c)
	}
	return dst
}

func (f TSV) encode(dst, value []byte, _ bool) []byte {
	for _, c := range value {
		switch c {
		case '\\':
			dst = append(dst, '\\', '\\')
		case '\n', '\t':
			switch {
			case f.OutFile:
				dst = append(dst, '\\', c)
			case c == '\n':
				dst = append(dst, '\\', 'n')
			default:
				dst = append(dst, '\\', 't')
			}
		case 0:
			dst = append(dst, '\\', '0')
		case '\r':
			if f.OutFile {
				dst = append(dst, c)
			} else {
				dst = append(dst, '\\', 'r')
			}
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// Transform implements Format.
func (f TSV) Transform(w *Worker, p *Plan, b *Block) error {
	return transformRows(w, p, b, rowFormat{record: tsvRecord, cell: f.cell, encode: f.encode, delimiter: '\t'})
}
