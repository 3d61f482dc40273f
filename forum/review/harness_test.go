package review

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"anonymooc/forum"
	"anonymooc/forum/corpus"
	"anonymooc/forum/ledger"
	"anonymooc/idmap"
	"anonymooc/internal/source"
)

// desktop is a review of a small forum, with everything a test looks at.
type desktop struct {
	t      testing.TB
	desk   *Desk
	server *Server
	ledger *ledger.Ledger
	path   string
	clock  sync.Mutex
	now    time.Time
	told   []string
}

// tick is the ledger's clock: four seconds a decision.
func (d *desktop) tick() time.Time {
	d.clock.Lock()
	defer d.clock.Unlock()
	d.now = d.now.Add(4 * time.Second)
	return d.now
}

func (d *desktop) time() time.Time {
	d.clock.Lock()
	defer d.clock.Unlock()
	return d.now
}

// written is one post of a test's forum.
type written struct{ id, author, title, body string }

// roses is a forum in which a flower and two people have one name.
var roses = []written{
	{"52ee00000000000000000001", "17", "Bonjour", "Bonjour, je m'appelle Zéphyrine. Une rosa pour toi"},
	{"52ee00000000000000000002", "18", "", "Merci Zephirine et merci Reginaldo, la page est belle"},
	{"52ee00000000000000000003", "19", "", "Comme dit Rosa, la rosa sent bon. Voir Rosa plus bas"},
	{"52ee00000000000000000004", "17", "", "Les peintures de Rosa bonheur, et puis Gwenvael est venu avec gwenvael et Gwenvael"},
}

var roster = []forum.Person{
	{Pseudonym: 1_000_000_017, UserIDs: []string{"17"}, Usernames: []string{"zbrun"}, FirstNames: []string{"Zéphyrine"}, LastNames: []string{"Brun"}},
	{Pseudonym: 1_000_000_018, UserIDs: []string{"18"}, Usernames: []string{"rpage"}, FirstNames: []string{"Rosa"}, LastNames: []string{"Page"}},
	{Pseudonym: 1_000_000_019, UserIDs: []string{"19"}, Usernames: []string{"opuig"}, FirstNames: []string{"Rosa"}, LastNames: []string{"Puig"}},
}

func forumFile(t testing.TB, posts []written) string {
	t.Helper()
	var lines strings.Builder
	thread := ""
	for i, p := range posts {
		record := map[string]any{"_id": map[string]string{"$oid": p.id}, "author_id": p.author, "body": p.body, "course_id": "C/1/A"}
		if i == 0 || p.title != "" {
			thread = p.id
			record["title"] = p.title
		} else {
			record["comment_thread_id"] = map[string]string{"$oid": thread}
		}
		line, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	path := filepath.Join(t.TempDir(), "forum.json")
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// review opens a desk on some posts, with the catalogue and what the options say.
func review(t testing.TB, posts []written, people []forum.Person, options forum.Options) *desktop {
	t.Helper()
	return reopen(t, []string{forumFile(t, posts)}, people, options, filepath.Join(t.TempDir(), "ledger.jsonl"))
}

func reopen(t testing.TB, files []string, people []forum.Person, options forum.Options, path string) *desktop {
	t.Helper()
	d := &desktop{t: t, path: path, now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
	var err error
	if d.ledger, err = ledger.Open(path, ledger.Options{Now: d.tick}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.ledger.Close() })
	options.Policy = forum.Reviewed
	options.Price = 0.6 // so that a few posts ask enough
	settings := Options{
		Ledger: d.ledger, Identify: options.Identify, Recheck: filepath.Join(filepath.Dir(path), "recheck.jsonl"),
		Now: d.time, Tell: func(_, link string) { d.told = append(d.told, link) },
		Engine: func() (*forum.Engine, error) {
			posts, err := corpus.Open(source.AllOnDisk(files...)...)
			if err != nil {
				return nil, err
			}
			return forum.New(people, posts, d.ledger.Snapshot(), options)
		},
	}
	if d.desk, err = NewDesk(settings); err != nil {
		t.Fatal(err)
	}
	if d.server, err = Listen(settings, "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	d.server.Open(d.desk)
	t.Cleanup(func() { d.server.listener.Close() })
	return d
}

// browser is a client that keeps its cookie and follows no redirection.
type browser struct {
	d      *desktop
	cookie *http.Cookie
}

// enter opens a reviewer's link.
func (d *desktop) enter(reviewer string) *browser {
	d.t.Helper()
	link, err := d.server.Invite(reviewer)
	if err != nil {
		d.t.Fatal(err)
	}
	answer := d.ask(httptest.NewRequest(http.MethodGet, strings.TrimPrefix(link, d.server.guard.base), nil))
	if answer.Code != http.StatusSeeOther || len(answer.Result().Cookies()) != 1 {
		d.t.Fatalf("the link answers %d", answer.Code)
	}
	return &browser{d, answer.Result().Cookies()[0]}
}

// ask sends a request to the address that was printed.
func (d *desktop) ask(r *http.Request) *httptest.ResponseRecorder {
	if r.Host == "example.com" {
		r.Host = strings.TrimPrefix(d.server.guard.base, "http://")
	}
	answer := httptest.NewRecorder()
	d.server.handler().ServeHTTP(answer, r)
	return answer
}

func (b *browser) request(path string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.AddCookie(b.cookie)
	return r
}

func (b *browser) get(path string) string {
	b.d.t.Helper()
	answer := b.d.ask(b.request(path))
	if answer.Code != http.StatusOK {
		b.d.t.Fatalf("%s answers %d", path, answer.Code)
	}
	return answer.Body.String()
}

// post sends a form and gives where it leads.
func (b *browser) post(path string, form url.Values) (int, string) {
	b.d.t.Helper()
	answer := b.d.ask(b.form(path, form))
	return answer.Code, answer.Header().Get("Location")
}

func (b *browser) form(path string, form url.Values) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", b.d.server.guard.base)
	r.AddCookie(b.cookie)
	return r
}

// number gives the number of the question about a form.
func (d *desktop) number(form string) int {
	d.t.Helper()
	n, ok := d.desk.search(form)
	if !ok {
		d.t.Fatal("no such form")
	}
	return n
}

// everyone reads the people of an export.
func everyone(t *testing.T, export string) []forum.Person {
	t.Helper()
	var all []forum.Person
	paths, err := filepath.Glob(filepath.Join(export, "*", "auth_user.csv"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("the export has no people: %v", err)
	}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		reader := csv.NewReader(file)
		reader.LazyQuotes = true
		records, err := reader.ReadAll()
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		column := make(map[string]int)
		for i, name := range records[0] {
			column[name] = i
		}
		for _, r := range records[1:] {
			all = append(all, forum.Person{
				Pseudonym: idmap.Pseudonym(1_100_000_000 + 7919*len(all)), UserIDs: []string{r[column["id"]]}, Usernames: []string{r[column["username"]]},
				Emails: []string{r[column["email"]]}, FirstNames: []string{r[column["first_name"]]}, LastNames: []string{r[column["last_name"]]},
			})
		}
	}
	return all
}
