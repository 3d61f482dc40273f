package forum

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"anonymooc/forum/detect"
	"anonymooc/forum/trees"
	"anonymooc/internal/safefile"
)

// Lesson is a span from which a project's judge may learn.
type Lesson struct {
	Traits   []float64
	Positive bool // it is to be masked
	Decided  bool // a reviewer said so; otherwise the shipped judge is sure of it
}

// What the judge is sure of is learnt beside the reviewer's decisions: these are
// all about spans in doubt, and who had seen no others would doubt everything.
const sureName, sureWord = 0.9, 0.05

// Lessons gives what a document teaches. The findings are the engine's, with the
// reviewer's decisions in them. Without a judge there is nothing to learn.
func (e *Engine) Lessons(doc *detect.Document, findings []Finding) []Lesson {
	forest := e.options.Judge.forest(e.setting)
	if forest == nil {
		return nil
	}
	var lessons []Lesson
	around := e.circleOf(doc)
	e.eachJudged(doc, e.weighAll(doc, around, newDesk()), func(w *weighed, traits []float64) {
		at := slices.IndexFunc(findings, func(f Finding) bool { return f.By == ByReviewer && f.Start < w.End && w.Start < f.End })
		score := forest.Score(traits)
		switch {
		case at >= 0:
			lessons = append(lessons, Lesson{slices.Clone(traits), findings[at].Verdict == detect.Mask, true})
		case score >= sureName || score <= sureWord:
			lessons = append(lessons, Lesson{slices.Clone(traits), score >= sureName, false})
		}
	})
	return lessons
}

// ShippedJudge is the forest on the evidence that the program carries.
func ShippedJudge(setting Setting) (*trees.Forest, error) { return openJudge("", setting) }

// ShippedJudges are those of all settings.
func ShippedJudges() (Judges, error) { return openJudges("") }

// SaveJudge writes a project's own forest on the evidence into its folder of models.
func SaveJudge(folder string, setting Setting, forest *trees.Forest) error {
	var data bytes.Buffer
	if err := forest.Write(&data); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	return safefile.Write(filepath.Join(folder, setting.Name()), data.Bytes(), 0o600)
}
