package review

import (
	"slices"
	"sync"
	"time"

	"anonymooc/forum"
	"anonymooc/forum/ledger"
	"anonymooc/forum/mine"
	"anonymooc/forum/person"
	"anonymooc/internal/fault"
)

// Desk is what all reviewers of a project work on: the questions, the posts and
// the open ledger. It is safe for concurrent use.
type Desk struct {
	options Options

	naming sync.Mutex // guards numbers and asked while mu is held for reading

	mu       sync.RWMutex // guards what follows, and is not held while texts are read
	round    *round
	numbers  map[string]int // question id → its number, for as long as the process lives
	asked    []*question    // by number
	single   map[ledger.Mention]int
	joint    map[string]int // form → number of the question that it is asked with
	journal  *journal
	added    added
	taken    map[int]lease
	told     map[string]map[int]bool // reviewer → questions whose verdicts they were shown
	decided  int                     // entries that were taken into account
	renewal  renewal
	rechecks rechecks

	generation int // of the round

	table    prepared[replacements]
	persons  prepared[[]person.Person]
	triggers prepared[[]forum.Question]
}

// round is what one engine found. It does not change once it is taken, but for
// the queue's state, so pages are made of it while others decide.
type round struct {
	options *Options
	engine  *forum.Engine
	posts   *shelf
	index   *index
	found   sync.Map   // question → *hunt: forms that reviewers look for
	hunting sync.Mutex // one search works at a time
	counted sync.Map   // question → []filter, of forms that stand very often

	// Guarded by the desk's mu.
	queue []int // numbers of the questions, the most worthwhile first
	first int   // place in the queue before which all is settled
	open  int   // questions that wait
	curve []int // of them, after each decision since
}

// lease keeps two reviewers from being shown the same question at once.
type lease struct {
	who   string
	until time.Time
}

// leaseTime is how long a question is kept for whoever looks at it.
const leaseTime = 2 * time.Minute

// live lets an engine follow the open ledger.
type live struct{ *ledger.Ledger }

// Decisions implements forum.Decisions.
func (l live) Decisions() []ledger.Decision { return l.Snapshot().Decisions() }

// NewDesk builds the engine and reads the forum.
func NewDesk(options Options) (*Desk, error) {
	d := &Desk{
		options: options.complete(), numbers: make(map[string]int), taken: make(map[int]lease),
		single: make(map[ledger.Mention]int), joint: make(map[string]int), journal: newJournal(options.Ledger.Entries()), told: make(map[string]map[int]bool),
	}
	posts, err := newShelf()
	if err != nil {
		return nil, fault.New(fault.Failure, "the posts cannot be compressed").Because(err)
	}
	next, questions, err := d.survey(posts)
	if err != nil {
		return nil, err
	}
	if err := d.readRechecks(); err != nil {
		return nil, err
	}
	d.take(next, questions)
	return d, nil
}

// survey builds an engine and reads the forum with it.
func (d *Desk) survey(posts *shelf) (*round, []forum.Question, error) {
	d.options.Reading.Begin()
	engine, err := d.options.Engine()
	if err != nil {
		return nil, nil, err
	}
	questions, err := engine.Questions()
	if err != nil {
		return nil, nil, err
	}
	index, err := newIndex(engine, posts)
	if err != nil {
		return nil, nil, err
	}
	engine.Follow(live{d.options.Ledger})
	if d.options.Elsewhere != nil {
		more, err := d.options.Elsewhere(questions)
		if err != nil {
			return nil, nil, err
		}
		questions = append(slices.Clip(questions), more...)
	}
	questions = forum.Together(questions)
	asked := make([]ledger.Asked, len(questions))
	for i := range questions {
		asked[i] = questions[i].Asked()
	}
	return &round{options: &d.options, engine: engine, posts: posts, index: index}, questions, d.options.Ledger.Ask(asked...)
}

// take puts a new round in the place of the one before.
func (d *Desk) take(next *round, questions []forum.Question) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.round = next
	d.generation++
	clear(d.single)
	clear(d.joint)
	for _, q := range d.asked {
		q.queued = false
	}
	for i := range questions {
		q := d.number(questions[i].ID)
		q.Question, q.form = questions[i], questions[i].ID
		if q.Kind == ledger.KindMention && len(q.Lines) > 0 {
			l := q.Lines[0]
			at := ledger.Mention{Post: l.Post, Field: l.Field, Start: l.Start, End: l.End}
			q.form = next.index.at[at]
			d.single[at] = q.number
		}
		for _, a := range q.Also {
			d.joint[a.ID] = q.number
		}
		q.place = len(next.queue)
		next.queue = append(next.queue, q.number)
		q.queued = true
		if q.state = d.stateOf(q); q.state != settled {
			next.open++
		}
	}
	next.curve = append(next.curve, next.open)
	d.added = added{}
	for _, id := range d.journal.masked {
		d.noteAdded(id)
	}
	d.decided++
}

// number gives a question its number, at first sight a new one.
func (d *Desk) number(id string) *question {
	d.naming.Lock()
	defer d.naming.Unlock()
	n, ok := d.numbers[id]
	if !ok {
		n = len(d.asked)
		d.numbers[id] = n
		d.asked = append(d.asked, &question{Question: forum.Question{ID: id}, number: n, form: id})
	}
	return d.asked[n]
}

// question finds a question by its number.
func (d *Desk) question(number int) (question, bool) {
	d.naming.Lock()
	if number < 0 || number >= len(d.asked) {
		d.naming.Unlock()
		return question{}, false
	}
	q := *d.asked[number]
	d.naming.Unlock()
	d.describe(&q)
	return q, true
}

// next chooses a reviewer's next question: the first open one that nobody else
// is looking at, and after all others those that were left open.
func (d *Desk) next(who string, skip map[int]bool) (int, bool) {
	now := d.options.Now()
	waiting, others := -1, -1
	r := d.round
	for r.first < len(r.queue) && d.asked[r.queue[r.first]].state == settled {
		r.first++
	}
	for _, n := range r.queue[r.first:] {
		q := d.asked[n]
		if q.state == settled || skip[n] {
			continue
		}
		if l, ok := d.taken[n]; ok && l.who != who && now.Before(l.until) {
			if others < 0 {
				others = n
			}
			continue
		}
		if q.state == open {
			d.taken[n] = lease{who, now.Add(leaseTime)}
			return n, true
		}
		if waiting < 0 {
			waiting = n
		}
	}
	if waiting < 0 {
		waiting = others
	}
	return waiting, waiting >= 0
}

// absorb takes entries that are in the ledger into account.
func (d *Desk) absorb(entries ...ledger.Entry) {
	for _, e := range entries {
		d.journal.add(e)
		target := e
		if e.Undo != 0 {
			target = d.journal.decision(e.Undo)
		}
		d.look(target.Question)
		d.noteAdded(target.Question)
		for _, a := range target.Also {
			d.look(a.ID)
			d.noteAdded(a.ID)
		}
		for _, m := range target.Mentions {
			if n, ok := d.single[m.Mention]; ok {
				d.look(d.asked[n].ID)
			}
			if id, ok := d.round.index.at[m.Mention]; ok && id != target.Question {
				d.look(id)
			}
		}
	}
	const mostCurve = 5000
	if d.round.curve = append(d.round.curve, d.round.open); len(d.round.curve) > mostCurve {
		d.round.curve = slices.Delete(d.round.curve, 0, len(d.round.curve)-mostCurve)
	}
	d.decided++
}

// look finds out again how far a question is, and the one that it is asked with.
func (d *Desk) look(id string) {
	if n, ok := d.numbers[id]; ok {
		d.lookAt(d.asked[n])
	}
	if n, ok := d.joint[id]; ok {
		d.lookAt(d.asked[n])
	}
}

func (d *Desk) lookAt(q *question) {
	before := q.state
	if q.state = d.stateOf(q); !q.queued {
		return
	}
	if before != settled && q.state == settled {
		d.round.open--
	}
	if before == settled && q.state != settled {
		d.round.open++
		d.round.first = min(d.round.first, q.place)
	}
}

// open is the number of questions that wait.
func (d *Desk) open() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.round.open
}

// added are the forms that somebody masked and the engine does not know yet. It
// is never changed, only replaced.
type added struct {
	forms, ids []string
	search     *mine.Concordance // nil when there are none
}

// noteAdded looks again whether a question is about such a form.
func (d *Desk) noteAdded(id string) {
	at := slices.Index(d.added.ids, id)
	decision, ok := d.options.Ledger.Decision(id)
	is := ok && decision.Kind == ledger.KindForm && decision.Verdict == ledger.Mask && decision.Surface != "" && d.round.index.forms[id] == nil
	if is == (at >= 0) {
		return
	}
	next := added{forms: slices.Clone(d.added.forms), ids: slices.Clone(d.added.ids)}
	if is {
		next.forms, next.ids = append(next.forms, decision.Surface), append(next.ids, id)
	} else {
		next.forms, next.ids = slices.Delete(next.forms, at, at+1), slices.Delete(next.ids, at, at+1)
	}
	if len(next.forms) > 0 {
		next.search = mine.NewConcordance(next.forms...)
	}
	d.added = next
}
