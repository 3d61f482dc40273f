package review

import (
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
)

// shown tells the verdicts of a form's lines, in the order of the page.
func (d *desktop) shown(form string) string {
	d.t.Helper()
	v, ok := d.desk.view(d.number(form), "", choice{course: -1, author: -1, language: -1, detector: -1, thread: -1})
	if !ok {
		return ""
	}
	var all []string
	for _, l := range v.Lines {
		all = append(all, string(l.Verdict))
	}
	return strings.Join(all, " ")
}

func (b *browser) decide(form string, values url.Values) string {
	b.d.t.Helper()
	code, to := b.post("/question/"+strconv.Itoa(b.d.number(form)), values)
	if code != 303 {
		b.d.t.Fatalf("the verdict answers %d", code)
	}
	return to
}

func TestAVerdictIsOneEntryAndSettlesTheQuestion(t *testing.T) {
	for _, verdict := range []ledger.Verdict{ledger.Mask, ledger.Keep, ledger.Common} {
		d := review(t, roses, roster, forum.Options{})
		ada := d.enter("ada")
		before := d.desk.round.open
		if before == 0 {
			t.Fatal("nothing is asked")
		}
		q, _ := d.desk.question(d.desk.round.queue[0])
		if code, _ := ada.post("/question/"+strconv.Itoa(q.number), url.Values{"verdict": {string(verdict)}, "queued": {"1"}}); code != 303 {
			t.Fatalf("answers %d", code)
		}
		entries := d.ledger.Entries()
		if len(entries) != 1 || entries[0].Question != q.ID || entries[0].Verdict != verdict || entries[0].Who != "ada" || entries[0].Surface != q.Surface {
			t.Errorf("%s: the ledger holds %+v", verdict, entries)
		}
		if d.desk.round.open != before-1 {
			t.Errorf("%s: %d questions are open, %d were", verdict, d.desk.round.open, before)
		}
	}
}

func TestUndoAndRedoGoAllTheWayBackAndForth(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	ada := d.enter("ada")
	var states []string
	state := func() string {
		var all []string
		for _, n := range d.desk.round.queue {
			q, _ := d.desk.question(n)
			decision, _ := d.ledger.Decision(q.ID)
			all = append(all, string(decision.Verdict))
		}
		return strings.Join(all, ",") + strconv.Itoa(d.desk.round.open)
	}
	states = append(states, state())
	for i, n := range d.desk.round.queue {
		ada.post("/question/"+strconv.Itoa(n), url.Values{"verdict": {[]string{"mask", "keep", "unsure"}[i%3]}})
		states = append(states, state())
	}
	if len(states) < 3 {
		t.Fatal("too few questions to undo")
	}
	for i := len(states) - 2; i >= 0; i-- {
		ada.post("/undo", nil)
		if got := state(); got != states[i] {
			t.Fatalf("after undoing: %s, want %s", got, states[i])
		}
	}
	for i := 1; i < len(states); i++ {
		ada.post("/redo", nil)
		if got := state(); got != states[i] {
			t.Fatalf("after redoing: %s, want %s", got, states[i])
		}
	}
	if want := 3 * (len(states) - 1); len(d.ledger.Entries()) != want {
		t.Errorf("%d entries, want %d: undoing is an entry", len(d.ledger.Entries()), want)
	}
	ada.post("/undo", nil)
	ada.post("/question/"+strconv.Itoa(d.desk.round.queue[0]), url.Values{"verdict": {"keep"}})
	n := len(d.ledger.Entries())
	if ada.post("/redo", nil); len(d.ledger.Entries()) != n {
		t.Error("a new decision leaves something to redo")
	}
}

func TestUndoTakesBackOnesOwnDecisionOnly(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	ada, bob := d.enter("ada"), d.enter("bob")
	ada.decide("rosa", url.Values{"verdict": {"common"}})
	bob.decide("Gwenvael", url.Values{"verdict": {"mask"}})
	ada.post("/undo", nil)
	if decision, ok := d.ledger.Decision(forum.FormQuestion("rosa")); ok {
		t.Errorf("still decided: %+v", decision)
	}
	if decision, ok := d.ledger.Decision(forum.FormQuestion("Gwenvael")); !ok || decision.Verdict != ledger.Mask {
		t.Error("another reviewer's decision was taken back")
	}
}

func TestHomonymsAreDecidedLineByLine(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	ada := d.enter("ada")
	q, _ := d.desk.question(d.number("Rosa"))
	lines, _, _ := d.desk.round.concordance(&q, choice{course: -1, author: -1, language: -1, detector: -1, thread: -1})
	if len(lines) != 3 {
		t.Fatalf("%d lines", len(lines))
	}
	ada.decide("Rosa", url.Values{"verdict": {"mask"}, "m": {lines[0].Value, lines[1].Value}})
	ada.decide("Rosa", url.Values{"verdict": {"keep"}, "m": {lines[2].Value}})
	if got := d.shown("Rosa"); got != "mask mask keep" {
		t.Errorf("the lines are %s", got)
	}
	for _, e := range d.ledger.Entries() {
		if e.Verdict != "" || e.Question != q.ID {
			t.Errorf("the form itself was decided: %+v", e)
		}
	}
	if q, _ := d.desk.question(q.number); d.desk.asked[q.number].queued && q.state != settled {
		t.Error("every line is decided, and the question is not")
	}
}

func TestAnAddedFormIsMaskedWhereverItStands(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	ada := d.enter("ada")
	if code, _ := ada.post("/add", url.Values{"form": {"  Gwenvael "}, "category": {"first_name"}}); code != 303 {
		t.Fatalf("answers %d", code)
	}
	if got := d.shown("Gwenvael"); got != "mask mask" {
		t.Errorf("its lines are %q", got)
	}
	number := strconv.Itoa(int(d.desk.round.posts.numbers[roses[3].id]))
	if body := ada.get("/thread/" + number + "?show=released"); strings.Contains(body, "Gwenvael est") || !strings.Contains(body, "gwenvael") {
		t.Error("the released thread shows it, or lost what is spelled in small letters")
	}
	d.desk.renew()
	d.await()
	if got := d.shown("Gwenvael"); got != "mask mask" {
		t.Errorf("after the engine was built anew its lines are %q", got)
	}
}

// await waits until the engine that is being built serves.
func (d *desktop) await() {
	for running := true; running; running, _ = d.desk.renewing() {
	}
	if _, failed := d.desk.renewing(); failed {
		d.t.Fatal("building the engine anew failed")
	}
}

// TestThePageAgreesWithTheEngine: what the page shows while people decide is what
// an engine built from the ledger afterwards decides.
func TestThePageAgreesWithTheEngine(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	ada := d.enter("ada")
	for i, n := range d.desk.round.queue {
		ada.post("/question/"+strconv.Itoa(n), url.Values{"verdict": {[]string{"mask", "common"}[i%2]}})
	}
	released := func() string {
		var all strings.Builder
		for n := range d.desk.round.posts.count {
			v, _, err := d.desk.threadView(n, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range v.Posts {
				for _, text := range p.Texts {
					all.WriteString(text.Released + "\n")
				}
			}
		}
		return all.String()
	}
	before := released()
	d.desk.renew()
	d.await()
	if after := released(); after != before {
		t.Errorf("the page shows\n%s\nthe engine\n%s", before, after)
	}
}

// TestNothingIsLostWhenManyAnswerTogether: run with -race.
func TestNothingIsLostWhenManyAnswerTogether(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	const reviewers, each = 6, 12
	queue := slices.Clone(d.desk.round.queue)
	var all sync.WaitGroup
	for i := range reviewers {
		b := d.enter("reviewer " + strconv.Itoa(i))
		all.Go(func() {
			for k := range each {
				b.post("/question/"+strconv.Itoa(queue[k%len(queue)]), url.Values{"verdict": {[]string{"mask", "keep"}[(i+k)%2]}})
				b.get("/")
				b.get("/reviewers")
				b.get("/thread/0?show=changes")
			}
		})
	}
	all.Go(func() { d.desk.renew() })
	all.Wait()
	d.await()
	if n := len(d.ledger.Entries()); n != reviewers*each {
		t.Errorf("%d entries of %d", n, reviewers*each)
	}
	again, err := ledger.Load(d.path)
	if err != nil || again.Len() != reviewers*each {
		t.Errorf("on the disk are %d entries: %v", again.Len(), err)
	}
}

func TestAServerThatIsKilledForgetsNothing(t *testing.T) {
	file := forumFile(t, roses)
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	d := reopen(t, []string{file}, roster, forum.Options{}, path)
	ada := d.enter("ada")
	ada.decide("rosa", url.Values{"verdict": {"common"}})
	ada.decide("Gwenvael", url.Values{"verdict": {"mask"}})
	// Nothing is closed: the next server finds what is on the disk.
	again := reopen(t, []string{file}, roster, forum.Options{}, path)
	for form, want := range map[string]string{"rosa": "keep keep", "Gwenvael": "mask mask"} {
		if got := again.shown(form); got != want {
			t.Errorf("%s: %q, want %q", form, got, want)
		}
	}
	again.enter("ada").post("/undo", nil)
	if decision, ok := again.ledger.Decision(forum.FormQuestion("Gwenvael")); ok {
		t.Errorf("a decision of before cannot be taken back: %+v", decision)
	}
}

func TestConflictsAreShownUntilAThirdLook(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	ada, bob, cleo := d.enter("ada"), d.enter("bob"), d.enter("cleo")
	ada.decide("rosa", url.Values{"verdict": {"common"}})
	bob.decide("rosa", url.Values{"verdict": {"mask"}})
	ada.decide("Rosa", url.Values{"verdict": {"mask"}})
	bob.decide("Rosa", url.Values{"verdict": {"mask"}})
	v := d.desk.reviewers()
	if len(v.Conflicts) != 1 || v.Conflicts[0].Surface != "rosa" || len(v.Conflicts[0].Votes) != 2 {
		t.Fatalf("conflicts: %+v", v.Conflicts)
	}
	if a := v.Agreements; len(a) != 1 || a[0].Both != 2 || a[0].Same != 1 || a[0].Kappa != 0 {
		t.Errorf("agreement: %+v", a)
	}
	cleo.decide("rosa", url.Values{"verdict": {"keep"}})
	if v := d.desk.reviewers(); len(v.Conflicts) != 0 {
		t.Errorf("after a third look: %+v", v.Conflicts)
	}
	if decision, _ := d.ledger.Decision(forum.FormQuestion("rosa")); decision.Verdict != ledger.Keep {
		t.Error("the third look does not hold")
	}
}

func TestTwoReviewersAreNotAskedTheSame(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	if len(d.desk.round.queue) < 2 {
		t.Fatal("too few questions")
	}
	one, _ := d.desk.nextFor(&session{reviewer: "ada", skipped: map[int]bool{}})
	other, _ := d.desk.nextFor(&session{reviewer: "bob", skipped: map[int]bool{}})
	if one == other {
		t.Error("both are asked the same")
	}
	if again, _ := d.desk.nextFor(&session{reviewer: "ada", skipped: map[int]bool{}}); again != one {
		t.Error("a question does not wait for who looks at it")
	}
}

func TestAnEntityIsNamedByIdOrByAFormOfOnePerson(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	ada := d.enter("ada")
	for said, want := range map[string]string{"Zéphyrine": roster[0].Pseudonym.Username(), "Rosa": "Rosa", "F058": "F058"} {
		ada.decide("Gwenvael", url.Values{"verdict": {"mask"}, "entity": {said}, "category": {"first_name"}})
		if decision, _ := d.ledger.Decision(forum.FormQuestion("Gwenvael")); decision.Entity != want || decision.Category != string(detect.FirstName) {
			t.Errorf("%s: %+v", said, decision)
		}
	}
	ada.decide("Rosa", url.Values{"reading": {roster[1].Pseudonym.Username()}})
	if decision, _ := d.ledger.Decision(forum.FormQuestion("Rosa")); decision.Entity != roster[1].Pseudonym.Username() || decision.Verdict != ledger.Mask {
		t.Errorf("a press on a reading: %+v", decision)
	}
	ada.decide("Gwenvael", url.Values{"verdict": {"mask"}, "new": {"1"}})
	first, _ := d.ledger.Decision(forum.FormQuestion("Gwenvael"))
	ada.decide("bonheur", url.Values{"verdict": {"mask"}, "new": {"1"}})
	second, _ := d.ledger.Decision(forum.FormQuestion("bonheur"))
	if first.Entity == "" || first.Entity == second.Entity {
		t.Errorf("new entities are %q and %q", first.Entity, second.Entity)
	}
}

func TestConcordanceSortsAndFilters(t *testing.T) {
	posts := []written{
		{"52ee00000000000000000001", "17", "un", "merci Rosa zut"},
		{"52ee00000000000000000002", "18", "deux", "avec Rosa bien"},
		{"52ee00000000000000000003", "18", "", "dont Rosa mal"},
	}
	d := review(t, posts, roster, forum.Options{})
	everything := choice{course: -1, author: -1, language: -1, detector: -1, thread: -1}
	order := func(change func(*choice)) string {
		c := everything
		change(&c)
		v, _ := d.desk.view(d.number("Rosa"), "", c)
		var all []string
		for _, l := range v.Lines {
			all = append(all, strings.TrimSpace(l.Left))
		}
		return strings.Join(all, " ")
	}
	tests := map[string]struct {
		change func(*choice)
		want   string
	}{
		"left":   {func(c *choice) { c.sort = "left" }, "avec dont merci"},
		"right":  {func(c *choice) { c.sort = "right" }, "avec dont merci"},
		"author": {func(c *choice) { c.author, c.sort = 0, "left" }, "merci"},
		"thread": {func(c *choice) { c.thread, c.sort = 1, "left" }, "avec dont"},
	}
	for name, tt := range tests {
		if got := order(tt.change); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
