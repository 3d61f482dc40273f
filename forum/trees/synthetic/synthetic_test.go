package synthetic

import (
	"reflect"
	"strings"
	"testing"

	"anonymooc/forum/lists"
)

// TestMessagesAreLabelledWhereNamesStand: every span is whole words, no slot is
// left open, and the same seed writes the same messages.
func TestMessagesAreLabelledWhereNamesStand(t *testing.T) {
	known, err := lists.Open()
	if err != nil {
		t.Fatal(err)
	}
	texts, err := Generate(known, 400, 3)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Generate(known, 400, 3)
	if err != nil || !reflect.DeepEqual(texts, again) {
		t.Fatalf("one seed, two outcomes: %v", err)
	}
	languages, names := map[string]bool{}, 0
	for _, text := range texts {
		languages[text.Lang] = true
		if strings.ContainsAny(text.Text, "{}") {
			t.Errorf("a slot is open: %s", text.Text)
		}
		letters := []rune(text.Text)
		for _, s := range text.Spans {
			names++
			if s.Start < 0 || s.End > len(letters) || s.Start >= s.End {
				t.Fatalf("%+v in %q", s, text.Text)
			}
			word := string(letters[s.Start:s.End])
			if strings.TrimSpace(word) != word || strings.ContainsAny(word, ".,!?") {
				t.Errorf("%q is labelled in %q", word, text.Text)
			}
			if s.Start > 0 && strings.ContainsRune("abcdefghijklmnopqrstuvwxyz", letters[s.Start-1]) {
				t.Errorf("%q is labelled inside a word of %q", word, text.Text)
			}
		}
	}
	if len(languages) != len(lists.Languages()) || names < 200 {
		t.Errorf("%d languages, %d names", len(languages), names)
	}
}
