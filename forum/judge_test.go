package forum

import (
	"os"
	"path/filepath"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/trees"
	"anonymooc/internal/fault"
)

// TestTraitsFitTheirNames: a forest is asked by number.
func TestTraitsFitTheirNames(t *testing.T) {
	e := strictEngine(t)
	doc := detect.NewDocument(corpus.Post{ID: "c"}, "body", []byte("Merci Octave et Brume, rendez-vous à Florence avec Umberto Eco et Zorbulin."))
	e.identify(doc)
	examples := e.Examples(doc)
	if len(examples) < 4 {
		t.Fatalf("%d spans are the judge's", len(examples))
	}
	for _, example := range examples {
		if len(example.Traits) != len(traitNames) {
			t.Errorf("%d traits, %d names", len(example.Traits), len(traitNames))
		}
	}
}

// TestAProjectsJudgeIsRead where there is one, and a damaged one is said.
func TestAProjectsJudgeIsRead(t *testing.T) {
	folder := t.TempDir()
	shipped, err := openJudge(folder)
	if err != nil || shipped.Len() == 0 {
		t.Fatalf("without a file of its own: %v", err)
	}
	own, err := trees.Train(TraitNames(), []trees.Example{{Features: make([]float64, len(traitNames)), Positive: true}}, trees.Settings{Trees: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := SaveJudge(folder, own); err != nil {
		t.Fatal(err)
	}
	if read, err := openJudge(folder); err != nil || read.Len() != 2 {
		t.Errorf("its own: %v", err)
	}
	other, err := trees.Train([]string{"a"}, []trees.Example{{Features: []float64{1}}}, trees.Settings{Trees: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := SaveJudge(folder, other); err != nil {
		t.Fatal(err)
	}
	if _, err := openJudge(folder); fault.CodeOf(err) != fault.Usage {
		t.Errorf("of other features: %v", err)
	}
	if err := os.WriteFile(filepath.Join(folder, judgeFile), []byte("no forest"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openJudge(folder); fault.CodeOf(err) != fault.Usage {
		t.Errorf("damaged: %v", err)
	}
}

// TestThePublicIsKnownByItsWholeName: a name that all know, written out, is kept where
// everybody who writes is on the roster; its last word alone is told as a part.
func TestThePublicIsKnownByItsWholeName(t *testing.T) {
	e := strictEngine(t)
	const text = "On lit Victor Hugo cette semaine, et Zorbulin Kerbadec ensuite."
	doc := detect.NewDocument(corpus.Post{ID: "c"}, "body", []byte(text))
	var reader publicReader
	words := reader.read(doc, e.usages)
	for i := range doc.Tokens {
		tok := &doc.Tokens[i]
		if want := tok.Text == "Victor" || tok.Text == "Hugo"; words[i] != want {
			t.Errorf("%s is public: %v", tok.Text, words[i])
		}
	}
	if verdict, score := verdictOf(e, "c", text, "Victor Hugo"); verdict != detect.Keep {
		t.Errorf("Victor Hugo: %s (%.2f)", verdict, score)
	}
}
