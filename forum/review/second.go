package review

import (
	"math/rand/v2"
	"net/http"
	"strconv"

	"anonymooc/forum/ledger"
	"anonymooc/internal/fault"
)

// The second look gives a random sample of what one reviewer settled to another,
// without the verdict. How far the two agree then says how far such verdicts can
// be trusted; among questions that somebody answered because they saw the first
// answer, or because they doubted it, agreement says nothing. What the two say
// otherwise is a conflict, for a third look.

// secondView is what the page of a second look shows.
type secondView struct {
	*questionView
	Found bool
	Done  int // questions that this reviewer answered blindly
}

// secondTries is how many questions are drawn before all are looked at in turn.
const secondTries = 200

// second draws a question that exactly one other reviewer settled, and whose
// verdicts this one has not been shown.
func (d *Desk) second(who string) (number int, ok bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	all := d.journal.answered
	if len(all) == 0 {
		return 0, false
	}
	for range secondTries {
		if n, ok := d.secondary(all[rand.IntN(len(all))], who); ok {
			return n, true
		}
	}
	for i, from := 0, rand.IntN(len(all)); i < len(all); i++ {
		if n, ok := d.secondary(all[(from+i)%len(all)], who); ok {
			return n, true
		}
	}
	return 0, false
}

// secondary reports whether a question can be given to a reviewer for a second look.
func (d *Desk) secondary(id, who string) (number int, ok bool) {
	votes := d.journal.ballots(id)
	if len(votes) != 1 || votes[0].who == who || votes[0].verdict == ledger.Unsure {
		return 0, false
	}
	n := d.number(id).number
	if d.told[who][n] {
		return 0, false
	}
	q, ok := d.question(n)
	return n, ok && q.Surface != "" && (q.Kind == ledger.KindForm || q.Kind == ledger.KindCandidate) && d.round.index.forms[q.form] != nil
}

// tell notes that a reviewer is shown what was decided about a question.
func (d *Desk) tell(who string, number int) {
	if d.told[who] == nil {
		d.told[who] = make(map[int]bool)
	}
	d.told[who][number] = true
}

// secondView gives a question as it was before anybody answered it.
func (d *Desk) secondView(number int, who string, c choice) (secondView, bool) {
	d.mu.RLock()
	q, ok := d.question(number)
	if ok {
		_, ok = d.secondary(q.ID, who)
	}
	r, v := d.round, secondView{questionView: new(questionView), Found: ok, Done: d.journal.blindly[who]}
	v.Also = d.along(&q)
	d.mu.RUnlock()
	if !ok {
		return v, false
	}
	r.describe(v.questionView, &q, c)
	for i := range v.Lines {
		v.Lines[i].Verdict, v.Lines[i].Category = "", q.Category
	}
	return v, true
}

func (s *site) secondPage(w http.ResponseWriter, r *http.Request) {
	who := sessionOf(r).reviewer
	n, ok := s.desk.second(who)
	if !ok {
		s.show(w, r, "second", http.StatusOK, secondView{questionView: new(questionView), Done: s.desk.blindly(who)})
		return
	}
	http.Redirect(w, r, "/second/"+strconv.Itoa(n), http.StatusSeeOther)
}

func (s *site) secondQuestion(w http.ResponseWriter, r *http.Request) {
	v, ok := s.desk.secondView(number(r), sessionOf(r).reviewer, choiceOf(r))
	if !ok {
		s.back(w, r, "/second", "")
		return
	}
	s.show(w, r, "second", http.StatusOK, v)
}

// secondAnswer takes a verdict of the second look. It is refused when the reviewer
// has seen the first one meanwhile.
func (s *site) secondAnswer(w http.ResponseWriter, r *http.Request) {
	who, n := sessionOf(r).reviewer, number(r)
	if err := r.ParseForm(); err != nil {
		s.fail(w, r, fault.New(fault.Usage, "the form cannot be read"))
		return
	}
	if _, ok := s.desk.secondView(n, who, choiceOf(r)); !ok {
		s.back(w, r, "/second", "flash.notblind")
		return
	}
	a := answer{who: who, question: n, verdict: ledger.Verdict(r.PostForm.Get("verdict")), blind: true}
	if err := s.desk.decide(a); err != nil {
		s.fail(w, r, err)
		return
	}
	s.back(w, r, "/second", "flash."+string(a.verdict))
}

// blindly is how many questions a reviewer answered in the second look.
func (d *Desk) blindly(who string) int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.journal.blindly[who]
}
