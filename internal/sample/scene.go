package sample

import (
	"bytes"
	"math/rand/v2"

	"anonymooc/internal/sample/canary"
)

// scene is what a template is filled from: who acts, in which course, when.
// One scene writes one file.
type scene struct {
	gen    *generator
	course *Course
	rng    *rand.Rand
	now    moment
	ascii  bool // JSON text escapes everything that is not ASCII

	actor, other, third *Person
	visit               *visit // the log's current session; nil elsewhere
	file                string // path below the export folder
	place               string // what stands before the slot's own path: "event", "body" …
	inText              bool   // rendering free text
	row                 int64  // the row's own key
	serial              int64  // the row's number in its table, from 1

	module *module    // the kind of content block the row is about
	post   *post      // the forum post being written
	block  string     // the content block the row is about
	kind   *eventKind // the event being written

	depth   int      // of slots within slots
	buffers [][]byte // one for each depth
	payload []byte   // before it is put into a string
	plant   func(canary.Canary)

	previous string // value of the slot before, for the canaries' phrases
}

// person gives one of the scene's people. Whom the actor meets is drawn when it
// is first asked for.
func (s *scene) person(w who) *Person {
	switch w {
	case theOther:
		if s.other == nil {
			s.other = s.course.namedMember(s.rng)
		}
		return s.other
	case theThird:
		if s.third == nil {
			s.third = s.course.namedMember(s.rng)
		}
		return s.third
	}
	return s.actor
}

// record reports a planted identifier. A common word that does not fill its
// place gets a phrase: the word before it, and it.
func (s *scene) record(p *part, value []byte, previous string) {
	person := s.person(p.who)
	if len(bytes.TrimSpace(value)) == 0 {
		return
	}
	where := s.place
	if !s.inText {
		where = join(where, p.where)
	}
	c := canary.Canary{
		Kind: p.slot.kind, Value: string(value), Person: person.Index, File: s.file, Where: where,
		Text: s.inText, Whole: p.alone && !s.inText, Altered: p.altered,
		Common: p.slot.kind == "city" || commonValues[canary.Fold(string(value))],
	}
	if c.Common && !c.Whole {
		switch {
		case p.bridged && previous != "":
			c.Phrase = lastWord(previous) + p.before + c.Value
		case !p.bridged && p.before != "":
			c.Phrase = p.before + c.Value
		}
	}
	s.plant(c)
}
