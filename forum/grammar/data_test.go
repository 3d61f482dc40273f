package grammar

import "testing"

func TestShippedGrammarsCompile(t *testing.T) {
	grammars, err := ReadAll(Shipped())
	if err != nil {
		t.Fatal(err)
	}
	for language, g := range grammars {
		rules, words := g.Size()
		if rules < 10 || words < 100 {
			t.Errorf("%s: only %d rules and %d words", language, rules, words)
		}
	}
}
