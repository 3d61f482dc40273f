package forum

import (
	"cmp"
	"slices"

	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
)

// The scores that need no question. Strict has nobody to ask and draws one line:
// what is below it is kept by rule, all else is masked. The judge's scores are
// shares of what people have marked, so one line does for each of its forests; without a
// roster nothing but texts tells who is named, and more is masked. Sums of
// reasons need others (strictLine; strictKeep where every writer is on the roster).
const (
	clearMask       = 0.80
	clearKeep       = 0.10
	judgedKeep      = 0.28 // where nearly all who write are on the roster
	judgedStrangers = 0.30 // where many are not
	judgedNone      = 0.25 // where nobody's name is known
	strictKeep      = 0.35
	noName          = 0.03 // not masked even when the reviewer masks the form
)

// strictLine is the score up to which the strict policy keeps what nobody decides.
// Who is named in a forum whose writers are all on the roster, and is not on it,
// is probably known to the public. The fewer writers are, the less that holds:
// then a name that is left counts for what it costs, nameLeft words masked in
// vain. Without any names nothing that knows people adds to a score, and half of
// it has to do.
func strictLine(coverage float64, named bool) float64 {
	const worthMasking = 1.0 / (1 + nameLeft)
	if !named {
		return worthMasking / 2
	}
	return worthMasking + (strictKeep-worthMasking)*coverage
}

// decide gives the finding its verdict: the reviewer's on the mention, the
// reviewer's on the form, the rule's.
func (e *Engine) decide(doc *detect.Document, f *Finding) {
	f.Verdict, f.By = detect.Unsure, ByNobody
	switch {
	case f.Score >= clearMask:
		f.Verdict, f.By = detect.Mask, ByRule
	case f.Score <= e.keepLine(f):
		f.Verdict, f.By = detect.Keep, ByRule
	default:
		if v := e.unasked(f); v != detect.Unsure {
			f.Verdict, f.By = v, ByRule
		}
	}
	e.decided(doc, f)
}

// decided gives the finding the reviewer's verdict, where there is one.
func (e *Engine) decided(doc *detect.Document, f *Finding) {
	if e.decisions == nil {
		return
	}
	if v, ok := e.decisions.Mention(ledger.Mention{Post: doc.Post.ID, Field: doc.Field, Start: f.Start, End: f.End}); ok {
		f.settle(v)
		return
	}
	decision, ok := e.formDecision(f)
	if !ok {
		return
	}
	if decision.Category != "" {
		f.Category = detect.Category(decision.Category)
	}
	if decision.Entity != "" {
		f.Entity = detect.EntityID(decision.Entity)
	}
	// The reviewer saw the form's open mentions. "Keep" therefore says nothing of
	// those that were clearly names; "mask" reaches further, because leaving a
	// name is worse than masking a word.
	if decision.Verdict.Keeps() && f.Score >= clearMask || decision.Verdict == ledger.Mask && f.Score <= noName {
		return
	}
	f.settle(decision.Verdict)
}

// keepLine is the score up to which a finding is kept by rule. What hardly looks like a
// name waits only together with a form that is worth asking about: then the reviewer
// sees all of its mentions.
func (e *Engine) keepLine(f *Finding) float64 {
	switch {
	case e.options.Policy == Strict:
		return e.lineOf(f)
	case f.Score > clearKeep || !e.surveying && !e.asked[f.Question]:
		return clearKeep
	}
	return noName
}

// lineOf is the line for a finding: what the judge is never asked about, addresses and
// names in them, has sums of reasons for scores.
func (e *Engine) lineOf(f *Finding) float64 {
	if e.options.Judge != nil && (f.handle || !slices.Contains(judged, f.Category)) {
		return strictLine(e.coverage, e.hasNames)
	}
	return e.line
}

// judgedLine is the line for what the judge is asked about.
func (e *Engine) judgedLine() float64 {
	switch {
	case !e.hasNames:
		return judgedNone
	case e.setting == Strangers:
		return judgedStrangers
	}
	return judgedKeep
}

// unasked is the verdict on a form that nobody is asked about: because that is not worth
// a question, or because a longer form hid it while questions were gathered, and does
// so no more. A mention that was hidden is masked where it would have been worth a
// question by itself.
func (e *Engine) unasked(f *Finding) detect.Verdict {
	if e.surveying {
		return detect.Unsure
	}
	settled := e.settled[f.Question]
	hidden := !settled && e.hidden[f.Question] && !e.asked[f.Question]
	switch {
	case !settled && !hidden:
		return detect.Unsure
	case f.Score > e.lineOf(f), hidden && f.risk(e.line) >= e.price():
		return detect.Mask
	}
	return detect.Keep
}

// hide notes the forms in doubt that others hide.
func (e *Engine) hide(spans []weighed, found []Finding) {
	seen := make(map[string]bool)
	for i := range found {
		f := &found[i]
		seen[f.Question] = seen[f.Question] || f.Verdict == detect.Unsure
	}
	e.hiding.Lock()
	defer e.hiding.Unlock()
	for i := range spans {
		if f := &spans[i].Finding; f.Verdict == detect.Unsure && !seen[f.Question] {
			e.hidden[f.Question] = true
		}
	}
}

// formDecision looks for a decision on the finding's form, asked as a form or
// as a candidate.
func (e *Engine) formDecision(f *Finding) (ledger.Decision, bool) {
	for _, kind := range [...]ledger.Kind{ledger.KindForm, ledger.KindCandidate} {
		id := f.Question
		if f.Mined != (kind == ledger.KindCandidate) || id == "" {
			id = ledger.QuestionID(kind, f.key)
		}
		if d, ok := e.decisions.Decision(id); ok && d.Verdict != "" {
			return d, true
		}
	}
	return ledger.Decision{}, false
}

// settle takes a reviewer's verdict; "unsure" leaves the finding open, to be
// asked about mention by mention.
func (f *Finding) settle(v ledger.Verdict) {
	switch {
	case v == ledger.Mask:
		f.Verdict, f.By = detect.Mask, ByReviewer
	case v.Keeps():
		f.Verdict, f.By = detect.Keep, ByReviewer
	}
}

// disjoint chooses among overlapping spans: what is masked or was decided by a
// reviewer, then what is open, then what is kept; the longest of each first. So
// a name that is kept alone goes with the full name it is part of, and a full
// name that a reviewer keeps is kept whole.
func disjoint(spans []weighed) []Finding {
	order := make([]int, len(spans))
	for i := range order {
		order[i] = i
	}
	rank := func(f *weighed) int {
		switch {
		case f.By == ByReviewer, f.Verdict == detect.Mask:
			return 0
		case f.Verdict == detect.Unsure:
			return 1
		}
		return 2
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &spans[i], &spans[j]
		if first, second := rank(a), rank(b); first != second {
			return cmp.Compare(first, second)
		}
		if long := cmp.Compare(b.End-b.Start, a.End-a.Start); long != 0 {
			return long
		}
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Start, b.Start))
	})
	var chosen []int // indexes of spans, by start
	for _, i := range order {
		f := &spans[i]
		at, _ := slices.BinarySearchFunc(chosen, f.Start, func(c, start int) int { return cmp.Compare(spans[c].Start, start) })
		if at > 0 && spans[chosen[at-1]].End > f.Start || at < len(chosen) && spans[chosen[at]].Start < f.End {
			continue
		}
		chosen = slices.Insert(chosen, at, i)
	}
	findings := make([]Finding, len(chosen))
	for i, c := range chosen {
		findings[i] = spans[c].Finding
	}
	return findings
}
