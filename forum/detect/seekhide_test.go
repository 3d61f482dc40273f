package detect

import (
	"fmt"
	"strings"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/lists"
)

func openLists(t testing.TB) *lists.Lists {
	t.Helper()
	l, err := lists.Open()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// labels gives "word:label" for the words that are not ignored.
func labels(r *wordReader, doc *Document) string {
	r.read(doc)
	var got []string
	for i, f := range r.facts {
		if f.label != LabelIgnore {
			text := doc.Tokens[i].Text
			if f.to > 0 {
				text = text[f.from:f.to]
			}
			got = append(got, text+":"+f.label.String())
		}
	}
	return strings.Join(got, " ")
}

func written(lang, text string) *Document {
	return NewDocument(corpus.Post{Lang: lang, Author: "1"}, "body", []byte(text))
}

// TestLabelsOfThePaper: table 1 and the heuristics of section 3.2, with the
// paper's own words.
func TestLabelsOfThePaper(t *testing.T) {
	r := newWordReaders(openLists(t), nil).Get().(*wordReader)
	for _, c := range []struct{ lang, text, want string }{
		{"fr", "Coucou Cédric, ça va?", "Cédric:mask"},
		{"fr", "un crayon", ""},
		{"fr", "Pierre", "Pierre:ambiguous"},
		{"fr", "bonjour Namrata", "Namrata:unknown"},
		{"fr", "surment desole dèsolé", ""},
		{"fr", "nicoooooollaassss", "nicoooooollaassss:mask"},
		{"fr", "mouhahaha ahahah jajajaja mmmmh", ""},
		{"fr", "jexplique quil lexercice", ""},
		{"fr", "jtaime", ""},
		{"fr", "mercicedric", "cedric:mask"},
		{"fr", "trop coooool", ""},
		{"en", "because beacuse becuase", ""},
		{"en", "thx brigitte", "brigitte:mask"},
		{"es", "hola, trabajábamos con Paco", "Paco:mask"},
		{"it", "ciao, mangerebbero la pizza", ""},
		{"de", "Versicherungen sind wichtig", ""},
		{"", "Cédric", "Cédric:mask"},
	} {
		if got := labels(r, written(c.lang, c.text)); got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.lang, c.text, got, c.want)
		}
	}
}

// TestWordsOfOtherAuthorsAreNoNames: what three others write in small letters
// is common; what its author alone writes is not, nor what others capitalise.
func TestWordsOfOtherAuthorsAreNoNames(t *testing.T) {
	lexicon := NewLexicon()
	for author := range 4 {
		lexicon.Learn(NewDocument(corpus.Post{Author: fmt.Sprint(author)}, "body", []byte("zblorf Quibrak zblorf")))
	}
	for range 5 {
		lexicon.Learn(NewDocument(corpus.Post{Author: "1"}, "body", []byte("vrontak")))
	}
	for _, c := range []struct {
		word, author string
		want         int
	}{
		{"zblorf", "0", 3}, {"zblorf", "9", 3}, {"quibrak", "0", 0}, {"vrontak", "1", 0}, {"vrontak", "2", 1}, {"nothing", "1", 0},
	} {
		if got := lexicon.OtherAuthors(c.word, c.author); got != c.want {
			t.Errorf("%s by %s: %d, want %d", c.word, c.author, got, c.want)
		}
	}
	r := newWordReaders(openLists(t), lexicon).Get().(*wordReader)
	if got := labels(r, written("fr", "zblorf vrontak Quibrak")); got != "vrontak:unknown Quibrak:unknown" {
		t.Errorf("got %q", got)
	}
}

// TestAgreementTable is table 2 of the paper.
func TestAgreementTable(t *testing.T) {
	for _, c := range []struct{ rules, trees, want MessageVerdict }{
		{SomethingToMask, SomethingToMask, SomethingToMask},
		{SomethingToMask, NothingToMask, AskExpert},
		{NothingToMask, SomethingToMask, AskExpert},
		{NothingToMask, NothingToMask, NothingToMask},
		{Untagged, SomethingToMask, SomethingToMask},
		{Untagged, NothingToMask, NothingToMask},
	} {
		if got := Agree(c.rules, c.trees); got != c.want {
			t.Errorf("%v, %v: %v, want %v", c.rules, c.trees, got, c.want)
		}
	}
}

// TestRulesTagMessages: an unknown or ambiguous word leaves a message untagged.
func TestRulesTagMessages(t *testing.T) {
	s := NewSeekHide(openLists(t), nil, nil, ExpertTable)
	for text, want := range map[string]MessageVerdict{
		"Coucou Cédric, ça va?": SomethingToMask, "merci pour tout": NothingToMask,
		"Bonjour Namrata": Untagged, "bonjour Pierre et Cédric": Untagged,
	} {
		if rules, _, _ := s.Messages(written("fr", text)); rules != want {
			t.Errorf("%q: %v, want %v", text, rules, want)
		}
	}
}

func TestExpertLevels(t *testing.T) {
	l := openLists(t)
	if _, err := ParseExpert("some"); err == nil {
		t.Error("an unknown level was accepted")
	}
	score := func(e Expert, text string) float64 {
		best := 0.0
		for _, m := range NewSeekHide(l, nil, nil, e).Detect(written("fr", text), nil) {
			best = max(best, m.Score)
		}
		return best
	}
	if s := score(ExpertAll, "avec Namrata"); s != asked {
		t.Errorf("all: an unknown word scores %.2f", s)
	}
	if s := score(ExpertNone, "avec Namrata"); s > 0.12 {
		t.Errorf("none: an unknown word scores %.2f", s)
	}
	for _, e := range []Expert{ExpertAll, ExpertTable, ExpertNone} {
		if s := score(e, "merci Cédric"); s < 0.93 {
			t.Errorf("%s: a name that is no word scores %.2f", e, s)
		}
		if s := score(e, "merci pour tout"); s != 0 {
			t.Errorf("%s: words are marked with %.2f", e, s)
		}
	}
}

// TestEveryMarkExplainsItself holds for the detectors of this room.
func TestEveryMarkExplainsItself(t *testing.T) {
	l := openLists(t)
	text := "Bonjour Namrata, merciiii cédric et Pierre. Mme Dupont et Jean-Marc LEFEBVRE sont à Lyon. mercicedric"
	for _, d := range []Detector{NewSeekHide(l, nil, nil, ExpertTable), NewNome(openOfficer(t), l)} {
		doc := written("fr", text)
		marks := d.Detect(doc, nil)
		if len(marks) == 0 {
			t.Errorf("%s finds nothing", d.Name())
		}
		for _, m := range marks {
			if m.By != d.Name() || m.What == "" || !m.Category.Valid() || !m.Proposal.Valid() || m.Score <= 0 || m.Score > 1 ||
				m.Start < 0 || m.End > len(text) || m.Start >= m.End {
				t.Errorf("%s: %+v", d.Name(), m)
			}
			if strings.Contains(m.What, "Namrata") || strings.Contains(m.What, "Lyon") {
				t.Errorf("%s quotes the text: %s", d.Name(), m.What)
			}
		}
	}
}
