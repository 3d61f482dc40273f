package review

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"anonymooc/forum/detect"
	"anonymooc/forum/mine"
)

// hunt looks through all posts for a form that the engine does not know. It goes
// on beside the page, which shows what was found so far, for as long as somebody
// asks now and then.
type hunt struct {
	mu       sync.Mutex
	form     spelling
	searched int           // posts
	asked    time.Time     // when somebody did last
	running  chan struct{} // closed when it rests or ends; nil when it does not run
}

const (
	mostFound = 500 // lines that a search for a new form gives
	huntTime  = time.Second
	huntRest  = 30 * time.Second // after so long without being asked a search rests
)

// find gives what a search has found of a form, and how many posts it still has
// to look at. A search is made once; who asks waits for it a little.
func (r *round) find(q *question) (form *spelling, left int) {
	there, _ := r.found.LoadOrStore(q.ID, new(hunt))
	h := there.(*hunt)
	h.mu.Lock()
	h.asked = time.Now()
	if h.running == nil && h.searched < r.posts.count {
		h.running = make(chan struct{})
		go h.run(r, *q)
	}
	running := h.running
	h.mu.Unlock()
	if running != nil {
		patience := time.NewTimer(huntTime)
		defer patience.Stop()
		select {
		case <-running:
		case <-patience.C:
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return &spelling{finding: h.form.finding, mentions: slices.Clip(h.form.mentions)}, r.posts.count - h.searched
}

// run searches post after post; all searches together take one processor.
func (h *hunt) run(r *round, q question) {
	search := mine.NewConcordance(q.Surface)
	category := cmp.Or(q.Category, detect.Nickname)
	enough := false
	for {
		h.mu.Lock()
		if enough {
			h.searched = r.posts.count
		}
		number := h.searched
		if number >= r.posts.count || time.Since(h.asked) > huntRest {
			close(h.running)
			h.running = nil
			h.mu.Unlock()
			return
		}
		h.mu.Unlock()
		r.hunting.Lock()
		enough = h.look(r, uint32(number), search, q.ID, category)
		r.hunting.Unlock()
		h.mu.Lock()
		h.searched++
		h.mu.Unlock()
	}
}

// look searches one post, whatever the form's case and accents there, and reports
// whether enough was found.
func (h *hunt) look(r *round, number uint32, search *mine.Concordance, id string, category detect.Category) (enough bool) {
	post, ok := r.posts.post(number)
	if !ok {
		return false
	}
	for field := range fields {
		text := fieldOf(&post, field)
		if text == "" {
			continue
		}
		doc := r.document(&post, field, text)
		search.Find(doc, func(_, start, end int) {
			f, ok := r.engine.Selected(doc, start, end, category)
			if !ok || f.Question != id {
				return
			}
			h.mu.Lock()
			defer h.mu.Unlock()
			h.form.finding = f
			if enough = len(h.form.mentions) >= mostFound; enough {
				return
			}
			h.form.mentions = append(h.form.mentions, mention{
				post: number, field: uint8(field), start: uint32(start), end: uint32(end), score: float32(f.Score), open: true,
			})
		})
	}
	return enough
}
