package tables

func dropSpec() Spec {
	return Spec{
		Name: "drop", Family: "suppress", Summary: "take the column or member out of the release",
		Doc:     "The column disappears from the header and from every row; in JSON the member goes, key and all. Use blank where a reader of the release needs the column to be there.",
		Example: "{column: password, action: drop, role: direct identifier, why: a secret}",
		New:     func(*Column) (Action, error) { return drop{}, nil },
	}
}

// drop is carried out when columns are bound: see Plan. Where a value has no
// column or member of its own, it is emptied.
type drop struct{}

func (drop) Apply(_ *Worker, dst []byte, _ Cell) ([]byte, Effect, error) { return dst, Emptied, nil }
