package detect

import (
	"slices"
	"strings"
	"testing"

	"anonymooc/forum/lists"
)

// TestSurroundingsAreReadAsTheyAreLearnt: the sum that Score gives is that of the
// weights of what Around names.
func TestSurroundingsAreReadAsTheyAreLearnt(t *testing.T) {
	doc := written("fr", "Bonjour, mon voisin Zorbu a 3 chats et Lina aussi.")
	at := slices.IndexFunc(doc.Tokens, func(t Token) bool { return t.Text == "Zorbu" })
	words := Around(doc, at, at+1)
	for _, want := range []string{"<voisin", "voisin", "mon", ">a", someNumber, "chats"} {
		if !slices.Contains(words, want) {
			t.Errorf("%q is not told of %q", want, words)
		}
	}
	if slices.Contains(words, "lina") || slices.Contains(words, "zorbu") {
		t.Errorf("a name is told: %q", words)
	}
	var file strings.Builder
	if err := WriteSurroundings(&file, []string{"<none>", "<voisin", "chats", ">b"}, []float64{-1, 2.5, 0.25, 9}); err != nil {
		t.Fatal(err)
	}
	s, err := ReadSurroundings(strings.NewReader(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Score(doc, at, at+1); got != 1.75 {
		t.Errorf("scored %.3f, want 1.75", got)
	}
	for _, bad := range []string{"no tab\n", "a\tb\n"} {
		if _, err := ReadSurroundings(strings.NewReader(bad)); err != ErrSurroundings {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestSurroundingsHoldNoName: the weights are of words that dictionaries have, and
// of no name in wide use.
func TestSurroundingsHoldNoName(t *testing.T) {
	known := openLists(t)
	for line := range strings.Lines(shippedSurroundings) {
		word, _, _ := strings.Cut(line, "\t")
		bare := strings.TrimLeft(word, "<>")
		if strings.HasSuffix(bare, ">") || !strings.ContainsAny(bare, "abcdefghijklmnopqrstuvwxyz") {
			continue
		}
		if e := known.Find(bare); e.Is(lists.UsualName) || !e.Is(lists.AnyWord|lists.AnyStop|lists.Chat|lists.Title|lists.Institution) {
			t.Errorf("%q has a weight", word)
		}
	}
}
