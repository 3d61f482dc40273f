package forum

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"anonymooc/forum/ledger"
	"anonymooc/forum/mine"
)

// contextPosts thank known people in one and the same way, and one unknown.
var contextPosts = []testPost{
	{"a", "a", "1", "Selon le bon Nicolas, oui."}, {"b", "b", "2", "Selon le bon Patrice, oui."}, {"c", "c", "3", "Selon le bon Adrià, oui."},
	{"d", "d", "4", "Selon le bon Zorbulin, non."},
}

// contextEngine mines those posts; verdict, when there is one, is on the context.
func contextEngine(t *testing.T, pattern string, verdict ledger.Verdict) *Engine {
	t.Helper()
	options := testOptions(Reviewed)
	options.Mine = true
	var entries []ledger.Entry
	if verdict != "" {
		entries = append(entries, ledger.Entry{Number: 1, At: time.Unix(1, 0), Who: "ada", Question: ledger.QuestionID(ledger.KindContext, pattern),
			Kind: ledger.KindContext, Surface: pattern, Verdict: verdict})
	}
	return engineOf(t, options, ledger.Replay(entries), contextPosts...)
}

func TestContextsAreJudged(t *testing.T) {
	const pattern = "bon …"
	plain := contextEngine(t, pattern, "")
	asked, err := plain.ContextQuestions()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(asked, func(q Question) bool { return q.Surface == pattern })
	if at < 0 {
		t.Fatalf("%q is not asked about: %+v", pattern, asked)
	}
	if q := asked[at]; q.Kind != ledger.KindContext || q.Count != 4 || q.Score != 0.75 || len(q.Lines) == 0 {
		t.Errorf("asked %+v", q)
	}
	const text = "Selon le bon Zorbulin, non."
	_, before := verdictOf(plain, "d", text, "Zorbulin")
	_, trusted := verdictOf(contextEngine(t, pattern, ledger.Mask), "d", text, "Zorbulin")
	_, rejected := verdictOf(contextEngine(t, pattern, ledger.Keep), "d", text, "Zorbulin")
	if !(trusted > before && before > rejected) {
		t.Errorf("trusted %.2f, unjudged %.2f, rejected %.2f", trusted, before, rejected)
	}
	for _, verdict := range []ledger.Verdict{ledger.Mask, ledger.Keep} {
		again, err := contextEngine(t, pattern, verdict).ContextQuestions()
		if err != nil || slices.ContainsFunc(again, func(q Question) bool { return q.Surface == pattern }) {
			t.Errorf("after %s it is asked about again (%v)", verdict, err)
		}
	}
}

// TestContextsAreKeptForOtherCorpora: as far as they are no phrase of one
// person, and not against a verdict.
func TestContextsAreKeptForOtherCorpora(t *testing.T) {
	const pattern = "bon …"
	for _, tt := range []struct {
		verdict ledger.Verdict
		kept    bool
	}{{"", true}, {ledger.Mask, true}, {ledger.Keep, false}} {
		folder := Folder(t.TempDir())
		if _, err := contextEngine(t, pattern, tt.verdict).KeepContexts(folder); err != nil {
			t.Fatal(err)
		}
		store, err := mine.OpenContexts(folder.Contexts())
		if err != nil {
			t.Fatal(err)
		}
		patterns := make([]string, 0, 100)
		for _, rule := range store.Rules() {
			patterns = append(patterns, rule.String())
		}
		if slices.Contains(patterns, pattern) != tt.kept {
			t.Errorf("%q: kept %v, want %v", tt.verdict, !tt.kept, tt.kept)
		}
		files, _ := filepath.Glob(filepath.Join(folder.Contexts(), "*"))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(strings.ToLower(string(data)), "zorbulin") {
				t.Errorf("%s holds what only one person wrote", filepath.Base(file))
			}
		}
	}
}
