package idmap

import (
	"crypto/hmac"
	"crypto/sha256"
	"net/netip"
	"sync"
	"sync/atomic"

	"anonymooc/internal/fault"
)

// forgotten stands in the index where an erased person's identifiers were.
const forgotten = 1

// A Domain is one research project's view of the people: within it a person
// has one pseudonym for ever, and two domains share none.
type Domain struct {
	m              *Map
	name           string
	number         uint16
	secret         [32]byte
	exactUsernames bool

	index     table                  // identifier → pseudonym, or forgotten
	settled   atomic.Pointer[filter] // what index held when the claims were settled
	addresses table                  // IP address → pseudonymous address
	people    people
	counts    [lastKind + 1]int
	links     []link // claims without a user id that Settle must see again
	claims    claims
	described map[uint64]struct{} // descriptions already stored; nil: not loaded
	epoch     atomic.Uint32       // changes when a link does
	numbers   atomic.Pointer[numbers]
	pending   []byte // records not yet in a frame

	usedAddresses bitmap
	loading       *loader // while the file is replayed
	scratch       []byte  // likewise
	orphans       map[digest]uint32

	describing sync.Mutex

	rowMutex sync.Mutex
	rows     map[string]*rowKeys
}

func newDomain(m *Map, name string, number uint16) *Domain {
	d := &Domain{
		m: m, name: name, number: number,
		orphans: map[digest]uint32{}, rows: map[string]*rowKeys{},
	}
	d.settled.Store(&filter{})
	d.numbers.Store(newNumbers(0))
	return d
}

// changed makes resolvers forget what they remember: a link has changed.
func (d *Domain) changed() {
	d.numbers.Store(newNumbers(d.people.count()))
	d.epoch.Add(1)
}

// Name returns the domain's name.
func (d *Domain) Name() string { return d.name }

// key derives a secret of the domain for one purpose.
func (d *Domain) key(purpose string) []byte {
	mac := hmac.New(sha256.New, d.secret[:])
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// meet draws a person for an identifier nobody claimed, unless another
// goroutine was faster.
func (d *Domain) meet(kind Kind, id digest, value []byte) (uint32, error) {
	d.m.mu.Lock()
	defer d.m.mu.Unlock()
	if person, _ := d.index.get(id); person != 0 {
		return person, nil
	}
	var canonical [64]byte
	d.m.noteRealID(kind, appendCanonical(canonical[:0], kind, value, d.exactUsernames))
	person, s, err := d.m.drawPerson(d, kind == UserID)
	if err != nil {
		return 0, err
	}
	f := fresh
	if kind == UserID {
		f |= anchored
	}
	d.counts[kind]++
	d.pending = appendPerson(d.pending, person, s, 1)
	d.pending = appendIdentifier(d.pending, kind, f, trimmed(value))
	if err := d.m.flushFull(d); err != nil {
		return 0, err
	}
	d.index.put(id, person, f)
	return person, nil
}

// orphan draws a number for this run only.
func (d *Domain) orphan(id digest) (Pseudonym, error) {
	d.m.mu.Lock()
	defer d.m.mu.Unlock()
	if person, ok := d.orphans[id]; ok {
		return Pseudonym(person), nil
	}
	person, err := d.m.drawPseudonym()
	if err != nil {
		return 0, err
	}
	d.m.spend(person)
	d.orphans[id] = person
	return Pseudonym(person), nil
}

func (d *Domain) rowKeys(space string) *rowKeys {
	d.rowMutex.Lock()
	defer d.rowMutex.Unlock()
	keys := d.rows[space]
	if keys == nil {
		keys = newRowKeys([32]byte(d.key("rows " + space)))
		d.rows[space] = keys
	}
	return keys
}

const (
	addressSpace = 0xf0 // no kind of identifier has this number
	firstAddress = 240 << 24
	addressCount = 1<<28 - 1 // without 255.255.255.255
)

func (d *Domain) address(address netip.Addr) (netip.Addr, error) {
	bytes := address.As16() // an IPv4 address and its IPv6 form are the same
	var message [17]byte
	message[0] = addressSpace
	copy(message[1:], bytes[:])
	id := d.m.digests.of(message[:])
	value, _ := d.addresses.get(id)
	if value == 0 {
		var err error
		if value, err = d.drawAddress(id); err != nil {
			return netip.Addr{}, err
		}
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), nil
}

func (d *Domain) drawAddress(id digest) (uint32, error) {
	d.m.mu.Lock()
	defer d.m.mu.Unlock()
	if value, _ := d.addresses.get(id); value != 0 {
		return value, nil
	}
	if d.usedAddresses.used > addressCount/10*9 {
		return 0, fault.New(fault.Failure, "the id map has no addresses left to draw")
	}
	for {
		n, err := d.m.draws.below(addressCount)
		if err != nil {
			return 0, err
		}
		if d.usedAddresses.has(n) {
			continue
		}
		value := firstAddress + n
		d.pending = appendAddress(d.pending, id, value)
		if err := d.m.flushFull(d); err != nil {
			return 0, err
		}
		d.usedAddresses.add(n)
		d.addresses.put(id, value, 0)
		return value, nil
	}
}
