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
		letters += float64(t.form.characters)
		count(&capitals, t.Any(Capital))
		count(&names, f.entry.Is(lists.FirstName))
		count(&countries, f.entry.Is(lists.Country))
		count(&cities, f.entry.Is(lists.Place) && f.entry.Population >= largePlace)
		count(&elongations, t.form.run > 2)
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
		"frequent word", "rare surname", "possessive after", "name across and", "frequent after", "verb after", "object before",
	}
}

// candidate reports whether a word could be a name at all: listed as one, or
// written like one, or in no list.
func (r *wordReader) candidate(doc *Document, i int) bool {
	f := &r.facts[i]
	if !f.word || doc.Tokens[i].form.runes < 2 {
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
	dst = append(dst, float64(min(t.form.runes, 15)), float64(f.authors))
	dst = r.before(doc, i, dst)
	dst = r.after(doc, i, dst)
	share := 0.0
	if r.all > 0 {
		share = float64(r.capitals) / float64(r.all)
	}
	dst = append(dst, share, float64(min(r.all, 100)))
	flag(e.Frequent(doc.Lang))
	flag(e.Is(lists.RareSurname))
	flag(possessive(doc, i))
	flag(r.nameAcross(doc, i))
	n, p := doc.Next(i), doc.Previous(i)
	ends := n < 0 || doc.Tokens[n].Any(LineStart)
	flag(!ends && r.facts[n].entry.Frequent(doc.Lang))
	flag(!ends && doc.Tokens[n].form.role&roleVerb != 0)
	flag(p >= 0 && !doc.Tokens[i].Any(LineStart) && doc.Tokens[p].form.role&roleOfPeople != 0)
	return dst
}

// finiteVerbs are forms that follow a subject in the third person: what stands
// before them at the beginning of a clause is somebody, or something that acts.
var finiteVerbs = wordSet(`is isn was wasn has hasn had did didn does doesn will won would wouldn can could couldn should must might may
	looks looked seems plays played wins gets got goes went makes made comes came loves loved likes liked wants wanted knows knew thinks
	died dies sings sang needs needed keeps kept gave gives takes took runs ran tries tried left lost called calls asked asks talks
	told tells speaks spoke became started stopped killed deserves sounds smiled laughed cried
	est etait sera a avait aura va veut peut doit fait joue chante aime pense croit vient dort rit pleure gagne perd parle
	es era sera ha habia va quiere puede debe hace juega canta piensa cree viene gana pierde habla tiene
	e era sara ha aveva va vuole puo deve fa gioca canta ama pensa crede viene vince perde parla
	foi sera tem tinha vai quer pode deve faz joga canta pensa acha vem ganha perde fala
	es era sera te tenia va vol pot ha fa juga canta pensa creu ve guanya perd parla
	ist war wird hat hatte geht ging will kann muss macht spielt singt liebt denkt glaubt kommt gewinnt verliert spricht`)

// ofPeople are verbs and nouns whose object or complement is mostly somebody.
var ofPeople = wordSet(`love loves loved miss missed meet met marry married hug hugged kiss kissed date dating invited text texted call called tell told
	ask asked thank thanked congratulate thanks dear poor king queen president actor actress singer captain coach brother sister
	aime adore epouse rencontre embrasse pauvre cher chere president chanteur chanteuse acteur actrice capitaine
	quiero amo conoci beso pobre presidente cantante actor actriz capitan
	amo adoro incontrato povero povera presidente cantante attore attrice capitano
	amo conheci coitado coitada presidente cantor cantora ator atriz capitao
	estimo conec pobre president cantant actor actriu capita
	liebe kenne traf arme armer prasident sanger schauspieler kapitan`)

// possessive reports whether an English "'s" follows token i, apart or not: some
// texts are cut into words already.
func possessive(doc *Document, i int) bool {
	n := doc.Next(i)
	if n < 0 || doc.Tokens[n].Folded != "'" {
		return false
	}
	s := doc.Next(n)
	return s >= 0 && doc.Tokens[s].Folded == "s" && !doc.Tokens[s].Any(LineStart)
}

// nameAcross reports whether "and" or a comma stands between token i and a word
// of the lists of given names.
func (r *wordReader) nameAcross(doc *Document, i int) bool {
	for _, step := range [...]func(int) int{doc.Previous, doc.Next} {
		j := step(i)
		if j < 0 || doc.Tokens[j].form.role&roleAnd == 0 {
			continue
		}
		if k := step(j); k >= 0 && r.facts[k].entry.Is(lists.UsualName) && doc.Tokens[k].Any(Capital) == doc.Tokens[i].Any(Capital) {
			return true
		}
	}
	return false
}

// ands are what joins two names of a list.
var ands = wordSet(", & et and y e i und con with avec com amb mit")

// role is which of these lists a word is in.
type role uint8

const (
	roleVerb role = 1 << iota
	roleOfPeople
	roleAnd
)

func roleOf(folded string) role {
	var r role
	if finiteVerbs[folded] {
		r |= roleVerb
	}
	if ofPeople[folded] {
		r |= roleOfPeople
	}
	if ands[folded] {
		r |= roleAnd
	}
	return r
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
				cue = doc.Tokens[k].form.cue & (cueCalled | cueTitled)
			}
		} else {
			cue, entry = p.form.cue, r.facts[j].entry
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
		surname = capital && e.Is(lists.Surname|lists.RareSurname)
		says = t.form.cue&cueSays != 0
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
