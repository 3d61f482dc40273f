package tables

import "anonymooc/tables/jsonedit"

func scrubSpec() Spec {
	return Spec{
		Name: "scrub", Family: "pseudonymise", Summary: "replace every identifier that is known or has the shape of one, keep the rest",
		Doc:     `For values that no rule knows. Known usernames, e-mails, anonymous ids and full names, anything shaped like an e-mail, an IP address or a telephone number, and people in URLs and query strings are replaced by what stands for them everywhere. Content ids, words of the platform (audit, problem, true), numbers and times never change, even when somebody is called so. JSON in a string is followed.`,
		Example: "{column: event_type, action: scrub, why: URL events hold usernames}",
		New:     func(*Column) (Action, error) { return scrub{}, nil },
	}
}

// scrub replaces what names someone in a value of unknown meaning.
type scrub struct{}

func (scrub) Apply(w *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.Type != jsonedit.String || len(c.Text) == 0 {
		return dst, Kept, nil
	}
	out, changed, err := w.scrub(dst, c.Text)
	if err != nil || !changed {
		return dst, Kept, err
	}
	return out, Changed, nil
}
