package benchtext

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"anonymooc/forum"
	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/tables"
)

// Share is a count of a whole.
type Share struct{ Part, Whole int }

// Of is the share as a number, 1 for nothing of nothing.
func (s Share) Of() float64 {
	if s.Whole == 0 {
		return 1
	}
	return float64(s.Part) / float64(s.Whole)
}

func (s Share) String() string { return fmt.Sprintf("%.3f (%d/%d)", s.Of(), s.Part, s.Whole) }

func (s *Share) count(hit bool) {
	s.Whole++
	if hit {
		s.Part++
	}
}

// Miss is a mention that went wrong.
type Miss struct {
	Post    string
	Mention Mention
	Surface string
	Why     string // score and evidence of the findings that overlap it
}

// Score is how an engine did on a corpus.
type Score struct {
	Must      map[string]*Share // must be masked, by category
	Persons   Share             // of these, those that name people
	All       Share
	Kept      map[string]*Share // must be kept, by category
	KeptAll   Share
	Asked     Share // quasi-identifiers masked, of all
	Precision Share // masked spans that touch something to mask, of all masked spans
	Untouched Share // posts with nothing to mask that came out byte for byte
	Words     Words
	Missed    []Miss
	Spoiled   []Miss // kept mentions that were touched
	Wrong     []Miss // masked spans that touch nothing to mask
	Decisions int
}

// F combines recall and precision, recall counting beta times as much.
func (s *Score) F(beta float64) float64 { return f(s.All.Of(), s.Precision.Of(), beta) }

// isPerson reports whether a category of the markup names people.
func isPerson(category string) bool {
	switch category {
	case "FIRST", "LAST", "FULL", "NICK", "USERNAME":
		return true
	}
	return false
}

func newScore() *Score { return &Score{Must: map[string]*Share{}, Kept: map[string]*Share{}} }

// Measure treats every post with the engine and compares with the markup. That
// the findings are what the released text shows is checked on the way.
func Measure(g *Gold, engine *forum.Engine, identify func([]detect.Token) string) (*Score, error) {
	s := newScore()
	for i := range g.Posts {
		p := &g.Posts[i]
		doc := p.document()
		if identify != nil {
			doc.Lang = identify(doc.Tokens)
		}
		var masked []forum.Finding
		findings := engine.Findings(doc)
		for _, f := range findings {
			if f.Verdict != detect.Keep {
				masked = append(masked, f)
			}
		}
		out, _, err := engine.Treat(nil, doc.Raw, tables.TextPlace{Table: "forum", Field: "body", Document: doc.Post.ID})
		if err != nil {
			return nil, err
		}
		if err := around(p.Text, string(out), masked); err != nil {
			return nil, fmt.Errorf("post %s: %w", p.ID, err)
		}
		s.add(p, doc, findings, masked, string(out) == p.Text)
	}
	return s, nil
}

// document makes the document the engine sees of a post.
func (p *Post) document() *detect.Document {
	return detect.NewDocument(corpus.Post{ID: objectID(p.ID), Thread: p.Thread, Author: p.Author, Body: p.Text}, "body", []byte(p.Text))
}

// around checks that what stands round the masked spans is in the released
// text, in order.
func around(text, out string, masked []forum.Finding) error {
	at := 0
	for _, f := range masked {
		before := text[at:f.Start]
		i := strings.Index(out, before)
		if i < 0 {
			return errors.New("the released text lost what is not masked")
		}
		out = out[i+len(before):]
		at = f.End
	}
	if !strings.HasSuffix(out, text[at:]) {
		return errors.New("the released text lost its end")
	}
	return nil
}

func (s *Score) add(p *Post, doc *detect.Document, findings, masked []forum.Finding, same bool) {
	nothing := true
	s.Words.add(p, doc, masked)
	for _, m := range p.Mentions {
		gone, touched := p.covered(m, masked)
		miss := Miss{p.ID, m, p.Text[m.Start:m.End], why(m, findings)}
		switch m.Kind {
		case 'M':
			nothing = false
			share(s.Must, m.Category).count(gone)
			s.All.count(gone)
			if isPerson(m.Category) {
				s.Persons.count(gone)
			}
			if !gone {
				s.Missed = append(s.Missed, miss)
			}
		case 'K':
			share(s.Kept, m.Category).count(!touched)
			s.KeptAll.count(!touched)
			if touched {
				s.Spoiled = append(s.Spoiled, miss)
			}
		case 'Q':
			nothing = false
			s.Asked.count(gone)
		}
	}
	for _, f := range masked {
		right := slices.ContainsFunc(p.Mentions, func(m Mention) bool { return (m.Kind == 'M' || m.Kind == 'Q') && m.Start < f.End && f.Start < m.End })
		s.Precision.count(right)
		if !right {
			m := Mention{Start: f.Start, End: f.End, Kind: '-', Category: string(f.Category)}
			s.Wrong = append(s.Wrong, Miss{p.ID, m, p.Text[f.Start:f.End], why(m, findings)})
		}
	}
	if nothing {
		s.Untouched.count(same)
	}
}

// why tells what the engine thought of what overlaps a mention.
func why(m Mention, findings []forum.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		if f.Start >= m.End || m.Start >= f.End {
			continue
		}
		fmt.Fprintf(&b, "%.2f", f.Score)
		for _, e := range f.Evidence {
			fmt.Fprintf(&b, "; %s: %s", e.By, e.What)
		}
		b.WriteString(" | ")
	}
	return b.String()
}

func share(by map[string]*Share, category string) *Share {
	if by[category] == nil {
		by[category] = new(Share)
	}
	return by[category]
}

// covered reports whether all letters and digits of a mention are masked, and
// whether any is.
func (p *Post) covered(m Mention, masked []forum.Finding) (gone, touched bool) {
	gone = true
	for i, r := range p.Text[m.Start:m.End] {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			continue
		}
		at := m.Start + i
		if slices.ContainsFunc(masked, func(f forum.Finding) bool { return f.Start <= at && at < f.End }) {
			touched = true
		} else {
			gone = false
		}
	}
	return gone, touched
}

// Print writes the score as tables; misses says whether to list them.
func (s *Score) Print(w io.Writer, title string, misses bool) {
	fmt.Fprintf(w, "== %s\n", title)
	fmt.Fprintf(w, "recall persons %v  all %v  precision %v  F1 %.3f  F5 %.3f\n", s.Persons, s.All, s.Precision, s.F(1), s.F(5))
	fmt.Fprintf(w, "words: people %v  all %v  precision %v  F1 %.3f  F5 %.3f\n", s.Words.Recall(), s.Words.RecallAll(), s.Words.Precision(), s.Words.F(1), s.Words.F(5))
	fmt.Fprintf(w, "kept %v  untouched %v  quasi-identifiers masked %v  decisions %d\n", s.KeptAll, s.Untouched, s.Asked, s.Decisions)
	for _, group := range []struct {
		name string
		by   map[string]*Share
	}{{"recall", s.Must}, {"kept", s.Kept}} {
		fmt.Fprintf(w, "%s by category:", group.name)
		for _, c := range slices.Sorted(maps.Keys(group.by)) {
			fmt.Fprintf(w, "  %s %v", c, *group.by[c])
		}
		fmt.Fprintln(w)
	}
	if !misses {
		return
	}
	for _, group := range []struct {
		name string
		list []Miss
	}{{"missed", s.Missed}, {"spoiled", s.Spoiled}, {"wrong", s.Wrong}} {
		for _, m := range group.list {
			fmt.Fprintf(w, "%s\tpost %s\t%c/%s/%s\t%s\t%s\n", group.name, m.Post, m.Mention.Kind, m.Mention.Category, m.Mention.Entity, m.Surface, m.Why)
		}
	}
}
