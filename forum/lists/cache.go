package lists

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// A text says the same words again and again, and several detectors ask for each:
// what was found last under a hash is kept, and found again without walking the
// automata. Nothing is locked: a place holds one answer, whichever came last.
//
// The places take some three megabytes when they are all filled.
const places = 1 << 15

var cacheSeed = maphash.MakeSeed()

// cache remembers answers by key.
type cache[T any] struct {
	places [places]atomic.Pointer[remembered[T]]
}

type remembered[T any] struct {
	key    string
	answer T
}

// find gives the answer for a key, which look finds where it is not remembered.
func (c *cache[T]) find(key string, look func(string) T) T {
	place := &c.places[maphash.String(cacheSeed, key)&(places-1)]
	if known := place.Load(); known != nil && known.key == key {
		return known.answer
	}
	answer := look(key)
	place.Store(&remembered[T]{strings.Clone(key), answer}) // the key's text may be long
	return answer
}
