package sample

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// alteration rewrites a value the way people and programs do: in other letters, with a slip of the finger, encoded.
type alteration struct {
	change  func(s *scene, value []byte) []byte
	encodes bool // the same value, written in another code
	escapes bool // the code is JSON's: nothing more is to be escaped
}

// alterations is the list of them; it is only read.
var alterations = map[string]alteration{
	"upper": words(func(_ *scene, v string) string { return strings.ToUpper(v) }),
	"lower": words(func(_ *scene, v string) string { return strings.ToLower(v) }),
	// The slips of Reffay et al. 2012: a letter too few, one too many, one for
	// another, two neighbours in the wrong order.
	"misspelt":   words(misspell),
	"unaccented": words(func(_ *scene, v string) string { return unaccented(v) }),
	"elongated":  words(elongate),
	"spaced":     words(func(_ *scene, v string) string { return strings.Join(strings.Split(v, ""), " ") }),
	"initial":    words(func(_ *scene, v string) string { return firstLetter(v) + "." }),
	"entities":   code(words(entities)),
	"hyphened":   words(func(_ *scene, v string) string { return strings.ReplaceAll(strings.ToLower(v), " ", "-") }),
	"percent":    code(rewritten(func(_ *scene, dst, value []byte) []byte { return appendPercent(dst, value) })),
	"quoted":     code(rewritten(func(s *scene, dst, value []byte) []byte { return appendJSON(dst, value, s.ascii) })),
	"unicode":    {encodes: true, escapes: true, change: rewritten(appendUnicode).change},
	"slashes": {encodes: true, escapes: true, change: rewritten(func(_ *scene, dst, value []byte) []byte {
		return append(dst, bytes.ReplaceAll(value, []byte("/"), []byte(`\/`))...)
	}).change},
	"base64": code(rewritten(func(_ *scene, dst, value []byte) []byte {
		return base64.StdEncoding.AppendEncode(dst, value)
	})),
}

func words(change func(s *scene, value string) string) alteration {
	return alteration{change: func(s *scene, value []byte) []byte {
		return append(value[:0], change(s, string(value))...)
	}}
}

func rewritten(encode func(s *scene, dst, value []byte) []byte) alteration {
	return alteration{change: func(s *scene, value []byte) []byte {
		return encode(s, nil, value)
	}}
}

// code marks an alteration that writes the same value in another code.
func code(a alteration) alteration {
	a.encodes = true
	return a
}

// misspell makes one slip that leaves the first letter alone. Names of fewer
// than four letters stay: a slip would make another name.
func misspell(s *scene, value string) string {
	runes := []rune(value)
	if len(runes) < 4 {
		return value
	}
	at := 1 + s.rng.IntN(len(runes)-2)
	switch s.rng.IntN(4) {
	case 0:
		runes = append(runes[:at], runes[at+1:]...)
	case 1:
		runes = append(runes[:at+1], runes[at:]...)
	case 2:
		runes[at] = 'e'
	default:
		runes[at], runes[at+1] = runes[at+1], runes[at]
	}
	return string(runes)
}

// elongate repeats the last vowel: "Nicooooo".
func elongate(s *scene, value string) string {
	at := strings.LastIndexAny(value, "aeiouyéаеиоуя")
	if at < 0 {
		return value
	}
	_, size := utf8.DecodeRuneInString(value[at:])
	return value[:at] + strings.Repeat(value[at:at+size], 3+s.rng.IntN(3)) + value[at+size:]
}

func firstLetter(value string) string {
	r, _ := utf8.DecodeRuneInString(value)
	return string(unicode.ToUpper(r))
}

// entities writes the first letter and all that is not ASCII as HTML
// character references.
func entities(_ *scene, value string) string {
	var b strings.Builder
	for i, r := range value {
		switch {
		case r == 'é':
			b.WriteString("&eacute;")
		case i == 0 || r >= utf8.RuneSelf:
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// appendUnicode writes every character as \uXXXX.
func appendUnicode(_ *scene, dst, value []byte) []byte {
	for _, r := range string(value) {
		dst = appendJSONRune(dst, r)
	}
	return dst
}
