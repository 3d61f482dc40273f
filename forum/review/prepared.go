package review

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"anonymooc/forum/check"
	"anonymooc/forum/person"
	"anonymooc/internal/fold"
)

// prepared is something that takes long to make, because all posts are read for
// it. It is made beside the pages; meanwhile they show what there was before.
type prepared[T any] struct {
	mu      sync.Mutex
	value   T
	err     error
	asOf    int // when it was begun, in decisions
	made    bool
	running chan struct{} // closed when what is being made is there; nil when nothing is
}

// patience is how long a page waits for something that is being made.
const patience = 700 * time.Millisecond

// get gives what there is. fresh says that it is as of now; made, that there is
// anything.
func (p *prepared[T]) get(now int, work func() (T, error)) (value T, made, fresh bool, err error) {
	p.mu.Lock()
	if p.running == nil && !(p.made && p.asOf == now) {
		p.running = make(chan struct{})
		go p.work(now, work)
	}
	running := p.running
	p.mu.Unlock()
	if running != nil {
		enough := time.NewTimer(patience)
		defer enough.Stop()
		select {
		case <-running:
		case <-enough.C:
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.value, p.made, p.made && p.asOf == now, p.err
}

func (p *prepared[T]) work(now int, work func() (T, error)) {
	value, err := work()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err = err; err == nil {
		p.value, p.asOf, p.made = value, now, true
	}
	close(p.running)
	p.running = nil
}

// replacements are the table of what stands for what, and the trouble in it.
type replacements struct {
	table  []check.Row
	alerts []check.Alert
}

// check makes the table of replacements, or gives the one that there is.
func (d *Desk) check() (all replacements, made, fresh bool, err error) {
	if d.options.Check == nil {
		return replacements{}, true, true, nil
	}
	d.mu.RLock()
	engine, now := d.round.engine, d.decided
	d.mu.RUnlock()
	return d.table.get(now, func() (replacements, error) {
		table, alerts, err := d.options.Check(engine)
		slices.SortFunc(table, byForm)
		return replacements{table, alerts}, err
	})
}

// byForm puts people's names before everything else, each by the form.
func byForm(a, b check.Row) int {
	rank := func(r check.Row) int {
		if r.Category.Person() {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(fold.KeyString(a.Form), fold.KeyString(b.Form)), strings.Compare(a.Form, b.Form),
		strings.Compare(string(a.Entity), string(b.Entity)), strings.Compare(string(a.Category), string(b.Category)))
}

// people reads the person files, once somebody asks for them: posts do not change.
func (d *Desk) people() (all []person.Person, made bool, err error) {
	if d.options.People == nil {
		return nil, true, nil
	}
	all, made, _, err = d.persons.get(0, d.options.People)
	return all, made, err
}
