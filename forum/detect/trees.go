package detect

import (
	"bytes"
	_ "embed" // the shipped models
	"io"
	"sync"

	"anonymooc/forum/trees"
)

// Models are the two forests: one says of a message whether anything in it must
// be masked, the other of a word whether it names somebody. docs/model.md is
// the card of those that the program carries.
type Models struct {
	Message *trees.Forest
	Mention *trees.Forest
}

//go:embed trees_message.jsonl
var shippedMessage []byte

//go:embed trees_mention.jsonl
var shippedMention []byte

// ShippedModels reads the forests that the program carries.
func ShippedModels() (*Models, error) {
	return ReadModels(bytes.NewReader(shippedMessage), bytes.NewReader(shippedMention))
}

// ReadModels reads two forests and checks that they were trained on the
// features of this version.
func ReadModels(message, mention io.Reader) (*Models, error) {
	var m Models
	for _, part := range []struct {
		from  io.Reader
		into  **trees.Forest
		names []string
	}{{message, &m.Message, MessageFeatures()}, {mention, &m.Mention, MentionFeatures()}} {
		forest, err := trees.Read(part.from)
		if err != nil {
			return nil, err
		}
		if !equal(forest.Features(), part.names) {
			return nil, trees.ErrFeatures
		}
		*part.into = forest
	}
	return &m, nil
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// message is the trees' verdict on a message.
func (m *Models) message(doc *Document, r *wordReader) MessageVerdict {
	r.scores = r.messageFeatures(doc, r.scores[:0])
	if m.Message.Score(r.scores) > 0.5 {
		return SomethingToMask
	}
	return NothingToMask
}

// mention is the probability that token i names somebody; below least it may be 0.
func (m *Models) mention(doc *Document, r *wordReader, i int, least float64) float64 {
	r.features = r.mentionFeatures(doc, i, r.features[:0])
	return m.Mention.ScoreFrom(r.features, least)
}

// Trees is the forest on mentions as a detector of its own: it looks at every
// word that could be a name and lets no rule decide.
type Trees struct {
	models  *Models
	readers *sync.Pool
}

// NewTrees prepares the detector; lexicon may be nil.
func NewTrees(dictionaries Dictionaries, lexicon *Lexicon, models *Models) *Trees {
	return &Trees{models: models, readers: newWordReaders(dictionaries, lexicon)}
}

// Name is "trees".
func (t *Trees) Name() string { return "trees" }

// leastTree is the probability from which the forest's opinion is told.
const leastTree = 0.1

// Detect appends the words that the forest takes for names.
func (t *Trees) Detect(doc *Document, marks []Mark) []Mark {
	r := t.readers.Get().(*wordReader)
	defer t.readers.Put(r)
	r.read(doc)
	for i := range r.facts {
		if !r.candidate(doc, i) {
			continue
		}
		score := t.models.mention(doc, r, i, leastTree)
		if score < leastTree {
			continue
		}
		f, tok := &r.facts[i], &doc.Tokens[i]
		m := Mark{Start: tok.Start, End: tok.End, Category: categoryOf(f.entry), Score: score, Proposal: Unsure,
			By: t.Name(), What: "like a name in how it is written and where it stands"}
		if f.to > 0 {
			m.Start, m.End = doc.Span(i, int(f.from), int(f.to))
		}
		if score > 0.9 {
			m.Proposal = Mask
		}
		marks = append(marks, m)
	}
	return marks
}

// Examples calls each with the features of every word of a text that could be a
// name, for training; the slice is reused.
func (t *Trees) Examples(doc *Document, each func(start, end int, features []float64)) {
	r := t.readers.Get().(*wordReader)
	defer t.readers.Put(r)
	r.read(doc)
	for i := range r.facts {
		if r.candidate(doc, i) {
			r.features = r.mentionFeatures(doc, i, r.features[:0])
			each(doc.Tokens[i].Start, doc.Tokens[i].End, r.features)
		}
	}
}

// Message gives the message features of a text, for training.
func (t *Trees) Message(doc *Document) []float64 {
	r := t.readers.Get().(*wordReader)
	defer t.readers.Put(r)
	r.read(doc)
	return r.messageFeatures(doc, nil)
}
