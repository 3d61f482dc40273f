package forum

import (
	"strings"

	"anonymooc/forum/detect"
)

// widen lets masked names take with them what they are part of: the rest of a
// handle ("@emma_lbn_31"), the other half of a double name ("Linh-Đan"), the
// address of a personal page, the words before an institution's name ("lycée du
// …"), the postcode before a town. Findings that overlap then become one.
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
		switch {
		case f.Category == detect.Organisation:
			from = institutionFrom(doc, from)
		case f.Category == detect.Place:
			if from > 0 && postcode(&doc.Tokens[from-1]) && !doc.Tokens[from].Any(detect.LineStart) {
				from--
			}
		case !f.Category.Person():
		case doc.Tokens[from].Any(detect.InURL):
			from, to = wholeURL(doc, from, to)
			f.Category = detect.URL
		default:
			from, to = wholeHandle(doc, from, to)
			from, to = wholeName(doc, from, to)
		}
		f.Start, f.End = doc.Tokens[from].Start, doc.Tokens[to].End
	}
	return settleOverlaps(findings)
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
				if last.Score > f.Score {
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

// postcode reports whether a token may be a postcode before a town.
func postcode(t *detect.Token) bool {
	return t.Any(detect.Number) && (len(t.Text) == 4 || len(t.Text) == 5)
}

// institutionFrom gives the first of the words that say what an institution is,
// when its name at token from follows them: "école secondaire du …".
func institutionFrom(doc *detect.Document, from int) int {
	first := from
	for i := from - 1; i >= 0 && i >= from-5 && !doc.Tokens[i+1].Any(detect.LineStart|detect.InMarkup); i-- {
		tok := &doc.Tokens[i]
		switch {
		case institutions[tok.Folded]:
			first = i
		case particles[tok.Folded] || tok.Folded == "'" || tok.Text == "-":
		default:
			return first
		}
	}
	return first
}

// glued reports whether token i stands right after the one before it.
func glued(doc *detect.Document, i int) bool {
	return i > 0 && i < len(doc.Tokens) && !doc.Tokens[i].Any(detect.SpaceBefore|detect.LineStart)
}

// wholeURL widens to the address around.
func wholeURL(doc *detect.Document, from, to int) (int, int) {
	for from > 0 && glued(doc, from) && doc.Tokens[from-1].Any(detect.InURL) {
		from--
	}
	for glued(doc, to+1) && doc.Tokens[to+1].Any(detect.InURL) {
		to++
	}
	return from, to
}

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

// wholeName widens over a hyphen to a capitalised word, and to the end of a
// Breton name.
func wholeName(doc *detect.Document, from, to int) (int, int) {
	half := func(i int) bool {
		return i >= 0 && i < len(doc.Tokens) && doc.Tokens[i].Has(detect.Word|detect.Capital)
	}
	hyphen := func(i int) bool {
		return i > 0 && i < len(doc.Tokens) && strings.ContainsAny(doc.Tokens[i].Folded, "-") && glued(doc, i) && glued(doc, i+1)
	}
	for half(to) && hyphen(to+1) && half(to+2) {
		to += 2
	}
	for half(from) && hyphen(from-1) && half(from-2) {
		from -= 2
	}
	if half(to) && glued(doc, to+1) && glued(doc, to+2) && doc.Tokens[to+1].Folded == "'" && doc.Tokens[to+2].Folded == "h" {
		to += 2 // Breton: "Guivarc'h"
	}
	return from, to
}
