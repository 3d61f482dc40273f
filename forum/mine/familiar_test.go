package mine

import (
	"slices"
	"strings"
	"testing"

	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
	"anonymooc/internal/fault"
)

func TestFamiliarFormsAreRead(t *testing.T) {
	familiar, err := ReadFamiliar(strings.NewReader("# here\n\nJosé: Pepe Zé\nMaría Teresa/Marie-Thérèse: Maite\n"), "familiar.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{"josé": {"pepe", "ze"}, "María Teresa": {"maite"}, "Marie-Thérèse": {"maite"}, "Teresa": nil} {
		if got := familiar.of(name); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for _, bad := range []string{"José", "José:", ": Pepe", "José/: Pepe"} {
		if _, err := ReadFamiliar(strings.NewReader("\n"+bad), "familiar.txt"); fault.CodeOf(err) != fault.Usage || !strings.Contains(err.Error(), "line 2") || strings.Contains(err.Error(), "Pepe") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestTheOfficersFamiliarFormsAreAdded(t *testing.T) {
	shipped := Familiar{"jose": {"Pepe Zé"}}
	both := shipped.With(Familiar{"jose": {"Pepón Pepe"}, "zoe": {"Zozo"}})
	if got := both.of("José"); !slices.Equal(got, []string{"pepe", "ze", "pepon"}) {
		t.Errorf("got %q", got)
	}
	if got := both.of("Zoé"); !slices.Equal(got, []string{"zozo"}) {
		t.Errorf("got %q", got)
	}
	if len(shipped) != 1 || len(shipped["jose"]) != 1 {
		t.Errorf("the shipped list was changed: %q", shipped)
	}
}

func TestShippedFamiliarFormsTieToTheirNames(t *testing.T) {
	familiar, err := ShippedFamiliar()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ known, form string }{
		{"Emmanuel", "Manu"}, {"Élisabeth", "Babeth"}, {"Alexandre", "Sacha"}, {"José", "Pepe"}, {"Francesc", "Cesc"}, {"Giuseppe", "Beppe"},
		{"Luís", "Lula"}, {"William", "Bill"}, {"Margaret", "Peggy"}, {"Johannes", "Hannes"}, {"José Luis", "Joselu"}, {"Jean-François", "Jef"},
	} {
		found := Composed{Familiar: familiar}.Mine(read("je crois que "+c.form+" l'a fait"), NewCatalogue(firstNames(c.known)))
		at := slices.IndexFunc(found, func(x Candidate) bool { return x.Form == c.form })
		if at < 0 || !slices.Equal(found[at].Entities, []detect.EntityID{detect.EntityID("of " + c.known)}) {
			t.Errorf("%s → %s: got %+v", c.known, c.form, found)
		}
	}
}

// Every line of the list names somebody, and no form stands twice or is the name.
func TestTheShippedListIsInOrder(t *testing.T) {
	number := 0
	for line := range strings.Lines(lists.Familiar) {
		number++
		called, forms, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		var keys []string
		for variant := range strings.SplitSeq(called, "/") {
			keys = append(keys, strings.Join(keysOf(variant), " "))
		}
		for form := range strings.FieldsSeq(forms) {
			words := keysOf(form)
			if len(words) != 1 || slices.Contains(keys, words[0]) {
				t.Errorf("line %d: %q", number, form)
				continue
			}
			keys = append(keys, words[0])
		}
	}
}

func TestLastNamesAndTwoSmallLettersAreDoubted(t *testing.T) {
	customs := Familiar{"martin": {"Tincho Tn"}}
	text := "ayer Tincho y tn llegaron"
	first := Composed{Familiar: customs}.Mine(read(text), NewCatalogue(firstNames("Martín")))
	last := Composed{Familiar: customs}.Mine(read(text), NewCatalogue([]Known{{"Martín", detect.LastName, []detect.EntityID{"of Martín"}}}))
	if len(first) != 1 || len(last) != 1 || last[0].Score >= first[0].Score {
		t.Errorf("got %+v of a first name and %+v of a last name, want Tincho of both, less of the last name", first, last)
	}
}
