package detect

import (
	"bufio"
	_ "embed" // the shipped weights
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Surroundings tell what the words around a form say of it: "my neighbour …"
// speaks of somebody whom few know, "the novel by …" of somebody whom all know,
// "… per cent" of nobody. It is a logistic regression on the words within a few
// tokens to each side, and on the two that stand next; the weights are general
// words of all languages, and no name is among them.
//
//	weight of none
//	word, or < and the word before, or > and the word after · tab · weight
type Surroundings struct {
	none    float64
	weights map[uint64]float32
}

//go:embed surroundings.tsv
var shippedSurroundings string

// ShippedSurroundings reads the weights that the program carries.
func ShippedSurroundings() (*Surroundings, error) {
	return ReadSurroundings(strings.NewReader(shippedSurroundings))
}

// ErrSurroundings is returned for bytes that are no weights.
var ErrSurroundings = errors.New("detect: no weights of surroundings")

// ReadSurroundings reads weights.
func ReadSurroundings(from io.Reader) (*Surroundings, error) {
	s := &Surroundings{weights: make(map[uint64]float32)}
	lines := bufio.NewScanner(from)
	for n := 0; lines.Scan(); n++ {
		word, number, ok := strings.Cut(lines.Text(), "\t")
		weight, err := strconv.ParseFloat(number, 32)
		if !ok || err != nil {
			return nil, ErrSurroundings
		}
		if n == 0 {
			s.none = weight
		} else {
			s.weights[hashOf(word)] = float32(weight)
		}
	}
	return s, lines.Err()
}

// WriteSurroundings writes weights, the first of which belongs to none.
func WriteSurroundings(to io.Writer, words []string, weights []float64) error {
	buffered := bufio.NewWriter(to)
	for i, word := range words {
		fmt.Fprintf(buffered, "%s\t%.3f\n", word, weights[i])
	}
	return buffered.Flush()
}

// Score is the logit of a name that must be masked between tokens from and to.
func (s *Surroundings) Score(doc *Document, from, to int) float64 {
	if s == nil {
		return 0
	}
	sum := s.none
	eachAround(doc, from, to, func(side byte, word string) {
		h := uint64(hashStart)
		if side != 0 {
			h = hashByte(h, side)
		}
		for i := range len(word) {
			h = hashByte(h, word[i])
		}
		sum += float64(s.weights[h])
	})
	return math.Round(sum*1e3) / 1e3
}

func hashOf(word string) uint64 {
	h := uint64(hashStart)
	for i := range len(word) {
		h = hashByte(h, word[i])
	}
	return h
}

// Around gives the words around tokens from … to as the weights name them, each
// as often as it stands there, for training.
func Around(doc *Document, from, to int) []string {
	var words []string
	eachAround(doc, from, to, func(side byte, word string) {
		if side != 0 {
			word = string(side) + word
		}
		words = append(words, word)
	})
	return words
}

// reach is how many tokens to each side are looked at.
const reach = 5

// The words that stand for others.
const (
	someName   = "<name>"
	someNumber = "<number>"
	someEdge   = "<edge>"
)

// nextMark says on which side the word next to the form stands.
var nextMark = [2]byte{'<', '>'}

func eachAround(doc *Document, from, to int, visit func(side byte, word string)) {
	for side, at := range [2]int{from, to - 1} {
		for n := range reach {
			if side == 0 {
				at = doc.Previous(at)
			} else {
				at = doc.Next(at)
			}
			word := someEdge
			if at >= 0 {
				word = generalWord(&doc.Tokens[at])
				visit(0, word)
			}
			if n == 0 {
				visit(nextMark[side], word)
			}
			if at < 0 {
				break
			}
		}
	}
}

// generalWord is a token without what it names.
func generalWord(t *Token) string {
	switch {
	case t.Any(Number):
		return someNumber
	case t.Has(Word|Capital) && !t.Any(SentenceStart):
		return someName
	}
	return t.Folded
}
