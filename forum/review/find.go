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
// on beside the page, which shows what was found so far.
type hunt struct {
	done chan struct{}

	mu       sync.Mutex
	form     spelling
	searched int // posts
}

const (
	mostFound = 500 // lines that a search for a new form gives
	huntTime  = time.Second
)

// find gives what a search has found of a form, and how many posts it still has
// to look at. The search is made once; who asks first waits for it a little.
func (r *round) find(q *question) (form *spelling, left int) {
	begun := &hunt{done: make(chan struct{})}
	there, known := r.found.LoadOrStore(q.ID, begun)
	h := there.(*hunt)
	if !known {
		go h.run(r, *q)
	}
	patience := time.NewTimer(huntTime)
	defer patience.Stop()
	select {
	case <-h.done:
	case <-patience.C:
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	form = &spelling{finding: h.form.finding, mentions: slices.Clip(h.form.mentions)}
	return form, r.posts.count - h.searched
}

func (h *hunt) run(r *round, q question) {
	defer close(h.done)
	search := mine.NewConcordance(q.Surface)
	category := cmp.Or(q.Category, detect.Nickname)
	for number := range uint32(r.posts.count) {
		enough := h.look(r, number, search, q.ID, category)
		h.mu.Lock()
		h.searched++
		if enough {
			h.searched = r.posts.count
		}
		h.mu.Unlock()
		if enough {
			return
		}
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
