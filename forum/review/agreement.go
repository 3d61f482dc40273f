package review

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"anonymooc/forum/ledger"
)

// vote is what one reviewer said about a question.
type vote struct {
	who     string
	number  uint64
	verdict ledger.Verdict
	blind   bool
}

// ballots gives each reviewer's last verdict on a question that holds, oldest
// first. Answers for single mentions are no votes.
func (j *journal) ballots(question string) []vote {
	return lastOf(j.cast(question, func(vote) bool { return true }))
}

// cast gives the verdicts on a question that hold and are wanted, oldest first.
func (j *journal) cast(question string, wanted func(vote) bool) []vote {
	var all []vote
	for _, n := range j.votes[question] {
		e := j.entries[n]
		v := vote{e.Who, n, e.Verdict, e.Blind}
		if e.Verdict != "" && wanted(v) && j.holds(n) {
			all = append(all, v)
		}
	}
	return all
}

// lastOf leaves each reviewer's last vote.
func lastOf(votes []vote) []vote {
	last := make(map[string]vote, len(votes))
	for _, v := range votes {
		last[v.who] = v
	}
	return slices.SortedFunc(maps.Values(last), func(a, b vote) int { return cmp.Compare(a.number, b.number) })
}

// conflicting reports whether two reviewers say opposite things and no third has
// looked since. The newest verdict holds meanwhile, as the ledger does.
func conflicting(votes []vote) bool {
	masks, keeps := 0, 0
	for _, v := range votes {
		switch {
		case v.verdict == ledger.Mask:
			masks++
		case v.verdict.Keeps():
			keeps++
		}
	}
	return masks > 0 && masks == keeps
}

// agreed keeps how far reviewers agree, question by question.
type agreed struct {
	odds   map[string]bool        // questions that reviewers are at odds about
	pairs  map[pair]*tally        // two reviewers → what they answered alike
	shares map[string][]agreement // question → what it adds to pairs
}

// pair is two reviewers, by name.
type pair struct{ one, other string }

// tally is what two reviewers answered alike and otherwise, mask against keep.
type tally struct {
	both, same int
	blind      [2][2]int // of them, those where the second had not seen the first's verdict
}

// agreement is what one question adds to a pair's tally.
type agreement struct {
	pair
	one, other int // sides
	blind      bool
}

func newAgreed() agreed {
	return agreed{make(map[string]bool), make(map[pair]*tally), make(map[string][]agreement)}
}

// recount looks again at what was said about a question.
func (a *agreed) recount(j *journal, question string) {
	votes := j.ballots(question)
	if delete(a.odds, question); conflicting(votes) {
		a.odds[question] = true
	}
	for _, share := range a.shares[question] {
		a.count(share, -1)
	}
	delete(a.shares, question)
	if len(votes) < 2 {
		return
	}
	shares := j.alike(question, votes)
	for _, share := range shares {
		a.count(share, +1)
	}
	a.shares[question] = shares
}

func (a *agreed) count(share agreement, by int) {
	t := a.pairs[share.pair]
	if t == nil {
		t = new(tally)
		a.pairs[share.pair] = t
	}
	if share.blind {
		t.blind[share.one][share.other] += by
		return
	}
	t.both += by
	if share.one == share.other {
		t.same += by
	}
}

// alike compares what reviewers said of a question: last with last, and what
// somebody said blindly with what others had said before.
func (j *journal) alike(question string, votes []vote) []agreement {
	var all []agreement
	compare := func(a, b vote, blind bool) {
		if a.verdict == ledger.Unsure || b.verdict == ledger.Unsure {
			return
		}
		if a.who > b.who {
			a, b = b, a
		}
		all = append(all, agreement{pair{a.who, b.who}, side(a.verdict), side(b.verdict), blind})
	}
	for i := range votes {
		for k := i + 1; k < len(votes); k++ {
			compare(votes[i], votes[k], false)
		}
	}
	for _, second := range lastOf(j.cast(question, func(v vote) bool { return v.blind })) {
		for _, first := range lastOf(j.cast(question, func(v vote) bool { return v.number < second.number && v.who != second.who })) {
			compare(first, second, true)
		}
	}
	return all
}

// conflicts gives the questions on which reviewers are at odds, by id.
func (j *journal) conflicts() []string { return slices.Sorted(maps.Keys(j.agreed.odds)) }

// Agreement is how far two reviewers agree on the questions that both answered.
type Agreement struct {
	One, Other string
	Both       int     // questions that both answered with mask or keep
	Same       int     // of them, with the same
	Blind      int     // questions of the second look, in which one did not see the other's verdict
	Alike      int     // of them, answered the same
	Kappa      float64 // of these (Cohen 1960); 1 when both always say the same
	Low, High  float64 // its bounds at 95 %
}

// agreements compares all reviewers two by two, mask against keep. Kappa is that
// of the second look alone: whoever sees a verdict before giving theirs agrees
// with it too easily.
func (j *journal) agreements() []Agreement {
	var all []Agreement
	for p, t := range j.agreed.pairs {
		if t.both == 0 {
			continue
		}
		b := t.blind
		a := Agreement{One: p.one, Other: p.other, Both: t.both, Same: t.same, Blind: b[0][0] + b[0][1] + b[1][0] + b[1][1], Alike: b[0][0] + b[1][1], Kappa: Kappa(b)}
		half := 1.959964 * kappaError(b)
		a.Low, a.High = math.Max(-1, a.Kappa-half), math.Min(1, a.Kappa+half)
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b Agreement) int { return cmp.Or(cmp.Compare(a.One, b.One), cmp.Compare(a.Other, b.Other)) })
	return all
}

func side(v ledger.Verdict) int {
	if v.Keeps() {
		return 1
	}
	return 0
}

// chances gives how often two people agreed in a table, and how often chance
// alone would have made them.
func chances(t [2][2]int) (observed, chance, n float64) {
	n = float64(t[0][0] + t[0][1] + t[1][0] + t[1][1])
	if n == 0 {
		return 0, 0, 0
	}
	observed = float64(t[0][0]+t[1][1]) / n
	chance = (float64(t[0][0]+t[0][1])*float64(t[0][0]+t[1][0]) + float64(t[1][0]+t[1][1])*float64(t[0][1]+t[1][1])) / (n * n)
	return observed, chance, n
}

// Kappa is Cohen's kappa of a table: how much more often two people agree than
// chance would make them, 1 at most. Where chance alone explains everything it is 1.
func Kappa(t [2][2]int) float64 {
	observed, chance, n := chances(t)
	switch {
	case n == 0:
		return 0
	case chance == 1:
		return 1
	}
	return (observed - chance) / (1 - chance)
}

// kappaError is kappa's standard error for large tables (Cohen 1960, formula 7).
func kappaError(t [2][2]int) float64 {
	observed, chance, n := chances(t)
	if n == 0 || chance == 1 {
		return 0
	}
	return math.Sqrt(observed * (1 - observed) / (n * (1 - chance) * (1 - chance)))
}
