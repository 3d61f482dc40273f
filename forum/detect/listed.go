package detect

import "anonymooc/forum/lists"

// Listed remembers what the general lists say of the words of texts: it stands in
// the form of each word, for whoever asks about it.
type Listed struct {
	words lookUp
	known memory[lists.Entry]
}

// lookUp is how the lists are asked where the answer is remembered.
type lookUp interface {
	Look(key string) lists.Entry
}

// ownNumber parts the numbers of lists that have one from those that are given here.
const ownNumber = 1 << 31

// NewListed prepares it for some lists. What it remembers is shared with all others
// that are prepared for the same *lists.Lists.
func NewListed(words lookUp) *Listed {
	if numbered, ok := words.(interface{ Number() uint32 }); ok {
		return &Listed{words, memory[lists.Entry]{numbered.Number() | ownNumber}}
	}
	return &Listed{words, newMemory[lists.Entry]()}
}

// Entry says what is known of a token's folded form.
func (l *Listed) Entry(t *Token) lists.Entry { return l.of(t.form) }

func (l *Listed) of(f *form) lists.Entry {
	if known := l.known.find(&f.listed); known != nil {
		return *known
	}
	return *l.known.keep(&f.listed, l.words.Look(f.folded))
}
