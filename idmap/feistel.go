package idmap

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math"
)

// rowKeys permutes the integer keys of one table's rows: a bijection of all 64-bit
// numbers, so that two rows never share a key and a foreign key still joins.
//
// A key n is first moved to n + 1000000000; the result is then permuted
// within its class, which keeps keys as long as the columns they came from:
//
//	n                                n + 10^9               becomes a number of
//	0 … 1147483647                   10^9 … 2^31-1          10 digits, INT(11)
//	1147483648 … 2^63-1-10^9         2^31 … 2^63-1          BIGINT
//	beyond (never seen in a table)   2^63 … 2^64-1, wrapped BIGINT UNSIGNED
//
// Each class of size N is permuted by a generalised Feistel network over
// pairs (left, right) below a = ⌈√N⌉ with modular addition (Black and Rogaway,
// "Ciphers with arbitrary finite domains", 2002), walking the cycle in the rare
// case (less than one in 10,000) that a² - N was hit. Its round functions come
// from AES under a key derived for the table; those of the common class are
// tabulated beforehand.
type rowKeys struct {
	block   cipher.Block
	classes [4]permutation
	common  *[rounds * commonHalf]uint16 // every value of the round functions of class 1
}

// rounds is what keeps a random Feistel network indistinguishable from a random
// permutation for whoever may choose fewer pairs than half has values (Patarin,
// "Security of random Feistel schemes with 5 or more rounds", 2004).
const rounds = 6

type permutation struct {
	first, size uint64
	half        uint64 // a
}

const commonHalf = 33875 // ⌈√pseudonymCount⌉

// newRowKeys makes the permutation that belongs to key.
func newRowKeys(key [32]byte) *rowKeys {
	block, _ := aes.NewCipher(key[:]) // 32 bytes are always a key
	r := &rowKeys{block: block}
	r.classes = [4]permutation{
		newPermutation(0, firstPseudonym),
		newPermutation(firstPseudonym, pseudonymCount),
		newPermutation(1<<31, 1<<63-1<<31),
		newPermutation(1<<63, 1<<63),
	}
	r.common = new([rounds * commonHalf]uint16)
	var buffer [aes.BlockSize]byte
	for i := range r.common {
		r.common[i] = uint16(r.round(&buffer, 1, i/commonHalf, uint64(i%commonHalf)))
	}
	return r
}

func newPermutation(first, size uint64) permutation {
	half := uint64(math.Sqrt(float64(size)))
	for half*half < size {
		half++
	}
	return permutation{first: first, size: size, half: half}
}

// round is the pseudorandom function of one round: AES of class, round and
// half, reduced; the bias of the reduction is below 2^-32.
func (r *rowKeys) round(b *[aes.BlockSize]byte, class, round int, x uint64) uint64 {
	binary.LittleEndian.PutUint64(b[:], uint64(class)<<8|uint64(round))
	binary.LittleEndian.PutUint64(b[8:], x)
	r.block.Encrypt(b[:], b[:])
	return binary.LittleEndian.Uint64(b[:]) % r.classes[class].half
}

// permute returns the surrogate of row key n; buffer is working space.
func (r *rowKeys) permute(buffer *[aes.BlockSize]byte, n uint64) uint64 {
	n += firstPseudonym
	if n-firstPseudonym < pseudonymCount {
		return r.permuteCommon(n - firstPseudonym)
	}
	class := 2
	switch {
	case n < firstPseudonym:
		class = 0
	case n >= 1<<63:
		class = 3
	}
	return r.classes[class].first + r.walk(buffer, class, n-r.classes[class].first)
}

// walk permutes x within a class, by rounds that are computed.
func (r *rowKeys) walk(buffer *[aes.BlockSize]byte, class int, x uint64) uint64 {
	p := &r.classes[class]
	for {
		left, right := x/p.half, x%p.half
		for round := range rounds {
			left, right = right, (left+r.round(buffer, class, round, right))%p.half
		}
		if x = left*p.half + right; x < p.size {
			return x
		}
	}
}

// permuteCommon is permute for the class whose round functions are tabulated.
func (r *rowKeys) permuteCommon(n uint64) uint64 {
	x := uint32(n)
	for {
		left, right := x/commonHalf, x%commonHalf
		for round := uint32(0); round < rounds*commonHalf; round += commonHalf {
			sum := left + uint32(r.common[round+right])
			if sum >= commonHalf {
				sum -= commonHalf
			}
			left, right = right, sum
		}
		if x = left*commonHalf + right; x < pseudonymCount {
			return firstPseudonym + uint64(x)
		}
	}
}

// permuteAll is permute for many keys of the class whose round functions are
// tabulated: round by round for all of them, because the next round of one key has
// to wait for the table, and that of another has not. Those that are left to walk
// on are permuted alone.
func (r *rowKeys) permuteAll(keys []Answer) {
	const together = 16
	var left, right [together]uint32
	for len(keys) > 0 {
		n := min(len(keys), together)
		for i := range keys[:n] {
			x := uint32(keys[i].row)
			left[i], right[i] = x/commonHalf, x%commonHalf
		}
		for round := uint32(0); round < rounds*commonHalf; round += commonHalf {
			for i := range n {
				sum := left[i] + uint32(r.common[round+right[i]])
				if sum >= commonHalf {
					sum -= commonHalf
				}
				left[i], right[i] = right[i], sum
			}
		}
		for i := range keys[:n] {
			if x := left[i]*commonHalf + right[i]; keys[i].by == byNothing {
				keys[i].row = 0
			} else if x < pseudonymCount {
				keys[i].row = firstPseudonym + uint64(x)
			} else {
				keys[i].row = r.permuteCommon(keys[i].row)
			}
		}
		keys = keys[n:]
	}
}
