// Package jsonedit changes values inside JSON text and leaves every other byte
// as it was: key order, white space, number spelling and escapes.
//
// One pass over the text does everything: it checks the syntax, follows the
// compiled Paths, asks a Handler about each scalar and copies the stretches
// between changed values as they are.
//
//	src  {"username": "bob", "event": "{\"user\": \"amy\"}", "time": "…"}
//	       │            │        └ embedded: edited by the same paths, one level down
//	       │            └ Handler.Value → replaced in place
//	       └ Handler.Key, only for keys that no path names
//
// A log line may have been cut by the logger: an embedded text that ends in the
// middle, or is broken there, keeps what was whole and loses the rest, and is
// counted.
// Nothing that could not be read is passed on.
//
// Beyond RFC 8259 the literals NaN, Infinity and -Infinity are read, because
// Python writes them; duplicate keys are each treated as they come.
package jsonedit

import (
	"bytes"
	"errors"
	"fmt"
)

// MaxDepth is how deep objects, lists and embedded texts may nest.
const MaxDepth = 256

// Type is the JSON type of a scalar.
type Type uint8

// The types of a scalar.
const (
	String Type = iota
	Number
	Bool
	Null
)

// Scalar is one value that is neither an object nor a list. It is small enough for
// the processor's registers, in which it goes to the Handler.
type Scalar struct {
	Text []byte // a string without quotes and escapes, else the spelling; valid during the call only
	*Spot
}

// Spot is what else there is to know of a scalar; valid during the call only.
type Spot struct {
	Type Type
	Path *Path // where it stands
	Note *byte // the Handler's own, kept with the path and 0 at first; nil where paths are not kept
}

// Outcome says what a Handler made of a scalar.
type Outcome uint8

// The outcomes of Handler.Value.
const (
	Keep    Outcome = iota // leave the bytes as they are
	Replace                // what was appended to dst is the new text; the type stays (text for a null becomes a string)
	Raw                    // what was appended to dst is JSON and takes the value's place
	Empty                  // "" for a string, null for anything else
)

// Handler decides about the scalars and the keys. Both calls append to dst and
// return it. An error ends the edit; it must hold no value.
type Handler interface {
	// Value treats one scalar under a rule. It may also return members to be
	// written behind the value (`"geo": {…}`, without a leading comma), which
	// is only heeded in an object.
	Value(dst []byte, rule Rule, s Scalar) (out []byte, beside []byte, o Outcome, err error)
	// Key treats an object key that no path names; changed is false to keep it.
	// The answer is remembered: it must follow from the key alone, and from
	// whether the object is keyed by people.
	Key(dst []byte, key string, people bool) (out []byte, changed bool)
	// KeyedByPeople reports whether the keys of the object at a path are people.
	KeyedByPeople(path *Path) bool
}

// SyntaxError says where the text stopped being JSON.
type SyntaxError struct {
	Offset int    // bytes from the start of the text
	What   string // never holds any of the text
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not JSON at byte %d: %s", e.Offset+1, e.What)
}

var errCut = errors.New("text ends in the middle of a value")

// Editor edits one text after another. It is not safe for concurrent use.
type Editor struct {
	paths   *Paths
	handler Handler
	keys    [2]map[string]keyFate // what was found out about keys that no path names; the second of objects keyed by people
	root    *place
	places  int      // how many are kept
	passing []*place // places that are not kept, one a depth of objects
	levels  []*level // buffers, one a level of embedding
	skipper *Editor  // of what is dropped
	here    Path     // of the value that the handler is asked about
	spot    Spot     // likewise
	path    Path     // of a walk
	beside  []byte   // members to write behind the value just read
	cuts    int
}

type keyFate struct {
	node     *node
	replaced string
	changed  bool
}

// keyFates bounds the memory for keys that no path names: content ids, mostly.
const keyFates = 4096

type level struct {
	depth   int // of embedding
	src     []byte
	pos     int
	dst     []byte
	copied  int    // src[:copied] has been dealt with
	whole   int    // src[:whole] holds no value or key that was not read to its end
	inner   bool   // an embedded text, which may have lost its end
	scratch []byte // a string without its escapes
	value   []byte // what the handler made of it
}

// NewEditor makes an editor for one goroutine.
func NewEditor(paths *Paths, handler Handler) *Editor {
	return &Editor{
		paths: paths, handler: handler, keys: [2]map[string]keyFate{{}, {}},
		root: &place{kept: true, node: paths.root, rule: paths.otherwise, embedded: paths.EmbeddedEverywhere},
	}
}

// Cuts returns how many embedded texts had lost their end since the last call.
func (e *Editor) Cuts() int {
	n := e.cuts
	e.cuts = 0
	return n
}

// Edit appends the edited form of src, which is one JSON value with white space
// around it, to dst. On an error dst is returned as it came.
func (e *Editor) Edit(dst, src []byte) ([]byte, error) {
	l := e.level(0)
	l.begin(src, dst, false)
	e.beside = e.beside[:0]
	if err := e.document(l, e.root); err != nil {
		if errors.Is(err, errCut) {
			err = &SyntaxError{len(src), errCut.Error()}
		}
		return dst, err
	}
	out := append(l.dst, src[l.copied:]...)
	l.dst = nil
	return out, nil
}

func (e *Editor) level(depth int) *level {
	for len(e.levels) <= depth {
		e.levels = append(e.levels, &level{depth: len(e.levels)})
	}
	return e.levels[depth]
}

func (l *level) begin(src, dst []byte, inner bool) {
	l.src, l.pos, l.dst, l.copied, l.whole, l.inner = src, 0, dst, 0, 0, inner
}

// document reads one value and white space up to the end of the text.
func (e *Editor) document(l *level, at *place) error {
	l.space()
	if err := e.value(l, 0, at); err != nil {
		return err
	}
	l.space()
	if l.pos != len(l.src) {
		return l.syntax("more than one value")
	}
	return nil
}

func (l *level) syntax(what string) error { return &SyntaxError{l.pos, what} }

// space moves to the next byte that is not white space.
func (l *level) space() {
	for l.pos < len(l.src) {
		switch l.src[l.pos] {
		case ' ', '\t', '\n', '\r':
			l.pos++
		default:
			return
		}
	}
}

// replace writes everything up to from as it was and goes on behind to.
func (l *level) replace(from, to int) {
	l.dst = append(l.dst, l.src[l.copied:from]...)
	l.copied = to
}

// value reads any value; nest counts objects and lists around it.
func (e *Editor) value(l *level, nest int, at *place) error {
	if l.pos >= len(l.src) {
		return errCut
	}
	var err error
	switch c := l.src[l.pos]; {
	case c == '"':
		err = e.stringValue(l, at)
	case c != '{' && c != '[':
		err = e.literal(l, at)
	case l.depth+nest >= MaxDepth:
		err = l.syntax("nested too deep")
	case c == '{':
		err = e.object(l, nest+1, at)
	default:
		err = e.list(l, nest+1, at)
	}
	if err == nil {
		l.whole = l.pos
	}
	return err
}

// ask lets the handler decide about a scalar.
func (e *Editor) ask(l *level, kind Type, text []byte, at *place) (out []byte, outcome Outcome, err error) {
	e.here.bytes = at.path
	e.spot.Type, e.spot.Path, e.spot.Note = kind, &e.here, nil
	if at.kept {
		e.spot.Note = &at.note
	}
	out, beside, outcome, err := e.handler.Value(l.value[:0], at.rule, Scalar{text, &e.spot})
	if err != nil {
		return nil, Keep, err
	}
	l.value = out[:0]
	if len(beside) > 0 {
		e.beside = append(e.beside[:0], beside...)
	}
	return out, outcome, nil
}

// literal reads a number, true, false, null and Python's additions.
func (e *Editor) literal(l *level, at *place) error {
	start := l.pos
	kind, err := l.bare()
	if err != nil {
		return err
	}
	out, outcome, err := e.ask(l, kind, l.src[start:l.pos], at)
	if err != nil {
		return err
	}
	switch outcome {
	case Keep:
	case Replace:
		l.replace(start, l.pos)
		if kind == Null {
			l.dst = AppendQuoted(l.dst, out)
		} else {
			l.dst = append(l.dst, out...)
		}
	case Raw:
		l.replace(start, l.pos)
		l.dst = append(l.dst, out...)
	case Empty:
		l.replace(start, l.pos)
		l.dst = append(l.dst, "null"...)
	}
	return nil
}

// stringValue reads a string, follows what is embedded in it, and asks.
func (e *Editor) stringValue(l *level, at *place) error {
	start := l.pos
	text, escaped, err := l.text()
	if err != nil {
		return err
	}
	if escaped {
		l.scratch = unescape(l.scratch[:0], text)
		text = l.scratch
	}
	if at.embedded && looksLikeStart(text) {
		if done, err := e.embeddedString(l, at, text, start); done || err != nil {
			return err
		}
	}
	out, outcome, err := e.ask(l, String, text, at)
	if err != nil {
		return err
	}
	switch outcome {
	case Keep:
	case Replace:
		l.replace(start, l.pos)
		l.dst = AppendQuoted(l.dst, out)
	case Raw:
		l.replace(start, l.pos)
		l.dst = append(l.dst, out...)
	case Empty:
		l.replace(start, l.pos)
		l.dst = append(l.dst, `""`...)
	}
	return nil
}

// embeddedString edits JSON that stands in a string. done is false when the string
// is no JSON and is the handler's to treat.
func (e *Editor) embeddedString(l *level, at *place, text []byte, start int) (done bool, err error) {
	edited, done, err := e.inside(l.depth+1, at, text)
	if edited != nil && err == nil {
		l.replace(start, l.pos)
		l.dst = AppendQuoted(l.dst, edited)
	}
	return done, err
}

// inside edits a text that holds JSON on a level of its own; edited is nil when
// nothing was changed.
func (e *Editor) inside(depth int, at *place, text []byte) (edited []byte, done bool, err error) {
	if !LooksEmbedded(text) || depth >= MaxDepth {
		return nil, false, nil
	}
	inner := e.level(depth)
	inner.begin(text, append(inner.dst[:0], 0)[:0], true)
	if err := e.document(inner, at); err != nil {
		return e.cutShort(inner, text, err)
	}
	if inner.copied == 0 {
		return nil, true, nil // nothing changed: the bytes stay as they are
	}
	inner.dst = append(inner.dst, text[inner.copied:]...)
	return inner.dst, true, nil
}

// cutShort leaves of an embedded text what was whole.
func (e *Editor) cutShort(inner *level, text []byte, err error) (edited []byte, done bool, _ error) {
	var syntax *SyntaxError
	switch broken := errors.As(err, &syntax); {
	case broken && text[0] == '[':
		return nil, false, nil // "[2] see below" is a text
	case !broken && !errors.Is(err, errCut):
		return nil, true, err
	}
	e.cuts++
	inner.replace(max(inner.whole, inner.copied), len(text))
	return inner.dst, true, nil
}

// looksLikeStart rules out by far the most texts by their first byte.
func looksLikeStart(text []byte) bool {
	return len(text) >= 2 && (text[0] <= '"' || text[0] == '{' || text[0] == '[')
}

// LooksEmbedded reports whether a text starts like a JSON object, like a list,
// or like a JSON string that holds one of them.
func LooksEmbedded(text []byte) bool {
	if !looksLikeStart(text) {
		return false
	}
	t := bytes.TrimLeft(text, " \t\r\n")
	if len(t) < 2 {
		return false
	}
	next := bytes.TrimLeft(t[1:], " \t\r\n")
	switch t[0] {
	case '{':
		return len(next) == 0 || next[0] == '"' || next[0] == '}'
	case '[':
		return len(next) > 0 && bytes.IndexByte([]byte(`"{[]-0123456789tfnN`), next[0]) >= 0
	case '"':
		return len(next) > 0 && (next[0] == '{' || next[0] == '[' || next[0] == '\\')
	}
	return false
}
