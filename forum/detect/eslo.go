package detect

import (
	"sync"

	"anonymooc/forum/grammar"
	"anonymooc/forum/lists"
)

// ESLO finds what people tell about themselves and their relatives, with the
// local grammars of package grammar: named entities first, then designating
// entities around them (Eshkol-Taravella, Baude, Kanaan-Caillol & Maurel 2014,
// section 3.2.2).
//
//	Document ─ atoms ─ per stretch of one language ─► first cascade ─► second cascade ─► marks, facts
//
// Names, small places and schools identify directly: they are proposed to be
// masked. Ages, jobs, origins, families, studies, health and associations
// identify only together (section 3.2.1): they are left unsure, and Facts hands
// them to the person file, where the reviewer sees what one author has told in
// all posts.
type ESLO struct {
	grammars map[string]*grammar.Grammar
	words    map[string]*esloWords
	lists    WordLists
	listed   *Listed // what they say of words; nil where there are none
	small    uint32
	readers  sync.Pool
}

// esloWords remembers what one language's grammar and the lists know of words.
type esloWords struct {
	plain  memory[esloWord]
	elided memory[elidedWord]
}

type esloWord struct {
	grammar.Lexeme
	begins bool // a name of several words
}

// elidedWord is a word with its apostrophe.
type elidedWord struct {
	esloWord
	folded string
}

// WordLists is what the grammars ask the general lists: *lists.Lists, or a set
// of them that the officer has put together. Keys are made by lists.Key.
type WordLists interface {
	Find(key string) lists.Entry
	Look(key string) lists.Entry // where the answer is remembered
	Longest(want lists.Kind, word func(i int) (key string, ok bool)) (int, lists.Entry)
}

// SmallTown is the population up to which a place is proposed to be masked; a
// larger one is left unsure.
const SmallTown = 100_000

// NewESLO prepares the detector with compiled grammars. lists may be nil: then
// only phrases and capitals speak.
func NewESLO(grammars map[string]*grammar.Grammar, lists WordLists) *ESLO {
	e := &ESLO{grammars: grammars, words: map[string]*esloWords{}, lists: lists, small: SmallTown}
	if lists != nil {
		e.listed = NewListed(lists)
	}
	for language := range grammars {
		e.words[language] = &esloWords{newMemory[esloWord](), newMemory[elidedWord]()}
	}
	e.readers.New = func() any { return newESLOReader(e) }
	return e
}

// NewShippedESLO prepares the detector with the grammars that come with the
// program.
func NewShippedESLO(lists WordLists) (*ESLO, error) {
	grammars, err := grammar.ReadAll(grammar.Shipped())
	if err != nil {
		return nil, err
	}
	return NewESLO(grammars, lists), nil
}

// Name is "eslo".
func (e *ESLO) Name() string { return "eslo" }

// Detect appends what the grammars find.
func (e *ESLO) Detect(doc *Document, marks []Mark) []Mark {
	r := e.readers.Get().(*esloReader)
	defer e.readers.Put(r)
	r.marks, r.facts, r.wantFacts = marks, nil, false
	r.read(doc)
	marks, r.marks, r.doc = r.marks, nil, nil
	return marks
}

// Fact is one thing that a text tells about somebody.
type Fact struct {
	About      string // speaker, spouse, parent, child, relative, other
	Says       string // identity.name, work.occupation …
	Category   Category
	Start, End int     // bytes of Document.Raw
	Value      string  // folded: the key by which facts are compared
	Score      float64 // of the rule
}

// Facts appends what a text tells about its author and the author's relatives.
func (e *ESLO) Facts(doc *Document, facts []Fact) []Fact {
	r := e.readers.Get().(*esloReader)
	defer e.readers.Put(r)
	r.marks, r.facts, r.wantFacts = nil, facts, true
	r.read(doc)
	facts, r.facts, r.marks, r.doc = r.facts, nil, nil, nil
	return facts
}

// labelCategory is what the labels of grammar files mean.
func labelCategory(label string) Category {
	switch label {
	case "first":
		return FirstName
	case "last":
		return LastName
	case "full":
		return FullName
	case "nick":
		return Nickname
	case "user":
		return Username
	case "place":
		return Place
	case "org":
		return Organisation
	}
	if c := Category(label); c.Valid() {
		return c
	}
	return Other
}
