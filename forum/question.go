package forum

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
)

// Question is something only a person can tell. Its JSON is the interface for
// scripts: one question a line (see forum queue --json).
type Question struct {
	ID       string          `json:"id"`
	Kind     ledger.Kind     `json:"kind"`
	Surface  string          `json:"surface"`
	Category detect.Category `json:"category"`
	Proposal detect.Verdict  `json:"proposal"` // Mask or Keep
	Score    float64         `json:"score"`    // highest of its open mentions
	Count    int             `json:"count"`    // open mentions
	Evidence []Evidence      `json:"evidence"`
	Lines    []Line          `json:"lines"`
	Also     []Also          `json:"also,omitempty"` // asked with it: see Together

	family string  // what the form is a spelling of
	risk   float64 // what deciding its mentions unasked costs, as far as the scores tell: see risk
}

// Line is one open mention in its context.
type Line struct {
	Post  string `json:"post"`
	Field string `json:"field"`
	Start int    `json:"start"` // bytes of the field as read
	End   int    `json:"end"`
	Left  string `json:"left"`
	Match string `json:"match"`
	Right string `json:"right"`
}

const (
	mostLines   = 20 // lines shown with a question
	lineContext = 60 // bytes of context on each side
)

// NewLine cuts the context of a span out of a text, at rune boundaries and with
// line ends as spaces.
func NewLine(doc *detect.Document, start, end int) Line {
	left, right := max(0, start-lineContext), min(len(doc.Raw), end+lineContext)
	return Line{
		Post: doc.Post.ID, Field: doc.Field, Start: start, End: end,
		Left: oneLine(doc.Raw[left:start]), Match: string(doc.Raw[start:end]), Right: oneLine(doc.Raw[end:right]),
	}
}

func oneLine(b []byte) string {
	s := strings.ToValidUTF8(string(b), "")
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
}

// queue gathers the open questions of a corpus.
type queue struct {
	line float64 // above which what nobody decides is masked
	open map[string]*Question
}

func newQueue(line float64) *queue {
	return &queue{line: line, open: make(map[string]*Question)}
}

// ask adds one open mention. single makes it a question of its own: the reviewer
// was asked about the form and could not tell.
func (q *queue) ask(doc *detect.Document, f *Finding, single bool) {
	id, kind := f.Question, ledger.KindForm
	if f.Mined {
		kind = ledger.KindCandidate
	}
	line := NewLine(doc, f.Start, f.End)
	if single {
		kind = ledger.KindMention
		id = ledger.QuestionID(kind, f.key, line.Post, line.Field, strconv.Itoa(line.Start), strconv.Itoa(line.End))
	}
	known, ok := q.open[id]
	if !ok {
		known = &Question{ID: id, Kind: kind, Surface: f.Surface, Category: f.Category, family: f.family}
		q.open[id] = known
	}
	known.Count++
	known.risk += f.risk(q.line)
	if f.Score > known.Score {
		known.Score, known.Category, known.Evidence = f.Score, f.Category, f.Evidence
	}
	if len(known.Lines) < mostLines {
		known.Lines = append(known.Lines, line)
	}
}

// list gives the questions in the order that is worth a reviewer's time: those
// that are most in doubt and stand most often first.
func (q *queue) list() []Question {
	all := make([]Question, 0, len(q.open))
	for _, question := range q.open {
		question.Proposal = detect.Keep
		if question.Score >= 0.5 {
			question.Proposal = detect.Mask
		}
		all = append(all, *question)
	}
	slices.SortFunc(all, byWorth)
	return all
}

func byWorth(a, b Question) int {
	return cmp.Or(cmp.Compare(b.risk, a.risk), strings.Compare(a.Surface, b.Surface), strings.Compare(a.ID, b.ID))
}

// questionPrice is what asking costs, in words masked in vain. Where the rule
// would decide a form's mentions at less than that, it does: the reviewer's time
// goes to the names that might be left and to the words that stand often.
const (
	questionPrice = 0.7 // unless Options.Price says otherwise
	nameLeft      = 5   // what a name that is left costs, in words masked in vain
	memberLeft    = 15  // the same, of somebody on the roster: whoever has the roster finds them
)

func (e *Engine) price() float64 { return cmp.Or(e.options.Price, questionPrice) }

// risk is what deciding a mention unasked costs on average: the name that is
// left, or the word that is masked in vain.
func (f *Finding) risk(line float64) float64 {
	switch {
	case f.Score > line:
		return 1 - f.Score
	case len(f.Entities) > 0:
		return memberLeft * f.Score
	}
	return nameLeft * f.Score
}

// settle takes the questions that are not worth their price out of a queue, and
// gives their ids.
func (q *queue) settle(price float64) map[string]bool {
	settled := make(map[string]bool)
	for id, question := range q.open {
		if question.Kind != ledger.KindMention && question.risk < price {
			settled[id] = true
			delete(q.open, id)
		}
	}
	return settled
}
