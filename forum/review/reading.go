package review

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"anonymooc/internal/source"
)

// Reading tells how far the forum is read for a review. It knows sizes and
// counts, nothing of what is read. The zero value is ready; it is safe for
// concurrent use.
type Reading struct {
	begun atomic.Bool
	all   atomic.Int64 // bytes of the forum's files
	done  atomic.Int64 // of them, read since the beginning, each time again
}

// readings is how often the forum is read until there are questions: for who
// talks to whom, for its words, for what is open, for what the pages show.
const readings = 4

// Begin says that the forum is read from now on; what came before was who is who.
func (r *Reading) Begin() {
	r.done.Store(0)
	r.begun.Store(true)
}

// Watch counts what is read of some files. Reading ends with ctx.
func (r *Reading) Watch(ctx context.Context, files []source.File) []source.File {
	all := make([]source.File, len(files))
	for i, f := range files {
		if f.Size > 0 {
			r.all.Add(f.Size)
		}
		open := f.Open
		f.Open = func(inner context.Context) (io.ReadCloser, error) {
			in, err := open(inner)
			if err != nil {
				return nil, err
			}
			return &watched{in, ctx, r}, nil
		}
		all[i] = f
	}
	return all
}

// watched is a file whose bytes are counted.
type watched struct {
	io.ReadCloser
	ctx     context.Context
	reading *Reading
}

func (w *watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.ReadCloser.Read(p)
	w.reading.done.Add(int64(n))
	return n, err
}

// Percent is how much is done, from 0 to 99; -1 when nobody can tell.
func (r *Reading) Percent() int {
	all := readings * r.all.Load()
	if !r.begun.Load() || all <= 0 {
		return -1
	}
	return int(min(99, 100*r.done.Load()/all))
}

// waitingView is what the page shows until there is a desk.
type waitingView struct {
	Begun   bool // the forum is being read; before, who is who
	Percent int
}

// holding is how long the page's next picture is held back while nothing is ready.
const holding = 3 * time.Second

// wait tells how far the reading is. The page soon asks for its successor; the
// answer is held until there is a desk, or something new to tell. So nothing
// flickers, no script polls, and the page goes on by itself.
func (s *Server) wait(w http.ResponseWriter, r *http.Request, who *session) {
	if r.Method == http.MethodPost || r.URL.Path != "/" {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	if r.URL.Query().Get("wait") != "" {
		enough := time.NewTimer(holding)
		defer enough.Stop()
		select {
		case <-s.opened:
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		case <-enough.C:
		case <-s.ended:
		case <-r.Context().Done():
		}
	}
	language, _ := who.take()
	// With no delay at all a browser takes it for a redirection and shows nothing.
	w.Header().Set("Refresh", "1; url=/?wait=1")
	s.pages.write(w, http.StatusOK, "waiting", page{
		Language: language, Name: "waiting", Title: message(s.pages.messages[language], "waiting.title"), Reviewer: who.reviewer,
		Idle: int(s.options.Idle.Seconds()), Body: waitingView{s.options.Reading.begun.Load(), s.options.Reading.Percent()},
	})
}
