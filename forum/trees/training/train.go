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
		trees.Settings{Trees: 25, Depth: 12, Leaf: 8, Try: 12, Seed: seed}
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

// Measure scores a forest at one half.
func Measure(forest *trees.Forest, examples []trees.Example) Quality {
	q := Quality{Examples: len(examples)}
	right, hit, taken := 0, 0, 0
	for i := range examples {
		e := &examples[i]
		said := forest.Score(e.Features) > 0.5
		if e.Positive {
			q.Positive++
		}
		if said {
			taken++
		}
		if said == e.Positive {
			right++
		}
		if said && e.Positive {
			hit++
		}
	}
	share := func(a, b int) float64 {
		if b == 0 {
			return 0
		}
		return float64(a) / float64(b)
	}
	q.Accuracy, q.Precision, q.Recall = share(right, len(examples)), share(hit, taken), share(hit, q.Positive)
	return q
}

// Folds measures both forests by cross-validation: each tenth of the examples
// is scored by forests grown on the other nine (Patel et al., section 6.3).
func Folds(set *Set, seed uint64) (message, mention Quality, err error) {
	forMessage, forMention := Settings(seed)
	if message, err = folds(detect.MessageFeatures(), set.Messages, forMessage); err != nil {
		return message, mention, err
	}
	mention, err = folds(detect.MentionFeatures(), set.Mentions, forMention)
	return message, mention, err
}

const foldCount = 10

func folds(names []string, examples []trees.Example, settings trees.Settings) (Quality, error) {
	var total Quality
	right, hit, taken := 0.0, 0.0, 0.0
	for fold := range foldCount {
		var learn, test []trees.Example
		for i := range examples {
			if i%foldCount == fold {
				test = append(test, examples[i])
			} else {
				learn = append(learn, examples[i])
			}
		}
		forest, err := trees.Train(names, learn, settings)
		if err != nil {
			return Quality{}, err
		}
		q := Measure(forest, test)
		total.Examples += q.Examples
		total.Positive += q.Positive
		right += q.Accuracy * float64(q.Examples)
		hits := q.Recall * float64(q.Positive)
		hit += hits
		if q.Precision > 0 {
			taken += hits / q.Precision
		}
	}
	if total.Examples > 0 {
		total.Accuracy = right / float64(total.Examples)
	}
	if total.Positive > 0 {
		total.Recall = hit / float64(total.Positive)
	}
	if taken > 0 {
		total.Precision = hit / taken
	}
	return total, nil
}
