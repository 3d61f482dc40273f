package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/forum/person"
	"anonymooc/internal/fault"
)

const personPosts = `{"_id":{"$oid":"52f0a0000000000000000001"},"_type":"CommentThread","author_id":"11","author_username":"a","title":"Bonjour","body":"J'habite à Vierzon et j'ai 34 ans."}
{"_id":{"$oid":"52f0a0000000000000000002"},"_type":"Comment","author_id":"11","comment_thread_id":{"$oid":"52f0a0000000000000000001"},"body":"Je suis apicultrice."}
{"_id":{"$oid":"52f0a0000000000000000003"},"_type":"Comment","author_id":"12","comment_thread_id":{"$oid":"52f0a0000000000000000001"},"body":"Moi aussi j'habite à Vierzon, j'ai 34 ans."}
{"_id":{"$oid":"52f0a0000000000000000004"},"_type":"Comment","author_id":"13","comment_thread_id":{"$oid":"52f0a0000000000000000001"},"body":"Moi aussi j'habite à Vierzon, j'ai 34 ans."}
`

func callPerson(t *testing.T, args ...string) (string, error) {
	t.Helper()
	command := newForumPersonCommand()
	var out bytes.Buffer
	command.SetOut(&out)
	command.SetErr(&out)
	command.SilenceErrors, command.SilenceUsage = true, true
	command.SetArgs(args)
	err := command.Execute()
	return out.String(), err
}

func TestForumPersonShowsBundlesAndWhoSharesThem(t *testing.T) {
	export := filepath.Join(t.TempDir(), "forum.mongo")
	if err := os.WriteFile(export, []byte(personPosts), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := callPerson(t, export, "--json", "--below", "2")
	if err != nil {
		t.Fatal(err)
	}
	var p person.Person
	if err := json.Unmarshal([]byte(out), &p); err != nil {
		t.Fatalf("one line of JSON expected: %v in %s", err, out)
	}
	if p.Author != "11" || len(p.Facts) != 3 || p.CombinationSharing != 1 {
		t.Errorf("got %+v", p)
	}
	for _, fact := range p.Facts {
		if fact.Places[0].Post == "" || fact.Places[0].End <= fact.Places[0].Start {
			t.Errorf("fact without a place: %+v", fact)
		}
	}
	if out, err := callPerson(t, export, "--author", "12"); err != nil || !strings.Contains(out, "told by 3 authors") || strings.Contains(out, "apicultrice") {
		t.Errorf("author 12: %v\n%s", err, out)
	}
	if _, err := callPerson(t, export, "--below", "-1"); fault.CodeOf(err) != fault.Usage {
		t.Errorf("a negative count is taken: %v", err)
	}
	if _, err := callPerson(t, filepath.Join(t.TempDir(), "none")); fault.CodeOf(err) != fault.Usage {
		t.Errorf("a missing export is taken: %v", err)
	}
}
