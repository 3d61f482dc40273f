package main

import (
	"bufio"
	"context"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"anonymooc/forum/ledger"
)

// TestForumReviewServesThePageThatItPrints: the printed link opens the queue, a
// verdict is in the ledger at once, and the command ends when it is told to.
func TestForumReviewServesThePageThatItPrints(t *testing.T) {
	p := newForumProject(t)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	read, write := io.Pipe()
	cmd := newForumReviewCommand()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs([]string{p.export, "--project", p.project, "--reviewer", "ada"})
	cmd.SetErr(write)
	done := make(chan error, 1)
	go func() {
		err := cmd.ExecuteContext(ctx)
		write.CloseWithError(io.EOF)
		done <- err
	}()
	link := ""
	told := bufio.NewScanner(read)
	for link == "" && told.Scan() {
		_, link, _ = strings.Cut(told.Text(), "ada: open ")
	}
	if link == "" {
		t.Fatalf("no link was printed: %v", <-done)
	}
	go io.Copy(io.Discard, read)
	b := openLink(t, link)
	client, base := b.client, b.base
	if page := b.ready(); !strings.Contains(page, `action="/question/0"`) {
		t.Fatal("the link does not lead to the queue")
	}
	form := url.Values{"verdict": {"mask"}, "queued": {"1"}}
	request, err := http.NewRequest(http.MethodPost, base+"/question/0", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", base)
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	state, err := ledger.Load(filepath.Join(p.project, "forum", "ledger.jsonl"))
	if err != nil || answer.StatusCode != http.StatusOK || state.Len() != 1 {
		t.Errorf("the verdict answers %d, the ledger holds %d entries: %v", answer.StatusCode, state.Len(), err)
	}
	for _, page := range []string{"/replacements", "/people", "/overview", "/recheck"} {
		answer, err := client.Get(base + page)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s answers %d", page, answer.StatusCode)
		}
	}
	client.CloseIdleConnections()
	stop()
	if err := <-done; err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// reviewing is a browser on the page of another process.
type reviewing struct {
	t      *testing.T
	client *http.Client
	base   string
}

// openLink opens a printed link; redirections of answers are not followed.
func openLink(t *testing.T, link string) *reviewing {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	base, _, _ := strings.Cut(link, "/open")
	b := &reviewing{t, &http.Client{Jar: jar}, base}
	b.get(strings.TrimPrefix(link, base))
	return b
}

func (b *reviewing) get(path string) string {
	b.t.Helper()
	answer, err := b.client.Get(b.base + path)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		b.t.Fatalf("%s answers %d: %v", path, answer.StatusCode, err)
	}
	return string(page)
}

// ready waits, as a browser does, until the forum is read.
func (b *reviewing) ready() string {
	b.t.Helper()
	for range 100 {
		if page := b.get("/?wait=1"); !strings.Contains(page, `class="page-waiting"`) {
			return page
		}
	}
	b.t.Fatal("the forum is never read")
	return ""
}

// answered is what a reviewer was told is kept.
type answered struct{ who, surface, verdict string }

// answer gives verdicts until the server is gone, and tells those that it took.
func (b *reviewing) answer(who string, questions int) (taken []answered) {
	client := &http.Client{Jar: b.client.Jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	heading := regexp.MustCompile(`<h1 id="form" dir="auto">([^<]*)</h1>`)
	for i := 0; ; i++ {
		address := b.base + "/question/" + strconv.Itoa(i%questions)
		answer, err := client.Get(address)
		if err != nil {
			return taken
		}
		page, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		found := heading.FindSubmatch(page)
		if err != nil || found == nil {
			return taken
		}
		verdict := []string{"mask", "keep", "common"}[i%3]
		request, err := http.NewRequest(http.MethodPost, address, strings.NewReader(url.Values{"verdict": {verdict}}.Encode()))
		if err != nil {
			return taken
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Origin", b.base)
		if answer, err = client.Do(request); err != nil {
			return taken
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusSeeOther {
			taken = append(taken, answered{who, html.UnescapeString(string(found[1])), verdict})
		}
	}
}

// TestForumReviewKilledKeepsWhatItTook: two reviewers answer as fast as they can
// while the process is killed, again and again; every answer that was taken is in
// the ledger, and at most what was on its way besides.
func TestForumReviewKilledKeepsWhatItTook(t *testing.T) {
	p := newForumProject(t)
	path := filepath.Join(p.project, "forum", "ledger.jsonl")
	kept := make(map[answered]int)
	taken, onTheWay := 0, 0
	for round := range 4 {
		cmd := exec.Command("anonymooc", "forum", "review", p.export, "--project", p.project, "--reviewer", "ada", "--reviewer", "bob")
		told, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill() })
		links := make(map[string]string)
		lines := bufio.NewScanner(told)
		for len(links) < 2 && lines.Scan() {
			if who, link, ok := strings.Cut(lines.Text(), ": open "); ok {
				links[who] = link
			}
		}
		if len(links) < 2 {
			t.Fatalf("no links were printed: %v", cmd.Wait())
		}
		go io.Copy(io.Discard, told)
		answers := make(chan []answered)
		for who, link := range links {
			b := openLink(t, link)
			b.ready()
			go func() { answers <- b.answer(who, 3) }()
		}
		time.Sleep(time.Duration(150+100*round) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for range links {
			for _, a := range <-answers {
				kept[a]++
				taken++
			}
			onTheWay++
		}
		cmd.Wait()
	}
	l, err := ledger.Open(path, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, e := range l.Entries() {
		kept[answered{e.Who, e.Surface, string(e.Verdict)}]--
	}
	for a, missing := range kept {
		if missing > 0 {
			t.Errorf("%d answers of %s with the verdict %s were taken and are lost", missing, a.who, a.verdict)
		}
	}
	if n := len(l.Entries()); taken == 0 || n < taken || n > taken+onTheWay {
		t.Errorf("%d answers were taken, the ledger holds %d", taken, n)
	}
	t.Logf("%d answers were taken", taken)
}
