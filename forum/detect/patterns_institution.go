package detect

import (
	"regexp"
	"strings"
)

// schoolWords are the nouns of institutions that have a number for a name: "lycée
// n° 117". wardWords are those of which an exercise counts some too, and which
// begin with a capital where they are a name's.
const (
	schoolWords = `lycee college ecole maternelle creche internat universite institut gymnasium kindergarten academy nursery
		school university escuela colegio liceo instituto secundaria preparatoria guarderia universidad cetis cbtis conalep jardin jardim
		scuola istituto asilo escola liceu creche llar schule grundschule hauptschule realschule gesamtschule mittelschule
		oberschule berufsschule kita orphanage orphelinat`
	wardWords = `hospital hopital polyclinique polyclinic clinique clinic dispensaire dispensary krankenhaus poliklinik clinica ospedale`
)

// institutionForms are the ways an institution is called by its number.
type institutionForms struct {
	wards, gardens map[string]bool
	between        *regexp.Regexp // from the noun to the number
	quoted         *regexp.Regexp // a name in quotes behind the number
	stands         *regexp.Regexp // what follows a number without a sign before it
	counted        *regexp.Regexp // what is counted or compared behind the number
	first          *regexp.Regexp // behind "no. 1": the best one
}

// farthestNumber bounds how many tokens stand between the noun and the number.
const farthestNumber = 8

func newInstitutionForms() *institutionForms {
	const kind = `primaires?|primaria|prim[àa]ria|secondaire|secundaria|secund[àa]ria|elementare|elementary|primary|secondary|middle|high|grammar|maternelle|fondamentale|publique|p[úu]blic[ao]|public|privée|privada|` +
		`municipal|communale|comunale|rural|estadual|estatal|statale|staatliche|state|t[eé]cnic[ao]|t[eè]cnica|técnico|tecnico|technique|technical|industrial|professionnel|professionale|profissional|comprensivo|comprehensive|` +
		`scientifico|classico|b[áa]sica|media|nacional|national|nationale|superiore|general|générale|medical|maternité|experimental|especial|special|spéciale|de infantes|de infância|de niños|d['’]enfants|d['’]infants|d['’]infanzia|dell['’]infanzia|` +
		`de formación|de educación|d['’]enseignement|de salud|de santé|mixte|mixta|de filles|de garçons|de niñas|boarding|evening|specialised|specialized`
	const sign = `(?:n[°ºo]\.?|n\.\s?[°ºo]?\.?|nr\.?|no\.?|num\.?|núm\.?|number|num[ée]ro|n[úu]mero|nummer|№|#)`
	return &institutionForms{
		wards:   wordSet(wardWords),
		gardens: wordSet("jardin jardim llar"),
		between: regexp.MustCompile(`(?i)^((?:\s(?:` + kind + `)){0,3})\s(` + sign + `\s?)?$`),
		quoted:  regexp.MustCompile(`^,?\s["«“]\s?\pL[^"»”\n]{1,40}["»”]`),
		stands:  regexp.MustCompile(`^(?:$|[.,;:!?)\n"»]|\s(?:de|del|di|da|do|of|d['’])\s?\p{Lu})`),
		counted: regexp.MustCompile(`(?i)^(?:\s?[%€$°]|[.,]\d|\s?[\-–]\s?\d|\s(?:%|et|and|y|e|und|i|a|à|to|vs|ou|or|o)\s(?:n[°º]\s?|no\.?\s)?\d)`),
		first:   regexp.MustCompile(`(?i)^\s?(?:mond|world|in the|au monde|de france|du |en france|del mundo|del pa|de esp|d['’]europe|europ|al mondo|d['’]italia|in italia|do mundo|do brasil|der welt|weltweit|in deutschland|national|for|pour|para|per|für|\p{Ll}{4,})`),
	}
}

// find marks the institution whose number is token i: the noun, the sign and the
// number, and the name in quotes behind it.
func (f *institutionForms) find(s *scan, i int) bool {
	t := &s.doc.Tokens[i]
	if t.Flags&Number == 0 || len(t.Text) > 4 || t.Flags&(LineStart|InMarkup) != 0 || len(digitsOf(t.Text)) != len(t.Text) {
		return false
	}
	noun := i - 1
	for ; ; noun-- {
		if noun < 0 || noun < i-farthestNumber || s.doc.Tokens[noun+1].Flags&LineStart != 0 {
			return false
		}
		if s.doc.Tokens[noun].form.anchors&anchorSchool != 0 {
			break
		}
	}
	word := &s.doc.Tokens[noun]
	m := f.between.FindStringSubmatchIndex(s.text[word.at+len(word.Text) : t.at])
	if m == nil {
		return false
	}
	capital := word.Flags&Capital != 0
	end := t.at + len(t.Text)
	rest, _ := s.window(end, 0, 64)
	switch {
	case f.wards[word.Folded] && !capital, f.gardens[word.Folded] && m[2] == m[3], wordLike(s.runeAfter(end)), f.counted.MatchString(rest):
		return false
	case !capital && s.doc.Lang == "en":
		return false // "school number 4" of a table
	case t.Text == "1" && f.first.MatchString(rest):
		return false
	case m[4] < 0 && !f.bare(s, word, t, rest, capital, m[2] < m[3]):
		return false
	}
	score, proposal, what := 0.87, Mask, "institution with a number for a name"
	switch {
	case m[4] < 0 && !capital:
		score, proposal = 0.5, Unsure
	case m[4] < 0:
		score = 0.65
	}
	if quoted := f.quoted.FindStringIndex(rest); quoted != nil {
		end += quoted[1]
	}
	start := word.at
	for j := noun - 1; capital && s.doc.Lang == "en" && j >= max(noun-3, 0); j-- { // "Lower Valley School No. 4"
		before := &s.doc.Tokens[j]
		if before.Flags&(Word|Capital) != Word|Capital || before.Flags&SentenceStart != 0 || s.doc.Tokens[j+1].Flags&LineStart != 0 {
			break
		}
		start = before.at
	}
	s.add(start, end, Organisation, proposal, score, what)
	return true
}

// bare reports whether a number without a sign is a name: "Escuela 740", "liceo 6
// de Santiago". In a study there are a school 1 and a School 2.
func (f *institutionForms) bare(s *scan, word, number *Token, rest string, capital, kind bool) bool {
	if !f.stands.MatchString(rest) || year(number.Text) {
		return false
	}
	named := len(rest) > 0 && rest[0] == ' ' // "… of Lima"
	switch s.doc.Lang {
	case "es", "it", "pt", "ca":
		return named || kind && len(number.Text) > 1 || capital && len(number.Text) > 1 && word.Flags&SentenceStart == 0
	}
	return capital && word.Flags&SentenceStart == 0 && len(number.Text) > 2
}

// year reports whether a number is one of the years of which people speak.
func year(number string) bool {
	return len(number) == 4 && (number[0] == '1' && number[1] >= '7' || strings.HasPrefix(number, "20"))
}
