package calix

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"anonymooc/internal/fault"
)

// Writer writes a forum post by post. Close ends it.
type Writer struct {
	out *bufio.Writer
	err error
}

// NewWriter begins a forum.
func NewWriter(w io.Writer) *Writer {
	writer := &Writer{out: bufio.NewWriter(w)}
	writer.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<forum>\n")
	return writer
}

// Post writes one post. It refuses marks that are out of order or not inside
// their text, and attributes that XML cannot hold.
func (w *Writer) Post(p Post) error {
	w.write("<post")
	w.attributes([]attribute{{"id", p.ID}, {"thread", p.Thread}, {"parent", p.Parent}, {"author", p.Author}, {"date", p.Date}})
	w.write(">\n")
	w.field("subject", p.Subject)
	w.field("text", p.Body)
	w.write("</post>\n")
	return w.err
}

// Close ends the forum and flushes it.
func (w *Writer) Close() error {
	w.write("</forum>\n")
	if err := w.out.Flush(); w.err == nil {
		w.err = err
	}
	return w.err
}

func (w *Writer) write(s string) {
	if w.err == nil {
		_, w.err = w.out.WriteString(s)
	}
}

func (w *Writer) refuse(what string) {
	if w.err == nil {
		w.err = fault.New(fault.Failure, "%s", what)
	}
}

type attribute struct{ name, value string }

// attributes writes those that have a value.
func (w *Writer) attributes(all []attribute) {
	for _, a := range all {
		if a.value == "" {
			continue
		}
		if !utf8.ValidString(a.value) || strings.ContainsFunc(a.value, func(r rune) bool { return !writable(r) }) {
			w.refuse("an attribute of a post or a mark cannot be written in XML")
			return
		}
		w.write(" " + a.name + `="`)
		for _, r := range a.value {
			switch {
			case r == '"':
				w.write("&quot;")
			case r < ' ':
				w.write("&#" + strconv.Itoa(int(r)) + ";")
			default:
				w.rune(r)
			}
		}
		w.write(`"`)
	}
}

// field writes a text with its marks; an empty one not at all.
func (w *Writer) field(name string, text Text) {
	if text.Raw == "" {
		if len(text.Marks) > 0 {
			w.refuse("a mark is not inside its text")
		}
		return
	}
	w.write("<" + name + ">")
	at := 0
	for _, mark := range text.Marks {
		if mark.Start < at || mark.End <= mark.Start || mark.End > len(text.Raw) {
			w.refuse("a mark is not inside its text")
			return
		}
		w.raw(text.Raw[at:mark.Start])
		w.write("<calix")
		w.attributes([]attribute{{"entity_id", mark.Entity}, {"type", mark.Type}, {"category", mark.Category},
			{"case", mark.Case}, {"form", mark.Form}, {"modified", string(mark.Modified)}})
		w.write(">")
		w.raw(text.Raw[mark.Start:mark.End])
		w.write("</calix>")
		at = mark.End
	}
	w.raw(text.Raw[at:])
	w.write("</" + name + ">\n")
}

// raw writes bytes so that they come back as they are.
func (w *Writer) raw(s string) {
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1, !writable(r):
			for i := range size {
				w.write(`<byte value="` + string(hexDigits[s[i]>>4]) + string(hexDigits[s[i]&15]) + `"/>`)
			}
		case r == '\r':
			w.write("&#13;") // a reader would make it a line end
		default:
			w.rune(r)
		}
		s = s[size:]
	}
}

const hexDigits = "0123456789abcdef"

// rune writes one character of a text or an attribute, escaped where need be.
func (w *Writer) rune(r rune) {
	switch r {
	case '&':
		w.write("&amp;")
	case '<':
		w.write("&lt;")
	case '>':
		w.write("&gt;")
	default:
		w.write(string(r))
	}
}

// writable reports whether XML 1.0 can hold the character.
func writable(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || ' ' <= r && r <= 0xD7FF || 0xE000 <= r && r <= 0xFFFD || 0x10000 <= r && r <= 0x10FFFF
}
