package mine

import (
	"fmt"
	"slices"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
)

func TestConcordanceFindsEveryFoldedOccurrence(t *testing.T) {
	text := "Zo&eacute; et ZOE, jean-luc, Jean Luc, jean_luc; jean (luc) zoe2"
	var got []string
	NewConcordance("Zoé", "Jean-Luc", "...").Find(detect.NewDocument(corpus.Post{}, "body", []byte(text)), func(form, start, end int) {
		got = append(got, fmt.Sprint(form, " ", text[start:end]))
	})
	want := []string{"0 Zo&eacute;", "0 ZOE", "1 jean-luc", "1 Jean Luc", "1 jean_luc"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
