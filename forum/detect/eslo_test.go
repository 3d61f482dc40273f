package detect

import (
	"strings"
	"sync"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/lists"
)

func shippedESLO(t testing.TB) *ESLO {
	t.Helper()
	general, err := lists.Open()
	if err != nil {
		t.Fatal(err)
	}
	eslo, err := NewShippedESLO(general)
	if err != nil {
		t.Fatal(err)
	}
	return eslo
}

// told lists what a text tells, as "category=text", for the rules whose says
// begins with one of the prefixes; all when there are none.
func told(eslo *ESLO, lang, text string) []string {
	doc := NewDocument(corpus.Post{Lang: lang}, "body", []byte(text))
	var all []string
	for _, m := range eslo.Detect(doc, nil) {
		all = append(all, string(m.Category)+"="+text[m.Start:m.End]+"="+string(m.Proposal))
	}
	return all
}

type telling struct{ lang, text, want string }

// checkTold wants every "category=text=proposal" of want among what is told;
// "-" wants nothing at all.
func checkTold(t *testing.T, cases []telling) {
	t.Helper()
	eslo := shippedESLO(t)
	for _, c := range cases {
		got := told(eslo, c.lang, c.text)
		if c.want == "-" {
			if len(got) > 0 {
				t.Errorf("%q tells %q, want nothing", c.text, got)
			}
			continue
		}
		for want := range strings.SplitSeq(c.want, "; ") {
			found := false
			for _, g := range got {
				found = found || g == want || strings.HasPrefix(g, want+"=")
			}
			if !found {
				t.Errorf("%q tells %q, want %q", c.text, got, want)
			}
		}
	}
}

// The examples of Eshkol-Taravella et al. 2014, sections 3.2.1 and 3.2.2.
func TestGrammarsFindTheExamplesOfThePaper(t *testing.T) {
	checkTold(t, []telling{
		{"fr", "je m'appelle euh Patrick Mallon", "full_name=Patrick Mallon=mask"},
		{"fr", "moi je suis native de Pithiviers", "place=Pithiviers"},
		{"fr", "alors je suis monsieur Gabrion je suis ingénieur chimiste", "last_name=Gabrion=mask; job=ingénieur chimiste=unsure"},
		{"fr", "je suis enseignant dans dans l'école publique", "job=enseignant dans dans l'école publique=unsure"},
		{"fr", "je suis maître auxiliaire", "job=maître auxiliaire=unsure"},
		{"fr", "j'enseigne des mathématiques modernes des mathématiques classiques de la chimie et de la technologie", "job=enseigne des mathématiques modernes=unsure"},
		{"fr", "comme officier j'ai été obligé de rester 45 ans", "job=officier=unsure"},
		{"fr", "oui je suis orléanaise", "origin=orléanaise=unsure"},
		{"fr", "j'ai une maladie du foie, ça lui a même occasionné une petite scoliose", "health=maladie du foie=unsure; health=scoliose=unsure"},
		{"fr", "je travaille au collège de Saint-Jean-de-Bray", "organisation=collège de Saint-Jean-de-Bray=mask"},
		{"fr", "il est parti à Paris", "place=Paris"},
		{"fr", "il travaille dans les dans les assurances", "job=dans les assurances=unsure"},
		{"fr", "mon père a fondé un le plus grand cabinet d'ophtalmologiste de la ville", "organisation=cabinet d'ophtalmologiste"},
		{"fr", "je suis scout de France le jeudi soir où j'anime un un atelier photos", "association=scout de France=unsure; association=un un atelier photos=unsure"},
		{"fr", "y a longtemps que vous êtes à Orléans ?", "place=Orléans"},
		{"fr", "ça fait euh vous êtes née à Orléans", "place=Orléans"},
		{"fr", "je suis patron d'un bar au moment", "job=patron d'un bar=unsure"},
		{"fr", "je suis maire d'une petite commune", "job=maire=mask"},
		{"fr", "je suis professeur de physique", "job=professeur de physique=unsure"},
		{"fr", "où parle-t-on le mieux le français ? à Tours", "-"},
	})
}

func TestFrenchGrammarFindsPeopleNobodyListed(t *testing.T) {
	checkTold(t, []telling{
		{"fr", "Bonjour, je m'appelle Zorglub et je débute.", "first_name=Zorglub=mask"},
		{"fr", "slt moi c zorgline", "first_name=zorgline=mask"},
		{"fr", "Moi c'est Capucine !", "first_name=Capucine=mask"},
		{"fr", "moi c'est pareil", "-"},
		{"fr", "moi c'est la même chose", "-"},
		{"fr", "Merci Yseult pour ta réponse", "first_name=Yseult=mask"},
		{"fr", "merci beaucoup pour ta réponse, merci d'avance", "-"},
		{"fr", "Bonjour à tous, bonjour tout le monde, Bonjour Madame", "-"},
		{"fr", "Tout à fait d'accord avec Kenza sur ce point", "first_name=Kenza=mask"},
		{"fr", "comme l'a dit Jean-Baptiste plus haut", "first_name=Jean-Baptiste=mask"},
		{"fr", "Ludivine a dit que c'était faux", "first_name=Ludivine=mask"},
		{"fr", "ma collègue Solveig m'a inscrite", "first_name=Solveig=mask"},
		{"fr", "mon fils Malo de 8 ans adore", "first_name=Malo=mask; age=8 ans=unsure"},
		{"fr", "notre prof Mme Kerbrat nous oblige", "last_name=Kerbrat=mask"},
		{"fr", "M. Le Goff et le Dr Sauvageot", "last_name=Le Goff=mask; last_name=Sauvageot=mask"},
		{"fr", "Merci d'avance pour vos réponses.\n\nSolenn", "first_name=Solenn=mask"},
		{"fr", "Cordialement,\nsolenn", "first_name=solenn=mask"},
		{"fr", "Bien à vous,\nSolenn Kerbrat", "full_name=Solenn Kerbrat=mask"},
		{"fr", "Merci à Solenn, Yseult et Gwenaël pour leur aide", "first_name=Solenn=mask; first_name=Yseult=mask; first_name=Gwenaël=mask"},
		{"fr", "Bonjour à toutes et à tous, Solenn, 34 ans", "first_name=Solenn=mask; age=34 ans=unsure"},
		{"fr", "Solenn tu as raison", "first_name=Solenn=mask"},
		{"fr", "qu'en penses-tu Solenn ?", "first_name=Solenn=mask"},
		{"fr", "Parfois tu te trompes, qu'en penses-tu ?", "-"},
		{"fr", "Cordialement,<br/>Solenn", "first_name=Solenn=mask"},
		{"fr", "je m'appelle <b>Ga&euml;lle</b>", "first_name=Ga&euml;lle=mask"},
		{"fr", "Mme Rose Petit et Mr. Dupont-Moretti", "full_name=Rose Petit=mask; last_name=Dupont-Moretti=mask"},
		{"fr", "Voilà ma réponse.\nMerci", "-"},
		{"fr", "J'ai lu le chapitre. Pierre angulaire du cours, la page 3 est claire.", "-"},
	})
}

// What is said of public figures speaks against masking, beside whatever else
// speaks for it.
func TestPublicFiguresAreProposedToBeKept(t *testing.T) {
	checkTold(t, []telling{
		{"fr", "j'adore les romans de Amélie Nothomb", "full_name=Amélie Nothomb=keep; full_name=Amélie Nothomb=unsure"},
		{"fr", "le théorème de Gauss", "last_name=Gauss=keep"},
		{"fr", "la chanteuse Édith Piaf", "full_name=Édith Piaf=keep"},
		{"en", "a novel by Jane Austen", "full_name=Jane Austen=keep"},
		{"es", "una novela de Rosa Montero", "full_name=Rosa Montero=keep"},
		{"it", "il romanzo di Elsa Morante", "full_name=Elsa Morante=keep"},
		{"pt", "um livro de José Saramago", "full_name=José Saramago=keep"},
		{"ca", "una novel·la de Mercè Rodoreda", "full_name=Mercè Rodoreda=keep"},
	})
	for _, g := range told(shippedESLO(t), "fr", "le message de Amélie Nothomb est clair") {
		if strings.HasSuffix(g, "=keep") {
			t.Errorf("somebody's message is taken for a work: %s", g)
		}
	}
}

func TestFrenchGrammarFindsWhatPeopleTell(t *testing.T) {
	checkTold(t, []telling{
		{"fr", "j'habite à Pithiviers", "place=Pithiviers=mask"},
		{"fr", "jhabite a pithiviers", "place=pithiviers=mask"},
		{"fr", "J'habite à Paris depuis peu", "place=Paris=unsure"},
		{"fr", "j'habite en France", "-"},
		{"fr", "je suis de Pithiviers (45)", "place=Pithiviers=mask"},
		{"fr", "je vis près de Saint-Jean-de-Bray", "place=Saint-Jean-de-Bray=mask"},
		{"fr", "j'ai 34 ans et j'ai grandi à Vierzon", "age=34 ans=unsure; place=Vierzon=mask"},
		{"fr", "g 19ans et je suis en L2 de droit", "age=19ans=unsure; study=L2 de droit=unsure"},
		{"fr", "j'ai 10 ans d'expérience", "-"},
		{"fr", "Je suis infirmière scolaire au lycée Jules Verne", "job=infirmière scolaire=unsure; organisation=lycée Jules Verne=mask"},
		{"fr", "je suis mère de trois enfants, divorcée", "family=trois enfants=unsure; family=divorcée=unsure"},
		{"fr", "étudiante en biologie, je suis étudiante en droit à Lille", "study=étudiante en droit=unsure"},
		{"fr", "je suis étudiante à l'INSA de Vierzon", "organisation=INSA de Vierzon=mask"},
		{"fr", "la fac de lettres de Vierzon", "organisation=fac de lettres de Vierzon=mask"},
		{"fr", "mon mari est boulanger", "job=boulanger=unsure"},
		{"fr", "je suis dyslexique", "health=dyslexique=unsure"},
		{"fr", "je suis bénévole à la Croix", "association=bénévole à la Croix=unsure"},
		{"fr", "je suis d'accord, je suis en train de lire, je suis sûr", "-"},
		{"fr", "je viens de finir la semaine 2", "-"},
		{"fr", "je travaille dans mon coin sur l'exercice", "-"},
	})
}

// FuzzGrammarsMarkWholeWordsOfTheText: marks lie in the text, on token borders,
// and a text is marked alike each time.
func FuzzGrammarsMarkWholeWordsOfTheText(f *testing.F) {
	for _, seed := range []string{"je m'appelle Zo&eacute; 19ans", "Cordialement,\nZoé", "mon fils Jean-Marc d'Angers", "my name is <b>Ann</b>", "J.-M. @zoe `x` http://a.b/c", "Le Mans et Saint-Jean-de-Bray", "d'’d' - -"} {
		f.Add(seed)
	}
	eslo := shippedESLO(f)
	f.Fuzz(func(t *testing.T, text string) {
		doc := NewDocument(corpus.Post{}, "body", []byte(text))
		marks, again := eslo.Detect(doc, nil), eslo.Detect(doc, nil)
		if len(marks) != len(again) {
			t.Fatal("marked otherwise the second time")
		}
		for i, m := range marks {
			if m.Start < 0 || m.End <= m.Start || m.End > len(text) || m.Start != again[i].Start {
				t.Fatalf("mark %d:%d of %d bytes", m.Start, m.End, len(text))
			}
			if !m.Category.Valid() || !m.Proposal.Valid() || m.What == "" || m.Score <= 0 || m.Score > 1 {
				t.Fatalf("mark without sense: %+v", m)
			}
		}
	})
}

func BenchmarkESLO(b *testing.B) {
	benchmarkDetector(b, shippedESLO(b))
}

// The same texts, read by several goroutines at once, are marked as by one.
func TestGrammarsAndPatternsAreSafeForConcurrentUse(t *testing.T) {
	texts := []string{"je m'appelle Solenn, j'habite à Pithiviers", "my name is Bronwyn, call 202-555-0143", "vivo en Calatayud, zoe@ejemplo.es", "abito a Voghera, via Roma 3, Voghera"}
	for _, detector := range []Detector{shippedESLO(t), NewPatterns()} {
		want := make([]int, len(texts))
		for i, text := range texts {
			want[i] = len(marksOf(detector, "", text))
		}
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for range 20 {
					for i, text := range texts {
						if got := len(marksOf(detector, "", text)); got != want[i] {
							t.Errorf("%s: %d marks, alone %d", detector.Name(), got, want[i])
						}
					}
				}
			})
		}
		group.Wait()
	}
}

// BenchmarkOpenESLO is what every command that needs the grammars pays once.
func BenchmarkOpenESLO(b *testing.B) {
	general, err := lists.Open()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewShippedESLO(general); err != nil {
			b.Fatal(err)
		}
	}
}
