package tables

import (
	"bytes"
	"strconv"

	"anonymooc/tables/jsonedit"
)

func keySpec() Spec {
	return Spec{
		Name: "key", Family: "pseudonymise", Summary: "put a surrogate for a key that is not a person's",
		Doc: `Equal keys of one space get equal surrogates, so that joins survive; different spaces share none. A whole number becomes a whole number (ten digits from 1000000000 for keys below 1147483648, larger beyond), any other key as many hexadecimal digits as it had characters (8 to 32).
Empty values and NULL stay.`,
		Settings: []Setting{{Name: "space", Meaning: "name of the space: the table whose key it is, session, object_id …", Required: true}},
		Example:  "{column: id, action: key, space: auth_userprofile, why: joined by student_languageproficiency}",
		New:      func(c *Column) (Action, error) { return key{c.Space}, nil },
	}
}

// key replaces a row's key, a session, an ObjectId.
type key struct{ space string }

func (a key) Apply(w *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.null() {
		return dst, Kept, nil
	}
	if c.Type == jsonedit.Bool {
		return dst, Failed, nil
	}
	if w.row != 0 {
		return strconv.AppendUint(dst, w.row, 10), Changed, nil
	}
	text := bytes.TrimSpace(c.Text)
	if number, ok := parseKey(text); ok {
		return strconv.AppendUint(dst, w.ids.Row(a.space, number), 10), Changed, nil
	}
	if c.Type == jsonedit.Number {
		return dst, Failed, nil
	}
	token, err := w.ids.Token(a.space, text)
	if err != nil {
		effect, err := w.forgotten(err)
		return dst, effect, err
	}
	return appendToken(dst, token, text), Changed, nil
}

// parseKey reads a whole number without sign or leading zero, below 2^62.
func parseKey(text []byte) (uint64, bool) {
	if len(text) == 0 || len(text) > 18 || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	var n uint64
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, true
}
