package idmap

// fingerprints is a set of descriptions already stored.
type fingerprints struct{}

// Describe stores attributes of the person behind an identifier.
func (d *Domain) Describe(id Identifier, attributes ...Attribute) error { return nil }

// Entry is what the map knows about a person.
type Entry struct {
	Pseudonym   Pseudonym    `json:"pseudonym"`
	Identifiers []Identifier `json:"identifiers"`
	Attributes  []Attribute  `json:"attributes,omitempty"`
}

// Roster visits every person of the domain.
func (d *Domain) Roster(visit func(Entry) error) error { return nil }
