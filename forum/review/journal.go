package review

import (
	"slices"
	"time"

	"anonymooc/forum/ledger"
)

// journal is the ledger as a review needs it: who decided what and when, and
// what each reviewer may take back next.
type journal struct {
	entries  map[uint64]ledger.Entry
	last     uint64
	votes    map[string][]uint64 // question → entries that give a verdict on it
	done     map[string][]uint64 // reviewer → own decisions that hold
	undone   map[string][]uint64 // reviewer → own takings back that hold, since the last decision
	back     map[uint64][]uint64 // entry → the entries that take it back
	masked   []uint64            // decisions that mask a form
	entities map[string]bool     // that somebody has named
	times    []moment
}

// moment is when somebody decided something, and what.
type moment struct {
	at      time.Time
	who     string
	verdict ledger.Verdict
}

func newJournal(entries []ledger.Entry) *journal {
	j := &journal{
		entries: make(map[uint64]ledger.Entry), votes: make(map[string][]uint64),
		done: make(map[string][]uint64), undone: make(map[string][]uint64), back: make(map[uint64][]uint64), entities: make(map[string]bool),
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
		j.votes[e.Question] = append(j.votes[e.Question], e.Number)
		j.done[e.Who] = append(j.done[e.Who], e.Number)
		delete(j.undone, e.Who)
		if e.Entity != "" {
			j.entities[e.Entity] = true
		}
		if e.Verdict == ledger.Mask && e.Kind == ledger.KindForm {
			j.masked = append(j.masked, e.Number)
		}
		j.times = append(j.times, moment{e.At, e.Who, e.Verdict})
	}
}

// takeBack follows an entry that takes back a decision, or a taking back.
func (j *journal) takeBack(e ledger.Entry) {
	j.back[e.Undo] = append(j.back[e.Undo], e.Number)
	decision := j.decision(e.Number)
	if decision.Question == "" {
		return
	}
	j.done[decision.Who] = without(j.done[decision.Who], decision.Number)
	if j.holds(decision.Number) {
		j.done[decision.Who] = append(j.done[decision.Who], decision.Number)
		j.undone[e.Who] = without(j.undone[e.Who], e.Undo)
		return
	}
	j.undone[e.Who] = append(j.undone[e.Who], e.Number)
}

func without(numbers []uint64, gone uint64) []uint64 {
	return slices.DeleteFunc(numbers, func(n uint64) bool { return n == gone })
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
