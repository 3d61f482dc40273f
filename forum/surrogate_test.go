package forum

import (
	"slices"
	"strings"
	"testing"

	"anonymooc/forum/detect"
)

// manyNames offers names in three scripts and of both genders.
type manyNames struct{}

func (manyNames) Names(c detect.Category) []SurrogateName {
	if c == detect.FirstName {
		return []SurrogateName{{"Bruno", Male}, {"Damien", Male}, {"Solène", Female}, {"Mathilde", Female}, {"Игорь", Male}, {"Тамара", Female}, {"Νίκος", Male}}
	}
	return []SurrogateName{{"Durand", EitherGender}, {"Ющук", EitherGender}, {"Παππάς", EitherGender}}
}

func (manyNames) Gender(key string) Gender {
	switch key {
	case "kelly", "sylvie", "rosa", "роза", "eloise":
		return Female
	case "patrice", "nicolas", "adria", "олег":
		return Male
	}
	return EitherGender
}

func surrogateEngine(t *testing.T, change func(*Options)) *Engine {
	t.Helper()
	options := testOptions(Strict)
	options.Names, options.Styles = manyNames{}, map[detect.Category]Style{}
	for _, c := range detect.Categories() {
		if c.Person() {
			options.Styles[c] = Surrogate
		}
	}
	if change != nil {
		change(&options)
	}
	return engineOf(t, options, nil, testPost{"a", "a", "1", "x"})
}

func TestSurrogatesFollowScriptAndGender(t *testing.T) {
	e := surrogateEngine(t, nil)
	women, men := []string{"Solène", "Mathilde"}, []string{"Bruno", "Damien"}
	for _, tt := range []struct {
		surface  string
		category detect.Category
		entity   detect.EntityID
		want     []string
	}{
		{"Sylvie", detect.FirstName, "", women},
		{"Nicolas", detect.FirstName, "", men},
		{"Роза", detect.FirstName, "", []string{"Тамара"}},
		{"Олег", detect.FirstName, "", []string{"Игорь"}},
		{"Олег Зимин", detect.FullName, "", []string{"Игорь Ющук"}},
		{"Ελένη", detect.FirstName, "", []string{"Νίκος"}}, // no other name in that script
		{"КЕЛЛИ", detect.FirstName, "u1500000001", []string{"ТАМАРА"}},
		{"kel", detect.Nickname, "u1500000001", []string{"solène", "mathilde"}}, // the person's gender, not the nickname's
		{"ยุพา", detect.FirstName, "", []string{""}},
		{"Anна", detect.FirstName, "", []string{""}}, // two scripts in one word
	} {
		name, err := e.style.surrogate(&Finding{Surface: tt.surface, Category: tt.category, Entity: tt.entity, key: "capital:" + tt.surface})
		if err != nil || !slices.Contains(tt.want, name) {
			t.Errorf("%s: %q (%v), want one of %q", tt.surface, name, err, tt.want)
		}
	}
}

func TestOnePersonHasOneSurrogate(t *testing.T) {
	e := surrogateEngine(t, nil)
	seen := make(map[string]bool)
	for _, surface := range []string{"Kelly", "KELLY", "kely", "Kel"} {
		name, err := e.style.surrogate(&Finding{Surface: surface, Category: detect.FirstName, Entity: "u1500000001", key: "capital:" + surface})
		if err != nil {
			t.Fatal(err)
		}
		seen[strings.ToLower(name)] = true
	}
	if len(seen) != 1 {
		t.Errorf("one person is called %d names", len(seen))
	}
}

// TestAccountsHaveNoSurrogate: a mention and a link to a profile stay such.
func TestAccountsHaveNoSurrogate(t *testing.T) {
	e := surrogateEngine(t, nil)
	for text, want := range map[string]string{
		"@rosa tu as vu ?":                   "@u1500000003 tu as vu ?",
		"<a href=\"/u/rosa\">son profil</a>": "<a href=\"/u/u1500000003\">son profil</a>",
	} {
		if got := treat(t, e, "a", text); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestGenderCanBeHidden(t *testing.T) {
	seen := make(map[Gender]bool)
	e := surrogateEngine(t, func(o *Options) { o.HideGender = true })
	for _, surface := range strings.Fields("Sylvie Rosa Kelly Éloïse Sylviane Rosie Rosalba Rosine Lou Zoé Ada Mia") {
		name, err := e.style.surrogate(&Finding{Surface: surface, Category: detect.FirstName, key: "capital:" + surface})
		if err != nil {
			t.Fatal(err)
		}
		for _, offered := range (manyNames{}).Names(detect.FirstName) {
			if offered.Name == name {
				seen[offered.Gender] = true
			}
		}
	}
	if len(seen) != 2 {
		t.Error("the surrogates tell the gender")
	}
}

// TestShippedListsHaveSurrogates in the scripts that participants write in.
func TestShippedListsHaveSurrogates(t *testing.T) {
	options, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	options.Styles = map[detect.Category]Style{detect.FirstName: Surrogate, detect.FullName: Surrogate}
	e := engineOf(t, options, nil, testPost{"a", "a", "1", "x"})
	for _, surface := range []string{"Capucine", "Сергей", "فاطمة", "Ελένη", "דוד", "김민준"} {
		script, _ := scriptOf(surface)
		name, err := e.style.surrogate(&Finding{Surface: surface, Category: detect.FirstName, key: "capital:" + surface})
		if got, ok := scriptOf(name); err != nil || !ok || got != script {
			t.Errorf("%s: %q is in %q, want %s (%v)", surface, name, got, script, err)
		}
	}
	for _, gender := range []Gender{Male, Female} {
		if n := len(e.style.names[surrogateKind{detect.FirstName, "Latin", gender}]); n < 500 {
			t.Errorf("%d first names of gender %d", n, gender)
		}
	}
}

func TestStylesAreReadFromAFile(t *testing.T) {
	styles, hidden, err := ReadStyles(strings.NewReader("# how names are replaced\nfirst_name\tsurrogate\nplace  hyperonym\n\ngender hidden\n"), "styles.txt")
	if err != nil || !hidden || len(styles) != 2 || styles[detect.FirstName] != Surrogate || styles[detect.Place] != Hyperonym {
		t.Errorf("got %v, %v, %v", styles, hidden, err)
	}
	for _, bad := range []string{"first_name", "nonsense mask", "first_name nonsense", "gender kept and hidden", "gender neither"} {
		if _, _, err := ReadStyles(strings.NewReader(bad), "styles.txt"); err == nil || strings.Contains(err.Error(), "nonsense") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
