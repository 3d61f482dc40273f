package idmap

// filter says of most digests that they are not in a table, from one word of
// memory that is a tenth of the table's size: nearly all words of a log are
// nobody's name. It is a Bloom filter whose three bits lie in one word (Putze,
// Sanders and Singler, "Cache-, hash- and space-efficient Bloom filters", 2007).
// It is built once and only read after that.
type filter struct{ words []uint64 }

const keysPerWord = 6 // about one digest in sixty passes that should not

func newFilter(t *table) *filter {
	f := &filter{make([]uint64, t.count()/keysPerWord+1)}
	t.each(func(id digest, _ uint32, _ flags) { // in the order of the words
		f.words[place(id.hi, len(f.words))] |= filterBits(id)
	})
	return f
}

// excludes says that d was not in the table when the filter was built.
func (f *filter) excludes(d digest) bool {
	if len(f.words) == 0 {
		return true
	}
	wanted := filterBits(d)
	return f.words[place(d.hi, len(f.words))]&wanted != wanted
}

func filterBits(d digest) uint64 {
	return 1<<(d.lo&63) | 1<<(d.lo>>6&63) | 1<<(d.lo>>12&63)
}
