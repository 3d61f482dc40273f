package review

import (
	"cmp"
	"maps"
	"slices"

	"anonymooc/forum/ledger"
)

// vote is what one reviewer said last about a question.
type vote struct {
	who     string
	number  uint64
	verdict ledger.Verdict
}

// ballots gives each reviewer's last verdict on a question that holds, oldest
// first. Answers for single mentions are no votes.
func (j *journal) ballots(question string) []vote {
	last := make(map[string]vote)
	for _, n := range j.votes[question] {
		if e := j.entries[n]; e.Verdict != "" && j.holds(n) {
			last[e.Who] = vote{e.Who, n, e.Verdict}
		}
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

// conflicts gives the questions on which reviewers are at odds, by id.
func (j *journal) conflicts() []string {
	var all []string
	for question := range j.votes {
		if conflicting(j.ballots(question)) {
			all = append(all, question)
		}
	}
	slices.Sort(all)
	return all
}

// Agreement is how far two reviewers agree on the questions that both answered.
type Agreement struct {
	One, Other string
	Both       int     // questions that both answered with mask or keep
	Same       int     // of them, with the same
	Kappa      float64 // Cohen 1960; 1 when both always say the same
}

// agreements compares all reviewers two by two, mask against keep.
func (j *journal) agreements() []Agreement {
	type pair struct{ one, other string }
	tables := make(map[pair]*[2][2]int)
	for question := range j.votes {
		votes := slices.DeleteFunc(j.ballots(question), func(v vote) bool { return v.verdict == ledger.Unsure })
		slices.SortFunc(votes, func(a, b vote) int { return cmp.Compare(a.who, b.who) })
		for i := range votes {
			for k := i + 1; k < len(votes); k++ {
				p := pair{votes[i].who, votes[k].who}
				if tables[p] == nil {
					tables[p] = new([2][2]int)
				}
				tables[p][side(votes[i].verdict)][side(votes[k].verdict)]++
			}
		}
	}
	var all []Agreement
	for p, t := range tables {
		all = append(all, Agreement{p.one, p.other, t[0][0] + t[0][1] + t[1][0] + t[1][1], t[0][0] + t[1][1], Kappa(*t)})
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

// Kappa is Cohen's kappa of a table: how much more often two people agree than
// chance would make them, 1 at most. Where chance alone explains everything it is 1.
func Kappa(t [2][2]int) float64 {
	n := float64(t[0][0] + t[0][1] + t[1][0] + t[1][1])
	if n == 0 {
		return 0
	}
	observed := float64(t[0][0]+t[1][1]) / n
	chance := (float64(t[0][0]+t[0][1])*float64(t[0][0]+t[1][0]) + float64(t[1][0]+t[1][1])*float64(t[0][1]+t[1][1])) / (n * n)
	if chance == 1 {
		return 1
	}
	return (observed - chance) / (1 - chance)
}
