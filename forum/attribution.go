package forum

import (
	"strings"

	"anonymooc/forum/detect"
)

// onlyPerson says why the tokens from to to can name nothing but a person,
// whatever the words mean elsewhere; empty when they may be words.
func onlyPerson(doc *detect.Document, from, to int) string {
	first := &doc.Tokens[from]
	switch {
	case first.Any(detect.Mention), from > 0 && doc.Tokens[from-1].Text == "@" && !first.Any(detect.SpaceBefore):
		return "right after @"
	case first.Any(detect.InURL|detect.InMarkup) && linked(doc, from):
		return "in a link to somebody's page"
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
