package tables

func blankSpec() Spec {
	return Spec{
		Name: "blank", Family: "suppress", Summary: "empty the value, keep the column",
		Doc:     "A cell becomes empty; in JSON a string becomes \"\" and anything else null.",
		Example: "{column: bio, action: blank, role: free text, why: written by the person}",
		New:     func(*Column) (Action, error) { return blank{}, nil },
	}
}

// blank empties every value.
type blank struct{}

func (blank) Apply(_ *Worker, dst []byte, c Cell) ([]byte, Effect, error) {
	if c.null() {
		return dst, Kept, nil
	}
	return dst, Emptied, nil
}
