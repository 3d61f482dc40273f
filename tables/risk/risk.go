// Package risk measures how well the people of a release are hidden among each
// other, and proposes how to hide them better.
//
//	release folder ─ Read ─► Population{people, columns} ─┬─ Measure ─► k, uniques, l, t
//	                                                      ├─ Drivers ─► which column singles out
//	                                                      ├─ Effects ─► what a recoding gains and costs
//	                                                      ├─ Traces  ─► uniqueness of what people did
//	                                                      └─ Suggest ─► rules that reach k
//
// # What is counted
//
// People, not rows: a person with three rows in a table counts once. The
// quasi-identifiers of a person are the cells that somebody who knows the
// person may know too. People whose cells read the same form an equivalence
// class; a person in a class of n is found with probability 1/n by somebody who
// knows that the person is in the release (the prosecutor of El Emam and
// Dankar, "Protecting Privacy Using k-Anonymity", JAMIA 15(5), 2008). k is the
// size of the smallest class (Samarati, "Protecting Respondents' Identities in
// Microdata Release", IEEE TKDE 13(6), 2001).
//
// Cells are compared by their code in a dictionary of the column, never by
// joined strings, so that ("ab", "c") and ("a", "bc") stay apart.
//
// # Empty cells
//
// An empty cell (empty, NULL) tells nothing, and is handled with that in mind:
// a person who shows no cell at all is in no class and is counted apart
// (Blank). A person who shows some cells is compared as shown: with those who
// show the same and leave the same out. Other tools let an empty cell match
// every value, which makes classes look larger than they are to somebody who
// knows the value: when everybody else of a class shows another year of birth,
// the person without one is found all the same. The count here is the least
// number of people that can be meant, whatever the seeker knows.
//
// A person who is absent from a table is compared as absent; the release shows
// that.
package risk

import (
	"fmt"
	"slices"
)

// Population is the people of a release with their columns. All columns have
// one code for each person.
type Population struct {
	People    int
	Quasi     []*Column // quasi-identifiers
	Sensitive []*Column // what must not be learnt about a person
}

// check refuses columns that do not fit together.
func (p *Population) check() error {
	for _, c := range slices.Concat(p.Quasi, p.Sensitive) {
		if len(c.codes) != p.People {
			return fmt.Errorf("risk: column %q has %d people, the population %d", c.Name, len(c.codes), p.People)
		}
	}
	return nil
}
