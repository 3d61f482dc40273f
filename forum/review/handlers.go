package review

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/internal/fault"
)

// routes are the addresses of the page. What changes something is a POST and
// ends with a redirection, so that going back repeats nothing.
func (s *site) routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"GET /{$}":                s.queue,
		"GET /":                   s.missing,
		"GET /question/{number}":  s.questionPage,
		"POST /question/{number}": s.answer,
		"POST /skip/{number}":     s.skip,
		"POST /undo":              s.turn(s.desk.takeBack, "flash.undone"),
		"POST /redo":              s.turn(s.desk.putBack, "flash.redone"),
		"GET /thread/{number}":    s.thread,
		"POST /mark":              s.markOne,
		"POST /add":               s.add,
		"POST /search":            s.search,
		"GET /replacements":       s.replacements,
		"POST /styles":            s.chooseStyle,
		"GET /people":             s.peoplePage,
		"GET /people/{number}":    s.personPage,
		"GET /overview":           s.overview,
		"GET /recheck":            s.recheckPage,
		"POST /recheck":           s.recheckDone,
		"POST /trust/{number}":    s.trust,
		"GET /contexts":           s.contextsPage,
		"GET /contexts/{number}":  s.contextPage,
		"POST /contexts/{number}": s.contextAnswer,
		"POST /contexts":          s.keepContexts,
		"GET /second":             s.secondPage,
		"GET /second/{number}":    s.secondQuestion,
		"POST /second/{number}":   s.secondAnswer,
		"GET /reviewers":          s.reviewers,
		"POST /invite":            s.invite,
		"GET /keys":               func(w http.ResponseWriter, r *http.Request) { s.show(w, r, "keys", http.StatusOK, nil) },
		"POST /renew": func(w http.ResponseWriter, r *http.Request) {
			s.desk.renew()
			s.back(w, r, "/overview", "flash.renewing")
		},
		"POST /lock":     s.lock,
		"POST /language": s.language,
	}
}

// number reads the number in an address.
func number(r *http.Request) int {
	n, err := strconv.Atoi(r.PathValue("number"))
	if err != nil {
		return -1
	}
	return n
}

// back ends an action: it sends the browser on, with something to say there.
func (s *site) back(w http.ResponseWriter, r *http.Request, to, flash string) {
	if flash != "" {
		sessionOf(r).say(flash)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// fail shows an error; a fault holds no value, any other error is not shown.
func (s *site) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, what := http.StatusInternalServerError, "failed"
	var f *fault.Fault
	if errors.As(err, &f) {
		what = f.What
		if f.Code == fault.Usage {
			status = http.StatusBadRequest
		}
	}
	s.show(w, r, "error", status, what)
}

func (s *site) missing(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, "error", http.StatusNotFound, "there is nothing under this address")
}

// queue sends the reviewer to the next question.
func (s *site) queue(w http.ResponseWriter, r *http.Request) {
	who := sessionOf(r)
	n, ok := s.desk.nextFor(who)
	if !ok {
		s.show(w, r, "done", http.StatusOK, s.desk.finished())
		return
	}
	s.showQuestion(w, r, n, true)
}

func (s *site) questionPage(w http.ResponseWriter, r *http.Request) {
	s.showQuestion(w, r, number(r), r.URL.Query().Get("queue") != "")
}

func (s *site) showQuestion(w http.ResponseWriter, r *http.Request, n int, queued bool) {
	view, ok := s.desk.view(n, sessionOf(r).reviewer, choiceOf(r))
	if !ok {
		s.missing(w, r)
		return
	}
	if view.Kind == ledger.KindContext {
		s.back(w, r, "/contexts/"+strconv.Itoa(n), "")
		return
	}
	view.Queued = queued
	s.show(w, r, "question", http.StatusOK, view)
}

// answer takes a verdict: on the form, or on the lines that were selected.
func (s *site) answer(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		s.fail(w, r, fault.New(fault.Usage, "the form cannot be read"))
		return
	}
	who, n := sessionOf(r), number(r)
	verdict := ledger.Verdict(r.PostForm.Get("verdict"))
	a := answer{who: who.reviewer, question: n, verdict: verdict, category: r.PostForm.Get("category"), entity: r.PostForm.Get("entity")}
	if reading := r.PostForm.Get("reading"); reading != "" {
		a.verdict, a.entity = ledger.Mask, reading // a press on whom the form may name
	}
	again, err := s.desk.reply(&a, r.PostForm["m"], r.PostForm.Get("new") != "")
	if err != nil {
		s.fail(w, r, err)
		return
	}
	flash := "flash." + string(a.verdict)
	if again || r.PostForm.Get("queued") == "" {
		s.back(w, r, "/question/"+strconv.Itoa(n), flash)
		return
	}
	s.back(w, r, "/", flash)
}

func (s *site) skip(w http.ResponseWriter, r *http.Request) {
	who := sessionOf(r)
	who.mu.Lock()
	who.skipped[number(r)] = true
	who.mu.Unlock()
	to := "/"
	if r.PostFormValue("of") == "contexts" {
		to = "/contexts"
	}
	s.back(w, r, to, "flash.skipped")
}

// turn makes the handler of undo and redo: both lead to the question they touched,
// and a verdict there leads back to the queue.
func (s *site) turn(do func(who string) (question int, blind, ok bool, err error), flash string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n, blind, ok, err := do(sessionOf(r).reviewer)
		switch {
		case err != nil:
			s.fail(w, r, err)
		case !ok:
			s.back(w, r, "/", "flash.nothing")
		case blind:
			s.back(w, r, "/second/"+strconv.Itoa(n), flash)
		default:
			s.back(w, r, "/question/"+strconv.Itoa(n)+"?queue=1", flash)
		}
	}
}

func (s *site) thread(w http.ResponseWriter, r *http.Request) {
	view, ok, err := s.desk.threadView(number(r), r.URL.Query().Get("show"))
	switch {
	case err != nil:
		s.fail(w, r, err)
	case !ok:
		s.missing(w, r)
	default:
		s.show(w, r, "thread", http.StatusOK, view)
	}
}

// markOne answers for one mark of a post, or for all of them.
func (s *site) markOne(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		s.fail(w, r, fault.New(fault.Usage, "the form cannot be read"))
		return
	}
	post := r.PostForm.Get("post")
	if _, err := strconv.Atoi(post); err != nil {
		s.missing(w, r)
		return
	}
	verdict := ledger.Verdict(r.PostForm.Get("verdict"))
	for _, pair := range r.PostForm["mark"] {
		q, value, _ := strings.Cut(pair, " ")
		n, err := strconv.Atoi(q)
		if err != nil {
			s.missing(w, r)
			return
		}
		a := answer{who: sessionOf(r).reviewer, question: n, verdict: verdict}
		if _, err := s.desk.reply(&a, []string{value}, false); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	show := r.PostForm.Get("show")
	if show != "changes" && show != "released" {
		show = "marks"
	}
	s.back(w, r, "/thread/"+post+"?show="+show+"#post-"+post, "flash."+string(verdict))
}

// add masks a form that nothing had found.
func (s *site) add(w http.ResponseWriter, r *http.Request) {
	n, err := s.desk.add(sessionOf(r).reviewer, r.PostFormValue("form"), r.PostFormValue("category"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.back(w, r, "/question/"+strconv.Itoa(n), "flash.added")
}

// search opens the concordance of any form. The form is sent in the body, so
// that it is in no address.
func (s *site) search(w http.ResponseWriter, r *http.Request) {
	n, ok := s.desk.search(r.PostFormValue("form"))
	if !ok {
		s.back(w, r, "/", "flash.noform")
		return
	}
	s.back(w, r, "/question/"+strconv.Itoa(n), "")
}

func (s *site) lock(w http.ResponseWriter, r *http.Request) {
	if err := s.guard.lock(r); err != nil {
		s.fail(w, r, err)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *site) language(w http.ResponseWriter, r *http.Request) {
	who := sessionOf(r)
	for _, language := range languages {
		if r.PostFormValue("language") == language {
			who.mu.Lock()
			who.language = language
			who.mu.Unlock()
		}
	}
	s.back(w, r, "/", "")
}

// choiceOf reads which lines of a concordance are wanted.
func choiceOf(r *http.Request) choice {
	query := r.URL.Query()
	place := func(key string) int {
		if n, err := strconv.Atoi(query.Get(key)); err == nil && n >= 0 {
			return n
		}
		return -1
	}
	c := choice{course: place("course"), author: place("author"), language: place("language"), detector: place("detector"), thread: place("thread"), page: max(0, place("page"))}
	if side := query.Get("sort"); side == "left" || side == "right" {
		c.sort = side
	}
	switch v := detect.Verdict(query.Get("verdict")); v {
	case detect.Mask, detect.Keep, detect.Unsure:
		c.verdict = string(v)
	}
	return c
}
