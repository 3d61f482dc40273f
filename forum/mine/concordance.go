package mine

import (
	"anonymooc/forum/detect"
)

// Concordance finds every occurrence of some forms, folded, whatever stands
// between their words: a space, a hyphen, an apostrophe, an underscore.
type Concordance struct {
	forms [][]string
	first map[string][]int // forms by their first word
}

// NewConcordance prepares the search for forms. Forms without a word are not
// found anywhere.
func NewConcordance(forms ...string) *Concordance {
	c := &Concordance{first: make(map[string][]int)}
	for i, form := range forms {
		keys := keysOf(form)
		c.forms = append(c.forms, keys)
		if len(keys) > 0 {
			c.first[keys[0]] = append(c.first[keys[0]], i)
		}
	}
	return c
}

// Empty reports whether no form can be found, because none has a word.
func (c *Concordance) Empty() bool { return len(c.first) == 0 }

// Find calls found with every occurrence: the form's index and the bytes of the
// document's Raw.
func (c *Concordance) Find(doc *detect.Document, found func(form, start, end int)) {
	for i := range doc.Tokens {
		for _, form := range c.first[doc.Tokens[i].Folded] {
			if last, ok := follows(doc, i, c.forms[form]); ok {
				found(form, doc.Tokens[i].Start, doc.Tokens[last].End)
			}
		}
	}
}

// follows reports whether the words stand at token i, and at which token they end.
func follows(doc *detect.Document, i int, words []string) (last int, ok bool) {
	for at, word := range words {
		if at > 0 {
			i++
			if i < len(doc.Tokens) && joins(doc.Tokens[i].Text) {
				i++
			}
		}
		if i >= len(doc.Tokens) || doc.Tokens[i].Folded != word {
			return 0, false
		}
	}
	return i, true
}
