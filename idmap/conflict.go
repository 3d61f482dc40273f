package idmap

import (
	"bytes"
	"cmp"
	"slices"
)

// Sort says what kind of trouble Settle met and how it decided.
type Sort string

// The sorts of conflict.
const (
	// Shared: an identifier was claimed with several user ids, as a reused
	// e-mail address is. It belongs to the smallest user id.
	Shared Sort = "shared"
	// Together: user ids that were claimed to be one person. They stay apart.
	Together Sort = "together"
	// Bridged: an identifier without a user id of its own was claimed with
	// identifiers of several persons. It belongs to the smallest user id.
	Bridged Sort = "bridged"
	// Renamed: persons with more than one username. All are theirs.
	Renamed Sort = "renamed"
	// Retired: persons whose account was retired (retired__user_…). They
	// keep their pseudonym.
	Retired Sort = "retired"
	// Merged: pseudonyms given up because two persons proved to be one.
	Merged Sort = "merged"
	// Moved: identifiers of an earlier run that now belong to another person.
	Moved Sort = "moved"
	// Erased: identifiers of living persons that were claimed together with
	// those of a forgotten one. They stay with the living.
	Erased Sort = "erased"
)

// Conflict counts one sort of conflict for one kind of identifier.
type Conflict struct {
	Sort  Sort `json:"sort"`
	Kind  Kind `json:"kind"`
	Count int  `json:"count"`
}

// Conflicts is what Settle met, in a fixed order. It names kinds, never values.
type Conflicts []Conflict

// Count returns how many conflicts of a sort there were, of every kind.
func (c Conflicts) Count(sort Sort) (n int) {
	for _, one := range c {
		if one.Sort == sort {
			n += one.Count
		}
	}
	return n
}

// conflictCounts collects conflicts.
type conflictCounts map[Conflict]int

func (c conflictCounts) add(sort Sort, kind Kind) { c[Conflict{Sort: sort, Kind: kind}]++ }

func (c conflictCounts) list() Conflicts {
	list := make(Conflicts, 0, len(c))
	for one, n := range c {
		one.Count = n
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b Conflict) int {
		return cmp.Or(cmp.Compare(a.Sort, b.Sort), cmp.Compare(a.Kind, b.Kind))
	})
	return list
}

// isRetired says whether edX replaced the identifier when it retired the account.
func isRetired(kind Kind, value []byte) bool {
	switch kind {
	case Username:
		return bytes.HasPrefix(value, []byte("retired__user_"))
	case Email:
		return bytes.HasSuffix(value, []byte("@retired.invalid"))
	}
	return false
}

// compareUserIDs puts numbers in their order, before anything else.
func compareUserIDs(a, b []byte) int {
	a, b = withoutLeadingZeros(a), withoutLeadingZeros(b)
	if allDigits(a) != allDigits(b) {
		if allDigits(a) {
			return -1
		}
		return 1
	}
	if allDigits(a) && len(a) != len(b) {
		return cmp.Compare(len(a), len(b))
	}
	return bytes.Compare(a, b)
}
