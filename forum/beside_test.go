package forum

import (
	"slices"
	"testing"

	"anonymooc/forum/detect"
	"anonymooc/tables"
)

// TestMiningReadsTheOtherTexts: a spelling that stands in no post is found in the
// goals that hold it, and a text that logs copy counts once.
func TestMiningReadsTheOtherTexts(t *testing.T) {
	const goals = "Travailler avec Lemoall, sans Éloïze."
	texts := func(visit func([]byte, tables.TextPlace)) error {
		buffer := []byte(goals)
		for range 3 {
			visit(buffer, tables.TextPlace{Table: "auth_userprofile", Field: "goals", Author: 1500000001})
		}
		copy(buffer, "xxxxxxxxxxxx") // a text is valid during the call only
		visit([]byte("Bonjour tout le monde."), tables.TextPlace{Table: "tracking_log", Field: "event.body"})
		return nil
	}
	options := testOptions(Strict)
	options.Mine, options.Texts = true, texts
	with := engineOf(t, options, nil, testPost{"a", "a", "5", "Bonjour tout le monde."})
	options.Texts = nil
	without := engineOf(t, options, nil, testPost{"a", "a", "5", "Bonjour tout le monde."})
	if with.Report().Mined <= without.Report().Mined {
		t.Errorf("%d forms mined with the other texts, %d without", with.Report().Mined, without.Report().Mined)
	}
	for _, form := range []string{"Lemoall", "Éloïze"} {
		if verdict, _ := verdictOf(with, "", goals, form); verdict == "keep" {
			t.Errorf("%s is kept", form)
		}
	}
	lexicon, err := with.lexicon()
	if err != nil {
		t.Fatal(err)
	}
	if lexicon.Texts() != 2 {
		t.Errorf("%d texts were read, want the post and the goals once", lexicon.Texts())
	}
	if n := with.people.byPseudonym(1500000001); with.authorOf(tables.TextPlace{Author: 1500000001}) != with.people.list[n].UserIDs[0] {
		t.Error("a person is two authors")
	}
}

// TestTheOrderOfTextsDoesNotMatter: who writes what another wrote, says it too.
func TestTheOrderOfTextsDoesNotMatter(t *testing.T) {
	places := []tables.TextPlace{{Field: "goals", Author: 1500000001}, {Field: "answer", Author: 1500000002}, {Field: "answer", Author: 1500000002}}
	var people []int
	for range places {
		places = append(places[1:], places[0])
		options := testOptions(Strict)
		options.Mine = true
		options.Texts = func(visit func([]byte, tables.TextPlace)) error {
			for _, place := range places {
				visit([]byte("Je vais à Zorbulin."), place)
			}
			return nil
		}
		e := engineOf(t, options, nil, testPost{"a", "a", "5", "Bonjour."})
		people = append(people, e.usages.of("zorbulin").people())
	}
	if slices.Min(people) != 2 || slices.Max(people) != 2 {
		t.Errorf("by the order of the files, %v people write the word", people)
	}
}

func TestWithoutAForumTheOtherTextsAreMined(t *testing.T) {
	options := testOptions(Strict)
	options.Mine = true
	options.Texts = func(visit func([]byte, tables.TextPlace)) error {
		visit([]byte("Travailler avec Lemoall."), tables.TextPlace{Field: "goals"})
		return nil
	}
	e, err := New(testRoster, nil, nil, options)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(e.Catalogue().Readings("Lemoall"), func(r detect.Reading) bool { return r.Type == TypeVariant }) {
		t.Error("nothing was mined")
	}
}
