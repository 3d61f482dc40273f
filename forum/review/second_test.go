package review

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"anonymooc/forum"
	"anonymooc/forum/ledger"
)

// namesakes are a forum with a dozen questions about first names in small letters.
func namesakes() ([]written, []forum.Person) {
	var posts []written
	var people []forum.Person
	for i := range 12 {
		name := "nomal" + string(rune('a'+i)) + "de"
		posts = append(posts, written{fmt.Sprintf("52ee%020d", i), strconv.Itoa(100 + i), "un", "dont " + name + " est une page"})
		people = append(people, forum.Person{Pseudonym: 1_000_000_000, UserIDs: []string{strconv.Itoa(i)}, FirstNames: []string{name}})
	}
	return posts, people
}

// blindQuestion opens the second look and gives the question it leads to; -1 when
// there is none.
func (b *browser) blindQuestion() int {
	b.d.t.Helper()
	answer := b.d.ask(b.request("/second"))
	n, err := strconv.Atoi(strings.TrimPrefix(answer.Header().Get("Location"), "/second/"))
	if err != nil {
		return -1
	}
	return n
}

// TestTheSecondLookIsBlindAndKappaComesFromItAlone: nothing of the first verdict is
// shown, each question comes once, and agreement that was seen counts for nothing.
func TestTheSecondLookIsBlindAndKappaComesFromItAlone(t *testing.T) {
	posts, people := namesakes()
	d := review(t, posts, people, forum.Options{})
	ada, bob := d.enter("ada"), d.enter("bob")
	if n := bob.blindQuestion(); n != -1 {
		t.Fatal("something is given to a second look though nothing is settled")
	}
	verdicts := map[int]string{}
	for i, n := range d.desk.round.queue {
		verdicts[n] = []string{"mask", "keep"}[i%2]
		ada.post("/question/"+strconv.Itoa(n), url.Values{"verdict": {verdicts[n]}, "entity": {"F058"}, "category": {"first_name"}})
	}
	if len(verdicts) < 12 {
		t.Fatalf("only %d questions", len(verdicts))
	}
	if n := ada.blindQuestion(); n != -1 {
		t.Error("a reviewer is given their own verdict for a second look")
	}
	seen := d.desk.round.queue[0]
	if page := bob.get("/question/" + strconv.Itoa(seen)); !strings.Contains(page, "ada") {
		t.Fatal("the question's own page does not say who decided")
	}
	bob.post("/question/"+strconv.Itoa(seen), url.Values{"verdict": {"keep"}}) // not blindly
	given := map[int]bool{}
	for i := 0; ; i++ {
		n := bob.blindQuestion()
		if n < 0 {
			break
		}
		page := bob.get("/second/" + strconv.Itoa(n))
		_, page, _ = strings.Cut(page, "<main")
		if strings.Contains(page, `class="verdict `) || strings.Contains(page, "ada") || strings.Contains(page, "F058") || n == seen || given[n] {
			t.Fatalf("question %d shows a verdict, was seen before, or comes again", n)
		}
		given[n] = true
		verdict := verdicts[n]
		if i == 4 {
			verdict = map[string]string{"mask": "keep", "keep": "mask"}[verdict]
		}
		if _, to := bob.post("/second/"+strconv.Itoa(n), url.Values{"verdict": {verdict}}); to != "/second" {
			t.Fatalf("the verdict leads to %s", to)
		}
		q, _ := d.desk.question(n)
		if decision, _ := d.ledger.Decision(q.ID); i != 4 && decision.Entity != "F058" {
			t.Error("a second look that agrees forgets whom the form names")
		}
	}
	if len(given) != len(verdicts)-1 {
		t.Errorf("%d questions were given to the second look, want %d", len(given), len(verdicts)-1)
	}
	a := d.desk.reviewers().Agreements
	if len(a) != 1 || a[0].Both != 12 || a[0].Blind != 11 || a[0].Alike != 10 || a[0].Kappa < 0.75 || a[0].Kappa > 0.9 || a[0].Low >= a[0].Kappa || a[0].High <= a[0].Kappa {
		t.Fatalf("agreement: %+v", a)
	}
	if len(d.desk.reviewers().Conflicts) == 0 {
		t.Error("what the second look says otherwise is no conflict")
	}
	// The figures outlive the process, and follow what is taken back.
	again := newJournal(d.ledger.Entries())
	if got := again.agreements(); len(got) != 1 || got[0] != a[0] {
		t.Errorf("read anew: %+v, want %+v", got, a[0])
	}
	_, to := bob.post("/undo", nil)
	if !strings.HasPrefix(to, "/second/") {
		t.Errorf("undoing leads to %s, which shows the verdict", to)
	}
	if b := d.desk.reviewers().Agreements[0]; b.Blind != 10 {
		t.Errorf("after undoing: %+v", b)
	}
}

// TestAVerdictOnWhatWasSeenIsNotBlind: the address of a second look is no way
// around having seen the verdict.
func TestAVerdictOnWhatWasSeenIsNotBlind(t *testing.T) {
	posts, people := namesakes()
	d := review(t, posts, people, forum.Options{})
	ada, bob := d.enter("ada"), d.enter("bob")
	n := strconv.Itoa(d.desk.round.queue[0])
	ada.post("/question/"+n, url.Values{"verdict": {"mask"}})
	bob.get("/question/" + n)
	before := len(d.ledger.Entries())
	bob.post("/second/"+n, url.Values{"verdict": {"mask"}})
	if len(d.ledger.Entries()) != before {
		t.Error("it was taken for blind")
	}
}

// TestSumsFollowEveryEntry: what the journal keeps up to date is what counting
// anew gives, whatever is decided and taken back.
func TestSumsFollowEveryEntry(t *testing.T) {
	var entries []ledger.Entry
	number := uint64(0)
	say := func(e ledger.Entry) {
		number++
		e.Number = number
		entries = append(entries, e)
	}
	for i := range 60 {
		say(ledger.Entry{Who: []string{"ada", "bob", "cleo"}[i%3], Question: strconv.Itoa(i % 7), Kind: ledger.KindForm, Verdict: []ledger.Verdict{ledger.Mask, ledger.Keep, ledger.Unsure, ledger.Common}[i*(i/3)%4], Blind: i%5 == 0})
		if i%4 == 3 {
			say(ledger.Entry{Who: "ada", Undo: number - 1})
		}
		if i%8 == 7 {
			say(ledger.Entry{Who: "ada", Undo: number})
		}
	}
	j := newJournal(entries)
	held, odds := 0, 0
	for _, e := range entries {
		if e.Question != "" && j.holds(e.Number) {
			held++
		}
	}
	for q := range j.votes {
		if conflicting(j.ballots(q)) {
			odds++
		}
	}
	if j.held != held || len(j.agreed.odds) != odds || odds == 0 {
		t.Errorf("%d decisions and %d conflicts are kept, %d and %d counted", j.held, len(j.agreed.odds), held, odds)
	}
	pairs := make(map[pair]tally)
	for q := range j.votes {
		for _, share := range j.alike(q, j.ballots(q)) {
			p := pairs[share.pair]
			if share.blind {
				p.blind[share.one][share.other]++
			} else if p.both++; share.one == share.other {
				p.same++
			}
			pairs[share.pair] = p
		}
	}
	for p, want := range pairs {
		if got := j.agreed.pairs[p]; got == nil || *got != want {
			t.Errorf("%v: %+v are kept, %+v counted", p, got, want)
		}
	}
}

func TestKappaErrorOfAKnownTable(t *testing.T) {
	// Cohen's textbook example: κ = 0.4, p = 0.7, chance 0.5, of 50.
	if got, want := kappaError([2][2]int{{20, 5}, {10, 15}}), math.Sqrt(0.7*0.3/(50*0.25)); math.Abs(got-want) > 1e-9 {
		t.Errorf("%f, want %f", got, want)
	}
}
