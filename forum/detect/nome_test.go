package detect

import (
	"strings"
	"testing"
	"time"

	"anonymooc/forum/lists"
)

func openOfficer(t testing.TB) lists.Officer {
	t.Helper()
	o, err := lists.ReadOfficer(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// found gives the marked texts, parted by "|".
func found(d Detector, doc *Document) string {
	var got []string
	for _, m := range d.Detect(doc, nil) {
		got = append(got, string(doc.Raw[m.Start:m.End]))
	}
	return strings.Join(got, "|")
}

// TestNomeStepsOfThePaper: the examples of section 2.2.2, without dictionaries,
// as the paper's program has none.
func TestNomeStepsOfThePaper(t *testing.T) {
	officer := lists.Officer{Titles: []string{"madame", "monsieur", "dr", "maître"}}
	excluding := func(words ...string) lists.Officer {
		o := officer
		o.Exclusions = words
		return o
	}
	including := officer
	including.Inclusions = []string{"né le", "zorro"}
	for _, c := range []struct {
		name    string
		officer lists.Officer
		text    string
		want    string
	}{
		{"long name", officer, "voici Jean Leduc Levasseur ici", "Jean Leduc Levasseur"},
		{"one word is not enough", officer, "voici Georges ici", ""},
		{"all capitals", officer, "devant LA REINE et", ""},
		{"title in small letters", officer, "pour madame François et", "François"},
		{"apostrophe", officer, "par Lilly D'Arcy hier", "Lilly D'Arcy"},
		{"title with dot", officer, "le Dr. Walter arrive", "Walter"},
		{"hyphen and initial", officer, "de Jean-Louis C. Garon hier", "Jean-Louis C. Garon"},
		{"initials are no name", officer, "par A.G. hier", ""},
		{"titled initials are no name", officer, "monsieur A.G. vient", ""},
		{"titled initials with a name", officer, "monsieur A.G. Yu vient", "A.G. Yu"},
		{"excluded title", excluding("maître"), "hier maître Roger Grenier plaidait", ""},
		{"excluded word", excluding("Canadian"), "the Canadian Legal Institute met", ""},
		{"excluded phrase", excluding("legal institute"), "the Big Legal Institute met", ""},
		{"short name of a long one", officer, "selon Rodney Dovers, puis Rodney vint", "Rodney Dovers|Rodney"},
		{"compound part is whole", officer, "voici Monsieur Jean-Marie Lavoie, et Lavoie, et Marie", "Jean-Marie Lavoie|Lavoie"},
		{"capitals of a name found", officer, "JEAN PELLETIER et puis Jean Pelletier", "JEAN PELLETIER|Jean Pelletier"},
		{"inclusion", including, "il est né le 3 mai chez zorro", "né le|zorro"},
		{"a heading is no name", officer, "voir Les Dix Mille Grands Petits Noms Du Monde Entier ici", ""},
		{"lines part names", officer, "avec Paul\nMartin dort", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := found(NewNome(c.officer, nil), written("fr", c.text)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestNomeLearnsFromTheCorpus: a short name in one post is found because the
// long one stands in another, in whatever order they were learned.
func TestNomeLearnsFromTheCorpus(t *testing.T) {
	n := NewNome(lists.Officer{}, nil)
	short := written("fr", "merci à Rodney")
	if got := found(n, short); got != "" {
		t.Fatalf("found %q before learning", got)
	}
	n.Learn(short)
	n.Learn(written("fr", "selon Rodney Dovers"))
	if got := found(n, short); got != "Rodney" {
		t.Errorf("got %q", got)
	}
	if names := n.Names(); names["rodney dovers"] != 1 || len(names) != 1 {
		t.Errorf("names: %v", names)
	}
}

// TestNomeAsksTheLists: an ordinary word that begins a sentence is no part of a
// name, places and excluded words are none, and given names raise the score.
func TestNomeAsksTheLists(t *testing.T) {
	n := NewNome(openOfficer(t), openLists(t))
	for text, want := range map[string]string{
		"Voici Éloïse Garnier.":            "Éloïse Garnier",
		"Bonjour Mme Dupont":               "Dupont",
		"Il vit à Los Angeles.":            "",
		"Comment Faire":                    "",
		"La Semaine Deux":                  "",
		"avec Marie-Pierre Vandenberghe !": "Marie-Pierre Vandenberghe",
		"de l'Algérie Éloïse Garnier":      "Éloïse Garnier",
		"un film avec France Garnier":      "France Garnier",
	} {
		if got := found(n, written("fr", text)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	score := func(text string) float64 {
		best := 0.0
		for _, m := range n.Detect(written("fr", text), nil) {
			best = max(best, m.Score)
		}
		return best
	}
	if known, strange, words := score("avec Éloïse Xarbuvo"), score("avec Qarbi Xarbuvo"), score("avec Grand Livre"); !(known > strange && strange > words) {
		t.Errorf("given name %.2f, unknown words %.2f, ordinary words %.2f", known, strange, words)
	}
}

func TestInitialsWarnOfClashes(t *testing.T) {
	n := NewNome(openOfficer(t), nil)
	got := n.SuggestInitials([]string{"Jean-Marie Lavoie", "Mme Julie Morand", "Dr. Jeanne Marot", "julie morand", "Lilly D'Arcy"})
	for i, want := range []string{"J.-M. L.", "J. M.", "J. M.", "J. M.", "L. D'A."} {
		if got[i].Initials != want {
			t.Errorf("%s: %s, want %s", got[i].Name, got[i].Initials, want)
		}
	}
	if len(got[0].Clashes) != 0 || len(got[4].Clashes) != 0 {
		t.Errorf("clashes where there are none: %v", got)
	}
	if !strings.Contains(strings.Join(got[1].Clashes, "|"), "Dr. Jeanne Marot") {
		t.Errorf("no warning: %v", got[1])
	}
}

// TestListKeysAreCutAsTextsAre: a word of the lists is found in a text only if
// both cut and fold it alike.
func TestListKeysAreCutAsTextsAre(t *testing.T) {
	for _, text := range []string{
		"Éloïse", "Jean-Marie", "D'Arcy", "Saint-Étienne", "L’Haÿ-les-Roses", "Łódź", "Straße", "ŒUVRE", "Владимир", "Ёлка",
		"Đà Nẵng", "Nguyễn", "Çelik", "İstanbul", "Ağrı", "François-Xavier", "O'Neill", "Mª", "José", "Ῥόδος", "عبد الله", "שלום", "Ｗide", "ﬁn",
	} {
		doc := written("", text)
		var words []string
		for i := range doc.Tokens {
			if !doc.Tokens[i].Any(Punct) {
				words = append(words, doc.Tokens[i].Folded)
			}
		}
		if got, want := strings.Join(words, " "), lists.Key(text); got != want {
			t.Errorf("%s: the text is cut into %q, the list has %q", text, got, want)
		}
	}
}

// BenchmarkNomeLongText: the cost of a byte must not grow with the text.
func BenchmarkNomeLongText(b *testing.B) {
	n := NewNome(openOfficer(b), openLists(b))
	line := "avec Qarbi Xarbuvo puis Zorbu et Vlemko, "
	cost := func(lines int) float64 {
		doc := written("fr", strings.Repeat(line, lines))
		start := time.Now()
		n.Detect(doc, nil)
		return float64(time.Since(start).Nanoseconds()) / float64(lines)
	}
	for range b.N {
		short, long := cost(200), cost(20000)
		b.ReportMetric(long/short, "×short")
	}
}
