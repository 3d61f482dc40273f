package benchtext

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
)

// PrintKinds counts the words of people's names that were missed, and the words
// that were masked in vain, by what kind of word they are. It shows no word: what
// is missing is to be looked for in general resources, not in the corpus.
func (b *Bench) PrintKinds(w io.Writer, share float64) error {
	options, err := b.options(forum.Choice{})
	if err != nil {
		return err
	}
	known, err := lists.Open()
	if err != nil {
		return err
	}
	options.Policy = forum.Strict
	engine, err := forum.New(b.roster(share), b.corpus, nil, options)
	if err != nil {
		return err
	}
	missed, right, vain := map[string]int{}, map[string]int{}, map[string]int{}
	for i := range b.gold.Posts {
		p := &b.gold.Posts[i]
		doc := b.document(p)
		findings := engine.Findings(doc)
		for n := range doc.Tokens {
			t := &doc.Tokens[n]
			if !t.Any(detect.Word) {
				continue
			}
			person, must := false, false
			other := ""
			for _, m := range p.Mentions {
				if m.Start < t.End && t.Start < m.End {
					must = must || m.Kind != '-' && m.Kind != 'K'
					person = person || m.Kind == 'M' && isPerson(m.Category)
					other = m.Category
				}
			}
			seen, masked := "no finding", false
			by := ""
			for _, f := range findings {
				if f.Start < t.End && t.Start < f.End {
					seen = fmt.Sprintf("kept at %.1f", f.Score)
					masked = masked || f.Verdict != detect.Keep
					by = string(f.Category)
				}
			}
			kind := kindOf(known, t, doc.Lang)
			switch {
			case person && !masked:
				missed[kind+" · "+seen]++
			case person:
				right[kind]++
			case masked && !must:
				vain[kind+" · marked "+other+" · as "+by]++
			}
		}
	}
	for _, group := range []struct {
		name  string
		count map[string]int
	}{{"missed", missed}, {"masked rightly", right}, {"masked in vain", vain}} {
		fmt.Fprintf(w, "\n%s, %.0f %% known: %s\n", b.gold.Name, 100*share, group.name)
		for _, kind := range slices.SortedFunc(maps.Keys(group.count), func(a, b string) int { return group.count[b] - group.count[a] }) {
			fmt.Fprintf(w, "%5d  %s\n", group.count[kind], kind)
		}
	}
	return nil
}

// kindOf says what the lists know of a word, and how it is written.
func kindOf(known *lists.Lists, t *detect.Token, language string) string {
	e := known.Find(t.Folded)
	var parts []string
	switch {
	case t.Any(detect.AllCaps):
		parts = append(parts, "CAPITALS")
	case t.Any(detect.Capital):
		parts = append(parts, "Capital")
	default:
		parts = append(parts, "small")
	}
	if t.Any(detect.SentenceStart) {
		parts = append(parts, "opening")
	}
	for _, k := range []struct {
		kind lists.Kind
		name string
	}{{lists.UsualName, "usual"}, {lists.FirstName, "first"}, {lists.Surname, "surname"}, {lists.Place, "place"}, {lists.AnyStop, "stop"}} {
		if e.Is(k.kind) {
			parts = append(parts, k.name)
		}
	}
	if e.Common(language) {
		parts = append(parts, "word")
	} else if e.Is(lists.AnyWord) {
		parts = append(parts, "foreign word")
	}
	if e.Kinds == 0 {
		parts = append(parts, "in no list")
	}
	return strings.Join(parts, " ")
}
