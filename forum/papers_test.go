package forum

import (
	"slices"
	"strings"
	"testing"
)

// TestFormsThatThePapersMethodMissed: the seven forms that a reader found in
// "Nomades" after the method had been applied (Reffay et al. 2012, section 7).
// None is left without a question or a replacement, Reginaldo included, whom the
// paper's two techniques cannot find.
func TestFormsThatThePapersMethodMissed(t *testing.T) {
	roster := []Person{
		{Pseudonym: 1500000001, UserIDs: []string{"1"}, FirstNames: []string{"Oleguer"}},
		{Pseudonym: 1500000002, UserIDs: []string{"2"}, FirstNames: []string{"Laura"}},
		{Pseudonym: 1500000003, UserIDs: []string{"3"}, FirstNames: []string{"Patrizia"}, LastNames: []string{"Monemurro"}},
		{Pseudonym: 1500000004, UserIDs: []string{"4"}, FirstNames: []string{"Carla"}, LastNames: []string{"Martins"}},
		{Pseudonym: 1500000005, UserIDs: []string{"5"}, FirstNames: []string{"Peimika"}},
		{Pseudonym: 1500000006, UserIDs: []string{"6"}, FirstNames: []string{"Cleia"}},
	}
	texts := map[string]string{
		"OleguerLI":   "Je suis d'accord avec OleguerLI sur ce point.",
		"P_Monemurro": "La réponse de P_Monemurro est juste.",
		"LauraPa":     "On attend encore LauraPa pour finir.",
		"Martins":     "Le message de CR Martins est arrivé hier.",
		"Peimikà":     "Et puis Peimikà nous a dit de venir.",
		"Cléia":       "Elle a vu Cléia la semaine dernière.",
		"Reginaldo":   "Elle a vu Reginaldo la semaine dernière.",
	}
	var posts []testPost
	for form, text := range texts {
		posts = append(posts, testPost{form, form, "9", text})
	}
	slices.SortFunc(posts, func(a, b testPost) int { return strings.Compare(a.id, b.id) })
	options, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	options.Policy = Reviewed
	e, err := New(roster, forumOf(t, posts...), nil, options)
	if err != nil {
		t.Fatal(err)
	}
	for form, text := range texts {
		if out := treat(t, e, form, text); strings.Contains(out, form) {
			t.Errorf("%s is left: %s", form, out)
		}
	}
}

// TestRosaTheNameAndTheFlower: one spelling with two meanings stays two questions
// for whoever decides, and capitals tell them apart.
func TestRosaTheNameAndTheFlower(t *testing.T) {
	e := engineOf(t, testOptions(Strict), nil, testPost{"a", "a", "3", "x"}, testPost{"b", "a", "5", "x"})
	if got := treat(t, e, "b", "Merci Rosa, j'aime la rosa de ton jardin."); got != "Merci u1500000003, j'aime la rosa de ton jardin." {
		t.Errorf("got %s", got)
	}
	if FormQuestion("Rosa") == FormQuestion("rosa") {
		t.Error("one answer would settle both")
	}
}

// TestCeceIsTiedToPatrice: the made-up name of Patel et al. 2013 is mined from
// the first name it doubles a syllable of.
func TestCeceIsTiedToPatrice(t *testing.T) {
	options := testOptions(Reviewed)
	options.Mine = true
	e := engineOf(t, options, nil, testPost{"a", "a", "5", "Bonjour."}, testPost{"b", "a", "1", "Coucou mon cece ! J'espère que tu vas bien."})
	if got := treat(t, e, "b", "Coucou mon cece ! J'espère que tu vas bien."); strings.Contains(got, "cece") {
		t.Errorf("got %s", got)
	}
}
