package review

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/forum/mine"
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
	mostSorted  = 5000 // lines that are put in order; the rest follow as they are
	mostFound   = 500  // lines that a search for a new form gives
	contextRead = 60
	searchTime  = 2 * time.Second // others wait for a search
)

// concordance gives a page of a question's occurrences and how many there are.
func (d *Desk) concordance(q *question, c choice) (lines []line, total int) {
	form := d.round.index.forms[q.form]
	if q.Kind == ledger.KindMention || form == nil && len(q.Lines) > 0 {
		for i := range q.Lines {
			lines = append(lines, d.lineAsked(q, i))
		}
		return lines, len(lines)
	}
	if form == nil {
		form = d.find(q)
	}
	var chosen []*mention
	for i := range form.mentions {
		if m := &form.mentions[i]; d.matches(form, m, c) {
			chosen = append(chosen, m)
		}
	}
	total = len(chosen)
	if c.sort != "" && total > 1 {
		d.order(chosen[:min(total, mostSorted)], c.sort)
	} else {
		slices.SortStableFunc(chosen, func(a, b *mention) int { return cmp.Compare(rank(a), rank(b)) })
	}
	from := min(max(c.page, 0)*pageLines, total)
	for _, m := range chosen[from:min(from+pageLines, total)] {
		lines = append(lines, d.line(form, m))
	}
	return lines, total
}

// rank puts the mentions that were undecided before the others.
func rank(m *mention) int {
	if m.open {
		return 0
	}
	return 1
}

// lineAsked gives one of the lines that came with a question.
func (d *Desk) lineAsked(q *question, i int) line {
	at := q.Lines[i]
	l := line{Line: at, Value: "q." + strconv.Itoa(i), Category: q.Category, Verdict: detect.Unsure}
	if number, ok := d.round.posts.numbers[at.Post]; ok {
		l.Number, l.Readable = number, true
		l.Author = d.round.posts.authors.at(number)
	}
	l.Verdict, l.By = d.answered(q.ID, ledger.Mention{Post: at.Post, Field: at.Field, Start: at.Start, End: at.End})
	return l
}

// answered tells what the ledger alone says of a mention: its own verdict, or
// that on the question.
func (d *Desk) answered(question string, at ledger.Mention) (detect.Verdict, forum.Decider) {
	verdict, ok := d.options.Ledger.Mention(at)
	if !ok {
		decision, _ := d.options.Ledger.Decision(question)
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

func (d *Desk) matches(form *spelling, m *mention, c choice) bool {
	posts := d.round.posts
	switch {
	case c.course >= 0 && int(posts.courses.of[m.post]) != c.course,
		c.author >= 0 && int(posts.authors.of[m.post]) != c.author,
		c.thread >= 0 && int(posts.thread[m.post]) != c.thread,
		c.language >= 0 && int(m.lang) != c.language,
		c.detector >= 0 && m.detectors&(1<<c.detector) == 0:
		return false
	}
	return c.verdict == "" || c.verdict == string(d.verdict(form, m).Verdict)
}

// verdict decides a mention as the ledger is now.
func (d *Desk) verdict(form *spelling, m *mention) forum.Finding {
	f := form.finding
	f.Start, f.End, f.Score = int(m.start), int(m.end), float64(m.score)
	return d.round.engine.Verdict(d.round.posts.ids[m.post], fields[m.field], f)
}

func (d *Desk) line(form *spelling, m *mention) line {
	f := d.verdict(form, m)
	l := line{
		Value: m.value(), Number: m.post, Category: f.Category, Verdict: f.Verdict, By: f.By,
		Clear: !m.open && f.Score > 0.5, Author: d.round.posts.authors.at(m.post), Readable: true,
	}
	l.Line, _ = d.context(m)
	return l
}

// context cuts a mention out of its post.
func (d *Desk) context(m *mention) (forum.Line, bool) {
	post, ok := d.round.posts.post(m.post)
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
func (d *Desk) order(mentions []*mention, side string) {
	keys := make(map[*mention]string, len(mentions))
	for _, m := range mentions {
		l, _ := d.context(m)
		if side == "right" {
			keys[m] = fold.KeyString(strings.TrimSpace(l.Right))
			continue
		}
		words := strings.Fields(fold.KeyString(l.Left))
		slices.Reverse(words)
		keys[m] = strings.Join(words, " ")
	}
	slices.SortStableFunc(mentions, func(a, b *mention) int { return cmp.Compare(keys[a], keys[b]) })
}

// find looks for a form that the engine does not know yet, and keeps what it
// finds for the next look.
func (d *Desk) find(q *question) *spelling {
	if form, ok := d.round.found.Load(q.ID); ok {
		return form.(*spelling)
	}
	form := new(spelling)
	enough := d.options.Now().Add(searchTime)
	d.eachOccurrence(q.Surface, func(doc *detect.Document, post uint32, field, start, end int) bool {
		f, ok := d.round.engine.Selected(doc, start, end, cmp.Or(q.Category, detect.Nickname))
		if !ok || f.Question != q.ID {
			return true
		}
		form.finding = f
		form.mentions = append(form.mentions, mention{post: post, field: uint8(field), start: uint32(start), end: uint32(end), score: float32(f.Score), open: true})
		return len(form.mentions) < mostFound && d.options.Now().Before(enough)
	})
	d.round.found.Store(q.ID, form)
	return form
}

// eachOccurrence searches all posts for a form, whatever its case and accents,
// until found says that it is enough.
func (d *Desk) eachOccurrence(surface string, found func(doc *detect.Document, post uint32, field, start, end int) bool) {
	search := mine.NewConcordance(surface)
	posts := d.round.posts
	for number := range uint32(posts.count) {
		post, ok := posts.post(number)
		if !ok {
			continue
		}
		for field := range fields {
			text := fieldOf(&post, field)
			if text == "" {
				continue
			}
			goOn := true
			doc := d.document(&post, field, text)
			search.Find(doc, func(_, start, end int) {
				goOn = goOn && found(doc, number, field, start, end)
			})
			if !goOn {
				return
			}
		}
	}
}
