package review

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
)

// option is a value of a filter.
type option struct {
	Value  int
	Label  string
	Chosen bool
}

// filter is one filter of a concordance.
type filter struct {
	Name    string
	Options []option
}

// past is a decision as the page shows it.
type past struct {
	Question int
	Surface  string
	Verdict  ledger.Verdict
	Who      string
	Single   int // mentions answered for alone
	At       time.Time
}

// questionView is what the page of a question shows.
type questionView struct {
	Number   int
	Kind     ledger.Kind
	Surface  string
	Category detect.Category
	Proposal detect.Verdict
	Count    int
	Clear    int // mentions that are masked without being asked about
	Evidence []forum.Evidence
	Lines    []line
	Total    int

	Unsearched int // posts in which a form that nothing had found is still to be looked for
	pager
	Sort       string
	Filters    []filter
	Query      string // the filters as they are, for links
	Verdict    ledger.Verdict
	Entity     string
	Entities   []reading
	Also       []asked
	Categories []detect.Category
	Past       []past
	Recent     []past
	Left       string
	Queued     bool
	Decided    bool
}

// asked is a form that is asked with another one.
type asked struct {
	forum.Also
	Number  int
	Verdict ledger.Verdict
}

// reading is somebody a form may name.
type reading struct {
	ID    detect.EntityID
	Names string
}

// view gives what the page of a question shows.
func (d *Desk) view(n int, who string, c choice) (*questionView, bool) {
	d.mu.Lock()
	q, ok := d.question(n)
	if !ok || q.Surface == "" {
		d.mu.Unlock()
		return nil, false
	}
	r := d.round
	v := &questionView{Decided: q.state == settled}
	for _, number := range slices.Backward(d.journal.votes[q.ID]) {
		if d.journal.holds(number) {
			v.Past = append(v.Past, d.pastOf(d.journal.entries[number]))
		}
	}
	for _, e := range d.journal.recent(who, 6) {
		v.Recent = append(v.Recent, d.pastOf(e))
	}
	v.Also = d.along(&q)
	if len(v.Past) > 0 {
		d.tell(who, n)
	}
	d.mu.Unlock()

	r.describe(v, &q, c)
	if decision, ok := d.options.Ledger.Decision(q.ID); ok {
		v.Verdict, v.Entity = decision.Verdict, decision.Entity
		if decision.Category != "" {
			v.Category = detect.Category(decision.Category)
		}
	}
	return v, true
}

// along gives the forms that are asked with a question.
func (d *Desk) along(q *question) (all []asked) {
	for _, a := range q.Also {
		decision, _ := d.options.Ledger.Decision(a.ID)
		all = append(all, asked{a, d.number(a.ID).number, decision.Verdict})
	}
	return all
}

// Spellings reports whether the forms that are asked with a question are other
// spellings of its own, and no neighbours in a text.
func (v *questionView) Spellings() bool {
	return !slices.ContainsFunc(v.Also, func(a asked) bool { return !a.Same })
}

// describe fills in what the engine knows of a question, whatever was decided.
func (r *round) describe(v *questionView, q *question, c choice) {
	v.Number, v.Kind, v.Surface, v.Category, v.Proposal, v.Count = q.number, q.Kind, q.Surface, q.Category, q.Proposal, q.Count
	v.Evidence, v.Categories, v.Sort, v.Query = q.Evidence, detect.Categories(), c.sort, c.query()
	v.Lines, v.Total, v.Unsearched = r.concordance(q, c)
	v.pager = pagerOf(c.page, v.Total, pageLines)
	if v.Count == 0 {
		v.Count = v.Total
	}
	forms := r.spellings(q)
	if len(forms) == 0 {
		return
	}
	all := &spelling{finding: forms[0].finding, mentions: forms[0].mentions}
	for i, form := range forms {
		v.Clear += form.clear
		if i > 0 {
			all.mentions = append(slices.Clip(all.mentions), form.mentions...)
		}
	}
	if len(all.mentions) > 1 {
		v.Filters = chosenIn(r.filters(q.ID, all), c)
	}
	v.Entities = r.readings(all.finding.Entities)
}

func (d *Desk) pastOf(e ledger.Entry) past {
	p := past{Question: d.number(e.Question).number, Surface: e.Surface, Verdict: e.Verdict, Who: e.Who, At: e.At}
	if e.Verdict == "" && len(e.Mentions) > 0 {
		p.Verdict, p.Single = e.Mentions[0].Verdict, len(e.Mentions)
	}
	return p
}

// query writes a choice the way choiceOf reads it, without the page and the sort.
func (c choice) query() string {
	var parts []string
	for _, f := range [...]struct {
		name  string
		value int
	}{{"course", c.course}, {"author", c.author}, {"language", c.language}, {"detector", c.detector}, {"thread", c.thread}} {
		if f.value >= 0 {
			parts = append(parts, f.name+"="+strconv.Itoa(f.value))
		}
	}
	if c.verdict != "" {
		parts = append(parts, "verdict="+c.verdict)
	}
	return strings.Join(parts, "&")
}

// filters gives what the mentions of a form can be told apart by; a filter with
// one value is none. Those of a form that stands very often are kept.
func (r *round) filters(id string, form *spelling) []filter {
	const often = 1000
	if kept, ok := r.counted.Load(id); ok {
		return kept.([]filter)
	}
	posts, x := r.posts, r.index
	one := func(of []uint32) func(*mention, func(int)) {
		return func(m *mention, count func(int)) { count(int(of[m.post])) }
	}
	kinds := [...]struct {
		name   string
		values func(m *mention, count func(int))
		label  func(n int) string
	}{
		{"course", one(posts.courses.of), func(n int) string { return posts.courses.values[n] }},
		{"author", one(posts.authors.of), func(n int) string { return posts.authors.values[n] }},
		{"thread", one(posts.thread), func(n int) string { return "#" + strconv.Itoa(n+1) }},
		{"language", func(m *mention, count func(int)) { count(int(m.lang)) }, func(n int) string { return cmp.Or(x.languages[n], "?") }},
		{"detector", func(m *mention, count func(int)) {
			for i := range x.detectors {
				if m.detectors&(1<<i) != 0 {
					count(i)
				}
			}
		}, func(n int) string { return x.detectors[n] }},
	}
	const mostOptions = 200
	var all []filter
	for _, kind := range kinds {
		counts := make(map[int]int)
		for i := range form.mentions {
			kind.values(&form.mentions[i], func(n int) { counts[n]++ })
			if len(counts) > mostOptions {
				break
			}
		}
		if len(counts) < 2 || len(counts) > mostOptions {
			continue
		}
		f := filter{Name: kind.name}
		for n, count := range counts {
			f.Options = append(f.Options, option{Value: n, Label: fmt.Sprintf("%s (%d)", kind.label(n), count)})
		}
		slices.SortFunc(f.Options, func(a, b option) int { return cmp.Compare(a.Label, b.Label) })
		all = append(all, f)
	}
	if len(form.mentions) > often {
		r.counted.Store(id, all)
	}
	return all
}

// chosenIn marks the options that are chosen.
func chosenIn(filters []filter, c choice) []filter {
	chosen := map[string]int{"course": c.course, "author": c.author, "thread": c.thread, "language": c.language, "detector": c.detector}
	all := make([]filter, len(filters))
	for i, f := range filters {
		all[i] = filter{f.Name, slices.Clone(f.Options)}
		for k := range f.Options {
			all[i].Options[k].Chosen = f.Options[k].Value == chosen[f.Name]
		}
	}
	return all
}

// readings tells whom a form may name.
func (r *round) readings(entities []detect.EntityID) []reading {
	const most = 12
	var all []reading
	for _, id := range entities[:min(most, len(entities))] {
		all = append(all, reading{id, r.called(id)})
	}
	return all
}

// called says who an entity is: as the roster knows them, or else by the forms that
// name them and nobody else.
func (r *round) called(id detect.EntityID) string {
	return cmp.Or(r.engine.Called(id), strings.Join(r.index.names[id], ", "))
}

// status fills in what every page shows.
func (d *Desk) status(who string, p *page) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	p.Open, p.Asked = d.round.open, len(d.round.queue)
	p.CanUndo, p.CanRedo = len(d.journal.done[who]) > 0, len(d.journal.undone[who]) > 0
	p.Renewing, _ = d.renewing()
}

// nextFor chooses the next question of a session.
func (d *Desk) nextFor(s *session) (int, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := d.next(s.reviewer, s.skipped)
	if !ok && len(s.skipped) > 0 {
		clear(s.skipped) // what was put off is all that is left
		n, ok = d.next(s.reviewer, s.skipped)
	}
	return n, ok
}

// reply completes an answer and writes it. It reports whether the question stays
// on the page, because only some of its lines were answered for.
func (d *Desk) reply(a *answer, values []string, fresh bool) (again bool, err error) {
	d.mu.RLock()
	q, ok := d.question(a.question)
	if ok {
		for _, value := range values {
			m, found := d.place(&q, value)
			if !found {
				ok = false
				break
			}
			a.mentions = append(a.mentions, m)
		}
	}
	a.entity = d.entity(a.entity, fresh)
	d.mu.RUnlock()
	if !ok {
		a.question = -1
	}
	if err := d.decide(*a); err != nil {
		return false, err
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	q, _ = d.question(a.question)
	return len(values) > 0 && q.state != settled, nil
}

// entity understands what a reviewer calls somebody: an id, or a form that names
// one person only. fresh makes a new one.
func (d *Desk) entity(said string, fresh bool) string {
	said = strings.TrimSpace(said)
	if fresh && said == "" {
		for n := 1; ; n++ {
			if id := fmt.Sprintf("N%04d", n); !d.journal.entities[id] {
				return id
			}
		}
	}
	if said == "" || d.round.index.names[detect.EntityID(said)] != nil {
		return said
	}
	var found []detect.EntityID
	for _, reading := range d.round.engine.Catalogue().Readings(said) {
		found = append(found, reading.Entities...)
	}
	slices.Sort(found)
	if found = slices.Compact(found); len(found) == 1 {
		return string(found[0])
	}
	return said
}

// search finds the question about a form, whether it was asked or not.
func (d *Desk) search(form string) (int, bool) {
	form = strings.Join(strings.Fields(form), " ")
	id := forum.FormQuestion(form)
	if id == "" || len(form) > mostFormBytes {
		return 0, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if candidate := forum.CandidateQuestion(form); d.round.index.forms[candidate] != nil {
		id = candidate
	}
	q := d.number(id)
	if d.describe(q); q.Surface == "" {
		q.Surface, q.Kind = form, ledger.KindForm
	}
	return q.number, true
}

// threadView is what the page of a thread shows.
type threadView struct {
	Number int
	Show   string
	Posts  []post
}

func (d *Desk) threadView(number int, show string) (*threadView, bool, error) {
	d.mu.RLock()
	r, added := d.round, d.added
	d.mu.RUnlock()
	if number < 0 || number >= r.posts.count {
		return nil, false, nil
	}
	if show != "changes" && show != "released" {
		show = "marks"
	}
	posts, err := r.conversation(uint32(number), added)
	if err != nil {
		return nil, false, err
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	for i := range posts {
		for k := range posts[i].Texts {
			for _, s := range posts[i].Texts[k].Segments {
				if s.Mark != nil {
					s.Mark.Question = d.number(s.Mark.id).number
				}
			}
		}
	}
	return &threadView{number, show, posts}, true, nil
}
