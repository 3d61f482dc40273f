package training

import (
	"anonymooc/forum/detect"
	"anonymooc/forum/trees"
)

// Set is what the forests learn from.
type Set struct {
	Messages []trees.Example
	Mentions []trees.Example
}

// Add appends the examples of labelled texts. The corpus lexicon that the
// detectors will have is made of the texts themselves.
func (s *Set) Add(texts []Text, dictionaries detect.Dictionaries) {
	lexicon := detect.NewLexicon()
	for i := range texts {
		doc, _ := texts[i].document()
		lexicon.Learn(doc)
	}
	reader := detect.NewTrees(dictionaries, lexicon, nil)
	for i := range texts {
		doc, named := texts[i].document()
		s.add(reader, doc, func(start, end int) bool { return named[start] || named[end-1] })
	}
}

// add appends the examples of one document.
func (s *Set) add(reader *detect.Trees, doc *detect.Document, person func(start, end int) bool) {
	any := false
	reader.Examples(doc, func(start, end int, features []float64) {
		yes := person(start, end)
		any = any || yes
		s.Mentions = append(s.Mentions, trees.Example{Features: append([]float64(nil), features...), Positive: yes})
	})
	s.Messages = append(s.Messages, trees.Example{Features: reader.Message(doc), Positive: any})
}

// Reviewed appends the examples of a text that a reviewer has judged: decided
// tells for a stretch of bytes whether it names somebody, and whether that was
// decided at all. The message counts if any of it was.
func (s *Set) Reviewed(doc *detect.Document, dictionaries detect.Dictionaries, lexicon *detect.Lexicon, decided func(start, end int) (person, known bool)) {
	reader := detect.NewTrees(dictionaries, lexicon, nil)
	any, judged := false, false
	reader.Examples(doc, func(start, end int, features []float64) {
		person, known := decided(start, end)
		if !known {
			return
		}
		any, judged = any || person, true
		s.Mentions = append(s.Mentions, trees.Example{Features: append([]float64(nil), features...), Positive: person})
	})
	if judged {
		s.Messages = append(s.Messages, trees.Example{Features: reader.Message(doc), Positive: any})
	}
}

// Settings are those of the shipped forests. The message forest draws as many
// negative as positive examples, as the paper does; the mention forest does
// not, so that its score stays a probability.
func Settings(seed uint64) (message, mention trees.Settings) {
	return trees.Settings{Trees: 15, Depth: 8, Leaf: 10, Balance: true, Seed: seed},
		trees.Settings{Trees: 25, Depth: 12, Leaf: 12, Try: 14, Seed: seed}
}

// Train grows both forests.
func Train(set *Set, seed uint64) (*detect.Models, error) {
	forMessage, forMention := Settings(seed)
	message, err := trees.Train(detect.MessageFeatures(), set.Messages, forMessage)
	if err != nil {
		return nil, err
	}
	mention, err := trees.Train(detect.MentionFeatures(), set.Mentions, forMention)
	if err != nil {
		return nil, err
	}
	return &detect.Models{Message: message, Mention: mention}, nil
}

// Quality tells how a forest does on examples.
type Quality struct {
	Examples  int     `json:"examples"`
	Positive  int     `json:"positive"`
	Accuracy  float64 `json:"accuracy"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
}

// counts are what a Quality is made of.
type counts struct{ examples, positive, right, hit, taken int }

// add scores examples at one half.
func (c *counts) add(forest *trees.Forest, examples []trees.Example) {
	for i := range examples {
		e := &examples[i]
		said := forest.Score(e.Features) > 0.5
		c.examples++
		for _, n := range []struct {
			yes  bool
			into *int
		}{{e.Positive, &c.positive}, {said, &c.taken}, {said == e.Positive, &c.right}, {said && e.Positive, &c.hit}} {
			if n.yes {
				*n.into++
			}
		}
	}
}

func (c *counts) quality() Quality {
	share := func(a, b int) float64 {
		if b == 0 {
			return 0
		}
		return float64(a) / float64(b)
	}
	return Quality{Examples: c.examples, Positive: c.positive, Accuracy: share(c.right, c.examples),
		Precision: share(c.hit, c.taken), Recall: share(c.hit, c.positive)}
}

// Measure scores a forest at one half.
func Measure(forest *trees.Forest, examples []trees.Example) Quality {
	var c counts
	c.add(forest, examples)
	return c.quality()
}

// Join puts a set's examples, each as often as repeat says, before another's.
func Join(own, other *Set, repeat int) *Set {
	return &Set{Messages: join(own.Messages, other.Messages, repeat), Mentions: join(own.Mentions, other.Mentions, repeat)}
}

func join(own, other []trees.Example, repeat int) []trees.Example {
	all := make([]trees.Example, 0, repeat*len(own)+len(other))
	for range repeat {
		all = append(all, own...)
	}
	return append(all, other...)
}

// Folds measures both forests by cross-validation: each tenth of a set's
// examples is scored by forests grown on its other nine and on the other set
// (Patel et al., section 6.3).
func Folds(own, other *Set, repeat int, seed uint64) (message, mention Quality, err error) {
	forMessage, forMention := Settings(seed)
	if message, err = folds(own.Messages, func(learn []trees.Example) (*trees.Forest, error) {
		return trees.Train(detect.MessageFeatures(), join(learn, other.Messages, repeat), forMessage)
	}); err != nil {
		return message, mention, err
	}
	mention, err = folds(own.Mentions, func(learn []trees.Example) (*trees.Forest, error) {
		return trees.Train(detect.MentionFeatures(), join(learn, other.Mentions, repeat), forMention)
	})
	return message, mention, err
}

const foldCount = 10

// folds measures the forests that grow makes of nine tenths of some examples.
func folds(own []trees.Example, grow func(learn []trees.Example) (*trees.Forest, error)) (Quality, error) {
	var c counts
	for fold := range min(foldCount, len(own)) {
		var learn, test []trees.Example
		for i := range own {
			if i%foldCount == fold {
				test = append(test, own[i])
			} else {
				learn = append(learn, own[i])
			}
		}
		forest, err := grow(learn)
		if err != nil {
			return Quality{}, err
		}
		c.add(forest, test)
	}
	return c.quality(), nil
}

// Judge grows the forest on the evidence from spans with their traits.
func Judge(names []string, examples []trees.Example, seed uint64) (*trees.Forest, error) {
	return trees.Boost(names, examples, trees.Boosting{Seed: seed}, nil)
}

// Few decisions grow few trees, behind those that the program carries.
const (
	fewDecisions = 50 // teach nothing
	perTree      = 5  // decisions for each tree
	mostOwnTrees = 100
)

// OwnJudge grows trees of a project's own behind those of a forest, from the spans
// that a reviewer has decided, and those that were clear, and tells how a forest
// grown so does on decisions that it has not seen. There is none while the
// decisions are few.
func OwnJudge(carried *trees.Forest, decided, clear []trees.Example, seed uint64) (*trees.Forest, Quality, error) {
	if len(decided) < fewDecisions {
		return nil, Quality{Examples: len(decided)}, nil
	}
	settings := trees.Boosting{Trees: min(len(decided)/perTree, mostOwnTrees), Leaf: 10, Seed: seed}
	grow := func(decided []trees.Example) (*trees.Forest, error) {
		return trees.Boost(carried.Features(), join(decided, clear, 1), settings, carried)
	}
	quality, err := folds(decided, grow)
	if err != nil {
		return nil, quality, err
	}
	forest, err := grow(decided)
	return forest, quality, err
}
