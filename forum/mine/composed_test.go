package mine

import (
	"slices"
	"strings"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
)

// customs is what an officer wrote.
var customs = Familiar{
	"jose": {"ze", "pepe"}, "maria teresa": {"maite"}, "francisco": {"paco"}, "margaret": {"peggy"}, "aleksandr": {"sasha"},
	"михаил": {"миша"}, "александра": {"саша"}, "dolores": {"lola"},
}

func TestComposedFormsAreTiedToTheKnownOne(t *testing.T) {
	for _, c := range []struct{ known, form, how string }{
		{"Oleguer", "OleguerLI", "glued"},
		{"Laura", "LauraPa", "glued"},
		{"Zoé", "MerciZoé", "glued"},
		{"Nicolas", "nicoooolas", "elongated"},
		{"Federica", "Fede", "cut short"},
		{"Nicodème", "nico", "cut short"},
		{"Gwendoline", "Gwen", "cut short"},
		{"Patrice", "cece", "doubled"},
		{"Clarice", "cece", "doubled"},
		{"José", "Zé", "custom"},
		{"María Teresa", "Maite", "custom"},
		{"Joëlle", "Jojo", "doubled"},
		{"Juan", "Juanito", "familiar"},
		{"Carlos", "Carlinhos", "familiar"},
		{"Pierre", "pierrot", "familiar"},
		{"Blanca", "Blanquita", "familiar"},
		{"Francisco", "Paco", "custom"},
		{"Margaret", "Peggy", "custom"},
		{"Aleksandr", "Sasha", "custom"},
		{"Михаил", "Миша", "custom"},
		{"Александра", "Сашенька", "familiar"},
		{"Dolores", "Lolita", "familiar"},
	} {
		text := "je crois que " + c.form + " l'a fait"
		found := Composed{Familiar: customs}.Mine(read(text), NewCatalogue(firstNames(c.known)))
		at := slices.IndexFunc(found, func(x Candidate) bool { return x.Form == c.form })
		if at < 0 {
			t.Errorf("%s → %s: not found", c.known, c.form)
			continue
		}
		got := found[at]
		if !strings.Contains(got.Evidence[0].What, c.how) || !slices.Equal(got.Entities, []detect.EntityID{detect.EntityID("of " + c.known)}) {
			t.Errorf("%s → %s: got %+v, want %q", c.known, c.form, got, c.how)
		}
	}
}

func TestBeginningsThatManySharePointAtNobody(t *testing.T) {
	names := strings.Fields("Marianne Margaux Marceline Marthe Marguerite Marielle Marcella Marinette Marlène Marjorie")
	if found := (Composed{}).Mine(read("Alors Mar me dit"), NewCatalogue(firstNames(names...))); len(found) != 0 {
		t.Errorf("got %+v, want nothing", found)
	}
}

func TestPlacesHaveNoFamiliarForms(t *testing.T) {
	known := []Known{{"Barcelona", detect.Place, nil}}
	if found := (Composed{}).Mine(read("le Barce et la barcelonita"), NewCatalogue(known)); len(found) != 0 {
		t.Errorf("got %+v, want nothing", found)
	}
}

func TestCapitalsInsideSentencesAreProposed(t *testing.T) {
	texts := []string{"Hier, la belle Reginaldo est venue.", "Pourtant le Chat dort.", "le chat dort", "un chat passe", "mon chat",
		"Demain il viendra.", "le MOOC commence"}
	found := Run(read(texts...), NewCatalogue(firstNames("Zoé")), Capitals{Words: wordList{"chat": true}})
	var forms []string
	for _, c := range found {
		forms = append(forms, c.Form)
	}
	if want := []string{"Reginaldo", "MOOC", "Chat"}; !slices.Equal(forms, want) {
		t.Errorf("got %q, want %q in this order", forms, want)
	}
	german := NewBuilder()
	german.Add(detect.NewDocument(corpus.Post{Lang: "de"}, "body", []byte("und das Haus steht")))
	if found := (Capitals{}).Mine(german.Corpus(), NewCatalogue(nil)); len(found) != 0 {
		t.Errorf("German nouns were proposed: %+v", found)
	}
}

func TestOfficersExpressionsMark(t *testing.T) {
	regular, err := ReadRegular(strings.NewReader("# students\nid\t\\bE[0-9]{7}\\b\n\nusername\t\\b[a-z]{2}[0-9]{4}\\b\n"), "expressions.txt")
	if err != nil {
		t.Fatal(err)
	}
	text := "mon numéro est E1234567, compte ab1234, et `E7654321` en code"
	var got []string
	for _, m := range regular.Detect(detect.NewDocument(corpus.Post{}, "body", []byte(text)), nil) {
		got = append(got, string(m.Category)+" "+text[m.Start:m.End])
	}
	if want := []string{"id E1234567", "username ab1234"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, bad := range []string{"id E[0-9]", "surname\tx", "id\t(", "id\ta*"} {
		if _, err := ReadRegular(strings.NewReader(bad), "expressions.txt"); fault.CodeOf(err) != fault.Usage {
			t.Errorf("%q: got %v, want a usage fault", bad, err)
		}
	}
}

func TestPropagationEndsWhenNothingIsNew(t *testing.T) {
	texts := []string{"merci Clara pour tout", "merci Reginaldo ici", "zut Reginaldo encore", "zut Peimika hier", "voilà Peimica demain", "merci la vie", "zut alors"}
	known := firstNames("Clara")
	capital := func(c Candidate) bool { return capitalised(c.Form) }
	accepted, open := Propagate(read(texts...), known, capital, 8, Lexical{}, &Contextual{})
	got := formsOf(accepted)
	if want := []string{"Peimica", "Peimika", "Reginaldo"}; !slices.Equal(got, want) {
		t.Errorf("accepted %q, want %q: each reveals the next", got, want)
	}
	for _, c := range open {
		if capitalised(c.Form) {
			t.Errorf("%s is left open although it would be accepted", c.Form)
		}
	}
	for rounds, want := range []int{0, 1, 2, 3} {
		if some, _ := Propagate(read(texts...), known, capital, rounds, Lexical{}, &Contextual{}); len(some) != want {
			t.Errorf("%d rounds accept %d, want %d", rounds, len(some), want)
		}
	}
	none, _ := Propagate(read(texts...), known, func(Candidate) bool { return false }, 8, Lexical{}, &Contextual{})
	if len(none) != 0 {
		t.Errorf("accepted %v although nothing was", none)
	}
}

func TestMinersJoinWhatTheySayOfOneForm(t *testing.T) {
	texts := []string{"merci Clara", "merci Claira", "merci bien"}
	both := Run(read(texts...), NewCatalogue(firstNames("Clara")), Lexical{}, &Contextual{}, Capitals{})
	alone := Run(read(texts...), NewCatalogue(firstNames("Clara")), Lexical{})
	if both[0].Form != "Claira" || both[0].Score <= alone[0].Score || both[0].Score >= 1 {
		t.Errorf("got %+v, want Claira above %.2f", both[0], alone[0].Score)
	}
	by := make(map[string]bool)
	for _, e := range both[0].Evidence {
		by[e.By] = true
	}
	if len(by) != 3 {
		t.Errorf("evidence of %v, want that of three miners", by)
	}
}

func TestDictionaryWordsAreBelievedWithACapitalOnly(t *testing.T) {
	words := wordList{"lola": true}
	known := NewCatalogue(firstNames("Dolores"))
	if found := (Composed{Words: words, Familiar: customs}).Mine(read("la lola canta. Lola canta."), known); len(found) != 0 {
		t.Errorf("got %+v, want nothing", found)
	}
	sure := (Composed{Familiar: customs}).Mine(read("ayer Lola canta"), known)
	less := (Composed{Words: words, Familiar: customs}).Mine(read("ayer Lola canta"), known)
	if len(sure) != 1 || len(less) != 1 || less[0].Score >= sure[0].Score {
		t.Errorf("got %+v and %+v, want less trust in the dictionary word", sure, less)
	}
}
