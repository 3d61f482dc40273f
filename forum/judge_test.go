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
	shipped, err := openJudge(folder, KnownWriters)
	if err != nil || shipped.Len() == 0 {
		t.Fatalf("without a file of its own: %v", err)
	}
	own, err := trees.Train(TraitNames(), []trees.Example{{Features: make([]float64, len(traitNames)), Positive: true}}, trees.Settings{Trees: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := SaveJudge(folder, KnownWriters, own); err != nil {
		t.Fatal(err)
	}
	if read, err := openJudge(folder, KnownWriters); err != nil || read.Len() != 2 {
		t.Errorf("its own: %v", err)
	}
	other, err := trees.Train([]string{"a"}, []trees.Example{{Features: []float64{1}}}, trees.Settings{Trees: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := SaveJudge(folder, KnownWriters, other); err != nil {
		t.Fatal(err)
	}
	if _, err := openJudge(folder, KnownWriters); fault.CodeOf(err) != fault.Usage {
		t.Errorf("of other features: %v", err)
	}
	if err := os.WriteFile(filepath.Join(folder, KnownWriters.Name()), []byte("no forest"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openJudge(folder, KnownWriters); fault.CodeOf(err) != fault.Usage {
		t.Errorf("damaged: %v", err)
	}
}

// TestEachSettingHasItsForest: whose writers are on the roster asks one forest, whose
// are not the other, and a project's own takes the place of just one.
func TestEachSettingHasItsForest(t *testing.T) {
	for coverage, want := range map[float64]Setting{1: KnownWriters, 0.9: KnownWriters, 0.8: Strangers, 0: Strangers} {
		if got := settingOf(coverage); got != want {
			t.Errorf("with %.1f of the writers known it is %s", coverage, got.Name())
		}
	}
	if e := strictEngine(t); e.Setting() != settingOf(e.coverage) {
		t.Errorf("the engine asks %s", e.Setting().Name())
	}
	folder := t.TempDir()
	own, err := trees.Train(TraitNames(), []trees.Example{{Features: make([]float64, len(traitNames)), Positive: true}}, trees.Settings{Trees: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := SaveJudge(folder, Strangers, own); err != nil {
		t.Fatal(err)
	}
	judges, err := openJudges(folder)
	if err != nil || judges[Strangers].Len() != 2 || judges[KnownWriters].Len() == 2 {
		t.Errorf("the project's own forest is not where it belongs: %v", err)
	}
}

// TestThingsAreKnownByTheirWholeName: a word in the name of a work is told as such.
func TestThingsAreKnownByTheirWholeName(t *testing.T) {
	e := strictEngine(t)
	doc := detect.NewDocument(corpus.Post{ID: "c"}, "body", []byte("On a vu Star Wars hier, puis Zorbulin Kerbadec."))
	var reader famousReader
	for i, of := range reader.read(doc, e.usages) {
		tok := &doc.Tokens[i]
		if want := tok.Text == "Star" || tok.Text == "Wars"; of&somethingFamous != 0 != want {
			t.Errorf("%s is a thing: %v", tok.Text, !want)
		}
	}
}

// TestWordsLeanByTheirOtherUses: what stands around a word elsewhere is told without
// what stands around it here.
func TestWordsLeanByTheirOtherUses(t *testing.T) {
	w := usage{capital: 3}
	for _, l := range []leaning{{1, 2}, {3, 4}, {-1, 0}} {
		w.speak.add(l)
	}
	if private, masked := w.elsewhere(leaning{-1, 0}); private != milli(4.0/3) || masked != 2 {
		t.Errorf("%.3f, %.3f", private, masked)
	}
	alone := usage{capital: 1, speak: leaning{5, 5}}
	if private, masked := alone.elsewhere(leaning{5, 5}); private != 0 || masked != 0 {
		t.Errorf("a word that stands once leans by %.3f, %.3f", private, masked)
	}
	if private, masked := unused.elsewhere(leaning{}); private != 0 || masked != 0 {
		t.Errorf("a word that stands nowhere leans by %.3f, %.3f", private, masked)
	}
}

// TestThePublicIsKnownByItsWholeName: a name that all know, written out, is kept where
// everybody who writes is on the roster; its last word alone is told as a part.
func TestThePublicIsKnownByItsWholeName(t *testing.T) {
	e := strictEngine(t)
	const text = "On lit Victor Hugo cette semaine, et Zorbulin Kerbadec ensuite."
	doc := detect.NewDocument(corpus.Post{ID: "c"}, "body", []byte(text))
	var reader famousReader
	words := reader.read(doc, e.usages)
	for i := range doc.Tokens {
		tok := &doc.Tokens[i]
		if want := tok.Text == "Victor" || tok.Text == "Hugo"; words[i] == somebodyFamous != want {
			t.Errorf("%s is public: %v", tok.Text, words[i])
		}
	}
	if verdict, score := verdictOf(e, "c", text, "Victor Hugo"); verdict != detect.Keep {
		t.Errorf("Victor Hugo: %s (%.2f)", verdict, score)
	}
}
