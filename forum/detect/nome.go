package detect

import (
	"sync"

	"anonymooc/forum/lists"
)

// Nome finds names by their capitals (NOME: Pelletier, Plamondon & Lapalme,
// section 2.2.2), in the paper's five steps:
//
//	1 sequences   words with a capital, joined by spaces, "-", "." or "'"; a
//	              civility title may open one in small letters
//	2 long names  two words or more, two adjacent letters, not all capitals, no
//	              excluded expression; after a title one word is enough
//	3 short names parts of long names that stand alone somewhere
//	4 capitals    names already found, written in capitals throughout
//	5 inclusions  the officer's own expressions
//
// The paper reads one document of many pages; a post has few words, so here the
// long names are gathered from the whole corpus first (Learn) and steps 3 and 4
// use them all. A text that was not learned knows at least its own.
//
// Two things are added to the paper's rules, which had no dictionaries: an
// ordinary word that begins a sentence is not part of the name after it
// ("Bonjour Marie"), and sequences that are a country or a large town are
// excluded, as the paper asks the user to do by hand. The score says how much
// the lists know of the words; every sequence stays a proposal.
type Nome struct {
	lists    WordLists // may be nil
	listed   *Listed   // what they say of words; nil where they are
	titles   map[string]bool
	excluded *phrases
	included *phrases
	readers  sync.Pool
	known    memory[nomeFact]

	mu    sync.RWMutex
	long  map[string]int // folded long names, and how often they were seen
	parts map[string]int // folded parts of long names
}

// nomeFact is what the lists say of one word.
type nomeFact struct {
	title              bool
	excluded, included bool // an expression may begin with it
	place              bool // it is a country or a large town
}

// fact gives it for a token.
func (n *Nome) fact(t *Token) *nomeFact {
	if known := n.known.find(&t.form.nome); known != nil {
		return known
	}
	f := nomeFact{title: n.titles[t.Folded], excluded: n.excluded.first[t.Folded], included: n.included.first[t.Folded]}
	if n.lists != nil {
		f.place = n.listed.of(t.form).Is(placeKinds) && n.largeTown(1, func(word int) (string, bool) { return t.Folded, word == 0 })
	}
	return n.known.keep(&t.form.nome, f)
}

// placeKinds are the lists that a country or a town may be in.
const placeKinds = lists.Place | lists.Country | lists.Demonym

// largeTown reports whether so many words are a country or a large town.
func (n *Nome) largeTown(words int, word func(int) (string, bool)) bool {
	found, e := n.lists.Longest(placeKinds, word)
	return found == words && (e.Is(lists.Country|lists.Demonym) || e.Population >= largePlace) && !(found == 1 && e.Is(lists.UsualName))
}

// NewNome prepares the detector with the officer's lists; words may be nil.
func NewNome(officer lists.Officer, words WordLists) *Nome {
	n := &Nome{lists: words, titles: make(map[string]bool), excluded: newPhrases(officer.Exclusions),
		included: newPhrases(officer.Inclusions), long: make(map[string]int), parts: make(map[string]int), known: newMemory[nomeFact]()}
	if words != nil {
		n.listed = NewListed(words)
	}
	for _, title := range officer.Titles {
		n.titles[lists.Key(title)] = true
	}
	n.readers.New = func() any {
		r := &nomeReader{nome: n, longHere: make(map[string]bool), partsHere: make(map[string]bool)}
		r.next = r.word
		return r
	}
	return n
}

// Name is "nome".
func (n *Nome) Name() string { return "nome" }

// Learn gathers the long names of a text of the corpus; call it for all texts
// before Detect. It may be called from several goroutines, in any order. Each
// distinct name takes some 200 bytes, its parts included.
func (n *Nome) Learn(doc *Document) {
	r := n.readers.Get().(*nomeReader)
	defer n.readers.Put(r)
	r.read(doc)
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range r.sequences {
		s := &r.sequences[i]
		if !s.long {
			continue
		}
		n.long[r.key(s.name, s.to)]++
		for _, w := range r.wordsOf(s) {
			if r.letters(w[0], w[1]) {
				n.parts[r.key(w[0], w[1])]++
			}
		}
	}
}

// Names lists the long names found so far with how often each was seen: the
// list that NOME shows its user. Keys are folded.
func (n *Nome) Names() map[string]int {
	n.mu.RLock()
	defer n.mu.RUnlock()
	names := make(map[string]int, len(n.long))
	for name, seen := range n.long {
		names[name] = seen
	}
	return names
}

func (n *Nome) knows(key []byte) (long, part bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.long[string(key)] > 0, n.parts[string(key)] > 0
}

// Detect appends a mark for each name.
func (n *Nome) Detect(doc *Document, marks []Mark) []Mark {
	r := n.readers.Get().(*nomeReader)
	defer n.readers.Put(r)
	r.read(doc)
	for i := range r.sequences {
		s := &r.sequences[i]
		if m, ok := r.mark(s); ok {
			marks = append(marks, m)
		}
	}
	return r.inclusions(marks)
}

// phrases finds expressions of several words.
type phrases struct {
	whole   map[string]bool
	first   map[string]bool
	longest int
}

func newPhrases(list []string) *phrases {
	p := &phrases{whole: make(map[string]bool), first: make(map[string]bool)}
	for _, phrase := range list {
		key := lists.Key(phrase)
		if key == "" {
			continue
		}
		p.whole[key] = true
		words := 1
		for i := range len(key) {
			if key[i] == ' ' {
				if words == 1 {
					p.first[key[:i]] = true
				}
				words++
			}
		}
		if words == 1 {
			p.first[key] = true
		}
		p.longest = max(p.longest, words)
	}
	return p
}
