package forum

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"anonymooc/forum/detect"
)

// Evidence is one reason for a score, in words that quote nothing of a post.
type Evidence struct {
	By   string `json:"by"`
	What string `json:"what"`
}

// weighing adds up the reasons for masking one mention. The sum is a logit: 0
// is even odds. The weights were set by hand, from what each reason is worth
// in general, and by no corpus.
type weighing struct {
	sum     float64
	reasons []Evidence
}

func (w *weighing) add(weight float64, by, what string) {
	w.sum += weight
	if what != "" {
		w.reasons = append(w.reasons, Evidence{by, what})
	}
}

func (w *weighing) score() float64 { return 1 / (1 + math.Exp(-w.sum)) }

func logit(score float64) float64 {
	score = min(max(score, 0.01), 0.99)
	return math.Log(score / (1 - score))
}

// The weights of the evidence (Reffay et al. name author, participants and post
// answered as future work in section 4.3 and 7; the rest is text.md's list).
const (
	weightAuthor      = 1.5 // set apart or as a signature; elsewhere people seldom name themselves
	weightAnswered    = 2.2
	weightTalker      = 1.6
	weightMention     = 3.5 // right after "@"
	weightCalled      = 2.2 // after a greeting, thanks, a title
	weightSigned      = 2.0 // alone on a line or last in the text
	weightCapital     = 1.3 // where no sentence begins
	weightOpening     = 0.3 // capital where a sentence begins
	weightSmall       = -0.9
	weightSmallWord   = -3.5 // small letters, and a dictionary word
	weightWord        = -0.9 // capital, and a dictionary word
	weightOpeningWord = -2.2 // capital where a sentence begins, and a dictionary word
	weightOpeningName = -0.6 // such a word that the corpus never writes small
	weightApart       = 1.5  // set apart by punctuation, or opening a line: "Vera, de Lyon"
	weightArticle     = -2.0
	weightOtherName   = -4.6 // beside a capitalised word that is no name of the person
	weightNotAName    = 1.0  // small letters, and in no dictionary
	weightAgreement   = 0.5  // a second detector says the same

	weightHome           = 3.0  // the place where the author lives, after a preposition of place
	weightHomeNamed      = 1.3  // the same, without
	weightOfSomebody     = -3.0 // a place that may be part of a stranger's name: "Inês de Castro"
	weightAlsoCity       = -2.0 // a last name or username that is a large place too
	weightSmallWords     = -3.0 // a full name all in small letters, made of dictionary words
	weightOwnName        = -1.0 // a spelling near a stranger's name that is a first name itself
	weightContact        = 4.0  // a name that an e-mail address follows on its line
	weightGuessSmall     = -1.5 // a guess in small letters
	weightStrangeLast    = -3.0 // a spelling near the last name of nobody around
	weightUnlisted       = -2.8 // a guess, when everybody who writes is on the roster
	weightUnlistedFull   = -2.6 // the same for a full name
	weightLargePlace     = -4.0
	weightSmallPlace     = 0.5
	weightMentioned      = -1.8 // a place where nobody is said to live
	weightGuess          = 0.45 // of the logit of a detector that knows words, not people
	weightNoFirstName    = -1.2 // a guess that is on no list of first names
	weightVariant        = -0.8 // of a spelling that mining found
	weightStrangeVariant = -1.5 // a spelling near the name of nobody around
	weightShortCapitals  = -2.5 // such a spelling in capitals only: an acronym
	weightLocated        = -3.0 // after a preposition of place, and a place too
	weightGoesOn         = -3.0 // "Inês de Castro": a longer name, of somebody else
	weightBarePart       = -4.5 // a word of an institution's name, without what it is
)

// base is the logit of a catalogue reading before anything else is known.
func (e *Engine) base(mark *detect.Mark, s stand) float64 {
	if mark.Type == TypeVariant {
		return 0.5*logit(e.mined[s.key].score) + weightVariant
	}
	switch mark.Category {
	case detect.Email, detect.URL, detect.Phone:
		return 5
	case detect.FullName:
		return 4
	case detect.Organisation:
		return 2.5
	case detect.FirstName, detect.Nickname:
		return 0.3
	case detect.LastName:
		return -0.9
	case detect.Username:
		if s.compound || !s.plain {
			return 1.5 // nobody writes "p_monem" by chance
		}
		return -0.3
	}
	return 0.2
}

// stand is what a text shows about a mention, whatever it may name.
type stand struct {
	capital, opening, allCaps, small bool
	mention, called, signed, article bool
	otherName, goesOn, located       bool
	contact                          bool   // an e-mail address follows on the line
	apart                            bool   // between the start of a sentence and punctuation
	neverSmall                       bool   // the corpus always writes it with a capital
	word                             bool   // dictionary words of the text's language
	foreign                          bool   // dictionary words of any language
	nameLike                         bool   // the word after it is on a list of names
	plain                            bool   // words of letters only
	compound                         bool   // several words
	key                              string // formKey
}

func (e *Engine) standOf(doc *detect.Document, from, to int) stand {
	first, last := &doc.Tokens[from], &doc.Tokens[to-1]
	s := stand{
		capital: first.Any(detect.Capital), opening: first.Any(detect.SentenceStart),
		allCaps: first.Any(detect.AllCaps), small: !first.Any(detect.Capital),
		mention: first.Any(detect.Mention), called: called(doc, from), article: article(doc, from),
		plain: true, compound: to-from > 1, located: located(doc, from),
	}
	if from > 0 && doc.Tokens[from-1].Text == "@" && !first.Any(detect.SpaceBefore) {
		s.mention = true
	}
	s.signed, s.contact = signed(doc, from, to), contact(doc, to)
	s.word = e.options.Words != nil
	s.foreign = s.word
	for i := from; i < to; i++ {
		tok := &doc.Tokens[i]
		s.plain = s.plain && tok.Any(detect.Word|detect.Punct)
		s.foreign = s.foreign && (tok.Any(detect.Punct) || e.options.Words.IsCommonWord("", tok.Folded))
		s.word = s.word && (tok.Any(detect.Punct) || e.options.Words.IsCommonWord(doc.Lang, tok.Folded))
	}
	if s.allCaps && !shouting(doc) {
		s.opening = false // capitals in a text without them are meant
	}
	if share, ok := e.lower[first.Folded]; ok {
		s.neverSmall = share < 0.1
	}
	s.apart = s.opening && s.capital && (to == len(doc.Tokens) || strings.Contains(",.!()…:", doc.Tokens[to].Text))
	s.otherName = s.capital && (e.nameBeside(doc, to, +1, last) || e.nameBeside(doc, from-1, -1, first))
	if to < len(doc.Tokens) && e.options.Words != nil {
		next := doc.Tokens[to].Folded
		s.nameLike = e.options.Words.IsSurname(next) || e.options.Words.IsFirstName(next)
	}
	s.goesOn = s.capital && !s.called && goesOn(doc, to)
	return s
}

// shouting reports whether most words of a text are in capitals.
func shouting(doc *detect.Document) bool {
	caps, words := 0, 0
	for i := range doc.Tokens {
		if doc.Tokens[i].Any(detect.Word) && len(doc.Tokens[i].Text) > 1 {
			words++
			if doc.Tokens[i].Any(detect.AllCaps) {
				caps++
			}
		}
	}
	return 2*caps > words
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
	if step < 0 && (callings[tok.Folded] || tok.Any(detect.SentenceStart) && (e.options.Words == nil || e.options.Words.IsCommonWord(doc.Lang, tok.Folded) && !e.options.Words.IsFirstName(tok.Folded))) {
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
func called(doc *detect.Document, i int) bool {
	j := doc.Previous(i)
	if j >= 0 && (doc.Tokens[j].Text == "." || doc.Tokens[j].Text == ",") {
		j = doc.Previous(j)
	}
	if j < 0 || doc.Tokens[i].Any(detect.LineStart) && doc.Tokens[j].Folded != "," {
		return false
	}
	if fillers[doc.Tokens[j].Folded] {
		j = doc.Previous(j)
	}
	return j >= 0 && callings[doc.Tokens[j].Folded] && !(doc.Tokens[j].Any(detect.AllCaps) && !doc.Tokens[i].Any(detect.AllCaps))
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

// weighName gives the logit of a catalogue or circle mark that names a person.
func (e *Engine) weighName(w *weighing, doc *detect.Document, mark *detect.Mark, s stand, near relation) {
	if mined, ok := e.mined[s.key]; ok && mark.Type == TypeVariant {
		w.reasons = append(w.reasons, mined.evidence...)
		w.add(e.base(mark, s), "", "")
	} else {
		w.add(e.base(mark, s), mark.By, mark.What)
	}
	if mark.Category == detect.Organisation {
		near = stranger // a school is everybody's
	}
	switch near {
	case author:
		weight := 0.0
		switch {
		case s.apart || s.signed:
			weight = weightAuthor
		case s.opening && (!s.word || s.neverSmall):
			weight = weightAuthor / 2
		}
		w.add(weight, "conversation", "a name of the post's author")
	case answered:
		w.add(weightAnswered, "conversation", "a name of the author of the post answered")
	case talker:
		w.add(weightTalker, "conversation", "a name of somebody who writes in the thread")
	}
	if s.mention {
		w.add(weightMention, "context", "right after @")
	}
	if s.called {
		w.add(weightCalled, "context", "after a greeting, thanks or a title")
	}
	if s.signed {
		w.add(weightSigned, "context", "where a signature stands")
	}
	if s.contact {
		w.add(weightContact, "context", "an e-mail address follows")
	}
	if s.apart && !s.signed && near != stranger {
		w.add(weightApart, "context", "set apart at the beginning of a sentence")
	}
	if mined := e.mined[s.key]; mark.Type != TypeVariant || !s.capital || mined.spelled() {
		e.weighCase(w, doc, s)
	}
	if s.article && mark.Category != detect.Organisation {
		weight := weightArticle
		if s.capital && !s.opening && namedWithArticle[doc.Lang] {
			weight = 0
		}
		w.add(weight, "context", "after an article")
	}
	if s.otherName && (mark.Category == detect.FirstName || mark.Category == detect.LastName || mark.Category == detect.Username || mark.Category == detect.Nickname) {
		weight := weightOtherName
		if s.called || near == author && s.opening && !s.nameLike {
			weight /= 3
		}
		w.add(weight, "context", "beside another capitalised word")
	}
	if s.goesOn && mark.Category.Person() && near != author {
		w.add(weightGoesOn, "context", "a longer name goes on after it")
	}
	if s.located && !s.called && mark.Category.Person() && (e.isCity(doc, mark) || mark.Category != detect.FirstName && e.isPlace(doc, mark)) {
		w.add(weightLocated, "context", "after a preposition of place, and a place too")
	}
	if mark.Category == detect.FullName && s.small && s.word {
		w.add(weightSmallWords, "dictionary", "words of the language, in small letters")
	}
	if (mark.Category == detect.LastName || mark.Category == detect.Username) && !s.called && !s.mention && !s.located && e.isCity(doc, mark) {
		w.add(weightAlsoCity, "places", "a large place too")
	}
	e.weighType(w, doc, mark, s, near)
}

// isCity reports whether a mark's form is a large place as well.
func (e *Engine) isCity(doc *detect.Document, mark *detect.Mark) bool {
	if e.options.Places == nil {
		return false
	}
	population, _, ok := e.options.Places.Place(foldKey("", doc, *mark))
	return ok && int(population) >= e.options.SmallTown
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

// weighType weighs forms that are less than the name itself.
func (e *Engine) weighType(w *weighing, doc *detect.Document, mark *detect.Mark, s stand, near relation) {
	switch {
	case mark.Type == TypeVariant && mark.Category != detect.FullName && near == stranger && !s.called && !s.mention:
		weight := weightStrangeVariant
		if mark.Category == detect.LastName {
			weight = weightStrangeLast
		}
		w.add(weight, "conversation", "nobody around has a name like it")
		if mark.Category == detect.FirstName && e.options.Words != nil && e.options.Words.IsFirstName(foldKey("", doc, *mark)) {
			w.add(weightOwnName, "dictionary", "a first name of its own")
		}
		if e.isCity(doc, mark) {
			w.add(weightAlsoCity, "places", "a large place too")
		}
		if s.allCaps && mark.End-mark.Start <= 5 && !shouting(doc) {
			w.add(weightShortCapitals, "case", "short, and in capitals only")
		}
	case mark.Type == TypePart && mark.Category == detect.Organisation && !institutionBefore(doc, doc.At(mark.Start)):
		w.add(weightBarePart, "context", "a word of an institution's name, alone")
	}
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

// isPlace reports whether a mark's form is a place as well.
func (e *Engine) isPlace(doc *detect.Document, mark *detect.Mark) bool {
	if e.options.Places == nil {
		return false
	}
	_, _, ok := e.options.Places.Place(foldKey("", doc, *mark))
	return ok
}

// weighGuess gives the logit of a mark by a detector that knows what names look
// like, but nobody here: somebody who is named alone and not spoken to may be
// anybody, and most people who are named in full are known to the public.
func (e *Engine) weighGuess(w *weighing, doc *detect.Document, mark *detect.Mark, s stand) {
	w.add(weightGuess*logit(mark.Score), mark.By, mark.What)
	unlisted := weightUnlisted
	if mark.Category == detect.FullName {
		unlisted = weightUnlistedFull
	}
	w.add(unlisted*e.coverage, "roster", "on no roster, though most who write are")
	switch {
	case s.small && s.word:
		w.add(weightSmallWord, "dictionary", "a word of the language, in small letters")
	case s.small && !s.called && !s.mention:
		w.add(weightGuessSmall, "case", "in small letters")
	case s.opening && s.word && !s.neverSmall:
		w.add(weightOpeningWord/2, "dictionary", "a word of the language that begins a sentence")
	}
	if s.called {
		w.add(weightCalled, "context", "after a greeting, thanks or a title")
	}
	if s.signed {
		w.add(weightSigned/2, "context", "where a signature stands")
	}
	if s.contact {
		w.add(weightContact, "context", "an e-mail address follows")
	}
	if s.otherName {
		w.add(weightOtherName, "context", "beside another capitalised word")
	}
	if s.goesOn {
		w.add(weightGoesOn, "context", "a longer name goes on after it")
	}
	if s.article && !namedWithArticle[doc.Lang] {
		w.add(weightArticle, "context", "after an article")
	}
	if s.located && e.isPlace(doc, mark) {
		w.add(weightLocated, "context", "after a preposition of place, and a place too")
	}
	if s.allCaps && mark.End-mark.Start <= 5 {
		w.add(weightShortCapitals, "case", "short, and in capitals only")
	}
	if e.options.Words != nil && !e.options.Words.IsFirstName(foldKey("", doc, *mark)) {
		w.add(weightNoFirstName, "dictionary", "on no list of first names")
	}
}

// noDictionary is the one language that is identified but whose dictionary may
// not be shipped: its neighbours' have to do.
const noDictionary = "ca"

// weighCase weighs capitals against the dictionary.
func (e *Engine) weighCase(w *weighing, doc *detect.Document, s stand) {
	switch {
	case s.mention:
	case s.small && s.word && s.compound:
		w.add(weightSmallWord/2, "dictionary", "words of the language, in small letters")
	case s.small && s.word:
		w.add(weightSmallWord, "dictionary", "a word of the language, in small letters")
	case s.small && s.foreign && !s.compound && (doc.Lang == "" || doc.Lang == noDictionary):
		w.add(weightSmallWord/2, "dictionary", "a word of some language, in small letters")
	case s.small && s.foreign:
		w.add(weightSmall, "dictionary", "a word of another language, in small letters")
	case s.small && s.plain && e.options.Words != nil:
		w.add(weightSmall+weightNotAName, "dictionary", "in small letters, and no word of the language")
	case s.small:
		w.add(weightSmall, "case", "in small letters")
	case s.opening && s.word && s.neverSmall:
		w.add(weightOpeningName, "dictionary", "a word of the language that begins a sentence, and is never written small")
	case s.opening && s.word:
		w.add(weightOpeningWord, "dictionary", "a word of the language that begins a sentence")
	case s.word:
		w.add(weightCapital+weightWord, "dictionary", "a word of the language, with a capital")
	case s.opening:
		w.add(weightOpening, "case", "a capital that begins a sentence")
	default:
		w.add(weightCapital, "case", "a capital inside a sentence")
	}
}

// oneSpaced puts the spaces of a surface form in order.
func oneSpaced(surface string) string { return strings.Join(strings.Fields(surface), " ") }
