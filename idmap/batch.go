package idmap

import (
	"strconv"
	"sync/atomic"
)

// A Batch looks up many values at once. Tables name people in no order, so that
// nearly every look-up waits for memory; a batch first touches all the places that
// it is going to read, and the processor fetches them side by side.
//
//	ask, ask, ask … ─ digests ─► Answer: touch all ─► read all ─► touch their people
//	then, value by value: Answer.Person, Resolver.AnswerToken, Answer.Row
//
// An answer is what Person, Token or Row would have said. Nobody is drawn: for
// somebody never met there is no answer, and the caller asks in the usual way.
type Batch struct {
	people []Answer
	rows   []rowColumn
	sink   uint32 // of what was touched
}

// Answer is what a batch found out about one value.
type Answer struct {
	id     digest
	number uint32
	by     byte // how to look up: see the constants
	fresh  bool
	person uint32 // 0: no answer
	row    uint64 // 0: no answer, which no surrogate is
}

const (
	byNothing byte = iota
	byNumber
	byDigest
)

type rowColumn struct {
	space string
	keys  *rowKeys
	all   []Answer
}

// Reset empties a batch.
func (b *Batch) Reset() {
	b.people = b.people[:0]
	for i := range b.rows {
		b.rows[i].all = b.rows[i].all[:0]
	}
}

// AskPerson adds an identifier to a batch; none is a value that cannot be one.
// Answers are counted from 0 in the order of asking.
func (r *Resolver) AskPerson(b *Batch, kind Kind, value []byte, none bool) {
	b.people = append(b.people, Answer{})
	a := &b.people[len(b.people)-1]
	if none {
		return
	}
	if kind == UserID {
		if n, ok := number(value); ok {
			a.number, a.by = n, byNumber
			return
		}
	}
	if id, err := r.digest(kind, value); err == nil {
		a.id, a.by = id, byDigest
	}
}

// AskRow adds a row key of a space to a column of a batch; none is a value that is
// no number. The answers of a column are counted from 0.
func (r *Resolver) AskRow(b *Batch, column int, space string, n uint64, none bool) {
	for len(b.rows) <= column {
		b.rows = append(b.rows, rowColumn{})
	}
	in := &b.rows[column]
	if in.keys == nil || in.space != space {
		in.space, in.keys = space, r.rowKeys(space)
	}
	a := Answer{}
	if !none && n < pseudonymCount {
		a = Answer{row: n, by: byNumber}
	}
	in.all = append(in.all, a)
}

// Answer looks up what was asked. With seeds, tokens will be asked of the people.
func (r *Resolver) Answer(b *Batch, seeds bool) {
	r.refresh()
	index := &r.domain.index
	for i := range b.people { // nothing waits for what is loaded here
		switch a := &b.people[i]; a.by {
		case byNumber:
			b.sink += r.numbers.get(a.number)
		case byDigest:
			if slots := index.shard(a.id).slots.Load(); slots != nil {
				b.sink += atomic.LoadUint32(&(*slots)[place(a.id.hi<<shardBits, len(*slots))].value)
			}
		}
	}
	for i := range b.people {
		switch a := &b.people[i]; a.by {
		case byNumber:
			r.answerNumber(a)
		case byDigest:
			var f flags
			a.person, f = index.get(a.id)
			a.fresh = f&fresh != 0
		}
	}
	if all := r.domain.people.places.Load(); seeds && all != nil {
		for i := range b.people {
			b.sink += atomic.LoadUint32(&(*all)[all.first(b.people[i].person)].key)
		}
	}
	for i := range b.rows {
		if column := &b.rows[i]; len(column.all) > 0 {
			column.keys.permuteAll(column.all)
		}
	}
}

// answerNumber looks a user id up by number, and by digest where that is not known.
func (r *Resolver) answerNumber(a *Answer) {
	if a.person = r.numbers.get(a.number); a.person != 0 {
		a.fresh = a.person&freshNumber != 0
		a.person &^= freshNumber
		return
	}
	id, err := r.digest(UserID, strconv.AppendUint(r.digits[:0], uint64(a.number), 10))
	if err != nil {
		return
	}
	var f flags
	if a.person, f = r.domain.index.get(id); a.person != 0 {
		r.numbers.put(a.number, a.person, f)
	}
	a.fresh = f&fresh != 0
}

// Person returns the answer number i about a person, nil where there is none.
func (b *Batch) Person(i int) *Answer {
	if a := &b.people[i]; a.person != 0 {
		return a
	}
	return nil
}

// Row returns the answer number i about the row keys of a column, 0 where there is
// none.
func (b *Batch) Row(column, i int) uint64 { return b.rows[column].all[i].row }

// Person is what Resolver.Person returns.
func (a *Answer) Person() (Pseudonym, error) { return personOf(a.person) }

// Known is what Resolver.Known returns.
func (a *Answer) Known() (Pseudonym, bool) {
	switch {
	case a.person == forgotten:
		return Nobody, true
	case a.fresh:
		return 0, false
	}
	return Pseudonym(a.person), true
}

// AnswerToken is Token for an identifier whose person an answer tells.
func (r *Resolver) AnswerToken(a *Answer, kind Kind, value []byte) (token [16]byte, err error) {
	person, err := a.Person()
	if err != nil {
		return token, err
	}
	return r.tokens.ofPerson(r.domain.people.seed(uint32(person)), r.canonical(kind, value)), nil
}
