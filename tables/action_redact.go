package tables

import "anonymooc/tables/jsonedit"

func redactSpec() Spec {
	return Spec{
		Name: "redact", Family: "mask", Summary: "replace any value by [redacted], so that one sees there was one",
		Doc:     "Empty values and NULL stay. In JSON a string becomes \"[redacted]\", a number or a boolean becomes null.",
		Example: "{column: phone_number, action: redact, role: direct identifier, why: reaches the person}",
		New:     func(*Column) (Action, error) { return redact{}, nil },
	}
}

// redacted is what stands in the place of a masked value.
const redacted = "[redacted]"

// redact shows that there was a value and nothing of it.
type redact struct{}

func (redact) Apply(_ *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	switch {
	case c.null():
		return dst, Kept, nil
	case c.Type != jsonedit.String:
		return dst, Emptied, nil
	}
	return append(dst, redacted...), Changed, nil
}
