package detect

import (
	"sync"

	"anonymooc/forum/lists"
)

// SeekHide compares every word with a dictionary of names and with
// anti-dictionaries of what is no name (Patel, Accorsi, Inkpen, Lopez & Roche
// 2013, section 3):
//
//	word ─ look-up, heuristics ─► in names only: mask · in both: ambiguous
//	                              in neither: unknown · in words only: ignore
//	message ─ labels ─► TA, NTA or untagged ┐
//	message ─ bagged trees ─► TA or NTA ────┴─ Agree (table 2) ─► decided, or asked
//
// The paper decides whole messages, because its training data were labelled so.
// Here the table sets how sure a mark is, and beside it a forest that was
// trained on mentions weighs each ambiguous or unknown word with where it
// stands. Without forests the labels alone speak, and the expert gets the rest.
type SeekHide struct {
	expert  Expert
	models  *Models
	readers *sync.Pool
}

// NewSeekHide prepares the detector. Lexicon (the corpus's own anti-dictionary)
// and models may be nil.
func NewSeekHide(dictionaries Dictionaries, lexicon *Lexicon, models *Models, expert Expert) *SeekHide {
	if expert == "" {
		expert = ExpertTable
	}
	return &SeekHide{expert: expert, models: models, readers: newWordReaders(dictionaries, lexicon)}
}

// Name is "seekhide".
func (s *SeekHide) Name() string { return "seekhide" }

// Detect appends marks for the words that are names, or may be.
func (s *SeekHide) Detect(doc *Document, marks []Mark) []Mark {
	r := s.readers.Get().(*wordReader)
	defer s.readers.Put(r)
	r.read(doc)
	verdict := s.verdict(doc, r)
	for i := range r.facts {
		f := &r.facts[i]
		if !f.word || f.label == LabelIgnore && !s.standsLikeAName(doc, r, i) {
			continue
		}
		if m, ok := s.mark(doc, r, i, verdict); ok {
			marks = append(marks, m)
		}
	}
	return marks
}

// standsLikeAName reports whether a word that is none by the lists has a capital
// where no sentence begins: only the forest can tell such a name ("Summer said").
func (s *SeekHide) standsLikeAName(doc *Document, r *wordReader, i int) bool {
	t := &doc.Tokens[i]
	return s.expert != ExpertAll && s.models != nil && s.models.Mention != nil && t.Any(Capital) && !t.Any(SentenceStart|AllCaps) && r.candidate(doc, i)
}

// Messages says what the rules and the trees say of a message, and what comes
// of it.
func (s *SeekHide) Messages(doc *Document) (rules, trees, both MessageVerdict) {
	r := s.readers.Get().(*wordReader)
	defer s.readers.Put(r)
	r.read(doc)
	rules = r.rules()
	if s.models == nil || s.models.Message == nil {
		return rules, Untagged, rules
	}
	trees = s.models.message(doc, r)
	return rules, trees, Agree(rules, trees)
}

// verdict is the verdict on the message; untagged without a forest.
func (s *SeekHide) verdict(doc *Document, r *wordReader) MessageVerdict {
	if s.models == nil || s.models.Message == nil || s.expert == ExpertAll {
		return Untagged
	}
	rules := r.rules()
	if rules == NothingToMask {
		return rules // no word to mark
	}
	return Agree(rules, s.models.message(doc, r))
}

// rules is the verdict of the labels alone.
func (r *wordReader) rules() MessageVerdict {
	verdict := NothingToMask
	for i := range r.facts {
		switch r.facts[i].label {
		case LabelAmbiguous, LabelUnknown:
			return Untagged
		case LabelMask:
			verdict = SomethingToMask
		}
	}
	return verdict
}

// The scores of labels where no forest was asked, and what the verdict on the
// message does to them. A score is a probability: above a half is more likely a
// name than not.
const (
	scoreMask      = 0.95 // in the dictionary only: the paper masks it unasked
	scoreMaskSmall = 0.80 // the same in small letters, unless the name is usual
	scoreAmbiguous = 0.45
	scoreUnknown   = 0.40
	scoreSmall     = 0.10 // ambiguous or unknown, in small letters
	asked          = 0.50 // what the expert is asked about
	worthAsking    = 0.25 // below, the verdict on the message decides
	sure, unlikely = 0.95, 0.05
	notSmaller     = 0.02 // marks below are not worth a place in the list
)

// mark makes the mark of a word.
func (s *SeekHide) mark(doc *Document, r *wordReader, i int, verdict MessageVerdict) (Mark, bool) {
	f, t := &r.facts[i], &doc.Tokens[i]
	m := Mark{Start: t.Start, End: t.End, Category: categoryOf(f.entry), By: s.Name(), What: what(f)}
	if f.to > 0 {
		m.Start, m.End = doc.Span(i, int(f.from), int(f.to))
	}
	m.Score = prior(f, t)
	if s.models != nil && s.models.Mention != nil {
		least := 0.0
		if f.label == LabelIgnore {
			least = worthAsking
		}
		m.Score = both(f.label, s.models.mention(doc, r, i, least))
	}
	m.Score = s.settle(m.Score, f.label, verdict)
	if m.Score < notSmaller || f.label == LabelIgnore && m.Score < worthAsking {
		return m, false
	}
	m.Proposal = Unsure
	if m.Score > 0.5 && (f.label == LabelMask || s.expert == ExpertNone) && verdict != AskExpert {
		m.Proposal = Mask
	}
	return m, true
}

// both combines a label with the forest's opinion of the word, in the manner of
// table 2: where they agree on a name it is decided, where they disagree the
// expert is asked, and the forest decides what the label leaves open.
func both(label Label, forest float64) float64 {
	switch {
	case label != LabelMask:
		return forest
	case forest > 0.5:
		return max(forest, sure)
	}
	return max(forest, asked)
}

// prior is the score of a label without a forest.
func prior(f *wordFact, t *Token) float64 {
	capital := t.Any(Capital)
	switch f.label {
	case LabelMask:
		if capital || f.entry.Is(lists.UsualName) {
			return scoreMask
		}
		return scoreMaskSmall
	case LabelAmbiguous, LabelUnknown:
		switch {
		case !capital:
			return scoreSmall
		case t.Any(SentenceStart|AllCaps) && !f.entry.Is(lists.UsualName):
			return (scoreSmall + scoreUnknown) / 2
		case f.label == LabelAmbiguous:
			return scoreAmbiguous
		}
		return scoreUnknown
	}
	return 0
}

// settle applies the level of the expert and the verdict on the message.
func (s *SeekHide) settle(score float64, label Label, verdict MessageVerdict) float64 {
	switch {
	case s.expert == ExpertAll && label != LabelMask:
		return asked
	case s.expert == ExpertNone && score > 0.5:
		return sure
	case s.expert == ExpertNone:
		return unlikely
	case verdict == AskExpert && score > 0.9:
		return 0.9
	case verdict == NothingToMask && label != LabelMask && score < worthAsking:
		return unlikely // the trees find nothing in the message: spare the expert
	}
	return score
}

// categoryOf tells which name a word may be.
func categoryOf(e lists.Entry) Category {
	if e.Is(lists.Surname|lists.RareSurname) && !e.Is(lists.FirstName) {
		return LastName
	}
	return FirstName
}

// what says why, without quoting.
func what(f *wordFact) string {
	switch f.label {
	case LabelMask:
		return "in the lists of names only" + f.how.String()
	case LabelIgnore:
		return "a word of the language that stands like a name"
	case LabelAmbiguous:
		return "in the lists of names and in those of words or places" + f.how.String()
	}
	return "in no list" + f.how.String()
}
