package review

import (
	"crypto/rand"
	"math/big"
	"net/http"
	"strconv"

	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
)

// word is a token of a text that is shown without marks.
type word struct {
	Number int
	Before string // what stands between the word before and this one
	Text   string
}

// blindView is a text of the blind re-check.
type blindView struct {
	Found bool
	Value string // post and field
	Words []word
	After string
	Last  *Recheck // what the one before showed
	Estimate
}

// blindTries is how many posts are drawn before it is said that none is settled.
const blindTries = 200

// blind draws a text all of whose mentions are settled, at random, and shows it
// without marks.
func (d *Desk) blind() (blindView, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	v := blindView{Estimate: d.estimate()}
	for range blindTries {
		if d.round.posts.count == 0 {
			break
		}
		n, err := rand.Int(rand.Reader, big.NewInt(int64(d.round.posts.count)))
		if err != nil {
			return v, fault.New(fault.Failure, "the system gives no random numbers").Because(err)
		}
		number := uint32(n.Int64())
		p, ok := d.round.posts.post(number)
		if !ok || p.Body == "" || len(p.Body) > mostShown || d.rechecked(p.ID) {
			continue
		}
		doc := d.document(&p, 1, p.Body)
		undecided := false
		for _, f := range d.withAdded(doc, d.round.engine.Findings(doc)) {
			undecided = undecided || f.Verdict == detect.Unsure
		}
		if undecided {
			continue
		}
		v.Found, v.Value = true, strconv.Itoa(int(number))
		end := 0
		for i := range doc.Tokens {
			t := &doc.Tokens[i]
			if t.Any(detect.Punct) || t.Start < end {
				continue
			}
			v.Words = append(v.Words, word{i, p.Body[end:t.Start], p.Body[t.Start:t.End]})
			end = t.End
		}
		v.After = p.Body[end:]
		break
	}
	return v, nil
}

// rechecked reports whether a post was in the re-check before.
func (d *Desk) rechecked(post string) bool {
	d.rechecks.mu.Lock()
	defer d.rechecks.mu.Unlock()
	for i := range d.rechecks.all {
		if d.rechecks.all[i].Post == post {
			return true
		}
	}
	return false
}

// compare counts which of the words that a reviewer marked a release would show.
func (d *Desk) compare(who string, number int, marked []int) (Recheck, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	p, ok := d.round.posts.post(uint32(max(0, number)))
	if !ok || number < 0 {
		return Recheck{}, fault.New(fault.Usage, "there is no such post")
	}
	doc := d.document(&p, 1, p.Body)
	findings := d.withAdded(doc, d.round.engine.Findings(doc))
	r := Recheck{At: d.options.Now().UTC(), Who: who, Post: p.ID}
	for _, i := range marked {
		if i < 0 || i >= len(doc.Tokens) {
			return r, fault.New(fault.Usage, "there is no such word")
		}
		t := &doc.Tokens[i]
		r.Names++
		covered := false
		for j := range findings {
			f := &findings[j]
			covered = covered || f.Verdict != detect.Keep && f.Start < t.End && t.Start < f.End
		}
		if !covered {
			r.Missed++
		}
	}
	return r, nil
}

func (s *Server) recheckPage(w http.ResponseWriter, r *http.Request) {
	s.showBlind(w, r, nil)
}

func (s *Server) showBlind(w http.ResponseWriter, r *http.Request, last *Recheck) {
	v, err := s.desk.blind()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	v.Last = last
	s.show(w, r, "recheck", http.StatusOK, v)
}

// recheckDone takes the words that the reviewer marked.
func (s *Server) recheckDone(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		s.fail(w, r, fault.New(fault.Usage, "the form cannot be read"))
		return
	}
	number, err := strconv.Atoi(r.PostForm.Get("post"))
	if err != nil {
		s.missing(w, r)
		return
	}
	var marked []int
	for _, value := range r.PostForm["w"] {
		n, err := strconv.Atoi(value)
		if err != nil {
			s.missing(w, r)
			return
		}
		marked = append(marked, n)
	}
	done, err := s.desk.compare(sessionOf(r).reviewer, number, marked)
	if err == nil {
		err = s.desk.keepRecheck(done)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.showBlind(w, r, &done)
}
