package risk

import "math/bits"

// signatures is a set of rows of codes, each with a number: the classes. It is
// an open-addressing table over one flat slice, which keeps a million classes
// in a few tens of megabytes.
type signatures struct {
	width int
	codes []uint32 // width for each signature
	slots []uint32 // number of a signature + 1; 0 is free
	count int
}

func newSignatures(width, expected int) *signatures {
	size := 1 << bits.Len(uint(max(16, expected*2)))
	return &signatures{width: width, slots: make([]uint32, size), codes: make([]uint32, 0, width*max(16, expected))}
}

// row returns the codes of a signature.
func (s *signatures) row(i int) []uint32 { return s.codes[i*s.width : (i+1)*s.width] }

// slot finds where a signature stands or would stand.
func (s *signatures) slot(signature []uint32) int {
	mask := len(s.slots) - 1
	var hash uint64
	for _, code := range signature {
		// Multiplication by the golden ratio, as Knuth's section 6.4 has it,
		// and a rotation that lets every code reach every bit.
		hash = bits.RotateLeft64((hash^uint64(code))*0x9e3779b97f4a7c15, 29)
	}
	for at := int(hash>>7) & mask; ; at = (at + 1) & mask {
		number := s.slots[at]
		if number == 0 || equal(s.row(int(number-1)), signature) {
			return at
		}
	}
}

func equal(a, b []uint32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// add returns the number of a signature, which is new or not.
func (s *signatures) add(signature []uint32) int {
	at := s.slot(signature)
	if number := s.slots[at]; number != 0 {
		return int(number - 1)
	}
	if (s.count+1)*4 > len(s.slots)*3 {
		s.grow()
		at = s.slot(signature)
	}
	s.codes = append(s.codes, signature...)
	s.count++
	s.slots[at] = uint32(s.count)
	return s.count - 1
}

// find returns the number of a signature that may not be there.
func (s *signatures) find(signature []uint32) (int, bool) {
	number := s.slots[s.slot(signature)]
	return int(number) - 1, number != 0
}

func (s *signatures) grow() {
	s.slots = make([]uint32, 2*len(s.slots))
	for i := range s.count {
		s.slots[s.slot(s.row(i))] = uint32(i + 1)
	}
}

// Classes are the equivalence classes of a population over some columns.
type Classes struct {
	*signatures
	sizes []int    // people by class
	of    []uint32 // class by person
}

// classesOf groups people by their codes in the columns.
func classesOf(people int, columns []*Column) *Classes {
	c := &Classes{signatures: newSignatures(len(columns), min(people, 1<<16)), of: make([]uint32, people)}
	signature := make([]uint32, len(columns))
	for person := range people {
		for i, column := range columns {
			signature[i] = column.codes[person]
		}
		class := c.add(signature)
		if class == len(c.sizes) {
			c.sizes = append(c.sizes, 0)
		}
		c.sizes[class]++
		c.of[person] = uint32(class)
	}
	return c
}

// isBlank reports whether a class shows nothing: no cell, or only empty ones.
func (c *Classes) isBlank(class int) bool {
	for _, code := range c.row(class) {
		if code > absent {
			return false
		}
	}
	return true
}

// regroup joins classes whose signatures become the same when translate, which
// is told the class and may rewrite its signature, has seen them. Only sizes are
// kept: the result has no people.
func (c *Classes) regroup(translate func(class int, signature []uint32)) *Classes {
	joined := &Classes{signatures: newSignatures(c.width, c.count/4)}
	signature := make([]uint32, c.width)
	for class := range c.count {
		copy(signature, c.row(class))
		translate(class, signature)
		to := joined.add(signature)
		if to == len(joined.sizes) {
			joined.sizes = append(joined.sizes, 0)
		}
		joined.sizes[to] += c.sizes[class]
	}
	return joined
}

// under returns the number of people in classes smaller than k.
func (c *Classes) under(k int) int {
	people := 0
	for class, size := range c.sizes {
		if size < k && !c.isBlank(class) {
			people += size
		}
	}
	return people
}

// least returns the size of the smallest class, 0 when there is none.
func (c *Classes) least() int {
	least := 0
	for class, size := range c.sizes {
		if (least == 0 || size < least) && !c.isBlank(class) {
			least = size
		}
	}
	return least
}
