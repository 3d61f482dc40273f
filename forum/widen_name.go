package forum

import (
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/forum/lists"
)

// wholeNames lets a first name that is masked take along the last name that stands
// behind it, and a last name the first name before it: who leaves one of them
// leaves the person. The whole is a name of its own, of somebody whom the catalogue
// does not know. What a reviewer keeps is kept.
func (e *Engine) wholeNames(doc *detect.Document, findings []Finding) []Finding {
	if !e.treated[detect.FirstName] || !e.treated[detect.LastName] || !e.treated[detect.FullName] {
		return findings
	}
	widened := false
	for i := range findings {
		f := &findings[i]
		if f.Verdict == detect.Keep || f.handle || !f.Category.Person() || f.Category == detect.Username {
			continue
		}
		from, to := doc.At(f.Start), doc.At(f.End-1)
		if to >= len(doc.Tokens) || doc.Tokens[from].Start != f.Start || doc.Tokens[to].End != f.End {
			continue // a part of a word
		}
		first, last := from, e.lastNameBehind(doc, to)
		if f.Category == detect.LastName && e.firstNameBefore(doc, from) {
			first--
		} else if e.initialBefore(doc, from) {
			first -= 2
		}
		if last == to && initialBehind(doc, to) {
			last++
		}
		start, end := doc.Tokens[first].Start, doc.Tokens[last].End
		if first == from && last == to || keptByReviewer(findings, start, end) || e.keeps(doc, start, end) {
			continue
		}
		mark := detect.Mark{Start: start, End: end}
		f.Start, f.End, f.Category, f.Entity, f.Entities = start, end, detect.FullName, "", nil
		f.Surface, f.key = surface(doc, mark, first, last+1), formKey(doc, mark, first, last+1)
		widened = true
	}
	if !widened {
		return findings
	}
	return settleOverlaps(findings)
}

// keptByReviewer reports whether a reviewer keeps something between two bytes.
func keptByReviewer(findings []Finding, start, end int) bool {
	for i := range findings {
		if f := &findings[i]; f.Start < end && start < f.End && f.By == ByReviewer && f.Verdict == detect.Keep {
			return true
		}
	}
	return false
}

// keeps reports whether a reviewer, who saw the whole name, keeps it.
func (e *Engine) keeps(doc *detect.Document, start, end int) bool {
	if e.decisions == nil {
		return false
	}
	v, ok := e.decisions.Mention(ledger.Mention{Post: doc.Post.ID, Field: doc.Field, Start: start, End: end})
	return ok && v.Keeps()
}

// mostLastNames is how many words of a last name are looked for.
const mostLastNames = 2

// lastNameBehind gives the last token of the last name behind token to; to where
// there is none.
func (e *Engine) lastNameBehind(doc *detect.Document, to int) int {
	if !doc.Tokens[to].Has(detect.Word | detect.Capital) {
		return to
	}
	for range mostLastNames {
		next := to + 1
		if !joined(doc, next) {
			return to
		}
		if len(doc.Tokens[next].Text) == 1 { // "D'Intino", "O'Brien"
			next += 2
			if !glued(doc, next) || !glued(doc, next-1) || doc.Tokens[next-1].Folded != "'" {
				return to
			}
		}
		if !e.couldBeLastName(doc, next) {
			return to
		}
		to = next
	}
	return to
}

// initialBefore reports whether a first name's initial stands before a name that is no
// first name: "J. Vasselin", but not "vitamin C. Anna says".
func (e *Engine) initialBefore(doc *detect.Document, from int) bool {
	if from < 2 || e.usages.known == nil || doc.Tokens[from].Any(detect.LineStart|nowhere) || !doc.Tokens[from].Has(detect.Word|detect.Capital) {
		return false
	}
	letter := &doc.Tokens[from-2]
	return doc.Tokens[from-1].Text == "." && glued(doc, from-1) && letter.Has(detect.Word|detect.Capital) && len(letter.Folded) == 1 &&
		!letter.Any(nowhere) && !e.usages.find(&doc.Tokens[from]).Is(lists.FirstName)
}

// initialBehind reports whether a last name's initial stands behind a name: "Albertine K.".
func initialBehind(doc *detect.Document, to int) bool {
	return doc.Tokens[to].Has(detect.Word|detect.Capital) && joined(doc, to+1) && len(doc.Tokens[to+1].Folded) == 1 &&
		glued(doc, to+2) && doc.Tokens[to+2].Text == "."
}

// nowhere are the places where no name is made whole.
const nowhere = detect.InURL | detect.InCode | detect.InMarkup | detect.InContentID

// joined reports whether token i is a capitalised word that goes on with what stands
// before it.
func joined(doc *detect.Document, i int) bool {
	return i > 0 && i < len(doc.Tokens) && doc.Tokens[i].Has(detect.Word|detect.Capital|detect.SpaceBefore) &&
		!doc.Tokens[i].Any(detect.LineStart|detect.SentenceStart|nowhere)
}

// couldBeLastName reports whether a capitalised word is in no dictionary, or known
// as a last name, as no large place and as no word of the text's language.
func (e *Engine) couldBeLastName(doc *detect.Document, i int) bool {
	t := &doc.Tokens[i]
	if !t.Has(detect.Word|detect.Capital) || t.Any(nowhere) || len(t.Folded) < 3 || isReplacement(t.Text) || e.usages.known == nil {
		return false
	}
	entry := e.usages.find(t)
	if entry.Is(lists.Surname|lists.RareSurname) && doc.Lang != "" {
		return !entry.Is(lists.WordOf(doc.Lang)|lists.StopOf(doc.Lang)|lists.Country) && entry.Population < DefaultSmallTown
	}
	return !namedWithCapitals[doc.Lang] && !entry.Is(lists.AnyWord|lists.AnyStop|lists.OtherStop|lists.Chat|lists.Proper|lists.Place|lists.Country|lists.Demonym|lists.Thing|lists.Title)
}

// namedWithCapitals are the languages that write all nouns with a capital.
var namedWithCapitals = map[string]bool{"de": true}

// firstNameBefore reports whether a first name stands before the last name at
// token from.
func (e *Engine) firstNameBefore(doc *detect.Document, from int) bool {
	if e.usages.known == nil || !joined(doc, from) {
		return false
	}
	t := &doc.Tokens[from-1]
	if !t.Has(detect.Word|detect.Capital) || t.Any(nowhere|detect.Mention|detect.Hashtag) || isReplacement(t.Text) {
		return false
	}
	entry := e.usages.find(t)
	return entry.Is(lists.FirstName) && !entry.Is(lists.Title|lists.AnyStop|lists.Chat) &&
		(!t.Any(detect.SentenceStart) || !entry.Is(lists.AnyWord))
}
