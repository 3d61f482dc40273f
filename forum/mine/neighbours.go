package mine

import (
	"cmp"
	"slices"
)

// neighbours finds the known keys that stand within their allowed distance of
// a form, without comparing the form with each of them.
//
// Two keys at most two steps apart become equal when at most two letters are
// taken from each; that still holds for their first prefixLetters letters. So
// every known key is entered under each of its prefix's spellings with up to
// two letters missing, and a form looks up its own such spellings:
//
//	known  federica ─► federica, ederica, fderica, … (56 entries)
//	form   federiac ─► … federia …  = known's …   ─► confirm the distance
//
// An entry is a 32-bit digest and a number, 8 bytes; digests may collide, since
// every pair is confirmed. 100,000 names of eight letters take about 30 MB.
type neighbours struct {
	keys    []string
	letters []int     // of each key
	short   deletions // keys of at most shortForm letters: one step
	long    deletions // longer ones: two steps
}

const prefixLetters = 9

// newNeighbours indexes the keys, which are distinct.
func newNeighbours(keys []string) *neighbours {
	n := &neighbours{keys: keys}
	n.short.steps, n.long.steps = 1, 2
	var scratch []uint32
	for i, key := range keys {
		part := &n.long
		if stepsAllowed(key) == 1 {
			part = &n.short
		}
		letters := []rune(key)
		n.letters = append(n.letters, len(letters))
		scratch = digests(scratch[:0], letters, part.steps)
		for _, digest := range scratch {
			part.entries = append(part.entries, deletion{digest, uint32(i)})
		}
	}
	n.short.seal()
	n.long.seal()
	return n
}

// search is one goroutine's memory for looking forms up.
type search struct {
	index   *neighbours
	seen    []uint32 // per known key: the last query that met it
	query   uint32
	letters []rune
	scratch []uint32
}

func (n *neighbours) search() *search {
	return &search{index: n, seen: make([]uint32, len(n.keys))}
}

// each calls found for every known key that may be at most its allowed
// distance from key, with that distance; 0 means the keys are equal.
func (s *search) each(key string, found func(known int, steps int)) {
	s.query++
	s.letters = s.letters[:0]
	for _, r := range key {
		s.letters = append(s.letters, r)
	}
	for _, part := range []*deletions{&s.index.short, &s.index.long} {
		if len(part.entries) == 0 || !part.reaches(len(s.letters)) {
			continue
		}
		s.scratch = digests(s.scratch[:0], s.letters, part.steps)
		for _, digest := range s.scratch {
			for _, entry := range part.bucket(digest) {
				if entry.digest != digest || s.seen[entry.key] == s.query {
					continue
				}
				s.seen[entry.key] = s.query
				if more := s.index.letters[entry.key] - len(s.letters); more > part.steps || -more > part.steps {
					continue
				}
				if steps, ok := within(s.index.keys[entry.key], key, part.steps); ok {
					found(int(entry.key), steps)
				}
			}
		}
	}
}

// deletion is one entry: the digest of a spelling with letters missing.
type deletion struct {
	digest uint32
	key    uint32
}

// deletions is a sorted list of entries with a table of where each run of
// digests begins.
type deletions struct {
	steps   int
	entries []deletion
	starts  []uint32
	shift   uint
}

// reaches reports whether a form of this many letters can be near any of the keys.
func (d *deletions) reaches(letters int) bool {
	if d.steps == 1 {
		return letters <= shortForm+1
	}
	return letters > shortForm-2
}

// seal sorts the entries and builds the table, with about as many runs as entries.
func (d *deletions) seal() {
	slices.SortFunc(d.entries, func(a, b deletion) int {
		if order := cmp.Compare(a.digest, b.digest); order != 0 {
			return order
		}
		return cmp.Compare(a.key, b.key)
	})
	d.entries = slices.Clip(slices.Compact(d.entries))
	bits := uint(1)
	for 1<<bits < len(d.entries) && bits < 26 {
		bits++
	}
	d.shift = 32 - bits
	d.starts = make([]uint32, 1<<bits+1)
	at := 0
	for run := range d.starts {
		for at < len(d.entries) && uint64(d.entries[at].digest) < uint64(run)<<d.shift {
			at++
		}
		d.starts[run] = uint32(at)
	}
}

func (d *deletions) bucket(digest uint32) []deletion {
	run := digest >> d.shift
	return d.entries[d.starts[run]:d.starts[run+1]]
}

// digests appends the digests of the prefix of letters with up to steps of its
// letters missing, each once.
func digests(dst []uint32, letters []rune, steps int) []uint32 {
	letters = letters[:min(len(letters), prefixLetters)]
	start := len(dst)
	dst = append(dst, digestWithout(letters, -1, -1))
	for i := range letters {
		dst = append(dst, digestWithout(letters, i, -1))
		if steps < 2 {
			continue
		}
		for j := i + 1; j < len(letters); j++ {
			dst = append(dst, digestWithout(letters, i, j))
		}
	}
	slices.Sort(dst[start:])
	return dst[:start+len(slices.Compact(dst[start:]))]
}

// digestWithout is the 32-bit FNV-1a digest of the letters but those two.
func digestWithout(letters []rune, i, j int) uint32 {
	digest := uint32(2166136261)
	for at, r := range letters {
		if at != i && at != j {
			digest = (digest ^ uint32(r)) * 16777619
		}
	}
	return digest ^ digest>>15
}
