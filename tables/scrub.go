package tables

import (
	"bytes"
	_ "embed"
	"errors"
	neturl "net/url"
	"strings"
	"unicode/utf8"

	"anonymooc/idmap"
	"anonymooc/tables/geo"
)

//go:embed vocabulary.txt
var vocabularyFile string

// vocabulary are the words of the platform: see vocabulary.txt.
var vocabulary = func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(vocabularyFile) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			words[line] = true
		}
	}
	return words
}()

// scrub appends value without what names anyone: see scrubSpec. changed is false
// when the value may stay byte for byte.
func (w *Worker) scrub(dst, value []byte) (out []byte, changed bool, err error) {
	if w.session.Text != nil && mayHoldText(value) {
		return w.scrubAny(dst, value) // what the text engine says depends on who wrote it
	}
	return w.scrubs.do(dst, value, w.scrubAny)
}

// mayHoldText reports whether some part of a value could be treated as a text.
func mayHoldText(value []byte) bool { return bytes.ContainsAny(value, " \t\n<&=%+{") }

// scrubAny tells what a value is by its shape.
func (w *Worker) scrubAny(dst, value []byte) ([]byte, bool, error) {
	switch {
	case isTimestamp(value):
		return dst, false, nil
	case isQuery(value):
		return w.scrubQuery(dst, value)
	case isContentID(value) && !bytes.ContainsAny(value, "?# \t\n"):
		return dst, false, nil
	case isURL(value):
		return w.scrubURL(dst, value)
	case isProse(value) || value[0] == '{' && bytes.IndexByte(value, ':') > 0:
		// Nobody documented what stands here: a text is a text.
		out, effect, err := w.freeText(dst, value)
		return out, effect != Kept, err
	}
	if plain := unescapePercent(value); len(plain) < len(value) {
		out, changed, err := w.scrubWords(nil, plain, true)
		if err != nil || !changed {
			return dst, false, err
		}
		return append(dst, neturl.QueryEscape(string(out))...), true, nil
	}
	return w.scrubWords(dst, value, true)
}

// isTimestamp reports whether a value is a date, with or without a time of day:
// 2014-02-03, 2014-02-03T10:11:12.345678+00:00.
func isTimestamp(value []byte) bool {
	if len(value) < 10 || len(value) > 40 || value[4] != '-' || value[7] != '-' {
		return false
	}
	for i, c := range value {
		switch {
		case '0' <= c && c <= '9', i == 4, i == 7:
		case i < 10:
			return false
		case c != 'T' && c != 'Z' && c != ':' && c != '.' && c != '+' && c != '-' && c != ' ':
			return false
		}
	}
	return true
}

// isProse reports whether a value is running text: words with white space
// between them, two or more of them made of letters, or marked-up text.
func isProse(value []byte) bool {
	if markup := bytes.IndexAny(value, "<&"); markup >= 0 && bytes.IndexAny(value[markup:], ">;") > 0 {
		return true
	}
	words, single := 0, 0
	for field := range bytes.FieldsSeq(value) {
		letters := 0
		for _, c := range field {
			if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf {
				letters++
			}
		}
		switch {
		case letters == 1 && len(field) == 1:
			single++
		case 2*letters > len(field):
			words++
		}
	}
	return words >= 2 || single >= 3 // a name may be spelt out
}

// contentPrefixes begin the ids of courses and their parts.
var contentPrefixes = []string{
	"block-v1:", "course-v1:", "asset-v1:", "library-v1:", "lib-block:", "lib:", "program-v1:", "ccx-v1:", "ccx-block-v1:", "aside-usage-v1:", "aside-def-v1:", "def-v1:", "i4x:", "c4x:",
	"block-v1%3A", "course-v1%3A", "asset-v1%3A", "library-v1%3A", "i4x%3A", "i4x-", "input_i4x-", "block-v1%3a", "course-v1%3a", "asset-v1%3a",
}

func isContentID(value []byte) bool {
	if len(value) < 4 {
		return false
	}
	switch value[0] {
	case 'a', 'b', 'c', 'd', 'i', 'l', 'p':
	default:
		return false
	}
	for _, prefix := range contentPrefixes {
		if len(value) > len(prefix) && string(value[:len(prefix)]) == prefix {
			return true
		}
	}
	return false
}

// contentIDEnd returns where a content id that starts a text ends.
func contentIDEnd(text []byte) int {
	if i := bytes.IndexAny(text, " \t\r\n\"'<>?&#;,|)("); i >= 0 {
		return i
	}
	return len(text)
}

// edits collects replacements of spans of one text, left to right.
type edits struct {
	dst     []byte
	src     []byte
	copied  int
	changed bool
}

func (e *edits) replace(start, end int) {
	e.dst = append(e.dst, e.src[e.copied:start]...)
	e.copied, e.changed = end, true
}

func (e *edits) done() ([]byte, bool) {
	if !e.changed {
		return e.dst, false
	}
	return append(e.dst, e.src[e.copied:]...), true
}

// scrubWords treats a text word by word. A word is a run of the characters that
// usernames and e-mails are made of. With names, single words of known names are
// masked too.
func (w *Worker) scrubWords(dst, text []byte, names bool) ([]byte, bool, error) {
	e := edits{dst: dst, src: text}
	var spans []nameSpan
	if names {
		spans = w.session.Names.find(nil, text)
	}
	for i := 0; i < len(text); {
		if n := phoneLength(text, i); n > 0 {
			e.replace(i, i+n)
			e.dst = append(e.dst, redacted...)
			i += n
			continue
		}
		if !isNameByte(text[i]) {
			i++
			continue
		}
		if isContentID(text[i:]) {
			i += contentIDEnd(text[i:])
			continue
		}
		if addr, n := ipv6At(text, i); n > 0 {
			e.replace(i, i+n)
			var err error
			if e.dst, err = w.address(e.dst, addr); err != nil {
				return dst, false, err
			}
			i += n
			continue
		}
		end := i + 1
		for end < len(text) && isNameByte(text[end]) {
			end++
		}
		var err error
		if i, spans, err = w.scrubRun(&e, i, end, spans); err != nil {
			return dst, false, err
		}
	}
	out, changed := e.done()
	return out, changed, nil
}

// scrubRun treats the run src[start:end]: as a whole, else the names in it and
// what stands between them. It returns where to go on.
func (w *Worker) scrubRun(e *edits, start, end int, names []nameSpan) (int, []nameSpan, error) {
	for len(names) > 0 && names[0].end <= start {
		names = names[1:]
	}
	done, err := w.replaceWhole(e, start, end)
	if done || err != nil {
		return end, names, err
	}
	for len(names) > 0 && names[0].start < end {
		name := names[0]
		names = names[1:]
		if name.start < start {
			continue // part of what was replaced
		}
		if err := w.scrubWord(e, start, name.start); err != nil {
			return end, names, err
		}
		e.replace(name.start, name.end)
		e.dst = appendPerson(e.dst, name.person)
		start = name.end
	}
	if start >= end {
		return max(start, end), names, nil
	}
	return end, names, w.scrubWord(e, start, end)
}

// scrubWord treats src[start:end], trying the whole run first, then without the
// punctuation around it, then its parts.
func (w *Worker) scrubWord(e *edits, start, end int) error {
	if start >= end {
		return nil
	}
	if done, err := w.replaceWhole(e, start, end); done || err != nil {
		return err
	}
	for start < end && isEdge(e.src[start]) {
		start++
	}
	for end > start && isEdge(e.src[end-1]) {
		end--
	}
	if start == end {
		return nil
	}
	if done, err := w.replaceWhole(e, start, end); done || err != nil {
		return err
	}
	return w.scrubParts(e, start, end)
}

// joinedParts is how many parts of a word are tried together: star_lord77 in
// export_star_lord77.csv.
const joinedParts = 6

// scrubParts treats a word that is not known as a whole part by part, the longest
// run of parts first.
func (w *Worker) scrubParts(e *edits, start, end int) error {
	for i := start; i < end; {
		if isEdge(e.src[i]) {
			i++
			continue
		}
		var ends [joinedParts]int
		n := 0
		for at := i; at < end && n < joinedParts; n++ {
			for at < end && !isEdge(e.src[at]) {
				at++
			}
			ends[n] = at
			for at < end && isEdge(e.src[at]) {
				at++
			}
		}
		next := ends[0]
		for n--; n >= 0; n-- {
			// A part alone is weak evidence: short ones stay.
			if n == 0 && ends[0]-i < 4 || i == start && ends[n] == end {
				continue
			}
			done, err := w.replaceWhole(e, i, ends[n])
			if err != nil {
				return err
			}
			if done {
				next = ends[n]
				break
			}
		}
		i = next
	}
	return nil
}

// replaceWhole replaces src[start:end] if it is known or has a telling shape.
func (w *Worker) replaceWhole(e *edits, start, end int) (bool, error) {
	word := e.src[start:end]
	if len(word) == 0 || digitsOnly(word) {
		return false, nil
	}
	if p, ok := w.knownUsername(word); ok {
		e.replace(start, end)
		e.dst = appendPerson(e.dst, p)
		return true, nil
	}
	switch {
	case looksEmail(word) || w.knownMail(word):
		e.replace(start, end)
		e.dst = w.mailOf(e.dst, word)
		return true, nil
	case looksIPv4(word):
		if addr, ok := geo.ParseAddr(word); ok {
			e.replace(start, end)
			var err error
			e.dst, err = w.address(e.dst, addr)
			return true, err
		}
	case (len(word) == 32 || len(word) == 24) && hexOnly(word):
		return w.replaceHex(e, start, end)
	case w.hidesPerson(word):
		for end < len(e.src) && e.src[end] == '=' { // the padding goes along
			end++
		}
		e.replace(start, end)
		e.dst = append(e.dst, redacted...)
		return true, nil
	}
	return false, nil
}

// knownMail recognises addresses that look like none: root@intranet.
func (w *Worker) knownMail(word []byte) bool {
	if bytes.IndexByte(word, '@') < 1 {
		return false
	}
	_, known := w.ids.Known(idmap.Email, word)
	return known
}

// hidesPerson reports whether a word is base64 of a text that names someone.
func (w *Worker) hidesPerson(word []byte) bool {
	if len(word) < 6 {
		return false
	}
	plain, ok := base64Text(w.plain[:0], word)
	w.plain = plain[:0]
	if !ok {
		return false
	}
	// The text may itself hold base64: it keeps its own memory.
	_, changed, err := w.scrubWords(nil, bytes.Clone(plain), true)
	return changed || err != nil
}

// replaceHex replaces a known anonymous id, and any ObjectId: forum ids in
// events must follow those of the forum.
func (w *Worker) replaceHex(e *edits, start, end int) (bool, error) {
	word, space := e.src[start:end], ObjectIDSpace
	if len(word) == 32 {
		if _, known := w.ids.Known(idmap.AnonymousID, word); !known {
			return false, nil
		}
		space = idmap.AnonymousID.String()
	}
	token, err := w.ids.Token(space, word)
	if errors.Is(err, idmap.ErrForgotten) {
		e.replace(start, end)
		e.dst = append(e.dst, redacted...)
		return true, nil
	}
	if err != nil {
		return false, err
	}
	e.replace(start, end)
	e.dst = appendToken(e.dst, token, word)
	return true, nil
}

// ObjectIDSpace is the key space of MongoDB's ObjectIds.
const ObjectIDSpace = "object_id"

// knownUsername resolves a word that is somebody's username and not a word of
// the platform.
func (w *Worker) knownUsername(word []byte) (idmap.Pseudonym, bool) {
	if len(word) < 2 || len(word) > 254 {
		return 0, false
	}
	p, ok := w.ids.Known(idmap.Username, word)
	if ok && !looksEmail(word) && vocabulary[strings.ToLower(string(word))] {
		return 0, false
	}
	return p, ok
}

// mailOf writes the address of a known person, or one that is nobody's.
func (w *Worker) mailOf(dst, mail []byte) []byte {
	if p, ok := w.ids.Known(idmap.Email, mail); ok {
		return append(appendPerson(dst, p), mailDomain...)
	}
	return append(append(dst, "someone"...), mailDomain...)
}
