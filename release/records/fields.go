package records

import "bytes"

// Fields splits one record of a table into decoded fields. Raw holds the same
// fields as they are written.
type Fields struct {
	Values [][]byte
	Raw    [][]byte
	buffer []byte
}

// Read splits the record; the fields are valid until the next call.
func (r *Fields) Read(record []byte, f Format) {
	r.Values, r.Raw, r.buffer = r.Values[:0], r.Raw[:0], r.buffer[:0]
	record = bytes.TrimSuffix(record, []byte{'\n'})
	record = bytes.TrimSuffix(record, []byte{'\r'})
	if cap(r.buffer) < len(record) {
		r.buffer = make([]byte, 0, 2*len(record)) // fields point into it: it must not move
	}
	if f == TSV {
		r.tabbed(record)
		return
	}
	r.commas(record)
}

func (r *Fields) tabbed(record []byte) {
	start := 0
	for i := 0; i <= len(record); i++ {
		if i < len(record) && (record[i] != '\t' || escapedAt(record, i)) {
			continue
		}
		raw := record[start:i]
		r.Raw = append(r.Raw, raw)
		plain := raw
		if bytes.IndexByte(raw, '\\') >= 0 && string(raw) != `\N` {
			from := len(r.buffer)
			r.buffer = unescapeTab(r.buffer, raw)
			plain = r.buffer[from:]
		}
		r.Values = append(r.Values, plain)
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

func (r *Fields) commas(record []byte) {
	for at := 0; at <= len(record); {
		if at == len(record) || record[at] != '"' {
			end := len(record)
			if i := bytes.IndexByte(record[at:], ','); i >= 0 {
				end = at + i
			}
			r.Raw = append(r.Raw, record[at:end])
			r.Values = append(r.Values, record[at:end])
			at = end + 1
			continue
		}
		start, from := at, len(r.buffer)
		for at++; at < len(record); {
			i := bytes.IndexByte(record[at:], '"')
			if i < 0 {
				i = len(record) - at
			}
			doubled := at+i+1 < len(record) && record[at+i+1] == '"'
			if doubled {
				i++ // one of them stays
			}
			r.buffer = append(r.buffer, record[at:at+i]...)
			if at = min(at+i+1, len(record)); !doubled {
				break
			}
		}
		for at < len(record) && record[at] != ',' { // "quoted" and more
			r.buffer = append(r.buffer, record[at])
			at++
		}
		r.Raw = append(r.Raw, record[start:at])
		r.Values = append(r.Values, r.buffer[from:])
		at++
	}
}

// IsNull reports whether a field of a table is NULL or empty, in one of the forms
// that exports use.
func IsNull(raw []byte) bool {
	switch string(raw) { // in quotes, it may be a person who is called Null
	case "", `""`, `\N`, "NULL":
		return true
	}
	return false
}

// Each calls visit for each record of a block with the line it begins on.
func Each(b Block, f Format, visit func(line int64, record []byte)) {
	line := b.Line
	for at, n := 0, 0; at < len(b.Data); n++ {
		end := len(b.Data)
		switch {
		case f == Document:
		case f == CSV && n < len(b.ends):
			end = int(b.ends[n])
		case f == CSV:
			end, _ = RecordEnd(b.Data, at)
		default:
			for from := at; ; {
				i := bytes.IndexByte(b.Data[from:], '\n')
				if i < 0 {
					break
				}
				if from += i + 1; f != TSV || !escapedAt(b.Data, from-1) {
					end = from
					break
				}
			}
		}
		record := b.Data[at:end]
		if len(bytes.TrimRight(record, "\r\n")) > 0 {
			visit(line, record)
		}
		line += int64(bytes.Count(record, []byte{'\n'}))
		at = end
	}
}
