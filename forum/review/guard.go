package review

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"anonymooc/internal/fault"
)

// guard lets in whoever opened a link that was printed, and nobody else. What
// it holds off, request by request:
//
//	another machine              the listener is on a loopback address
//	another user of the machine  the link's token (256 bits, used once), then the cookie
//	a web page in the browser    Origin and Sec-Fetch-Site; SameSite=Strict
//	a name that resolves here    Host must be the address that was printed
//	a page around the page       frame-ancestors 'none'
//	a passer-by                  the idle lock
//
// Cookies do not know ports, so the cookie's name carries the port: two reviews
// on one machine do not sign each other out.
type guard struct {
	hosts  map[string]bool
	cookie string
	idle   time.Duration
	now    func() time.Time
	rand   io.Reader
	tell   func(reviewer, link string)
	base   string

	mu       sync.Mutex
	links    map[string]string // token → reviewer
	sessions map[string]*session
}

// session is one browser that was let in.
type session struct {
	reviewer string
	seen     time.Time

	mu       sync.Mutex
	language string
	skipped  map[int]bool // questions put off, for as long as the session lasts
	flash    string       // key of a message for the next page
}

// mostBody bounds what a request may send.
const mostBody = 1 << 20

func newGuard(o Options, address net.Addr) (*guard, error) {
	tcp, ok := address.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return nil, fault.New(fault.Usage, "the review page is only served on a loopback address").
			WithHint("take 127.0.0.1 and a port; reach it from elsewhere through ssh -L")
	}
	_, port, err := net.SplitHostPort(address.String())
	if err != nil {
		return nil, fault.New(fault.Failure, "the address of the page cannot be read").Because(err)
	}
	g := &guard{
		hosts: map[string]bool{address.String(): true, "localhost:" + port: true}, cookie: "anonymooc-review-" + port,
		idle: o.Idle, now: o.Now, rand: o.Rand, tell: o.Tell, base: "http://" + address.String(),
		links: make(map[string]string), sessions: make(map[string]*session),
	}
	if g.rand == nil {
		g.rand = rand.Reader
	}
	return g, nil
}

func (g *guard) secret() (string, error) {
	var b [32]byte
	if _, err := io.ReadFull(g.rand, b[:]); err != nil {
		return "", fault.New(fault.Failure, "the system gives no random numbers").Because(err)
	}
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// invite makes a link that lets a reviewer in once.
func (g *guard) invite(reviewer string) (string, error) {
	token, err := g.secret()
	if err != nil {
		return "", err
	}
	g.mu.Lock()
	for old, who := range g.links {
		if who == reviewer {
			delete(g.links, old) // one open link a reviewer
		}
	}
	g.links[token] = reviewer
	g.mu.Unlock()
	link := g.base + "/open?token=" + token
	if g.tell != nil {
		g.tell(reviewer, link)
	}
	return link, nil
}

// wrap lets through to next what may pass.
func (g *guard) wrap(next func(http.ResponseWriter, *http.Request, *session)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protect(w.Header())
		if status := g.refuse(r); status != 0 {
			http.Error(w, http.StatusText(status), status)
			return
		}
		if r.URL.Path == "/open" {
			g.open(w, r)
			return
		}
		if strings.HasPrefix(r.URL.Path, "/static/") {
			next(w, r, nil) // style and script hold nothing of the review
			return
		}
		s := g.session(r)
		if s == nil {
			locked(w, r)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		next(w, r, s)
	})
}

// protect sets what every answer says about itself.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	// "no-referrer" would make browsers send "Origin: null" with our own forms.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), clipboard-read=()")
}

// refuse looks at where a request comes from; 0 lets it go on.
func (g *guard) refuse(r *http.Request) int {
	if !g.hosts[r.Host] || r.URL.IsAbs() {
		return http.StatusMisdirectedRequest
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
		return http.StatusMethodNotAllowed
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return http.StatusForbidden
	}
	origin := r.Header.Get("Origin")
	if origin != "" && origin != "http://"+r.Host || origin == "" && r.Method == http.MethodPost {
		return http.StatusForbidden
	}
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if r.Method == http.MethodPost && kind != "application/x-www-form-urlencoded" {
		return http.StatusUnsupportedMediaType
	}
	return 0
}

// open turns a link into a cookie.
func (g *guard) open(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	reviewer, ok := g.spend(r.URL.Query().Get("token"))
	if !ok {
		locked(w, r)
		return
	}
	value, err := g.secret()
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	g.mu.Lock()
	g.sessions[value] = &session{reviewer: reviewer, seen: g.now(), language: prefers(r), skipped: make(map[int]bool)}
	g.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: g.cookie, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (g *guard) spend(token string) (reviewer string, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for known, who := range g.links {
		if subtle.ConstantTimeCompare([]byte(known), []byte(token)) == 1 {
			delete(g.links, known)
			return who, true
		}
	}
	return "", false
}

// session finds the browser of a request. One that was idle too long is locked
// out, and a new link is told where the first one was.
func (g *guard) session(r *http.Request) *session {
	cookie, err := r.Cookie(g.cookie)
	if err != nil {
		return nil
	}
	g.mu.Lock()
	s, ok := g.sessions[cookie.Value]
	if !ok {
		g.mu.Unlock()
		return nil
	}
	now := g.now()
	if now.Sub(s.seen) <= g.idle {
		s.seen = now
		g.mu.Unlock()
		return s
	}
	delete(g.sessions, cookie.Value)
	g.mu.Unlock()
	g.invite(s.reviewer)
	return nil
}

// lock ends a session and tells a new link.
func (g *guard) lock(r *http.Request) error {
	cookie, err := r.Cookie(g.cookie)
	if err != nil {
		return nil
	}
	g.mu.Lock()
	s, ok := g.sessions[cookie.Value]
	delete(g.sessions, cookie.Value)
	g.mu.Unlock()
	if !ok {
		return nil
	}
	_, err = g.invite(s.reviewer)
	return err
}
