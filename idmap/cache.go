package idmap

import (
	"bytes"
	"hash/maphash"
)

// cache remembers the last answers of one Resolver by the value as it was
// written: a log repeats the same few people line after line. It is direct
// mapped, an entry is one cache line, and it belongs to one goroutine.
type cache struct {
	seed    maphash.Seed
	entries []answer
}

const (
	cachedBytes  = 44   // longer values are looked up each time
	peopleCached = 4096 // entries of 64 bytes
	wordsCached  = 2048
)

type answer struct {
	space uint16 // kind, or number of a token space; 0: empty
	n     uint8
	known bool
	value [cachedBytes]byte
	out   [16]byte
}

func newCache(seed maphash.Seed, size int) cache {
	return cache{seed: seed, entries: make([]answer, size)}
}

// find returns the entry where the answer for value is or belongs, and
// whether it is there; nil when the value is too long to be kept.
func (c *cache) find(space uint16, value []byte) (*answer, bool) {
	if len(value) > cachedBytes {
		return nil, false
	}
	at := maphash.Bytes(c.seed, value) + uint64(space)*0x9e3779b97f4a7c15
	entry := &c.entries[at%uint64(len(c.entries))]
	hit := entry.space == space && int(entry.n) == len(value) && bytes.Equal(entry.value[:entry.n], value)
	return entry, hit
}

// fill makes entry the answer for value.
func (a *answer) fill(space uint16, value []byte) {
	if a != nil {
		a.space, a.n = space, uint8(copy(a.value[:], value))
	}
}

func (c *cache) clear() { clear(c.entries) }
