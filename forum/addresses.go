package forum

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"anonymooc/forum/detect"
	"anonymooc/internal/fold"
)

// addresses are the names told by the e-mail addresses in a corpus: whoever
// writes "anna.kern@…" under a post is called Anna Kern elsewhere. They are
// mined like any other form.
type addresses map[string]bool // folded parts of the local part, joined by spaces

// leastPart is the length of the shortest part that may be a name.
const leastPart = 3

// learn reads the addresses of a text.
func (a addresses) learn(doc *detect.Document) {
	for at := range doc.Tokens {
		if doc.Tokens[at].Text != "@" || !glued(doc, at) || !glued(doc, at+1) {
			continue
		}
		var parts []string
		for i := at - 1; i >= 0; i-- {
			tok := &doc.Tokens[i]
			if tok.Has(detect.Word) && utf8.RuneCountInString(tok.Folded) >= leastPart && !strings.ContainsAny(tok.Folded, "0123456789") {
				parts = append(parts, tok.Folded)
			} else if !strings.Contains("._-", tok.Text) {
				parts = nil
				break
			}
			if !glued(doc, i) {
				break
			}
		}
		if len(parts) == 2 {
			slices.Reverse(parts)
			a[strings.Join(parts, " ")] = true
		}
	}
}

// addressRows makes catalogue rows of the names that the rows so far do not
// explain.
func (e *Engine) addressRows(rows []detect.Row) []detect.Row {
	if len(e.addresses) == 0 {
		return nil
	}
	known := make(map[string]bool)
	for i := range rows {
		if c := rows[i].Category; c == detect.FirstName || c == detect.LastName {
			known[fold.KeyString(rows[i].Form)] = true
		}
	}
	why := []Evidence{{"addresses", "what an e-mail address in the corpus is made of"}}
	propose := func(form string, score float64) {
		for _, size := range [...]string{"capital:", "small:"} {
			if _, ok := e.mined[size+form]; !ok {
				e.mined[size+form] = candidate{score: score, evidence: why}
			}
		}
	}
	var mined []detect.Row
	for _, name := range slices.Sorted(maps.Keys(e.addresses)) {
		first, last, _ := strings.Cut(name, " ")
		if known[first] && known[last] {
			continue
		}
		propose(name, 0.99)
		propose(last+" "+first, 0.99)
		propose(first, 0.7)
		propose(last, 0.7)
		mined = append(mined, detect.Row{Form: name, Category: detect.FullName, Type: TypeVariant},
			detect.Row{Form: last + " " + first, Category: detect.FullName, Type: TypeVariant},
			detect.Row{Form: first, Category: detect.FirstName, Type: TypeVariant},
			detect.Row{Form: last, Category: detect.LastName, Type: TypeVariant})
	}
	return mined
}
