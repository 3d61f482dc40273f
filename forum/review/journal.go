package review

import (
	"slices"
	"time"

	"anonymooc/forum/ledger"
)

// journal is the ledger as a review needs it: who decided what and when, what
// each reviewer may take back next, and the sums that the overview shows. Every
// entry changes them by what it says, so that none is ever counted again.
type journal struct {
	entries  map[uint64]ledger.Entry
	last     uint64
	votes    map[string][]uint64 // question → entries that give a verdict on it
	done     map[string][]uint64 // reviewer → own decisions that hold
	undone   map[string][]uint64 // reviewer → own takings back that hold, since the last decision
	back     map[uint64][]uint64 // entry → the entries that take it back
	masked   []string            // questions about forms that somebody masked
	entities map[string]bool     // that somebody has named
	answered []string            // questions with a verdict, in the order of their first one
	times    []moment

	held     int                    // decisions that hold
	verdicts map[ledger.Verdict]int // of these, by verdict
	hours    map[string]int         // decisions by hour
	blindly  map[string]int         // reviewer → of them, given in the second look
	agreed   agreed
}

// moment is when somebody decided something.
type moment struct {
	at  time.Time
	who string
}

func newJournal(entries []ledger.Entry) *journal {
	j := &journal{
		entries: make(map[uint64]ledger.Entry), votes: make(map[string][]uint64),
		done: make(map[string][]uint64), undone: make(map[string][]uint64), back: make(map[uint64][]uint64), entities: make(map[string]bool),
		verdicts: make(map[ledger.Verdict]int), hours: make(map[string]int), blindly: make(map[string]int), agreed: newAgreed(),
	}
	for _, e := range entries {
		j.add(e)
	}
	return j
}

func (j *journal) add(e ledger.Entry) {
	j.entries[e.Number], j.last = e, e.Number
	switch {
	case e.Undo != 0:
		j.takeBack(e)
	case e.Question != "":
		if !slices.ContainsFunc(j.votes[e.Question], func(n uint64) bool { return j.entries[n].Question == e.Question }) {
			j.answered = append(j.answered, e.Question)
		}
		j.votes[e.Question] = append(j.votes[e.Question], e.Number)
		for _, a := range e.Also {
			j.votes[a.ID] = append(j.votes[a.ID], e.Number)
			if e.Verdict == ledger.Mask && a.Kind == ledger.KindForm {
				j.masked = append(j.masked, a.ID)
			}
		}
		j.done[e.Who] = append(j.done[e.Who], e.Number)
		delete(j.undone, e.Who)
		if e.Entity != "" {
			j.entities[e.Entity] = true
		}
		if e.Verdict == ledger.Mask && e.Kind == ledger.KindForm {
			j.masked = append(j.masked, e.Question)
		}
		j.times = append(j.times, moment{e.At, e.Who})
		j.hours[e.At.Local().Format("01-02 15:00")]++
		j.count(e, +1)
	}
}

// count adds a decision to the sums, or takes it off.
func (j *journal) count(e ledger.Entry, by int) {
	j.held += by
	if e.Verdict != "" {
		j.verdicts[e.Verdict] += by
	}
	if e.Blind {
		j.blindly[e.Who] += by
	}
	j.agreed.recount(j, e.Question)
	for _, a := range e.Also {
		// A form that was only ever answered along with another one is no case of its own.
		if slices.ContainsFunc(j.votes[a.ID], func(n uint64) bool { return j.entries[n].Question == a.ID }) {
			j.agreed.recount(j, a.ID)
		}
	}
}

// takeBack follows an entry that takes back a decision, or a taking back.
func (j *journal) takeBack(e ledger.Entry) {
	decision := j.decision(e.Number)
	held := j.holds(decision.Number)
	j.back[e.Undo] = append(j.back[e.Undo], e.Number)
	if decision.Question == "" {
		return
	}
	holds := j.holds(decision.Number)
	if holds != held {
		j.count(decision, map[bool]int{true: +1, false: -1}[holds])
	}
	j.done[decision.Who] = without(j.done[decision.Who], decision.Number)
	if holds {
		j.done[decision.Who] = append(j.done[decision.Who], decision.Number)
		j.undone[e.Who] = without(j.undone[e.Who], e.Undo)
		return
	}
	j.undone[e.Who] = append(j.undone[e.Who], e.Number)
}

// without takes a number off a stack, near the top of which it lies.
func without(numbers []uint64, gone uint64) []uint64 {
	for i := len(numbers) - 1; i >= 0; i-- {
		if numbers[i] == gone {
			return slices.Delete(numbers, i, i+1)
		}
	}
	return numbers
}

// holds reports whether an entry was not taken back.
func (j *journal) holds(number uint64) bool {
	return !slices.ContainsFunc(j.back[number], j.holds)
}

// decision follows takings back to the decision that they are about.
func (j *journal) decision(number uint64) ledger.Entry {
	e := j.entries[number]
	for e.Undo != 0 {
		e = j.entries[e.Undo]
	}
	return e
}

// newest gives the number on top of a stack.
func newest(stack []uint64) (uint64, bool) {
	if len(stack) == 0 {
		return 0, false
	}
	return stack[len(stack)-1], true
}

// recent gives a reviewer's newest decisions that hold, the newest first.
func (j *journal) recent(who string, most int) []ledger.Entry {
	var all []ledger.Entry
	for i := len(j.done[who]) - 1; i >= 0 && len(all) < most; i-- {
		all = append(all, j.entries[j.done[who][i]])
	}
	return all
}
