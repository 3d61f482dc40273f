package forum

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/forum/mine"
)

// contexts are the trigger contexts that mining went by: the words beside which
// names stand. A reviewer may judge them, and keep them for other corpora.
type contexts struct {
	used      []mine.ContextRule
	shareable []mine.ContextRule // that may leave the corpus
}

func (c *contexts) learned(lexicon *mine.Corpus, used []mine.ContextRule) {
	seen := make(map[string]bool, len(used))
	for _, rule := range used {
		if pattern := rule.String(); !seen[pattern] {
			seen[pattern] = true
			c.used = append(c.used, rule)
		}
	}
	c.shareable = mine.Shareable(lexicon, c.used)
}

// DecidedContexts is a store of contexts with the reviewers' verdicts applied:
// "mask" trusts a context, "keep" takes it out of use. Both may be nil.
func DecidedContexts(store *mine.Contexts, decisions Decisions) *mine.Contexts {
	if store == nil {
		store = mine.NewContexts()
	}
	if decisions == nil {
		return store
	}
	store = store.Clone()
	for _, d := range decisions.Decisions() {
		switch {
		case d.Kind != ledger.KindContext:
		case d.Verdict == ledger.Mask:
			store.Trust(d.Surface, detect.Category(d.Category))
		case d.Verdict.Keeps():
			store.Reject(d.Surface)
		}
	}
	return store
}

// ContextQuestions lists the trigger contexts that nobody has judged, those
// first that speak for most of the mentions that are open. They are asked beside
// the queue: no release waits for them. "mask" says that a name stands there,
// in this corpus and in others; "keep" that the context tells nothing. The lines
// are of forms that the context gave away. It reads the forum once.
func (e *Engine) ContextQuestions() ([]Question, error) {
	questions := make(map[string]*Question, len(e.contexts.used))
	for _, rule := range e.contexts.used {
		q := contextQuestion(rule)
		if e.decisions != nil {
			if d, ok := e.decisions.Decision(q.ID); ok && d.Verdict != ledger.Unsure {
				continue
			}
		}
		questions[q.Surface] = q
	}
	open := make(map[string]int)
	err := e.Each(func(doc *detect.Document, findings []Finding) {
		for i := range findings {
			f := &findings[i]
			for _, evidence := range f.Evidence {
				pattern, _ := strings.CutPrefix(evidence.What, mine.StandsIn)
				q := questions[pattern]
				if q == nil || !standsIn(doc, f, pattern) {
					continue
				}
				if f.Verdict == detect.Unsure {
					open[pattern]++
				}
				if len(q.Lines) < mostLines {
					q.Lines = append(q.Lines, NewLine(doc, f.Start, f.End))
				}
			}
		}
	})
	list := make([]Question, 0, len(questions))
	for _, q := range questions {
		list = append(list, *q)
	}
	slices.SortFunc(list, func(a, b Question) int {
		return cmp.Or(cmp.Compare(open[b.Surface], open[a.Surface]), cmp.Compare(doubtful(a.Score), doubtful(b.Score)), strings.Compare(a.Surface, b.Surface))
	})
	return list, err
}

// standsIn reports whether the words of a pattern next to the name's place stand
// beside a finding. Names in the pattern are not compared.
func standsIn(doc *detect.Document, f *Finding, pattern string) bool {
	if words, left := strings.CutSuffix(pattern, "…"); left {
		at := strings.LastIndexByte(words, '>')
		return strings.HasSuffix(keyOf(string(doc.Raw[:f.Start])), keyOf(words[at+1:]))
	}
	words := strings.TrimPrefix(pattern, "…")
	if at := strings.IndexByte(words, '<'); at >= 0 {
		words = words[:at]
	}
	return strings.HasPrefix(keyOf(string(doc.Raw[f.End:])), keyOf(words))
}

// doubtful is 0 for even odds, and more the surer a score is.
func doubtful(score float64) float64 { return math.Abs(score - 0.5) }

func contextQuestion(rule mine.ContextRule) *Question {
	pattern := rule.String()
	q := &Question{
		ID: ledger.QuestionID(ledger.KindContext, pattern), Kind: ledger.KindContext, Surface: pattern, Category: rule.Category,
		Proposal: detect.Keep, Score: float64(rule.Known) / float64(rule.Total), Count: rule.Total,
		Evidence: []Evidence{{"contextual", fmt.Sprintf("beside a known form in %d of %d occurrences", rule.Known, rule.Total)}},
	}
	if q.Score >= mine.DefaultMinRate {
		q.Proposal = detect.Mask
	}
	return q
}

// KeepContexts keeps for the next corpora what this one taught, in the
// project's folder: the contexts that mining went by and that no reviewer
// rejected, as far as three people wrote each of their words, and what was
// rejected. It gives the number of contexts that are new there.
func (e *Engine) KeepContexts(folder Folder) (int, error) {
	return KeepContexts(folder, e.decisions, e.contexts.shareable)
}

// KeepContexts keeps contexts that may leave their corpus (mine.Shareable), as
// Engine.KeepContexts does.
func KeepContexts(folder Folder, decisions Decisions, shareable []mine.ContextRule) (int, error) {
	store, err := mine.OpenContexts(folder.Contexts())
	if err != nil {
		return 0, err
	}
	decided := DecidedContexts(store, decisions)
	taken := store.Clone()
	n := 0
	for _, rule := range shareable {
		pattern := rule.String()
		switch trusted, ok := decided.Rule(pattern); {
		case decided.Rejected(rule):
		case ok:
			taken.Keep([]mine.ContextRule{trusted})
		default:
			taken.Keep([]mine.ContextRule{rule})
		}
		if _, known := store.Rule(pattern); !known && !decided.Rejected(rule) {
			n++
		}
	}
	taken.RejectAll(decided)
	return n, taken.Save(folder.Contexts())
}
