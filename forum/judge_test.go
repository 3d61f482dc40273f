package forum

import (
	"math"
	"os"
	"path/filepath"
	"slices"
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
		if len(example.Traits) != len(TraitNames()) {
			t.Errorf("%d traits, %d names", len(example.Traits), len(TraitNames()))
		}
	}
	learning := *e.options.Judge
	learning.first = Judges{}
	e.options.Judge = &learning
	first := e.Examples(doc)
	if len(first) < len(examples) {
		t.Errorf("the first look is at %d spans, the second at %d", len(first), len(examples))
	}
	for _, example := range first {
		if len(example.Traits) != len(FirstTraits()) {
			t.Errorf("%d traits of the first look, %d names", len(example.Traits), len(FirstTraits()))
		}
	}
}

// TestTheSecondLookKnowsTheOthers: what the first said of other forms elsewhere in the
// text is told, and nothing of the same form or of what overlaps.
func TestTheSecondLookKnowsTheOthers(t *testing.T) {
	doc := detect.NewDocument(corpus.Post{ID: "c"}, "body", []byte("Octave et Brume, puis Octave Brume et Florence."))
	spans := []weighed{
		{from: 0, to: 1, judged: true, firstLook: 0.3, Finding: Finding{key: "capital:octave"}},
		{from: 2, to: 3, judged: true, firstLook: 0.5, Finding: Finding{key: "capital:brume"}},
		{from: 5, to: 7, sum: enough, Finding: Finding{key: "capital:octave brume"}},
		{from: 5, to: 6, judged: true, firstLook: 0.9, Finding: Finding{key: "capital:octave"}},
		{from: 8, to: 9, judged: true, firstLook: 0.2, Finding: Finding{key: "capital:florence"}},
	}
	for i, want := range map[int][]float64{
		0: {0.5, 0.7, 2, 1, float64(len(doc.Tokens))},
		3: {0.5, 0.7, 2, 0, float64(len(doc.Tokens))}, // what holds it is no other
		4: {0.9, 1.7, 3, 1, float64(len(doc.Tokens))},
	} {
		if got := othersTraits(doc, spans, i, nil); !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("span %d: %v, want %v", i, got, want)
		}
	}
	if got := othersTraits(doc, spans[:1], 0, nil); got[0] != -1 || got[2] != 0 {
		t.Errorf("without others: %v", got)
	}
	roles := rolesOf(doc, []weighed{{from: 5, to: 7, known: true, near: author, Finding: Finding{Category: detect.FullName}}, {from: 8, to: 9, Finding: Finding{Category: detect.Email}}})
	named := detect.PassageRole(roleSpan | roleKnown | 1<<(roleNear+author) | 1<<(roleCategory+slices.Index(judged, detect.FullName)))
	if roles[4] != 0 || roles[5] != named || roles[6] != named || roles[8] != roleSpan|1<<(roleNear+stranger)|roleOther {
		t.Errorf("%b", roles)
	}
}

// TestClearSpansAreLookedAtOnce: what the first look is sure of is not looked at again.
func TestClearSpansAreLookedAtOnce(t *testing.T) {
	for look, want := range map[float64]bool{0: false, leastDoubt: false, 0.02: true, 0.5: true, mostDoubt: false, 1: false} {
		if w := (weighed{firstLook: look}); w.doubtful() != want {
			t.Errorf("%g leaves doubt: %v", look, !want)
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
	own, err := trees.Train(TraitNames(), []trees.Example{{Features: make([]float64, len(TraitNames())), Positive: true}}, trees.Settings{Trees: 2})
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
	own, err := trees.Train(TraitNames(), []trees.Example{{Features: make([]float64, len(TraitNames())), Positive: true}}, trees.Settings{Trees: 2})
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

// TestAFamousGroupIsNobodysSchool: an institution that lists know, unless somebody of the
// roster is there; a town's name makes none famous.
func TestAFamousGroupIsNobodysSchool(t *testing.T) {
	e := strictEngine(t)
	for key, want := range map[string]bool{"capital:orfeo catala": true, "capital:perpignan": false, "capital:chorale zorbulin": false} {
		w := &weighed{Finding: Finding{Category: detect.Organisation, key: key}, marks: []detect.Mark{{By: "eslo", Category: detect.Organisation}}}
		if got := e.isFamousGroup(w); got != want {
			t.Errorf("%s is famous: %v", key, got)
		}
		w.marks = append(w.marks, detect.Mark{By: CatalogueName, Category: detect.Organisation})
		if e.isFamousGroup(w) {
			t.Errorf("%s is on the roster, and famous", key)
		}
	}
}

// TestWhoIsWrittenOutIsNotKept: the first and last name of somebody on the roster, in a
// sentence as for an author whom all know, whatever the forests say of it.
func TestWhoIsWrittenOutIsNotKept(t *testing.T) {
	const text = "Comme le disait Patrice LEMOAL, il faut relire la page deux. Un lemoal patrice est un mot."
	e := standardEngine(t, Strict, testPost{"a", "a", "1", text})
	if verdict, score := verdictOf(e, "a", text, "Patrice LEMOAL"); verdict != detect.Mask && verdict != detect.Unsure || score < writtenOut {
		t.Errorf("%s (%.2f)", verdict, score)
	}
	for form, want := range map[string]bool{"Patrice LEMOAL": true, "lemoal patrice": false} {
		doc := detect.NewDocument(corpus.Post{ID: "a"}, "body", []byte(form))
		w := &weighed{from: 0, to: 2, marks: []detect.Mark{{By: CatalogueName, Category: detect.FullName}}}
		if got := e.isWrittenOut(doc, w); got != want {
			t.Errorf("%s is written out: %v", form, got)
		}
		w.stand.public = true
		if e.isWrittenOut(doc, w) {
			t.Errorf("%s is known to the public, and is written out", form)
		}
	}
}
