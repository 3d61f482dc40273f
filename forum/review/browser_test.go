package review

import (
	"context"
	"flag"
	"hash/fnv"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"anonymooc/forum"
	"anonymooc/forum/check"
	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/forum/lists"
	"anonymooc/forum/person"
	"anonymooc/internal/source"
)

var screenshots = flag.Bool("screenshots", false, "write docs/screenshots")

// demo is a review of the bundled export, with everything the program ships.
func demo(t *testing.T) *desktop {
	t.Helper()
	export := filepath.Join("..", "..", "testdata", "export")
	files, err := filepath.Glob(filepath.Join(export, "*", "forum_contents.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the bundled export has no forum: %v", err)
	}
	options, err := forum.Standard()
	if err != nil {
		t.Fatal(err)
	}
	options.Number = func(form string) (uint64, error) {
		digest := fnv.New64a()
		digest.Write([]byte(form))
		return digest.Sum64(), nil
	}
	d := reopen(t, files, everyone(t, export), options, filepath.Join(t.TempDir(), "ledger.jsonl"))
	d.desk.options.People = func() ([]person.Person, error) { return told(files) }
	d.desk.options.Check = tableOf
	d.desk.options.ChooseStyle = forum.Folder(t.TempDir()).ChooseStyle
	return d.serve()
}

// tableOf is the table of replacements, and the trouble in it as far as the table
// itself shows it.
func tableOf(e *forum.Engine) ([]check.Row, []check.Alert, error) {
	rows := make(map[check.Row]bool)
	err := e.Each(func(_ *detect.Document, findings []forum.Finding) {
		for i := range findings {
			f := &findings[i]
			if f.Verdict == detect.Keep {
				continue
			}
			if pseudonym, style, err := e.Replacement(f); err == nil {
				rows[check.Row{Form: f.Surface, Category: f.Category, Entity: f.Entity, Pseudonym: pseudonym, Generic: style == forum.Hyperonym}] = true
			}
		}
	})
	table := slices.Collect(maps.Keys(rows))
	return table, check.Alerts(table, nothingLeft{}), err
}

// nothingLeft says that no pseudonym stands anywhere else.
type nothingLeft struct{}

func (nothingLeft) Left(string) int         { return 0 }
func (nothingLeft) Participant(string) bool { return false }

// told reads the person files of a forum.
func told(files []string) ([]person.Person, error) {
	posts, err := corpus.Open(source.AllOnDisk(files...)...)
	if err != nil {
		return nil, err
	}
	general, err := lists.Open()
	if err != nil {
		return nil, err
	}
	grammars, err := detect.NewShippedESLO(general)
	if err != nil {
		return nil, err
	}
	file, err := person.Read(posts, grammars)
	if err != nil {
		return nil, err
	}
	return file.People(), nil
}

// TestAWholeReviewByKeyboardOnly answers every question of the bundled forum with
// keys, and nothing else.
func TestAWholeReviewByKeyboardOnly(t *testing.T) {
	d := demo(t)
	page := d.surf("ada", 1280, 900)
	asked := d.desk.round.open
	if asked < 10 {
		t.Fatalf("only %d questions", asked)
	}
	for i := 0; d.desk.open() > 0; i++ {
		if i > 3*asked {
			t.Fatalf("%d questions are still open after %d keys", d.desk.open(), i)
		}
		page.turn([]string{"m", "k", "c"}[i%3])
	}
	page.turn("q")
	if heading := page.text("h1"); heading != "Nothing is open" {
		t.Errorf("at the end the page says %q", heading)
	}
	page.turn("z")
	if d.desk.open() != 1 {
		t.Errorf("after undoing %d are open", d.desk.open())
	}
	page.turn("Z")
	if d.desk.open() != 0 {
		t.Errorf("after redoing %d are open", d.desk.open())
	}
	again, err := ledger.Load(d.path)
	if err != nil || len(again.Decisions()) < asked {
		t.Errorf("the ledger holds %d decisions of %d: %v", len(again.Decisions()), asked, err)
	}
}

func TestHomonymsAndAddedFormsByKeyboardOnly(t *testing.T) {
	d := review(t, roses, roster, forum.Options{}).serve()
	page := d.surf("ada", 1280, 900)
	search := func(form string) {
		page.press("/", form)
		page.turn(kb.Enter)
	}
	search("Rosa")
	page.press(kb.ArrowDown)
	page.do(stroke(kb.Enter))
	page.press(" ")
	if n := len(d.ledger.Entries()); n != 0 {
		t.Errorf("Enter on a line wrote %d entries", n)
	}
	page.turn("k")
	if got := d.shown("Rosa"); strings.Count(got, "keep") != 1 {
		t.Errorf("one line was kept, the lines are %q", got)
	}
	search("Gwenvael")
	page.press(kb.ArrowDown)
	page.turn("o")
	page.press("a", "Gwenvael")
	page.turn(kb.Enter)
	if got := d.shown("Gwenvael"); got != "mask mask" {
		t.Errorf("the added form's lines are %q", got)
	}
	page.turn("z")
	if got := d.shown("Gwenvael"); strings.Contains(got, "mask") {
		t.Errorf("taken back, its lines are %q", got)
	}
	search("bonheur")
	page.press("e", "F058")
	page.turn(kb.Enter)
	if decision, _ := d.ledger.Decision(forum.FormQuestion("bonheur")); decision.Entity != "F058" || decision.Verdict != ledger.Mask {
		t.Errorf("the entity was not taken: %+v", decision)
	}
}

// TestAFormThatIsSelectedIsProposedToBeAdded: selecting it fills the field.
func TestAFormThatIsSelectedIsProposedToBeAdded(t *testing.T) {
	d := review(t, roses, roster, forum.Options{}).serve()
	page := d.surf("ada", 1280, 900)
	page.do(chromedp.Navigate(d.server.guard.base+"/thread/3"), chromedp.WaitVisible(chromedp.CSS("#post-3 .raw")))
	selected := read[string](page, `(() => {
		const texts = document.createTreeWalker(document.querySelector("#post-3 .raw"), NodeFilter.SHOW_TEXT);
		for (let node = texts.nextNode(); node; node = texts.nextNode()) {
			const at = node.data.indexOf("Gwenvael");
			if (at < 0) continue;
			document.getSelection().setBaseAndExtent(node, at, node, at + "Gwenvael".length);
			return document.getSelection().toString();
		}
		return "";
	})()`)
	if selected != "Gwenvael" {
		t.Fatalf("%q is selected", selected)
	}
	page.press("a")
	page.turn(kb.Enter)
	if got := d.shown("Gwenvael"); got != "mask mask" {
		t.Errorf("its lines are %q", got)
	}
}

func TestTwoReviewersInTwoBrowsers(t *testing.T) {
	d := review(t, roses, roster, forum.Options{}).serve()
	ada, bob := d.surf("ada", 1280, 900), d.surf("bob", 1280, 900)
	for who, key := range map[*tab]string{ada: "c", bob: "m"} {
		who.press("/", "rosa")
		who.turn(kb.Enter)
		who.turn(key)
	}
	ada.do(chromedp.Navigate(d.server.guard.base + "/reviewers"))
	conflicts := ada.text(".conflicts")
	for _, word := range []string{"rosa", "ada", "bob", "mask", "common word"} {
		if !strings.Contains(conflicts, word) {
			t.Errorf("the conflict does not name %s", word)
		}
	}
}

// TestThePageGoesOnByItself from what it shows while the forum is read to the first
// question, and nobody presses anything.
func TestThePageGoesOnByItself(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	early, err := Listen(d.desk.options, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := (&desktop{t: t, server: early, desk: d.desk, ledger: d.ledger}).serve()
	page := e.surf("ada", 1280, 900)
	if heading := page.text("h1"); heading != "Reading the forum" {
		t.Errorf("at first the page says %q", heading)
	}
	early.Open(d.desk)
	page.do(chromedp.WaitVisible(chromedp.CSS("#form")))
	page.settled("the question did not come")
	page.turn("c")
	if n := len(d.ledger.Entries()); n != 1 {
		t.Errorf("the first key wrote %d entries", n)
	}
}

// TestASecondLookAndContextsByKeyboardOnly: the same keys as in the queue.
func TestASecondLookAndContextsByKeyboardOnly(t *testing.T) {
	posts, people := thanks()
	d := review(t, posts, people, forum.Options{Mine: true}).serve()
	d.enter("bob").decide("Zorbalin", url.Values{"verdict": {"mask"}})
	page := d.surf("ada", 1280, 900)
	page.do(chromedp.Navigate(d.server.guard.base+"/second"), chromedp.WaitVisible(chromedp.CSS("#form")))
	page.settled("the second look did not open")
	page.turn("k")
	last := func() ledger.Entry {
		entries := d.ledger.Entries()
		return entries[len(entries)-1]
	}
	if e := last(); !e.Blind || e.Verdict != ledger.Keep || e.Who != "ada" {
		t.Errorf("the ledger holds %+v", e)
	}
	page.do(chromedp.Navigate(d.server.guard.base + "/contexts"))
	page.ready()
	page.turn("m")
	if e := last(); e.Kind != ledger.KindContext || e.Verdict != ledger.Mask {
		t.Errorf("the ledger holds %+v", e)
	}
	page.turn("z")
	if e := last(); e.Undo == 0 {
		t.Errorf("the ledger holds %+v", e)
	}
	page.press("/", "Zorbalin")
	page.turn(kb.Enter)
	page.turn("t")
	if e := last(); e.Kind != ledger.KindContext || e.Verdict != ledger.Mask {
		t.Errorf("the ledger holds %+v", e)
	}
}

func TestAPageThatNobodyUsesLocksItself(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	d.desk.options.Idle = time.Second // what the page is told; the server waits longer
	page := d.serve().surf("ada", 1280, 900)
	page.do(chromedp.WaitVisible(chromedp.CSS("body.locked")))
	if text := page.text("body"); strings.Contains(text, "rosa") || !strings.Contains(text, "locked") {
		t.Error("the locked page shows a form, or does not say that it is locked")
	}
}

// TestInvariant10HostilePostsStayText: nothing of a post runs, loads or becomes an
// element, and a post of ten million bytes does not hold the page up.
func TestInvariant10HostilePostsStayText(t *testing.T) {
	posts := []written{
		{"52ee00000000000000000001", "17", "<img src=x onerror=\"document.title='broken'\">", "<script>document.title='broken'</script> merci Rosa \u202e Rosa evil\u202c <svg onload=alert(1)> javascript:alert(1)"},
		{"52ee00000000000000000002", "18", "", "merci Rosa " + strings.Repeat("la page est belle. ", 10<<20/19)},
	}
	d := review(t, posts, roster, forum.Options{}).serve()
	page := d.surf("ada", 1280, 900)
	page.press("/", "Rosa")
	page.turn(kb.Enter)
	page.press(kb.ArrowDown)
	page.turn("o")
	title, text := read[string](page, "document.title"), page.text("main")
	elements := read[int](page, `document.querySelectorAll("main script, main img, main svg, main iframe").length`)
	if strings.Contains(title, "broken") || elements != 0 || !strings.Contains(text, "<script>document.title='broken'</script>") {
		t.Errorf("title %q, %d elements of a post", title, elements)
	}
	if !read[bool](page, `(() => { try { document.body.innerHTML = "<b>x</b>"; return false } catch { return true } })()`) {
		t.Error("a string can become markup")
	}
}

// TestScreenshots takes the pictures of the documentation: every page in light and
// dark, and the first ones in French and in a narrow window.
func TestScreenshots(t *testing.T) {
	if !*screenshots {
		t.Skip("writes docs/screenshots: go test ./forum/review -run Screenshots -screenshots")
	}
	folder := filepath.Join("..", "..", "docs", "screenshots")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []camera{{"", "light", "en", 1440}, {"-dark", "dark", "en", 1440}, {"-fr", "light", "fr", 1440}, {"-narrow", "light", "en", 480}} {
		d := demo(t)
		bob := d.enter("bob")
		for i, n := range d.desk.round.queue[len(d.desk.round.queue)*3/5:] {
			bob.post("/question/"+strconv.Itoa(n), url.Values{"verdict": {[]string{"mask", "keep"}[i%2]}})
		}
		c.shoot(t, d, folder)
	}
}

// camera is how pictures are taken.
type camera struct {
	suffix, scheme, language string
	width                    int
}

func (c camera) shoot(t *testing.T, d *desktop, folder string) {
	page := d.surf("ada", c.width, 900)
	page.scheme(c.scheme)
	// A headless window has a least width: the page is told its own.
	page.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(c.width), Height: 900, DeviceScaleFactor: 1})
		return err
	}))
	shoot := func(what string) {
		ctx, cancel := context.WithTimeout(page.ctx, mostWait)
		defer cancel()
		picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, what+c.suffix+".png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	visit := func(path string) {
		page.do(chromedp.Navigate(d.server.guard.base+path), chromedp.WaitVisible(chromedp.CSS("main")))
		page.ready()
	}
	if c.language == "fr" {
		read[string](page, `document.body.dataset.old = "1"`)
		read[bool](page, `document.querySelector("button[value=fr]").click() ?? true`)
		page.settled("the language did not change")
	}
	page.turn("c")
	shoot("queue")
	if c.language == "fr" || c.width < 1000 {
		return
	}
	page.press(kb.ArrowDown, " ", kb.ArrowDown)
	shoot("selection")
	visit("/")
	for _, key := range []string{"m", "k", "m", "k"} {
		page.turn(key)
	}
	for path, name := range map[string]string{
		"thread/12?show=marks": "thread", "thread/12?show=changes": "changes", "replacements": "replacements", "contexts": "contexts", "second": "second",
		"overview": "overview", "recheck": "recheck", "people": "people", "people/0": "person", "reviewers": "reviewers", "keys": "keys",
	} {
		visit("/" + path)
		shoot(name)
	}
}

// ready waits until the page is no longer one that says that another is made.
func (b *tab) ready() {
	b.t.Helper()
	for end := time.Now().Add(mostWait); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if !read[bool](b, `document.readyState !== "complete" || document.body.classList.contains("page-preparing")`) {
			return
		}
	}
	b.t.Fatal("the page is never made")
}

// scheme makes the page light or dark.
func (b *tab) scheme(name string) {
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}},
		})
		return err
	}))
}
