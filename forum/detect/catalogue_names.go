package detect

import (
	"slices"
	"unicode/utf8"

	"anonymooc/internal/fold"
)

func foldWord(s string) string { return fold.KeyString(s) }

// words of a category, for Mark.What.
var categoryWords = map[Category]string{
	FirstName: "known first name", LastName: "known last name", FullName: "known full name",
	Nickname: "known nickname", Username: "known username", Email: "known e-mail address",
	Place: "known place", Organisation: "known institution",
}

// emit turns a match into one mark per reading.
func (c *Catalogue) emit(m *match, marks []Mark) []Mark {
	for _, r := range m.readings {
		mark := Mark{Start: m.start, End: m.end, Category: r.Category, Type: r.Type, Entities: r.Entities, Proposal: Unsure, Score: 0.6, By: c.Name()}
		what, ok := categoryWords[r.Category]
		if !ok {
			what = "known " + string(r.Category)
		}
		mark.What = what + m.shape.String()
		switch {
		case r.Public:
			mark.Proposal, mark.Score, mark.What = Keep, 0, what+", listed as public"
		case r.Category == Email:
			mark.Proposal, mark.Score = Mask, 1
		case m.shape != normal:
			mark.Score = 0.55
		}
		marks = append(marks, mark)
	}
	return marks
}

// reading finds the reading of a category among a match's.
func (m *match) reading(category Category) *Reading {
	for i := range m.readings {
		if m.readings[i].Category == category && !m.readings[i].Public {
			return &m.readings[i]
		}
	}
	return nil
}

// compose makes a full name of matches[i] and what stands beside it: the other
// half of the same person's name ("Zoé Blanc", "BLANC Zoé"), or its initial
// ("P. Monem", "Sylvie B."). used is the number of matches it takes.
func (c *Catalogue) compose(doc *Document, matches []match, i int) (mark Mark, used int) {
	m := &matches[i]
	first, last := m.reading(FirstName), m.reading(LastName)
	if first == nil && last == nil {
		return mark, 0
	}
	if j := partnerOf(doc, matches, i); j > 0 {
		other := &matches[j]
		for _, pair := range [...][2]*Reading{{first, other.reading(LastName)}, {last, other.reading(FirstName)}} {
			if pair[0] == nil || pair[1] == nil {
				continue
			}
			if common := intersect(pair[0].Entities, pair[1].Entities); len(common) > 0 {
				return c.full(m.start, other.end, common, "first and last name of one person"), j - i + 1
			}
		}
	}
	if last != nil {
		if start, letter, ok := initialBefore(doc, m.from); ok {
			if people := c.withInitial(last.Entities, letter, true); len(people) > 0 {
				return c.full(start, m.end, people, "initial and last name of one person"), 1
			}
		}
	}
	if first != nil {
		if end, letter, ok := initialAfter(doc, m.to); ok {
			if people := c.withInitial(first.Entities, letter, false); len(people) > 0 {
				return c.full(m.start, end, people, "first name and initial of one person"), 1
			}
		}
	}
	return mark, 0
}

func (c *Catalogue) full(start, end int, people []EntityID, what string) Mark {
	return Mark{Start: start, End: end, Category: FullName, Entities: people, Proposal: Mask, Score: 0.97, By: c.Name(), What: what}
}

// partnerOf finds the match of the word right after matches[i]: 0 when there is
// none.
func partnerOf(doc *Document, matches []match, i int) int {
	m := &matches[i]
	next := joined(doc, m.to-1)
	for j := i + 1; j < len(matches) && next > 0; j++ {
		switch {
		case matches[j].from == m.from:
			continue
		case matches[j].from == next && (matches[j].reading(FirstName) != nil || matches[j].reading(LastName) != nil):
			return j
		case matches[j].from > next:
			return 0
		}
	}
	return 0
}

// initialBefore reads a capital initial before token i: "P. Monem", "J.-M. Faure".
func initialBefore(doc *Document, i int) (start int, letter string, ok bool) {
	j := i - 1
	dotted := false
	if j >= 0 && doc.Tokens[j].Text == "." {
		dotted = true
		j--
	}
	if j < 0 || !isInitial(&doc.Tokens[j]) || doc.Tokens[i].Any(LineStart) {
		return 0, "", false
	}
	if !dotted && !doc.Tokens[i].Any(SpaceBefore) && doc.Tokens[i-1].Text != "_" {
		return 0, "", false
	}
	// A double initial: the one before counts.
	for k := j - 1; k >= 0 && (doc.Tokens[k].Text == "-" || doc.Tokens[k].Text == "."); k-- {
		if k > 0 && isInitial(&doc.Tokens[k-1]) && !doc.Tokens[k].Any(SpaceBefore) {
			j = k - 1
			break
		}
	}
	return doc.Tokens[j].Start, doc.Tokens[j].Folded, true
}

// initialAfter reads a capital initial after the name that ends before token i:
// "Sylvie B.", "Pat M."; without its dot only at the end of a line or sentence.
func initialAfter(doc *Document, i int) (end int, letter string, ok bool) {
	if i >= len(doc.Tokens) || !isInitial(&doc.Tokens[i]) || doc.Tokens[i].Any(LineStart) || !doc.Tokens[i].Any(SpaceBefore) {
		return 0, "", false
	}
	end = doc.Tokens[i].End
	if i+1 < len(doc.Tokens) {
		switch next := &doc.Tokens[i+1]; {
		case next.Text == "." && !next.Any(SpaceBefore):
			end = next.End
		case !next.Any(LineStart | Punct):
			return 0, "", false
		}
	}
	return end, doc.Tokens[i].Folded, true
}

func isInitial(t *Token) bool {
	return t.Has(Word|Capital) && utf8.RuneCountInString(t.Text) == 1
}

// withInitial filters people by the first letter of their first or last name.
func (c *Catalogue) withInitial(people []EntityID, letter string, first bool) []EntityID {
	var left []EntityID
	for _, p := range people {
		names := c.partner[p]
		if first && names.first == letter || !first && names.last == letter {
			left = append(left, p)
		}
	}
	return left
}

// intersect gives what two sorted lists share.
func intersect(a, b []EntityID) []EntityID {
	if len(a) > len(b) {
		a, b = b, a
	}
	var both []EntityID
	for _, e := range a {
		if _, ok := slices.BinarySearch(b, e); ok {
			both = append(both, e)
		}
	}
	return both
}
