package benchtext

import (
	"slices"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/internal/fold"
)

// System is one way of finding who is named, as the table compares them.
type System struct {
	Name   string
	Roster bool // it asks the roster: its figures depend on how many names are known
	Run    func(b *Bench, share float64) (*Score, error)
}

// Systems are those of the table, from the baseline to all together.
func Systems() []System {
	engine := func(name string, detectors ...string) System {
		return System{name, true, func(b *Bench, share float64) (*Score, error) {
			return b.strict(share, forum.Choice{Detectors: detectors})
		}}
	}
	return []System{
		{"roster looked up, exact", true, func(b *Bench, share float64) (*Score, error) { return b.lookUp(share, false), nil }},
		{"roster looked up, folded", true, func(b *Bench, share float64) (*Score, error) { return b.lookUp(share, true), nil }},
		{"patterns alone", false, marksOf("patterns")},
		{"NOME alone", false, marksOf("nome")},
		{"Seek&Hide alone", false, marksOf("seekhide")},
		{"ESLO alone", false, marksOf("eslo")},
		{"union of the four", false, marksOf("patterns", "nome", "seekhide", "eslo")},
		{"agreement table, expert answers", false, (*Bench).agreement},
		engine("catalogue alone", forum.CatalogueName),
		engine("all together, nobody asked"),
		{"all together, every question answered", true, func(b *Bench, share float64) (*Score, error) { return b.Assisted(share, 0, 0) }},
	}
}

// Measure runs a system with a share of the names known. Figures that do not
// depend on it are counted once.
func (b *Bench) Measure(s System, share float64) (*Score, error) {
	if known := b.alone[s.Name]; known != nil {
		return known, nil
	}
	score, err := s.Run(b, share)
	if err == nil && !s.Roster {
		b.alone[s.Name] = score
	}
	return score, err
}

// document makes the document of a post in the language it is taken for.
func (b *Bench) document(p *Post) *detect.Document {
	doc := p.document()
	doc.Lang = detect.Identify(doc.Tokens)
	return doc
}

// each scores what find finds in every post.
func (b *Bench) each(find func(p *Post, doc *detect.Document) []forum.Finding) *Score {
	s := newScore()
	for i := range b.gold.Posts {
		p := &b.gold.Posts[i]
		doc := b.document(p)
		masked := find(p, doc)
		s.add(p, doc, masked, masked, len(masked) == 0)
	}
	return s
}

// lookUp masks the names of the roster wherever they are written just so, or
// but for case and accents.
func (b *Bench) lookUp(share float64, folded bool) *Score {
	spell := func(t *detect.Token) string {
		if folded {
			return t.Folded
		}
		return t.Text
	}
	known := map[string][][]string{} // by first word
	add := func(names ...string) {
		for _, name := range names {
			doc := detect.NewDocument((&Post{}).document().Post, "body", []byte(name))
			var words []string
			for i := range doc.Tokens {
				words = append(words, spell(&doc.Tokens[i]))
			}
			if len(words) > 0 && len(name) > 1 {
				known[words[0]] = append(known[words[0]], words)
			}
		}
	}
	for _, p := range b.roster(share) {
		for _, names := range [][]string{p.Names, p.FirstNames, p.LastNames, p.Usernames, p.Emails, p.Cities, p.Institutions} {
			add(names...)
		}
	}
	return b.each(func(_ *Post, doc *detect.Document) []forum.Finding {
		var found []forum.Finding
		for i := 0; i < len(doc.Tokens); i++ {
			longest := 0
			for _, words := range known[spell(&doc.Tokens[i])] {
				n := 0
				for n < len(words) && i+n < len(doc.Tokens) && spell(&doc.Tokens[i+n]) == words[n] {
					n++
				}
				if n == len(words) {
					longest = max(longest, n)
				}
			}
			if longest > 0 {
				found = append(found, forum.Finding{Start: doc.Tokens[i].Start, End: doc.Tokens[i+longest-1].End, Verdict: detect.Mask, Category: detect.FullName})
				i += longest - 1
			}
		}
		return found
	})
}

// fromHere is the score from which a detector's own mark counts as masked: it
// is more likely a name than not.
const fromHere = 0.5

// marksOf scores detectors by their own marks, without the engine. What a
// detector is unsure of is a question for each form.
func marksOf(names ...string) func(*Bench, float64) (*Score, error) {
	return func(b *Bench, _ float64) (*Score, error) {
		detectors, err := b.detectors(names...)
		if err != nil {
			return nil, err
		}
		asked := map[string]bool{}
		s := b.each(func(_ *Post, doc *detect.Document) []forum.Finding {
			var found []forum.Finding
			for _, d := range detectors {
				for _, m := range d.Detect(doc, nil) {
					if m.Category.Indirect() || m.Category == detect.Other || m.Proposal == detect.Keep {
						continue
					}
					if m.Proposal == detect.Unsure {
						asked[fold.KeyString(string(doc.Raw[m.Start:m.End]))] = true
					}
					if m.Score >= fromHere {
						found = append(found, findingOf(doc, m))
					}
				}
			}
			return found
		})
		s.Decisions = len(asked)
		return s, nil
	}
}

// detectors makes the detectors and lets them read the corpus.
func (b *Bench) detectors(names ...string) ([]detect.Detector, error) {
	options, err := forum.StandardChoice("", forum.Choice{Detectors: names})
	if err != nil {
		return nil, err
	}
	for i := range b.gold.Posts {
		doc := b.document(&b.gold.Posts[i])
		for _, l := range options.Learners {
			l.Learn(doc)
		}
	}
	return options.Detectors, nil
}

func findingOf(doc *detect.Document, m detect.Mark) forum.Finding {
	return forum.Finding{Start: m.Start, End: m.End, Surface: string(doc.Raw[m.Start:m.End]), Category: m.Category,
		Score: m.Score, Verdict: detect.Mask, Evidence: []forum.Evidence{{By: m.By, What: m.What}}}
}

// agreement is the table of Patel et al. 2013: where the dictionaries and the
// trees agree on a message it is treated unasked, where they disagree an expert
// judges every word that the dictionaries show.
func (b *Bench) agreement(float64) (*Score, error) {
	detectors, err := b.detectors("seekhide")
	if err != nil {
		return nil, err
	}
	seekhide := detectors[0].(*detect.SeekHide)
	decisions := 0
	s := b.each(func(p *Post, doc *detect.Document) []forum.Finding {
		_, _, both := seekhide.Messages(doc)
		if both == detect.NothingToMask {
			return nil
		}
		var found []forum.Finding
		for _, m := range seekhide.Detect(doc, nil) {
			if both != detect.AskExpert {
				if m.Score >= fromHere {
					found = append(found, findingOf(doc, m))
				}
				continue
			}
			decisions++
			if slices.ContainsFunc(p.Mentions, func(g Mention) bool { return g.Kind == 'M' && g.Start < m.End && m.Start < g.End }) {
				found = append(found, findingOf(doc, m))
			}
		}
		return found
	})
	s.Decisions = decisions
	return s, nil
}

// Curve is recall against decisions.
type Curve struct {
	Name   string
	Points []Point
}

// Point is what a number of decisions per 1,000 posts brings.
type Point struct{ Decisions, Recall, RecallAll, Precision float64 }

// Budgets are the decisions per 1,000 posts at which curves are measured.
func Budgets() []int { return []int{25, 50, 100, 150, 200, 400, 800} }

// Curve measures recall against decisions: none, each budget, and until nothing
// is asked any more.
func (b *Bench) Curve(share float64) (Curve, error) {
	c := Curve{Name: b.gold.Name}
	add := func(s *Score) {
		c.Points = append(c.Points, Point{b.PerThousand(s.Decisions), s.Words.Recall().Of(), s.Words.RecallAll().Of(), s.Words.Precision().Of()})
	}
	s, err := b.Automatic(share)
	if err != nil {
		return c, err
	}
	add(s)
	for _, budget := range append(Budgets(), 0) {
		s, err := b.Assisted(share, 0, budget*b.Posts()/1000)
		if err != nil {
			return c, err
		}
		add(s)
		if allowed := budget * b.Posts() / 1000; s.Decisions < allowed {
			break // nothing more was asked
		}
	}
	return c, nil
}
