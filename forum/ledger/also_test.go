package ledger

import (
	"testing"

	"anonymooc/idmap"
)

// together is a decision on a form, a spelling of it and a neighbour.
func together(surface, spelling, neighbour string, verdict Verdict) Entry {
	entry := decide(surface, verdict)
	entry.Category, entry.Entity = "last_name", "u1500000001"
	entry.Also = []Asked{
		{ID: QuestionID(KindForm, spelling), Kind: KindForm, Surface: spelling, Same: true},
		{ID: QuestionID(KindForm, neighbour), Kind: KindForm, Surface: neighbour},
	}
	return entry
}

func TestAnEntryAnswersForFormsAskedAlong(t *testing.T) {
	path := newPath(t)
	l := open(t, path)
	mustAppend(t, l, together("Lemoal", "Lemoall", "Canet", Mask))
	state, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, surface := range []string{"Lemoal", "Lemoall", "Canet"} {
		wantVerdict(t, state, surface, Mask)
	}
	if d, _ := state.Decision(QuestionID(KindForm, "Lemoall")); d.Entity != "u1500000001" {
		t.Errorf("another spelling names %q", d.Entity)
	}
	if d, _ := state.Decision(QuestionID(KindForm, "Canet")); d.Entity != "" || d.Category != "" {
		t.Errorf("a neighbour was taken for the person: %+v", d)
	}
	if got := len(state.Decisions()); got != 3 {
		t.Errorf("%d decisions, want 3", got)
	}
	mustAppend(t, l, decide("Canet", Keep))
	wantVerdict(t, l, "Canet", Keep)
	if _, err := l.Undo(1, "officer"); err != nil {
		t.Fatal(err)
	}
	wantVerdict(t, l, "Lemoall", "")
	wantVerdict(t, l, "Canet", Keep)
}

func TestWhatIsAlsoAnsweredIsAnotherQuestion(t *testing.T) {
	entry := together("Lemoal", "Lemoall", "Canet", Mask)
	entry.Also[0].ID = entry.Question
	if entry.Flaw() == "" {
		t.Error("an entry answers its own question twice")
	}
	entry = together("Lemoal", "Lemoall", "Canet", "")
	entry.Mentions = []MentionVerdict{{Mention{"p", "body", 0, 4}, Mask}}
	if entry.Flaw() == "" {
		t.Error("an entry without a verdict settles other forms")
	}
}

func TestErasingAPersonReachesFormsAskedAlong(t *testing.T) {
	l := open(t, newPath(t))
	mustAppend(t, l, together("Rosa", "Zephyrine", "Canet", Mask))
	said, err := l.Erase(idmap.Person{Attributes: []idmap.Attribute{{Name: "name", Value: "Zéphyrine Brun"}}})
	if err != nil || said != "ledger: 1 decisions" {
		t.Fatalf("got %q, %v", said, err)
	}
}

func TestFormsAskedAlongAreKnownByTheirIds(t *testing.T) {
	l := open(t, newPath(t))
	if err := l.Ask(Asked{ID: "q1", Kind: KindForm, Surface: "Rosa", Also: []Asked{{ID: "q2", Kind: KindCandidate, Surface: "Rossa"}}}); err != nil {
		t.Fatal(err)
	}
	asked, err := l.Questions()
	if err != nil || asked["q2"].Surface != "Rossa" || len(asked["q1"].Also) != 1 {
		t.Errorf("got %v, %v", asked, err)
	}
}
