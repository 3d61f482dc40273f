package tables

import (
	"bytes"

	"anonymooc/tables/jsonedit"
)

func urlSpec() Spec {
	return Spec{
		Name: "url", Family: "pseudonymise", Summary: "replace people in the path, query and fragment of a URL",
		Doc:     `Known places for people (/u/<username>, /progress/<user id>, /users/<user id>, ?user=…, ?email=…) are treated whoever stands there; everywhere else known identifiers and shapes are, as with scrub. Tokens and passwords in a URL are masked. The rest stays byte for byte. A value that is no URL, such as the name of an event, stays unless all of it is an identifier; one with white space is scrubbed.`,
		Example: "{column: referer, action: url, why: profile pages name their owner}",
		New:     func(*Column) (Action, error) { return url{}, nil },
	}
}

// url replaces the people in a URL.
type url struct{}

func (url) Apply(w *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.Type != jsonedit.String || len(c.Text) == 0 {
		return dst, Kept, nil
	}
	if !isURL(c.Text) {
		return w.eventName(dst, c.Text)
	}
	out, changed, err := w.scrubURL(dst, c.Text)
	if err != nil || !changed {
		return dst, Kept, err
	}
	return out, Changed, nil
}

// eventName treats what stands where a URL may stand and is none: the name of an
// event is not taken apart, or a user called "created" would damage it.
func (w *Worker) eventName(dst, name []byte) ([]byte, Effect, error) {
	if bytes.ContainsAny(name, " \t\n=") {
		return scrub{}.Apply(w, dst, Cell{name, jsonedit.String})
	}
	e := edits{dst: dst, src: name}
	if _, err := w.replaceWhole(&e, 0, len(name)); err != nil {
		return dst, Failed, err
	}
	out, changed := e.done()
	if !changed && e.copied == 0 {
		return dst, Kept, nil
	}
	return out, Changed, nil
}
