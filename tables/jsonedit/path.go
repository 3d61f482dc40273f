package jsonedit

// Path is where a value stands: the keys from the outermost object inwards.
// Lists leave no trace in it.
type Path struct {
	bytes []byte
	ends  []int
}

func (p *Path) reset() { p.bytes, p.ends = p.bytes[:0], p.ends[:0] }

func (p *Path) push(key []byte) {
	if len(p.ends) > 0 {
		p.bytes = append(p.bytes, '.')
	}
	p.bytes = append(p.bytes, key...)
	p.ends = append(p.ends, len(p.bytes))
}

func (p *Path) pop() {
	p.ends = p.ends[:len(p.ends)-1]
	if n := len(p.ends); n > 0 {
		p.bytes = p.bytes[:p.ends[n-1]]
	} else {
		p.bytes = p.bytes[:0]
	}
}

// String joins the keys with dots. Keys come from the data: a path may go into
// a message only where a rule names it.
func (p *Path) String() string { return string(p.bytes) }

// Bytes is String without the copy; it is valid during the call only.
func (p *Path) Bytes() []byte { return p.bytes }
