package review

import (
	"context"
	"embed"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"anonymooc/internal/fault"
)

//go:embed assets
var assets embed.FS

// Server serves a desk to browsers of this machine. It listens before there is a
// desk: whoever opens a link meanwhile is told how far the reading is, and the
// page goes on by itself.
type Server struct {
	options  Options
	guard    *guard
	pages    *pages
	listener net.Listener
	server   *http.Server

	open   atomic.Pointer[http.ServeMux] // nil until there is a desk
	opened chan struct{}                 // closed when there is
	ended  chan struct{}                 // closed when nobody is served any more
}

// site answers requests about a desk.
type site struct {
	desk  *Desk
	guard *guard
	pages *pages
}

// Listen opens the page's address, which must be a loopback one; port 0 takes any.
func Listen(options Options, address string) (*Server, error) {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return nil, fault.New(fault.Usage, "the review page is only served on a loopback address").
			WithHint("take 127.0.0.1 and a port; reach it from elsewhere through ssh -L")
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fault.New(fault.Failure, "the address of the page is taken, or may not be used").WithHint("choose another port, or 0 for any")
	}
	s := &Server{options: options.complete(), listener: listener, opened: make(chan struct{}), ended: make(chan struct{})}
	if s.guard, err = newGuard(s.options, listener.Addr()); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	if s.pages, err = newPages(); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	s.server = &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 1 << 16, ErrorLog: silent(),
	}
	return s, nil
}

// Invite makes a link that lets a reviewer in, once.
func (s *Server) Invite(reviewer string) (string, error) { return s.guard.invite(reviewer) }

// Open lets the reviewers to a desk. It is called once.
func (s *Server) Open(desk *Desk) {
	mux := http.NewServeMux()
	for pattern, handle := range (&site{desk, s.guard, s.pages}).routes() {
		mux.HandleFunc(pattern, handle)
	}
	s.open.Store(mux)
	close(s.opened)
}

// Serve answers requests until the context ends.
func (s *Server) Serve(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() {
		close(s.ended)
		patience, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if s.server.Shutdown(patience) != nil {
			s.server.Close()
		}
	})
	defer stop()
	err := s.server.Serve(s.listener)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fault.New(fault.Failure, "the page cannot be served any more").Because(err)
}

// handler guards the pages.
func (s *Server) handler() http.Handler {
	return s.guard.wrap(func(w http.ResponseWriter, r *http.Request, who *session) {
		if who == nil {
			static(w, r)
			return
		}
		r = r.WithContext(context.WithValue(r.Context(), sessionKey{}, who))
		if mux := s.open.Load(); mux != nil {
			mux.ServeHTTP(w, r)
			return
		}
		s.wait(w, r, who)
	})
}

// sessionKey finds the session in a request's context.
type sessionKey struct{}

func sessionOf(r *http.Request) *session {
	s, _ := r.Context().Value(sessionKey{}).(*session)
	return s
}

// static serves the style and the script. http.FileServer takes "no-store" away
// from what it does not find.
func static(w http.ResponseWriter, r *http.Request) {
	kinds := map[string]string{"review.css": "text/css; charset=utf-8", "review.js": "text/javascript; charset=utf-8"}
	name := strings.TrimPrefix(r.URL.Path, "/static/")
	data, err := assets.ReadFile("assets/static/" + name)
	if kinds[name] == "" || err != nil || r.Method == http.MethodPost {
		http.Error(w, http.StatusText(http.StatusNotFound), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", kinds[name])
	w.Write(data)
}
