package sample

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A template is a line, a cell or a sentence with slots: ${user_id},
// ${other.first!upper}, ${n:10}, ${pick:html5|mobile}. It is compiled once and
// rendered millions of times.
//
//	${who.name:argument!alteration}
//
// who is other or third; without it the slot speaks of the acting person.
type template struct {
	parts []part
}

// part is a literal or a slot.
type part struct {
	literal string
	slot    *slot // nil for a literal
	who     who
	number  int      // ${n:10}
	choices []string // ${pick:a|b}
	alter   alteration
	altered string // the alteration's name, for the canaries
	where   string // JSON path of the slot inside the template
	before  string // the word before the slot, with what stands between
	bridged bool   // only what stands between: the word before is a slot's
	alone   bool   // the slot is a whole JSON string or a whole cell
}

// who says which of a scene's people a slot speaks of.
type who uint8

const (
	theActor who = iota
	theOther
	theThird
)

// encoding says how a slot's value is written where it stands.
type encoding uint8

const (
	plain    encoding = iota // as it is
	jsonText                 // inside a JSON string
	percent                  // inside a URL or a query string
)

// compile reads a template. Unknown slots and alterations are errors, so that
// a test that compiles all of them proves they are spelled right.
func compile(source string) (*template, error) {
	t := &template{}
	var path jsonPath
	for rest := source; rest != ""; {
		literal, tail, found := strings.Cut(rest, "${")
		if literal != "" {
			t.parts = append(t.parts, part{literal: literal})
			path.read(literal)
		}
		if !found {
			break
		}
		inside, after, closed := strings.Cut(tail, "}")
		if !closed {
			return nil, fmt.Errorf("sample: template %q: slot is not closed", source)
		}
		p, err := compileSlot(inside)
		if err != nil {
			return nil, fmt.Errorf("sample: template %q: %w", source, err)
		}
		p.where = path.String()
		if strings.HasPrefix(after, `":`) { // the slot is a key: it stands for what holds the object
			p.where = path.parent()
		}
		p.before, p.bridged = lastWord(literal), len(t.parts) > 1 && !strings.ContainsFunc(literal, isWordRune)
		p.alone = fills(source, literal, after, path.inString)
		if p.bridged {
			p.before = literal
		}
		t.parts = append(t.parts, p)
		rest = after
	}
	return t, nil
}

// fills reports whether a slot between two literals is a whole cell, a whole
// JSON string or a number of its own.
func fills(source, before, after string, inString bool) bool {
	if inString {
		return strings.HasSuffix(before, `"`) && (strings.HasPrefix(after, `"`) || strings.HasPrefix(after, `\"`))
	}
	if before == "" || after == "" {
		return before == after && strings.Count(source, "${") == 1
	}
	before = strings.TrimRight(before, " ")
	return before != "" && strings.ContainsAny(before[len(before)-1:], ":[,") && strings.ContainsAny(after[:1], ",}]")
}

func compileSlot(inside string) (part, error) {
	var p part
	name, altered, _ := strings.Cut(inside, "!")
	name, argument, _ := strings.Cut(name, ":")
	if rest, ok := strings.CutPrefix(name, "other."); ok {
		p.who, name = theOther, rest
	} else if rest, ok := strings.CutPrefix(name, "third."); ok {
		p.who, name = theThird, rest
	}
	s, ok := slots[name]
	if !ok {
		return p, fmt.Errorf("no slot is called %q", name)
	}
	p.slot = &s
	if altered != "" {
		if p.alter, ok = alterations[altered]; !ok {
			return p, fmt.Errorf("no alteration is called %q", altered)
		}
		p.altered = altered
	}
	p.choices = strings.Split(argument, "|")
	if n, err := strconv.Atoi(argument); err == nil {
		p.number = n
	}
	return p, nil
}

// jsonPath follows the keys of the JSON text it reads, so that a slot knows
// the path under which its value will stand.
type jsonPath struct {
	keys     []string
	inString bool
	escaped  bool
	text     []byte // the string being read
}

func (j *jsonPath) read(literal string) {
	for i := 0; i < len(literal); i++ {
		c := literal[i]
		switch {
		case j.inString && j.escaped:
			j.escaped = false
			j.text = append(j.text, c)
		case j.inString && c == '\\':
			j.escaped = true
		case c == '"':
			if !j.inString {
				j.text = j.text[:0]
			}
			j.inString = !j.inString
		case j.inString:
			j.text = append(j.text, c)
		case c == ':' && len(j.keys) > 0:
			j.keys[len(j.keys)-1] = string(j.text)
		case c == '{':
			j.keys = append(j.keys, "")
		case c == '[':
			j.keys = append(j.keys, "[]")
		case (c == '}' || c == ']') && len(j.keys) > 0:
			j.keys = j.keys[:len(j.keys)-1]
		}
	}
}

// parent gives the path of the object whose key is being read.
func (j *jsonPath) parent() string {
	above := jsonPath{keys: j.keys[:max(0, len(j.keys)-1)]}
	return above.String()
}

// String gives "POST.email" or "users[].username".
func (j *jsonPath) String() string {
	var b strings.Builder
	for _, key := range j.keys {
		if key != "" && key != "[]" && b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(key)
	}
	return b.String()
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// lastWord gives the last word of text with what follows it: "Merci " of
// "Oui ! Merci ".
func lastWord(text string) string {
	end := len(text)
	for end > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if isWordRune(r) {
			break
		}
		end -= size
	}
	start := end
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:start])
		if !isWordRune(r) {
			break
		}
		start -= size
	}
	if start == end {
		return ""
	}
	return text[start:]
}

// render appends the template, filled from the scene, to dst. Literals are
// written as they are; the values of slots are encoded for where they stand.
func (s *scene) render(dst []byte, t *template, enc encoding) []byte {
	var previous string // value of the slot before, when canaries are planted
	for i := range t.parts {
		p := &t.parts[i]
		if p.slot == nil {
			dst = append(dst, p.literal...)
			continue
		}
		s.previous = previous
		dst = s.renderSlot(dst, p, enc)
		previous = s.previous
	}
	return dst
}

// renderSlot fills one slot. A slot may render templates in turn (a payload
// holds sentences, which hold names), so each depth has a buffer of its own.
func (s *scene) renderSlot(dst []byte, p *part, enc encoding) []byte {
	place, depth, previous := s.place, s.depth, s.previous
	if p.slot.text {
		s.place = join(place, p.where)
	}
	if depth == len(s.buffers) {
		s.buffers = append(s.buffers, nil)
	}
	s.depth++
	value := p.slot.fill(s, s.person(p.who), p, s.buffers[depth][:0])
	s.place, s.depth = place, depth

	if !p.alter.encodes && p.alter.change != nil {
		value = p.alter.change(s, value)
	}
	if s.plant != nil {
		if p.slot.kind != "" {
			s.record(p, value, previous)
		}
		s.previous = string(value)
	}
	if p.alter.encodes {
		value = p.alter.change(s, value)
	}
	s.buffers[depth] = value
	return appendEncoded(dst, value, enc, p.slot.raw || p.alter.escapes, s.ascii)
}

// join puts a path below a place: "event" and "POST.email".
func join(place, path string) string {
	if place == "" || path == "" {
		return place + path
	}
	return place + "." + path
}

// appendEncoded writes value as enc asks; raw values bring their own encoding.
func appendEncoded(dst, value []byte, enc encoding, raw, ascii bool) []byte {
	switch {
	case raw || enc == plain:
		return append(dst, value...)
	case enc == jsonText:
		return appendJSON(dst, value, ascii)
	default:
		return appendPercent(dst, value)
	}
}
