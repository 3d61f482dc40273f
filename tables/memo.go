package tables

import (
	"bytes"
	"hash/maphash"
)

// memo remembers what became of short values, because logs repeat themselves. It
// is a direct-mapped cache: a new value takes the place of the one before, so
// memory stays bounded and a look-up costs one hash and one comparison.
type memo struct {
	seed    maphash.Seed
	entries []memoEntry
}

type memoEntry struct {
	hash    uint64
	value   []byte
	result  []byte
	changed bool
}

const (
	memoEntries = 1 << 15
	memoLength  = 384 // bytes; longer values rarely come twice
)

func newMemo() memo { return memo{seed: maphash.MakeSeed()} }

// do returns what treat makes of value, from memory if it can. The answer must
// follow from the value alone.
func (m *memo) do(dst, value []byte, treat func(dst, value []byte) ([]byte, bool, error)) ([]byte, bool, error) {
	if len(value) > memoLength {
		return treat(dst, value)
	}
	if m.entries == nil { // most tables need none
		m.entries = make([]memoEntry, memoEntries)
	}
	hash := maphash.Bytes(m.seed, value)
	e := &m.entries[hash%memoEntries]
	if e.hash == hash && bytes.Equal(e.value, value) && e.value != nil {
		if !e.changed {
			return dst, false, nil
		}
		return append(dst, e.result...), true, nil
	}
	start := len(dst)
	out, changed, err := treat(dst, value)
	if err != nil {
		return dst, false, err
	}
	// A treat that is called for part of a value may have used the same entry:
	// it is filled only now.
	e.hash, e.changed = hash, changed
	e.value = append(e.value[:0], value...)
	e.result = e.result[:0]
	if !changed {
		return dst, false, nil
	}
	e.result = append(e.result, out[start:]...)
	return out, true, nil
}
