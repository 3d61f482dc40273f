package benchtext

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
	"anonymooc/forum/trees/training"
	"anonymooc/internal/fold"
)

// Replays prints what the four papers report, counted as they counted it, on
// this corpus and by this program's detectors.
func (b *Bench) Replays(w io.Writer) error {
	fmt.Fprintf(w, "\n%s, replays of the papers\n\n", b.gold.Name)
	rows := [][]string{{"paper", "what it counts", "here", "reported there, on its own corpus"}}
	for _, replay := range []func() ([][]string, error){b.replayReffay, b.replayNome, b.replaySeekHide, b.replayESLO} {
		more, err := replay()
		if err != nil {
			return err
		}
		rows = append(rows, more...)
	}
	return Markdown(w, rows)
}

// alteredShare of the mentions of names get another spelling.
const alteredShare = 0.05

// replayReffay alters one mention of a name in twenty, gives the whole roster,
// and counts what is missed.
func (b *Bench) replayReffay() ([][]string, error) {
	if !b.gold.Authors {
		return nil, nil
	}
	altered, mentions := b.gold.alter(b.seed)
	bench, closeBench, err := OpenGold(altered, b.seed, b.options)
	if err != nil {
		return nil, err
	}
	defer closeBench()
	options, err := b.options(forum.Choice{})
	if err != nil {
		return nil, err
	}
	options.Policy = forum.Reviewed
	engine, err := forum.New(bench.roster(1), bench.corpus, nil, options)
	if err != nil {
		return nil, err
	}
	questions, err := engine.Questions()
	if err != nil {
		return nil, err
	}
	candidates := 0
	for i := range questions {
		if questions[i].Kind == "candidate" {
			candidates++
		}
	}
	missed, missedForms, forms := 0, map[string]bool{}, map[string]bool{}
	occurrences, unseen := 0, 0
	for i := range altered.Posts {
		p := &altered.Posts[i]
		findings := engine.Findings(bench.document(p))
		for n, m := range p.Mentions {
			if m.Kind != 'M' || !isPerson(m.Category) {
				continue
			}
			seen := slices.ContainsFunc(findings, func(f forum.Finding) bool {
				return f.Verdict != detect.Keep && f.Start < m.End && m.Start < f.End
			})
			form := fold.KeyString(p.Text[m.Start:m.End])
			forms[form] = true
			occurrences++
			if !seen {
				unseen++
				missedForms[form] = true
			}
			if mentions[[2]int{i, n}] && !seen {
				missed++
			}
		}
	}
	return [][]string{
		{"Reffay et al. 2012", "forms missed, of forms present", fmt.Sprintf("%d of %d", len(missedForms), len(forms)), "7 of 124"},
		{"", "occurrences missed, of all", fmt.Sprintf("%d of %d", unseen, occurrences), "31 of 146 (Programme court)"},
		{"", "occurrences missed, of those with an altered spelling", fmt.Sprintf("%d of %d", missed, len(mentions)), "–"},
		{"", "mined candidates shown, per 1,000 posts", fmt.Sprintf("%.0f", b.PerThousand(candidates)), "–"},
	}, nil
}

// alter gives a copy of the corpus in which some mentions of names are spelled
// otherwise, and which they are, by post and mention.
func (g *Gold) alter(seed uint64) (*Gold, map[[2]int]bool) {
	r := rand.New(rand.NewPCG(seed, 17))
	copied := *g
	copied.Posts = slices.Clone(g.Posts)
	altered := map[[2]int]bool{}
	for i := range copied.Posts {
		p := &copied.Posts[i]
		p.Mentions = slices.Clone(p.Mentions)
		for n := range p.Mentions {
			m := p.Mentions[n]
			if m.Kind != 'M' || m.Category != "FIRST" && m.Category != "LAST" && m.Category != "FULL" || r.Float64() >= alteredShare {
				continue
			}
			spelled, ok := misspell(p.Text[m.Start:m.End], r)
			if !ok {
				continue
			}
			p.respell(n, spelled)
			altered[[2]int{i, n}] = true
		}
	}
	return &copied, altered
}

// respell gives a mention another spelling, and moves those after it.
func (p *Post) respell(n int, spelled string) {
	m := p.Mentions[n]
	moved := len(spelled) - (m.End - m.Start)
	p.Text = p.Text[:m.Start] + spelled + p.Text[m.End:]
	p.Mentions[n].End += moved
	for i := range p.Mentions {
		if p.Mentions[i].Start >= m.End && i != n {
			p.Mentions[i].Start += moved
			p.Mentions[i].End += moved
		}
	}
}

// misspell makes one of the errors that people make: a letter left out, doubled,
// or changed with its neighbour. Names of three letters are left alone.
func misspell(name string, r *rand.Rand) (string, bool) {
	runes := []rune(name)
	var inner []int
	for i := 1; i+1 < len(runes); i++ {
		if unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i]) && unicode.IsLetter(runes[i+1]) && runes[i] != runes[i+1] {
			inner = append(inner, i)
		}
	}
	if len(inner) == 0 || utf8.RuneCountInString(name) < 4 {
		return name, false
	}
	at := inner[r.IntN(len(inner))]
	switch r.IntN(3) {
	case 0:
		runes = slices.Delete(runes, at, at+1)
	case 1:
		runes = slices.Insert(runes, at, runes[at])
	default:
		runes[at], runes[at+1] = runes[at+1], runes[at]
	}
	return string(runes), true
}

// replayNome counts what the five steps find without a catalogue, at first pass.
func (b *Bench) replayNome() ([][]string, error) {
	detectors, err := b.detectors("nome")
	if err != nil {
		return nil, err
	}
	found, all := 0, 0
	names, foundNames := map[string]bool{}, map[string]bool{}
	for i := range b.gold.Posts {
		p := &b.gold.Posts[i]
		doc := b.document(p)
		marks := detectors[0].Detect(doc, nil)
		for _, m := range p.Mentions {
			if m.Kind != 'M' || !isPerson(m.Category) || m.Category == "USERNAME" {
				continue
			}
			key := fold.KeyString(p.Text[m.Start:m.End])
			all++
			names[key] = true
			if slices.ContainsFunc(marks, func(k detect.Mark) bool { return k.Start < m.End && m.Start < k.End }) {
				found++
				foundNames[key] = true
			}
		}
	}
	return [][]string{
		{"NOME", "occurrences found at first pass", Share{found, all}.percent(), "62 %"},
		{"", "names found at first pass", Share{len(foundNames), len(names)}.percent(), "54 %"},
	}, nil
}

func (s Share) percent() string {
	return fmt.Sprintf("%.1f %% (%d of %d)", 100*s.Of(), s.Part, s.Whole)
}

// replaySeekHide counts messages: those left to the expert, and how often the
// rest are rightly said to hold something to mask or not.
func (b *Bench) replaySeekHide() ([][]string, error) {
	detectors, err := b.detectors("seekhide")
	if err != nil {
		return nil, err
	}
	seekhide := detectors[0].(*detect.SeekHide)
	var expert, rest, trees Share
	for i := range b.gold.Posts {
		p := &b.gold.Posts[i]
		truth := detect.NothingToMask
		if slices.ContainsFunc(p.Mentions, func(m Mention) bool { return m.Kind == 'M' && isPerson(m.Category) }) {
			truth = detect.SomethingToMask
		}
		_, byTrees, both := seekhide.Messages(b.document(p))
		expert.count(both == detect.AskExpert)
		trees.count(byTrees == truth)
		if both != detect.AskExpert {
			rest.count(both == truth)
		}
	}
	trained, err := b.trainedHere()
	if err != nil {
		return nil, err
	}
	return [][]string{
		{"Seek&Hide", "messages left to the expert", expert.percent(), "34.7 %"},
		{"", "accuracy on the others", rest.percent(), "96 %"},
		{"", "accuracy of the shipped trees alone", trees.percent(), "–"},
		{"", "accuracy of trees trained on the corpus, ten-fold", fmt.Sprintf("%.1f %%", 100*trained), "76.9–79.4 %"},
	}, nil
}

// trainedHere grows message forests on nine tenths of the corpus and tries them on
// the rest, as the paper did with its own. They are thrown away.
func (b *Bench) trainedHere() (float64, error) {
	known, err := lists.Open()
	if err != nil {
		return 0, err
	}
	texts := make([]training.Text, len(b.gold.Posts))
	for i := range b.gold.Posts {
		p := &b.gold.Posts[i]
		texts[i] = training.Text{ID: p.ID, Lang: p.Lang, Text: p.Text, Author: p.Author}
		for _, m := range p.Mentions {
			if m.Kind == 'M' && isPerson(m.Category) {
				start := utf8.RuneCountInString(p.Text[:m.Start])
				texts[i].Spans = append(texts[i].Spans, training.Span{Start: start, End: start + utf8.RuneCountInString(p.Text[m.Start:m.End]), Type: "PER"})
			}
		}
	}
	var own, none training.Set
	own.Add(texts, known)
	message, _, err := training.Folds(&own, &none, 1, b.seed)
	return message.Accuracy, err
}

// replayESLO counts designating entities: what a text tells about its author and
// the author's relatives beside names.
func (b *Bench) replayESLO() ([][]string, error) {
	if !b.gold.Authors {
		return nil, nil
	}
	detectors, err := b.detectors("eslo")
	if err != nil {
		return nil, err
	}
	var recall, precision Share
	by := map[string]*Share{}
	for i := range b.gold.Posts {
		p := &b.gold.Posts[i]
		doc := b.document(p)
		var marks []detect.Mark
		for _, m := range detectors[0].Detect(doc, nil) {
			if m.Proposal != detect.Keep && (m.About != "" || m.Category.Indirect()) {
				marks = append(marks, m)
			}
		}
		for _, m := range p.Mentions {
			if m.Kind == 'Q' {
				hit := slices.ContainsFunc(marks, func(k detect.Mark) bool { return k.Start < m.End && m.Start < k.End })
				recall.count(hit)
				share(by, m.Category).count(hit)
			}
		}
		for _, k := range marks {
			precision.count(slices.ContainsFunc(p.Mentions, func(m Mention) bool { return m.Kind != 'K' && k.Start < m.End && m.Start < k.End }))
		}
	}
	var kinds []string
	for _, category := range []string{"AGE", "ORIGIN", "JOB", "STUDY", "FAMILY", "PLACE", "ORG"} {
		if s := by[category]; s != nil {
			kinds = append(kinds, fmt.Sprintf("%s %d/%d", strings.ToLower(category), s.Part, s.Whole))
		}
	}
	return [][]string{
		{"ESLO", "recall of designating entities", recall.percent(), "84.4 %"},
		{"", "… by kind", strings.Join(kinds, ", "), "–"},
		{"", "precision (of what is told about somebody, names included)", precision.percent(), "94.2 %"},
	}, nil
}
