// Package csvtext writes the CSV in which tables that are no files are read: lines
// end in LF, NULL is the bare word, and a text that is spelt like a NULL stands in
// quotes, as does what could not be told otherwise.
package csvtext

import "bytes"

// Null is how NULL is written.
const Null = "NULL"

// AppendHeader appends the names of columns and a line end.
func AppendHeader(dst []byte, names []string) []byte {
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendField(dst, []byte(name), len(names) == 1)
	}
	return append(dst, '\n')
}

// AppendField appends a text. alone says that the table has no other column: an
// empty text would be an empty line.
func AppendField(dst, text []byte, alone bool) []byte {
	if !needsQuotes(text) && !(alone && len(text) == 0) {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			return append(append(dst, text...), '"')
		}
		dst = append(append(dst, text[:i+1]...), '"')
		text = text[i+1:]
	}
}

func needsQuotes(text []byte) bool {
	if string(text) == Null || string(text) == `\N` {
		return true
	}
	for _, c := range text {
		if c == ',' || c == '"' || c == '\n' || c == '\r' {
			return true
		}
	}
	return false
}
