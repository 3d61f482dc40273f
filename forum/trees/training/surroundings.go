package training

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
)

// Surrounded is a form's surroundings (detect.Around) and whether it had to be
// masked.
type Surrounded struct {
	Words    []string
	Positive bool
	Corpus   int // what it was met in
}

const (
	fewMet      = 4   // words met less often teach nothing
	fewCorpora  = 2   // nor do those of one corpus
	epochs      = 12  // passes over the examples
	stepSize    = 0.1 // of the steps, which shrink by word (Duchi, Hazan & Singer 2011)
	restoring   = 2e-5
	longestWord = 24
)

// Surroundings learns the weights of words around forms by logistic regression.
// general says which words may have one: words of a language, no names. The first
// word stands for none.
func Surroundings(examples []Surrounded, general func(word string) bool, seed uint64) (words []string, weights []float64) {
	met, corpora := make(map[string]int), make(map[string]map[int]bool)
	for i := range examples {
		for _, word := range examples[i].Words {
			met[word]++
			if corpora[word] == nil {
				corpora[word] = make(map[int]bool)
			}
			corpora[word][examples[i].Corpus] = true
		}
	}
	words = []string{"<none>"}
	number := make(map[string]int32)
	for _, word := range slices.Sorted(maps.Keys(met)) {
		bare := strings.TrimLeft(word, "<>")
		placeholder := strings.HasSuffix(word, ">") && len(word) > 1 && strings.Contains(word, "<")
		letters := strings.ContainsFunc(bare, unicode.IsLetter)
		if met[word] >= fewMet && len(corpora[word]) >= fewCorpora && len(word) <= longestWord && (placeholder || !letters || general(bare)) && !strings.ContainsAny(word, "\t\n") {
			number[word] = int32(len(words))
			words = append(words, word)
		}
	}
	rows := make([][]int32, len(examples))
	for i := range examples {
		rows[i] = append(rows[i], 0)
		for _, word := range examples[i].Words {
			if n, ok := number[word]; ok {
				rows[i] = append(rows[i], n)
			}
		}
	}
	weights = make([]float64, len(words))
	squares := make([]float64, len(words))
	random := rand.New(rand.NewPCG(seed, 5))
	for range epochs {
		for _, i := range random.Perm(len(rows)) {
			sum := 0.0
			for _, n := range rows[i] {
				sum += weights[n]
			}
			slope := 1 / (1 + math.Exp(-sum))
			if examples[i].Positive {
				slope--
			}
			for _, n := range rows[i] {
				step := slope + restoring*weights[n]*float64(len(rows))/float64(max(met[words[n]], 1))
				squares[n] += step * step
				weights[n] -= stepSize * step / (math.Sqrt(squares[n]) + 1e-6)
			}
		}
	}
	return words, weights
}
