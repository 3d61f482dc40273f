package forum

import (
	"slices"
	"strings"
	"unicode/utf8"

	"anonymooc/forum/detect"
)

// stand is what a text shows about a mention, whatever it may name.
type stand struct {
	capital, opening, allCaps, small bool
	called, signed, article          bool
	vocative                         bool // called, and nothing but punctuation or others after it
	kin                              bool // after "the daughter of"
	own                              bool // beside another name of the same person, with a nickname between
	otherName, goesOn, located       bool
	person                           string // why only a person can stand there; empty when others can
	bare                             bool   // a number or a single letter
	markup                           bool   // in a tag, a comment or a web address
	public                           bool   // in the name of somebody known to the public, written out
	thing                            bool   // in the name of a thing, of several words
	contact                          bool   // an e-mail address follows on the line
	apart                            bool   // between the start of a sentence and punctuation
	neverSmall                       bool   // the corpus always writes it with a capital
	caseless                         bool   // the text has no capital at all, and the word is no word of grammar
	word                             bool   // dictionary words of the text's language
	foreign                          bool   // dictionary words of any language
	nameLike                         bool   // the word after it is on a list of names
	plain                            bool   // words of letters only
	compound                         bool   // several words
	key                              string // formKey
}

func (e *Engine) standOf(doc *detect.Document, from, to int) stand {
	first, last := &doc.Tokens[from], &doc.Tokens[to-1]
	capital := first.Any(detect.Capital) || particles[first.Folded] && last.Any(detect.Capital) // "van der Meer"
	s := stand{
		capital: capital, opening: first.Any(detect.SentenceStart),
		allCaps: first.Any(detect.AllCaps), small: !capital,
		called: called(doc, from), article: article(doc, from), person: onlyPerson(doc, from, to),
		bare:  to-from == 1 && (first.Any(detect.Number) || utf8.RuneCountInString(first.Text) == 1),
		plain: true, compound: to-from > 1, located: located(doc, from),
	}
	s.signed, s.contact = signed(doc, from, to), contact(doc, to)
	s.markup = first.Any(detect.InMarkup | detect.InURL)
	s.word = e.options.Words != nil
	s.foreign = s.word
	for i := from; i < to; i++ {
		tok := &doc.Tokens[i]
		s.plain = s.plain && tok.Any(detect.Word|detect.Punct)
		s.foreign = s.foreign && (tok.Any(detect.Punct) || e.said.common("", tok))
		s.word = s.word && (tok.Any(detect.Punct) || e.said.common(doc.Lang, tok))
	}
	s.caseless = s.small && s.word && !detect.IsFunctionWord(doc.Lang, first.Folded) && caseless(doc)
	if s.allCaps && !doc.Shouting() {
		s.opening = false // capitals in a text without them are meant
	}
	if used := e.usages.of(first.Folded); used.capital > 0 {
		s.neverSmall = used.small < 0.1
	}
	s.apart = s.opening && s.capital && (to == len(doc.Tokens) || strings.Contains(",.!()…:", doc.Tokens[to].Text))
	s.vocative = s.called && e.endsAddress(doc, to)
	s.kin, s.own = kinOf(doc, from), e.ownBeside(doc, from, to)
	s.opening = s.opening && !quotedInside(doc, from, to)
	s.otherName = s.capital && (e.nameBeside(doc, to, +1, last) || e.nameBeside(doc, from-1, -1, first))
	if to < len(doc.Tokens) && e.options.Words != nil {
		next := &doc.Tokens[to]
		s.nameLike = e.said.surname(next) || e.said.firstName(next)
	}
	s.goesOn = s.capital && !s.called && goesOn(doc, to)
	return s
}

// caseless reports whether nothing in a text has a capital, the English "I"
// aside: whoever writes so writes names so too.
func caseless(doc *detect.Document) bool {
	for i := range doc.Tokens {
		if tok := &doc.Tokens[i]; tok.Any(detect.Capital) && len(tok.Text) > 1 && !tok.Any(detect.InURL|detect.InMarkup) {
			return false
		}
	}
	return true
}

// goesOn reports whether a name is followed by a particle and a capital: "Inês
// de Castro".
func goesOn(doc *detect.Document, i int) bool {
	if i+1 >= len(doc.Tokens) || !particles[doc.Tokens[i].Folded] || doc.Tokens[i].Any(detect.LineStart|detect.Capital) {
		return false
	}
	j := i + 1
	if doc.Tokens[j].Folded == "'" && j+1 < len(doc.Tokens) {
		j++
	}
	return doc.Tokens[j].Has(detect.Word|detect.Capital) && !doc.Tokens[j].Any(detect.LineStart)
}

// prepositions stand before places. Some stand before people too, which is why
// they only count against names that are places as well.
var prepositions = wordSet("au aux en vers depuis pres in at to from near en em no na hacia desde verso presso")

// toPlace are the languages in which a bare "a" means "to" or "at".
var toPlace = wordSet("es it ca")

// located reports whether token i stands after a preposition of place.
func located(doc *detect.Document, i int) bool {
	j := doc.Previous(i)
	if j < 0 || doc.Tokens[i].Any(detect.LineStart) {
		return false
	}
	before := &doc.Tokens[j]
	return prepositions[before.Folded] || before.Text == "à" || before.Text == "À" || before.Folded == "a" && toPlace[doc.Lang] || before.Folded == "da" && doc.Lang == "it"
}

// nameBeside reports whether the token at i, next to a name, is a capitalised
// word that seems to go on with it.
func (e *Engine) nameBeside(doc *detect.Document, i, step int, name *detect.Token) bool {
	if i < 0 || i >= len(doc.Tokens) {
		return false
	}
	tok := &doc.Tokens[i]
	right := tok
	if step < 0 {
		right = name
	}
	if tok.Text == "-" {
		return e.nameBeside(doc, i+step, step, name)
	}
	if tok.Folded == name.Folded || e.samePerson(tok.Folded, name.Folded) || detect.IsFunctionWord(doc.Lang, tok.Folded) || tok.Any(detect.AllCaps) && len(tok.Text) <= 3 {
		return false
	}
	if !tok.Has(detect.Word|detect.Capital) || right.Any(detect.LineStart) || utf8.RuneCountInString(tok.Text) < 2 {
		return false
	}
	if step < 0 && (callings[tok.Folded] || tok.Any(detect.SentenceStart) && (e.options.Words == nil || e.said.common(doc.Lang, tok) && !e.said.firstName(tok))) {
		return false
	}
	return !(tok.Any(detect.AllCaps) && name.Any(detect.AllCaps))
}

// samePerson reports whether two folded words are names of one person.
func (e *Engine) samePerson(a, b string) bool {
	for _, r := range e.catalogue.Single(a) {
		for _, s := range e.catalogue.Single(b) {
			for _, entity := range r.Entities {
				if _, ok := slices.BinarySearch(s.Entities, entity); ok {
					return true
				}
			}
		}
	}
	return false
}

// callings are the words that a name follows when somebody is addressed or
// thanked, and titles.
var callings = wordSet(`merci bonjour bonsoir salut coucou hello bienvenue bravo cher chere chers cheres felicitations desole desolee pardon
	enchante enchantee re rebonjour mme madame monsieur messieurs mesdames dames mr m mlle mademoiselle dr docteur pr prof professeur maitre tonton tata signe
	hola gracias querido querida estimado estimada don dona senor senora sr sra profe saludos enhorabuena bienvenido bienvenida
	ciao grazie caro cara gentile signor signora dott sig buongiorno buonasera salve complimenti benvenuto benvenuta
	ola oi obrigado obrigada querido querida caro cara senhor senhora parabens valeu prezado prezada
	gracies benvolgut benvolguda bon hola benvingut benvinguda senyor senyora
	hi hey dear thanks thank thx cheers welcome sorry congrats congratulations mrs ms miss sir professor
	encantado encantada accord acuerdo acord accordo acordo bisou bisous beso besos abrazo saludo saluto beijo abraco bacio bacioni bises
	hallo danke liebe lieber herr frau
	спасибо привет здравствуйте`)

// called reports whether token i stands where somebody is addressed.
func called(doc *detect.Document, i int) bool { return calledAt(doc, i, 0) }

// joiners stand between people who are addressed together.
var joiners = wordSet(", et y e i and und & и")

// mostJoined bounds how many people are taken to be addressed together.
const mostJoined = 6

func calledAt(doc *detect.Document, i, depth int) bool {
	j := doc.Previous(i)
	if j >= 0 && (doc.Tokens[j].Text == "." || doc.Tokens[j].Text == "," && !joinsNames(doc, j)) {
		j = doc.Previous(j)
	}
	if j < 0 || doc.Tokens[i].Any(detect.LineStart) && doc.Tokens[j].Folded != "," {
		return false
	}
	if fillers[doc.Tokens[j].Folded] {
		j = doc.Previous(j)
	}
	if j > 0 && joiners[doc.Tokens[j].Folded] && depth < mostJoined {
		// "Merci à Anna, Bruno et Carla": what holds for one holds for all.
		if before := doc.Previous(j); before >= 0 && doc.Tokens[before].Any(detect.Word) {
			return calledAt(doc, before, depth+1)
		}
	}
	return j >= 0 && callings[doc.Tokens[j].Folded] && !(doc.Tokens[j].Any(detect.AllCaps) && !doc.Tokens[i].Any(detect.AllCaps))
}

// joinsNames reports whether the comma at token i follows a word that is no
// greeting itself ("Merci Anna, Bruno", not "Bonjour, Bruno").
func joinsNames(doc *detect.Document, i int) bool {
	before := doc.Previous(i)
	return before >= 0 && doc.Tokens[before].Any(detect.Word) && !callings[doc.Tokens[before].Folded]
}

// fillers may stand between a greeting and a name.
var fillers = wordSet("avec con amb com beaucoup a mon ma you muy moltes mille tanto tanta infiniment encore bien la le o a en na")

// articles stand before common words, and in some languages before names.
var articles = wordSet("le la les un une des du l the a an el los las una unos il lo gli i uno os as um uma els de d son sa mon ma ton ta cette ce cet this my your")

// namedWithArticle are the languages that put an article before first names.
var namedWithArticle = wordSet("ca pt it")

func article(doc *detect.Document, i int) bool {
	j := doc.Previous(i)
	if j >= 0 && doc.Tokens[j].Folded == "'" {
		j = doc.Previous(j)
		return j >= 0 && doc.Tokens[j].Folded == "l"
	}
	if j < 0 || doc.Tokens[i].Any(detect.LineStart) || doc.Tokens[j].Folded == "de" || doc.Tokens[j].Folded == "d" || doc.Tokens[j].Folded == "a" {
		return false
	}
	return articles[doc.Tokens[j].Folded]
}

// signed reports whether tokens from to to end the text or stand alone on a line.
func signed(doc *detect.Document, from, to int) bool {
	after := to
	for after < len(doc.Tokens) && doc.Tokens[after].Any(detect.Punct) && !doc.Tokens[after].Any(detect.LineStart) && after-to < 4 {
		after++
	}
	endsLine := after >= len(doc.Tokens) || doc.Tokens[after].Any(detect.LineStart)
	before := from
	for before > 0 && !doc.Tokens[before].Any(detect.LineStart) && doc.Tokens[before-1].Any(detect.Punct) {
		before--
	}
	startsLine := before == 0 || doc.Tokens[before].Any(detect.LineStart)
	startsSentence := doc.Tokens[from].Any(detect.SentenceStart)
	return endsLine && (startsLine && before+to > 0 && len(doc.Tokens) > to-from || startsSentence && after >= len(doc.Tokens))
}

// contact reports whether an e-mail address follows before the line ends, as it
// does under many posts: "Anna Kern | anna@…".
func contact(doc *detect.Document, i int) bool {
	if i >= len(doc.Tokens) || !doc.Tokens[i].Any(detect.Punct) || !strings.Contains("|,-–—<(:/", doc.Tokens[i].Text) {
		return false
	}
	for n := 0; n < 12 && i < len(doc.Tokens) && !doc.Tokens[i].Any(detect.LineStart); n, i = n+1, i+1 {
		if doc.Tokens[i].Text == "@" && glued(doc, i) && glued(doc, i+1) {
			return true
		}
	}
	return false
}

// ofSomebody reports whether token i follows a capitalised word and a particle,
// and the word is no name of somebody here.
func (e *Engine) ofSomebody(doc *detect.Document, i int) bool {
	j := doc.Previous(i)
	if j >= 0 && doc.Tokens[j].Folded == "'" {
		j = doc.Previous(j)
	}
	if j < 1 || !particles[doc.Tokens[j].Folded] || doc.Tokens[j].Any(detect.Capital) {
		return false
	}
	name := &doc.Tokens[j-1]
	return name.Has(detect.Word|detect.Capital) && !name.Any(detect.SentenceStart) && !e.listed(name.Folded)
}

// listed reports whether a folded word names somebody on the roster or in the
// officer's catalogue.
func (e *Engine) listed(folded string) bool {
	for _, r := range e.catalogue.Single(folded) {
		if r.Type != TypeVariant && r.Category.Person() {
			return true
		}
	}
	return false
}

// institutionBefore reports whether a word like "lycée" stands before token i.
func institutionBefore(doc *detect.Document, i int) bool {
	for n := 0; n < 4; n++ {
		i = doc.Previous(i)
		if i < 0 {
			return false
		}
		if institutions[doc.Tokens[i].Folded] {
			return true
		}
		if !particles[doc.Tokens[i].Folded] && !doc.Tokens[i].Any(detect.Punct) {
			return false
		}
	}
	return false
}

// oneSpaced puts the spaces of a surface form in order.
func oneSpaced(surface string) string {
	spaces := 0
	for i := range len(surface) {
		switch c := surface[i]; {
		case c > ' ' && c < utf8.RuneSelf:
			spaces = 0
		case c == ' ' && spaces == 0 && i > 0 && i+1 < len(surface):
			spaces = 1
		default: // more of them, or a character that may be one
			return strings.Join(strings.Fields(surface), " ")
		}
	}
	return surface
}
