package review

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"anonymooc/forum/check"
	"anonymooc/forum/ledger"
	"anonymooc/forum/person"
	"anonymooc/forum/recheck"
	"anonymooc/internal/fault"
)

// bar is one value of a chart.
type bar struct {
	Label string
	Value int
	Of    int // what Value is a part of; 0: of the largest
}

// overviewView is what the overview shows.
type overviewView struct {
	Texts, Posts, Forms, Asked, Open, Decisions int
	Estimate                                    recheck.Estimate
	Hours, Categories, Verdicts                 []bar
	Detectors                                   []bar // how often reviewers masked what each detector marked
	Curve                                       []int // open questions after each decision of this round
	Pace                                        pace
	Conflicts                                   int
	Failed                                      bool
}

// pace is how long the questions left will take, from how long the last ones took.
type pace struct {
	Known    bool
	Low, Top int // minutes
}

// mostPause is the longest time between two decisions that counts as work.
const mostPause = 3 * time.Minute

// paceOf takes the quartiles of the times between a reviewer's last decisions.
func (j *journal) paceOf(who string, left int) pace {
	const looked, least = 60, 5
	var steps []time.Duration
	var before time.Time
	for i := len(j.times) - 1; i >= 0 && len(steps) < looked; i-- {
		m := j.times[i]
		if m.who != who {
			continue
		}
		if step := before.Sub(m.at); !before.IsZero() && step <= mostPause {
			steps = append(steps, max(step, time.Second))
		}
		before = m.at
	}
	if len(steps) < least {
		return pace{}
	}
	slices.Sort(steps)
	minutes := func(step time.Duration) int { return int((step*time.Duration(left) + time.Minute - 1) / time.Minute) }
	return pace{true, minutes(steps[len(steps)/4]), minutes(steps[len(steps)*3/4])}
}

func (d *Desk) overview(who string) overviewView {
	d.mu.RLock()
	defer d.mu.RUnlock()
	j := d.journal
	v := overviewView{
		Texts: d.round.index.texts, Posts: d.round.posts.count, Forms: len(d.round.index.forms), Asked: len(d.round.queue),
		Open: d.round.open, Estimate: d.estimate(), Pace: j.paceOf(who, d.round.open),
	}
	_, v.Failed = d.renewing()
	verdicts, categories := make(map[string]int), make(map[string]int)
	for verdict, n := range j.verdicts {
		if n > 0 {
			verdicts[string(verdict)] = n
		}
	}
	for category, n := range d.round.index.counts {
		categories[string(category)] = n
	}
	v.Decisions, v.Conflicts = j.held, len(j.agreed.odds)
	v.Hours, v.Verdicts, v.Categories = bars(j.hours, true), bars(verdicts, false), bars(categories, false)
	v.Hours = v.Hours[max(0, len(v.Hours)-12):]
	v.Detectors = d.detectorBars()
	v.Curve = slices.Clone(d.round.curve)
	return v
}

func bars(counts map[string]int, byName bool) (all []bar) {
	for label, n := range counts {
		all = append(all, bar{Label: label, Value: n})
	}
	slices.SortFunc(all, func(a, b bar) int {
		if byName {
			return cmp.Compare(a.Label, b.Label)
		}
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Label, b.Label))
	})
	return all
}

// detectorBars counts, for each detector, the decided forms that it marked and
// how many of them the reviewers masked.
func (d *Desk) detectorBars() []bar {
	x := d.round.index
	all := make([]bar, len(x.detectors))
	for i, name := range x.detectors {
		all[i].Label = name
	}
	for id := range d.journal.votes {
		decision, ok := d.options.Ledger.Decision(id)
		form := x.forms[id]
		if !ok || form == nil || decision.Verdict == "" || decision.Verdict == ledger.Unsure {
			continue
		}
		for i := range all {
			if form.seen&(1<<i) != 0 {
				all[i].Of++
				if decision.Verdict == ledger.Mask {
					all[i].Value++
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(b bar) bool { return b.Of == 0 })
}

// finished is what is shown when the queue is empty.
func (d *Desk) finished() overviewView { return d.overview("") }

func (s *site) overview(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, "overview", http.StatusOK, s.desk.overview(sessionOf(r).reviewer))
}

// pager says which page of a list is shown, from 0.
type pager struct{ Page, Pages int }

func pagerOf(page, items, perPage int) pager { return pager{page, (items + perPage - 1) / perPage} }

// Previous is the page before, from 0.
func (p pager) Previous() int { return p.Page - 1 }

// Shown is the page's number, from 1; that is the next one's from 0.
func (p pager) Shown() int { return p.Page + 1 }

// replacementsView is a page of the table of replacements.
type replacementsView struct {
	Rows   []replacementRow
	Alerts []trouble
	Total  int
	Stale  bool // it is of before the last decisions; the present one is being made
	Styles []styleChoice
	pager
}

// trouble is the alerts of one kind, as many as a page holds.
type trouble struct {
	Kind   string
	Count  int
	Alerts []alert
}

// More is how many alerts of the kind are not shown.
func (t trouble) More() int { return t.Count - len(t.Alerts) }

// alert is one of them, with as many forms as a line holds.
type alert struct {
	check.Alert
	More int // forms that are not shown
}

func troubles(alerts []check.Alert, most int) (all []trouble) {
	const mostForms = 8
	for _, a := range alerts {
		at := slices.IndexFunc(all, func(t trouble) bool { return t.Kind == string(a.Kind) })
		if at < 0 {
			at = len(all)
			all = append(all, trouble{Kind: string(a.Kind)})
		}
		t := &all[at]
		if t.Count++; t.Count <= most {
			more := max(0, len(a.Forms)-mostForms)
			a.Forms = a.Forms[:len(a.Forms)-more]
			t.Alerts = append(t.Alerts, alert{a, more})
		}
	}
	return all
}

type replacementRow struct {
	check.Row
	Names    string
	Question int
}

func (s *site) replacements(w http.ResponseWriter, r *http.Request) {
	all, made, fresh, err := s.desk.check()
	if err != nil || !made {
		s.prepare(w, r, err)
		return
	}
	table, alerts := all.table, all.alerts
	const pageRows, mostAlerts = 100, 50
	v := replacementsView{Stale: !fresh, Total: len(table), pager: pagerOf(choiceOf(r).page, len(table), pageRows)}
	v.Alerts = troubles(alerts, mostAlerts)
	v.Styles = s.desk.styles(table)
	from := min(v.Page*pageRows, len(table))
	for _, row := range table[from:min(from+pageRows, len(table))] {
		n, _ := s.desk.search(row.Form)
		v.Rows = append(v.Rows, replacementRow{row, s.desk.called(row), n})
	}
	s.show(w, r, "replacements", http.StatusOK, v)
}

// prepare says that something is being made; the page goes on by itself.
func (s *site) prepare(w http.ResponseWriter, r *http.Request, err error) {
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Refresh", "1")
	s.show(w, r, "preparing", http.StatusOK, nil)
}

// called gives the names of whom a row is about.
func (d *Desk) called(row check.Row) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if row.Entity == "" {
		return ""
	}
	return d.round.called(row.Entity)
}

// personView is a person file as the page shows it.
type personView struct {
	Number int
	Name   string // as the forum calls the author
	person.Person
	Starred map[int]bool
	Posts   map[string]uint32 // post id → number
}

func (s *site) peoplePage(w http.ResponseWriter, r *http.Request) {
	people, made, err := s.desk.people()
	if err != nil || !made {
		s.prepare(w, r, err)
		return
	}
	const pagePeople = 50
	page := choiceOf(r).page
	from := min(page*pagePeople, len(people))
	var list []personView
	for i := from; i < min(from+pagePeople, len(people)); i++ {
		list = append(list, s.desk.personView(i, people[i]))
	}
	s.show(w, r, "people", http.StatusOK, struct {
		People []personView
		pager
	}{list, pagerOf(page, len(people), pagePeople)})
}

func (s *site) personPage(w http.ResponseWriter, r *http.Request) {
	people, made, err := s.desk.people()
	n := number(r)
	switch {
	case err != nil || !made:
		s.prepare(w, r, err)
	case n < 0 || n >= len(people):
		s.missing(w, r)
	default:
		s.show(w, r, "person", http.StatusOK, s.desk.personView(n, people[n]))
	}
}

func (d *Desk) personView(n int, p person.Person) personView {
	d.mu.RLock()
	defer d.mu.RUnlock()
	v := personView{Number: n, Name: p.Author, Person: p, Starred: make(map[int]bool), Posts: make(map[string]uint32)}
	for _, i := range p.Combination {
		v.Starred[i] = true
	}
	for _, f := range p.Facts {
		for _, at := range f.Places {
			if number, ok := d.round.posts.numbers[at.Post]; ok {
				v.Posts[at.Post], v.Name = number, d.round.posts.authors.at(number)
			}
		}
	}
	return v
}

// reviewersView is who works on the project.
type reviewersView struct {
	People     []reviewerRow
	Agreements []Agreement
	Conflicts  []conflictRow
	Link       string
}

type reviewerRow struct {
	Name      string
	Decisions int
	Last      time.Time
}

type conflictRow struct {
	Question int
	Surface  string
	Votes    []past
}

func (d *Desk) reviewers() reviewersView {
	d.mu.RLock()
	defer d.mu.RUnlock()
	var v reviewersView
	for who, numbers := range d.journal.done {
		row := reviewerRow{Name: who, Decisions: len(numbers)}
		if n, ok := newest(numbers); ok {
			row.Last = d.journal.entries[n].At
		}
		v.People = append(v.People, row)
	}
	slices.SortFunc(v.People, func(a, b reviewerRow) int { return cmp.Compare(a.Name, b.Name) })
	v.Agreements = d.journal.agreements()
	for _, id := range d.journal.conflicts() {
		q, ok := d.question(d.number(id).number)
		if !ok {
			continue
		}
		row := conflictRow{Question: q.number, Surface: q.Surface}
		for _, vote := range d.journal.ballots(id) {
			row.Votes = append(row.Votes, d.pastOf(d.journal.entries[vote.number]))
		}
		v.Conflicts = append(v.Conflicts, row)
	}
	return v
}

func (s *site) reviewers(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, "reviewers", http.StatusOK, s.desk.reviewers())
}

// mostName bounds reviewers' names.
const mostName = 60

func (s *site) invite(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimSpace(r.PostFormValue("name"))
	if name == "" || len(name) > mostName {
		s.fail(w, r, fault.New(fault.Usage, "a reviewer has a name, of 60 bytes at most"))
		return
	}
	link, err := s.guard.invite(name)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	v := s.desk.reviewers()
	v.Link = link
	s.show(w, r, "reviewers", http.StatusOK, v)
}

// Pair writes what the page sends back about a mark.
func (m *mark) Pair() string { return strconv.Itoa(m.Question) + " " + m.Value }
