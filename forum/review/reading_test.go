package review

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"anonymooc/forum"
	"anonymooc/forum/corpus"
	"anonymooc/internal/source"
)

// TestThePageIsThereBeforeTheForumIsRead: a link works at once, tells how far the
// reading is and nothing else, takes no answer, and goes on by itself.
func TestThePageIsThereBeforeTheForumIsRead(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	options := d.desk.options
	options.Reading = new(Reading)
	early, err := Listen(options, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer early.listener.Close()
	e := &desktop{t: t, server: early, desk: d.desk, ledger: d.ledger}
	ada := e.enter("ada")
	first := e.ask(ada.request("/"))
	if first.Code != http.StatusOK || !strings.Contains(first.Body.String(), "page-waiting") || !strings.HasPrefix(first.Header().Get("Refresh"), "1;") {
		t.Fatalf("the first page answers %d, %q", first.Code, first.Header())
	}
	for _, form := range []string{"osa", "Gwenvael", "Page"} {
		if strings.Contains(first.Body.String(), form) {
			t.Error("the page tells something of the forum")
		}
	}
	for path, form := range map[string]url.Values{"/question/0": {"verdict": {"mask"}}, "/undo": nil} {
		if code, to := ada.post(path, form); code != http.StatusSeeOther || to != "/" || len(d.ledger.Entries()) != 0 {
			t.Errorf("%s answers %d", path, code)
		}
	}
	if answer := e.ask(httptest.NewRequest(http.MethodGet, "/", nil)); answer.Code != http.StatusForbidden {
		t.Errorf("without a cookie it answers %d", answer.Code)
	}
	next := make(chan *httptest.ResponseRecorder)
	go func() { next <- e.ask(ada.request("/?wait=1")) }()
	early.Open(d.desk)
	if answer := <-next; answer.Code != http.StatusSeeOther && !strings.Contains(answer.Body.String(), "/question/") {
		t.Errorf("when the forum is read the page answers %d", answer.Code)
	}
	if page := ada.get("/"); !strings.Contains(page, "/question/") {
		t.Error("the queue does not follow")
	}
}

// TestReadingIsCounted: four times through a forum's files is all of it.
func TestReadingIsCounted(t *testing.T) {
	reading := new(Reading)
	if reading.Percent() != -1 {
		t.Error("it tells a share of nothing")
	}
	files := reading.Watch(t.Context(), []source.File{source.OnDisk(forumFile(t, roses))})
	reading.Begin()
	before := -1
	for range readings {
		if _, err := corpus.Open(files...); err != nil {
			t.Fatal(err)
		}
		if now := reading.Percent(); now <= before || now > 99 {
			t.Errorf("%d %% come after %d %%", now, before)
		} else {
			before = now
		}
	}
	if before != 99 {
		t.Errorf("at the end it says %d %%", before)
	}
}

// TestWhatTakesLongIsMadeBesideThePages: a page of all posts gives what there is,
// and says when it is old.
func TestWhatTakesLongIsMadeBesideThePages(t *testing.T) {
	var p prepared[int]
	release := make(chan struct{})
	made := 0
	slow := func() (int, error) { <-release; made++; return made, nil }
	if _, there, _, err := p.get(1, slow); there || err != nil {
		t.Error("it is there before it is made")
	}
	close(release)
	if value, there, fresh, _ := p.get(1, slow); value != 1 || !there || !fresh || made != 1 {
		t.Errorf("%d %v %v: it was made %d times", value, there, fresh, made)
	}
	again := make(chan struct{})
	later := func() (int, error) { <-again; return 2, nil }
	if value, there, fresh, _ := p.get(2, later); value != 1 || !there || fresh {
		t.Errorf("while the next one is made: %d %v %v", value, there, fresh)
	}
	close(again)
	if value, _, fresh, _ := p.get(2, later); value != 2 || !fresh {
		t.Errorf("afterwards: %d %v", value, fresh)
	}
	if _, _, _, err := p.get(3, func() (int, error) { return 0, io.ErrUnexpectedEOF }); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a failure gives %v", err)
	}
}

// TestShelfGivesBackWhatWasPut: posts of any text and time, more than a block of
// them, and one too large to be kept unpacked.
func TestShelfGivesBackWhatWasPut(t *testing.T) {
	s, err := newShelf()
	if err != nil {
		t.Fatal(err)
	}
	var all []corpus.Post
	for i := range 3*blockPosts + 5 {
		p := corpus.Post{ID: strings.Repeat("é", i+1), Thread: "t", Body: strings.Repeat("b\x00\xff", i), Title: "x", Lang: "fr", Username: "u"}
		if i%2 == 0 {
			p.Created = time.Date(2014, 2, 3, 4, 5, 6, 7e6, time.UTC)
		}
		if i == 100 {
			p.Body = strings.Repeat("long ", mostKept)
		}
		all = append(all, p)
		s.put(&p)
	}
	s.pack()
	for pass := range 2 {
		for i := range all {
			if got, ok := s.post(uint32(i)); !ok || got != all[i] {
				t.Fatalf("pass %d: post %d is another one", pass, i)
			}
		}
	}
	if _, ok := s.post(uint32(len(all))); ok {
		t.Error("there is a post that was never put")
	}
	if _, err := cutPost("\x05abc", new(corpus.Post)); err == nil {
		t.Error("half a post is read")
	}
}

// TestASearchThatTakesLongShowsWhatItFound and how much is left; it goes on beside
// the page.
func TestASearchThatTakesLongShowsWhatItFound(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	n := d.number("peintures")
	ada := d.enter("ada")
	d.desk.round.hunting.Lock() // another search works
	if page := ada.get("/question/" + strconv.Itoa(n)); !strings.Contains(page, strconv.Itoa(len(roses))+" posts are still to be searched") {
		t.Error("the page does not say how many posts are left")
	}
	d.desk.round.hunting.Unlock()
	if got := d.shown("peintures"); got != "unsure" {
		t.Errorf("afterwards its lines are %q", got)
	}
}

// TestASearchThatNobodyWatchesRests, and goes on from there when somebody asks.
func TestASearchThatNobodyWatchesRests(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	q, _ := d.desk.question(d.number("peintures"))
	r := d.desk.round
	h := &hunt{asked: time.Now().Add(-2 * huntRest), searched: 1, running: make(chan struct{})}
	r.found.Store(q.ID, h)
	h.run(r, q)
	if h.searched != 1 || h.running != nil {
		t.Errorf("nobody watches, and it searched %d posts", h.searched)
	}
	if form, left := r.find(&q); len(form.mentions) != 1 || left != 0 {
		t.Errorf("asked again, it finds %d and leaves %d posts", len(form.mentions), left)
	}
}
