package sample

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"unicode/utf8"
)

// visit is one person's stay on the site: what all its lines share.
type visit struct {
	actor, other, third   *Person
	session, csrf, device string
	ip, agent             string
	left                  int // lines until the person leaves
}

// eventKind is one kind of log line: an envelope, an event type and a payload,
// each a template.
type eventKind struct {
	event    *template
	payload  *template
	path     *template
	envelope *template
	form     form
	weight   int
}

// form is how a payload stands in the line.
type form uint8

const (
	asJSON  form = iota // as it is: an object, a list, null, ""
	inJSON              // in a JSON string, as the browser sends it
	inTwice             // a JSON string in a JSON string
	inCut               // in a JSON string that was cut at 512 characters
	asQuery             // a query string, as browser problem events send it
)

// eventSource is a kind of log line before it is compiled.
type eventSource struct {
	event    string
	envelope string // a name among envelopes
	form     form
	payload  string
	path     string
	weight   int
}

const cutLength = 512 // characters the server keeps of a request's parameters

func compileEvent(e eventSource) (k eventKind, err error) {
	envelope, ok := envelopes[e.envelope]
	if !ok {
		return k, fmt.Errorf("sample: event %q: no envelope is called %q", e.event, e.envelope)
	}
	path := e.path
	if path == "" {
		path = "/event"
	}
	compiled, err := compileAll([]string{e.event, e.payload, path, envelope})
	if err != nil {
		return k, err
	}
	k = eventKind{event: compiled[0], payload: compiled[1], path: compiled[2], envelope: compiled[3], form: e.form, weight: max(e.weight, 1)}
	return k, nil
}

// appendPayload writes the payload of the scene's event in its form.
func (s *scene) appendPayload(dst []byte) []byte {
	place := s.place
	s.place = join(place, "event")
	defer func() { s.place = place }()
	if s.kind.form == asJSON {
		return s.render(dst, s.kind.payload, jsonText)
	}
	enc := jsonText
	if s.kind.form == asQuery {
		enc = percent
	}
	inner := s.render(s.payload[:0], s.kind.payload, enc)
	s.payload = inner
	switch s.kind.form {
	case inTwice:
		quoted := append([]byte{'"'}, appendJSON(nil, inner, s.ascii)...)
		inner = append(quoted, '"')
	case inCut:
		for len(inner) < cutLength+64 {
			inner = append(inner, `, "padding": "lorem ipsum dolor sit amet"`...)
		}
		inner = inner[:cutLength]
		for !utf8.Valid(inner) {
			inner = inner[:len(inner)-1]
		}
	}
	dst = append(dst, '"')
	dst = appendJSON(dst, inner, s.ascii)
	return append(dst, '"')
}

// inPlace renders an event's type or path where it stands in the line.
func (s *scene) inPlace(where string, t *template, dst []byte) []byte {
	place := s.place
	s.place = where
	dst = s.render(dst, t, plain)
	s.place = place
	return dst
}

// writeLog writes the course's share of events. Every kind comes once before
// chance decides, so that small exports have them all.
func (s *scene) writeLog(w io.Writer, events int) (int64, error) {
	out := bufio.NewWriterSize(w, 1<<20)
	s.now = s.course.start
	step := int64(60*day) / int64(max(events, 1))
	visits := make([]*visit, min(256, max(8, s.gen.options.People/8)))
	arrivals := 0
	firstRound := s.rng.Perm(len(s.gen.events))
	var line []byte
	for i := range events {
		s.now += moment(1 + s.rng.Int64N(2*step))
		seat := s.rng.IntN(len(visits))
		if visits[seat] == nil || visits[seat].left == 0 {
			visits[seat] = s.arrive(arrivals)
			arrivals++
		}
		v := visits[seat]
		v.left--
		s.visit, s.actor, s.other, s.third = v, v.actor, v.other, v.third
		if i < len(firstRound) {
			s.kind = &s.gen.events[firstRound[i]]
		} else {
			s.kind = &s.gen.events[s.gen.wheel[s.rng.IntN(len(s.gen.wheel))]]
		}
		line = append(s.render(line[:0], s.kind.envelope, jsonText), '\n')
		if _, err := out.Write(line); err != nil {
			return int64(i), err
		}
	}
	s.visit = nil
	return int64(events), out.Flush()
}

// arrive begins a visit. The first visitors come in the order of the roster,
// so that in a small export everybody comes.
func (s *scene) arrive(n int) *visit {
	v := &visit{left: 3 + s.rng.IntN(30)}
	if home := s.course.Index + n*s.course.count; home < s.gen.options.People {
		v.actor = s.gen.roster.person(home)
	} else {
		v.actor = s.course.member(s.rng)
	}
	v.other, v.third = s.course.namedMember(s.rng), s.course.namedMember(s.rng)
	v.session = string(appendRandomHex(nil, s, 32))
	v.csrf = string(appendRandomHex(nil, s, 32))
	v.device = string(appendUUID(s, nil, nil))
	v.agent = agents[s.rng.IntN(len(agents))]
	v.ip = v.actor.IP
	if s.rng.IntN(4) == 0 {
		v.ip = nations[v.actor.Country].address(rand.New(rand.NewPCG(s.rng.Uint64(), 1)))
	}
	return v
}

// wheel gives each kind as many places as its weight, to draw from.
func wheel(events []eventKind) []uint16 {
	var places []uint16
	for i, e := range events {
		for range e.weight {
			places = append(places, uint16(i))
		}
	}
	return places
}

var agents = []string{
	"Mozilla/5.0 (Windows NT 6.1; WOW64; rv:33.0) Gecko/20100101 Firefox/33.0",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_9_5) AppleWebKit/600.1.17 (KHTML, like Gecko) Version/7.1 Safari/537.85.10",
	"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/38.0.2125.104 Safari/537.36",
	"Mozilla/5.0 (iPad; CPU OS 8_0_2 like Mac OS X) AppleWebKit/600.1.4 (KHTML, like Gecko) Version/8.0 Mobile/12A405 Safari/600.1.4",
	"Dalvik/1.6.0 (Linux; U; Android 4.4.2; GT-I9505 Build/KOT49H)",
}
