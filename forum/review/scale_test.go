package review

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"anonymooc/forum"
	"anonymooc/forum/corpus"
	"anonymooc/forum/ledger"
	"anonymooc/internal/source"
)

// BenchmarkVerdictInABigForum answers questions in a forum of 20,000 posts with
// some 20,000 questions, and reports what share of the 100 ms that a verdict may
// take (with the next question's page) is taken, beside the flush to the disk that
// each entry of the ledger needs anyway.
func BenchmarkVerdictInABigForum(b *testing.B) {
	const size = 20_000
	posts := make([]written, size)
	people := make([]forum.Person, size)
	for i := range posts {
		name := "nam" + strconv.FormatInt(int64(i)+46656, 36) + "a"
		posts[i] = written{fmt.Sprintf("52ee%020d", i), strconv.Itoa(i), "un", "dont " + name + " est une page et Nam" + strconv.FormatInt(int64(i)+46656, 36) + "a un mot"}
		people[i] = forum.Person{Pseudonym: 1_000_000_000, UserIDs: []string{strconv.Itoa(i + size)}, FirstNames: []string{name}}
	}
	d := review(b, posts, people, forum.Options{})
	if d.desk.round.open < size/2 {
		b.Fatalf("only %d questions", d.desk.round.open)
	}
	ada := d.enter("ada")
	var flushed time.Duration
	file, err := os.CreateTemp(b.TempDir(), "flush")
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	for i := 0; b.Loop(); i++ {
		n := d.desk.round.queue[i%len(d.desk.round.queue)]
		ada.post("/question/"+strconv.Itoa(n), url.Values{"verdict": {"mask"}, "queued": {"1"}})
		ada.get("/")
		began := time.Now()
		file.WriteString("an entry\n")
		if err := file.Sync(); err != nil {
			b.Fatal(err)
		}
		flushed += time.Since(began)
	}
	verdict := b.Elapsed() - flushed
	b.ReportMetric(float64(verdict)/float64(b.N)/float64(100*time.Millisecond), "of_100ms")
	b.ReportMetric(float64(verdict)/float64(flushed), "flushes")
}

// TestABigReview opens a review of ANONYMOOC_REVIEW_POSTS posts with a tenth as
// many questions, one of whose forms stands in every tenth post, over real HTTP,
// and prints how long what takes and how large it is. It asserts no time.
func TestABigReview(t *testing.T) {
	posts, err := strconv.Atoi(os.Getenv("ANONYMOOC_REVIEW_POSTS"))
	if err != nil {
		t.Skip("a measurement: ANONYMOOC_REVIEW_POSTS=1000000 go test ./forum/review -run ABigReview -v -timeout 2h")
	}
	d, people := &bigReview{T: t, posts: posts}, bigPeople(posts/9)
	d.write()
	l, err := ledger.Open(filepath.Join(t.TempDir(), "ledger.jsonl"), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	reading := new(Reading)
	files := reading.Watch(t.Context(), []source.File{source.OnDisk(d.path)})
	options := Options{Ledger: l, Reading: reading, Engine: func() (*forum.Engine, error) {
		posts, err := corpus.Open(files...)
		if err != nil {
			return nil, err
		}
		return forum.New(people, posts, l.Snapshot(), forum.Options{Policy: forum.Reviewed})
	}}
	began := time.Now()
	server, err := Listen(options, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- server.Serve(ctx) }()
	defer func() { stop(); <-served }()
	d.ada, d.bob = d.enter(server, "ada"), d.enter(server, "bob")
	d.tell("the first screen, from the start", time.Since(began))
	desk, err := NewDesk(options)
	if err != nil {
		t.Fatal(err)
	}
	server.Open(desk)
	d.tell("the forum is read", time.Since(began))
	d.measure(desk)
}

// bigReview is a review of many posts.
type bigReview struct {
	*testing.T
	posts    int
	path     string
	ada, bob *http.Client
	base     string
}

func bigName(i int) string { return "nam" + strconv.FormatInt(int64(i)+46656, 36) + "a" }

// bigPeople are people whose first names are asked about wherever they stand in
// small letters, and one whose name stands everywhere.
func bigPeople(n int) []forum.Person {
	people := make([]forum.Person, n)
	for i := range people {
		people[i] = forum.Person{Pseudonym: 1_000_000_000, UserIDs: []string{strconv.Itoa(i)}, FirstNames: []string{bigName(i)}}
	}
	return people
}

func (d *bigReview) write() {
	d.path = filepath.Join(d.TempDir(), "forum.mongo")
	file, err := os.Create(d.path)
	if err != nil {
		d.Fatal(err)
	}
	out := bufio.NewWriter(file)
	for i := range d.posts {
		name := bigName(i % (d.posts / 9))
		if i%10 == 3 {
			name = bigName(0)
		}
		fmt.Fprintf(out, `{"_id":{"$oid":"52ee%020x"},"author_id":"%d","course_id":"C/1/A","body":"dont %s est une page %d fois dans le chapitre, la suite est claire et le reste aussi"`, i, i%50_000+d.posts, name, i)
		if i%20 != 0 {
			fmt.Fprintf(out, `,"comment_thread_id":{"$oid":"52ee%020x"}`, i-i%20)
		}
		out.WriteString("}\n")
	}
	if err := out.Flush(); err != nil {
		d.Fatal(err)
	}
	if err := file.Close(); err != nil {
		d.Fatal(err)
	}
}

func (d *bigReview) enter(server *Server, who string) *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		d.Fatal(err)
	}
	link, err := server.Invite(who)
	if err != nil {
		d.Fatal(err)
	}
	d.base = server.guard.base
	client := &http.Client{Jar: jar}
	d.ask(client, http.MethodGet, strings.TrimPrefix(link, d.base), nil)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client
}

// ask sends a request and gives how long the answer took and how large it is.
func (d *bigReview) ask(client *http.Client, method, path string, form url.Values) (time.Duration, int) {
	d.Helper()
	request, err := http.NewRequest(method, d.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		d.Fatal(err)
	}
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Origin", d.base)
	}
	began := time.Now()
	answer, err := client.Do(request)
	if err != nil {
		d.Fatal(err)
	}
	defer answer.Body.Close()
	size, err := io.Copy(io.Discard, answer.Body)
	if err != nil || answer.StatusCode >= 400 {
		d.Fatalf("%s answers %d: %v", path, answer.StatusCode, err)
	}
	return time.Since(began), int(size)
}

func (d *bigReview) tell(what string, took time.Duration) {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	d.Logf("%-50s %10s   heap %d MB", what, took.Round(10*time.Microsecond), memory.HeapAlloc>>20)
}

// measure answers questions while another reviewer opens what takes longest.
func (d *bigReview) measure(desk *Desk) {
	runtime.GC()
	d.tell(fmt.Sprintf("posts %d, questions %d, forms %d", desk.round.posts.count, len(desk.round.queue), len(desk.round.index.forms)), 0)
	open := func(who *http.Client, what, path string) {
		took, size := d.ask(who, http.MethodGet, path, nil)
		d.tell(fmt.Sprintf("%s, %d kB", what, size>>10), took)
	}
	open(d.ada, "the queue", "/")
	open(d.ada, "the queue again", "/")
	desk.mu.RLock()
	often := strconv.Itoa(desk.round.queue[slices.IndexFunc(desk.round.queue, func(n int) bool { return desk.asked[n].Surface == bigName(0) })])
	desk.mu.RUnlock()
	d.answer(often, "alone")
	open(d.ada, "a form in a tenth of the posts", "/question/"+often)
	open(d.ada, "the same, sorted", "/question/"+often+"?sort=left")
	open(d.ada, "the same, what was masked", "/question/"+often+"?verdict=mask")
	open(d.ada, "a thread", "/thread/70000")
	open(d.ada, "its changes", "/thread/70000?show=changes")
	open(d.ada, "the overview", "/overview")
	open(d.ada, "a blind re-check", "/recheck")
	open(d.bob, "a second look", "/second")
	open(d.ada, "the reviewers", "/reviewers")
	busy, end := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(busy)
		for i := 0; ; i++ {
			select {
			case <-end:
				return
			default:
			}
			d.ask(d.bob, http.MethodPost, "/search", url.Values{"form": {"chapitre" + strconv.Itoa(i)}})
			for _, path := range []string{"/question/" + often + "?sort=left", "/overview", "/recheck", "/thread/500"} {
				d.ask(d.bob, http.MethodGet, path, nil)
			}
		}
	}()
	d.answer(often, "while another reviewer opens the heaviest pages")
	close(end)
	<-busy
	took, _ := d.ask(d.ada, http.MethodPost, "/search", url.Values{"form": {"Introuvable"}})
	d.tell("looking for a form that is nowhere", took)
}

// answer gives a thousand verdicts, each with the next question's page.
func (d *bigReview) answer(often, how string) {
	var verdicts, pages []time.Duration
	largest := 0
	for i := range 1000 {
		path := "/question/" + strconv.Itoa(i)
		if i%100 == 50 {
			path = "/question/" + often
		}
		took, _ := d.ask(d.ada, http.MethodPost, path, url.Values{"verdict": {[]string{"mask", "keep", "common", "unsure"}[i%4]}, "queued": {"1"}})
		verdicts = append(verdicts, took)
		took, size := d.ask(d.ada, http.MethodGet, "/", nil)
		pages, largest = append(pages, took), max(largest, size)
		if i%10 == 0 {
			d.ask(d.ada, http.MethodPost, "/undo", nil)
		}
	}
	slices.Sort(verdicts)
	slices.Sort(pages)
	d.Logf("%s: a verdict, flushed to the disk: median %s, 99 of 100 below %s, longest %s; the next page: median %s, 99 of 100 below %s, longest %s, largest %d kB", how,
		verdicts[500], verdicts[990], verdicts[999], pages[500], pages[990], pages[999], largest>>10)
}
