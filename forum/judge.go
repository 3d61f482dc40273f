package forum

import (
	"bytes"
	_ "embed" // the shipped forest
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/forum/trees"
	"anonymooc/internal/fault"
)

// Judge is the forest on the evidence: bagged decision trees (Patel et al. 2013)
// that were grown on what the engine knows of spans that people have marked. Its
// answer takes the place of the sum of the reasons for what names somebody, a
// place or an institution; addresses, numbers and what the officer or the
// reviewer has said are not its business. docs/model.md is its card.
//
// It is safe for concurrent use.
type Judge struct {
	forest *trees.Forest // may be nil: nothing but traits is made
	known  Gazetteer
	words  *detect.Trees
	around *detect.Surroundings
}

//go:embed judge.jsonl
var shippedJudge []byte

// NewJudge makes a judge of a forest, which may be nil to learn only. The
// mention forest and the lexicon are those of the detectors.
func NewJudge(forest *trees.Forest, known interface {
	Gazetteer
	detect.Dictionaries
}, lexicon *detect.Lexicon, models *detect.Models, around *detect.Surroundings) (*Judge, error) {
	if forest != nil && !slices.Equal(forest.Features(), traitNames) {
		return nil, trees.ErrFeatures
	}
	return &Judge{forest: forest, known: known, words: detect.NewTrees(known, lexicon, models), around: around}, nil
}

// judgeFile holds a project's own forest on the evidence, in its folder of models.
const judgeFile = "judge.jsonl"

// openJudge reads a project's forest on the evidence, or that which the program
// carries where the folder has none.
func openJudge(folder string) (*trees.Forest, error) {
	if folder != "" {
		file, err := os.Open(filepath.Join(folder, judgeFile))
		if err == nil {
			defer file.Close()
			forest, err := trees.Read(file)
			if err == nil && !slices.Equal(forest.Features(), traitNames) {
				err = trees.ErrFeatures
			}
			if err != nil {
				return nil, fault.New(fault.Usage, "the project's forest cannot be used").At(file.Name(), 0, "").Because(err).
					WithHint("remove it, then train again: anonymooc forum train")
			}
			return forest, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, fault.New(fault.Failure, "the forest cannot be read").At(filepath.Join(folder, judgeFile), 0, "").Because(err)
		}
	}
	return trees.Read(bytes.NewReader(shippedJudge))
}

// gazetteer is what the judge knows of words; nil without a judge.
func (j *Judge) gazetteer() Gazetteer {
	if j == nil {
		return nil
	}
	return j.known
}

// witnesses are those whose marks the forest knows of: all but the officer's own.
var witnesses = append(DetectorNames(), nearbyName)

// enough are reasons that need no judge: the name of somebody here, written out,
// where only a name can stand. Neither does such a name that is greeted by itself,
// whose relative is told of, or that has its letters held down.
const enough = 4.0

// judges reports whether a span is the forest's business.
func (j *Judge) judges(w *weighed) bool {
	if w.sum >= enough || w.known && (w.stand.vocative || w.stand.kin && w.stand.capital || elongated(w.key)) || w.stand.own || w.handle || w.stand.bare || w.stand.markup || !slices.Contains(judged, w.Category) {
		return false
	}
	for i := range w.marks {
		if m := &w.marks[i]; m.Type == TypeDecided || m.Type == detect.TypeIncluded || !slices.Contains(witnesses, m.By) {
			return false
		}
	}
	return true
}

// The forest's answers are shares of examples: none of them is certain.
const leastJudged, mostJudged = 0.002, 0.998

// judgeSpans lets the forest score the spans of a text.
func (e *Engine) judgeSpans(doc *detect.Document, spans []weighed) {
	j := e.options.Judge
	if j == nil || j.forest == nil {
		return
	}
	e.eachJudged(doc, spans, func(w *weighed, traits []float64) {
		w.Score = min(max(j.forest.Score(traits), leastJudged), mostJudged)
	})
	agree(spans)
}

// agree makes the scores of spans that hold each other agree: whoever masks a part of
// a name that the catalogue knows masks the name, and a part of the name of
// somebody known to the public is no more likely anybody else's than the whole.
func agree(spans []weighed) {
	for i := range spans {
		w := &spans[i]
		if w.to-w.from < 2 {
			continue
		}
		whole := w.whole()
		for j := max(i-mostAround, 0); j < min(i+mostAround+1, len(spans)); j++ {
			part := &spans[j]
			switch {
			case part.from < w.from || part.to > w.to || i == j:
			case whole:
				w.Score = max(w.Score, part.Score)
			case w.stand.public && !part.known:
				part.Score = min(part.Score, w.Score)
			}
		}
	}
}

// whole reports whether the catalogue knows the span as a name of several words.
func (w *weighed) whole() bool {
	if w.to-w.from < 2 {
		return false
	}
	for i := range w.marks {
		if m := &w.marks[i]; m.By == CatalogueName && m.Type != TypeVariant && m.Category.Person() {
			return true
		}
	}
	return false
}

// eachJudged calls visit with the traits of every span that is the forest's
// business; the slice is reused.
func (e *Engine) eachJudged(doc *detect.Document, spans []weighed, visit func(w *weighed, traits []float64)) {
	j := e.options.Judge
	var words *detect.Traits // looked up for the first of them
	var traits [64]float64
	for i := range spans {
		if !j.judges(&spans[i]) {
			continue
		}
		if words == nil {
			looked := j.words.Traits(doc)
			defer looked.Close()
			words = &looked
		}
		visit(&spans[i], e.traits(doc, spans, i, *words, traits[:0]))
	}
}

// Example is a span with what the forest is told of it.
type Example struct {
	Start, End int
	Category   detect.Category
	Traits     []float64
	Around     []string // detect.Around
}

// Examples gives the spans of a document that are the forest's business, for
// training.
func (e *Engine) Examples(doc *detect.Document) []Example {
	var examples []Example
	spans := e.weighAll(doc, e.circleOf(doc), newDesk())
	e.eachJudged(doc, spans, func(w *weighed, traits []float64) {
		examples = append(examples, Example{w.Start, w.End, w.Category, slices.Clone(traits), detect.Around(doc, w.from, w.to)})
	})
	return examples
}

// keyWords is a formKey without its case.
func keyWords(key string) string {
	_, words, _ := strings.Cut(key, ":")
	return words
}
