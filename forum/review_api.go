package forum

import (
	"slices"
	"strings"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
)

// Follow lets verdicts follow decisions that go on changing, such as those of an
// open ledger. It is called before the engine is used, by whoever built it; the
// catalogue and the questions stay as they were built.
func (e *Engine) Follow(decisions Decisions) { e.decisions = decisions }

// Verdict decides a finding of a post again, as the decisions are now. Which of
// two overlapping findings counts is not asked again: see Findings.
func (e *Engine) Verdict(post, field string, f Finding) Finding {
	e.decide(&detect.Document{Post: corpus.Post{ID: post}, Field: field}, &f)
	return f
}

// Rewrite appends a text as a release shows it, its findings replaced.
func (e *Engine) Rewrite(dst []byte, doc *detect.Document, findings []Finding) ([]byte, error) {
	return e.style.substitute(dst, doc, findings)
}

// FormQuestion is the id of the question about a form, whether it was ever asked
// or not; empty when the form has no letter and no digit.
func FormQuestion(form string) string {
	if keyOf(form) == "" {
		return ""
	}
	return ledger.QuestionID(ledger.KindForm, mineKey(form))
}

// Selected makes an undecided finding of a span that a person chose and no
// detector marked, and decides it as the decisions are now. A span outside the
// text's words is none.
func (e *Engine) Selected(doc *detect.Document, start, end int, category detect.Category) (Finding, bool) {
	if start < 0 || end <= start || end > len(doc.Raw) {
		return Finding{}, false
	}
	from, to := doc.At(start), min(doc.At(end-1)+1, len(doc.Tokens))
	if from >= to {
		return Finding{}, false
	}
	m := detect.Mark{Start: start, End: end}
	f := Finding{Start: start, End: end, Surface: surface(doc, m, from, to), Category: category, Score: 0.5, key: formKey(doc, m, from, to)}
	f.Question = ledger.QuestionID(ledger.KindForm, f.key)
	f.Verdict, f.By = detect.Unsure, ByNobody
	e.decided(doc, &f)
	return f, true
}

// CandidateQuestion is FormQuestion for a form that mining proposed.
func CandidateQuestion(form string) string {
	return ledger.QuestionID(ledger.KindCandidate, mineKey(form))
}

// Called is what somebody on the roster is called, for those who decide whom a
// form names: first and last names, then the username; empty for anybody else.
func (e *Engine) Called(id detect.EntityID) string {
	n, ok := e.people.entities[id]
	if !ok {
		return ""
	}
	p := &e.people.list[n]
	name := strings.Join(append(slices.Clone(p.FirstNames), p.LastNames...), " ")
	if name == "" {
		name = strings.Join(p.Names, ", ")
	}
	if len(p.Usernames) > 0 {
		name = strings.TrimSpace(name + " (" + p.Usernames[0] + ")")
	}
	return name
}
