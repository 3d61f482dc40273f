package verify

import (
	"math/bits"
	"strings"
	"unicode"
)

// Index holds the words of all known identifiers, to be looked for at once.
//
// An identifier is a row of words: "jean.dupont@univ.example" is four. The hash
// of each beginning of the row sets two bits in a table: "goes on" and "ends
// here". Reading a text, the words from each place on are followed while the
// table says "goes on"; where it says "ends here" the exact entry is looked up,
// which also knows what must stand between the words. Nearly every word of a
// text is turned away by the one look at the table.
//
// An entry is 8 bytes: the upper 41 bits of the hash (its place in the table
// tells the lower ones), the kind, what sort of word it is, and a check of the separators.
type Index struct {
	steps     []uint64 // 2 bits a hash: goesOn, endsHere
	stepShift uint
	entries   []uint64
	mask      uint64
	longest   int // words of the longest identifier
	count     int
	phones    map[uint64]struct{} // telephone numbers: see significantDigits
}

const (
	goesOn   = 1
	endsHere = 2

	maximumWords = 24 // of an identifier; what is longer is found by its beginning
	maximumGap   = 4  // bytes between two words of one identifier

	separatorBits = 16
	kindBits      = 4
	tagShift      = separatorBits + kindBits + 3
	commonFlag    = 1 << (separatorBits + kindBits)
	// The table is looked up by at most as many bits as a builder keeps of a hash.
	maximumPlaces = 1 << 31

	usedFlag = 1 << (separatorBits + kindBits + 1)
	wordFlag = 1 << (separatorBits + kindBits + 2)
)

// pattern is one way to write an identifier.
type pattern struct {
	words      []uint64
	separators uint64 // 0: whatever stands between
	kind       kindNumber
	common     bool
	wordlike   bool // one word of letters: nobody told that it is common, but it may be
}

// NewIndex builds the index of people. What has no word in it cannot be looked
// for.
func NewIndex(people People) *Index {
	b := newIndexBuilder()
	for known := range people {
		b.add(known)
	}
	return b.build()
}

// personalHosts serve pages of persons: what stands behind their name is one.
var personalHosts = [...]string{
	"facebook.com/", "fb.com/", "twitter.com/", "x.com/", "linkedin.com/in/", "linkedin.com/pub/", "instagram.com/", "t.me/",
	"vk.com/", "youtube.com/user/", "youtube.com/@", "github.com/", "plus.google.com/", "about.me/", "viadeo.com/profile/",
}

// Len tells how many spellings are looked for.
func (x *Index) Len() int { return x.count }

// indexBuilder gathers entries first, so that the tables are made in one size.
type indexBuilder struct {
	steps   piles[uint32] // upper halves of hashes of beginnings; bit 0 tells goesOn from endsHere
	known   []uint32      // steps met lately: most beginnings are many identifiers'
	entries piles[uint64] // pairs: hash, packed
	phones  map[uint64]struct{}
	longest int
	split   splitter
}

func newIndexBuilder() *indexBuilder {
	b := &indexBuilder{phones: map[uint64]struct{}{}, known: make([]uint32, knownSteps)}
	for _, host := range personalHosts {
		row, separators := b.row(host)
		b.enter(pattern{words: row, separators: separators, kind: numberOfURL})
	}
	return b
}

// piles is a list that grows without moving what it holds.
type piles[T any] struct {
	full [][]T
	top  []T
}

const pileSize = 1 << 16

func (p *piles[T]) add(values ...T) {
	if len(p.top)+len(values) > cap(p.top) {
		p.full = append(p.full, p.top)
		p.top = make([]T, 0, pileSize)
	}
	p.top = append(p.top, values...)
}

func (p *piles[T]) len() int {
	n := len(p.top)
	for _, pile := range p.full {
		n += len(pile)
	}
	return n
}

func (p *piles[T]) all() [][]T { return append(p.full, p.top) }

// knownSteps is how many steps are remembered, a power of two.
const knownSteps = 1 << 16

// step enters the hash of a beginning, unless it was just entered.
func (b *indexBuilder) step(h uint64, ends bool) {
	step := uint32(h>>32) &^ 1
	if ends {
		step |= 1
	}
	slot := &b.known[(h>>40^h>>20)&(knownSteps-1)]
	if *slot != step || step == 0 {
		*slot = step
		b.steps.add(step)
	}
}

func (b *indexBuilder) add(k Known) {
	value := strings.TrimSpace(k.Value)
	common := k.Common || ordinary(k.Kind, value)
	number := numberOf(k.Kind)
	switch k.Kind {
	case Phone:
		if digits := significantDigits([]byte(value)); digits != 0 {
			b.phones[digits] = struct{}{}
		}
	case FirstName, LastName:
		// Judged in their owner's conversations only: see neighbours.
	case Email:
		b.addEmail(value, number, common)
	case FullName, Address:
		b.addName(value, number, common)
	default:
		row, separators := b.row(value)
		if len(row) == 1 && plainWord(value) {
			separators = 0
		}
		wordlike := k.Kind == Username && len(row) == 1 && strings.IndexFunc(value, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
		b.enter(pattern{row, separators, number, common, wordlike})
	}
}

// addEmail enters an address as written, and as people hide it from machines:
// "name (at) host", "name at host dot org".
func (b *indexBuilder) addEmail(value string, kind kindNumber, common bool) {
	row, _ := b.row(value)
	b.enter(pattern{words: row, kind: kind, common: common})
	local, host, ok := strings.Cut(value, "@")
	if !ok || local == "" || host == "" {
		return
	}
	for _, at := range [...]string{" at ", " arobase ", " chez "} {
		row, _ := b.row(local + at + host)
		b.enter(pattern{words: row, kind: kind, common: common})
	}
	row, _ = b.row(local + " at " + strings.ReplaceAll(host, ".", " dot "))
	b.enter(pattern{words: row, kind: kind, common: common})
}

// addName enters a name as written, with the first word last, the last word
// first, and run together.
func (b *indexBuilder) addName(value string, kind kindNumber, common bool) {
	row, _ := b.row(value)
	b.enter(pattern{words: row, kind: kind, common: common})
	if len(row) < 2 || kind != numberOfFullName {
		return
	}
	b.enter(pattern{words: append(append([]uint64(nil), row[1:]...), row[0]), kind: kind, common: common})
	if n := len(row) - 1; n > 1 {
		b.enter(pattern{words: append([]uint64{row[n]}, row[:n]...), kind: kind, common: common})
	}
	var joined strings.Builder
	for _, span := range b.split.split([]byte(value)) {
		joined.WriteString(value[span.start:span.end])
	}
	if joined.Len() >= 7 {
		row, _ := b.row(joined.String())
		b.enter(pattern{words: row, kind: kind, common: common})
	}
}

// row cuts a value into words and gives a check of what stands around them.
func (b *indexBuilder) row(value string) ([]uint64, uint64) {
	text := []byte(value)
	spans := b.split.split(text)
	if len(spans) > maximumWords {
		spans = spans[:maximumWords]
		text = text[:spans[maximumWords-1].end]
	}
	row := make([]uint64, len(spans))
	for i, span := range spans {
		row[i] = span.hash
	}
	if len(spans) == 0 {
		return nil, 0
	}
	return row, separatorCheck(text, spans, int(spans[0].start), len(text)-int(spans[len(spans)-1].end))
}

// separatorCheck sums up what stands before, between and behind words: 16 bits,
// never 0. The lengths of what stands before and behind take the low 4 bits.
func separatorCheck(text []byte, spans []wordSpan, before, behind int) uint64 {
	before, behind = min(before, 3), min(behind, 3)
	h := uint64(hashSeed)
	add := func(from, to int32) {
		for _, c := range text[from:to] {
			h = (h + uint64(c)) * byteStep
		}
		h = (h + 0x100) * byteStep
	}
	first, last := spans[0], spans[len(spans)-1]
	add(first.start-int32(before), first.start)
	for i := 1; i < len(spans); i++ {
		add(spans[i-1].end, spans[i].start)
	}
	add(last.end, last.end+int32(behind))
	check := finish(h)&0xfff0 | uint64(before)<<2 | uint64(behind)
	if check == 0 {
		check = 0x10
	}
	return check
}

func plainWord(value string) bool {
	return strings.IndexFunc(value, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9')
	}) < 0
}

func (b *indexBuilder) enter(p pattern) {
	if len(p.words) == 0 {
		return
	}
	b.longest = max(b.longest, len(p.words))
	h := p.words[0]
	for _, next := range p.words[1:] {
		b.step(h, false)
		h = chain(h, next)
	}
	b.step(h, true)
	packed := p.separators | uint64(p.kind)<<separatorBits | usedFlag
	if p.common {
		packed |= commonFlag
	}
	if p.wordlike {
		packed |= wordFlag
	}
	b.entries.add(h, packed)
}

func (b *indexBuilder) build() *Index {
	x := &Index{longest: b.longest, count: b.entries.len()/2 + len(b.phones), phones: b.phones}
	// Eight places a step keep the share of words let through by chance at
	// about one in ten; a word costs 2 bits.
	places := min(nextPower(8*b.steps.len()), maximumPlaces)
	x.steps = make([]uint64, places/32)
	x.stepShift = uint(64 - bits.TrailingZeros64(uint64(places)))
	for _, pile := range b.steps.all() {
		for _, h := range pile {
			bit := uint64(goesOn)
			if h&1 == 1 {
				bit = endsHere
			}
			at := uint64(h) << 32 >> x.stepShift
			x.steps[at>>5] |= bit << (at & 31 * 2)
		}
	}
	b.steps, b.known = piles[uint32]{}, nil // what is built needs it no more
	slots := nextPower(b.entries.len() / 2 * 6 / 5)
	x.entries = make([]uint64, slots)
	x.mask = uint64(slots - 1)
	for _, pile := range b.entries.all() {
		for i := 0; i < len(pile); i += 2 {
			x.put(pile[i], pile[i+1])
		}
	}
	return x
}

func nextPower(n int) int {
	size := 64
	for size < n {
		size *= 2
	}
	return size
}

func (x *Index) put(h, packed uint64) {
	packed |= h &^ (1<<tagShift - 1)
	for at := h; ; at++ {
		slot := &x.entries[at&x.mask]
		if *slot == packed {
			x.count--
			return
		}
		if *slot|commonFlag == packed|commonFlag && *slot != 0 {
			// The same word of two people: what is common for one is for both.
			*slot |= commonFlag
			x.count--
			return
		}
		if *slot == 0 {
			*slot = packed
			return
		}
	}
}

// step tells whether identifiers go on or end with a hash.
func (x *Index) step(h uint64) uint64 {
	at := h >> x.stepShift
	return x.steps[at>>5] >> (at & 31 * 2) & 3
}

// find calls visit for each entry of a row of words.
func (x *Index) find(h uint64, visit func(packed uint64)) {
	tag := h &^ (1<<tagShift - 1)
	for at := h; ; at++ {
		slot := x.entries[at&x.mask]
		if slot == 0 {
			return
		}
		if slot&^(1<<tagShift-1) == tag {
			visit(slot)
		}
	}
}
