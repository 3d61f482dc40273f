package detect

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
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

	version atomic.Uint64 // rises with whatever is learnt
	known   memory[knownAuthors]
}

// knownAuthors are the authors of a form as of a version.
type knownAuthors struct {
	version uint64
	authors authors
}

// authors are digests of the first few authors of a form; 0 stands for none.
type authors [enoughAuthors + 1]uint64

// enoughAuthors is how many other authors make a word common.
const enoughAuthors = 3

// NewLexicon gives an empty lexicon: nothing is common yet.
func NewLexicon() *Lexicon {
	return &Lexicon{seed: maphash.MakeSeed(), forms: make(map[string]authors), known: newMemory[knownAuthors]()}
}

// Learn reads a text of the corpus. Texts without an author teach nothing.
func (l *Lexicon) Learn(doc *Document) {
	if doc.Post.Author == "" {
		return
	}
	author := l.digest(doc.Post.Author)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.version.Add(1)
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
	known := l.forms[folded]
	l.mu.RUnlock()
	own := uint64(0)
	if author != "" {
		own = l.digest(author)
	}
	return int(known.others(own))
}

// others is OtherAuthors by a form and the author's digest.
func (l *Lexicon) others(f *form, own uint64) uint8 {
	version := l.version.Load()
	known := l.known.behind(&f.authors)
	if known == nil || known.version != version {
		l.mu.RLock()
		found := l.forms[f.folded]
		l.mu.RUnlock()
		known = l.known.hang(&f.authors, knownAuthors{version, found})
	}
	return known.authors.others(own)
}

// authorOf gives the digest of a text's author, 0 for none.
func (l *Lexicon) authorOf(doc *Document) uint64 {
	if doc.Post.Author == "" {
		return 0
	}
	return l.digest(doc.Post.Author)
}

// others counts the authors but one.
func (a *authors) others(own uint64) uint8 {
	n := uint8(0)
	for _, author := range a {
		if author != 0 && author != own {
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
