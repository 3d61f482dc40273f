package review

import (
	"cmp"
	"slices"
	"time"
	"unicode/utf8"

	"anonymooc/forum"
	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
)

// segment is a stretch of a text: plain, or a mark.
type segment struct {
	Text string
	Mark *mark
}

// mark is a finding as the page shows it.
type mark struct {
	id          string // of the question
	Question    int
	Value       string
	Category    detect.Category
	Verdict     detect.Verdict
	By          forum.Decider
	Replacement string
}

// text is one text of a post with its marks.
type text struct {
	Field    string
	Segments []segment
	Released string
	Cut      int // bytes that are not shown
}

// post is a post with its texts.
type post struct {
	Number uint32
	Author string
	Course string
	At     time.Time
	Here   bool // the one that was opened
	Texts  []text
}

const (
	mostShown = 48 << 10 // bytes of a text that a page shows
	mostPosts = 100      // posts of a thread that a page shows
)

// conversation gives the thread around a post, all marks in it.
func (r *round) conversation(number uint32, added added) (posts []post, err error) {
	members := r.posts.conversation(number)
	at := max(0, slices.Index(members, number))
	from := max(0, min(at-mostPosts/2, len(members)-mostPosts))
	for _, n := range members[from:min(len(members), from+mostPosts)] {
		p, ok := r.posts.post(n)
		if !ok {
			continue
		}
		shown := post{Number: n, Author: cmp.Or(p.Username, p.Author), Course: p.Course, At: p.Created, Here: n == number}
		for field := range fields {
			if fieldOf(&p, field) == "" {
				continue
			}
			t, err := r.marked(n, &p, field, added)
			if err != nil {
				return nil, err
			}
			shown.Texts = append(shown.Texts, t)
		}
		posts = append(posts, shown)
	}
	return posts, nil
}

// document cuts a text as the engine does.
func (r *round) document(p *corpus.Post, field int, raw string) *detect.Document {
	doc := detect.NewDocument(*p, fields[field], []byte(raw))
	if doc.Lang == "" && r.options.Identify != nil {
		doc.Lang = r.options.Identify(doc.Tokens)
	}
	return doc
}

// marked gives a text with everything that was found in it, those forms included
// that reviewers added and the engine has not read yet.
func (r *round) marked(number uint32, p *corpus.Post, field int, added added) (text, error) {
	raw := fieldOf(p, field)
	shown := text{Field: fields[field], Cut: max(0, len(raw)-mostShown)}
	if shown.Cut > 0 {
		end := mostShown
		for !utf8.RuneStart(raw[end]) {
			end--
		}
		raw, shown.Cut = raw[:end], len(raw)-end
	}
	doc := r.document(p, field, raw)
	findings := r.findings(doc, added)
	released, err := r.engine.Rewrite(nil, doc, findings)
	if err != nil {
		return shown, err
	}
	shown.Released = string(released)
	end := 0
	for i := range findings {
		f := &findings[i]
		if f.Start > end {
			shown.Segments = append(shown.Segments, segment{Text: raw[end:f.Start]})
		}
		m := &mark{id: f.Question, Value: placeValue(number, field, f.Start, f.End), Category: f.Category, Verdict: f.Verdict, By: f.By}
		if f.Verdict != detect.Keep {
			if m.Replacement, _, err = r.engine.Replacement(f); err != nil {
				return shown, err
			}
		}
		shown.Segments = append(shown.Segments, segment{Text: raw[f.Start:f.End], Mark: m})
		end = f.End
	}
	if end < len(raw) {
		shown.Segments = append(shown.Segments, segment{Text: raw[end:]})
	}
	return shown, nil
}

// findings gives what the engine finds in a text, with the forms between that
// reviewers added.
func (r *round) findings(doc *detect.Document, added added) []forum.Finding {
	findings := r.engine.Findings(doc)
	if added.search == nil {
		return findings
	}
	added.search.Find(doc, func(form, start, end int) {
		overlaps := slices.ContainsFunc(findings, func(f forum.Finding) bool { return f.Start < end && start < f.End })
		if overlaps {
			return
		}
		f, ok := r.engine.Selected(doc, start, end, detect.Nickname)
		if ok && f.Question == added.ids[form] {
			findings = append(findings, f)
		}
	})
	slices.SortFunc(findings, func(a, b forum.Finding) int { return cmp.Compare(a.Start, b.Start) })
	return findings
}
