package ledger

import (
	"testing"

	"anonymooc/idmap"
)

func TestErasingAPersonLeavesNoFormOfTheirs(t *testing.T) {
	l := open(t, newPath(t))
	entity := decide("Zazou", Mask)
	entity.Entity = "u1234567890"
	mustAppend(t, l, decide("Zéphyrine", Mask), decide("zephyrine", Mask), decide("z.brun@example.org", Mask),
		decide("Zéphyrine Brun", Mask), entity, decide("Lyon", Keep), decide("Clara", Mask))
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
	if again, err := l.Erase(idmap.Person{}); again != "" || err != nil {
		t.Errorf("erasing nobody: %q, %v", again, err)
	}
}
