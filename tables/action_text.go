package tables

import (
	"bytes"

	"anonymooc/tables/jsonedit"
)

func textSpec() Spec {
	return Spec{
		Name: "text", Family: "mask", Summary: "hand free text to the text engine",
		Doc:      `What happens is the run's text policy: drop empties the text, strict and reviewed let the forum plug-in mask in it. With choices, what the platform itself writes as an answer (choice_2, a short number, true) is no text and stays. Empty values, NULL, numbers and booleans stay.`,
		Settings: []Setting{{Name: "choices", Meaning: "true: answers of the form choice_2 and short numbers stay"}},
		Example:  "{column: goals, action: text, role: free text, why: written by the person}",
		New:      func(c *Column) (Action, error) { return text{c.Choices}, nil },
	}
}

// text lets the text engine treat a value, or empties it where there is none.
type text struct{ choices bool }

func (a text) Apply(w *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.null() || c.Type == jsonedit.Bool {
		return dst, Kept, nil
	}
	if a.choices && isChoice(c.Text) {
		return dst, Kept, nil
	}
	if c.Type == jsonedit.Number {
		if a.choices {
			return dst, Emptied, nil // too long for an answer: it may be a telephone
		}
		return dst, Kept, nil
	}
	return w.freeText(dst, c.Text)
}

// freeText treats a text where it stands.
func (w *Worker) freeText(dst, content []byte) ([]byte, Effect, error) {
	if w.session.Text == nil {
		return dst, Emptied, nil
	}
	place := w.place
	place.Field = w.field
	out, tally, err := w.session.Text.Treat(dst, content, place)
	if err != nil {
		return dst, Failed, err
	}
	counts := w.counts()
	counts.Masked += int64(tally.Masked)
	counts.Waiting += int64(tally.Waiting)
	counts.Decided += int64(tally.Kept)
	if !tally.Changed() {
		return dst, Kept, nil
	}
	return out, Changed, nil
}

// isChoice recognises what the platform writes for an answer that was picked and
// not written: choice_2, option-b, true, a number of up to six digits.
func isChoice(answer []byte) bool {
	if len(answer) <= 6 && digitsOnly(answer) {
		return true
	}
	if x, ok := parseNumber(answer); ok && len(answer) <= 8 && x < 1e6 && x > -1e6 {
		return true
	}
	switch string(answer) {
	case "true", "false", "True", "False", "None":
		return true
	}
	for _, prefix := range [...]string{"choice", "option", "radio", "checkbox"} {
		if rest, ok := bytes.CutPrefix(answer, []byte(prefix)); ok && shortSuffix(rest) {
			return true
		}
	}
	return false
}

// shortSuffix accepts what an author of a course may call a choice: "_2",
// "_2_1", "_correct".
func shortSuffix(s []byte) bool {
	if len(s) == 0 || len(s) > 24 || s[0] != '_' && s[0] != '-' {
		return false
	}
	for _, c := range s {
		if !isWordByte(c) && c != '-' {
			return false
		}
	}
	return true
}
