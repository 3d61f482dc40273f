package benchtext

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"anonymooc/forum"
	"anonymooc/idmap"
	"anonymooc/internal/fold"
)

// spanned is a line of a corpus of texts with spans. Offsets count code points.
type spanned struct {
	ID    string `json:"id"`
	Lang  string `json:"lang"`
	Text  string `json:"text"`
	Spans []struct {
		Start int    `json:"start"`
		End   int    `json:"end"`
		Type  string `json:"type"`
	} `json:"spans"`
}

// The types of spans that must be masked, and what they are called in scores.
var spanCategories = map[string]string{"PER": "FULL", "USERNAME": "USERNAME"}

// ReadSpans reads a corpus of texts with spans. Every text is by somebody else,
// who is on no roster; the roster is that of everybody named.
func ReadSpans(path string) (*Gold, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	g := &Gold{Name: strings.TrimSuffix(filepath.Base(path), ".jsonl")}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var s spanned
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("%s: line %d: not a text with spans", filepath.Base(path), n)
		}
		post, err := s.post(n)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", filepath.Base(path), n, err)
		}
		g.Posts = append(g.Posts, post)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	g.Roster = g.named()
	return g, nil
}

// post makes the post of a text, with offsets in bytes.
func (s *spanned) post(number int) (Post, error) {
	p := Post{ID: fmt.Sprint(number), Thread: fmt.Sprint(number), Author: fmt.Sprintf("author%d", number), Lang: s.Lang, Text: s.Text}
	offsets := make([]int, 0, len(s.Text)+1)
	for at := range s.Text {
		offsets = append(offsets, at)
	}
	offsets = append(offsets, len(s.Text))
	for _, span := range s.Spans {
		if span.Start < 0 || span.End <= span.Start || span.End >= len(offsets) {
			return p, fmt.Errorf("a span lies outside of the text")
		}
		m := Mention{Start: offsets[span.Start], End: offsets[span.End], Kind: '-', Category: span.Type, Entity: "-"}
		if category, ok := spanCategories[span.Type]; ok {
			m.Kind, m.Category = 'M', category
		}
		p.Mentions = append(p.Mentions, m)
	}
	return p, nil
}

// named is the roster of everybody named: one person for each name, however
// often and in whatever case it is written, by its commonest spelling. A name is
// given in one field, as in edX's profiles.
func (g *Gold) named() []forum.Person {
	spellings := map[string]map[string]int{}
	for i := range g.Posts {
		p := &g.Posts[i]
		for _, m := range p.Mentions {
			if m.Kind != 'M' || m.Category != "FULL" {
				continue
			}
			surface := p.Text[m.Start:m.End]
			key := fold.KeyString(surface)
			if spellings[key] == nil {
				spellings[key] = map[string]int{}
			}
			spellings[key][surface]++
		}
	}
	var keys []string
	for key := range spellings {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	people := make([]forum.Person, len(keys))
	for i, key := range keys {
		best := ""
		for surface, count := range spellings[key] {
			if known := spellings[key][best]; count > known || count == known && surface < best {
				best = surface
			}
		}
		people[i] = forum.Person{Pseudonym: firstPseudonym + idmap.Pseudonym(i), UserIDs: []string{fmt.Sprintf("named%d", i)}, Names: []string{best}}
	}
	return people
}
