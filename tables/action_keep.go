package tables

func keepSpec() Spec {
	return Spec{
		Name: "keep", Family: "keep", Summary: "leave the value as it is",
		Doc:     "The bytes stay, with their quotes, escapes and spelling. Use it only for what names nobody, and say why.",
		Example: "{column: grade, action: keep, role: sensitive, why: the outcome that is studied}",
		New:     func(*Column) (Action, error) { return keep{}, nil },
	}
}

// keep leaves the value as it is.
type keep struct{}

func (keep) Apply(_ *Worker, dst []byte, _ Cell) ([]byte, Effect, error) { return dst, Kept, nil }
