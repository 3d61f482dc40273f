package ledger

import "sort"

// Decision is what holds for one question after all entries.
type Decision struct {
	Question string
	Kind     Kind
	Surface  string
	Verdict  Verdict // empty when only single mentions were decided
	Category string
	Entity   string
	Number   uint64 // the entry that decided
}

// State is a ledger replayed: the last decision on each question and mention
// that was not taken back. The zero State is not usable; see Replay.
type State struct {
	entries   map[uint64]Entry     // by number
	answers   map[string][]uint64  // question → entries that decide it, in order
	mentions  map[Mention][]uint64 // occurrence → entries that decide it, in order
	takenBack map[uint64][]uint64  // entry → entries that take it back
	last      uint64
}

func newState() *State {
	return &State{
		entries:   make(map[uint64]Entry),
		answers:   make(map[string][]uint64),
		mentions:  make(map[Mention][]uint64),
		takenBack: make(map[uint64][]uint64),
	}
}

// Replay gives the state after the entries, which are in order.
func Replay(entries []Entry) *State {
	s := newState()
	for _, entry := range entries {
		s.apply(entry)
	}
	return s
}

func (s *State) apply(entry Entry) {
	s.entries[entry.Number] = entry
	s.last = entry.Number
	if entry.Undo != 0 {
		s.takenBack[entry.Undo] = append(s.takenBack[entry.Undo], entry.Number)
		return
	}
	if entry.Question == "" {
		return
	}
	s.answers[entry.Question] = append(s.answers[entry.Question], entry.Number)
	for _, a := range entry.Also {
		s.answers[a.ID] = append(s.answers[a.ID], entry.Number)
	}
	for _, m := range entry.Mentions {
		s.mentions[m.Mention] = append(s.mentions[m.Mention], entry.Number)
	}
}

// holds reports whether nothing that holds itself takes the entry back.
func (s *State) holds(number uint64) bool {
	for _, by := range s.takenBack[number] {
		if s.holds(by) {
			return false
		}
	}
	return true
}

// Len is the number of entries, those taken back included.
func (s *State) Len() int { return len(s.entries) }

// Decision is the last decision on a question that holds. An entry that only
// answers for mentions does not change the verdict on the form.
func (s *State) Decision(question string) (Decision, bool) {
	numbers := s.answers[question]
	var found Decision
	for i := len(numbers) - 1; i >= 0; i-- {
		if !s.holds(numbers[i]) {
			continue
		}
		entry := s.entries[numbers[i]]
		if also := entry.also(question); also != nil {
			entry.Kind, entry.Surface = also.Kind, also.Surface
			if !also.Same {
				entry.Category, entry.Entity = "", ""
			}
		}
		if found.Number == 0 {
			found = Decision{Question: question, Kind: entry.Kind, Surface: entry.Surface, Number: entry.Number}
		}
		if entry.Verdict != "" {
			found.Verdict, found.Category, found.Entity = entry.Verdict, entry.Category, entry.Entity
			break
		}
	}
	return found, found.Number != 0
}

// also finds a question that the entry answers besides its own.
func (e *Entry) also(question string) *Asked {
	for i := range e.Also {
		if e.Also[i].ID == question {
			return &e.Also[i]
		}
	}
	return nil
}

// Mention is the last verdict on one occurrence that holds. It stands above the
// verdict on the occurrence's form.
func (s *State) Mention(m Mention) (Verdict, bool) {
	numbers := s.mentions[m]
	for i := len(numbers) - 1; i >= 0; i-- {
		if !s.holds(numbers[i]) {
			continue
		}
		entry := s.entries[numbers[i]]
		for j := len(entry.Mentions) - 1; j >= 0; j-- {
			if entry.Mentions[j].Mention == m {
				return entry.Mentions[j].Verdict, true
			}
		}
	}
	return "", false
}

// Mentions gives every occurrence with a verdict of its own that holds, by
// post, field and offset.
func (s *State) Mentions() []MentionVerdict {
	var all []MentionVerdict
	for m := range s.mentions {
		if verdict, ok := s.Mention(m); ok {
			all = append(all, MentionVerdict{m, verdict})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].before(all[j].Mention) })
	return all
}

func (m Mention) before(other Mention) bool {
	switch {
	case m.Post != other.Post:
		return m.Post < other.Post
	case m.Field != other.Field:
		return m.Field < other.Field
	case m.Start != other.Start:
		return m.Start < other.Start
	}
	return m.End < other.End
}

// Decisions gives the decision on every question that holds, oldest first.
func (s *State) Decisions() []Decision {
	var all []Decision
	for question := range s.answers {
		if decision, ok := s.Decision(question); ok {
			all = append(all, decision)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Number < all[j].Number })
	return all
}

// LastNumber is the number of the newest entry that can still be taken back,
// 0 when there is none: the one an "undo" without a number means.
func (s *State) LastNumber() uint64 {
	for number := s.last; number > 0; number-- {
		entry, ok := s.entries[number]
		if ok && entry.Question != "" && s.holds(number) {
			return number
		}
	}
	return 0
}
