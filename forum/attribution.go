package forum

import (
	"strings"

	"anonymooc/forum/detect"
)

// Why nothing but an account can stand somewhere.
const (
	afterAt       = "right after @"
	inProfileLink = "in a link to somebody's page"
)

// onlyPerson says why the tokens from to to can name nothing but a person,
// whatever the words mean elsewhere; empty when they may be words.
func onlyPerson(doc *detect.Document, from, to int) string {
	first := &doc.Tokens[from]
	switch {
	case first.Any(detect.Mention), from > 0 && doc.Tokens[from-1].Text == "@" && !first.Any(detect.SpaceBefore):
		return afterAt
	case first.Any(detect.InURL|detect.InMarkup) && linked(doc, from):
		return inProfileLink
	case attributed(doc, from, to):
		return "before what they are quoted for"
	}
	return ""
}

// accounts are the parts of web addresses that people's accounts follow.
var accounts = wordSet("u user users username profile profiles profil perfil member membre membres author auteur usuario utente")

// linked reports whether token i follows such a part: "/u/zoe", "?user=zoe".
func linked(doc *detect.Document, i int) bool {
	return i >= 2 && glued(doc, i) && glued(doc, i-1) && (doc.Tokens[i-1].Text == "/" || doc.Tokens[i-1].Text == "=") && accounts[doc.Tokens[i-2].Folded]
}

// The words of the line that forums and mail programs put above what they
// quote: "zoe wrote:", "zoé a écrit :", "zoe ha scritto:".
var (
	wroteWords   = wordSet("wrote writes said says ecrit escribio escrigue scrive scrisse escreveu disse dijo dice digue schrieb")
	hasWords     = wordSet("a ha va has have")
	writtenWords = wordSet("ecrit dit escrito escrit scritto detto dicho dit escriure dir written said")
)

// attributed reports whether a verb of writing and a colon follow the tokens
// from to to, and no article stands before them.
func attributed(doc *detect.Document, from, to int) bool {
	verb := to
	for verb < len(doc.Tokens) && verb < to+2 && doc.Tokens[verb].Any(detect.Punct) && strings.Contains(`"'»*_)`, doc.Tokens[verb].Text) {
		verb++
	}
	if verb+1 >= len(doc.Tokens) || doc.Tokens[verb].Any(detect.LineStart) || article(doc, from) {
		return false
	}
	word := doc.Tokens[verb].Folded
	colon := verb + 1
	switch {
	case hasWords[word] && writtenWords[doc.Tokens[verb+1].Folded]:
		colon = verb + 2
	case !wroteWords[word]:
		return false
	}
	return colon < len(doc.Tokens) && doc.Tokens[colon].Text == ":" && !doc.Tokens[colon].Any(detect.LineStart)
}

// endsAddress reports whether what is addressed ends before token i: with the
// line, with punctuation, or with others who are addressed too.
func (e *Engine) endsAddress(doc *detect.Document, i int) bool {
	if i == len(doc.Tokens) || doc.Tokens[i].Any(detect.LineStart) || strings.Contains(",.!?…", doc.Tokens[i].Text) {
		return true
	}
	if !joiners[doc.Tokens[i].Folded] || i+1 == len(doc.Tokens) {
		return false
	}
	other := &doc.Tokens[i+1]
	return other.Has(detect.Word|detect.Capital) || other.Text == "@" || e.listed(other.Folded)
}

// kin are the words for relatives and groups that a name follows.
var kin = wordSet(`fille fils mere pere soeur frere mari femme epoux epouse cousin cousine oncle tante neveu niece ami amie groupe equipe
	daughter son mother father sister brother husband wife cousin uncle aunt nephew niece friend group team
	hija hijo madre padre hermana hermano marido mujer esposa esposo primo prima tio tia amigo amiga grupo
	figlia figlio sorella fratello marito moglie cugino cugina zio zia amico amica gruppo
	filha filho mae pai irma irmao esposa filla fill mare pare germana germa grup`)

// ofWords join such a word to a name.
var ofWords = wordSet("de d of di del della da do")

// kinOf reports whether token i follows "the daughter of".
func kinOf(doc *detect.Document, i int) bool {
	j := doc.Previous(i)
	if j >= 0 && doc.Tokens[j].Folded == "'" {
		j = doc.Previous(j)
	}
	if j < 1 || doc.Tokens[i].Any(detect.LineStart) || !ofWords[doc.Tokens[j].Folded] {
		return false
	}
	return kin[doc.Tokens[j-1].Folded]
}

// quotedInside reports whether the tokens from to to stand between quotation
// marks within a sentence: what is quoted is a name or a word, no sentence.
func quotedInside(doc *detect.Document, from, to int) bool {
	if from < 2 || to >= len(doc.Tokens) || !quote(doc, from-1) || !quote(doc, to) {
		return false
	}
	before := &doc.Tokens[from-2]
	return before.Any(detect.Word|detect.Number) && !doc.Tokens[from-1].Any(detect.LineStart)
}

// quote reports whether token i is a quotation mark or bracket.
func quote(doc *detect.Document, i int) bool {
	return doc.Tokens[i].Any(detect.Punct) && strings.Contains(`"“”„«»()`, doc.Tokens[i].Text)
}

// ownBeside reports whether the tokens from to to and another name of the same
// person stand on either side of a nickname: Robert "Bobby" Stone.
func (e *Engine) ownBeside(doc *detect.Document, from, to int) bool {
	around := func(left, right int) bool {
		return left >= 0 && right < len(doc.Tokens) && quote(doc, left+1) && quote(doc, right-1) && !doc.Tokens[right].Any(detect.LineStart) &&
			e.samePerson(doc.Tokens[left].Folded, doc.Tokens[right].Folded)
	}
	return around(from-4, from) || around(to-1, to+3)
}
