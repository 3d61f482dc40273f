package review

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/internal/fold"
)

// line is one occurrence of a form as the page shows it.
type line struct {
	forum.Line
	Value    string // names the occurrence in forms
	Number   uint32 // of the post
	Author   string
	Category detect.Category
	Verdict  detect.Verdict
	By       forum.Decider
	Clear    bool // it would be masked without being asked about
	Readable bool // its post is in the forum
}

// choice says which lines of a concordance are wanted, and in which order.
type choice struct {
	sort     string // "": open ones first, as in the files; "left", "right"
	course   int    // places in their tables; -1: all
	author   int
	language int
	detector int
	thread   int
	verdict  string
	page     int
}

const (
	pageLines   = 40
	mostSorted  = 125 * pageLines // lines that are put in order; the rest follow as they are
	contextRead = 60
)

// hit is a mention with its form.
type hit struct {
	form *spelling
	*mention
}

// spellings gives the forms that a question is about, as the index knows them.
func (r *round) spellings(q *question) (forms []*spelling) {
	if q.Kind == ledger.KindMention {
		return nil
	}
	if form := r.index.forms[q.form]; form != nil {
		forms = append(forms, form)
	}
	for i := range q.Also {
		if form := r.index.forms[q.Also[i].ID]; form != nil {
			forms = append(forms, form)
		}
	}
	return forms
}

// concordance gives a page of a question's occurrences and how many there are. Of
// a form that nothing had found, left is how many posts are still to be searched.
func (r *round) concordance(q *question, c choice) (lines []line, total, left int) {
	forms := r.spellings(q)
	if len(forms) == 0 && (q.Kind == ledger.KindMention || len(q.Lines) > 0) {
		for i := range q.Lines {
			lines = append(lines, r.lineAsked(q, i))
		}
		return lines, len(lines), 0
	}
	if len(forms) == 0 {
		form, unsearched := r.find(q)
		forms, left = append(forms, form), unsearched
	}
	from := max(c.page, 0) * pageLines
	sorted := c.sort != "" && from < mostSorted
	var chosen []hit
	for _, open := range [...]bool{true, false} { // what was undecided comes first
		for _, form := range forms {
			for i := range form.mentions {
				m := &form.mentions[i]
				if m.open != open || !r.matches(form, m, c) {
					continue
				}
				if sorted && total < mostSorted || !sorted && total >= from && total < from+pageLines {
					chosen = append(chosen, hit{form, m})
				}
				total++
			}
		}
	}
	if sorted {
		r.order(chosen, c.sort)
		chosen = chosen[min(from, len(chosen)):min(from+pageLines, len(chosen))]
	}
	for _, h := range chosen {
		lines = append(lines, r.line(h.form, h.mention))
	}
	return lines, total, left
}

// lineAsked gives one of the lines that came with a question.
func (r *round) lineAsked(q *question, i int) line {
	at := q.Lines[i]
	l := line{Line: at, Value: "q." + strconv.Itoa(i), Category: q.Category, Verdict: detect.Unsure}
	if number, ok := r.posts.numbers[at.Post]; ok {
		l.Number, l.Readable = number, true
		l.Author = r.posts.authors.at(number)
	}
	l.Verdict, l.By = r.answered(q.ID, ledger.Mention{Post: at.Post, Field: at.Field, Start: at.Start, End: at.End})
	return l
}

// answered tells what the ledger alone says of a mention: its own verdict, or
// that on the question.
func (r *round) answered(question string, at ledger.Mention) (detect.Verdict, forum.Decider) {
	verdict, ok := r.options.Ledger.Mention(at)
	if !ok {
		decision, _ := r.options.Ledger.Decision(question)
		verdict = decision.Verdict
	}
	switch {
	case verdict == ledger.Mask:
		return detect.Mask, forum.ByReviewer
	case verdict.Keeps():
		return detect.Keep, forum.ByReviewer
	}
	return detect.Unsure, forum.ByNobody
}

func (r *round) matches(form *spelling, m *mention, c choice) bool {
	posts := r.posts
	switch {
	case c.course >= 0 && int(posts.courses.of[m.post]) != c.course,
		c.author >= 0 && int(posts.authors.of[m.post]) != c.author,
		c.thread >= 0 && int(posts.thread[m.post]) != c.thread,
		c.language >= 0 && int(m.lang) != c.language,
		c.detector >= 0 && m.detectors&(1<<c.detector) == 0:
		return false
	}
	return c.verdict == "" || c.verdict == string(r.verdict(form, m).Verdict)
}

// verdict decides a mention as the ledger is now.
func (r *round) verdict(form *spelling, m *mention) forum.Finding {
	f := form.finding
	f.Start, f.End, f.Score = int(m.start), int(m.end), float64(m.score)
	return r.engine.Verdict(r.posts.ids[m.post], fields[m.field], f)
}

func (r *round) line(form *spelling, m *mention) line {
	f := r.verdict(form, m)
	l := line{
		Value: m.value(), Number: m.post, Category: f.Category, Verdict: f.Verdict, By: f.By,
		Clear: !m.open && f.Score > 0.5, Author: r.posts.authors.at(m.post), Readable: true,
	}
	l.Line, _ = r.context(m)
	return l
}

// context cuts a mention out of its post.
func (r *round) context(m *mention) (forum.Line, bool) {
	post, ok := r.posts.post(m.post)
	if !ok {
		return forum.Line{}, false
	}
	text := fieldOf(&post, int(m.field))
	if int(m.end) > len(text) {
		return forum.Line{}, false
	}
	// The line is cut out of what is around it: a post may have ten million bytes.
	from, to := max(0, int(m.start)-4*contextRead), min(len(text), int(m.end)+4*contextRead)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	around := detect.Document{Post: post, Field: fields[m.field], Raw: []byte(text[from:to])}
	l := forum.NewLine(&around, int(m.start)-from, int(m.end)-from)
	l.Start, l.End = int(m.start), int(m.end)
	return l, true
}

// order sorts mentions by the words after or before them; before, the nearest
// word first.
func (r *round) order(hits []hit, side string) {
	keys := make(map[*mention]string, len(hits))
	for _, h := range hits {
		l, _ := r.context(h.mention)
		if side == "right" {
			keys[h.mention] = fold.KeyString(strings.TrimSpace(l.Right))
			continue
		}
		words := strings.Fields(fold.KeyString(l.Left))
		slices.Reverse(words)
		keys[h.mention] = strings.Join(words, " ")
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(keys[a.mention], keys[b.mention]) })
}
