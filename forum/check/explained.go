package check

import (
	"slices"
	"strings"

	"anonymooc/forum/detect"
)

// A masked name is given away when the text goes on to say what it means, is
// like or is spelled like. Likeness tells something only where a parenthesis, a
// comma or a dash sets it apart ("Paris (comme la capitale)", not "Paris comme
// toujours"); meaning and spelling do anywhere.
var (
	likeness = phrases(
		"comme le", "comme la", "comme l", "comme les", "comme un", "comme une", "comme dans", "comme mon", "comme ma",
		"like the", "like a", "like in", "as in", "as the",
		"como el", "como la", "como los", "como un", "como una", "como en", "como o", "como a", "como um", "como uma", "como no", "como na",
		"come il", "come la", "come lo", "come l", "come un", "come una", "come in", "come nel",
		"com el", "com la", "com l", "com un", "com una", "com en",
		"rien à voir avec", "no relation to", "nada que ver con", "niente a che vedere con", "nada a ver com", "res a veure amb",
	)
	meaning = phrases(
		"ça veut dire", "qui veut dire", "qui signifie", "ça signifie", "c est à dire", "se prononce", "ça se prononce", "prononcez",
		"s écrit", "ça s écrit", "diminutif de", "c est le diminutif", "abréviation de", "prénom d origine",
		"which means", "that means", "it means", "meaning", "is pronounced", "pronounced", "is spelled", "is spelt", "spelled", "spelt",
		"short for", "it s short for", "named after", "nickname for",
		"que significa", "significa", "quiere decir", "que quiere decir", "se pronuncia", "se escribe", "diminutivo de",
		"vuol dire", "che significa", "si pronuncia", "si scrive", "diminutivo di",
		"quer dizer", "que quer dizer", "pronuncia se", "escreve se", "se escreve",
		"vol dir", "que vol dir", "es pronuncia", "s escriu", "diminutiu de",
	)
)

// phrases folds and cuts phrases into their words.
func phrases(all ...string) [][]string {
	cut := make([][]string, len(all))
	for i, phrase := range all {
		cut[i] = strings.Fields(Key(phrase))
	}
	return cut
}

// explanationReach is how many words after a name an explanation may begin.
const explanationReach = 3

// Explain reports whether the text after a masked span explains it, and how.
func Explain(doc *detect.Document, start, end int) (what string, found bool) {
	apart := false
	words := 0
	for i := doc.At(end - 1); i < len(doc.Tokens) && words <= explanationReach; i++ {
		token := &doc.Tokens[i]
		if token.Start < end {
			continue
		}
		if token.Any(detect.SentenceStart) && !token.Any(detect.Punct) && words > 0 && !apart {
			return "", false
		}
		if token.Any(detect.Punct) {
			if strings.ContainsAny(token.Text, ".!?…;") {
				return "", false
			}
			apart = apart || strings.ContainsAny(token.Text, "(,[–—-:")
			continue
		}
		if apart && stands(doc, i, likeness) {
			return "a likeness set apart follows the name", true
		}
		if stands(doc, i, meaning) {
			return "its meaning or spelling follows the name", true
		}
		words++
	}
	return "", false
}

// stands reports whether one of the phrases begins at token i.
func stands(doc *detect.Document, i int, among [][]string) bool {
	return slices.ContainsFunc(among, func(phrase []string) bool {
		at := i
		for _, word := range phrase {
			for at < len(doc.Tokens) && doc.Tokens[at].Any(detect.Punct) && strings.ContainsAny(doc.Tokens[at].Text, "'’-") {
				at++
			}
			if at >= len(doc.Tokens) || doc.Tokens[at].Folded != word {
				return false
			}
			at++
		}
		return true
	})
}

// Explanations checks the masked spans of a text.
func Explanations(doc *detect.Document, spans [][2]int) []Alert {
	var alerts []Alert
	for _, span := range spans {
		if what, found := Explain(doc, span[0], span[1]); found {
			alerts = append(alerts, Alert{Kind: Explained, Forms: []string{string(doc.Raw[span[0]:span[1]])}, What: what,
				Post: doc.Post.ID, Field: doc.Field, Start: span[0], End: span[1]})
		}
	}
	return alerts
}
