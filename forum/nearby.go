package forum

import (
	"strings"
	"sync"
	"unicode/utf8"

	"anonymooc/forum/detect"
	"anonymooc/internal/fold"
)

// nearby finds what no catalogue can hold, because it only means somebody among
// the people who talk here: initials under a post ("J-M.", "D. K."), names cut
// short ("Clem"), pet forms ("Stellina"). It reads a text with its circle.
type nearby struct {
	people *people
	words  Words
	said   *saidWords // the same, for words in a text
	known  sync.Map   // person → *shortNames
}

const nearbyName = "circle"

// mostTalkers bounds how many people of a thread are considered.
const mostTalkers = 64

// shortNames holds what a person may sign or be called by.
type shortNames struct {
	entity   detect.EntityID
	names    []string // folded first names and their parts
	initials []string // "jm", "dk", …
}

func (n *nearby) detect(doc *detect.Document, around circle, marks []detect.Mark) []detect.Mark {
	var close []*shortNames
	for i, person := range append([]int32{around.author, around.answered}, around.talkers...) {
		if person != nobody && i < mostTalkers+2 {
			close = append(close, n.short(person))
		}
	}
	if len(close) == 0 {
		return marks
	}
	marks = n.signature(doc, around, close[0], marks)
	marks = n.initials(doc, close, marks)
	for i := range doc.Tokens {
		tok := &doc.Tokens[i]
		if tok.Skipped() || tok.Any(detect.InURL|detect.InMarkup) || !tok.Any(detect.Word) || utf8.RuneCountInString(tok.Folded) < 3 {
			continue
		}
		if !tok.Any(detect.Capital|detect.Mention) && !called(doc, i) {
			continue
		}
		if (tok.Any(detect.SentenceStart) || !tok.Any(detect.Capital)) && n.said.common(doc.Lang, tok) {
			continue // an ordinary word of the text's language
		}
		marks = n.cutShort(tok, close, marks)
	}
	return marks
}

// short gives what a person may be called, worked out once.
func (n *nearby) short(person int32) *shortNames {
	if known, ok := n.known.Load(person); ok {
		return known.(*shortNames)
	}
	s := n.people.list[person].shortNames()
	n.known.Store(person, s)
	return s
}

func (p *Person) shortNames() *shortNames {
	s := &shortNames{entity: p.Entity()}
	var firsts, lasts []string
	for _, name := range p.Names {
		if words := strings.Fields(name); len(words) > 1 {
			firsts, lasts = append(firsts, words[0]), append(lasts, strings.Join(words[1:], " "))
		}
	}
	firsts, lasts = append(firsts, p.FirstNames...), append(lasts, p.LastNames...)
	for _, first := range firsts {
		key := fold.KeyString(first)
		s.names = append(s.names, key)
		parts := nameParts(key)
		if len(parts) > 1 {
			s.names = append(s.names, parts...)
			s.initials = append(s.initials, letters(parts))
		}
		for _, last := range lasts {
			lastParts := nameParts(fold.KeyString(last))
			s.initials = append(s.initials, letters(parts)+letters(lastParts), letters(parts[:1])+letters(lastParts[:1]), letters(lastParts)+letters(parts))
			if len(lastParts) > 1 {
				s.initials = append(s.initials, letters(lastParts))
			}
		}
	}
	return s
}

// nameParts cuts a folded name at hyphens and spaces; never empty.
func nameParts(key string) []string {
	parts := strings.FieldsFunc(key, func(r rune) bool { return r == '-' || r == ' ' || r == '.' })
	if len(parts) == 0 {
		return []string{""}
	}
	return parts
}

func letters(parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		for _, r := range p {
			b.WriteRune(r)
			break
		}
	}
	return b.String()
}

// signature finds initials that stand alone on a line, or at the very end of a
// text after a full stop: the author's.
func (n *nearby) signature(doc *detect.Document, around circle, own *shortNames, marks []detect.Mark) []detect.Mark {
	if around.author == nobody {
		return marks
	}
	end := len(doc.Tokens)
	for end > 0 && doc.Tokens[end-1].Any(detect.Punct) && doc.Tokens[end-1].Text != "." {
		end--
	}
	start, initials := end, ""
	for start > 0 {
		tok := &doc.Tokens[start-1]
		switch {
		case tok.Has(detect.Word|detect.Capital) && utf8.RuneCountInString(tok.Text) <= 2:
			initials = tok.Folded + initials
		case tok.Text == "." || tok.Text == "-":
		default:
			return n.signed(doc, start, end, initials, own, marks)
		}
		start--
		if doc.Tokens[start].Any(detect.LineStart) {
			break
		}
	}
	return n.signed(doc, start, end, initials, own, marks)
}

func (n *nearby) signed(doc *detect.Document, start, end int, initials string, own *shortNames, marks []detect.Mark) []detect.Mark {
	for start < end && doc.Tokens[start].Any(detect.Punct) {
		start++
	}
	if start >= end || initials == "" || end-start > 6 {
		return marks
	}
	known := false
	for _, i := range own.initials {
		known = known || i == initials || len(i) > 1 && strings.HasPrefix(initials, i[:1]) && strings.HasSuffix(initials, i[len(i)-1:]) && len(initials) == len(i)
	}
	for _, name := range own.names {
		// "N." under a post, "M.-Cl." for Marie-Claude.
		parts := nameParts(name)
		known = known || len(initials) <= 3 && abbreviates(initials, parts)
	}
	if !known {
		return marks
	}
	return append(marks, detect.Mark{Start: doc.Tokens[start].Start, End: doc.Tokens[end-1].End, Category: detect.FirstName,
		Entities: []detect.EntityID{own.entity}, Proposal: detect.Mask, Score: 0.95, By: nearbyName, What: "the author's initials where a signature stands"})
}

// initials finds two capital initials or more with their dots, anywhere: "merci
// D. K.", when they are those of somebody around.
func (n *nearby) initials(doc *detect.Document, close []*shortNames, marks []detect.Mark) []detect.Mark {
	for i := 0; i < len(doc.Tokens); i++ {
		end, key := i, ""
		for end+1 < len(doc.Tokens) && initial(&doc.Tokens[end]) && doc.Tokens[end+1].Text == "." && !doc.Tokens[end+1].Any(detect.SpaceBefore) {
			key += doc.Tokens[end].Folded
			end += 2
			if end < len(doc.Tokens) && doc.Tokens[end].Text == "-" {
				end++
			}
		}
		if len(key) < 2 {
			continue
		}
		for _, person := range close {
			for _, own := range person.initials {
				if own == key {
					marks = append(marks, detect.Mark{Start: doc.Tokens[i].Start, End: doc.Tokens[end-1].End, Category: detect.FullName,
						Entities: []detect.EntityID{person.entity}, Proposal: detect.Mask, Score: 0.9, By: nearbyName, What: "initials of somebody in the conversation"})
					break
				}
			}
		}
		i = end
	}
	return marks
}

func initial(t *detect.Token) bool {
	return t.Has(detect.Word|detect.Capital) && utf8.RuneCountInString(t.Text) == 1 && !t.Skipped()
}

// abbreviates reports whether s is made of the beginnings of the parts, in order.
func abbreviates(s string, parts []string) bool {
	for i, p := range parts {
		n := 0
		for n < len(s) && n < len(p) && s[n] == p[n] {
			n++
		}
		if n == 0 {
			return false
		}
		if i == len(parts)-1 {
			return n == len(s)
		}
		// The shortest beginning that leaves something for the others.
		s = s[1:]
		if s == "" {
			return false
		}
	}
	return false
}

// cutShort compares a word with the first names around.
func (n *nearby) cutShort(tok *detect.Token, close []*shortNames, marks []detect.Mark) []detect.Mark {
	word := tok.Folded
	for _, person := range close {
		for _, name := range person.names {
			what := ""
			switch stem := commonPrefix(word, name); {
			case word == name:
			case stem == len(word) && len(word) >= 3 && len(word) < len(name):
				what = "beginning of a first name in the conversation"
			case len(word) >= 4 && len(word) < len(name) && strings.HasSuffix(name, word):
				what = "end of a first name in the conversation"
			case petForm(word, name, stem) && (n.words == nil || !n.words.IsFirstName(word)):
				what = "pet form of a first name in the conversation"
			case doubled(word, name):
				what = "doubled syllable of a first name in the conversation"
			}
			if what == "" {
				continue
			}
			marks = append(marks, detect.Mark{Start: tok.Start, End: tok.End, Category: detect.Nickname, Entities: []detect.EntityID{person.entity},
				Proposal: detect.Unsure, Score: 0.6, By: nearbyName, What: what})
		}
	}
	return marks
}

// endings make pet forms of names.
var endings = wordSet("ino ina inho inha ito ita ette et ot otte ou ounet ounette etta etto illo illa uccio uccia uzzo cito cita ecito ecita y ie i chka nka enka")

// petForm reports whether word is the name, perhaps without its last vowel, with
// an ending; stem is how far the two agree.
func petForm(word, name string, stem int) bool {
	if stem < 3 || stem < len(name)-1 || len(word) <= stem {
		return false
	}
	for at := stem; at >= max(3, len(name)-1); at-- {
		if endings[word[at:]] {
			return true
		}
	}
	return false
}

// doubled reports whether word is a syllable of the name, said twice: "Juju".
func doubled(word, name string) bool {
	half := len(word) / 2
	return len(word)%2 == 0 && half >= 2 && half <= 3 && word[:half] == word[half:] && strings.HasPrefix(name, word[:half])
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
