package jsonedit

import "encoding/binary"

// keyTable finds the node of a key. It is asked for every key of every record,
// several times faster than a map of strings: keys that differ nearly always
// differ in their length, their first or their last eight bytes.
type keyTable struct {
	slots []keySlot // a power of two, at most half full
}

type keySlot struct {
	key  string
	node *node
}

// newKeyTable makes the table of some keys.
func newKeyTable(keys map[string]*node) keyTable {
	size := 4
	for size < 2*len(keys) {
		size *= 2
	}
	t := keyTable{make([]keySlot, size)}
	for key, n := range keys {
		i := hashKey([]byte(key)) & uint64(size-1)
		for t.slots[i].node != nil {
			i = (i + 1) & uint64(size-1)
		}
		t.slots[i] = keySlot{key, n}
	}
	return t
}

// get returns the node of a key, or nil.
func (t *keyTable) get(key []byte) *node {
	mask := uint64(len(t.slots) - 1)
	for i := hashKey(key) & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.node == nil || s.key == string(key) {
			return s.node
		}
	}
}

func hashKey(key []byte) uint64 {
	const prime = 0x9E3779B97F4A7C15
	h := uint64(len(key)) * prime
	if len(key) >= 8 {
		h ^= binary.LittleEndian.Uint64(key) * prime
		h = h>>29 ^ h ^ binary.LittleEndian.Uint64(key[len(key)-8:])
	} else {
		for _, c := range key {
			h = (h ^ uint64(c)) * prime
		}
	}
	return h * prime >> 32
}
