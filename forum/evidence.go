package forum

import (
	"math"
	"slices"
	"unicode/utf8"

	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
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
	weightPerson      = 3.5 // where only a person can stand: right after "@" …
	weightCalled      = 2.2 // after a greeting, thanks, a title
	weightVocative    = 1.2 // and nothing but punctuation after it
	weightKin         = 2.0 // after "the daughter of"
	weightOwn         = 3.0 // a nickname stands between it and another name of the person
	weightSigned      = 2.0 // alone on a line or last in the text
	weightCapital     = 1.3 // where no sentence begins
	weightOpening     = 0.3 // capital where a sentence begins
	weightSmall       = -0.9
	weightSmallWord   = -3.5 // small letters, and a dictionary word
	weightCaseless    = -1.6 // the same in a text that has no capital at all
	weightWord        = -0.9 // capital, and a dictionary word
	weightOpeningWord = -2.2 // capital where a sentence begins, and a dictionary word
	weightOpeningName = -0.6 // such a word that the corpus never writes small
	weightApart       = 1.5  // set apart by punctuation, or opening a line: "Vera, de Lyon"
	weightArticle     = -2.0
	weightOtherName   = -4.6 // beside a capitalised word that is no name of the person
	weightNotAName    = 1.0  // small letters, and in no dictionary
	weightAgreement   = 0.5  // a second detector says the same

	weightBare           = -3.0 // a username that is a number or a single letter
	weightHome           = 4.3  // the place where the author lives, after a preposition of place
	weightHomeNamed      = 3.8  // the same, without: with the author's other traits it singles out
	weightOfSomebody     = -3.0 // a place that may be part of a stranger's name: "Inês de Castro"
	weightAlsoCity       = -2.0 // a last name or username that is a large place too
	weightSmallWords     = -3.0 // a full name all in small letters, made of dictionary words
	weightOwnName        = -1.0 // a spelling near a stranger's name that is a first name itself
	weightContact        = 4.0  // a name that an e-mail address follows on its line
	weightGuessSmall     = -1.5 // a guess in small letters
	weightStrangeLast    = -3.0 // a spelling near the last name of nobody around
	weightUnlisted       = -2.8 // a guess, when everybody who writes is on the roster
	weightOwnLink        = 3.0  // a name of the author in a web address of their post
	weightPublic         = -3.0 // in the name of somebody known to the public, written out
	weightProper         = -1.5 // a capital alone, on a word that dictionaries and gazetteers know for a thing
	weightLargePlace     = -4.5
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
	weightUnmistakable   = 5.0  // a username that is nothing else
	weightRunTogether    = -4.0 // two names run together that make a town's or a brand's
)

// smallShare is what is left of the conversation's weight for a dictionary word
// in small letters, in a text that knows capitals: whoever talks there, people
// go on using the words of their language.
const smallShare = 0.3

// base is the logit of a catalogue reading before anything else is known.
func (e *Engine) base(mark *detect.Mark, s *stand) float64 {
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
		return -1.1
	case detect.Username:
		if s.bare {
			return weightBare
		}
		if s.compound || !s.plain {
			return 1.5 // nobody writes "p_monem" by chance
		}
		return -0.3
	}
	return 0.2
}

// weighName gives the logit of a catalogue or circle mark that names a person.
func (e *Engine) weighName(w *weighing, doc *detect.Document, mark *detect.Mark, s *stand, near relation) {
	if mined, ok := e.mined[s.key]; ok && mark.Type == TypeVariant {
		w.reasons = append(w.reasons, mined.evidence...)
		w.add(e.base(mark, s), "", "")
	} else {
		w.add(e.base(mark, s), mark.By, mark.What)
	}
	if mark.Category == detect.Username && e.isUnmistakable(doc, mark, s) {
		w.add(weightUnmistakable, "dictionary", "a username that no list knows as a word or a name")
	}
	if mark.Category == detect.Organisation {
		near = stranger // a school is everybody's
	}
	share := 1.0
	if s.small && s.word && !s.compound && !s.called && !s.caseless {
		share = smallShare
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
		w.add(share*weightAnswered, "conversation", "a name of the author of the post answered")
	case talker:
		w.add(share*weightTalker, "conversation", "a name of somebody who writes in the thread")
	}
	if near == author && mark.End-mark.Start >= 4 && doc.Tokens[doc.At(mark.Start)].Any(detect.InURL) {
		w.add(weightOwnLink, "context", "in a web address that the author of the name gives")
	}
	e.weighSurroundings(w, doc, mark, s, near)
	e.weighType(w, doc, mark, s, near)
}

// unmistakable is how many letters a username has that no list knows and that is nothing
// else; unmistakableAbroad where there is no dictionary of the text's language.
const unmistakable, unmistakableAbroad = 5, 8

func (e *Engine) isUnmistakable(doc *detect.Document, mark *detect.Mark, s *stand) bool {
	least := unmistakable
	if doc.Lang == noDictionary || !slices.Contains(languages, doc.Lang) {
		least = unmistakableAbroad
	}
	key := foldKey("", doc, *mark)
	return s.plain && !s.compound && utf8.RuneCountInString(key) >= least && e.usages.known != nil && e.usages.known.Find(key).Kinds == 0
}

// weighSurroundings weighs what stands around a name of somebody here.
func (e *Engine) weighSurroundings(w *weighing, doc *detect.Document, mark *detect.Mark, s *stand, near relation) {
	if s.person != "" {
		w.add(weightPerson, "context", s.person)
	}
	if s.called {
		w.add(weightCalled, "context", "after a greeting, thanks or a title")
	}
	if s.vocative && s.person == "" {
		w.add(weightVocative, "context", "alone between a greeting and the end of the phrase")
	}
	if s.kin && s.capital {
		w.add(weightKin, "context", "whose relative or group is named")
	}
	if s.own {
		w.add(weightOwn, "context", "a nickname stands between it and another name of the same person")
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
	if s.public && mark.Category != detect.FullName && mark.Category.Person() {
		w.add(weightPublic, "dictionary", "in the name of somebody known to the public")
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
	if (mark.Category == detect.LastName || mark.Category == detect.Username) && !s.called && s.person == "" && !s.located && e.isCity(doc, mark) {
		w.add(weightAlsoCity, "places", "a large place too")
	}
}

// isCity reports whether a mark's form is a large place as well.
func (e *Engine) isCity(doc *detect.Document, mark *detect.Mark) bool {
	if e.options.Places == nil {
		return false
	}
	population, _, ok := e.options.Places.Place(foldKey("", doc, *mark))
	return ok && int(population) >= e.options.SmallTown
}

// weighType weighs forms that are less than the name itself.
func (e *Engine) weighType(w *weighing, doc *detect.Document, mark *detect.Mark, s *stand, near relation) {
	if mined, ok := e.mined[s.key]; ok && mark.Type == TypeVariant && !mined.spelled() && !s.called && s.person == "" && e.isThing(doc, mark) {
		w.add(weightProper, "dictionary", "a proper noun that is no name of people")
	}
	if mark.Type == TypeVariant && !s.called && s.person == "" && s.allCaps && mark.End-mark.Start <= 5 && !doc.Shouting() {
		w.add(weightShortCapitals, "case", "short, and in capitals only")
	}
	if mark.Type == detect.TypeRunTogether && e.usages.isListed(foldKey("", doc, *mark), lists.Place|lists.Public|lists.Thing) {
		w.add(weightRunTogether, "dictionary", "as one word the name of something else")
	}
	switch {
	case mark.Type == TypeVariant && mark.Category != detect.FullName && near == stranger && !s.called && s.person == "" && !elongated(s.key):
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
	case mark.Type == TypePart && mark.Category == detect.Organisation && !institutionBefore(doc, doc.At(mark.Start)):
		w.add(weightBarePart, "context", "a word of an institution's name, alone")
	}
}

// isThing reports whether dictionaries know a mark's form with a capital, for a
// brand, a town, a country, and for no name of people.
func (e *Engine) isThing(doc *detect.Document, mark *detect.Mark) bool {
	return e.options.Places != nil && e.options.Places.IsThing(foldKey("", doc, *mark))
}

// elongated reports whether a form holds a letter three times on end: nobody
// writes a word so that only chances to look like a name.
func elongated(form string) bool {
	runes := []rune(form)
	for i := 2; i < len(runes); i++ {
		if runes[i] == runes[i-1] && runes[i] == runes[i-2] {
			return true
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
func (e *Engine) weighGuess(w *weighing, doc *detect.Document, mark *detect.Mark, s *stand) {
	w.add(weightGuess*logit(mark.Score), mark.By, mark.What)
	listed := e.firstName(doc, mark)
	contact := s.contact && (listed || mark.Category == detect.FullName)
	if !contact { // the public's heroes leave no address
		w.add(weightUnlisted*e.coverage, "roster", "on no roster, though most who write are")
	}
	switch {
	case s.small && s.word:
		w.add(weightSmallWord, "dictionary", "a word of the language, in small letters")
	case s.small && !s.called && s.person == "":
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
	if contact {
		w.add(weightContact, "context", "an e-mail address follows")
	}
	if s.otherName {
		w.add(weightOtherName, "context", "beside another capitalised word")
	}
	if s.public {
		w.add(weightPublic*e.coverage, "dictionary", "the name of somebody known to the public")
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
	if !listed {
		w.add(weightNoFirstName, "dictionary", "on no list of first names")
	}
}

// weighOther weighs what a phrase says of somebody who is no relative of the
// writer: who is cited or addressed in a forum is either on its roster or, the
// fuller the roster the more so, known to the public.
func (e *Engine) weighOther(w *weighing, doc *detect.Document, mark *detect.Mark, s *stand) {
	if !mark.Category.Person() {
		return
	}
	if mark.Proposal != detect.Mask {
		if s.otherName {
			w.add(weightOtherName/2, "context", "beside another capitalised word")
		}
		return
	}
	if mark.About != ofTheOther {
		return
	}
	if s.public {
		w.add(weightPublic*e.coverage, "dictionary", "the name of somebody known to the public")
	}
	switch {
	case mark.Category == detect.FullName:
		w.add(weightUnlisted*e.coverage, "roster", "on no roster, though most who write are")
	case s.otherName:
		w.add(weightOtherName*e.coverage, "context", "beside another capitalised word")
	case s.small && !e.firstName(doc, mark):
		w.add((weightGuessSmall+weightNoFirstName)*e.coverage, "dictionary", "in small letters, and on no list of first names")
	}
}

// ofTheOther is whom the grammars speak of when it is neither the writer nor a
// relative.
const ofTheOther = "other"

// firstName reports whether a mark's form is on a list of first names.
func (e *Engine) firstName(doc *detect.Document, mark *detect.Mark) bool {
	return e.options.Words == nil || e.options.Words.IsFirstName(foldKey("", doc, *mark))
}

// noDictionary is the one language that is identified but whose dictionary may
// not be shipped: its neighbours' have to do.
const noDictionary = "ca"

// weighCase weighs capitals against the dictionary.
func (e *Engine) weighCase(w *weighing, doc *detect.Document, s *stand) {
	switch {
	case s.person != "":
	case s.small && s.word && s.compound:
		w.add(weightSmallWord/2, "dictionary", "words of the language, in small letters")
	case s.small && s.word && s.caseless:
		w.add(weightCaseless, "dictionary", "a word of the language, in a text without capitals")
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

// weighPlace weighs a place by the number of people it may single out.
func (e *Engine) weighPlace(w *weighing, doc *detect.Document, m *detect.Mark, s *stand, near relation) {
	if m.By == e.catalogue.Name() {
		w.add(2.2, m.By, m.What)
		switch {
		case near == author && s.located:
			w.add(weightHome, "conversation", "where the post's author lives")
		case near == author:
			w.add(weightHomeNamed, "conversation", "the town of the post's author")
		}
		switch {
		case s.small && s.word:
			w.add(weightSmallWord+weightSmall, "dictionary", "a word of the language, in small letters")
		case s.small:
			w.add(weightSmall, "case", "in small letters")
		}
	} else {
		w.add(logit(m.Score), m.By, m.What)
		if e.ofSomebody(doc, doc.At(m.Start)) {
			w.add(weightOfSomebody, "context", "the second half of a longer name")
		}
	}
	if e.options.Places == nil {
		return
	}
	if m.Alone {
		w.add(weightMentioned, "", "")
	}
	people, _, ok := e.options.Places.Place(foldKey(string(doc.Raw[m.Start:m.End]), doc, *m))
	switch {
	case ok && int(people) >= e.options.SmallTown:
		w.add(weightLargePlace, "places", "a large place")
	case ok:
		w.add(weightSmallPlace, "places", "a small place")
	}
}
