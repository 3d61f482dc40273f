package review

import (
	"cmp"
	"slices"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
)

// fields are the texts of a post, in the order of the index.
var fields = [...]string{"title", "body"}

// mention is one occurrence of a form.
type mention struct {
	post       uint32
	start, end uint32
	score      float32
	detectors  uint16 // bits: places in index.detectors
	field      uint8  // place in fields
	lang       uint8  // place in index.languages
	open       bool   // undecided when the index was made
}

// spelling is a form with all its mentions in the forum, in the order of the files.
type spelling struct {
	finding  forum.Finding // of its surest mention
	mentions []mention
	open     int    // mentions that were undecided when the index was made
	clear    int    // mentions that are masked without being asked about
	seen     uint16 // detectors of all mentions
}

// index knows every mention that the engine found, by the question about its form.
type index struct {
	forms     map[string]*spelling
	detectors []string
	languages []string
	at        map[ledger.Mention]string // of open mentions: the question about their form
	texts     int
	counts    map[detect.Category]int      // mentions by category
	names     map[detect.EntityID][]string // forms that name one person and nobody else
}

// mostDetectors bounds how many detectors a mention tells apart.
const mostDetectors = 16

// newIndex reads the forum with the engine, and fills the shelf on the way.
func newIndex(engine *forum.Engine, posts *shelf) (*index, error) {
	x := &index{forms: make(map[string]*spelling), at: make(map[ledger.Mention]string), counts: make(map[detect.Category]int), names: make(map[detect.EntityID][]string)}
	err := engine.Each(func(doc *detect.Document, findings []forum.Finding) {
		number := posts.put(&doc.Post)
		x.texts++
		for i := range findings {
			x.add(number, doc, &findings[i])
		}
	})
	posts.pack()
	x.name()
	for _, form := range x.forms {
		x.counts[form.finding.Category] += len(form.mentions)
	}
	return x, err
}

func (x *index) add(post uint32, doc *detect.Document, f *forum.Finding) {
	form, ok := x.forms[f.Question]
	if !ok {
		form = &spelling{finding: *f}
		x.forms[f.Question] = form
	} else if f.Score > form.finding.Score {
		form.finding = *f
	}
	m := mention{
		post: post, start: uint32(f.Start), end: uint32(f.End), score: float32(f.Score),
		field: uint8(max(0, slices.Index(fields[:], doc.Field))), lang: x.language(doc.Lang), open: f.Verdict == detect.Unsure,
	}
	for _, e := range f.Evidence {
		m.detectors |= x.bit(e.By)
	}
	form.mentions = append(form.mentions, m)
	form.seen |= m.detectors
	if !m.open && m.score >= 0.5 {
		form.clear++
	}
	if m.open {
		form.open++
		x.at[ledger.Mention{Post: doc.Post.ID, Field: doc.Field, Start: f.Start, End: f.End}] = f.Question
	}
}

func (x *index) bit(detector string) uint16 {
	if detector == "" {
		return 0
	}
	at := slices.Index(x.detectors, detector)
	if at < 0 {
		if len(x.detectors) == mostDetectors {
			return 0
		}
		at = len(x.detectors)
		x.detectors = append(x.detectors, detector)
	}
	return 1 << at
}

func (x *index) language(code string) uint8 {
	at := slices.Index(x.languages, code)
	if at < 0 {
		at = len(x.languages)
		x.languages = append(x.languages, code)
	}
	return uint8(at)
}

// mostNames is how many forms stand for a person on a page.
const mostNames = 3

// name gathers what people are called where it is clear who is meant, longer
// forms first.
func (x *index) name() {
	for _, form := range x.forms {
		if f := &form.finding; len(f.Entities) == 1 && f.Category.Person() {
			x.names[f.Entities[0]] = append(x.names[f.Entities[0]], f.Surface)
		}
	}
	for entity, names := range x.names {
		slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
		x.names[entity] = names[:min(mostNames, len(names))]
	}
}
