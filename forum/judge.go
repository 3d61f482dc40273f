package forum

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
	"anonymooc/forum/trees"
	"anonymooc/internal/fault"
)

// Judge is the forests on the evidence: boosted decision trees (Friedman 2001) that
// were grown on what the engine knows of spans that people have marked. Its
// answer takes the place of the sum of the reasons for what names somebody, a
// place or an institution; addresses, numbers and what the officer or the
// reviewer has said are not its business. docs/model.md is its card.
//
// It looks twice. The first look sees each span by itself. Where it leaves doubt, the
// second is told, beside the same, what the first said of the others in the text (stacking,
// Wolpert 1992): a single word that might be a name, in a post that names nobody
// else, rather is none. And it is told what somebody who reads the passage says.
//
// It is safe for concurrent use.
type Judge struct {
	first   Judges // may be nil: then there are no traits of the second look
	forests Judges
	known   Gazetteer
	words   *detect.Trees
	around  *detect.Surroundings
	passage *detect.Passage
}

// Setting is what a judge may rest on: who is on no roster is probably known to the
// public where everybody who writes is on it, and anybody where most are not. A
// forest that had to know both knew each of them less.
type Setting int

// The settings.
const (
	KnownWriters Setting = iota // the names of nearly all who write are known
	Strangers                   // those of many are not
	settings
)

// mostWriters is the share of those who write whose names must be known.
const mostWriters = 0.9

func settingOf(coverage float64) Setting {
	if coverage >= mostWriters {
		return KnownWriters
	}
	return Strangers
}

// Judges are the forests for each setting. None: nothing but traits is made.
type Judges [settings]*trees.Forest

// Name is the file that holds a setting's forest: the program's below forum/, a
// project's own in its folder of models.
func (s Setting) Name() string {
	if s == Strangers {
		return "judge_strangers.jsonl"
	}
	return "judge.jsonl"
}

// FirstLook is the file of the forest that looks first, which only the program has.
func (s Setting) FirstLook() string { return "first_look_" + s.Name() }

//go:embed *judge*.jsonl
var shippedJudges embed.FS

// NewJudge makes a judge of the forests that look first and those that decide; both
// may be nil to learn only. The mention forest and the lexicon are those of the
// detectors.
func NewJudge(forests Forests, known interface {
	Gazetteer
	detect.Dictionaries
}, lexicon *detect.Lexicon) (*Judge, error) {
	for setting, forest := range forests.Evidence {
		first := forests.FirstLook[setting]
		if first != nil && !slices.Equal(first.Features(), traitNames) ||
			forest != nil && (first == nil || !slices.Equal(forest.Features(), TraitNames())) {
			return nil, trees.ErrFeatures
		}
	}
	return &Judge{first: forests.FirstLook, forests: forests.Evidence, known: known,
		words: detect.NewTrees(known, lexicon, forests.Words), around: forests.Around, passage: forests.Passage}, nil
}

// firstLooks reads the forests that look first.
func firstLooks() (Judges, error) {
	var judges Judges
	for setting := range judges {
		var err error
		if judges[setting], err = openShipped(Setting(setting).FirstLook()); err != nil {
			return judges, err
		}
	}
	return judges, nil
}

func openShipped(name string) (*trees.Forest, error) {
	file, err := shippedJudges.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return trees.Read(file)
}

// openJudges reads the forests of every setting.
func openJudges(folder string) (Judges, error) {
	var judges Judges
	for setting := range judges {
		var err error
		if judges[setting], err = openJudge(folder, Setting(setting)); err != nil {
			return judges, err
		}
	}
	return judges, nil
}

// openJudge reads a project's forest on the evidence, or that which the program
// carries where the folder has none.
func openJudge(folder string, setting Setting) (*trees.Forest, error) {
	if folder != "" {
		path := filepath.Join(folder, setting.Name())
		file, err := os.Open(path)
		if err == nil {
			defer file.Close()
			forest, err := trees.Read(file)
			if err == nil && (!slices.Equal(forest.Features(), TraitNames()) || forest.Len() == 0) {
				err = trees.ErrFeatures
			}
			if err != nil {
				return nil, fault.New(fault.Usage, "the project's forest cannot be used").At(path, 0, "").Because(err).
					WithHint("remove it, then train again: anonymooc forum train")
			}
			return forest, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, fault.New(fault.Failure, "the forest cannot be read").At(path, 0, "").Because(err)
		}
	}
	return openShipped(setting.Name())
}

// forest is the judge's for a setting; nil without a judge.
func (j *Judge) forest(setting Setting) *trees.Forest {
	if j == nil {
		return nil
	}
	return j.forests[setting]
}

// gazetteer is what the judge knows of words; nil without a judge.
func (j *Judge) gazetteer() Gazetteer {
	if j == nil {
		return nil
	}
	return j.known
}

// surroundings tell what words around a form say; nil without a judge.
func (j *Judge) surroundings() *detect.Surroundings {
	if j == nil {
		return nil
	}
	return j.around
}

// witnesses are those whose marks the forest knows of: all but the officer's own.
var witnesses = append(DetectorNames(), nearbyName)

// judges reports whether a span is the forest's business.
func (j *Judge) judges(w *weighed) bool {
	if w.sure() || w.handle || w.stand.bare || w.stand.markup || !slices.Contains(judged, w.Category) {
		return false
	}
	for i := range w.marks {
		if m := &w.marks[i]; m.Type == TypeDecided || m.Type == detect.TypeIncluded || !slices.Contains(witnesses, m.By) {
			return false
		}
	}
	return true
}

// enough are reasons that need no judge.
const enough = 4.0

// sure reports whether a span needs no judge: the name of somebody here, as the roster
// writes it, where only a name can stand, or that is greeted by itself, whose relative
// is told of, that has its letters held down, or beside a nickname of theirs.
func (w *weighed) sure() bool {
	s := &w.stand
	switch {
	case w.known:
		return w.Category.Person() && w.sum >= enough || s.vocative || s.kin && s.capital || elongated(w.key) || s.own
	case w.catalogued(): // a spelling near a name
		return elongated(w.key) || s.own
	}
	return w.Category.Person() && w.sum >= enough || s.own
}

// The forest's answers are probabilities: none of them is certain.
const leastJudged, mostJudged = 0.002, 0.998

// doubtful reports whether the first look left doubt about a span.
func (w *weighed) doubtful() bool { return w.firstLook > leastDoubt && w.firstLook < mostDoubt }

const leastDoubt, mostDoubt = 0.01, 0.99

// judgeSpans lets the forests score the spans of a text.
func (e *Engine) judgeSpans(doc *detect.Document, spans []weighed) {
	forest := e.options.Judge.forest(e.setting)
	if forest == nil {
		return
	}
	e.eachJudged(doc, spans, func(w *weighed, traits []float64) { w.secondLook = forest.Score(traits) })
	for i := range spans {
		if w := &spans[i]; w.judged {
			w.Score = w.firstLook
			if w.doubtful() {
				w.Score = w.secondLook
			}
			w.Score = min(max(w.Score, leastJudged), mostJudged)
			if e.isWrittenOut(doc, w) {
				w.Score = max(w.Score, writtenOut)
			}
			if e.isFamousGroup(w) {
				w.Score = min(w.Score, famousGroup)
			}
		}
	}
	agree(spans)
}

// writtenOut is the least score of a first and last name together, with capitals, of
// somebody on the roster, or of whom an e-mail address in the corpus tells it.
const writtenOut = 0.5

func (e *Engine) isWrittenOut(doc *detect.Document, w *weighed) bool {
	return (w.whole() || w.to-w.from > 1 && w.Category == detect.FullName && e.mined[w.key].score >= sureName) && !w.stand.public &&
		doc.Tokens[w.from].Any(detect.Capital) && doc.Tokens[w.to-1].Any(detect.Capital)
}

// famousGroup is the highest score of an institution that lists know by its whole name,
// and that is on nobody's line of the roster.
const famousGroup = 0.25

func (e *Engine) isFamousGroup(w *weighed) bool {
	return w.Category == detect.Organisation && e.usages.isListed(keyWords(w.key), lists.Public|lists.Thing) &&
		!slices.ContainsFunc(w.marks, func(m detect.Mark) bool { return m.By == CatalogueName })
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

// catalogued reports whether the catalogue knows the span as a name of somebody, or
// as a spelling of one.
func (w *weighed) catalogued() bool {
	return slices.ContainsFunc(w.marks, func(m detect.Mark) bool { return m.By == CatalogueName && m.Category.Person() })
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

// eachJudged calls visit with the traits of every span that is left to the forest that
// decides: where there is no first look, of all spans that are the judge's business. The
// slice is reused.
func (e *Engine) eachJudged(doc *detect.Document, spans []weighed, visit func(w *weighed, traits []float64)) {
	j := e.options.Judge
	first := j.first[e.setting]
	var words *detect.Traits // looked up for the first of them
	var around *detect.SurroundingsReader
	var seen []float64 // traits of all of them
	for i := range spans {
		w := &spans[i]
		if w.judged = j.judges(w); !w.judged {
			continue
		}
		if words == nil {
			looked := j.words.Traits(doc)
			defer looked.Close()
			words = &looked
			around = j.around.Read(doc)
			defer around.Close()
		}
		from := len(seen)
		seen = e.traits(doc, spans, i, *words, around, seen)
		if first != nil {
			w.firstLook = first.Score(seen[from:])
		}
	}
	var passage *detect.PassageReader // read for the first in doubt
	var traits [mostTraits]float64
	for i := range spans {
		w := &spans[i]
		if !w.judged {
			continue
		}
		own := append(traits[:0], seen[:len(traitNames)]...)
		seen = seen[len(traitNames):]
		if first != nil {
			if !w.doubtful() {
				continue
			}
			if passage == nil {
				passage = j.passage.Read(doc, e.usages.find, rolesOf(doc, spans))
				defer passage.Close()
			}
			own = passageTraits(passage.Opinion(w.from, w.to), othersTraits(doc, spans, i, own))
		}
		visit(w, own)
	}
}

// Example is a span with what the forest is told of it.
type Example struct {
	Start, End int
	Category   detect.Category
	Traits     []float64
	Around     []detect.Clue
	From, To   int // tokens of Text
	Text       *detect.PassageText
}

// Examples gives the spans of a document that are the forests' business, for
// training: of the one that looks first where there is none yet, else of the one that
// decides.
func (e *Engine) Examples(doc *detect.Document) []Example {
	var examples []Example
	spans := e.weighAll(doc, e.circleOf(doc), newDesk())
	text := new(detect.PassageText)
	text.Read(doc, e.usages.find, rolesOf(doc, spans))
	e.eachJudged(doc, spans, func(w *weighed, traits []float64) {
		examples = append(examples, Example{w.Start, w.End, w.Category, slices.Clone(traits), detect.Clues(doc, w.from, w.to), w.from, w.to, text})
	})
	return examples
}

// keyWords is a formKey without its case.
func keyWords(key string) string {
	_, words, _ := strings.Cut(key, ":")
	return words
}
