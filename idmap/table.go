package idmap

import (
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
)

// table finds a 32-bit value by digest. It is cut into shards, each an open
// addressing table that one goroutine at a time writes, under a lock, while any
// number read without one: a slot counts from the moment its value is stored, and
// a shard that grows is replaced as a whole. A reader may so miss what is being
// put, never read half of it; who must know for certain asks again under the lock
// of the map (see Domain.meet). A known entry is changed only while nobody reads:
// see Domain.Settle. A slot is 16 bytes and holds no pointer: the garbage
// collector never looks inside.
type table struct {
	shards [tableShards]shard
}

const (
	shardBits   = 6
	tableShards = 1 << shardBits
	flagShift   = 64 - shardBits
	digestMask  = 1<<flagShift - 1
)

// flags are kept in the digest bits that the choice of the shard already tells.
type flags uint8

const (
	// anchored: the identifier was claimed together with a user id.
	anchored flags = 1 << iota
	// fresh: first met after the claims were settled, in a log for instance.
	fresh
)

type slot struct {
	key   uint64 // flags above, the rest of digest.hi below
	lo    uint32
	value uint32 // 0: the slot is empty; read and written atomically
}

type shard struct {
	slots atomic.Pointer[[]slot] // nil: none yet
	mu    sync.Mutex             // of those who write
	used  int
	_     [40]byte // a cache line each: neighbours do not fight for it
}

// all returns the slots for somebody who writes or knows that nobody does.
func (s *shard) all() []slot {
	if slots := s.slots.Load(); slots != nil {
		return *slots
	}
	return nil
}

func (t *table) shard(d digest) *shard { return &t.shards[d.hi>>flagShift] }

// get returns the value stored under d, 0 when there is none.
func (t *table) get(d digest) (uint32, flags) {
	slots := t.shard(d).slots.Load()
	if slots == nil {
		return 0, 0
	}
	entry, value := find(*slots, d)
	if value == 0 {
		return 0, 0
	}
	return value, flags(entry.key >> flagShift)
}

// put stores value, which is not 0, under d, and returns what stood there.
func (t *table) put(d digest, value uint32, f flags) uint32 {
	s := t.shard(d)
	s.mu.Lock()
	before := s.put(d, value, f)
	s.mu.Unlock()
	return before
}

// getOrPut returns the value under d; where there is none it puts value, and returns 0.
func (t *table) getOrPut(d digest, value uint32) uint32 {
	s := t.shard(d)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.makeRoom()
	entry, before := find(s.all(), d)
	if before != 0 {
		return before
	}
	s.used++
	entry.fill(d, value, 0)
	return 0
}

// reserve makes room for n values that are about to be put: what a shard gets
// on average and six standard deviations more.
func (t *table) reserve(n int) {
	share := float64(n) / tableShards
	size := int((share+6*math.Sqrt(share))*100/maximumLoad) + minimumSlots
	for i := range t.shards {
		if s := &t.shards[i]; size > len(s.all()) {
			s.resize(size)
		}
	}
}

// each visits every value; the table may be changed by update only.
func (t *table) each(visit func(d digest, value uint32, f flags)) {
	for i := range t.shards {
		s := &t.shards[i]
		for _, entry := range s.all() {
			if entry.value != 0 {
				hi := uint64(i)<<flagShift | entry.key&digestMask
				visit(digest{hi, entry.lo}, entry.value, flags(entry.key>>flagShift))
			}
		}
	}
}

// clearFlag takes a flag from every entry.
func (t *table) clearFlag(f flags) {
	for i := range t.shards {
		s := &t.shards[i]
		s.mu.Lock()
		slots := s.all()
		for j := range slots {
			slots[j].key &^= uint64(f) << flagShift
		}
		s.mu.Unlock()
	}
}

// count returns how many values the table holds, bytes what they cost.
func (t *table) count() (n int) {
	for i := range t.shards {
		n += t.shards[i].used
	}
	return n
}

func (t *table) bytes() (n int) {
	for i := range t.shards {
		n += len(t.shards[i].all()) * 16
	}
	return n
}

const (
	minimumSlots = 16
	maximumLoad  = 80 // percent
)

// loader puts many values into a table. It collects them by shard and puts a
// shard's together: the few megabytes of one shard stay in the processor's
// caches, the whole table would not.
type loader struct {
	table   *table
	waiting [tableShards][]loading
}

type loading struct {
	id    digest
	value uint32
	kind  Kind
	flags flags
}

const loadedAtOnce = 4096

func (l *loader) put(entry loading, counts *[lastKind + 1]int) {
	at := entry.id.hi >> flagShift
	if l.waiting[at] = append(l.waiting[at], entry); len(l.waiting[at]) == loadedAtOnce {
		l.flush(int(at), counts)
	}
}

// flush puts what waits for a shard, and counts by kind what is new there.
func (l *loader) flush(at int, counts *[lastKind + 1]int) {
	s := &l.table.shards[at]
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, entry := range l.waiting[at] {
		if before := s.put(entry.id, entry.value, entry.flags); before < firstPseudonym && entry.value != forgotten {
			counts[entry.kind]++
		}
	}
	l.waiting[at] = l.waiting[at][:0]
}

func (l *loader) flushAll(counts *[lastKind + 1]int) {
	for at := range l.waiting {
		l.flush(at, counts)
	}
}

// place is where the search for a key begins: as far into the table as the key
// is into its range, so that no size need be a power of two, and a table grows
// by walking memory in order.
func place(key uint64, size int) int {
	at, _ := bits.Mul64(key, uint64(size))
	return int(at)
}

// find returns the slot of d and the value in it, or the empty slot where it
// belongs and 0.
func find(slots []slot, d digest) (*slot, uint32) {
	for i := place(d.hi<<shardBits, len(slots)); ; i++ {
		if i == len(slots) {
			i = 0
		}
		entry := &slots[i]
		value := atomic.LoadUint32(&entry.value)
		if value == 0 || entry.lo == d.lo && (entry.key^d.hi)&digestMask == 0 {
			return entry, value
		}
	}
}

// fill makes an empty slot count, or changes one.
func (s *slot) fill(d digest, value uint32, f flags) {
	s.key, s.lo = d.hi&digestMask|uint64(f)<<flagShift, d.lo
	atomic.StoreUint32(&s.value, value)
}

func (s *shard) put(d digest, value uint32, f flags) uint32 {
	s.makeRoom()
	entry, before := find(s.all(), d)
	if before == 0 {
		s.used++
	}
	entry.fill(d, value, f)
	return before
}

// makeRoom lets one more value fit.
func (s *shard) makeRoom() {
	if size := len(s.all()); (s.used+1)*100 > size*maximumLoad {
		s.resize(max(minimumSlots, size*3/2))
	}
}

func (s *shard) resize(size int) {
	slots := make([]slot, size)
	for _, entry := range s.all() {
		if entry.value != 0 {
			free, _ := find(slots, digest{entry.key & digestMask, entry.lo})
			*free = entry
		}
	}
	s.slots.Store(&slots)
}
