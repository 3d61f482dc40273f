package detect

import "slices"

// Traits are the words of one document, looked up: how each is written and where
// it stands, for whoever weighs it with more than a detector knows.
type Traits struct {
	trees  *Trees
	reader *wordReader
	doc    *Document
}

// Traits looks up the words of a document. They must be closed, and not be used
// once the document has changed.
func (t *Trees) Traits(doc *Document) Traits {
	r := t.readers.Get().(*wordReader)
	r.read(doc)
	r.asked = slices.Grow(r.asked[:0], len(doc.Tokens))[:len(doc.Tokens)]
	for i := range r.asked {
		r.asked[i] = notAsked
	}
	return Traits{t, r, doc}
}

// Close gives the memory back.
func (t Traits) Close() { t.trees.readers.Put(t.reader) }

// Score is the mention forest's opinion of token i; 0 without a forest.
func (t Traits) Score(i int) float64 {
	if t.trees.models == nil || t.trees.models.Mention == nil {
		return 0
	}
	score := &t.reader.asked[i]
	if *score == notAsked {
		*score = t.trees.models.mention(t.doc, t.reader, i, 0)
	}
	return *score
}

// notAsked stands for the opinion on a token of which the forest was not asked.
const notAsked = -1

// Look is Score, and the features of token i (see MentionFeatures), which are
// valid until another token is asked for.
func (t Traits) Look(i int) (score float64, features []float64) {
	score = t.Score(i)
	t.reader.features = t.reader.mentionFeatures(t.doc, i, t.reader.features[:0])
	return score, t.reader.features
}

// Label is what the dictionaries say of token i.
func (t Traits) Label(i int) Label { return t.reader.facts[i].label }

// Capitals is the share of the text's words that have a capital.
func (t Traits) Capitals() float64 {
	if t.reader.all == 0 {
		return 0
	}
	return float64(t.reader.capitals) / float64(t.reader.all)
}
