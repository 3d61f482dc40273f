package review

import "sync"

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
