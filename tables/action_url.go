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
	var out []byte
	var changed bool
	var err error
	if w.session.Text != nil && mayHoldText(c.Text) {
		out, changed, err = w.scrubURLOrName(dst, c.Text)
	} else {
		out, changed, err = w.urls.do(dst, c.Text, w.scrubURLOrName)
	}
	if err != nil || !changed {
		return dst, Kept, err
	}
	return out, Changed, nil
}

// scrubURLOrName treats a URL, or what stands where one may: the name of an
// event is not taken apart, or a user called "created" would damage it.
func (w *Worker) scrubURLOrName(dst, value []byte) ([]byte, bool, error) {
	switch {
	case isURL(value):
		return w.scrubURL(dst, value)
	case !isEventName(value):
		return w.scrubAny(dst, value)
	}
	e := edits{dst: dst, src: value}
	if _, err := w.replaceWhole(&e, 0, len(value)); err != nil {
		return dst, false, err
	}
	out, changed := e.done()
	return out, changed, nil
}

// isEventName accepts what the platform calls its events: edx.forum.thread.created,
// play_video.
func isEventName(value []byte) bool {
	for _, c := range value {
		if !isWordByte(c) && c != '.' && c != ':' && c != '-' {
			return false
		}
	}
	return !bytes.HasPrefix(value, []byte("www."))
}
