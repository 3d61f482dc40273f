package review

import (
	"crypto/rand"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/recheck"
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
	Last  *recheck.Check // what the one before showed
	recheck.Estimate
}

// blindTries is how many posts are drawn before it is said that none is settled.
const blindTries = 200

// blind draws a text all of whose mentions are settled, at random, and shows it
// without marks.
func (d *Desk) blind() (blindView, error) {
	d.mu.RLock()
	r, added := d.round, d.added
	d.mu.RUnlock()
	v := blindView{Estimate: d.estimate()}
	for range blindTries {
		if r.posts.count == 0 {
			break
		}
		n, err := rand.Int(rand.Reader, big.NewInt(int64(r.posts.count)))
		if err != nil {
			return v, fault.New(fault.Failure, "the system gives no random numbers").Because(err)
		}
		number := uint32(n.Int64())
		p, ok := r.posts.post(number)
		if !ok || p.Body == "" || len(p.Body) > mostShown || d.rechecks.holds(p.ID) {
			continue
		}
		doc := r.document(&p, 1, p.Body)
		if slices.ContainsFunc(r.findings(doc, added), func(f forum.Finding) bool { return f.Verdict == detect.Unsure }) {
			continue
		}
		v.Found, v.Value = true, strconv.Itoa(int(number))
		v.Words, v.After = wordsOf(doc, p.Body)
		break
	}
	return v, nil
}

// wordsOf cuts a text into what a reviewer can mark.
func wordsOf(doc *detect.Document, text string) (words []word, after string) {
	end := 0
	for i := range doc.Tokens {
		t := &doc.Tokens[i]
		if t.Any(detect.Punct) || t.Start < end {
			continue
		}
		words = append(words, word{i, text[end:t.Start], text[t.Start:t.End]})
		end = t.End
	}
	return words, text[end:]
}

// compare counts which of the words that a reviewer marked a release would show.
func (d *Desk) compare(who string, number int, marked []int) (recheck.Check, error) {
	d.mu.RLock()
	r, added := d.round, d.added
	d.mu.RUnlock()
	p, ok := r.posts.post(uint32(max(0, number)))
	if !ok || number < 0 {
		return recheck.Check{}, fault.New(fault.Usage, "there is no such post")
	}
	doc := r.document(&p, 1, p.Body)
	findings := r.findings(doc, added)
	done := recheck.Check{At: d.options.Now().UTC(), Who: who, Post: p.ID}
	for _, i := range marked {
		if i < 0 || i >= len(doc.Tokens) {
			return done, fault.New(fault.Usage, "there is no such word")
		}
		t := &doc.Tokens[i]
		done.Names++
		covered := slices.ContainsFunc(findings, func(f forum.Finding) bool {
			return f.Verdict != detect.Keep && f.Start < t.End && t.Start < f.End
		})
		if !covered {
			done.Missed++
		}
	}
	return done, nil
}

// rechecks are those of the project.
type rechecks struct {
	mu  sync.Mutex
	all []recheck.Check
}

func (d *Desk) readRechecks() (err error) {
	d.rechecks.all, err = recheck.Read(d.options.Recheck)
	return err
}

// holds reports whether a post was in the re-check before.
func (r *rechecks) holds(post string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.all, func(c recheck.Check) bool { return c.Post == post })
}

// keepRecheck adds a re-check to the project's.
func (d *Desk) keepRecheck(c recheck.Check) error {
	d.rechecks.mu.Lock()
	defer d.rechecks.mu.Unlock()
	all := append(slices.Clip(d.rechecks.all), c)
	if d.options.Recheck != "" {
		if err := recheck.Write(d.options.Recheck, all); err != nil {
			return err
		}
	}
	d.rechecks.all = all
	return nil
}

// estimate sums the project's re-checks up.
func (d *Desk) estimate() recheck.Estimate {
	d.rechecks.mu.Lock()
	defer d.rechecks.mu.Unlock()
	return recheck.Estimated(d.rechecks.all)
}

func (s *site) recheckPage(w http.ResponseWriter, r *http.Request) {
	s.showBlind(w, r, nil)
}

func (s *site) showBlind(w http.ResponseWriter, r *http.Request, last *recheck.Check) {
	v, err := s.desk.blind()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	v.Last = last
	s.show(w, r, "recheck", http.StatusOK, v)
}

// recheckDone takes the words that the reviewer marked.
func (s *site) recheckDone(w http.ResponseWriter, r *http.Request) {
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
