package training

import (
	"reflect"
	"testing"

	"anonymooc/forum/detect"
)

// TestSurroundingsTellSubjects: one clue tells each subject; names, and what one
// corpus alone has, teach nothing.
func TestSurroundingsTellSubjects(t *testing.T) {
	telling := map[string]detect.Subject{"neighbour": detect.OfSomebody, "novel": detect.OfPublic, "very": detect.OfNothing}
	var examples []Surrounded
	for n := range 60 {
		for word, subject := range telling {
			clues := []detect.Clue{{Name: detect.ClueNone, Times: 1}, {Name: word, Times: 1}, {Name: "zorbulin", Times: 1}}
			if n%3 == 0 {
				clues = append(clues, detect.Clue{Name: "~art", Times: 1})
			}
			if n%2 == 0 {
				clues = append(clues, detect.Clue{Name: "local", Times: 1})
			}
			examples = append(examples, Surrounded{Clues: clues, Subject: subject, Corpus: n % 2})
		}
	}
	general := func(word string) bool { return word != "zorbulin" }
	clues, weights := Surroundings(examples, general, 1)
	if clues[0] != detect.ClueNone {
		t.Errorf("%q comes first", clues[0])
	}
	of := make(map[string]detect.Subjects)
	for i, clue := range clues {
		of[clue] = weights[i]
	}
	for word, subject := range telling {
		w := of[word]
		for i, none := range of[detect.ClueNone] {
			w[i] += none
		}
		if shares := w.Shares(); shares[subject] < 0.7 {
			t.Errorf("%s: %v", word, shares)
		}
	}
	for _, word := range []string{"zorbulin", "local"} {
		if w, ok := of[word]; ok {
			t.Errorf("%s has weights %v", word, w)
		}
	}
	if again, same := Surroundings(examples, general, 1); !reflect.DeepEqual(again, clues) || !reflect.DeepEqual(same, weights) {
		t.Error("the same examples give other weights")
	}
}
