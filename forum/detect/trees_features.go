package detect

import (
	"math/bits"
	"unicode/utf8"

	"anonymooc/forum/lists"
)

// MessageFeatures names the features of a message: the twelve of Patel et al.
// 2013 (section 4 and table 5), counted in words.
func MessageFeatures() []string {
	return []string{"capitals", "length", "first names", "countries", "cities", "word length",
		"numbers", "elongations", "abbreviations", "punctuation", "dictionary words", "pronouns"}
}

// messageFeatures appends them. Length is in characters, as in the paper.
func (r *wordReader) messageFeatures(doc *Document, dst []float64) []float64 {
	var capitals, names, countries, cities, letters, numbers, elongations, chat, punctuation, words, pronouns float64
	for i := range doc.Tokens {
		t, f := &doc.Tokens[i], &r.facts[i]
		switch {
		case t.Any(Number):
			numbers++
		case t.Any(Punct):
			punctuation++
		}
		if !f.word {
			continue
		}
		letters += float64(utf8.RuneCountInString(t.Text))
		count(&capitals, t.Any(Capital))
		count(&names, f.entry.Is(lists.FirstName))
		count(&countries, f.entry.Is(lists.Country))
		count(&cities, f.entry.Is(lists.Place) && f.entry.Population >= largePlace)
		count(&elongations, longestRun(t.Folded) > 2)
		count(&chat, f.entry.Is(lists.Chat))
		count(&words, f.entry.Is(r.words))
		count(&pronouns, f.entry.Is(lists.Pronoun))
	}
	mean := 0.0
	if r.all > 0 {
		mean = letters / float64(r.all)
	}
	return append(dst, capitals, float64(utf8.RuneCountInString(doc.Text())), names, countries, cities, mean,
		numbers, elongations, chat, punctuation, words, pronouns)
}

func count(n *float64, yes bool) {
	if yes {
		*n++
	}
}

// MentionFeatures names the features of a word.
func MentionFeatures() []string {
	return []string{
		"first name", "usual name", "surname", "word", "foreign word", "stop word", "place", "no name list", "proper noun", "label",
		"capital", "all capitals", "mixed case", "sentence start", "length", "other authors",
		"called", "titled", "introduced", "preposition before", "article before", "pronoun before", "capital before", "name before",
		"capital after", "surname after", "says after", "comma after", "apostrophe before", "hyphen beside",
		"alone", "last", "capitals in text", "words in text",
	}
}

// candidate reports whether a word could be a name at all: listed as one, or
// written like one, or in no list.
func (r *wordReader) candidate(doc *Document, i int) bool {
	f := &r.facts[i]
	if !f.word || utf8.RuneCountInString(doc.Tokens[i].Folded) < 2 {
		return false
	}
	return f.label != LabelIgnore || doc.Tokens[i].Any(Capital) && !f.entry.Is(lists.Pronoun|lists.Title|lists.Onomatopoeia|r.words&lists.AnyStop)
}

// mentionFeatures appends the features of token i.
func (r *wordReader) mentionFeatures(doc *Document, i int, dst []float64) []float64 {
	t, f := &doc.Tokens[i], &r.facts[i]
	e := f.entry
	flag := func(yes bool) { dst = append(dst, one(yes)) }
	flag(e.Is(lists.FirstName))
	flag(e.Is(lists.UsualName))
	flag(e.Is(lists.Surname))
	flag(e.Is(r.words & lists.AnyWord))
	flag(e.Is(lists.AnyWord))
	flag(e.Is(lists.AnyStop))
	dst = append(dst, float64(bits.Len32(e.Population)))
	flag(e.Is(lists.Country | lists.Demonym | lists.Institution | lists.Chat | lists.Title | lists.Onomatopoeia))
	flag(e.Is(lists.Proper))
	dst = append(dst, float64(f.label))
	flag(t.Any(Capital))
	flag(t.Any(AllCaps))
	flag(t.Any(Mixed))
	flag(t.Any(SentenceStart))
	dst = append(dst, float64(min(utf8.RuneCountInString(t.Folded), 15)), float64(f.authors))
	dst = r.before(doc, i, dst)
	dst = r.after(doc, i, dst)
	share := 0.0
	if r.all > 0 {
		share = float64(r.capitals) / float64(r.all)
	}
	return append(dst, share, float64(min(r.all, 100)))
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// before appends what stands before token i.
func (r *wordReader) before(doc *Document, i int, dst []float64) []float64 {
	j := doc.Previous(i)
	if j >= 0 && doc.Tokens[j].Folded == "'" {
		j = doc.Previous(j)
	}
	var cue cue
	var entry lists.Entry
	capital := false
	if j >= 0 && !doc.Tokens[i].Any(LineStart) {
		p := &doc.Tokens[j]
		k := j
		if p.Folded == "." || p.Folded == "," || p.Folded == "-" { // M. X · merci, X
			if k = doc.Previous(j); k >= 0 {
				cue = cues[doc.Tokens[k].Folded] & (cueCalled | cueTitled)
			}
		} else {
			cue, entry = cues[p.Folded], r.facts[j].entry
			capital = p.Any(Capital) && !p.Any(SentenceStart)
		}
	}
	return append(dst, one(cue&cueCalled != 0), one(cue&cueTitled != 0 || entry.Is(lists.Title)), one(cue&cueIntroduced != 0),
		one(cue&cuePreposition != 0), one(cue&cueArticle != 0), one(entry.Is(lists.Pronoun)), one(capital), one(entry.Is(lists.UsualName)))
}

// after appends what stands after token i, and what is beside it.
func (r *wordReader) after(doc *Document, i int, dst []float64) []float64 {
	n := doc.Next(i)
	var capital, surname, says, comma, hyphen bool
	last := n < 0 || doc.Tokens[n].Any(LineStart)
	if !last {
		t := &doc.Tokens[n]
		e := r.facts[n].entry
		capital = t.Any(Capital)
		surname = capital && e.Is(lists.Surname)
		says = cues[t.Folded]&cueSays != 0
		comma = t.Any(Punct) && (t.Text == "," || t.Text == "!" || t.Text == ":")
		hyphen = t.Text == "-" && !t.Any(SpaceBefore)
	}
	p := doc.Previous(i)
	apostrophe := p >= 0 && doc.Tokens[p].Folded == "'"
	hyphen = hyphen || p >= 0 && doc.Tokens[p].Text == "-" && !doc.Tokens[i].Any(SpaceBefore)
	alone := last && doc.Tokens[i].Any(LineStart)
	return append(dst, one(capital), one(surname), one(says), one(comma), one(apostrophe), one(hyphen), one(alone), one(last))
}

// cue is what a word says of the word after or before it.
type cue uint8

const (
	cueCalled      cue = 1 << iota // greeting, thanks: a name follows
	cueTitled                      // title or kinship: a name follows
	cueIntroduced                  // am, is called, by: a name follows
	cuePreposition                 // with, for, at: a person or place follows
	cueArticle                     // a common word follows
	cueSays                        // says, thinks: a person stands before
)

// cues are the words of seven languages that tell about their neighbours,
// folded. Words that would serve two ways in two languages serve both.
var cues = cueTable()

func cueTable() map[string]cue {
	table := make(map[string]cue)
	for c, words := range map[cue]string{
		cueCalled: `merci bonjour bonsoir salut coucou hello bienvenue bravo cher chere chers cheres felicitations desole pardon slt bjr cc
			hola gracias querido querida estimado estimada saludos enhorabuena bienvenido bienvenida felicidades
			ciao grazie caro cara cari gentile buongiorno buonasera salve complimenti benvenuto benvenuta
			ola oi obrigado obrigada querido querida prezado prezada parabens valeu bem-vindo
			gracies benvolgut benvolguda benvingut benvinguda felicitats
			hi hey dear thanks thank thx ty cheers welcome sorry congrats congratulations bye
			hallo danke liebe lieber willkommen moin servus`,
		cueTitled: `monsieur madame mademoiselle mme mlle dr docteur prof professeur maitre tonton tata tante oncle papi mamie soeur frere
			fils fille cousin cousine ami amie copain copine voisin voisine collegue mari femme
			senor senora sra sr don dona profesor profesora hermano hermana hijo hija primo prima amigo amiga
			signor signora dott professore professoressa fratello sorella figlio figlia zio zia amico amica
			senhor senhora irmao irma filho filha senyor senyora germa germana fill filla
			mr mrs ms miss sir brother sister son daughter uncle aunt friend colleague husband wife cousin
			herr frau bruder schwester sohn tochter`,
		cueIntroduced: `suis appelle appelles appellent prenomme nomme signe soy llamo llama llaman sono chiamo chiama sou chamo chama
			dic diuen im am name named called is heisse heisst bin`,
		cuePreposition: `a avec pour chez par selon comme et ou sans contre entre de d con para por segun y e o sin da per secondo
			com pelo pela sem amb segons i with for by from to and or about like of at via mit fur von bei und`,
		cueArticle: `le la les un une des du ce cet cette mon ma mes ton ta tes son sa ses notre votre leur au aux
			el los las unos unas este esta ese esa mi mis su sus il lo gli uno una questo questa mio mia suo
			o os as um uma este esta esse essa meu minha seu sua els aquest aquesta meu meva
			the an this that my your his her our their these those der die das den dem ein eine mein meine`,
		cueSays: `dit disait ecrit pense propose explique demande repond a as est va peut fait
			dice dijo escribe piensa propone ha es va puede hace dico scrive pensa fa
			disse escreveu acha pensa diz diu pensa pot
			said says wrote thinks asked has is was will can did does sagt schrieb hat ist`,
	} {
		for w := range wordSet(words) {
			table[w] |= c
		}
	}
	return table
}
