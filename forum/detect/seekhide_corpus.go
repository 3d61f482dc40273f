package detect

import (
	"hash/maphash"
	"sync"
)

// Lexicon knows which words several people of one corpus use. A word that at
// least three other authors write in small letters is hardly a name that only
// the author knows: the cheapest anti-dictionary there is, and it knows the
// subject of the course. Capitals do not count, since everybody writes the
// name of a well-known participant with one.
//
// It is filled from the whole corpus before anything is detected, in any order
// and from several goroutines; then it only answers. Per distinct form it
// keeps up to four authors: some 100 bytes a form.
type Lexicon struct {
	seed  maphash.Seed
	mu    sync.RWMutex
	forms map[string]authors
}

// authors are digests of the first few authors of a form; 0 stands for none.
type authors [enoughAuthors + 1]uint64

// enoughAuthors is how many other authors make a word common.
const enoughAuthors = 3

// NewLexicon gives an empty lexicon: nothing is common yet.
func NewLexicon() *Lexicon {
	return &Lexicon{seed: maphash.MakeSeed(), forms: make(map[string]authors)}
}

// Learn reads a text of the corpus. Texts without an author teach nothing.
func (l *Lexicon) Learn(doc *Document) {
	if doc.Post.Author == "" {
		return
	}
	author := l.digest(doc.Post.Author)
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range doc.Tokens {
		t := &doc.Tokens[i]
		if !t.Any(Word) || t.Any(Capital|InCode|InURL|InMarkup|InContentID|InQuote|Mention|Hashtag) || len(t.Folded) < 2 {
			continue
		}
		known, ok := l.forms[t.Folded]
		if known.add(author) {
			if ok {
				l.forms[t.Folded] = known
			} else {
				l.forms[string([]byte(t.Folded))] = known // the token's string holds the whole text
			}
		}
	}
}

func (l *Lexicon) digest(author string) uint64 { return max(maphash.String(l.seed, author), 1) }

// add notes an author and reports whether that was news.
func (a *authors) add(author uint64) bool {
	for i := range a {
		switch a[i] {
		case author:
			return false
		case 0:
			a[i] = author
			return true
		}
	}
	return false
}

// OtherAuthors tells how many authors but this one use the form in small
// letters; three stands for three and more.
func (l *Lexicon) OtherAuthors(folded, author string) int {
	l.mu.RLock()
	known, ok := l.forms[folded]
	l.mu.RUnlock()
	if !ok {
		return 0
	}
	own := uint64(0)
	if author != "" {
		own = l.digest(author)
	}
	n := 0
	for _, a := range known {
		if a != 0 && a != own {
			n++
		}
	}
	return min(n, enoughAuthors)
}

// Len is the number of distinct forms.
func (l *Lexicon) Len() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.forms)
}
