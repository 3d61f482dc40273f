package mine

import (
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// within reports whether the known key a becomes the key b in at most limit
// (1 or 2) steps, and in how many: section 4.2's distance. A step adds a
// letter, drops one, exchanges one for another, or inverts two neighbours.
//
// The section's text names additions, deletions and inversions only. Its table
// 3 holds Eli → Ely and Eli → Elô, which short forms (five letters or fewer)
// may reach in one step alone; so an exchanged letter is one step, as in
// Levenshtein's own definition, which the section cites.
//
// The library counts an inversion as two steps. Inverting in one form or in the
// other and asking it for the rest gives the paper's count: of two steps, an
// inversion is the first, or the last.
func within(a, b string, limit int) (int, bool) {
	steps := levenshtein.ComputeDistance(a, b)
	if steps < 2 || steps > 2*limit || strangers(a, b) >= limit {
		return steps, steps <= limit
	}
	steps = min(steps, inverted(a, b, limit, 0), inverted(b, a, limit, 0))
	return steps, steps <= limit
}

// strangers is at most the number of letters of one form that the other lacks.
// An inversion changes no letter, so with one among limit steps there are fewer
// strangers than limit: most pairs need no closer look.
func strangers(a, b string) int {
	var balance [64]int16
	for _, r := range a {
		balance[r&63]++
	}
	for _, r := range b {
		balance[r&63]--
	}
	more, less := 0, 0
	for _, n := range balance {
		if n > 0 {
			more += int(n)
		} else {
			less -= int(n)
		}
	}
	return max(more, less)
}

// inverted is the least number of steps from a to b that begin with one or two
// inversions at or after the letter from; limit+1 when there are none within limit.
func inverted(a, b string, limit, from int) int {
	best := limit + 1
	letters := []rune(a)
	for i := from; i+1 < len(letters); i++ {
		if letters[i] == letters[i+1] {
			continue
		}
		letters[i], letters[i+1] = letters[i+1], letters[i]
		turned := string(letters)
		letters[i], letters[i+1] = letters[i+1], letters[i]
		if rest := levenshtein.ComputeDistance(turned, b); rest+1 < best {
			best = rest + 1
		} else if limit == 2 && rest == 2 {
			best = min(best, 1+inverted(turned, b, 1, i+2))
		}
	}
	return best
}

// shortForm is the length up to which a form may differ by one step only.
const shortForm = 5

// stepsAllowed is how far a form may stand from a known one of this key.
func stepsAllowed(key string) int {
	if utf8.RuneCountInString(key) <= shortForm {
		return 1
	}
	return 2
}
