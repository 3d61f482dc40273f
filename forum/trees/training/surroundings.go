package training

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"anonymooc/forum/detect"
)

// Surrounded is a form's surroundings and what the form is.
type Surrounded struct {
	Clues   []detect.Clue
	Subject detect.Subject
	Corpus  int // what it was met in
}

const (
	fewMet      = 4   // clues met less often teach nothing
	fewCorpora  = 2   // nor do those of one corpus
	epochs      = 10  // passes over the examples
	stepSize    = 0.1 // of the steps, which shrink by clue (Duchi, Hazan & Singer 2011)
	restoring   = 1   // pull towards no weight, shared out among the rows that know a clue
	leastWeight = 0.03
	longestClue = 48
	logits      = len(detect.Subjects{})
)

// Surroundings learns the weights of clues by multinomial logistic regression.
// General says which words may have one: words of a language, no names.
func Surroundings(examples []Surrounded, general func(word string) bool, seed uint64) (clues []string, weights []detect.Subjects) {
	numbers := usable(examples, general)
	clues = make([]string, len(numbers))
	for clue, number := range numbers {
		clues[number] = clue
	}
	type entry struct {
		clue  int32
		times float64
	}
	rows := make([][]entry, len(examples))
	met := make([]float64, len(clues))
	for i := range examples {
		for _, clue := range examples[i].Clues {
			if n, ok := numbers[clue.Name]; ok {
				rows[i] = append(rows[i], entry{n, clue.Times})
				met[n] += clue.Times
			}
		}
	}
	values := make([][logits]float64, len(clues))
	squares := make([][logits]float64, len(clues))
	random := rand.New(rand.NewPCG(seed, 5))
	for range epochs {
		for _, i := range random.Perm(len(rows)) {
			var sums [logits]float64
			for _, e := range rows[i] {
				for k := range sums {
					sums[k] += e.times * values[e.clue][k]
				}
			}
			all := 1.0
			for k := range sums {
				sums[k] = math.Exp(sums[k])
				all += sums[k]
			}
			for k := range sums {
				slope := sums[k] / all
				if examples[i].Subject == detect.Subject(k) {
					slope--
				}
				for _, e := range rows[i] {
					step := e.times*slope + restoring*values[e.clue][k]/max(met[e.clue], 1)*e.times
					squares[e.clue][k] += step * step
					values[e.clue][k] -= stepSize * step / (math.Sqrt(squares[e.clue][k]) + 1e-6)
				}
			}
		}
	}
	return told(clues, values)
}

// told leaves out the clues that tell hardly anything.
func told(clues []string, values [][logits]float64) ([]string, []detect.Subjects) {
	var names []string
	var weights []detect.Subjects
	for i, v := range values {
		most := 0.0
		var w detect.Subjects
		for k := range v {
			most = max(most, math.Abs(v[k]))
			w[k] = float32(v[k])
		}
		if i == 0 || most >= leastWeight {
			names, weights = append(names, clues[i]), append(weights, w)
		}
	}
	return names, weights
}

// usable numbers the clues that may have a weight; none comes first.
func usable(examples []Surrounded, general func(word string) bool) map[string]int32 {
	met, corpora := make(map[string]int), make(map[string]map[int]bool)
	for i := range examples {
		for _, clue := range examples[i].Clues {
			met[clue.Name]++
			if corpora[clue.Name] == nil {
				corpora[clue.Name] = make(map[int]bool)
			}
			corpora[clue.Name][examples[i].Corpus] = true
		}
	}
	numbers := map[string]int32{detect.ClueNone: 0}
	for _, clue := range slices.Sorted(maps.Keys(met)) {
		if _, ok := numbers[clue]; ok || met[clue] < fewMet || len(corpora[clue]) < fewCorpora || len(clue) > longestClue || strings.ContainsAny(clue, "\t\n") {
			continue
		}
		if strings.HasPrefix(clue, "~") || allGeneral(strings.TrimLeft(clue, "<>#"), general) {
			numbers[clue] = int32(len(numbers))
		}
	}
	return numbers
}

// allGeneral reports whether all words of a clue are general ones, placeholders, or
// no words.
func allGeneral(clue string, general func(word string) bool) bool {
	for word := range strings.FieldsSeq(clue) {
		placeholder := strings.HasSuffix(word, ">")
		if !placeholder && strings.ContainsFunc(word, unicode.IsLetter) && !general(word) {
			return false
		}
	}
	return true
}
