package idmap

import (
	"encoding/binary"
	"math/bits"
)

// digestKey is the secret under which identifiers are looked up. One key
// serves the whole map, so that a forgotten person is known in every domain.
type digestKey struct{ k0, k1 uint64 }

// digest is a keyed digest of 96 bits. For 15 million identifiers two digests
// are equal by chance once in 10^15 maps.
type digest struct {
	hi uint64
	lo uint32
}

const digestSize = 12

func newDigestKey(secret []byte) digestKey {
	return digestKey{binary.LittleEndian.Uint64(secret), binary.LittleEndian.Uint64(secret[8:16])}
}

// of digests a message. SipHash is a keyed pseudorandom function made for
// short inputs: about ten times as fast here as HMAC-SHA-256.
func (k digestKey) of(message []byte) digest {
	a, b := sipHash128(k.k0, k.k1, message)
	return digest{hi: a, lo: uint32(b)}
}

func (d digest) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, d.hi)
	return binary.LittleEndian.AppendUint32(dst, d.lo)
}

func readDigest(b []byte) digest {
	return digest{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:])}
}

// compare orders digests, which gives every run the same order of persons.
func (d digest) compare(other digest) int {
	switch {
	case d.hi < other.hi:
		return -1
	case d.hi > other.hi:
		return 1
	}
	return int(int64(d.lo) - int64(other.lo))
}

// sipHash128 is SipHash-2-4 with 128 bits of output (Aumasson and Bernstein,
// "SipHash: a fast short-input PRF", 2012; the 128-bit variant of the
// reference implementation). Its state stays in registers.
func sipHash128(k0, k1 uint64, message []byte) (uint64, uint64) {
	v0, v1 := k0^0x736f6d6570736575, k1^0x646f72616e646f6d^0xee
	v2, v3 := k0^0x6c7967656e657261, k1^0x7465646279746573
	length := len(message)
	for len(message) >= 8 {
		word := binary.LittleEndian.Uint64(message)
		v3 ^= word
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
		v0 ^= word
		message = message[8:]
	}
	last := uint64(length) << 56
	for i, c := range message {
		last |= uint64(c) << (8 * i)
	}
	v3 ^= last
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0 ^= last
	v2 ^= 0xee
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	first := v0 ^ v1 ^ v2 ^ v3
	v1 ^= 0xdd
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	return first, v0 ^ v1 ^ v2 ^ v3
}

func sipRound(v0, v1, v2, v3 uint64) (uint64, uint64, uint64, uint64) {
	v0 += v1
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v3
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 += v3
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	v2 += v1
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	return v0, v1, bits.RotateLeft64(v2, 32), v3
}
