package tables

import "anonymooc/tables/jsonedit"

func urlSpec() Spec {
	return Spec{
		Name: "url", Family: "pseudonymise", Summary: "replace people in the path, query and fragment of a URL",
		Doc:     `Known places for people (/u/<username>, /progress/<user id>, /users/<user id>, ?user=…, ?email=…) are treated whoever stands there; everywhere else known identifiers and shapes are, as with scrub. Tokens and passwords in a URL are masked. The rest stays byte for byte.`,
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
	out, changed, err := w.scrubURL(dst, c.Text)
	if err != nil || !changed {
		return dst, Kept, err
	}
	return out, Changed, nil
}
