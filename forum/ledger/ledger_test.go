package ledger

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"anonymooc/internal/fault"
)

func fixedClock() time.Time { return time.Date(2026, 3, 2, 9, 14, 7, 0, time.UTC) }

func open(t testing.TB, path string) *Ledger {
	t.Helper()
	l, err := Open(path, Options{Now: fixedClock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "forum", "ledger.jsonl") }

func decide(surface string, verdict Verdict, mentions ...MentionVerdict) Entry {
	return Entry{Who: "officer", Question: QuestionID(KindForm, surface), Kind: KindForm,
		Surface: surface, Verdict: verdict, Mentions: mentions}
}

func mustAppend(t testing.TB, l *Ledger, entries ...Entry) []Entry {
	t.Helper()
	written, err := l.Append(entries...)
	if err != nil {
		t.Fatal(err)
	}
	return written
}

func wantVerdict(t *testing.T, s interface {
	Decision(string) (Decision, bool)
}, surface string, want Verdict) {
	t.Helper()
	got, ok := s.Decision(QuestionID(KindForm, surface))
	if want == "" && ok {
		t.Errorf("%s: decided %q, want no decision", surface, got.Verdict)
	}
	if want != "" && (!ok || got.Verdict != want || got.Surface != surface) {
		t.Errorf("%s: got %+v (%v), want %q", surface, got, ok, want)
	}
}

func TestReplayGivesTheStateThatWasWritten(t *testing.T) {
	path := newPath(t)
	l := open(t, path)
	rose := MentionVerdict{Mention{"p1", "body", 4, 8}, Common}
	mustAppend(t, l, decide("Rosa", Mask, rose), decide("Kelly", Mask))
	mustAppend(t, l, decide("Kelly", Keep))

	replayed, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, state := range []*State{replayed, l.Snapshot()} {
		wantVerdict(t, state, "Rosa", Mask)
		wantVerdict(t, state, "Kelly", Keep)
		wantVerdict(t, state, "Sylvie", "")
		if got, ok := state.Mention(rose.Mention); !ok || got != Common {
			t.Errorf("mention: got %q, want common", got)
		}
		if _, ok := state.Mention(Mention{"p1", "body", 4, 9}); ok {
			t.Error("a mention nobody decided has a verdict")
		}
	}
	if !reflect.DeepEqual(replayed.Decisions(), l.Snapshot().Decisions()) {
		t.Error("the replayed decisions differ from those in memory")
	}
}

func TestUndoIsAnEntryAndCanBeTakenBack(t *testing.T) {
	l := open(t, newPath(t))
	mustAppend(t, l, decide("Rosa", Keep))
	second := mustAppend(t, l, decide("Rosa", Mask, MentionVerdict{Mention{"p1", "body", 0, 4}, Keep}))[0]

	undo, err := l.Undo(second.Number, "officer")
	if err != nil {
		t.Fatal(err)
	}
	wantVerdict(t, l, "Rosa", Keep)
	if _, ok := l.Mention(Mention{"p1", "body", 0, 4}); ok {
		t.Error("the mention's verdict outlived its entry")
	}
	if _, err := l.Undo(undo.Number, "officer"); err != nil {
		t.Fatal(err)
	}
	wantVerdict(t, l, "Rosa", Mask)
	for range 2 {
		if _, err := l.Undo(0, "officer"); err != nil {
			t.Fatal(err)
		}
	}
	wantVerdict(t, l, "Rosa", "")
	if _, err := l.Undo(0, "officer"); fault.CodeOf(err) != fault.Usage {
		t.Errorf("nothing left to take back: got %v", err)
	}
	if _, err := l.Undo(999, "officer"); fault.CodeOf(err) != fault.Usage {
		t.Errorf("an unknown number: got %v", err)
	}
	if got := len(l.Entries()); got != 6 {
		t.Errorf("the ledger has %d entries, want 6: nothing is ever removed by undo", got)
	}
}

func TestMentionOnlyEntryLeavesTheFormsVerdict(t *testing.T) {
	l := open(t, newPath(t))
	mustAppend(t, l, decide("Paris", Mask))
	only := decide("Paris", "", MentionVerdict{Mention{"p2", "title", 3, 8}, Keep})
	mustAppend(t, l, only)
	wantVerdict(t, l, "Paris", Mask)
	if got, _ := l.Mention(Mention{"p2", "title", 3, 8}); got != Keep {
		t.Errorf("got %q, want keep", got)
	}
}

func TestTornTailIsRepairedAndSaid(t *testing.T) {
	for _, tail := range []string{`{"n":2,"at":"2026-0`, "\x00\x00\x00\x00", "{\"n\":2\x00\x00\n"} {
		path := newPath(t)
		mustAppend(t, open(t, path), decide("Rosa", Mask))
		whole, _ := os.ReadFile(path)
		if err := os.WriteFile(path, append(whole, tail...), 0o600); err != nil {
			t.Fatal(err)
		}
		l := open(t, path)
		if got := l.Repaired(); got != int64(len(tail)) {
			t.Errorf("tail %q: repaired %d bytes, want %d", tail, got, len(tail))
		}
		mustAppend(t, l, decide("Kelly", Keep))
		state, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		wantVerdict(t, state, "Rosa", Mask)
		wantVerdict(t, state, "Kelly", Keep)
	}
}

func TestDamageBeforeTheTailIsAnErrorWithoutValues(t *testing.T) {
	good := `{"n":1,"at":"2026-03-02T09:14:07Z","who":"o","id":"a","kind":"form","surface":"Zephyrine","verdict":"mask"}` + "\n"
	for name, lines := range map[string]string{
		"not JSON":       `{"n":1,"surface":"Zephyrine` + "\n" + strings.Replace(good, `"n":1`, `"n":2`, 1),
		"number repeats": good + good,
		"no time":        strings.Replace(good, "2026-03-02T09:14:07Z", "0001-01-01T00:00:00Z", 1),
		"unknown kind":   strings.Replace(good, `"form"`, `"Zephyrine"`, 1),
		"unknown answer": strings.Replace(good, `"mask"`, `"Zephyrine"`, 1),
		"no verdict":     strings.Replace(good, `,"verdict":"mask"`, "", 1),
		"undo of later":  `{"n":1,"at":"2026-03-02T09:14:07Z","who":"o","undo":1}` + "\n",
		"empty span":     strings.Replace(good, `"verdict":"mask"`, `"mentions":[{"post":"p","field":"body","start":3,"end":3,"verdict":"keep"}]`, 1),
	} {
		path := filepath.Join(t.TempDir(), "ledger.jsonl")
		if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(path)
		if err == nil {
			t.Errorf("%s: no error", name)
		} else if strings.Contains(err.Error(), "Zephyrine") {
			t.Errorf("%s: the error shows a form: %v", name, err)
		}
		if _, err := Open(path, Options{}); err == nil {
			t.Errorf("%s: opened for writing", name)
		}
		if after, _ := os.ReadFile(path); string(after) != lines {
			t.Errorf("%s: a damaged ledger was changed", name)
		}
	}
}

func TestSeveralWritersLoseNothing(t *testing.T) {
	path := newPath(t)
	const writers, each = 4, 25
	var group sync.WaitGroup
	for w := range writers {
		l := open(t, path)
		group.Go(func() {
			for i := range each {
				if _, err := l.Append(decide(strings.Repeat("x", w+1)+strings.Repeat("y", i), Mask)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	state, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(state.Decisions()); got != writers*each {
		t.Errorf("%d decisions, want %d", got, writers*each)
	}
}

func TestForgetErasesAPersonsFormsForEveryWriter(t *testing.T) {
	path := newPath(t)
	eraser, other := open(t, path), open(t, path)
	mustAppend(t, other, decide("Zephyrine", Mask), decide("Rosa", Keep))
	if _, err := other.Undo(1, "officer"); err != nil {
		t.Fatal(err)
	}
	gone, err := eraser.Forget("officer", func(e Entry) bool { return e.Surface == "Zephyrine" })
	if err != nil || gone != 2 {
		t.Fatalf("erased %d (%v), want the decision and what took it back", gone, err)
	}
	if data, _ := os.ReadFile(path); bytes.Contains(data, []byte("Zephyrine")) {
		t.Error("the form is still in the file")
	}
	if again, err := eraser.Forget("officer", func(e Entry) bool { return e.Surface == "Zephyrine" }); again != 0 || err != nil {
		t.Errorf("erasing again: %d, %v", again, err)
	}
	mustAppend(t, other, decide("Kelly", Mask))
	state, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	wantVerdict(t, state, "Zephyrine", "")
	wantVerdict(t, state, "Rosa", Keep)
	wantVerdict(t, state, "Kelly", Mask)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v (%v), want 0600", info.Mode(), err)
	}
}

func TestAppendRefusesWhatReplayWouldRefuse(t *testing.T) {
	l := open(t, newPath(t))
	bad := []Entry{
		{Who: "o"},
		{Question: "q", Kind: "other", Verdict: Mask},
		{Question: "q", Kind: KindForm},
		{Question: "q", Kind: KindForm, Verdict: "perhaps"},
		{Question: "q", Kind: KindForm, Mentions: []MentionVerdict{{Mention{"p", "f", 2, 1}, Keep}}},
		{Question: "q", Kind: KindForm, Mentions: []MentionVerdict{{Mention{"p", "f", 1, 2}, ""}}},
		{Undo: 8},
	}
	for _, entry := range bad {
		if _, err := l.Append(decide("Rosa", Mask), entry); fault.CodeOf(err) != fault.Usage {
			t.Errorf("%+v: got %v, want a usage fault", entry, err)
		}
	}
	if got := len(l.Entries()); got != 0 {
		t.Errorf("%d entries were written with the refused ones", got)
	}
}

func TestQuestionIDIsStableAndTellsPartsApart(t *testing.T) {
	// SHA-256 over the lengths (4 bytes, big endian) and bytes of "form" and "Rosa".
	if got, want := QuestionID(KindForm, "Rosa"), "768a8fd959354eaab99d0ff59e4df17f"; got != want {
		t.Errorf("got %q, want %q: decisions taken earlier would be lost", got, want)
	}
	ids := map[string]bool{}
	for _, id := range []string{
		QuestionID(KindForm, "Rosa"), QuestionID(KindForm, "rosa"), QuestionID(KindCandidate, "Rosa"),
		QuestionID(KindForm, "Ro", "sa"), QuestionID(KindForm, "R", "osa"), QuestionID(KindForm),
	} {
		ids[id] = true
	}
	if len(ids) != 6 {
		t.Errorf("%d different ids for 6 different questions", len(ids))
	}
}

// FuzzAnyPrefixReplaysToItsWholeEntries writes decisions drawn from the input,
// cuts the file anywhere and asks that what is read is the state of the entries
// that are whole.
func FuzzAnyPrefixReplaysToItsWholeEntries(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x10\x20\x30\x41\x42"), 100)
	f.Add([]byte("undo\xff\xfe and \x93\x94 more"), 333)
	f.Fuzz(func(t *testing.T, script []byte, cut int) {
		if len(script) > 64 {
			script = script[:64]
		}
		entries := scripted(script)
		var file []byte
		ends := []int{0}
		for _, entry := range entries {
			line, err := json.Marshal(entry)
			if err != nil {
				t.Fatal(err)
			}
			file = append(append(file, line...), '\n')
			ends = append(ends, len(file))
		}
		cut = min(max(cut, 0), len(file))
		wholeEntries := 0
		for wholeEntries+1 < len(ends) && ends[wholeEntries+1] <= cut {
			wholeEntries++
		}
		path := filepath.Join(t.TempDir(), "ledger.jsonl")
		if err := os.WriteFile(path, file[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		want := Replay(entries[:wholeEntries])
		loaded, err := Load(path)
		if err != nil {
			t.Fatalf("load: %v", err)
		}
		opened := open(t, path)
		if got := opened.Repaired(); got != int64(cut-ends[wholeEntries]) {
			t.Errorf("repaired %d bytes, want %d", got, cut-ends[wholeEntries])
		}
		for _, got := range []*State{loaded, opened.Snapshot()} {
			if !reflect.DeepEqual(got.Decisions(), want.Decisions()) || !reflect.DeepEqual(got.Mentions(), want.Mentions()) {
				t.Errorf("cut at %d: the state is not that of %d whole entries", cut, wholeEntries)
			}
		}
	})
}

// scripted makes a valid list of entries, one per byte.
func scripted(script []byte) []Entry {
	var entries []Entry
	verdicts := []Verdict{Mask, Keep, Unsure, Common}
	for i, b := range script {
		number := uint64(i + 1)
		entry := Entry{Number: number, At: fixedClock(), Who: "officer"}
		if b >= 0x80 && i > 0 {
			entry.Undo = 1 + uint64(b)%uint64(i)
		} else {
			surface := string(rune('A' + b%7))
			entry.Question, entry.Kind, entry.Surface = QuestionID(KindForm, surface), KindForm, surface
			entry.Verdict = verdicts[b/7%4]
			if b%3 == 0 {
				at := Mention{"p\"\n\u2028" + surface, "body", int(b % 5), 9}
				entry.Mentions = []MentionVerdict{{at, verdicts[b%4]}}
			}
		}
		entries = append(entries, entry)
	}
	return entries
}

// TestHoldsFollowsChainsOfTakingBack compares the replay with a plain model that
// decides from the newest entry backwards what is alive.
func TestHoldsFollowsChainsOfTakingBack(t *testing.T) {
	for seed := range 200 {
		script := make([]byte, 24)
		for i := range script {
			script[i] = byte(seed*31 + i*i*17 + i*seed)
		}
		entries := scripted(script)
		dead := make(map[uint64]bool)
		for i := len(entries) - 1; i >= 0; i-- {
			if e := entries[i]; e.Undo != 0 && !dead[e.Number] {
				dead[e.Undo] = true
			}
		}
		model := make(map[string]Verdict)
		for _, e := range entries {
			if e.Undo == 0 && !dead[e.Number] {
				model[e.Surface] = e.Verdict
			}
		}
		got := make(map[string]Verdict)
		for _, d := range Replay(entries).Decisions() {
			got[d.Surface] = d.Verdict
		}
		if !reflect.DeepEqual(got, model) {
			t.Fatalf("seed %d: got %v, want %v", seed, got, model)
		}
	}
}
