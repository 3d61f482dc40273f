package forum

import (
	"strings"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
)

// TestAFirstNameTakesItsLastNameAlong: who leaves one of them leaves the person.
func TestAFirstNameTakesItsLastNameAlong(t *testing.T) {
	e := strictEngine(t)
	tests := []struct {
		name, lang, text, find string
		category               detect.Category
		want                   string
	}{
		{"last name", "fr", "ma voisine Albertine Kerbadec est venue", "Albertine", detect.FirstName, "Albertine Kerbadec"},
		{"two words", "fr", "mon ami Albertin Kerbadec Zorbulin aussi", "Albertin", detect.FirstName, "Albertin Kerbadec Zorbulin"},
		{"elision", "it", "mia madre Filomena D'Intinello abita qui", "Filomena", detect.FirstName, "Filomena D'Intinello"},
		{"first name before", "fr", "notre cliente Albertine Kerbadec-Zorbu paie", "Kerbadec-Zorbu", detect.LastName, "Albertine Kerbadec-Zorbu"},
		{"initial", "fr", "mon collège (J. Kerbadec, Auch)", "Kerbadec", detect.LastName, "J. Kerbadec"},
		{"initial behind", "fr", "à vous lire, Albertine K.", "Albertine", detect.FirstName, "Albertine K"},
		{"a small letter behind", "fr", "merci Albertine a. b", "Albertine", detect.FirstName, "Albertine"},
		{"a letter that is a word", "fr", "merci Albertine À demain", "Albertine", detect.FirstName, "Albertine"},
		{"a letter of a list", "fr", "merci Albertine\nB. la suite", "Albertine", detect.FirstName, "Albertine"},
		{"another sentence's end", "fr", "la vitamine C. Albertine le dit", "Albertine", detect.FirstName, "Albertine"},
		{"a comma", "fr", "merci Albertine, Kerbadec est loin", "Albertine", detect.FirstName, "Albertine"},
		{"a sentence", "fr", "merci Albertine. Kerbadec est loin", "Albertine", detect.FirstName, "Albertine"},
		{"a line", "fr", "merci Albertine\nKerbadec est loin", "Albertine", detect.FirstName, "Albertine"},
		{"a word", "fr", "merci Albertine Bonne journée", "Albertine", detect.FirstName, "Albertine"},
		{"a German noun", "de", "Kann Albertine Hausaufgaben schicken", "Albertine", detect.FirstName, "Albertine"},
		{"a town", "fr", "avec Albertine Marseille on verra", "Albertine", detect.FirstName, "Albertine"},
		{"small letters", "fr", "merci Albertine kerbadec", "Albertine", detect.FirstName, "Albertine"},
		{"double last name", "fr", "Madame Kerbadec Zorbulin", "Kerbadec", detect.LastName, "Kerbadec Zorbulin"},
		{"a line, elision", "it", "grazie Filomena\nD'Intinello abita qui", "Filomena", detect.FirstName, "Filomena"},
		{"a link", "fr", "merci Albertine https://Kerbadec.example/a", "Albertine", detect.FirstName, "Albertine"},
		{"a handle before", "fr", "merci @Albertine Kerbadec", "Kerbadec", detect.LastName, "Kerbadec"},
		{"an earlier run's work", "fr", "merci Albertine NPERS", "Albertine", detect.FirstName, "Albertine"},
		{"a title before", "fr", "notre Madame Kerbadec", "Kerbadec", detect.LastName, "Kerbadec"},
		{"a town's", "fr", "à Kerbadec Zorbulin", "Kerbadec", detect.Place, "Kerbadec"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := detect.NewDocument(corpus.Post{}, "body", []byte(tt.text))
			doc.Lang = tt.lang
			at := strings.Index(tt.text, tt.find)
			got := e.wholeNames(doc, []Finding{{Start: at, End: at + len(tt.find), Category: tt.category, Verdict: detect.Mask}})
			if len(got) != 1 || tt.text[got[0].Start:got[0].End] != tt.want {
				t.Fatalf("got %q, want %q", tt.text[got[0].Start:got[0].End], tt.want)
			}
			if f := got[0]; tt.want != tt.find && (f.Surface != tt.want || f.Category != detect.FullName || f.key != "capital:"+keyOf(tt.want)) {
				t.Errorf("%q, %q of category %s", f.Surface, f.key, f.Category)
			}
		})
	}
}

// wholeKept keeps one mention.
type wholeKept ledger.Mention

func (wholeKept) Decision(string) (ledger.Decision, bool) { return ledger.Decision{}, false }
func (wholeKept) Decisions() []ledger.Decision            { return nil }
func (k wholeKept) Mention(m ledger.Mention) (ledger.Verdict, bool) {
	return ledger.Keep, m == ledger.Mention(k)
}

// TestAWholeNameIsKeptByWhoSawIt: what was exported whole and comes back kept stays.
func TestAWholeNameIsKeptByWhoSawIt(t *testing.T) {
	e := strictEngine(t)
	text := "ma voisine Albertine Kerbadec est venue"
	doc := detect.NewDocument(corpus.Post{ID: "p"}, "body", []byte(text))
	doc.Lang = "fr"
	at := strings.Index(text, "Albertine")
	before := e.decisions
	defer func() { e.decisions = before }()
	e.decisions = wholeKept{Post: "p", Field: "body", Start: at, End: at + len("Albertine Kerbadec")}
	got := e.wholeNames(doc, []Finding{{Start: at, End: at + len("Albertine"), Category: detect.FirstName, Verdict: detect.Mask}})
	if len(got) != 1 || text[got[0].Start:got[0].End] != "Albertine" {
		t.Errorf("got %+v", got)
	}
}

// TestWhatAReviewerMasksStaysDecided when it becomes one with what nobody decided.
func TestWhatAReviewerMasksStaysDecided(t *testing.T) {
	got := settleOverlaps([]Finding{
		{Start: 0, End: 9, Verdict: detect.Unsure, Score: 0.6},
		{Start: 5, End: 9, Verdict: detect.Mask, By: ByReviewer, Score: 0.3},
	})
	if len(got) != 1 || got[0].By != ByReviewer || got[0].Verdict != detect.Mask || got[0].Start != 0 {
		t.Errorf("got %+v", got)
	}
}

// TestWhatAReviewerKeepsIsNotTakenAlong: nor is it where the rule masks what stands before it.
func TestWhatAReviewerKeepsIsNotTakenAlong(t *testing.T) {
	e := strictEngine(t)
	text := "ma voisine Albertine Kerbadec est venue"
	doc := detect.NewDocument(corpus.Post{}, "body", []byte(text))
	doc.Lang = "fr"
	first, last := strings.Index(text, "Albertine"), strings.Index(text, "Kerbadec")
	for by, want := range map[Decider]string{ByReviewer: "Albertine", ByRule: "Albertine Kerbadec"} {
		got := e.wholeNames(doc, []Finding{
			{Start: first, End: last - 1, Category: detect.FirstName, Verdict: detect.Mask, Score: 0.9},
			{Start: last, End: last + len("Kerbadec"), Category: detect.LastName, Verdict: detect.Keep, By: by},
		})
		if text[got[0].Start:got[0].End] != want {
			t.Errorf("kept by %s: %q is masked, want %q", by, text[got[0].Start:got[0].End], want)
		}
		if stays := len(got) == 2 && got[1].Verdict == detect.Keep; stays != (by == ByReviewer) {
			t.Errorf("kept by %s: %d findings", by, len(got))
		}
	}
}
