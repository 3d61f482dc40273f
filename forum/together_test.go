package forum

import (
	"slices"
	"testing"
	"time"

	"anonymooc/forum/ledger"
)

// familyPosts spell one last name in several ways, where no sentence begins.
var familyPosts = []testPost{
	{"a", "a", "1", "Selon moi, Lemoall et Lemoall encore."},
	{"b", "b", "2", "Le groupe avec Lemmoal, oui Lemmoal, vient."},
	{"c", "c", "3", "On a vu LEMOALL hier."},
}

// openForms lists the forms of a question, its own first.
func openForms(q *Question) []string {
	forms := []string{q.Surface}
	for _, a := range q.Also {
		forms = append(forms, a.Surface)
	}
	slices.Sort(forms)
	return forms
}

func TestSpellingsOfOneFormAreOneQuestion(t *testing.T) {
	options := testOptions(Reviewed)
	options.Mine = true
	e := engineOf(t, options, nil, familyPosts...)
	plain, err := e.Questions()
	if err != nil {
		t.Fatal(err)
	}
	together := Together(plain)
	if len(together) >= len(plain) {
		t.Fatalf("%d questions became %d", len(plain), len(together))
	}
	at := slices.IndexFunc(together, func(q Question) bool { return len(q.Also) > 0 })
	q := &together[at]
	forms := openForms(q)
	if !slices.Contains(forms, "Lemoall") || !slices.Contains(forms, "Lemmoal") {
		t.Fatalf("asked together: %q", forms)
	}
	mentions := 0
	for i := range plain {
		if slices.Contains(forms, plain[i].Surface) {
			mentions += plain[i].Count
			if q.Score < plain[i].Score {
				t.Errorf("the question's score is below that of one of its forms")
			}
		}
	}
	if q.Count != mentions || len(q.Lines) != mentions {
		t.Errorf("%d mentions with %d lines, want %d", q.Count, len(q.Lines), mentions)
	}

	entry := ledger.Entry{Number: 1, At: time.Unix(1, 0), Who: "ada", Question: q.ID, Kind: q.Kind, Surface: q.Surface, Verdict: ledger.Mask, Also: q.Settles(0)}
	after := engineOf(t, options, ledger.Replay([]ledger.Entry{entry}), familyPosts...)
	left, err := after.Questions()
	if err != nil {
		t.Fatal(err)
	}
	for i := range left {
		if slices.Contains(forms, left[i].Surface) {
			t.Errorf("%q is asked again", left[i].Surface)
		}
	}
	if again := Together(plain); len(again) != len(together) || len(plain[0].Also) > 0 {
		t.Error("putting questions together changed them")
	}
}

// TestWhatIsProposedOtherwiseIsAskedAlone: a capital and a small letter are two
// questions when one looks like a name and the other does not.
func TestWhatIsProposedOtherwiseIsAskedAlone(t *testing.T) {
	line := func(post string) []Line { return []Line{{Post: post, Field: "body", Start: 0, End: 4}} }
	questions := []Question{
		{ID: "1", Kind: ledger.KindForm, Surface: "Rosa", Proposal: "mask", Score: 0.6, Count: 1, Lines: line("p"), family: "rosa"},
		{ID: "2", Kind: ledger.KindForm, Surface: "rosa", Proposal: "keep", Score: 0.2, Count: 1, Lines: line("q"), family: "rosa"},
		{ID: "3", Kind: ledger.KindMention, Surface: "rosa", Proposal: "keep", Score: 0.2, Count: 1, Lines: line("q"), family: "rosa"},
		{ID: "4", Kind: ledger.KindForm, Surface: "Vey", Proposal: "keep", Score: 0.2, Count: 1, Lines: line("q"), family: "vey"},
		{ID: "5", Kind: ledger.KindForm, Surface: "Zed", Proposal: "keep", Score: 0.2, Count: 2, Lines: append(line("q"), line("r")...), family: "zed"},
	}
	together := Together(questions)
	if len(together) != 4 {
		t.Fatalf("%d questions, want 4: %+v", len(together), together)
	}
	for i := range together {
		switch q := &together[i]; {
		case len(q.Also) == 0:
		case slices.Equal(openForms(q), []string{"Vey", "rosa"}) && !q.Also[0].Same:
		default:
			t.Errorf("%q are asked together", openForms(q))
		}
	}
}

func TestAnAnswerOnMentionsSettlesNoOtherForm(t *testing.T) {
	q := Question{ID: "1", Also: []Also{{ID: "2", Kind: ledger.KindForm, Surface: "x"}}}
	if got := q.Settles(1); got != nil {
		t.Errorf("it settles %v", got)
	}
	if got := q.Settles(0); len(got) != 1 || got[0].ID != "2" {
		t.Errorf("it settles %v", got)
	}
}

// TestRareFormsThatAreLikelyNamesAreMaskedUnasked, and frequent ones are asked
// about.
func TestRareFormsThatAreLikelyNamesAreMaskedUnasked(t *testing.T) {
	q := newQueue(strictKeep)
	for id, question := range map[string]*Question{
		"rare":    {Count: 1, risk: 0.4, Kind: ledger.KindCandidate},
		"often":   {Count: 10, risk: 4, Kind: ledger.KindCandidate},
		"doubt":   {Count: 1, risk: 0.8, Kind: ledger.KindForm},
		"mention": {Count: 1, risk: 0.4, Kind: ledger.KindMention},
	} {
		question.ID = id
		q.open[id] = question
	}
	settled := q.settle(0.6)
	if len(settled) != 1 || !settled["rare"] || len(q.open) != 3 {
		t.Errorf("settled %v, open %d", settled, len(q.open))
	}
}
