// Package person gathers what each author's posts tell about the author: the
// person file.
//
// A town, a job or an age names nobody. Together they may: "an indirect
// identifier identifies in combination, progressively, as the clues add up"
// (Eshkol-Taravella et al. 2014, section 3.2.1). A reviewer who sees one post
// at a time cannot see that, so this package looks at all posts of an author at
// once and says how many people of the export have told the same:
//
//	posts ─ Facts (local grammars) ─► Builder ─► File ─► Person: facts, who shares them,
//	                                                     the smallest combination that singles out
//
// What counts is what is told of the author and the author's family, by
// indirect identifiers, places, organisations and dates. Names identify by
// themselves: they are listed, and counted in no combination. Quoted lines are
// somebody else's words and are left out.
//
// A File holds people's own words: it is for the officer's eyes and goes into
// no release. It takes some 250 bytes a fact; a forum of a million posts tells
// a few hundred thousand.
package person

import (
	"cmp"
	"slices"
	"strings"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
)

// Place is where something is told: bytes of a post's field as read.
type Place struct {
	Post  string `json:"post"`
	Field string `json:"field"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// Fact is one thing that an author has told, wherever and how often.
type Fact struct {
	About    string          `json:"about"` // speaker, spouse, parent, child, relative
	Says     string          `json:"says"`  // identity.residence, work.occupation …
	Category detect.Category `json:"category"`
	Value    string          `json:"value"`   // as first written
	Sharing  int             `json:"sharing"` // authors who tell the same, this one included
	Places   []Place         `json:"places"`

	key string
}

// Direct reports whether the fact names somebody by itself.
func (f *Fact) Direct() bool { return f.Category.Person() }

// Person is what one author has told.
type Person struct {
	Author             string `json:"author"` // author_id of the export
	Facts              []Fact `json:"facts"`
	Sharing            int    `json:"sharing"`             // authors who tell all of it, this one included; 0 when nothing counts
	Combination        []int  `json:"combination"`         // smallest combination of Facts that the fewest share
	CombinationSharing int    `json:"combination_sharing"` // authors who share it; 0 without one
}

// File is the person files of an export's authors.
type File struct{ people []Person }

// People lists the persons, those that the fewest share a combination with
// first, and among them those whose combination is smallest.
func (f *File) People() []Person { return f.people }

// Person finds an author's file.
func (f *File) Person(author string) (Person, bool) {
	for i := range f.people {
		if f.people[i].Author == author {
			return f.people[i], true
		}
	}
	return Person{}, false
}

// Facts finds what a text tells; *detect.ESLO does.
type Facts interface {
	Facts(doc *detect.Document, facts []detect.Fact) []detect.Fact
}

// Builder collects facts. It is for one goroutine.
type Builder struct {
	facts  Facts
	doc    detect.Document
	found  []detect.Fact
	byName map[string]*gathering
}

// gathering is the facts of one author so far.
type gathering struct {
	facts []Fact
	index map[string]int
}

// NewBuilder makes an empty builder.
func NewBuilder(facts Facts) *Builder {
	return &Builder{facts: facts, byName: map[string]*gathering{}}
}

// Read builds the person files of a forum.
func Read(forum *corpus.Corpus, facts Facts) (*File, error) {
	b := NewBuilder(facts)
	err := forum.Each(func(p *corpus.Post) error { b.Add(p); return nil })
	if err != nil {
		return nil, err
	}
	return b.File(), nil
}

// Add reads one post: its title and its body. Posts without an author are left.
func (b *Builder) Add(post *corpus.Post) {
	if post.Author == "" {
		return
	}
	b.text(post, "title", post.Title)
	b.text(post, "body", post.Body)
}

func (b *Builder) text(post *corpus.Post, field, text string) {
	if text == "" {
		return
	}
	b.doc.Reset(*post, field, []byte(text))
	b.doc.Lang = cmp.Or(b.doc.Lang, detect.Identify(b.doc.Tokens))
	b.found = b.facts.Facts(&b.doc, b.found[:0])
	for i := range b.found {
		f := &b.found[i]
		if f.About == "other" || b.doc.Tokens[b.doc.At(f.Start)].Any(detect.InQuote) {
			continue
		}
		b.gather(post.Author, f, Place{Post: post.ID, Field: field, Start: f.Start, End: f.End}, text[f.Start:f.End])
	}
}

func (b *Builder) gather(author string, f *detect.Fact, place Place, value string) {
	g := b.byName[author]
	if g == nil {
		g = &gathering{index: map[string]int{}}
		b.byName[strings.Clone(author)] = g
	}
	key := f.About + "\x00" + f.Says + "\x00" + shared(f)
	at, known := g.index[key]
	if !known {
		at = len(g.facts)
		g.index[key] = at
		g.facts = append(g.facts, Fact{About: f.About, Says: f.Says, Category: f.Category, Value: strings.Clone(value), key: key})
	}
	g.facts[at].Places = append(g.facts[at].Places, place)
}

// shared is the part of a fact that two people share: the figure of an age,
// else the folded words.
func shared(f *detect.Fact) string {
	if f.Category == detect.Age {
		if figures := strings.Map(figure, f.Value); figures != "" {
			return figures
		}
	}
	return f.Value
}

func figure(r rune) rune {
	if '0' <= r && r <= '9' {
		return r
	}
	return -1
}

// File counts who shares what and closes the builder.
func (b *Builder) File() *File {
	authors := make([]string, 0, len(b.byName))
	for author := range b.byName {
		authors = append(authors, author)
	}
	slices.Sort(authors)
	s := sharing{byKey: map[string][]int32{}}
	f := &File{people: make([]Person, len(authors))}
	for i, author := range authors {
		f.people[i] = Person{Author: author, Facts: b.byName[author].facts}
		for _, fact := range f.people[i].Facts {
			s.byKey[fact.key] = append(s.byKey[fact.key], int32(i))
		}
	}
	for i := range f.people {
		s.count(&f.people[i])
	}
	slices.SortStableFunc(f.people, func(x, y Person) int {
		return cmp.Or(cmp.Compare(order(x.CombinationSharing), order(y.CombinationSharing)),
			cmp.Compare(len(x.Combination), len(y.Combination)), cmp.Compare(x.Sharing, y.Sharing))
	})
	return f
}

// order puts those who share with nobody known last.
func order(sharing int) int {
	if sharing == 0 {
		return int(^uint(0) >> 1)
	}
	return sharing
}
