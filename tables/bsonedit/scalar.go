package bsonedit

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"

	"anonymooc/tables/jsonedit"
)

// scalar lets the handler decide about the value src[pos:end], whose field's name
// has been walked over.
func (w *walk) scalar(kind byte, pos, end int, at jsonedit.Place) error {
	if kind == typeString || kind == typeSymbol || kind == typeCode {
		return w.string(kind, pos, end, at)
	}
	jsonType, wrapper, err := w.show(kind, pos, end)
	if err != nil {
		return err
	}
	at, inside := w.unwrap(at, wrapper[:])
	defer w.leave(inside)
	if inside < 0 {
		w.empty(kind, pos, end)
		return nil
	}
	return w.ask(kind, pos, end, at, jsonType, w.text, inside)
}

// unwrap enters the keys under which extended JSON has a value; inside is how
// many, or less than 0 when a rule drops one of them, and so the value.
func (w *walk) unwrap(at jsonedit.Place, keys []string) (to jsonedit.Place, inside int) {
	for _, key := range keys {
		if key == "" {
			break
		}
		to, _, drop := w.editor.Enter(at, []byte(key), false)
		if drop {
			w.leave(inside)
			return at, -1
		}
		at = to
		inside++
	}
	return at, inside
}

func (w *walk) leave(inside int) {
	for ; inside > 0; inside-- {
		w.editor.Leave()
	}
}

// ask puts what the handler says in the place of the value src[pos:end].
func (w *walk) ask(kind byte, pos, end int, at jsonedit.Place, t jsonedit.Type, text []byte, inside int) error {
	out, beside, outcome, err := w.editor.Ask(w.value[:0], at, t, text)
	if err != nil {
		return err
	}
	w.value = out[:0]
	isText := kind == typeString || kind == typeSymbol || kind == typeCode
	switch {
	case outcome == jsonedit.Replace && isText:
		w.writeString(pos, end, out)
	case outcome == jsonedit.Replace:
		w.write(kind, pos, end, out)
	case outcome == jsonedit.Raw:
		if err := w.raw(pos, end, out); err != nil {
			return err
		}
	case outcome == jsonedit.Empty && isText:
		w.writeString(pos, end, nil)
	case outcome == jsonedit.Empty:
		w.empty(kind, pos, end)
	}
	if inside > 0 {
		return nil
	}
	return w.besides(end, beside)
}

// show writes a value as extended JSON has it into text, and tells under which
// keys it stands there: what the rules see is the same in both notations.
func (w *walk) show(kind byte, pos, end int) (t jsonedit.Type, wrapper [2]string, err error) {
	v := w.src[pos:end]
	w.text = w.text[:0]
	switch kind {
	case typeNull, typeUndefined:
		w.text = append(w.text, "null"...)
		return jsonedit.Null, wrapper, nil
	case typeBoolean:
		w.text = strconv.AppendBool(w.text, v[0] == 1)
		return jsonedit.Bool, wrapper, nil
	case typeInt32:
		w.text = strconv.AppendInt(w.text, int64(int32(binary.LittleEndian.Uint32(v))), 10)
		return jsonedit.Number, wrapper, nil
	case typeInt64:
		w.text = strconv.AppendInt(w.text, int64(binary.LittleEndian.Uint64(v)), 10)
		return jsonedit.Number, wrapper, nil
	case typeDouble:
		w.text = appendDouble(w.text, math.Float64frombits(binary.LittleEndian.Uint64(v)))
		return jsonedit.Number, wrapper, nil
	case typeObjectID:
		w.text = hex.AppendEncode(w.text, v)
		return jsonedit.String, [2]string{"$oid"}, nil
	case typeDate:
		w.text = strconv.AppendInt(w.text, int64(binary.LittleEndian.Uint64(v)), 10)
		return jsonedit.Number, [2]string{"$date"}, nil
	case typeTimestamp: // the second, then the ordinal in it
		w.text = strconv.AppendUint(w.text, uint64(binary.LittleEndian.Uint32(v[4:])), 10)
		return jsonedit.Number, [2]string{"$timestamp", "t"}, nil
	case typeDecimal:
		d := bson.NewDecimal128(binary.LittleEndian.Uint64(v[8:]), binary.LittleEndian.Uint64(v))
		w.text = append(w.text, d.String()...)
		return jsonedit.String, [2]string{"$numberDecimal"}, nil
	case typeBinary:
		if isUUID(v) {
			w.text = appendUUID(w.text, v[5:])
			return jsonedit.String, [2]string{"$uuid"}, nil
		}
		w.text = base64.StdEncoding.AppendEncode(w.text, v[5:])
		return jsonedit.String, [2]string{"$binary", "base64"}, nil
	case typeRegex:
		if !utf8.Valid(v) {
			return 0, wrapper, w.wrong(pos, "a text that is not UTF-8")
		}
		w.text = append(w.text, v...)
		return jsonedit.String, [2]string{"$regularExpression", "pattern"}, nil
	case typeMinKey:
		w.text = append(w.text, '1')
		return jsonedit.Number, [2]string{"$minKey"}, nil
	}
	w.text = append(w.text, '1')
	return jsonedit.Number, [2]string{"$maxKey"}, nil
}

// appendDouble spells a number so that it reads as a double again: 7.0, not 7.
func appendDouble(dst []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(dst, "NaN"...)
	case math.IsInf(x, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(x, -1):
		return append(dst, "-Infinity"...)
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return append(strconv.AppendInt(dst, int64(x), 10), ".0"...)
	}
	return strconv.AppendFloat(dst, x, 'g', -1, 64)
}

// isUUID recognises the subtypes of UUIDs.
func isUUID(v []byte) bool { return len(v) == 5+16 && (v[4] == 3 || v[4] == 4) }

func appendUUID(dst, v []byte) []byte {
	for i, part := range [...][]byte{v[:4], v[4:6], v[6:8], v[8:10], v[10:]} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, part)
	}
	return dst
}

// string treats a text, and JSON that stands in it.
func (w *walk) string(kind byte, pos, end int, at jsonedit.Place) error {
	text := w.src[pos+4 : end-1]
	if !utf8.Valid(text) {
		return w.wrong(pos+4, "a text that is not UTF-8")
	}
	wrapper := [1]string{}
	switch kind {
	case typeSymbol:
		wrapper[0] = "$symbol"
	case typeCode:
		wrapper[0] = "$code"
	}
	at, inside := w.unwrap(at, wrapper[:])
	defer w.leave(inside)
	if inside < 0 {
		w.writeString(pos, end, nil)
		return nil
	}
	edited, done, err := w.editor.Embedded(at, text)
	if err != nil {
		return err
	}
	if !done {
		return w.ask(kind, pos, end, at, jsonedit.String, text, inside)
	}
	if edited != nil {
		w.writeString(pos, end, edited)
	}
	return nil
}

// writeString puts a text in the place of another.
func (w *walk) writeString(pos, end int, text []byte) {
	w.replace(pos, end)
	w.appendString(text)
}

func (w *walk) appendString(text []byte) {
	w.dst = binary.LittleEndian.AppendUint32(w.dst, uint32(len(text)+1))
	w.dst = append(append(w.dst, text...), 0)
}

// write puts the handler's text in the place of a value, in the value's type. A
// null becomes a text, as in JSON; what does not fit its type becomes null.
func (w *walk) write(kind byte, pos, end int, text []byte) {
	switch kind {
	case typeNull, typeUndefined:
		w.retype(pos, end, typeString)
		w.appendString(text)
		return
	case typeInt32, typeInt64, typeDouble:
		if w.writeNumber(kind, pos, end, text) {
			return
		}
	case typeBoolean:
		if value, err := strconv.ParseBool(string(text)); err == nil {
			w.replace(pos, end)
			w.dst = append(w.dst, 0)
			if value {
				w.dst[len(w.dst)-1] = 1
			}
			return
		}
	case typeDate:
		if ms, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			w.replace(pos, end)
			w.dst = binary.LittleEndian.AppendUint64(w.dst, uint64(ms))
			return
		}
	case typeObjectID:
		if id, err := hex.DecodeString(string(text)); err == nil && len(id) == 12 {
			w.replace(pos, end)
			w.dst = append(w.dst, id...)
			return
		}
	case typeBinary:
		id, err := hex.DecodeString(strings.ReplaceAll(string(text), "-", ""))
		if err == nil && len(id) == 16 && isUUID(w.src[pos:end]) {
			w.replace(pos+5, end)
			w.dst = append(w.dst, id...)
			return
		}
	case typeDecimal:
		if d, err := bson.ParseDecimal128(string(text)); err == nil {
			high, low := d.GetBytes()
			w.replace(pos, end)
			w.dst = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(w.dst, low), high)
			return
		}
	}
	w.empty(kind, pos, end)
}

// writeNumber puts a number in the place of another; one that its type does not
// hold takes the next wider.
func (w *walk) writeNumber(kind byte, pos, end int, text []byte) bool {
	if number, err := strconv.ParseInt(string(text), 10, 64); err == nil && kind != typeDouble {
		if kind == typeInt32 && number == int64(int32(number)) {
			w.replace(pos, end)
			w.dst = binary.LittleEndian.AppendUint32(w.dst, uint32(number))
			return true
		}
		if kind == typeInt32 {
			w.retype(pos, end, typeInt64)
		} else {
			w.replace(pos, end)
		}
		w.dst = binary.LittleEndian.AppendUint64(w.dst, uint64(number))
		return true
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return false
	}
	if kind == typeDouble {
		w.replace(pos, end)
	} else {
		w.retype(pos, end, typeDouble)
	}
	w.dst = binary.LittleEndian.AppendUint64(w.dst, math.Float64bits(x))
	return true
}

// empty leaves null, which says nothing.
func (w *walk) empty(kind byte, pos, end int) {
	if kind != typeNull && kind != typeUndefined {
		w.retype(pos, end, typeNull)
	}
}

// retype writes the element's name under another type and leaves out its value,
// src[pos:end].
func (w *walk) retype(pos, end int, kind byte) {
	w.replace(pos, end)
	w.dst[len(w.dst)-1-w.name-1] = kind
}

// raw puts JSON in the place of a value.
func (w *walk) raw(pos, end int, text []byte) error {
	document, err := fromJSON([]byte(`{"v":`), text)
	if err != nil {
		return w.wrong(pos, "a value that cannot be written as BSON")
	}
	value := document.Lookup("v")
	w.retype(pos, end, byte(value.Type))
	w.dst = append(w.dst, value.Value...)
	return nil
}

// besides writes JSON members behind the element that ends at end.
func (w *walk) besides(end int, members []byte) error {
	if len(members) == 0 || w.listed {
		return nil
	}
	document, err := fromJSON([]byte{'{'}, members)
	if err != nil {
		return w.wrong(end, "a value that cannot be written as BSON")
	}
	w.replace(end, end)
	w.dst = append(w.dst, document[4:len(document)-1]...)
	return nil
}

// fromJSON reads members of an object, which an action wrote.
func fromJSON(opening, members []byte) (bson.Raw, error) {
	var d bson.D
	if err := bson.UnmarshalExtJSON(append(append(opening, members...), '}'), false, &d); err != nil {
		return nil, err
	}
	document, err := bson.Marshal(d)
	return document, err
}
