package detect

import (
	"slices"
	"strings"
	"testing"

	"anonymooc/forum/lists"
)

// TestSurroundingsAreReadAsTheyAreLearnt: the sum that a reader gives is that of the
// weights of the clues.
func TestSurroundingsAreReadAsTheyAreLearnt(t *testing.T) {
	doc := written("fr", "Bonjour, mon voisin Zorbu a 3 chats et Lina aussi. Le peintre est venu.")
	at := slices.IndexFunc(doc.Tokens, func(t Token) bool { return t.Text == "Zorbu" })
	told := make(map[string]float64)
	for _, clue := range Clues(doc, at, at+1) {
		told[clue.Name] += clue.Times
	}
	for _, want := range []string{"<voisin", "voisin", "mon", ">a", "<<voisin mon", ">>a <number>", "<>voisin a", someNumber, "#peintre",
		"~<company", "~<<company", "~[company", "~company", "~#art", ClueNone} {
		if told[want] == 0 {
			t.Errorf("%q is not told", want)
		}
	}
	if told["~art"] != 1 || told["~>>art"] != 0 || told["peintre"] != 0 {
		t.Errorf("how near the painter stands is not told: %v", told)
	}
	for clue := range told {
		if strings.Contains(clue, "lina") || strings.Contains(clue, "zorbu") {
			t.Errorf("a name is told: %q", clue)
		}
	}
	var file strings.Builder
	clues := []string{ClueNone, "<voisin", "#chats", ">b", "~<company", "<<voisin mon"}
	weights := []Subjects{{-1}, {2.5, 1}, {10}, {9}, {0.25}, {0, 0, 0, 0, -4}}
	if err := WriteSurroundings(&file, clues, weights); err != nil {
		t.Fatal(err)
	}
	s, err := ReadSurroundings(strings.NewReader(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	reader := s.Read(doc)
	defer reader.Close()
	if got, want := reader.Subjects(at, at+1), (Subjects{-1 + 2.5 + 10*inText + 0.25, 1, 0, 0, -4}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	for _, bad := range []string{"no tab\n", "a\tb\n", "a\t1\n", "a\t1\t2\t3\t4\t5\t6\n"} {
		if _, err := ReadSurroundings(strings.NewReader(bad)); err != ErrSurroundings {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestSurroundingsHoldNoName: the weights are of words that dictionaries have, and
// of no name in wide use.
func TestSurroundingsHoldNoName(t *testing.T) {
	known := openLists(t)
	for line := range strings.Lines(shippedSurroundings) {
		clue, _, _ := strings.Cut(line, "\t")
		if strings.HasPrefix(clue, "~") {
			if _, ok := senses().clues[clue]; !ok && clue != "~" {
				t.Errorf("%q is no sense", clue)
			}
			continue
		}
		for bare := range strings.FieldsSeq(strings.TrimLeft(clue, "<>#")) {
			if strings.HasSuffix(bare, ">") || !strings.ContainsAny(bare, "abcdefghijklmnopqrstuvwxyz") {
				continue
			}
			if e := known.Find(bare); e.Is(lists.UsualName) || !e.Is(lists.AnyWord|lists.AnyStop|lists.Chat|lists.Title|lists.Institution) {
				t.Errorf("%q has a weight", clue)
			}
		}
	}
}

// TestSensesOfAllLanguages: every sense has words in every language, and a text whose
// language is unknown is read in all.
func TestSensesOfAllLanguages(t *testing.T) {
	book := senses()
	if len(book.names) == 0 || len(book.names) > mostSenses {
		t.Fatalf("%d senses", len(book.names))
	}
	have := make(map[string]int)
	for _, section := range lists.Sections(sensesText) {
		if len(section.Words) > 0 {
			have[section.Name]++
			if language, _, _ := strings.Cut(section.Name, " "); book.number(language) == languageCount {
				t.Errorf("section %q is of no language that is known", section.Name)
			}
		}
	}
	for _, name := range book.names {
		for _, language := range Languages() {
			if have[language+" "+name] != 1 {
				t.Errorf("%d sections of %s in %s", have[language+" "+name], name, language)
			}
		}
	}
	if in := book.of("fr", "roman"); in == 0 || book.of("", "roman")&in != in {
		t.Errorf("a novel: %b in French, %b in any language", in, book.of("", "roman"))
	}
}
