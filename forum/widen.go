package forum

import (
	"strings"

	"anonymooc/forum/detect"
)

// widen lets masked names take with them what they are part of: the rest of a
// handle ("@emma_lbn_31"), the other half of a double name ("Linh-Đan"), the
// link they stand in, the small words of a town ("Avesnes-sur-Helpe"), the words that say what an institution of that name is
// ("lycée du …", "… High School"), the postcode before a town. Findings that
// overlap then become one.
func widen(doc *detect.Document, findings []Finding) []Finding {
	for i := range findings {
		f := &findings[i]
		if f.Verdict == detect.Keep {
			continue
		}
		from, to := doc.At(f.Start), doc.At(f.End-1)
		if to >= len(doc.Tokens) || doc.Tokens[from].Start != f.Start || doc.Tokens[to].End != f.End {
			continue // a part of a word
		}
		from, to = whole(doc, f, from, to)
		f.Start, f.End = doc.Tokens[from].Start, doc.Tokens[to].End
	}
	return settleOverlaps(findings)
}

// whole gives the first and the last token of what a finding is part of, and
// changes its category where that is something else.
func whole(doc *detect.Document, f *Finding, from, to int) (int, int) {
	named := f.Category.Person() || f.Category == detect.Place || f.Category == detect.Organisation
	if first, last, ok := wholeLink(doc, from, to); ok && (named || f.Category == detect.URL) {
		f.Category = detect.URL
		return first, last
	}
	if !named {
		return from, to
	}
	if f.Category.Person() {
		from, to = wholeHandle(doc, from, to)
	}
	if f.Category != detect.Organisation {
		from, to = wholeName(doc, from, to, f.Category == detect.Place)
	}
	if last := partners(doc, to); last > to && f.Category != detect.Place {
		f.Category = detect.Organisation
		return from, last
	}
	if !f.Category.Person() || len(f.Entities) == 0 || f.Mined { // "l'école de Kelly": Kelly is known here
		if first, last, ok := wholeInstitution(doc, from, to, f.Category); ok {
			f.Category = detect.Organisation
			return first, last
		}
	}
	if f.Category == detect.Place && from > 0 && postcode(&doc.Tokens[from-1]) && !doc.Tokens[from].Any(detect.LineStart) {
		from--
	}
	return from, to
}

// settleOverlaps makes widened findings disjoint again: what is kept gives way
// to what is masked, and two masked findings become one.
func settleOverlaps(findings []Finding) []Finding {
	var apart []Finding
	for _, f := range findings {
		for len(apart) > 0 && f.Start < apart[len(apart)-1].End {
			last := &apart[len(apart)-1]
			if f.Verdict == detect.Keep {
				f.Start = f.End
				break
			}
			if last.Verdict != detect.Keep {
				start, end := min(f.Start, last.Start), max(f.End, last.End)
				if surer(last, &f) {
					f = *last
				}
				f.Start, f.End = start, end
			}
			apart = apart[:len(apart)-1]
		}
		if f.Start < f.End {
			apart = append(apart, f)
		}
	}
	return apart
}

// surer reports whether a rather than b is what two masked findings that become one
// are: what a reviewer masks, then what is masked, then what scores more.
func surer(a, b *Finding) bool {
	if first, second := a.By == ByReviewer, b.By == ByReviewer; first != second {
		return first
	}
	if first, second := a.Verdict == detect.Mask, b.Verdict == detect.Mask; first != second {
		return first
	}
	return a.Score > b.Score
}

// postcode reports whether a token may be a postcode before a town.
func postcode(t *detect.Token) bool {
	return t.Any(detect.Number) && (len(t.Text) == 4 || len(t.Text) == 5)
}

// glued reports whether token i stands right after the one before it.
func glued(doc *detect.Document, i int) bool {
	return i > 0 && i < len(doc.Tokens) && !doc.Tokens[i].Any(detect.SpaceBefore|detect.LineStart)
}

// wholeLink widens to the link around, which may have been written without
// "http". Dots alone make no link: "merci Kelly.Bonne journée".
func wholeLink(doc *detect.Document, from, to int) (first, last int, ok bool) {
	inURL := doc.Tokens[from].Any(detect.InURL)
	part := func(i int) bool {
		tok := &doc.Tokens[i]
		return tok.Any(detect.InURL) == inURL && (inURL || !tok.Any(detect.Punct) || strings.Contains(linkMarks, tok.Text))
	}
	first, last = from, to
	for (inURL || from-first < linkTokens) && glued(doc, first) && part(first-1) {
		first--
	}
	for (inURL || last-to < linkTokens) && glued(doc, last+1) && part(last+1) {
		last++
	}
	if inURL {
		return first, last, true
	}
	for last > to && doc.Tokens[last].Any(detect.Punct) {
		last-- // the sentence's
	}
	for first < from && doc.Tokens[first].Any(detect.Punct) {
		first++
	}
	var text strings.Builder
	for i := first; i <= last; i++ {
		text.WriteString(doc.Tokens[i].Text)
	}
	return first, last, detect.LinkLike(text.String())
}

// linkMarks are the characters of a link that are neither letters nor digits.
const linkMarks = "./-_~?=&%#+:"

// linkTokens bounds how far a link without "http" is read to either side.
const linkTokens = 40

// wholeHandle widens over what is joined by underscores, or by dots in small
// letters, as usernames are.
func wholeHandle(doc *detect.Document, from, to int) (int, int) {
	for glued(doc, to+2) && glued(doc, to+1) && handleJoint(doc, to+1) {
		to += 2
	}
	for from >= 2 && glued(doc, from) && glued(doc, from-1) && handleJoint(doc, from-1) {
		from -= 2
	}
	return from, to
}

// handleJoint reports whether token i joins its neighbours to one handle.
func handleJoint(doc *detect.Document, i int) bool {
	left, right := &doc.Tokens[i-1], &doc.Tokens[i+1]
	if left.Any(detect.Punct) || right.Any(detect.Punct) {
		return false
	}
	switch doc.Tokens[i].Text {
	case "_":
		return true
	case ".":
		return !right.Any(detect.Capital) && !left.Any(detect.Capital)
	}
	return false
}

// between are the small words in names of towns, beside those of linking.
var between = wordSet("en sur sous les lez pres am an der bei upon on by le")

// wholeName widens over a hyphen to a capitalised word, with the small words that
// names of towns have ("Avesnes-sur-Helpe"), and to the end of a Breton name.
func wholeName(doc *detect.Document, from, to int, place bool) (int, int) {
	half := func(i int) bool {
		return i >= 0 && i < len(doc.Tokens) && doc.Tokens[i].Has(detect.Word|detect.Capital)
	}
	hyphen := func(i int) bool {
		return i > 0 && i < len(doc.Tokens) && strings.ContainsAny(doc.Tokens[i].Folded, "-") && glued(doc, i) && glued(doc, i+1)
	}
	small := func(i int) bool {
		return linking[doc.Tokens[i].Folded] || place && between[doc.Tokens[i].Folded]
	}
	elision := func(i int) bool {
		return place && i > 0 && i < len(doc.Tokens) && doc.Tokens[i].Folded == "'" && glued(doc, i) && glued(doc, i+1)
	}
	for half(to) && hyphen(to+1) {
		next := to + 2
		for next < len(doc.Tokens) && small(next) && (hyphen(next+1) || elision(next+1)) {
			next += 2
		}
		if !half(next) {
			break
		}
		to = next
	}
	for half(from) && (hyphen(from-1) || elision(from-1)) {
		before := from - 2
		for before >= 0 && small(before) && hyphen(before-1) {
			before -= 2
		}
		if !half(before) {
			break
		}
		from = before
	}
	if half(to) && glued(doc, to+1) && glued(doc, to+2) && doc.Tokens[to+1].Folded == "'" && doc.Tokens[to+2].Folded == "h" {
		to += 2 // Breton: "Guivarc'h"
	}
	return from, to
}
