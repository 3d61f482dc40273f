package moocdb

// observed is an event whose duration is not known before the next one.
type observed struct {
	id        int64
	url       any
	at        int64
	ip, os    any
	agent     string
	goneAfter int64 // microseconds until the next event; -1 when nobody knows
}

// longestStay is the longest time between two events in which a person is held
// to be still there, in microseconds.
const longestStay = 3600 * 1_000_000

// take takes one event of the log.
func (b *builder) take(e *event) error {
	number := b.people.number(e.user, e.name)
	url, target, err := b.resources.of(e)
	if err != nil {
		return err
	}
	var user, link any
	if number != 0 {
		user = number
		who := b.people.byNumber[number]
		who.os, who.agent = e.os, e.agent
		if who.ip == nil {
			who.ip = e.ip
		}
		if who.name == "" {
			who.name = e.name
		}
	}
	if url != 0 {
		link = url
	}
	b.events++
	now := &observed{id: b.events, url: link, at: e.at, ip: e.ip, os: e.os, agent: e.agent, goneAfter: -1}
	if number == 0 {
		err = b.observe(nil, now)
	} else if before := b.pending[number]; before != nil {
		switch gap := e.at - before.at; {
		case gap < 0:
			b.report.Backward++
		case gap <= longestStay:
			before.goneAfter = gap
		}
		err = b.observe(user, before)
		b.pending[number] = now
	} else {
		b.pending[number] = now
	}
	if err != nil {
		return err
	}
	return b.problems.take(e, user, target)
}

// observe writes an event whose duration is settled.
func (b *builder) observe(user any, o *observed) error {
	var duration any
	if o.goneAfter >= 0 {
		duration = (o.goneAfter + 500_000) / 1_000_000
	}
	return b.store.add(position("observed_events"), o.id, user, o.url, showTime(o.at), duration, o.ip, o.os, orNil(o.agent))
}

// flush writes everybody's last event.
func (b *builder) flush() error {
	for _, number := range sortedKeys(b.pending) {
		if err := b.observe(number, b.pending[number]); err != nil {
			return err
		}
	}
	return nil
}
