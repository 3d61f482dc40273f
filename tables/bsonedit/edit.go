// Package bsonedit changes values inside BSON documents and leaves every other
// byte as it was: the order of the fields, their types, what no rule touches.
//
//	src  len │ 07 "_id" 12 bytes │ 02 "body" len text 0 │ 03 "votes" len │ 04 "up" … │ 0
//	           │                   │                       └ lengths are set right on the way out
//	           │                   └ jsonedit.Editor decides → written in the place of the old value
//	           └ ObjectIds, dates and the like stand where extended JSON has them: _id.$oid, created_at.$date
//
// No document is ever decoded: one pass checks the lengths and follows the paths
// of a jsonedit.Editor, so that the rules of a collection are the same whether it
// comes as BSON or as JSON. Values keep their type; a number that grows out of 32
// bits takes 64, and what is emptied is "" or null, as in JSON.
package bsonedit

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"
	"unicode/utf8"

	"anonymooc/tables/jsonedit"
)

// The types of BSON elements.
const (
	typeDouble     = 0x01
	typeString     = 0x02
	typeDocument   = 0x03
	typeArray      = 0x04
	typeBinary     = 0x05
	typeUndefined  = 0x06
	typeObjectID   = 0x07
	typeBoolean    = 0x08
	typeDate       = 0x09
	typeNull       = 0x0A
	typeRegex      = 0x0B
	typePointer    = 0x0C
	typeCode       = 0x0D
	typeSymbol     = 0x0E
	typeScopedCode = 0x0F
	typeInt32      = 0x10
	typeTimestamp  = 0x11
	typeInt64      = 0x12
	typeDecimal    = 0x13
	typeMinKey     = 0xFF
	typeMaxKey     = 0x7F
)

// shortest is the length of an empty document. MongoDB's end at 16 MiB and a little;
// what says that it is longer than most is no document.
const (
	shortest = 5
	most     = 64 << 20
)

// Length reads how long the document is that starts a text: 0 when the text ends
// before its length does. ok is false for what can be no document.
func Length(text []byte) (n int, ok bool) {
	if len(text) < 4 {
		return 0, true
	}
	length := int32(binary.LittleEndian.Uint32(text))
	return int(length), length >= shortest && length <= most
}

// SyntaxError says where a document stopped being BSON.
type SyntaxError struct {
	Offset int    // bytes from the start of the document
	What   string // never holds any of the data
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not BSON at byte %d: %s", e.Offset+1, e.What)
}

// Edit appends the edited form of one document to dst: the editor's paths and its
// handler say what becomes of each value. On an error dst is returned as it came.
func Edit(e *jsonedit.Editor, dst, src []byte) ([]byte, error) {
	w := walks.Get().(*walk)
	defer walks.Put(w)
	*w = walk{editor: e, src: src, dst: dst, base: len(dst), value: w.value[:0], text: w.text[:0]}
	end, err := w.document(0, e.Root(), 0)
	if err == nil && end != len(src) {
		err = w.wrong(end, "more than one document")
	}
	if err != nil {
		return dst, err
	}
	return append(w.dst, src[w.copied:]...), nil
}

var walks = sync.Pool{New: func() any { return new(walk) }}

// walk is one document on its way.
type walk struct {
	editor *jsonedit.Editor
	src    []byte
	dst    []byte
	base   int    // where in dst the document starts
	copied int    // src[:copied] has been dealt with
	value  []byte // what the handler made of a value
	text   []byte // a value as the handler sees it
	name   int    // length of the name of the field at hand, as written
	listed bool   // the value at hand stands in a list
}

func (w *walk) wrong(at int, what string) error { return &SyntaxError{at, what} }

// replace writes everything up to from as it was and goes on behind to.
func (w *walk) replace(from, to int) {
	w.dst = append(w.dst, w.src[w.copied:from]...)
	w.copied = to
}

// grown is how much longer than what was read the written document is.
func (w *walk) grown() int { return len(w.dst) - w.base - w.copied }

// document walks through the document or array at start and sets its length right.
func (w *walk) document(start int, at jsonedit.Place, nest int) (end int, err error) {
	if nest >= jsonedit.MaxDepth {
		return 0, w.wrong(start, "nested too deep")
	}
	length, ok := Length(w.src[start:])
	if !ok || length == 0 || length > len(w.src)-start {
		return 0, w.wrong(start, "a length that leads out of the document")
	}
	end = start + length
	if w.src[end-1] != 0 {
		return 0, w.wrong(end-1, "a document that does not end in a zero")
	}
	before := w.grown()
	people := w.editor.KeyedByPeople()
	for pos := start + 4; pos < end-1; {
		if pos, err = w.element(pos, end-1, at, people, nest); err != nil {
			return 0, err
		}
	}
	if grown := w.grown() - before; grown != 0 {
		length += grown
		if length > longest {
			return 0, w.wrong(start, "a document that would grow beyond what BSON holds")
		}
		// Something behind the length was changed, so the length is written by now.
		binary.LittleEndian.PutUint32(w.dst[w.base+start+before:], uint32(length))
	}
	return end, nil
}

// longest is what the length of a document can say.
const longest = 1<<31 - 1

// element walks through one member of an object, which ends before limit.
func (w *walk) element(start, limit int, at jsonedit.Place, people bool, nest int) (end int, err error) {
	kind := w.src[start]
	name := bytes.IndexByte(w.src[start+1:limit], 0)
	if name < 0 {
		return 0, w.wrong(start, "a field whose name does not end")
	}
	key := w.src[start+1 : start+1+name]
	pos := start + 1 + name + 1
	if !utf8.Valid(key) {
		return 0, w.wrong(start+1, "a name that is not UTF-8")
	}
	if end, err = w.end(kind, pos, limit); err != nil {
		return 0, err
	}
	to, renamed, drop := w.editor.Enter(at, key, people)
	if drop {
		if err := w.check(kind, pos, nest); err != nil {
			return 0, err
		}
		w.replace(start, end)
		return end, nil
	}
	defer w.editor.Leave()
	if renamed != "" {
		if bytes.IndexByte([]byte(renamed), 0) >= 0 {
			return 0, w.wrong(start+1, "a name that cannot be written")
		}
		w.replace(start+1, pos-1)
		w.dst = append(w.dst, renamed...)
	}
	switch kind {
	case typeDocument:
		_, err = w.document(pos, to, nest+1)
	case typeArray:
		err = w.list(pos, to, nest+1)
	default:
		w.name, w.listed = len(key), false
		if renamed != "" {
			w.name = len(renamed)
		}
		err = w.scalar(kind, pos, end, to)
	}
	return end, err
}

// list walks through an array: its places are no keys, and leave no trace in the
// path.
func (w *walk) list(start int, at jsonedit.Place, nest int) error {
	if nest >= jsonedit.MaxDepth {
		return w.wrong(start, "nested too deep")
	}
	length, _ := Length(w.src[start:]) // end has looked at it
	limit := start + length - 1
	before := w.grown()
	for pos := start + 4; pos < limit; {
		name := bytes.IndexByte(w.src[pos+1:limit], 0)
		if name < 0 {
			return w.wrong(pos, "a field whose name does not end")
		}
		if !placeInList(w.src[pos+1 : pos+1+name]) {
			return w.wrong(pos, "a list whose places are not numbers")
		}
		value := pos + 1 + name + 1
		end, err := w.end(w.src[pos], value, limit)
		if err != nil {
			return err
		}
		switch w.src[pos] {
		case typeDocument:
			_, err = w.document(value, at, nest+1)
		case typeArray:
			err = w.list(value, at, nest+1)
		default:
			w.name, w.listed = name, true
			err = w.scalar(w.src[pos], value, end, at)
		}
		if err != nil {
			return err
		}
		pos = end
	}
	if grown := w.grown() - before; grown != 0 {
		binary.LittleEndian.PutUint32(w.dst[w.base+start+before:], uint32(length+grown))
	}
	return nil
}

// placeInList accepts what counts the elements of a list: keys that could say
// more are refused, because no rule looks at them.
func placeInList(key []byte) bool {
	for _, c := range key {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(key) > 0 && len(key) <= 10
}

// check walks through a value that is dropped.
func (w *walk) check(kind byte, pos, nest int) error {
	if kind != typeDocument && kind != typeArray {
		return nil // end has looked at it
	}
	if nest+1 >= jsonedit.MaxDepth {
		return w.wrong(pos, "nested too deep")
	}
	length, _ := Length(w.src[pos:])
	limit := pos + length - 1
	for pos += 4; pos < limit; {
		name := bytes.IndexByte(w.src[pos+1:limit], 0)
		if name < 0 {
			return w.wrong(pos, "a field whose name does not end")
		}
		value := pos + 1 + name + 1
		end, err := w.end(w.src[pos], value, limit)
		if err == nil {
			err = w.check(w.src[pos], value, nest+1)
		}
		if err != nil {
			return err
		}
		pos = end
	}
	return nil
}

// end returns where a value ends, which is inside limit.
func (w *walk) end(kind byte, pos, limit int) (int, error) {
	size := 0
	switch kind {
	case typeNull, typeUndefined, typeMinKey, typeMaxKey:
	case typeBoolean:
		size = 1
	case typeInt32:
		size = 4
	case typeDouble, typeDate, typeInt64, typeTimestamp:
		size = 8
	case typeObjectID:
		size = 12
	case typeDecimal:
		size = 16
	case typeString, typeCode, typeSymbol, typeBinary, typeDocument, typeArray:
		return w.measured(kind, pos, limit)
	case typeRegex:
		for range 2 {
			i := bytes.IndexByte(w.src[pos:limit], 0)
			if i < 0 {
				return 0, w.wrong(pos, "an expression that does not end")
			}
			pos += i + 1
		}
		return pos, nil
	case typePointer, typeScopedCode:
		return 0, w.wrong(pos, "a value of a type that no forum has: a pointer or a program")
	default:
		return 0, w.wrong(pos, "a value of no known type")
	}
	if size > limit-pos {
		return 0, w.wrong(pos, "a value that ends behind its document")
	}
	if kind == typeBoolean && w.src[pos] > 1 {
		return 0, w.wrong(pos, "a boolean that is neither true nor false")
	}
	return pos + size, nil
}

// measured returns where a value ends that begins with its length.
func (w *walk) measured(kind byte, pos, limit int) (int, error) {
	if limit-pos < 4 {
		return 0, w.wrong(pos, "a value that ends behind its document")
	}
	length := int(int32(binary.LittleEndian.Uint32(w.src[pos:])))
	least, whole := 1, length+4
	switch kind {
	case typeDocument, typeArray:
		least, whole = shortest, length
	case typeBinary:
		least, whole = 0, length+5
	}
	if length < least || whole > limit-pos {
		return 0, w.wrong(pos, "a length that leads out of the document")
	}
	if kind != typeBinary && w.src[pos+whole-1] != 0 {
		return 0, w.wrong(pos+whole-1, "a value that does not end in a zero")
	}
	return pos + whole, nil
}
