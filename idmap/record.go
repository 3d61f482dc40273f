package idmap

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// The records that a frame holds after the number of its domain. Integers are
// little endian, lengths are unsigned varints.
//
//	P pseudonym:4 seed:16 count {kind:1 length value}   a person, or more identifiers of a known one
//	M digest:12 kind:1 pseudonym:4                       an identifier now belongs to this person
//	L digest:12 kind:1 digest:12 kind:1                  a claim without a user id
//	N digest:12 count {length name length value}         attributes of the person behind an identifier
//	A digest:12 address:4                                a pseudonymous address
//
// and, where the number is 0, for the whole map:
//
//	D number:2 flags:1 secret:32 length name             a domain
//	S count {pseudonym:4}                                numbers that are nobody's, never to be drawn again
//	F count {digest:12 kind:1}                           identifiers of erased persons
//
// The high bit of a kind says that the identifier is anchored: it was claimed
// together with a user id.
const (
	recordPerson    = 'P'
	recordMove      = 'M'
	recordLink      = 'L'
	recordNote      = 'N'
	recordAddress   = 'A'
	recordDomain    = 'D'
	recordSpent     = 'S'
	recordForgotten = 'F'

	anchoredBit   = 0x80
	exactUsername = 1 // flag of a domain
)

func kindByte(kind Kind, f flags) byte {
	if f&anchored != 0 {
		return byte(kind) | anchoredBit
	}
	return byte(kind)
}

// appendPerson opens a person's record; count identifiers must follow.
func appendPerson(dst []byte, pseudonym uint32, s seed, count int) []byte {
	dst = binary.LittleEndian.AppendUint32(append(dst, recordPerson), pseudonym)
	return binary.AppendUvarint(append(dst, s[:]...), uint64(count))
}

func appendIdentifier(dst []byte, kind Kind, f flags, value []byte) []byte {
	return appendBytes(append(dst, kindByte(kind, f)), value)
}

func appendMove(dst []byte, id digest, kind Kind, f flags, pseudonym uint32) []byte {
	dst = append(id.append(append(dst, recordMove)), kindByte(kind, f))
	return binary.LittleEndian.AppendUint32(dst, pseudonym)
}

func appendLink(dst []byte, l link) []byte {
	dst = append(l.a.append(append(dst, recordLink)), byte(l.aKind))
	return append(l.b.append(dst), byte(l.bKind))
}

func appendNote(dst []byte, id digest, attributes []Attribute) []byte {
	dst = binary.AppendUvarint(id.append(append(dst, recordNote)), uint64(len(attributes)))
	for _, a := range attributes {
		dst = appendBytes(appendBytes(dst, []byte(a.Name)), []byte(a.Value))
	}
	return dst
}

func appendAddress(dst []byte, id digest, address uint32) []byte {
	return binary.LittleEndian.AppendUint32(id.append(append(dst, recordAddress)), address)
}

func appendDomain(dst []byte, d *Domain) []byte {
	dst = binary.LittleEndian.AppendUint16(append(dst, recordDomain), d.number)
	var f byte
	if d.exactUsernames {
		f |= exactUsername
	}
	return appendBytes(append(append(dst, f), d.secret[:]...), []byte(d.name))
}

func appendSpent(dst []byte, pseudonyms ...uint32) []byte {
	dst = binary.AppendUvarint(append(dst, recordSpent), uint64(len(pseudonyms)))
	for _, p := range pseudonyms {
		dst = binary.LittleEndian.AppendUint32(dst, p)
	}
	return dst
}

// tombstone is an identifier of an erased person.
type tombstone struct {
	id   digest
	kind Kind
	f    flags // anchored: the person had a user id
}

func appendForgotten(dst []byte, tombstones []tombstone) []byte {
	dst = binary.AppendUvarint(append(dst, recordForgotten), uint64(len(tombstones)))
	for _, t := range tombstones {
		dst = append(t.id.append(dst), kindByte(t.kind, t.f))
	}
	return dst
}

func appendBytes(dst, value []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(value))), value...)
}

// trimmed is the spelling that is stored for re-contact.
func trimmed(value []byte) []byte { return bytes.TrimSpace(value) }

// errRecord says that a frame passed its seal and still makes no sense: it
// was written by something else.
var errRecord = errors.New("a record does not follow the format")

// fields reads a record field by field. After a mistake it gives zero values
// and bad is set, so that a reader checks once.
type fields struct {
	rest []byte
	bad  bool
}

func (r *fields) take(n uint64) []byte {
	if r.bad || n > uint64(len(r.rest)) {
		r.bad, r.rest = true, nil
		return nil
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

func (r *fields) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *fields) uint16() uint16 {
	if b := r.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *fields) uint32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *fields) digest() digest {
	if b := r.take(digestSize); b != nil {
		return readDigest(b)
	}
	return digest{}
}

// count reads how many things of at least size bytes follow, and refuses
// numbers that the rest of the record could not hold.
func (r *fields) count(size int) int {
	n, width := binary.Uvarint(r.rest)
	if width <= 0 || n > uint64(len(r.rest)/size) {
		r.bad, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[width:]
	return int(n)
}

func (r *fields) bytes() []byte { return r.take(uint64(r.count(1))) }

func (r *fields) kind() (Kind, flags) {
	b := r.byte()
	kind := Kind(b &^ anchoredBit)
	if !kind.valid() {
		r.bad = true
	}
	if b&anchoredBit != 0 {
		return kind, anchored
	}
	return kind, 0
}

func (r *fields) pseudonym() uint32 {
	p := r.uint32()
	if p < firstPseudonym || p > lastPseudonym {
		r.bad = true
	}
	return p
}
