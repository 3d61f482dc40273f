package review

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"anonymooc/forum/check"
	"anonymooc/forum/person"
)

// renewal is the building of the next engine, beside the one that serves.
type renewal struct {
	mu      sync.Mutex
	running bool
	err     error
}

// renew builds another engine from what was decided since, so that new
// candidates are mined, and puts it in the place of the present one. It returns
// at once; while one is being built another is not begun.
func (d *Desk) renew() {
	d.renewal.mu.Lock()
	defer d.renewal.mu.Unlock()
	if d.renewal.running {
		return
	}
	d.renewal.running, d.renewal.err = true, nil
	go func() {
		d.mu.RLock()
		posts := d.round.posts
		d.mu.RUnlock()
		next, questions, err := d.survey(posts)
		if err == nil {
			d.take(next, questions)
		}
		d.renewal.mu.Lock()
		defer d.renewal.mu.Unlock()
		d.renewal.running, d.renewal.err = false, err
	}()
}

// renewing tells whether an engine is being built, and whether the last one failed.
func (d *Desk) renewing() (running, failed bool) {
	d.renewal.mu.Lock()
	defer d.renewal.mu.Unlock()
	return d.renewal.running, d.renewal.err != nil
}

// checks keeps the table of replacements until somebody decides something.
type checks struct {
	mu       sync.Mutex
	asOf     uint64 // decisions seen when the table was begun
	decided  uint64
	complete bool
	table    []check.Row
	alerts   []check.Alert
}

func (c *checks) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.decided++
}

// check makes the table of replacements, or gives the one that still holds. It
// reads the whole forum, so nobody waits for it but who asked.
func (d *Desk) check() ([]check.Row, []check.Alert, error) {
	if d.options.Check == nil {
		return nil, nil, nil
	}
	d.mu.RLock()
	engine := d.round.engine
	d.mu.RUnlock()
	c := &d.checks
	c.mu.Lock()
	now := c.decided
	if c.complete && c.asOf == now {
		defer c.mu.Unlock()
		return c.table, c.alerts, nil
	}
	c.mu.Unlock()
	table, alerts, err := d.options.Check(engine)
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(table, func(a, b check.Row) int {
		return cmp.Or(strings.Compare(a.Form, b.Form), strings.Compare(string(a.Entity), string(b.Entity)), strings.Compare(string(a.Category), string(b.Category)))
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.table, c.alerts, c.asOf, c.complete = table, alerts, now, true
	return table, alerts, nil
}

// persons keeps the person files once somebody has asked for them: posts do not
// change.
type persons struct {
	once sync.Once
	list []person.Person
	err  error
}

func (d *Desk) people() ([]person.Person, error) {
	if d.options.People == nil {
		return nil, nil
	}
	d.persons.once.Do(func() { d.persons.list, d.persons.err = d.options.People() })
	return d.persons.list, d.persons.err
}
