package review

import (
	"net/http"
	"strconv"
	"strings"

	"anonymooc/forum"
	"anonymooc/forum/ledger"
	"anonymooc/forum/mine"
	"anonymooc/internal/fault"
)

// contextView is what the page of a trigger context shows: words beside which
// names stand. "Mask" trusts them, "keep" takes them out of use; either counts
// when candidates are looked for again.
type contextView struct {
	*questionView
	Found bool
	Left  int // contexts that nobody has judged
}

// contexts gives the trigger contexts that mining went by. All posts are read for
// their lines, once a round.
func (d *Desk) contexts() (all []forum.Question, made bool, err error) {
	d.mu.RLock()
	engine, generation := d.round.engine, d.generation
	d.mu.RUnlock()
	all, made, _, err = d.triggers.get(generation, engine.ContextQuestions)
	return all, made, err
}

// nextContext chooses the first context that nobody has judged and the session
// has not put off. It gives each of them its number.
func (d *Desk) nextContext(all []forum.Question, who *session) (number, left int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	who.mu.Lock()
	defer who.mu.Unlock()
	number = -1
	for i := range all {
		q := d.number(all[i].ID)
		if q.Surface == "" || len(q.Lines) == 0 {
			q.Question = all[i]
		}
		if decision, ok := d.options.Ledger.Decision(q.ID); ok && decision.Verdict != ledger.Unsure {
			continue
		}
		left++
		if number < 0 && !who.skipped[q.number] {
			number = q.number
		}
	}
	return number, left
}

func (s *site) contextsPage(w http.ResponseWriter, r *http.Request) {
	all, made, err := s.desk.contexts()
	if err != nil || !made {
		s.prepare(w, r, err)
		return
	}
	n, left := s.desk.nextContext(all, sessionOf(r))
	s.showContext(w, r, n, left)
}

func (s *site) contextPage(w http.ResponseWriter, r *http.Request) { s.showContext(w, r, number(r), 0) }

func (s *site) showContext(w http.ResponseWriter, r *http.Request, n, left int) {
	v := contextView{questionView: new(questionView), Left: left}
	if n >= 0 {
		view, ok := s.desk.view(n, sessionOf(r).reviewer, choiceOf(r))
		if !ok || view.Kind != ledger.KindContext {
			s.missing(w, r)
			return
		}
		v.questionView, v.Found = view, true
	}
	s.show(w, r, "contexts", http.StatusOK, v)
}

func (s *site) contextAnswer(w http.ResponseWriter, r *http.Request) {
	a := answer{who: sessionOf(r).reviewer, question: number(r), verdict: ledger.Verdict(r.PostFormValue("verdict"))}
	if err := s.desk.decide(a); err != nil {
		s.fail(w, r, err)
		return
	}
	s.back(w, r, "/contexts", contextFlash(a.verdict))
}

// contextFlash says what became of a context.
func contextFlash(v ledger.Verdict) string {
	switch {
	case v == ledger.Mask:
		return "flash.trusted"
	case v.Keeps():
		return "flash.rejected"
	}
	return "flash.unsure"
}

// trust takes a verdict on a context that is among the reasons of a question, and
// leads back there.
func (s *site) trust(w http.ResponseWriter, r *http.Request) {
	n, verdict := number(r), ledger.Mask
	pattern := r.PostFormValue("trust")
	if rejected := r.PostFormValue("reject"); rejected != "" {
		pattern, verdict = rejected, ledger.Keep
	}
	if err := s.desk.judgeContext(sessionOf(r).reviewer, n, pattern, verdict); err != nil {
		s.fail(w, r, err)
		return
	}
	to := "/question/" + strconv.Itoa(n)
	if r.PostFormValue("queued") != "" {
		to += "?queue=1"
	}
	s.back(w, r, to, contextFlash(verdict))
}

// judgeContext writes a verdict on a context that gave a question's form away.
func (d *Desk) judgeContext(who string, number int, pattern string, verdict ledger.Verdict) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	q, ok := d.question(number)
	for _, e := range q.Evidence {
		if ok && pattern != "" && e.What == mine.StandsIn+pattern {
			id := ledger.QuestionID(ledger.KindContext, pattern)
			return d.write(ledger.Entry{Who: who, Question: id, Kind: ledger.KindContext, Surface: pattern, Verdict: verdict})
		}
	}
	return fault.New(fault.Usage, "the question does not name this context")
}

// keepContexts keeps what this forum taught for the next ones.
func (s *site) keepContexts(w http.ResponseWriter, r *http.Request) {
	if s.desk.options.KeepContexts == nil {
		s.missing(w, r)
		return
	}
	s.desk.mu.RLock()
	engine := s.desk.round.engine
	s.desk.mu.RUnlock()
	if _, err := s.desk.options.KeepContexts(engine); err != nil {
		s.fail(w, r, err)
		return
	}
	s.back(w, r, "/contexts", "flash.contextskept")
}

// contextOf gives the pattern in a reason that a context gave; empty in any other.
func contextOf(what string) string {
	pattern, ok := strings.CutPrefix(what, mine.StandsIn)
	if !ok {
		return ""
	}
	return pattern
}
