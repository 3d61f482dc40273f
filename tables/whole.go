package tables

// Whole is a file that is content and not records: the structure of a course, a
// picture. It is copied byte for byte, so a rule must say that nobody is in it.
type Whole struct{}

// Name implements Format.
func (Whole) Name() string { return "file" }

// Cut implements Format: a file without records may be cut anywhere.
func (Whole) Cut(block []byte) int { return len(block) }

// Transform implements Format.
func (Whole) Transform(_ *Worker, _ *Plan, b *Block) error {
	b.out = append(b.out, b.src...)
	return nil
}
