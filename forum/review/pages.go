package review

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"log"
	"net/http"
	"strings"

	"anonymooc/internal/fault"
)

// languages are those of the interface.
var languages = [...]string{"en", "fr"}

// pages are the templates and the messages, by language.
type pages struct {
	templates map[string]map[string]*template.Template // language → page
	messages  map[string]map[string]string
}

// silent drops what the HTTP server would log: addresses of requests, and panics
// with what was being worked on.
func silent() *log.Logger { return log.New(io.Discard, "", 0) }

// newPages reads the embedded templates.
func newPages() (*pages, error) {
	p := &pages{templates: make(map[string]map[string]*template.Template), messages: make(map[string]map[string]string)}
	names, err := fs.Glob(assets, "assets/pages/*.html")
	if err != nil {
		return nil, fault.New(fault.Failure, "the pages cannot be read").Because(err)
	}
	for _, language := range languages {
		said, err := readMessages(language)
		if err != nil {
			return nil, err
		}
		p.messages[language] = said
		p.templates[language] = make(map[string]*template.Template)
		known := newReasons(said, p.messages[languages[0]])
		reason := func(what string) string { text, _ := known.say(what); return text }
		call := func(group string, word any) string { return named(said, group, word) }
		say := func(key string, args ...any) string { return message(said, key, args...) }
		for _, name := range names {
			t, err := template.New("layout.html").Funcs(template.FuncMap{"t": say, "named": call, "chart": chart, "reason": reason, "rule": ruleOf, "context": contextOf, "pattern": known.tags.Replace}).
				ParseFS(assets, "assets/layout.html", "assets/parts.html", name)
			if err != nil {
				return nil, fault.New(fault.Failure, "a page cannot be read").Because(err)
			}
			short := strings.TrimSuffix(name[strings.LastIndex(name, "/")+1:], ".html")
			p.templates[language][short] = t
		}
	}
	return p, nil
}

// readMessages reads what the interface says in a language: "key = text" lines.
func readMessages(language string) (map[string]string, error) {
	data, err := assets.ReadFile("assets/messages/" + language + ".txt")
	if err != nil {
		return nil, fault.New(fault.Failure, "the messages cannot be read").Because(err)
	}
	said := make(map[string]string)
	for line := range strings.Lines(string(data)) {
		if key, text, ok := strings.Cut(strings.TrimSpace(line), " = "); ok && !strings.HasPrefix(key, "#") {
			said[key] = text
		}
	}
	return said, nil
}

// message gives a message with its numbers and names filled in. One of something
// is said by the message's ".one", if it has one; that takes the same numbers.
func message(said map[string]string, key string, args ...any) string {
	text, ok := said[key]
	if !ok {
		return key
	}
	if len(args) == 0 {
		return text
	}
	if one, ok := said[key+".one"]; ok && args[0] == 1 {
		text = one
	}
	return fmt.Sprintf(text, args...)
}

// named gives what a word of the engine is called; one that nobody has translated
// is shown as it is.
func named(said map[string]string, group string, word any) string {
	name := fmt.Sprint(word)
	if text, ok := said[group+"."+name]; ok {
		return text
	}
	return name
}

// prefers chooses the interface's language from what the browser asks for.
func prefers(r *http.Request) string {
	for wanted := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		code, _, _ := strings.Cut(strings.TrimSpace(wanted), ";")
		code, _, _ = strings.Cut(strings.ToLower(code), "-")
		for _, language := range languages {
			if code == language {
				return language
			}
		}
	}
	return languages[0]
}

// page is what every page knows.
type page struct {
	Language string
	Name     string
	Title    string
	Reviewer string
	Idle     int // seconds
	Flash    string
	Open     int
	Asked    int
	CanUndo  bool
	CanRedo  bool
	Renewing bool
	Body     any
}

// Done is how much of the queue is settled, in percent.
func (p page) Done() int {
	if p.Asked == 0 {
		return 100
	}
	return 100 * (p.Asked - p.Open) / p.Asked
}

// show writes a page with what every page shows.
func (s *site) show(w http.ResponseWriter, r *http.Request, name string, status int, body any) {
	who := sessionOf(r)
	language, flash := who.take()
	p := page{Language: language, Name: name, Reviewer: who.reviewer, Idle: int(s.desk.options.Idle.Seconds()), Flash: flash, Body: body}
	p.Title = message(s.pages.messages[language], name+".title")
	s.desk.status(who.reviewer, &p)
	s.pages.write(w, status, name, p)
}

// write writes a page, whole or not at all.
func (p *pages) write(w http.ResponseWriter, status int, name string, data page) {
	var out bytes.Buffer
	if err := p.templates[data.Language][name].ExecuteTemplate(&out, "layout.html", data); err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(out.Bytes())
}

// take gives the session's language and the message that waits, once.
func (s *session) take() (language, flash string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	flash, s.flash = s.flash, ""
	return s.language, flash
}

func (s *session) say(flash string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flash = flash
}

// locked answers whoever has not been let in. It tells nothing.
func locked(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	text := [...]string{"The review is locked", "Open the link that the terminal shows. Each link works once; after a pause a new one is shown there."}
	if prefers(r) == "fr" {
		text = [...]string{"La relecture est verrouillée", "Ouvrez le lien affiché dans le terminal. Chaque lien sert une fois ; après une pause, un nouveau y est affiché."}
	}
	fmt.Fprintf(w, `<!doctype html><html lang="%s"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>anonymooc</title><link rel="stylesheet" href="/static/review.css"><body class="locked"><main><h1>%s</h1><p>%s</p></main></body></html>`, prefers(r), text[0], text[1])
}
