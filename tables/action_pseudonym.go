package tables

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"anonymooc/idmap"
	"anonymooc/tables/jsonedit"
)

func pseudonymSpec() Spec {
	return Spec{
		Name: "pseudonym", Family: "pseudonymise", Summary: "put the person's pseudonym",
		Doc: `Kind says what the value is, and so what is written:
  user_id       a number of ten digits, the person's pseudonym
  username      "u" and that number
  email         that username at example.invalid
  anonymous_id  as many hexadecimal digits as before, one value a person and course
  hash_id       likewise
  person        whichever of these the value looks like (forms of instructors take a name or an e-mail)
A number stays a number and a string a string. Empty values and NULL stay. A value that cannot be of its kind is emptied and counted.`,
		Settings: []Setting{{Name: "kind", Meaning: "user_id, username, email, anonymous_id, hash_id or person", Required: true}},
		Example:  "{column: user_id, action: pseudonym, kind: user_id, role: direct identifier, why: joins the tables}",
		New: func(c *Column) (Action, error) {
			if c.Kind == personKind {
				return pseudonym{any: true}, nil
			}
			kind, err := parseKind(c.Kind)
			return pseudonym{kind: kind}, err
		},
	}
}

// pseudonym replaces an identifier of a person by what the id map holds for it.
type pseudonym struct {
	kind idmap.Kind
	any  bool // the kind is read off the value
}

func (a pseudonym) Apply(w *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.null() {
		return dst, Kept, nil
	}
	if c.Type == jsonedit.Bool {
		return dst, Failed, nil
	}
	kind := a.kind
	if a.any {
		if kind = w.guessKind(c.Text); c.Type == jsonedit.Number {
			kind = idmap.UserID
		}
	}
	return w.pseudonym(dst, kind, c)
}

// guessKind tells what kind of identifier a value is by what is known and, for
// somebody unknown, by its shape.
func (w *Worker) guessKind(text []byte) idmap.Kind {
	if _, ok := w.ids.Known(idmap.Username, text); ok && !digitsOnly(text) {
		return idmap.Username
	}
	switch {
	case digitsOnly(text):
		return idmap.UserID
	case looksEmail(text):
		return idmap.Email
	case len(text) == 32 && hexOnly(text):
		return idmap.AnonymousID
	}
	return idmap.Username
}

// longestIdentifier is what the id map takes: usernames end at 150 characters,
// e-mail addresses at 254. Anything longer is a damaged value.
const longestIdentifier = 1024

// pseudonym appends what a release shows for an identifier.
func (w *Worker) pseudonym(dst []byte, kind idmap.Kind, c Cell) ([]byte, Effect, error) {
	text := bytes.TrimSpace(c.Text)
	if len(text) == 0 || len(text) > longestIdentifier {
		return dst, Failed, nil
	}
	switch kind {
	case idmap.UserID:
		digits, fraction, ok := UserID(text)
		if !ok {
			return dst, Failed, nil
		}
		p, err := w.person(kind, digits)
		if err != nil {
			effect, err := w.forgotten(err)
			return dst, effect, err
		}
		w.note(p)
		dst = strconv.AppendUint(dst, uint64(p), 10)
		return append(dst, fraction...), Changed, nil
	case idmap.AnonymousID, idmap.HashID:
		token, err := w.anonymousID(kind, text)
		if err != nil {
			effect, err := w.forgotten(err)
			return dst, effect, err
		}
		return appendToken(dst, token, text), Changed, nil
	}
	p, err := w.person(kind, text)
	if err != nil {
		effect, err := w.forgotten(err)
		return dst, effect, err
	}
	w.note(p)
	if c.Type == jsonedit.Number {
		return strconv.AppendUint(dst, uint64(p), 10), Changed, nil
	}
	dst = append(dst, 'u')
	dst = strconv.AppendUint(dst, uint64(p), 10)
	if kind == idmap.Email {
		dst = append(dst, mailDomain...)
	}
	return dst, Changed, nil
}

// anonymousID returns the surrogate of one of a person's own ids, and notes them.
func (w *Worker) anonymousID(kind idmap.Kind, value []byte) ([16]byte, error) {
	if a := w.answer; a != nil {
		if p, known := a.Known(); known {
			w.note(p)
		}
		return w.ids.AnswerToken(a, kind, value)
	}
	if p, known := w.ids.Known(kind, value); known {
		w.note(p)
	}
	return w.ids.Token(idmap.AnonymousID.String(), value)
}

// person resolves an identifier, or draws a pseudonym for somebody never met. A
// person who was erased has none, or one that leads to nobody, as the run says.
func (w *Worker) person(kind idmap.Kind, value []byte) (idmap.Pseudonym, error) {
	var p idmap.Pseudonym
	var err error
	if w.answer != nil {
		p, err = w.answer.Person()
	} else {
		p, err = w.ids.Person(kind, value)
	}
	if w.session.Forgotten == "orphan" && errors.Is(err, idmap.ErrForgotten) {
		return w.ids.Orphan(kind, value)
	}
	return p, err
}

// Identifier reads a cell as an identifier of a kind, as every part of a run must:
// ok is false for what cannot be one.
func (c Cell) Identifier(kind idmap.Kind) (value []byte, ok bool) {
	if c.Type == jsonedit.Bool || c.null() {
		return nil, false
	}
	if kind == idmap.UserID {
		digits, _, ok := UserID(c.Text)
		return digits, ok
	}
	text := bytes.TrimSpace(c.Text)
	return text, len(text) > 0 && len(text) <= longestIdentifier
}

// UserID reads a user id as every part of a run must: without white space and
// leading zeros, and without the ".0" that a spreadsheet adds, which is given
// back as fraction.
func UserID(text []byte) (digits []byte, fraction string, ok bool) {
	digits = bytes.TrimSpace(text)
	if d, cut := bytes.CutSuffix(digits, []byte(".0")); cut {
		digits, fraction = d, ".0"
	}
	digits = bytes.TrimLeft(digits, "0")
	return digits, fraction, digitsOnly(digits) && len(digits) <= 18
}

// note counts the person of the row at hand.
func (w *Worker) note(p idmap.Pseudonym) {
	if w.ownColumn {
		w.people.add(uint32(p))
	}
}

// mailDomain can never be anybody's (RFC 2606).
const mailDomain = "@example.invalid"

// appendToken writes a surrogate in the shape of what it stands for: as many
// hexadecimal digits, at least 8 and at most 32, with the dashes of a UUID.
func appendToken(dst []byte, token [16]byte, like []byte) []byte {
	var digits [32]byte
	hex.Encode(digits[:], token[:])
	if len(like) == 36 && like[8] == '-' && like[13] == '-' && like[18] == '-' && like[23] == '-' {
		return fmt.Appendf(dst, "%s-%s-%s-%s-%s", digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
	}
	return append(dst, digits[:min(max(len(like), 8), len(digits))]...)
}

func digitsOnly(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}

func hexOnly(text []byte) bool {
	for _, c := range text {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return len(text) > 0
}
