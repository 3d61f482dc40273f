package review

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"anonymooc/forum"
	"anonymooc/forum/ledger"
)

// thanks is a forum in which names stand after "grand merci à", and one of them is
// on no roster.
func thanks() ([]written, []forum.Person) {
	var posts []written
	var people []forum.Person
	for i := range 12 {
		name := []string{"Oksana", "Berthe", "Leocadie", "Firmin", "Gontran", "Hermine"}[i%6]
		posts = append(posts, written{fmt.Sprintf("52ee%020d", i), strconv.Itoa(i % 6), "un", "On voit que grand merci à " + name + " pour la page."})
		if i < 6 {
			people = append(people, forum.Person{Pseudonym: 1_000_000_000, UserIDs: []string{strconv.Itoa(i)}, FirstNames: []string{name}})
		}
	}
	for i := range 3 {
		posts = append(posts, written{fmt.Sprintf("52ef%020d", i), "7", "un", "On voit que grand merci à Zorbalin pour la page."})
	}
	return posts, people
}

// triggers opens the page of contexts and gives the first one's number; -1 when
// there is none.
func (b *browser) trigger() (number int, page string) {
	b.d.t.Helper()
	for end := time.Now().Add(mostWait); time.Now().Before(end); {
		page = b.get("/contexts")
		if !strings.Contains(page, `class="page-preparing"`) {
			break
		}
	}
	_, rest, found := strings.Cut(page, `action="/contexts/`)
	if !found {
		return -1, page
	}
	digits, _, _ := strings.Cut(rest, `"`)
	number, err := strconv.Atoi(digits)
	if err != nil {
		b.d.t.Fatal(err)
	}
	return number, page
}

// TestATriggerContextIsJudgedWithOneKey on its own page and on that of a form that
// it gave away; each is an entry of the ledger that can be taken back.
func TestATriggerContextIsJudgedWithOneKey(t *testing.T) {
	posts, people := thanks()
	d := review(t, posts, people, forum.Options{Mine: true})
	ada := d.enter("ada")
	n, page := ada.trigger()
	if n < 0 {
		t.Fatal("no context is asked about")
	}
	for _, key := range []string{`data-key="m"`, `data-key="k"`, `data-key="x"`, "<bdi>"} {
		if !strings.Contains(page, key) {
			t.Errorf("the page has no %s", key)
		}
	}
	q, _ := d.desk.question(n)
	open := d.desk.open()
	if _, to := ada.post("/contexts/"+strconv.Itoa(n), url.Values{"verdict": {"mask"}}); to != "/contexts" {
		t.Errorf("the verdict leads to %s", to)
	}
	if decision, _ := d.ledger.Decision(q.ID); decision.Kind != ledger.KindContext || decision.Verdict != ledger.Mask || decision.Surface != q.Surface {
		t.Errorf("the ledger says %+v", decision)
	}
	if d.desk.open() != open {
		t.Error("a context is counted among the open questions")
	}
	if again, _ := ada.trigger(); again == n {
		t.Error("a judged context is asked again")
	}
	if answer := d.ask(ada.request("/question/" + strconv.Itoa(n))); answer.Header().Get("Location") != "/contexts/"+strconv.Itoa(n) {
		t.Error("a context's question does not lead to its page")
	}
	ada.post("/undo", nil)
	if _, ok := d.ledger.Decision(q.ID); ok {
		t.Error("it cannot be taken back")
	}
}

func TestAContextAmongTheReasonsIsTrustedFromThere(t *testing.T) {
	posts, people := thanks()
	d := review(t, posts, people, forum.Options{Mine: true})
	ada := d.enter("ada")
	n := d.number("Zorbalin")
	page := ada.get("/question/" + strconv.Itoa(n))
	_, pattern, found := strings.Cut(page, `name="trust" value="`)
	if !found || !strings.Contains(page, `data-key="t"`) {
		t.Fatal("the reasons name no context that can be trusted")
	}
	pattern, _, _ = strings.Cut(pattern, `"`)
	pattern = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#39;", "'").Replace(pattern)
	if _, to := ada.post("/trust/"+strconv.Itoa(n), url.Values{"trust": {pattern}, "queued": {"1"}}); !strings.HasPrefix(to, "/question/"+strconv.Itoa(n)) {
		t.Errorf("it leads to %s", to)
	}
	id := ledger.QuestionID(ledger.KindContext, pattern)
	if decision, _ := d.ledger.Decision(id); decision.Verdict != ledger.Mask || decision.Surface != pattern {
		t.Errorf("the ledger says %+v", decision)
	}
	ada.post("/trust/"+strconv.Itoa(n), url.Values{"reject": {pattern}})
	if decision, _ := d.ledger.Decision(id); !decision.Verdict.Keeps() {
		t.Errorf("rejected, the ledger says %+v", decision)
	}
	before := len(d.ledger.Entries())
	if code, _ := ada.post("/trust/"+strconv.Itoa(n), url.Values{"trust": {"anything …"}}); code != 400 || len(d.ledger.Entries()) != before {
		t.Error("a context that the question does not name is taken")
	}
}

func TestContextsAreKeptForOtherForums(t *testing.T) {
	posts, people := thanks()
	d := review(t, posts, people, forum.Options{Mine: true})
	folder := forum.Folder(t.TempDir())
	d.desk.options.KeepContexts = func(e *forum.Engine) (int, error) { return e.KeepContexts(folder) }
	ada := d.enter("ada")
	if code, to := ada.post("/contexts", nil); code != 303 || to != "/contexts" {
		t.Errorf("keeping answers %d", code)
	}
}
