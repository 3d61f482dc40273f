package review

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"anonymooc/forum"
	"anonymooc/forum/ledger"
)

// spellings is a forum that spells one last name in several ways.
var spellings = []written{
	{"52ee00000000000000000001", "17", "", "Selon moi, Lemoall et Lemoall encore."},
	{"52ee00000000000000000002", "18", "", "Le groupe avec Lemmoal, oui Lemmoal, vient."},
	{"52ee00000000000000000003", "19", "", "On a vu LEMOALL hier."},
}

// spelled is on the roster, and writes nothing.
var spelled = []forum.Person{{Pseudonym: 1_000_000_099, UserIDs: []string{"99"}, Usernames: []string{"ylm"}, FirstNames: []string{"Yann"}, LastNames: []string{"Lemoal"}}}

// jointQuestion gives the question about several spellings, and one of the others.
func jointQuestion(t *testing.T, d *desktop) (q question, other forum.Also) {
	t.Helper()
	for _, n := range d.desk.round.queue {
		if q, _ := d.desk.question(n); len(q.Also) > 0 {
			return q, q.Also[0]
		}
	}
	t.Fatal("no question is about several spellings")
	return q, other
}

// TestOneVerdictSettlesAllSpellings: they are shown together, one entry answers
// for all of them, and undoing opens them again.
func TestOneVerdictSettlesAllSpellings(t *testing.T) {
	d := review(t, spellings, spelled, forum.Options{Mine: true})
	q, other := jointQuestion(t, d)
	ada := d.enter("ada")
	page := ada.get("/question/" + strconv.Itoa(q.number))
	for _, form := range []string{q.Surface, other.Surface} {
		if !strings.Contains(page, "<bdi>"+form+"</bdi></mark>") {
			t.Errorf("the lines do not show %q", form)
		}
	}
	before := d.desk.open()
	ada.post("/question/"+strconv.Itoa(q.number), url.Values{"verdict": {"mask"}})
	if d.desk.open() != before-1 || len(d.ledger.Entries()) != 1 {
		t.Errorf("%d of %d questions are open, the ledger holds %d entries", d.desk.open(), before, len(d.ledger.Entries()))
	}
	if decision, _ := d.ledger.Decision(other.ID); decision.Verdict != ledger.Mask {
		t.Errorf("%q is not settled: %+v", other.Surface, decision)
	}
	if got := d.shown(other.Surface); strings.Trim(got, "mask ") != "" {
		t.Errorf("the lines of %q are %q", other.Surface, got)
	}
	ada.post("/undo", nil)
	if _, ok := d.ledger.Decision(other.ID); ok || d.desk.open() != before {
		t.Error("taken back, a spelling is still settled")
	}
}

// TestASpellingThatWasToldApartStaysSo whatever is said of the others afterwards.
func TestASpellingThatWasToldApartStaysSo(t *testing.T) {
	d := review(t, spellings, spelled, forum.Options{Mine: true})
	q, other := jointQuestion(t, d)
	ada, bob := d.enter("ada"), d.enter("bob")
	open := d.desk.open()
	ada.decide(other.Surface, url.Values{"verdict": {"keep"}})
	if d.desk.open() != open {
		t.Error("the question counts as settled though its own form is not")
	}
	bob.post("/question/"+strconv.Itoa(q.number), url.Values{"verdict": {"mask"}})
	if decision, _ := d.ledger.Decision(other.ID); decision.Verdict != ledger.Keep {
		t.Errorf("%q was overruled: %+v", other.Surface, decision)
	}
	if d.desk.open() != open-1 {
		t.Errorf("%d of %d questions are open", d.desk.open(), open)
	}
	// A later change of mind about all reaches those that were never told apart.
	bob.post("/question/"+strconv.Itoa(q.number), url.Values{"verdict": {"common"}})
	for _, a := range q.Also[1:] {
		if decision, _ := d.ledger.Decision(a.ID); decision.Verdict != ledger.Common {
			t.Errorf("%q: %+v", a.Surface, decision)
		}
	}
	if conflicts := d.desk.reviewers().Conflicts; len(conflicts) != 0 {
		t.Errorf("two forms with two verdicts are no conflict: %+v", conflicts)
	}
}

// TestSelectedLinesOfAnotherSpelling are answered for alone.
func TestSelectedLinesOfAnotherSpelling(t *testing.T) {
	d := review(t, spellings, spelled, forum.Options{Mine: true})
	q, other := jointQuestion(t, d)
	ada := d.enter("ada")
	v, _ := d.desk.view(q.number, "ada", choice{course: -1, author: -1, language: -1, detector: -1, thread: -1})
	at := slices.IndexFunc(v.Lines, func(l line) bool { return l.Match == other.Surface })
	if at < 0 || v.Total != q.Count {
		t.Fatalf("%d lines of %d, none of %q", v.Total, q.Count, other.Surface)
	}
	ada.post("/question/"+strconv.Itoa(q.number), url.Values{"verdict": {"keep"}, "m": {v.Lines[at].Value}})
	after, _ := d.desk.view(q.number, "ada", choice{course: -1, author: -1, language: -1, detector: -1, thread: -1})
	for i := range after.Lines {
		if want := i == at; (after.Lines[i].Verdict == "keep") != want {
			t.Errorf("line %d is %s", i, after.Lines[i].Verdict)
		}
	}
}
