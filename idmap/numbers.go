package idmap

import (
	"bytes"
	"sync/atomic"
)

// numbers remembers the answers for user ids, which count up from 1 and so make
// an array: one look at memory instead of a digest, a table and a cache. It is
// shared by all resolvers of a domain and thrown away when a link changes.
//
// It holds what was asked for, in pages, so that ids that leave gaps cost little;
// an id that finds no page left is looked up by digest like anything else. Like
// the rest of an open map it is in memory only, and goes with it.
type numbers struct {
	pages [numberPages]atomic.Pointer[numberPage]
	left  atomic.Int64 // how many pages may still be made
}

// numberPage holds, for each id, the person, forgotten or 0 for what was never
// asked, with freshNumber above.
type numberPage [numbersPerPage]uint32

const (
	numbersPerPage = 1 << 10
	numberPages    = 1 << 16
	largestNumber  = numbersPerPage*numberPages - 1 // 67 million; edX counts some tens

	// freshNumber marks somebody whom Known does not know: see flags.
	freshNumber = 1 << 31
)

// newNumbers makes room for the user ids of a domain of so many people: seven in
// eight ids may be missing without any effect.
func newNumbers(people int) *numbers {
	n := &numbers{}
	n.left.Store(int64(64 + people*8/numbersPerPage))
	return n
}

// number reads a user id that lies in an array: digits and nothing else. Leading
// zeros do not count, as in appendCanonical.
func number(value []byte) (uint32, bool) {
	digits := value
	if len(digits) > 8 {
		if digits = bytes.TrimLeft(digits, "0"); len(digits) > 8 {
			return 0, false
		}
	}
	n := uint32(0)
	for _, c := range digits {
		if c -= '0'; c > 9 {
			return 0, false
		}
		n = n*10 + uint32(c)
	}
	return n, len(value) > 0 && n <= largestNumber
}

// get returns what put has stored, 0 where that is nothing.
func (n *numbers) get(id uint32) uint32 {
	page := n.pages[id/numbersPerPage].Load()
	if page == nil {
		return 0
	}
	return atomic.LoadUint32(&page[id%numbersPerPage])
}

// put stores the answer of the index for a user id, if there is room.
func (n *numbers) put(id, person uint32, f flags) bool {
	at := &n.pages[id/numbersPerPage]
	page := at.Load()
	if page == nil {
		if n.left.Load() <= 0 || n.left.Add(-1) < 0 {
			return false
		}
		page = &numberPage{}
		if !at.CompareAndSwap(nil, page) { // another goroutine was faster
			page = at.Load()
			n.left.Add(1)
		}
	}
	if f&fresh != 0 {
		person |= freshNumber
	}
	atomic.StoreUint32(&page[id%numbersPerPage], person)
	return true
}

// bytes returns what n takes in memory.
func (n *numbers) bytes() int {
	used := 0
	for i := range n.pages {
		if n.pages[i].Load() != nil {
			used += numbersPerPage * 4
		}
	}
	return used + len(n.pages)*8
}
