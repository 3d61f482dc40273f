package idmap

// bitmap is a set of numbers below 2^28: 32 MB once it holds one.
type bitmap struct {
	words []uint64
	used  int
}

func (b *bitmap) has(n uint32) bool {
	return b.words != nil && b.words[n/64]&(1<<(n%64)) != 0
}

func (b *bitmap) add(n uint32) {
	if b.words == nil {
		b.words = make([]uint64, (addressCount+63)/64)
	}
	if !b.has(n) {
		b.words[n/64] |= 1 << (n % 64)
		b.used++
	}
}
