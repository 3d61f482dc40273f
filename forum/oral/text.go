package oral

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"anonymooc/internal/fault"
)

// Text is what the engine sees of a turn, and where in the file it was read.
type Text struct {
	Bytes []byte
	units []unit // by byte of Bytes
}

// unit is the character of the file that a byte of a text was read from.
type unit struct{ from, to int }

// nowhere is the unit of a space that was put between two pieces.
var nowhere = unit{-1, -1}

// add appends bytes of the file.
func (x *Text) add(e encoding, raw []byte, from, to int) {
	for at := from; at < to; {
		r, size := e.rune(raw[at:to])
		u := unit{at, at + size}
		if r == '\n' || r == '\r' {
			r = ' ' // a line ends where the screen does, not where a sentence does
		}
		before := len(x.Bytes)
		x.Bytes = utf8.AppendRune(x.Bytes, r)
		for range len(x.Bytes) - before {
			x.units = append(x.units, u)
		}
		at += size
	}
}

// space sets two pieces apart.
func (x *Text) space() {
	if n := len(x.Bytes); n > 0 && x.Bytes[n-1] != ' ' {
		x.Bytes = append(x.Bytes, ' ')
		x.units = append(x.units, nowhere)
	}
}

// runs gives the stretches of the file that some bytes of the text were read
// from.
func (x *Text) runs(from, to int) []unit {
	var runs []unit
	for _, u := range x.units[from:to] {
		if u == nowhere {
			continue
		}
		if n := len(runs); n > 0 && u.from <= runs[n-1].to {
			runs[n-1].to = max(runs[n-1].to, u.to)
			continue
		}
		runs = append(runs, u)
	}
	return runs
}

// encoding is how a file's bytes stand for characters; nil is UTF-8.
type encoding struct {
	table *charmap.Charmap
	xml   bool
}

// rune reads one character. The file was checked: it has no bytes that stand for
// none.
func (e encoding) rune(b []byte) (rune, int) {
	if e.table != nil {
		return e.table.DecodeByte(b[0]), 1
	}
	return utf8.DecodeRune(b)
}

// text reads a stretch as text.
func (e encoding) text(raw []byte) string {
	if e.table == nil {
		return string(raw)
	}
	var b strings.Builder
	for _, c := range raw {
		b.WriteRune(e.table.DecodeByte(c))
	}
	return b.String()
}

// append writes what replaces a stretch; where an XML file is concerned also
// characters that its encoding lacks, and none that would be markup.
func (e encoding) append(dst []byte, text string) ([]byte, error) {
	for _, r := range text {
		switch {
		case e.xml && strings.ContainsRune(`<>&"'`, r):
			dst = appendReference(dst, r)
		case e.table == nil:
			dst = utf8.AppendRune(dst, r)
		default:
			c, ok := e.table.EncodeRune(r)
			switch {
			case ok:
				dst = append(dst, c)
			case e.xml:
				dst = appendReference(dst, r)
			default:
				return dst, fault.New(fault.Usage, "a replacement cannot be written in the file's encoding").
					WithHint("choose another style of replacement, or convert the transcript to UTF-8")
			}
		}
	}
	return dst, nil
}

func appendReference(dst []byte, r rune) []byte {
	const digits = "0123456789ABCDEF"
	var b [8]byte
	at := len(b)
	for n := uint32(r); n > 0; n >>= 4 {
		at--
		b[at] = digits[n&15]
	}
	dst = append(append(dst, "&#x"...), b[at:]...)
	return append(dst, ';')
}

// Charsets are the encodings that transcripts may have besides UTF-8.
var charsets = map[string]*charmap.Charmap{
	"utf-8": nil, "utf8": nil, "us-ascii": nil, "ascii": nil,
	"iso-8859-1": charmap.ISO8859_1, "latin1": charmap.ISO8859_1, "iso-8859-15": charmap.ISO8859_15, "latin9": charmap.ISO8859_15,
	"windows-1252": charmap.Windows1252, "cp1252": charmap.Windows1252, "windows-1250": charmap.Windows1250, "iso-8859-2": charmap.ISO8859_2,
}

const charsetHint = "encodings are utf-8, iso-8859-1, iso-8859-2, iso-8859-15, windows-1250 and windows-1252; convert any other to UTF-8"

// encodingOf finds out how a file is encoded, and that all of it is.
func encodingOf(name string, format Format, raw []byte, charset string) (encoding, error) {
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		return encoding{}, fault.New(fault.Usage, "the file is in UTF-16").At(name, 0, "").WithHint("%s", charsetHint)
	}
	if format == Transcriber {
		if declared := declaredCharset(raw); declared != "" {
			charset = declared
		}
	}
	if charset == "" || bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) {
		charset = "utf-8"
	}
	table, ok := charsets[strings.ToLower(charset)]
	if !ok {
		return encoding{}, fault.New(fault.Usage, "the encoding is not known").At(name, 0, "").WithHint("%s", charsetHint)
	}
	e := encoding{table, format == Transcriber}
	for at := 0; at < len(raw); {
		r, size := e.rune(raw[at:])
		if r == utf8.RuneError && size <= 1 || r == 0 {
			t := Transcript{Name: name, Raw: raw}
			return e, t.fault(fault.Usage, at, "a byte is no character of the file's encoding").
				WithHint("--charset names the encoding of files that do not name theirs; %s", charsetHint)
		}
		at += size
	}
	return e, nil
}

// declaredCharset reads the XML declaration.
func declaredCharset(raw []byte) string {
	head := string(raw[:min(len(raw), 200)])
	head, _, ok := strings.Cut(strings.TrimPrefix(head, "\xef\xbb\xbf"), "?>")
	if !ok || !strings.HasPrefix(head, "<?xml") {
		return ""
	}
	_, value, ok := strings.Cut(head, "encoding")
	value = strings.TrimLeft(value, " \t\r\n=")
	if !ok || len(value) < 2 {
		return ""
	}
	end := strings.IndexByte(value[1:], value[0])
	if end < 0 {
		return ""
	}
	return value[1 : end+1]
}
