package verify

import (
	"errors"

	"anonymooc/idmap"
)

// Roster yields every identifier and name that a domain of the id map knows, one
// after the other: nobody's are gathered. failed tells, once all were asked for,
// what kept some from being read.
func Roster(domain *idmap.Domain) (people People, failed func() error) {
	var err error
	people = func(yield func(Known) bool) {
		read := domain.Identifiers(func(person idmap.Pseudonym, id idmap.Identifier) error {
			return enough(yield(Known{Kind: Kind(id.Kind.String()), Value: id.Value, Person: uint32(person)}))
		})
		if read == nil {
			read = domain.Descriptions(func(person idmap.Pseudonym, attributes []idmap.Attribute) error {
				for _, known := range described(person, attributes) {
					if !yield(known) {
						return errEnough
					}
				}
				return nil
			})
		}
		if read != nil && !errors.Is(read, errEnough) {
			err = read
		}
	}
	return people, func() error { return err }
}

var errEnough = errors.New("no more are wanted")

func enough(more bool) error {
	if more {
		return nil
	}
	return errEnough
}

// described gives the names that one row of a table told of somebody; first and
// last name together are a full name too.
func described(person idmap.Pseudonym, attributes []idmap.Attribute) []Known {
	var known []Known
	first, last := "", ""
	for _, attribute := range attributes {
		var kind Kind
		switch attribute.Name {
		case "first_name":
			kind, first = FirstName, attribute.Value
		case "last_name":
			kind, last = LastName, attribute.Value
		case "name":
			kind = FullName
		default:
			continue // a city or an institution is many people's
		}
		known = append(known, Known{Kind: kind, Value: attribute.Value, Person: uint32(person)})
	}
	if first != "" && last != "" {
		known = append(known, Known{Kind: FullName, Value: first + " " + last, Person: uint32(person)})
	}
	return known
}
