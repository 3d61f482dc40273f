package ledger

import (
	"os"
	"reflect"
	"testing"

	"anonymooc/idmap"
)

func TestErasingAPersonLeavesNoFormOfTheirs(t *testing.T) {
	l := open(t, newPath(t))
	entity := decide("Zazou", Mask)
	entity.Entity = "u1234567890"
	mustAppend(t, l, decide("Zéphyrine", Mask), decide("zephyrine", Mask), decide("z.brun@example.org", Mask),
		decide("Zéphyrine Brun", Mask), entity, decide("Lyon", Keep), decide("Clara", Mask))
	if err := l.Ask(Asked{ID: "q1", Kind: KindForm, Surface: "Zéphyrine"}, Asked{ID: "q2", Kind: KindForm, Surface: "Rosa"}); err != nil {
		t.Fatal(err)
	}
	if err := l.SetWaiting([]byte("Zéphyrine\n")); err != nil {
		t.Fatal(err)
	}
	said, err := l.Erase(idmap.Person{
		Identifiers: []idmap.Identifier{{Kind: idmap.Email, Value: "z.brun@example.org"}},
		Attributes:  []idmap.Attribute{{Name: "name", Value: "Zéphyrine Brun"}, {Name: "city", Value: "Lyon"}},
		Pseudonyms:  map[string]idmap.Pseudonym{"default": 1234567890},
	})
	if err != nil || said != "ledger: 5 decisions" {
		t.Fatalf("got %q, %v", said, err)
	}
	for _, d := range l.Snapshot().Decisions() {
		if d.Surface != "Lyon" && d.Surface != "Clara" {
			t.Errorf("%s is still decided", d.Surface)
		}
	}
	asked, err := l.Questions()
	if err != nil || asked["q1"].Surface != "" {
		t.Errorf("the question about the form is still there (%v)", err)
	}
	if waiting, err := l.Waiting(); len(waiting) > 0 || err != nil {
		t.Errorf("a question that waits is still there: %q (%v)", waiting, err)
	}
	if again, err := l.Erase(idmap.Person{}); again != "" || err != nil {
		t.Errorf("erasing nobody: %q, %v", again, err)
	}
}

func TestQuestionsAreRememberedUntilTheyAreAnswered(t *testing.T) {
	path := newPath(t)
	l := open(t, path)
	if err := l.Ask(Asked{ID: "q1", Kind: KindForm, Surface: "Rosa"}); err != nil {
		t.Fatal(err)
	}
	if err := l.Ask(Asked{ID: "q2", Kind: KindCandidate, Surface: "Kely"}); err != nil {
		t.Fatal(err)
	}
	written := mustAppend(t, l, decide("Clara", Mask))[0]
	asked, err := open(t, path).Questions()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Asked{"q1": {ID: "q1", Kind: KindForm, Surface: "Rosa"}, "q2": {ID: "q2", Kind: KindCandidate, Surface: "Kely"},
		written.Question: {ID: written.Question, Kind: KindForm, Surface: "Clara"}}
	if !reflect.DeepEqual(asked, want) {
		t.Errorf("got %v, want %v", asked, want)
	}
	info, err := os.Stat(l.askedPath())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v (%v), want 0600", info.Mode(), err)
	}
	if err := os.WriteFile(l.askedPath(), []byte("{\"id\":1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Questions(); err == nil {
		t.Error("a damaged list of questions was read")
	}
}
