package canary

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"
)

const testdata = "../../../testdata"

func bundled(t *testing.T) []Canary {
	t.Helper()
	file, err := os.Open(filepath.Join(testdata, "canaries", "canaries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	canaries, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(canaries) < 1000 {
		t.Fatalf("only %d canaries", len(canaries))
	}
	return canaries
}

// TestEveryCanaryIsFoundInTheExportItself proves two things at once: what the
// generator says it planted is there, and the search finds it through whatever
// code it stands in.
func TestEveryCanaryIsFoundInTheExportItself(t *testing.T) {
	canaries := bundled(t)
	hits, err := Search(filepath.Join(testdata, "export"), canaries, Options{Altered: true, Phrases: true})
	if err != nil {
		t.Fatal(err)
	}
	type key struct {
		file, kind string
		person     int
	}
	found := map[key]bool{}
	for _, h := range hits {
		found[key{h.File, h.Kind, h.Person}] = true
	}
	missed := 0
	for _, c := range canaries {
		if !judged(c) {
			continue
		}
		if !found[key{c.File, c.Kind, c.Person}] {
			missed++
			t.Logf("%s of person %d at %s of %s was not found (common %v, altered %q)", c.Kind, c.Person, c.Where, c.File, c.Common, c.Altered)
		}
	}
	if missed > 0 {
		t.Errorf("%d canaries were not found", missed)
	}
}

// judged says which canaries a search judges: not those of a letter or two
// ("D."), and of common words only those that fill their place or have a
// phrase to be known by.
func judged(c Canary) bool {
	if c.Common {
		return c.Phrase != "" || c.Whole
	}
	return utf8.RuneCountInString(Fold(c.Value)) >= shortest
}
