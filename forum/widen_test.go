package forum

import (
	"regexp"
	"strings"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
)

func TestWideningTakesTheWhole(t *testing.T) {
	tests := []struct {
		name, text, find string
		category         detect.Category
		want             string
	}{
		{"handle", "insta @emma_lbn_31 !", "emma", detect.FirstName, "emma_lbn_31"},
		{"handle with dots", "skype kelly.v.16 ok", "kelly", detect.FirstName, "kelly.v.16"},
		{"no space after a stop", "Merci Kelly.Bonne journée", "Kelly", detect.FirstName, "Kelly"},
		{"a stop", "merci kelly. ok", "kelly", detect.FirstName, "kelly"},
		{"double name", "ma cousine Linh-Anna dit", "Linh", detect.FirstName, "Linh-Anna"},
		{"town with hyphens", "je viens d'Avesnes-sur-Helpe moi", "Avesnes", detect.Place, "Avesnes-sur-Helpe"},
		{"end of a town", "je viens d'Avesnes-sur-Helpe moi", "Helpe", detect.Place, "Avesnes-sur-Helpe"},
		{"town with an elision", "un café à Clermont-l'Hérault ?", "Clermont", detect.Place, "Clermont-l'Hérault"},
		{"spaced hyphen", "Kelly - Anna", "Kelly", detect.FirstName, "Kelly"},
		{"page", "voir https://kelly.example/a?b=1, oui", "kelly", detect.FirstName, "https://kelly.example/a?b=1"},
		{"school", "à l'école secondaire du Bon Repos", "Bon Repos", detect.Organisation, "école secondaire du Bon Repos"},
		{"stranger's school", "au garage Duvallon, oui", "Duvallon", detect.LastName, "garage Duvallon"},
		{"school of a town", "à l'hôpital de Mvam.", "Mvam", detect.Place, "hôpital de Mvam"},
		{"care", "le centre de santé de Catepa ferme", "Catepa", detect.Place, "centre de santé de Catepa"},
		{"hyphens", "la résidence du Mont-Beuvray-le-Vieux", "Beuvray", detect.Place, "résidence du Mont-Beuvray-le-Vieux"},
		{"number", "au lycée n° 117, oui", "lycée", detect.Organisation, "lycée n° 117"},
		{"number after its kind", "à l'école primaire nº 5 de Mvam", "école primaire", detect.Organisation, "école primaire nº 5"},
		{"number, abbreviated", "an der Schule Nr. 12 in Mvam", "Schule", detect.Organisation, "Schule Nr. 12"},
		{"number, English", "at School No. 4 then", "School", detect.Organisation, "School No. 4"},
		{"number, Italian", "al liceo n. 3 di Mvam", "liceo", detect.Organisation, "liceo n. 3"},
		{"number without a sign", "en la Escuela 740 de Mvam", "Escuela", detect.Organisation, "Escuela 740"},
		{"number of pupils", "une école 120 élèves", "école", detect.Organisation, "école"},
		{"number of years", "la Escuela 100 años", "Escuela", detect.Organisation, "Escuela"},
		{"year", "le lycée 2014", "lycée", detect.Organisation, "lycée"},
		{"two words", "à l'école secondaire du Val Fleuri, oui", "Fleuri", detect.Place, "école secondaire du Val Fleuri"},
		{"abbreviation", "à l'ehpad des Bruyères Bleues", "Bruyères", detect.Place, "ehpad des Bruyères Bleues"},
		{"Spanish", "en el IES Campo de Retama", "Retama", detect.Place, "IES Campo de Retama"},
		{"behind it", "at Ystrad Fach cottage hospital now", "Ystrad Fach", detect.FullName, "Ystrad Fach cottage hospital"},
		{"behind it, small", "she left Talgarth grammar early", "Talgarth", detect.Place, "Talgarth grammar"},
		{"behind it, capitals", "at Blackfoot High School now", "Blackfoot", detect.LastName, "Blackfoot High School"},
		{"behind it, German", "am Ilmetaler Gymnasium", "Ilmetaler", detect.LastName, "Ilmetaler Gymnasium"},
		{"behind it, hyphen", "am Ilme-Gymnasium", "Ilme", detect.Place, "Ilme-Gymnasium"},
		{"firm", "chez Pannetier & fils depuis", "Pannetier", detect.LastName, "Pannetier & fils"},
		{"saint's", "de Sainte-Odile-des-Bois, oui", "Odile", detect.FirstName, "Sainte-Odile-des-Bois"},
		{"another sentence", "Je vais à l'école. Nadia aussi", "Nadia", detect.FirstName, "Nadia"},
		{"whose", "à l'école de ma fille Nadia", "Nadia", detect.FirstName, "Nadia"},
		{"and", "l'école et Nadia", "Nadia", detect.FirstName, "Nadia"},
		{"in a town", "un lycée à Mvam", "Mvam", detect.Place, "Mvam"},
		{"a word behind", "thanks Nadia school was fun", "Nadia", detect.FirstName, "Nadia"},
		{"price", "rents in Leeds high as ever", "Leeds", detect.Place, "Leeds"},
		{"children", "Nadia et fille", "Nadia", detect.FirstName, "Nadia"},
		{"town in a link", "voir https://mvam.example/a, oui", "mvam", detect.Place, "https://mvam.example/a"},
		{"link without scheme", "là : nadiaroux.example/trucs.", "nadiaroux", detect.FullName, "nadiaroux.example/trucs"},
		{"path without scheme", "là : blog.zz/w/nadia, oui", "nadia", detect.FirstName, "blog.zz/w/nadia"},
		{"either or", "Nadia/Leeds", "Nadia", detect.FirstName, "Nadia"},
		{"postcode", "32000 AUCH", "AUCH", detect.Place, "32000 AUCH"},
		{"year", "en 2014, Auch", "Auch", detect.Place, "Auch"},
		{"another language", "an der Sekundarschule Bom Jesus", "Bom Jesus", detect.Organisation, "Sekundarschule Bom Jesus"},
		{"another language, small words", "à l'école secondaire du Bom Jesus", "Bom Jesus", detect.Organisation, "école secondaire du Bom Jesus"},
		{"another language, Spanish", "en la escuela secundaria de Bom Jesus", "Bom Jesus", detect.Organisation, "escuela secundaria de Bom Jesus"},
		{"another language, Italian", "alla scuola secondaria del Bom Jesus", "Bom Jesus", detect.FirstName, "scuola secondaria del Bom Jesus"},
		{"another language, English", "at Bom Jesus Secondary School", "Bom Jesus", detect.Organisation, "Bom Jesus Secondary School"},
		{"castells", "els Castellers de la Serra Blanca", "Serra Blanca", detect.FullName, "Castellers de la Serra Blanca"},
		{"band", "l'harmonie municipale de Mvam", "Mvam", detect.Place, "harmonie municipale de Mvam"},
		{"choir", "la chorale Les Voix du Thouet chante", "Les Voix", detect.FullName, "chorale Les Voix du Thouet"},
		{"company beside", "la compañía Telón Corto", "Telón Corto", detect.FullName, "compañía Telón Corto"},
		{"company of somebody", "la compañía de Nadia", "Nadia", detect.FirstName, "Nadia"},
		{"company of its kind", "la compagnia teatrale I Girasoli", "I Girasoli", detect.FullName, "compagnia teatrale I Girasoli"},
		{"group of its kind", "el grupo coral de Mvam", "Mvam", detect.Place, "grupo coral de Mvam"},
		{"group", "le groupe de Nadia", "Nadia", detect.FirstName, "Nadia"},
		{"friends", "les Amis de Mvam", "Mvam", detect.Place, "Amis de Mvam"},
		{"friends in general", "les amis de Nadia", "Nadia", detect.FirstName, "Nadia"},
		{"parents", "L'AMPA de l'escola Pere Camps", "escola Pere Camps", detect.Organisation, "AMPA de l'escola Pere Camps"},
		{"parents of a school", "the Parents' Association of St Bride's", "St Bride", detect.Organisation, "Parents' Association of St Bride"},
		{"school of somebody", "the school of Nadia", "Nadia", detect.FirstName, "Nadia"},
		{"sport before", "au Football Club de Mvam", "Mvam", detect.Place, "Football Club de Mvam"},
		{"year of a team", "beim TSV Erlenbach 1908, oui", "Erlenbach", detect.Place, "TSV Erlenbach 1908"},
		{"scouts with a number", "nel gruppo scout Norcia 1 e", "Norcia", detect.Place, "gruppo scout Norcia 1"},
		{"no number of theirs", "le SC Mvam 12 joueurs", "Mvam", detect.Place, "SC Mvam"},
		{"choir behind", "the Kells Harbour Community Choir", "Kells Harbour", detect.Organisation, "Kells Harbour Community Choir"},
		{"German ending", "der Musikverein Wiesental", "Wiesental", detect.LastName, "Musikverein Wiesental"},
		{"phone is left alone", "tel 32000 Kelly", "Kelly", detect.FirstName, "Kelly"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := detect.NewDocument(corpus.Post{}, "body", []byte(tt.text))
			at := strings.Index(tt.text, tt.find)
			got := widen(doc, []Finding{{Start: at, End: at + len(tt.find), Category: tt.category, Verdict: detect.Mask}})
			if len(got) != 1 || tt.text[got[0].Start:got[0].End] != tt.want {
				t.Errorf("got %+v, want %q", got, tt.want)
			}
		})
	}
}

// A name that the catalogue knows is a person's, whatever stands before it.
func TestAKnownPersonIsNoInstitution(t *testing.T) {
	text := "à l'école de Nadia, at Nadia High School"
	doc := detect.NewDocument(corpus.Post{}, "body", []byte(text))
	at := strings.Index(text, "Nadia")
	got := widen(doc, []Finding{{Start: at, End: at + 5, Category: detect.FirstName, Verdict: detect.Mask, Entities: []detect.EntityID{"u1"}}})
	if len(got) != 1 || got[0].Start != at || got[0].End != at+5 || got[0].Category != detect.FirstName {
		t.Errorf("got %+v, want the name alone", got)
	}
}

// Those whom everybody knows are kept, whatever their names are made of.
func TestFamousGroupsAreKept(t *testing.T) {
	e := standardEngine(t, Strict, testPost{"a", "a", "1", "x"})
	for _, text := range []string{
		"L'exposition du Musée d'Orsay était superbe, et l'Orchestre de Paris a joué Ravel.",
		"Le Club de Rome a publié son rapport en 1972.",
		"El Real Madrid ganó a la Real Sociedad.",
		"L'Orfeó Català és conegut a tot el món.",
		"Les compagnons du devoir, les amis de la Terre et le club des cinq sont dans le texte.",
		"La banda sonora, la peña de amigos y la asociación de ideas son temas del curso.",
	} {
		if got := treat(t, e, "a", text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// FuzzOverlapsAreSettled: whatever overlaps, what comes out is disjoint, in
// order, and covers everything that was to be masked.
func FuzzOverlapsAreSettled(f *testing.F) {
	f.Add([]byte{0, 5, 1, 3, 4, 0, 4, 9, 1})
	f.Fuzz(func(t *testing.T, script []byte) {
		var findings []Finding
		start := 0
		for len(script) >= 3 {
			start += int(script[0] % 8)
			v := detect.Mask
			if script[2]%3 == 0 {
				v = detect.Keep
			}
			findings = append(findings, Finding{Start: start, End: start + 1 + int(script[1]%8), Verdict: v, Score: float64(script[2]) / 255})
			script = script[3:]
		}
		before := append([]Finding(nil), findings...)
		after := settleOverlaps(findings)
		last := 0
		for _, g := range after {
			if g.Start < last || g.End <= g.Start {
				t.Fatalf("%+v is not in order after %d", g, last)
			}
			last = g.End
		}
		for _, b := range before {
			for at := b.Start; b.Verdict == detect.Mask && at < b.End; at++ {
				covered := false
				for _, g := range after {
					covered = covered || g.Verdict == detect.Mask && g.Start <= at && at < g.End
				}
				if !covered {
					t.Fatalf("byte %d of %+v is not masked in %+v", at, b, after)
				}
			}
		}
	})
}

// An institution of the roster is masked whole where a text tells it in another
// language, or with other small words.
func TestInstitutionsInAnotherLanguage(t *testing.T) {
	options, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	people := []Person{
		{Pseudonym: 1600000001, UserIDs: []string{"1"}, FirstNames: []string{"Gonçalo"}, LastNames: []string{"Torres"}, Institutions: []string{"Escola Secundária Bom Jesus"}},
		{Pseudonym: 1600000002, UserIDs: []string{"2"}, FirstNames: []string{"Timo"}, LastNames: []string{"Brunner"}, Institutions: []string{"Gymnasium Rosenhalde"}},
		{Pseudonym: 1600000003, UserIDs: []string{"3"}, FirstNames: []string{"Nora"}, LastNames: []string{"Vidal"}, Institutions: []string{"L'Atelier des Bruyères"}},
	}
	e, err := New(people, forumOf(t, testPost{"a", "a", "1", "Bonjour."}, testPost{"b", "a", "2", "Merci."}, testPost{"c", "a", "3", "De rien."}), nil, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ text, want string }{
		{"Avant j'enseignais à l'école secondaire du Bom Jesus, près de la mer.", "Avant j'enseignais à l'[ORG], près de la mer."},
		{"En la escuela secundaria de Bom Jesus no teníamos laboratorio.", "En la [ORG] no teníamos laboratorio."},
		{"At Bom Jesus Secondary School we had no laboratory.", "At [ORG] we had no laboratory."},
		{"An der Sekundarschule Bom Jesus hatten wir kein Labor.", "An der [ORG] hatten wir kein Labor."},
		{"Alla scuola secondaria del Bom Jesus non avevamo il laboratorio.", "Alla [ORG] non avevamo il laboratorio."},
		{"A l'escola secundària del Bom Jesus no teníem laboratori.", "A l'[ORG] no teníem laboratori."},
		{"J'enseigne l'allemand au lycée Rosenhalde, en Suisse.", "J'enseigne l'allemand au [ORG], en Suisse."},
		{"I teach German at Rosenhalde High School, in Switzerland.", "I teach German at [ORG], in Switzerland."},
		{"Je couds le soir à L'Atelier des Bruyères, en ville.", "Je couds le soir à [ORG], en ville."},
	} {
		got := treat(t, e, "a", tt.text)
		if got = institutionTag.ReplaceAllString(got, "[ORG]"); got != tt.want {
			t.Errorf("%q became %q, want %q", tt.text, got, tt.want)
		}
	}
}

var institutionTag = regexp.MustCompile(`\[N?ORG[^\]]*\]`)
