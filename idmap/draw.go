package idmap

import (
	"encoding/binary"
	"io"
	"strconv"

	"anonymooc/internal/fault"
)

// Pseudonym is what a release shows for a person: a random number from
// 1000000000 to 2147483647, which fits every column that held a user id.
type Pseudonym uint32

// Nobody stands for every forgotten person where Known finds their identifier.
const Nobody Pseudonym = 0

const (
	firstPseudonym = 1_000_000_000
	lastPseudonym  = 1<<31 - 1
	pseudonymCount = lastPseudonym - firstPseudonym + 1
)

// Username gives the pseudonymous username, which follows from the number so
// that tables joined by number also join by username: "u1234567890".
func (p Pseudonym) Username() string { return string(p.AppendUsername(nil)) }

// AppendUsername appends Username without allocating.
func (p Pseudonym) AppendUsername(dst []byte) []byte {
	return strconv.AppendUint(append(dst, 'u'), uint64(p), 10)
}

// draws takes numbers from a source of randomness.
type draws struct{ source io.Reader }

func (d draws) read(b []byte) error {
	if _, err := io.ReadFull(d.source, b); err != nil {
		return fault.New(fault.Failure, "no randomness to draw from").Because(err)
	}
	return nil
}

// below returns a uniform number below n, which is at most 2^31.
func (d draws) below(n uint32) (uint32, error) {
	var b [4]byte
	for {
		if err := d.read(b[:]); err != nil {
			return 0, err
		}
		if v := binary.LittleEndian.Uint32(b[:]) >> 1; v < n {
			return v, nil
		}
	}
}

// drawPerson adds a person under a number that nobody has or had, in any
// domain, and that is nobody's real user id. The caller holds m.mu.
func (m *Map) drawPerson(d *Domain, isAnchored bool) (uint32, seed, error) {
	pseudonym, err := m.drawPseudonym()
	if err != nil {
		return 0, seed{}, err
	}
	var s seed
	if err := m.draws.read(s[:]); err != nil {
		return 0, seed{}, err
	}
	d.people.put(pseudonym, s, isAnchored)
	return pseudonym, s, nil
}

func (m *Map) drawPseudonym() (uint32, error) {
	// Above nine tenths the draw would slow down; real platforms are far below one hundredth.
	if m.pseudonymsInUse() > pseudonymCount/10*9 {
		return 0, fault.New(fault.Failure, "the id map has no pseudonyms left to draw")
	}
	for {
		n, err := m.draws.below(pseudonymCount)
		if err != nil {
			return 0, err
		}
		if pseudonym := firstPseudonym + n; !m.isTaken(pseudonym) {
			return pseudonym, nil
		}
	}
}

func (m *Map) pseudonymsInUse() int {
	n := len(m.spent) + len(m.realIDs)
	for _, d := range m.domains {
		n += d.people.count()
	}
	return n
}

func (m *Map) isTaken(pseudonym uint32) bool {
	if m.spent[pseudonym] || m.realIDs[pseudonym] {
		return true
	}
	for _, d := range m.domains {
		if d.people.has(pseudonym) {
			return true
		}
	}
	return false
}

// noteRealID remembers a real user id that looks like a pseudonym, so that it
// is never drawn. The caller holds m.mu.
func (m *Map) noteRealID(kind Kind, canonical []byte) {
	if kind != UserID || len(canonical) != 10 {
		return
	}
	n, err := strconv.ParseUint(string(canonical), 10, 32)
	if err != nil || n < firstPseudonym || n > lastPseudonym || m.realIDs[uint32(n)] {
		return
	}
	m.realIDs[uint32(n)] = true
}

// collisions counts real user ids that turned up after their number had been
// drawn for somebody. The caller holds m.mu.
func (m *Map) collisions() (n int) {
	for id := range m.realIDs {
		for _, d := range m.domains {
			if d.people.has(id) {
				n++
				break
			}
		}
	}
	return n
}
