package tables

// ColumnTally counts what was done to one column or JSON path of a file. It holds
// no value, and goes into the manifest.
type ColumnTally struct {
	Column string `json:"name"`
	Role   string `json:"role,omitempty"`
	Action string `json:"action"`
	Why    string `json:"why,omitempty"`

	Kept    int64 `json:"kept"`              // values left as they were
	Changed int64 `json:"changed"`           // values replaced
	Emptied int64 `json:"emptied,omitempty"` // values taken away
	Nulls   int64 `json:"nulls,omitempty"`   // values that were empty or NULL from the start
	Failed  int64 `json:"failed,omitempty"`  // values emptied because they could not be read
	Single  int64 `json:"single,omitempty"`  // of the changed and emptied, cells of single people
	Cut     int64 `json:"cut,omitempty"`     // embedded texts that had lost their end
	Masked  int64 `json:"masked,omitempty"`  // spans the text engine masked
	Decided int64 `json:"decided,omitempty"` // spans kept by a decision
	Waiting int64 `json:"waiting,omitempty"` // spans masked because nobody has decided

	Fields []ColumnTally `json:"fields,omitempty"` // paths inside the column
}

func (c *ColumnTally) add(o *ColumnTally) {
	c.Kept += o.Kept
	c.Changed += o.Changed
	c.Emptied += o.Emptied
	c.Nulls += o.Nulls
	c.Failed += o.Failed
	c.Single += o.Single
	c.Cut += o.Cut
	c.Masked += o.Masked
	c.Decided += o.Decided
	c.Waiting += o.Waiting
}

// FileTally is what was done to a file.
type FileTally struct {
	RowsIn      int64            `json:"rows_in"`
	RowsOut     int64            `json:"rows_out"`
	Dropped     map[string]int64 `json:"rows_dropped,omitempty"` // by rule
	Quarantined int64            `json:"rows_quarantined,omitempty"`
	People      int64            `json:"people"` // whose rows they are
	Columns     []ColumnTally    `json:"columns"`

	QuarantinedLines []int64 `json:"lines_quarantined,omitempty"` // the first of them
}

// The reasons for which a row is not in the release.
const (
	DroppedForgotten  = "person was forgotten"
	DroppedUnreadable = "could not be read, set aside"
)

// peopleSet is a set of pseudonyms: 0 marks a free slot, which no pseudonym is.
// What is added waits until there is enough of it to fetch all slots side by side.
type peopleSet struct {
	slots   []uint32 // a power of two
	count   int
	waiting [64]uint32
	filled  int
	sink    uint32
}

func (s *peopleSet) add(p uint32) {
	if s.filled > 0 && s.waiting[s.filled-1] == p {
		return
	}
	s.waiting[s.filled] = p
	if s.filled++; s.filled == len(s.waiting) {
		s.flush()
	}
}

// flush puts what waits into the set.
func (s *peopleSet) flush() {
	for 2*(s.count+s.filled) >= len(s.slots) {
		s.grow()
	}
	mask := uint32(len(s.slots) - 1)
	for _, p := range s.waiting[:s.filled] {
		s.sink += s.slots[p&mask]
	}
	for _, p := range s.waiting[:s.filled] {
		s.put(p)
	}
	s.filled = 0
}

func (s *peopleSet) put(p uint32) {
	mask := uint32(len(s.slots) - 1)
	for i := p & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case p:
			return
		case 0:
			s.slots[i] = p
			s.count++
			return
		}
	}
}

func (s *peopleSet) grow() {
	old := s.slots
	s.slots, s.count = make([]uint32, max(256, 2*len(old))), 0
	for _, p := range old {
		if p != 0 {
			s.put(p)
		}
	}
}

// all returns the set.
func (s *peopleSet) all() []uint32 {
	s.flush()
	return s.slots
}
