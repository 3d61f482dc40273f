package tables

import (
	"bytes"
	"unicode/utf8"

	"anonymooc/internal/fault"
	"anonymooc/tables/jsonedit"
)

// JSONText is JSON objects over any number of lines: the elements of one array,
// or one behind the other. White space, brackets and commas stay as they are.
//
// A block is cut behind an object, so that the comma before an object is in the
// object's block and goes with it when its person was forgotten.
type JSONText struct{}

// Name implements Format.
func (JSONText) Name() string { return "json" }

// Cut ends a block behind its last whole object.
func (JSONText) Cut(block []byte) int {
	end := 0
	eachObject(block, func(_, object []byte, to int) bool { end = to; return true })
	return end
}

// eachObject calls visit with every whole object of a text, what stands between it
// and the one before, and where it ends; it returns where the last one ends, and
// whether another was begun.
func eachObject(text []byte, visit func(between, object []byte, end int) bool) (end int, begun bool) {
	for {
		start := bytes.IndexByte(text[end:], '{')
		if start < 0 {
			return end, false
		}
		start += end
		stop := objectEnd(text, start)
		if stop < 0 {
			return end, true
		}
		between := text[end:start]
		end = stop
		if !visit(between, text[start:stop], stop) {
			return end, false
		}
	}
}

// objectEnd returns where the object at start ends, -1 when it does not.
func objectEnd(text []byte, start int) int {
	depth := 0
	for i := start; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			if i = stringEnd(text, i+1); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// stringEnd returns where the closing quote of a string stands, -1 for nowhere.
func stringEnd(text []byte, from int) int {
	for {
		i := bytes.IndexByte(text[from:], '"')
		if i < 0 {
			return -1
		}
		i += from
		slashes := 0
		for i-slashes > from && text[i-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
		from = i + 1
	}
}

// seam is what a block of JSON text tells the blocks around it.
type seam struct {
	objects bool // there is an object, in the source
	opens   bool // the array begins here
	closes  bool // and ends here
	comma   bool // a comma stands before the first object
	commas  int8 // before the others: 0 unknown, 1 there are, -1 there are none
	first   int  // in the output: where the comma before the first object left stands, -1 for none
}

// Transform implements Format.
func (f JSONText) Transform(w *Worker, p *Plan, b *Block) error {
	editor := w.editor(p.json)
	b.seam = seam{first: -1}
	var failed error
	end, begun := eachObject(b.src, func(between, object []byte, end int) bool {
		failed = f.object(w, p, b, editor, between, object, end-len(object))
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	if begun {
		return f.fault(p, b, end, "an object that does not end")
	}
	rest := b.src[end:]
	if _, _, ok := b.seam.read(rest, false); !ok {
		return f.fault(p, b, end, "neither an object nor the end of an array")
	}
	b.out = append(b.out, rest...)
	return nil
}

// object appends one object with what stands before it.
func (f JSONText) object(w *Worker, p *Plan, b *Block, editor *jsonedit.Editor, between, object []byte, pos int) error {
	start := len(b.out)
	comma, opening, ok := b.seam.read(between, true)
	if !ok {
		return f.fault(p, b, pos, "neither an object nor a comma")
	}
	b.rowsIn++
	if !utf8.Valid(object) {
		b.out = append(b.out, between[:opening]...)
		return f.wrong(p, b, object, pos, "the object is not UTF-8")
	}
	b.out = append(b.out, between...)
	wrong, gone, err := JSONLines{}.line(w, p, b, editor, object, pos)
	switch {
	case err != nil:
		return err
	case wrong != "":
		b.out = append(b.out[:start], between[:opening]...)
		return f.wrong(p, b, object, pos, wrong)
	case gone:
		b.out = append(b.out[:start], between[:opening]...)
		b.forgotten++
	default:
		if b.rowsOut == 0 && comma >= 0 {
			b.seam.first = start + comma
		}
		b.rowsOut++
	}
	return nil
}

// wrong sets an object aside, or stops the run.
func (f JSONText) wrong(p *Plan, b *Block, object []byte, pos int, what string) error {
	if !p.quarantine {
		return unreadable(b.fault(p, pos, "", "%s", what), object)
	}
	b.set = append(append(b.set, object...), '\n')
	b.setLines = append(b.setLines, b.lineOf(f, pos))
	return nil
}

func (f JSONText) fault(p *Plan, b *Block, pos int, what string) error {
	return unreadable(b.fault(p, pos, "", "the text is not JSON: %s", what), b.src[pos:])
}

// read takes in what stands between two objects: comma is where the comma stands,
// -1 for none, and opening where what opens the array ends.
func (s *seam) read(between []byte, before bool) (comma, opening int, ok bool) {
	comma = -1
	between = bytes.TrimPrefix(between, byteOrderMark)
	for i, c := range between {
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == '[' && !s.objects && !s.opens && comma < 0:
			s.opens, opening = true, i+1
		case c == ',' && comma < 0 && before && opening == 0:
			comma = i
		case c == ']' && !s.closes && comma < 0 && !before:
			s.closes = true
		default:
			return comma, opening, false
		}
	}
	if !before {
		return comma, opening, true
	}
	there := int8(-1)
	if comma >= 0 {
		there = 1
	}
	switch {
	case !s.objects:
		s.comma = comma >= 0
	case s.commas == 0:
		s.commas = there
	case s.commas != there:
		return comma, opening, false
	}
	s.objects = true
	return comma, opening, true
}

// joint implements jointed.
func (JSONText) joint() joint { return new(textJoint) }

// textJoint makes one array, or none, of the blocks of a file.
type textJoint struct {
	begun   bool // there was a block with something in it
	array   bool
	closed  bool
	objects bool // in the source
	written bool // an object
}

func (j *textJoint) join(p *Plan, b *Block) (changed bool, err error) {
	s := &b.seam
	wrong := func(what string) (bool, error) {
		return false, fault.New(fault.Failure, "the text is not JSON: %s", what).At(p.File, b.line, "").
			WithHint("the file was cut off or put together wrongly: export it again")
	}
	something := s.objects || s.opens || s.closes
	switch {
	case something && j.closed:
		return wrong("something stands behind the end of the array")
	case s.opens && j.begun:
		return wrong("a second array begins")
	}
	j.array = j.array || s.opens
	if s.objects {
		wanted := j.array && j.objects
		if s.comma != wanted || s.commas == 1 && !j.array || s.commas == -1 && j.array {
			return wrong("objects and commas do not take turns")
		}
	}
	if s.closes && !j.array {
		return wrong("an array ends that did not begin")
	}
	j.begun = j.begun || something
	j.objects = j.objects || s.objects
	j.closed = j.closed || s.closes
	if b.rowsOut == 0 {
		return false, nil
	}
	if !j.written && s.first >= 0 { // those before it were left out
		b.out = append(b.out[:s.first], b.out[s.first+1:]...)
		changed = true
	}
	j.written = true
	return changed, nil
}

func (j *textJoint) end(p *Plan) error {
	if j.array == j.closed {
		return nil
	}
	return fault.New(fault.Failure, "the array does not end: the file was cut off").At(p.File, 0, "").WithHint("copy or export it again")
}

// each implements Documents.
func (JSONText) each(block []byte, visit func([]byte, int) error) error {
	var err error
	eachObject(block, func(_, object []byte, end int) bool {
		err = visit(object, end)
		return err == nil
	})
	return err
}

func (JSONText) edit(e *jsonedit.Editor, dst, record []byte) ([]byte, error) {
	return e.Edit(dst, record)
}

// shellWords begin values in the syntax of the mongo shell.
var shellWords = [...]string{"ObjectId(", "ISODate(", "NumberLong(", "NumberInt(", "NumberDecimal(", "Timestamp(", "BinData(", "UUID(", "DBRef(", "new Date("}

// unreadable adds to a fault what can be done about a record that is no JSON.
func unreadable(f *fault.Fault, record []byte) *fault.Fault {
	for _, word := range shellWords {
		i := bytes.Index(record, []byte(word))
		if before := bytes.TrimSpace(record[:max(i, 0)]); len(before) > 0 && bytes.IndexByte([]byte(":,["), before[len(before)-1]) >= 0 {
			f.What = "this is the syntax of the mongo shell, not JSON"
			return f.WithHint("export the collection with mongoexport, which writes {\"$oid\": …} for ObjectId(…), or dump it with mongodump")
		}
	}
	return f.WithHint("repair or remove the line; logs may be cut, other files must be whole")
}
