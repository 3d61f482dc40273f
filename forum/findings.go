package forum

import (
	"cmp"
	"slices"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
)

// Finding is one mention after all detectors have been heard: where it is, what
// it may name, how surely it must be masked, and what was decided.
type Finding struct {
	Start, End int    // bytes of the text
	Surface    string // as written, decoded
	Category   detect.Category
	Entities   []detect.EntityID // all readings
	Entity     detect.EntityID   // the one it names; empty when that is not known
	Score      float64           // 0 to 1: how surely it must be masked
	Verdict    detect.Verdict    // Mask, Keep, or Unsure: undecided
	By         Decider
	Question   string // id of the question about its form
	Evidence   []Evidence
	Mined      bool // the form was proposed by mining

	key    string
	family string // of what the form is a spelling
	handle bool   // it stands where an account is named: after "@", in a link
}

// Decider says who decided a finding.
type Decider string

// The deciders.
const (
	ByRule     Decider = "rule"
	ByReviewer Decider = "reviewer"
	ByNobody   Decider = ""
)

// judge finds and decides everything in a text: findings are disjoint and in
// order.
func (e *Engine) judge(doc *detect.Document, around circle) []Finding {
	desk, _ := e.desks.Get().(*desk)
	if desk == nil {
		desk = newDesk()
	}
	defer e.desks.Put(desk)
	spans := e.weighAll(doc, around, desk)
	if len(spans) == 0 {
		return nil
	}
	e.judgeSpans(doc, spans)
	for i := range spans {
		e.decide(doc, &spans[i].Finding)
	}
	found := widen(doc, e.wholeNames(doc, disjoint(spans)))
	if e.surveying {
		e.hide(spans, found)
	}
	return found
}

// desk is where the marks of a text lie on their way to findings, which keep
// nothing of it.
type desk struct {
	marks, sorted []detect.Mark
	order         []int32 // of marks
	famous        famousReader
	best, next    []Evidence // the reasons of a mark
	spans         []weighed
}

func newDesk() *desk { return new(desk) }

// weighAll asks the detectors, makes spans of their marks, and adds up the reasons
// for each. They are sorted by start, longer ones first.
func (e *Engine) weighAll(doc *detect.Document, around circle, d *desk) []weighed {
	d.marks = e.marks(doc, around, d.marks[:0])
	if len(d.marks) == 0 {
		return nil
	}
	d.sort()
	famous := d.famous.read(doc, e.usages)
	d.spans = d.spans[:0]
	for marks := d.sorted; len(marks) > 0; {
		n := 1
		for n < len(marks) && marks[n].Start == marks[0].Start && marks[n].End == marks[0].End {
			n++
		}
		d.spans = append(d.spans, weighed{})
		if !e.weigh(doc, marks[:n], around, famous, d) {
			d.spans = d.spans[:len(d.spans)-1]
		}
		marks = marks[n:]
	}
	return d.spans
}

// sort sorts the marks by their numbers, because they are large.
func (d *desk) sort() {
	d.order = d.order[:0]
	for i := range d.marks {
		d.order = append(d.order, int32(i))
	}
	slices.SortFunc(d.order, func(i, j int32) int {
		a, b := &d.marks[i], &d.marks[j]
		if a.Start != b.Start {
			return cmp.Compare(a.Start, b.Start)
		}
		if a.End != b.End {
			return cmp.Compare(b.End, a.End)
		}
		return cmp.Or(cmp.Compare(a.By, b.By), cmp.Compare(a.Category, b.Category))
	})
	d.sorted = d.sorted[:0]
	for _, i := range d.order {
		d.sorted = append(d.sorted, d.marks[i])
	}
}

// marks asks every detector and leaves out what is not to be treated.
func (e *Engine) marks(doc *detect.Document, around circle, marks []detect.Mark) []detect.Mark {
	marks = e.catalogue.Detect(doc, marks)
	for _, d := range e.options.Detectors {
		marks = d.Detect(doc, marks)
	}
	if e.options.Choice.Has(CatalogueName) {
		marks = e.nearby.detect(doc, around, marks)
	}
	again := false // the text holds what an earlier run wrote
	for i := range doc.Tokens {
		again = again || isReplacement(doc.Tokens[i].Text)
	}
	kept := marks[:0]
	for i := range marks {
		if m := &marks[i]; m.Start < m.End && e.treated[m.Category] && !(again && e.ownWork(doc, m)) {
			kept = append(kept, *m)
		}
	}
	return kept
}

// ownWork reports whether a mark lies on a replacement of an earlier run, and
// not on the username of somebody who chose one that looks like it.
func (e *Engine) ownWork(doc *detect.Document, m *detect.Mark) bool {
	for i := doc.At(m.Start); i < len(doc.Tokens) && doc.Tokens[i].Start < m.End; i++ {
		if text := doc.Tokens[i].Text; isReplacement(text) {
			_, chosen := e.people.userIDs[text]
			return !chosen
		}
	}
	return false
}

// weigh makes a finding of the marks of one span: the strongest reading counts,
// others that agree add a little, and what speaks for keeping takes away. It fills
// the desk's last span, and reports whether there is one.
func (e *Engine) weigh(doc *detect.Document, marks []detect.Mark, around circle, famous []fame, d *desk) bool {
	from, to := doc.At(marks[0].Start), doc.At(marks[0].End-1)+1
	if from >= len(doc.Tokens) || to <= from {
		return false
	}
	to = min(to, len(doc.Tokens))
	span := &d.spans[len(d.spans)-1]
	f, s := &span.Finding, &span.stand
	*s = e.standOf(doc, from, to)
	of := famous[from] & famous[to-1]
	s.public, s.thing = of&somebodyFamous != 0, of&somethingFamous != 0
	f.key = formKey(doc, marks[0], from, to)
	s.key = f.key
	f.handle = doc.Tokens[from].Any(detect.InURL) || s.person == afterAt || s.person == inProfileLink
	var best weighing
	first := true
	known := false
	for i := range marks {
		m := &marks[i]
		known = known || m.By == CatalogueName && m.Type != TypeVariant && m.Category.Person()
	}
	var few [8]supporter
	supporters := few[:0]
	against := 0.0
	var owner detect.EntityID
	nearest := stranger
	for i := range marks {
		m := &marks[i]
		if m.Proposal == detect.Keep {
			against = max(against, 1-m.Score)
			f.Evidence = append(f.Evidence, Evidence{m.By, m.What})
			continue
		}
		if known && isGuess(m) {
			supporters = support(supporters, m.By, m.Score >= 0.5)
			continue // who knows the people here need not guess
		}
		w := weighing{reasons: d.next[:0]}
		near, entity := e.people.relate(m.Entities, around)
		if m.By == CatalogueName || m.By == nearbyName {
			nearest = max(nearest, near)
		}
		e.weighMark(&w, doc, m, s, near)
		d.next = w.reasons
		supporters = support(supporters, m.By, true)
		f.join(m.Entities)
		if first || w.sum > best.sum {
			first = false
			best, f.Category = w, m.Category
			d.best, d.next = d.next, d.best // the other's reasons are not needed any more
		}
		if entity != "" && (m.Category.Person() || m.Category == detect.Email) && (owner == "" || m.By == e.catalogue.Name()) {
			owner = entity
		}
	}
	if f.Category.Person() || f.Category == detect.Email {
		f.Entity = owner // the surest detector need not know whose name it is; a town is nobody's own
	}
	if first {
		f.Category = marks[0].Category
		best.sum = -3
	}
	agree := 0
	for _, s := range supporters {
		if s.positive {
			agree++
		}
	}
	best.sum += weightAgreement*float64(max(agree-1, 0)) - 2*against
	f.Start, f.End, f.Score = marks[0].Start, marks[0].End, best.score()
	if n := len(best.reasons); n > 0 {
		f.Evidence = append(append(make([]Evidence, 0, n+len(f.Evidence)), best.reasons...), f.Evidence...)
	}
	f.Surface = surface(doc, marks[0], from, to)
	mined, isMined := e.mined[f.key]
	f.Mined = isMined && !known
	if _, f.family, _ = strings.Cut(f.key, ":"); f.Mined && mined.of != "" {
		f.family = mined.of
	}
	kind := ledger.KindForm
	if f.Mined {
		kind = ledger.KindCandidate
	}
	f.Question = ledger.QuestionID(kind, f.key)
	span.marks, span.from, span.to = marks, from, to
	span.sum, span.known, span.near = best.sum, known, nearest
	return true
}

// supporter is a detector that says something of a span, and whether it speaks for
// masking it.
type supporter struct {
	by       string
	positive bool
}

// support notes what a detector says; one reason of several is enough.
func support(supporters []supporter, by string, positive bool) []supporter {
	for i := range supporters {
		if s := &supporters[i]; s.by == by {
			s.positive = s.positive || positive
			return supporters
		}
	}
	return append(supporters, supporter{by, positive})
}

// weighMark gives the logit of one mark.
func (e *Engine) weighMark(w *weighing, doc *detect.Document, m *detect.Mark, s *stand, near relation) {
	known := m.By == e.catalogue.Name() || m.By == nearbyName && m.Proposal != detect.Mask
	switch {
	case m.Type == detect.TypeIncluded: // the officer said so
		w.add(logit(m.Score), m.By, m.What)
	case m.Category == detect.Place:
		e.weighPlace(w, doc, m, s, near)
	case isGuess(m):
		e.weighGuess(w, doc, m, s)
	case known && (m.Category.Person() || m.Category == detect.Organisation):
		e.weighName(w, doc, m, s, near)
	default:
		w.add(logit(m.Score), m.By, m.What)
		e.weighOther(w, doc, m, s)
	}
}

// join adds readings. The lists are sorted and shared, so they are only copied
// when there is something to add.
func (f *Finding) join(entities []detect.EntityID) {
	switch {
	case len(entities) == 0 || slices.Equal(f.Entities, entities):
	case len(f.Entities) == 0:
		f.Entities = entities
	default:
		all := append(slices.Clip(f.Entities), entities...)
		slices.Sort(all)
		f.Entities = slices.Compact(all)
	}
}

// isGuess reports whether a mark comes from what names look like in general: word
// lists, capitals, a full name without any phrase around it.
func isGuess(m *detect.Mark) bool {
	if !m.Category.Person() {
		return false
	}
	switch m.By {
	case "seekhide", "nome", "trees":
		return true
	case "eslo":
		return m.Alone
	}
	return false
}

// surface gives the decoded spelling of a mark.
func surface(doc *detect.Document, m detect.Mark, from, to int) string {
	if doc.Tokens[from].Start >= m.Start && doc.Tokens[to-1].End <= m.End {
		return oneSpaced(doc.Between(from, to-1))
	}
	return oneSpaced(string(doc.Raw[m.Start:m.End]))
}

// formKey tells forms apart: folded words, and whether the form begins with a
// capital, because "Rosa" and "rosa" are seldom the same question.
func formKey(doc *detect.Document, m detect.Mark, from, to int) string {
	size := "small:"
	if doc.Tokens[from].Any(detect.Capital) {
		size = "capital:"
	}
	return size + foldKey(surface(doc, m, from, to), doc, m)
}

// foldKey gives the folded words of a mark.
func foldKey(spelled string, doc *detect.Document, m detect.Mark) string {
	from := doc.At(m.Start)
	if from < len(doc.Tokens) && (from+1 == len(doc.Tokens) || doc.Tokens[from+1].Start >= m.End) {
		if tok := &doc.Tokens[from]; tok.Start >= m.Start && tok.End <= m.End && !tok.Any(detect.Punct) {
			return tok.Folded // most forms are one word
		}
	}
	var words []string
	for i := from; i < len(doc.Tokens) && doc.Tokens[i].Start < m.End; i++ {
		tok := &doc.Tokens[i]
		if tok.Start < m.Start || tok.End > m.End {
			return keyOf(spelled)
		}
		if !tok.Any(detect.Punct) {
			words = append(words, tok.Folded)
		}
	}
	return strings.Join(words, " ")
}
