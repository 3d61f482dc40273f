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

type places []personPlace

type personPlace struct {
	key  uint32 // pseudonym, with hasUserID above; 0: the place is empty; read and written atomically
	seed seed   // written before the key
}

// hasUserID marks a person who is anchored by a user id.
const hasUserID = 1 << 31

// find returns the place of a person and the key there, or the empty place where
// they belong and 0.
func (p places) find(pseudonym uint32) (at *personPlace, key uint32) {
	for i := p.first(pseudonym); ; i++ {
		if i == len(p) {
			i = 0
		}
		at = &p[i]
		if key = atomic.LoadUint32(&at.key); key == 0 || key&^hasUserID == pseudonym {
			return at, key
		}
	}
}

// first is where the search for a person begins.
func (p places) first(pseudonym uint32) int {
	return place(uint64(pseudonym)*0x9e3779b97f4a7c15, len(p))
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
	return at.seed
}

// size returns how many places there are.
func (p *people) size() int {
	if all := p.places.Load(); all != nil {
		return len(*all)
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
		at.seed = s
	}
	if isAnchored {
		key |= hasUserID
	}
	atomic.StoreUint32(&at.key, key)
}

func (p *people) reserve(n int) {
	if size := n*100/maximumLoad + minimumSlots; size > p.size() {
		p.resize(size)
	}
}

func (p *people) resize(size int) {
	grown := make(places, size)
	if old := p.places.Load(); old != nil {
		for _, person := range *old {
			if person.key != 0 {
				at, _ := grown.find(person.key &^ hasUserID)
				*at = person
			}
		}
	}
	p.places.Store(&grown)
}

// remove takes persons out, with their seeds.
func (p *people) remove(gone map[uint32]bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.places.Load()
	if all == nil {
		return
	}
	for i := range *all {
		if at := &(*all)[i]; at.key != 0 && gone[at.key&^hasUserID] {
			*at = personPlace{}
			p.used--
		}
	}
	p.resize(len(*all)) // closes the gaps that removing left
}

func (p *people) bytes() int { return p.size() * (4 + len(seed{})) }
