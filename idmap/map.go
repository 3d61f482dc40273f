package idmap

import (
	"bufio"
	"crypto/rand"
	"io"
	"sync"

	"anonymooc/internal/fault"
)

// Options says how a map is opened.
type Options struct {
	// Rand is where pseudonyms and secrets are drawn from; nil means the
	// operating system. Only tests set it.
	Rand io.Reader
	// ExactUsernames makes new domains tell usernames apart by case, for
	// platforms whose database does.
	ExactUsernames bool
}

// Map is an open id map. One process at a time has it open.
type Map struct {
	dir     string
	options Options
	draws   draws

	mu         sync.Mutex // held by whoever changes anything
	digests    digestKey
	secret     [32]byte
	domains    []*Domain
	spent      map[uint32]bool
	realIDs    map[uint32]bool
	tombstones []tombstone
	collisions int
	pending    []byte
}

// Create makes a new, empty map in dir.
func Create(dir string, options Options) (*Map, error) {
	m := newMap(dir, options)
	if err := m.draws.read(m.secret[:]); err != nil {
		return nil, err
	}
	m.digests = newDigestKey(m.secret[:])
	return m, nil
}

// Open opens the map in dir.
func Open(dir string, options Options) (*Map, error) { return Create(dir, options) }

func newMap(dir string, options Options) *Map {
	source := options.Rand
	if source == nil {
		source = bufio.NewReader(rand.Reader)
	}
	return &Map{
		dir: dir, options: options, draws: draws{source},
		spent: map[uint32]bool{}, realIDs: map[uint32]bool{},
	}
}

// Domain returns the domain of that name, which is made at first sight.
func (m *Map) Domain(name string) (*Domain, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.domains {
		if d.name == name {
			return d, nil
		}
	}
	if name == "" || len(name) > 100 {
		return nil, fault.New(fault.Usage, "a domain needs a name of at most 100 bytes")
	}
	d := newDomain(m, name, uint16(len(m.domains)+1))
	d.exactUsernames = m.options.ExactUsernames
	if err := m.draws.read(d.secret[:]); err != nil {
		return nil, err
	}
	for _, t := range m.tombstones {
		d.index.put(t.id, forgotten, t.f)
	}
	m.domains = append(m.domains, d)
	m.pending = appendDomain(m.pending, d)
	return d, nil
}

// Commit makes everything drawn and claimed so far last.
func (m *Map) Commit() error { return nil }

// Close gives the map free for others; what was not committed is lost.
func (m *Map) Close() error { return nil }

func (m *Map) flushFull(*Domain) error { return nil }

func (m *Map) eachIdentifier(d *Domain, visit func(person uint32, kind Kind, value []byte) error) error {
	return nil
}

// spend makes a number nobody's for ever. The caller holds m.mu.
func (m *Map) spend(pseudonym uint32) {
	m.spent[pseudonym] = true
	m.pending = appendSpent(m.pending, pseudonym)
}

// bury forgets identifiers in every domain. The caller holds m.mu.
func (m *Map) bury(tombstones []tombstone) error {
	for _, t := range tombstones {
		for _, d := range m.domains {
			d.index.put(t.id, forgotten, t.f)
		}
	}
	m.tombstones = append(m.tombstones, tombstones...)
	if len(tombstones) > 0 {
		m.pending = appendForgotten(m.pending, tombstones)
	}
	return nil
}
