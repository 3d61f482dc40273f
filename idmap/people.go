package idmap

import "sync"

// seed is the secret of one person: what their anonymous ids become is
// computed from it. It is drawn at random and nothing else knows it, so that
// destroying it makes those surrogates orphans for ever.
type seed [16]byte

// people holds the persons of a domain by pseudonym: an open addressing table
// of 20 bytes a place, without pointers.
type people struct {
	mu    sync.RWMutex
	keys  []uint32 // pseudonym, with hasUserID above; 0: the place is empty
	seeds []seed
	used  int
}

// hasUserID marks a person who is anchored by a user id.
const hasUserID = 1 << 31

func (p *people) find(pseudonym uint32) int {
	for i := place(uint64(pseudonym)*0x9e3779b97f4a7c15, len(p.keys)); ; i++ {
		if i == len(p.keys) {
			i = 0
		}
		if key := p.keys[i]; key == 0 || key&^hasUserID == pseudonym {
			return i
		}
	}
}

func (p *people) has(pseudonym uint32) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return len(p.keys) > 0 && p.keys[p.find(pseudonym)] != 0
}

func (p *people) count() int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.used
}

func (p *people) isAnchored(pseudonym uint32) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return len(p.keys) > 0 && p.keys[p.find(pseudonym)]&hasUserID != 0
}

func (p *people) seed(pseudonym uint32) seed {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.seeds[p.find(pseudonym)]
}

// put adds a person, or says that a known one is anchored.
func (p *people) put(pseudonym uint32, s seed, isAnchored bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if (p.used+1)*100 > len(p.keys)*maximumLoad {
		p.resize(max(minimumSlots, len(p.keys)*3/2))
	}
	at := p.find(pseudonym)
	if p.keys[at] == 0 {
		p.used++
		p.keys[at] = pseudonym
		p.seeds[at] = s
	}
	if isAnchored {
		p.keys[at] |= hasUserID
	}
}

func (p *people) reserve(n int) {
	if size := n*100/maximumLoad + minimumSlots; size > len(p.keys) {
		p.resize(size)
	}
}

func (p *people) resize(size int) {
	keys, seeds := p.keys, p.seeds
	p.keys, p.seeds = make([]uint32, size), make([]seed, size)
	for i, key := range keys {
		if key != 0 {
			at := p.find(key &^ hasUserID)
			p.keys[at], p.seeds[at] = key, seeds[i]
		}
	}
}

// remove takes persons out, with their seeds.
func (p *people) remove(gone map[uint32]bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, key := range p.keys {
		if key != 0 && gone[key&^hasUserID] {
			p.keys[i], p.seeds[i] = 0, seed{}
			p.used--
		}
	}
	p.resize(len(p.keys)) // closes the gaps that removing left
}

func (p *people) bytes() int { return len(p.keys) * (4 + len(seed{})) }
