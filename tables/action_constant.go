package tables

import "anonymooc/tables/jsonedit"

func constantSpec() Spec {
	return Spec{
		Name: "constant", Family: "suppress", Summary: "put the same value everywhere",
		Doc:      "NULL and empty values are replaced as well. In JSON only strings receive the constant, anything else becomes null.",
		Settings: []Setting{{Name: "value", Meaning: "what to write", Required: true}},
		Example:  "{column: host, action: constant, value: example.invalid, why: names the institution}",
		New:      func(c *Column) (Action, error) { return constant{c.Value}, nil },
	}
}

// constant writes one value for all.
type constant struct{ value string }

func (a constant) Apply(_ *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.Type != jsonedit.String && c.Type != jsonedit.Null {
		return dst, Emptied, nil
	}
	return append(dst, a.value...), Changed, nil
}
