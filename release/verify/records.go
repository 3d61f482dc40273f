package verify

import "bytes"

// fields splits one record of a table into decoded fields. raw holds the same
// fields as they are written.
type fieldReader struct {
	fields [][]byte
	raw    [][]byte
	buffer []byte
}

// read splits the record; the fields are valid until the next call.
func (r *fieldReader) read(record []byte, f format) {
	r.fields, r.raw, r.buffer = r.fields[:0], r.raw[:0], r.buffer[:0]
	record = bytes.TrimSuffix(record, []byte{'\n'})
	record = bytes.TrimSuffix(record, []byte{'\r'})
	if cap(r.buffer) < len(record) {
		r.buffer = make([]byte, 0, 2*len(record)) // fields point into it: it must not move
	}
	if f == formatTSV {
		r.tabbed(record)
		return
	}
	r.commas(record)
}

func (r *fieldReader) tabbed(record []byte) {
	start := 0
	for i := 0; i <= len(record); i++ {
		if i < len(record) && (record[i] != '\t' || escapedAt(record, i)) {
			continue
		}
		raw := record[start:i]
		r.raw = append(r.raw, raw)
		plain := raw
		if bytes.IndexByte(raw, '\\') >= 0 && string(raw) != `\N` {
			from := len(r.buffer)
			r.buffer = unescapeTab(r.buffer, raw)
			plain = r.buffer[from:]
		}
		r.fields = append(r.fields, plain)
		start = i + 1
	}
}

// unescapeTab undoes the backslash escapes of both dialects: \t and \n in
// letters, or a backslash before the character itself.
func unescapeTab(dst, raw []byte) []byte {
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '\\' && i+1 < len(raw) {
			i++
			switch c = raw[i]; c {
			case 't':
				c = '\t'
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			case '0':
				c = 0
			case '\\', '\t', '\n':
			default:
				dst = append(dst, '\\')
			}
		}
		dst = append(dst, c)
	}
	return dst
}

func (r *fieldReader) commas(record []byte) {
	for at := 0; at <= len(record); {
		if at == len(record) || record[at] != '"' {
			end := len(record)
			if i := bytes.IndexByte(record[at:], ','); i >= 0 {
				end = at + i
			}
			r.raw = append(r.raw, record[at:end])
			r.fields = append(r.fields, record[at:end])
			at = end + 1
			continue
		}
		start, from := at, len(r.buffer)
		for at++; at < len(record); at++ {
			if record[at] == '"' {
				if at++; at == len(record) || record[at] != '"' {
					break
				}
			}
			r.buffer = append(r.buffer, record[at])
		}
		for at < len(record) && record[at] != ',' { // "quoted" and more
			r.buffer = append(r.buffer, record[at])
			at++
		}
		r.raw = append(r.raw, record[start:at])
		r.fields = append(r.fields, r.buffer[from:])
		at++
	}
}

// null reports whether a field of a table is NULL or empty, in one of the forms
// that exports use.
func null(raw []byte) bool {
	switch string(raw) { // in quotes, it may be a person who is called Null
	case "", `""`, `\N`, "NULL":
		return true
	}
	return false
}

// records calls visit for each record of a block with the line it begins on.
func records(b block, f format, visit func(line int64, record []byte)) {
	line := b.line
	for at := 0; at < len(b.data); {
		end := len(b.data)
		switch f {
		case formatDocument:
		case formatCSV:
			end, _ = csvRecord(b.data, at)
		default:
			for from := at; ; {
				i := bytes.IndexByte(b.data[from:], '\n')
				if i < 0 {
					break
				}
				if from += i + 1; f != formatTSV || !escapedAt(b.data, from-1) {
					end = from
					break
				}
			}
		}
		record := b.data[at:end]
		if len(bytes.TrimRight(record, "\r\n")) > 0 {
			visit(line, record)
		}
		line += int64(bytes.Count(record, []byte{'\n'}))
		at = end
	}
}
