package idmap

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allRecords is everything the data file holds, unsealed.
func allRecords(t *testing.T, m *Map) []byte {
	t.Helper()
	var all []byte
	if err := m.file.each(m.file.frames, m.file.length, func(payload []byte) error {
		all = append(all, payload...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

type fakeEraser struct {
	got  []Person
	fail error
}

func (f *fakeEraser) Erase(p Person) (string, error) {
	f.got = append(f.got, p)
	return "ledger: 2 decisions", f.fail
}

func TestForgottenPersonIsGoneForGood(t *testing.T) {
	m, dir := newTestMap(t)
	d, other := testDomain(t, m, "project"), testDomain(t, m, "another project")
	claim(t, d, userID(17), named("marie.durand"), mailed("marie@example.org"))
	claim(t, d, userID(18), named("someone"))
	settle(t, d)
	if err := d.Describe(userID(17), Attribute{"city", "Grenoble"}); err != nil {
		t.Fatal(err)
	}
	old := person(t, d, userID(17))
	there := person(t, other, named("Marie.Durand")) // the other project knows the username only
	resolver := d.Resolver()
	if _, err := resolver.Person(UserID, []byte("17")); err != nil {
		t.Fatal(err)
	}
	if err := m.Commit(); err != nil {
		t.Fatal(err)
	}

	eraser := &fakeEraser{}
	erasure, err := m.Forget([]Identifier{mailed("MARIE@example.org"), userID(99)}, "asked by letter", eraser)
	if err != nil {
		t.Fatal(err)
	}
	if erasure.People != 1 || erasure.Unknown != 1 || erasure.Domains["project"] != 1 || erasure.Domains["another project"] != 1 ||
		erasure.Identifiers[Username] != 1 || !slices.Equal(erasure.Erased, []string{"ledger: 2 decisions"}) {
		t.Errorf("the record says %+v", erasure)
	}
	if len(eraser.got) != 1 || len(eraser.got[0].Identifiers) != 4 || eraser.got[0].Pseudonyms["another project"] != there {
		t.Errorf("the eraser was given %+v", eraser.got) // two spellings of the username
	}
	if _, err := resolver.Person(UserID, []byte("17")); !errors.Is(err, ErrForgotten) {
		t.Errorf("a resolver remembers: %v", err)
	}

	m = reopen(t, m)
	d = testDomain(t, m, "project")
	third := testDomain(t, m, "made later")
	for _, domain := range []*Domain{d, testDomain(t, m, "another project"), third} {
		r := domain.Resolver()
		for _, id := range []Identifier{userID(17), named("marie.durand"), mailed("marie@example.org")} {
			if _, err := r.Person(id.Kind, []byte(id.Value)); !errors.Is(err, ErrForgotten) {
				t.Errorf("%s: %s: %v, want ErrForgotten", domain.Name(), id.Kind, err)
			}
			if p, known := r.Known(id.Kind, []byte(id.Value)); !known || p != Nobody || !r.Forgotten(id.Kind, []byte(id.Value)) {
				t.Errorf("%s: %s is known as %d, %v: it would be left in other people's lines", domain.Name(), id.Kind, p, known)
			}
		}
	}
	for _, trace := range []string{"marie", "durand", "Marie", "Grenoble"} {
		if bytes.Contains(allRecords(t, m), []byte(trace)) {
			t.Errorf("the file still holds %q", trace)
		}
		for _, name := range []string{erasureName, auditName} {
			if content, _ := os.ReadFile(filepath.Join(dir, name)); bytes.Contains(content, []byte(trace)) {
				t.Errorf("%s holds %q", name, trace)
			}
		}
	}
	if !m.isTaken(uint32(old)) || !m.isTaken(uint32(there)) {
		t.Error("the pseudonyms could be drawn again")
	}
	content, _ := os.ReadFile(filepath.Join(dir, erasureName))
	var record Erasure
	if err := json.Unmarshal(bytes.TrimSpace(content), &record); err != nil || record.Reason != "asked by letter" {
		t.Errorf("record %s: %v", content, err)
	}
	if _, known := d.Resolver().Known(UserID, []byte("18")); !known {
		t.Error("somebody else was forgotten too")
	}
}

func TestLaterExportDoesNotBringAForgottenPersonBack(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	claim(t, d, userID(17), named("marie"))
	settle(t, d)
	person(t, d, named("loner")) // without a user id so far
	claim(t, d, userID(30), mailed("living@example.org"))
	settle(t, d)
	if _, err := m.Forget([]Identifier{userID(17), named("loner")}, ""); err != nil {
		t.Fatal(err)
	}
	claim(t, d, userID(17), named("marie"), mailed("new@example.org"))
	claim(t, d, userID(31), named("loner"))
	claim(t, d, userID(32), named("marie")) // took over the name: living, the name stays erased
	claim(t, d, userID(17), mailed("living@example.org"))
	conflicts := settle(t, d)
	m = reopen(t, m)
	r := testDomain(t, m, "project").Resolver()
	for _, id := range []Identifier{userID(17), named("marie"), mailed("new@example.org"), userID(31), named("loner")} {
		if _, err := r.Person(id.Kind, []byte(id.Value)); !errors.Is(err, ErrForgotten) {
			t.Errorf("%s %s: %v", id.Kind, id.Value, err)
		}
	}
	for _, id := range []Identifier{userID(32), userID(30), mailed("living@example.org")} {
		if _, known := r.Known(id.Kind, []byte(id.Value)); !known {
			t.Errorf("%s %s is not known", id.Kind, id.Value)
		}
	}
	if conflicts.Count(Erased) != 2 {
		t.Errorf("conflicts %+v, want 2 erased", conflicts)
	}
	if bytes.Contains(allRecords(t, m), []byte("new@example.org")) {
		t.Error("an identifier of a forgotten person was stored")
	}
}

func TestOrphanIsOneTimeAndLeadsNowhere(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	old := person(t, d, userID(17))
	if _, err := m.Forget([]Identifier{userID(17)}, ""); err != nil {
		t.Fatal(err)
	}
	orphan := func(m *Map) Pseudonym {
		p, err := testDomain(t, m, "project").Resolver().Orphan(UserID, []byte("17"))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := orphan(m)
	if first != orphan(m) || first == old {
		t.Error("an orphan is equal within a run and never the old pseudonym")
	}
	m = reopen(t, m)
	if orphan(m) == first {
		t.Error("an orphan outlived its run")
	}
	if !m.isTaken(uint32(first)) {
		t.Error("an orphan's number could be drawn again")
	}
}

func TestForgetStopsWhereAnEraserFails(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	person(t, d, userID(17))
	failing := errors.New("the ledger is locked")
	if _, err := m.Forget([]Identifier{userID(17)}, "", &fakeEraser{fail: failing}); !errors.Is(err, failing) {
		t.Fatalf("%v, want the eraser's error", err)
	}
	if _, known := reopenedResolver(t, m).Known(UserID, []byte("17")); !known {
		t.Error("the person was erased though the ledger was not")
	}
}

func reopenedResolver(t *testing.T, m *Map) *Resolver {
	return testDomain(t, reopen(t, m), "project").Resolver()
}

func TestForgetAsksForTheUserIDWhereDomainsDisagree(t *testing.T) {
	m, _ := newTestMap(t)
	a, b := testDomain(t, m, "a"), testDomain(t, m, "b")
	claim(t, a, userID(1), named("shared"))
	claim(t, b, userID(2), named("shared"))
	settle(t, a)
	settle(t, b)
	_, err := m.Forget([]Identifier{named("shared")}, "")
	wantFault(t, err, "different persons")
	if _, err := m.Forget([]Identifier{userID(2)}, ""); err != nil {
		t.Fatal(err)
	}
	if _, known := a.Resolver().Known(Username, []byte("shared")); !known {
		t.Error("the other person's name was forgotten with the one who shared it")
	}
	if _, known := a.Resolver().Known(UserID, []byte("1")); !known {
		t.Error("the wrong person was forgotten")
	}
	_, err = m.Forget([]Identifier{named("unheard of")}, "")
	wantFault(t, err, "knows nobody")
}

func TestAuditComesFirstAndItsChainHolds(t *testing.T) {
	m, dir := newTestMap(t)
	m.options.Purpose = "test"
	d := testDomain(t, m, "project")
	claim(t, d, userID(1), mailed("marie@example.org"))
	settle(t, d)
	entries, err := d.Lookup(mailed("marie@example.org"), userID(77))
	if err != nil || len(entries) != 1 || len(entries[0].Identifiers) != 2 {
		t.Fatalf("%+v, %v", entries, err)
	}
	if back, err := d.LookupPseudonyms(entries[0].Pseudonym); err != nil || len(back) != 1 {
		t.Fatalf("%+v, %v", back, err)
	}
	exported := 0
	if err := d.Export(func(Entry) error { exported++; return nil }); err != nil || exported != 1 {
		t.Fatalf("%d, %v", exported, err)
	}
	m = reopen(t, m)
	report, err := m.ReadAudit()
	if err != nil {
		t.Fatal(err)
	}
	var actions []string
	for _, e := range report.Entries {
		actions = append(actions, e.Action)
	}
	if want := []string{"create", "lookup", "lookup pseudonyms", "export", "open"}; !slices.Equal(actions, want) {
		t.Errorf("actions %q, want %q", actions, want)
	}
	if e := report.Entries[1]; e.Count != 2 || e.Kinds[Email] != 1 || e.Domain != "project" || e.Purpose != "test" || e.By == "" {
		t.Errorf("entry %+v", e)
	}
	if len(report.Broken) != 0 || report.Cut {
		t.Errorf("the chain does not hold: %+v", report)
	}
	path := filepath.Join(dir, auditName)
	content, _ := os.ReadFile(path)
	if strings.Contains(string(content), "marie") {
		t.Error("the audit names someone")
	}
	for name, change := range map[string]string{
		"changed":   strings.Replace(string(content), `"count":2`, `"count":1`, 1),
		"taken out": strings.Join(slices.Delete(strings.SplitAfter(string(content), "\n"), 1, 2), ""),
		"cut":       string(content[:len(content)-20]),
	} {
		os.WriteFile(path, []byte(change), 0o600)
		if report, err := m.ReadAudit(); err != nil || len(report.Broken) == 0 {
			t.Errorf("%s: not noticed: %+v, %v", name, report, err)
		}
	}
	lines := strings.SplitAfter(string(content), "\n")
	os.WriteFile(path, []byte(strings.Join(lines[:2], "")), 0o600)
	if report, err := m.ReadAudit(); err != nil || !report.Cut {
		t.Errorf("the missing end was not noticed: %+v, %v", report, err)
	}
	os.Remove(path)
	os.Mkdir(path, 0o700) // the audit cannot be written: no answer
	if entries, err := d.Lookup(userID(1)); err == nil || entries != nil {
		t.Error("an answer was given without its audit entry")
	}
}

func TestCrosswalkPairsPeopleByUserIDFirst(t *testing.T) {
	m, _ := newTestMap(t)
	a, b := testDomain(t, m, "a"), testDomain(t, m, "b")
	claim(t, a, userID(1), named("one"))
	claim(t, a, userID(2), named("two"), mailed("two@example.org"))
	claim(t, a, userID(3), named("only here"))
	claim(t, b, userID(1), named("renamed"), mailed("two@example.org")) // an address that moved
	settle(t, a)
	settle(t, b)
	two := person(t, b, named("two")) // met in a log of b, without a user id
	got := map[Pseudonym]Pseudonym{}
	if err := a.Crosswalk(b, func(here, there Pseudonym) error { got[here] = there; return nil }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[person(t, a, userID(1))] != person(t, b, userID(1)) || got[person(t, a, userID(2))] != two {
		t.Errorf("pairs %v", got)
	}
}
