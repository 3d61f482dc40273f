package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

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
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	answer, err := client.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(page), `action="/question/0"`) {
		t.Fatalf("the link answers %d: %v", answer.StatusCode, err)
	}
	base, _, _ := strings.Cut(link, "/open")
	form := url.Values{"verdict": {"mask"}, "queued": {"1"}}
	request, err := http.NewRequest(http.MethodPost, base+"/question/0", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", base)
	if answer, err = client.Do(request); err != nil {
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
