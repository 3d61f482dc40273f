package tables

import (
	"errors"

	"anonymooc/tables/jsonedit"
)

func topCodeSpec() Spec {
	return Spec{
		Name: "top-code", Family: "generalise", Summary: "pull extreme numbers to a limit",
		Doc:      "Numbers above top become top, numbers below bottom become bottom; the rest stays byte for byte. Empty values and NULL stay; what is not a number is emptied and counted.",
		Settings: []Setting{{Name: "top", Meaning: "highest number shown"}, {Name: "bottom", Meaning: "lowest number shown"}},
		Example:  "{column: year_of_birth, action: top-code, bottom: 1940, role: quasi-identifier, why: the oldest stand out}",
		New: func(c *Column) (Action, error) {
			if c.Top == nil && c.Bottom == nil {
				return nil, errors.New("top-code wants a top, a bottom or both")
			}
			if c.Top != nil && c.Bottom != nil && *c.Top < *c.Bottom {
				return nil, errors.New("top-code wants its top above its bottom")
			}
			return topCode{c.Top, c.Bottom}, nil
		},
	}
}

// topCode hides how extreme an extreme is.
type topCode struct{ top, bottom *float64 }

func (a topCode) Apply(_ *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.null() {
		return dst, Kept, nil
	}
	x, ok := parseNumber(c.Text)
	switch {
	case !ok || c.Type == jsonedit.Bool:
		return dst, Failed, nil
	case a.top != nil && x > *a.top:
		return appendNumber(dst, *a.top), Changed, nil
	case a.bottom != nil && x < *a.bottom:
		return appendNumber(dst, *a.bottom), Changed, nil
	}
	return dst, Kept, nil
}
