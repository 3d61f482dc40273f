package verify

import (
	"errors"

	"anonymooc/idmap"
)

// Roster yields every identifier and name that a domain of the id map knows.
// failed tells, once all were asked for, what kept some from being read.
func Roster(domain *idmap.Domain) (people People, failed func() error) {
	var err error
	people = func(yield func(Known) bool) {
		visited := domain.Roster(func(entry idmap.Entry) error {
			for _, known := range ofEntry(entry) {
				if !yield(known) {
					return errEnough
				}
			}
			return nil
		})
		if visited != nil && !errors.Is(visited, errEnough) {
			err = visited
		}
	}
	return people, func() error { return err }
}

var errEnough = errors.New("no more are wanted")

// ofEntry gives one person's identifiers; first and last name together are a
// full name too.
func ofEntry(entry idmap.Entry) []Known {
	person := uint32(entry.Pseudonym)
	var known []Known
	for _, id := range entry.Identifiers {
		known = append(known, Known{Kind: Kind(id.Kind.String()), Value: id.Value, Person: person})
	}
	first, last := "", ""
	for _, attribute := range entry.Attributes {
		kind := Kind(attribute.Name)
		switch kind {
		case FirstName:
			first = attribute.Value
		case LastName:
			last = attribute.Value
		case FullName:
		default:
			continue // a city or an institution is many people's
		}
		known = append(known, Known{Kind: kind, Value: attribute.Value, Person: person})
	}
	if first != "" && last != "" {
		known = append(known, Known{Kind: FullName, Value: first + " " + last, Person: person})
	}
	return known
}
