package idmap

import (
	"sync"
	"sync/atomic"
)

// seed is the secret of one person: what their anonymous ids become is
// computed from it. It is drawn at random and nothing else knows it, so that
// destroying it makes those surrogates orphans for ever.
type seed [16]byte

// people holds the persons of a domain by pseudonym: an open addressing table
// of 20 bytes a place, without pointers. As in table, one goroutine at a time
// writes and any number read without a lock.
type people struct {
	places atomic.Pointer[places] // nil: none yet
	mu     sync.Mutex             // of those who write
	used   int
}

type places struct {
	keys  []uint32 // pseudonym, with hasUserID above; 0: the place is empty; read and written atomically
	seeds []seed   // written before the key
}

// hasUserID marks a person who is anchored by a user id.
const hasUserID = 1 << 31

// find returns the place of a person and the key there, or the empty place where
// they belong and 0.
func (p *places) find(pseudonym uint32) (at int, key uint32) {
	for i := place(uint64(pseudonym)*0x9e3779b97f4a7c15, len(p.keys)); ; i++ {
		if i == len(p.keys) {
			i = 0
		}
		if key := atomic.LoadUint32(&p.keys[i]); key == 0 || key&^hasUserID == pseudonym {
			return i, key
		}
	}
}

// key returns the key of a person, 0 for nobody.
func (p *people) key(pseudonym uint32) uint32 {
	all := p.places.Load()
	if all == nil {
		return 0
	}
	_, key := all.find(pseudonym)
	return key
}

func (p *people) has(pseudonym uint32) bool { return p.key(pseudonym) != 0 }

func (p *people) isAnchored(pseudonym uint32) bool { return p.key(pseudonym)&hasUserID != 0 }

func (p *people) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used
}

// seed returns the seed of somebody who is there.
func (p *people) seed(pseudonym uint32) seed {
	all := p.places.Load()
	at, _ := all.find(pseudonym)
	return all.seeds[at]
}

// size returns how many places there are.
func (p *people) size() int {
	if all := p.places.Load(); all != nil {
		return len(all.keys)
	}
	return 0
}

// put adds a person, or says that a known one is anchored.
func (p *people) put(pseudonym uint32, s seed, isAnchored bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if size := p.size(); (p.used+1)*100 > size*maximumLoad {
		p.resize(max(minimumSlots, size*3/2))
	}
	all := p.places.Load()
	at, key := all.find(pseudonym)
	if key == 0 {
		p.used++
		key = pseudonym
		all.seeds[at] = s
	}
	if isAnchored {
		key |= hasUserID
	}
	atomic.StoreUint32(&all.keys[at], key)
}

func (p *people) reserve(n int) {
	if size := n*100/maximumLoad + minimumSlots; size > p.size() {
		p.resize(size)
	}
}

func (p *people) resize(size int) {
	grown := &places{make([]uint32, size), make([]seed, size)}
	if old := p.places.Load(); old != nil {
		for i, key := range old.keys {
			if key != 0 {
				at, _ := grown.find(key &^ hasUserID)
				grown.keys[at], grown.seeds[at] = key, old.seeds[i]
			}
		}
	}
	p.places.Store(grown)
}

// remove takes persons out, with their seeds.
func (p *people) remove(gone map[uint32]bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.places.Load()
	if all == nil {
		return
	}
	for i, key := range all.keys {
		if key != 0 && gone[key&^hasUserID] {
			all.keys[i], all.seeds[i] = 0, seed{}
			p.used--
		}
	}
	p.resize(len(all.keys)) // closes the gaps that removing left
}

func (p *people) bytes() int { return p.size() * (4 + len(seed{})) }
