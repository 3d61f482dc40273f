package benchtext

import (
	"path/filepath"
	"testing"

	"anonymooc/forum"
	"anonymooc/forum/trees"
	"anonymooc/forum/trees/training"
)

// TestAProjectsJudgeLearnsFromItsLedger: trees that are grown on what was decided,
// beside those that the program carries, tell what was decided better apart, and
// leave what was clear as it was. The program's trees have learnt from these posts,
// so the decisions are the contrary of what the markup says.
func TestAProjectsJudgeLearnsFromItsLedger(t *testing.T) {
	bench, done, err := Open(filepath.Join(annotated, "letras"), DefaultSeed, func(c forum.Choice) (forum.Options, error) { return forum.StandardChoice("", c) })
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	options, err := bench.options(forum.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	options.Policy = forum.Reviewed
	oracle := NewOracle(bench.gold, 1)
	engine, err := forum.New(bench.roster(0.7), bench.corpus, nil, options)
	if err != nil {
		t.Fatal(err)
	}
	questions, err := engine.Questions()
	if err != nil {
		t.Fatal(err)
	}
	for i := range questions {
		if err := oracle.write(&questions[i], oracle.judge(&questions[i])); err != nil {
			t.Fatal(err)
		}
	}
	if engine, err = forum.New(bench.roster(0.7), bench.corpus, oracle.State(), options); err != nil {
		t.Fatal(err)
	}
	var decided, clear []trees.Example
	for i := range bench.gold.Posts {
		doc := bench.document(&bench.gold.Posts[i])
		for _, lesson := range engine.Lessons(doc, engine.Findings(doc)) {
			example := trees.Example{Features: lesson.Traits, Positive: lesson.Positive}
			if lesson.Decided {
				decided = append(decided, example)
			} else {
				clear = append(clear, example)
			}
		}
	}
	shipped, err := forum.ShippedJudge(engine.Setting())
	if err != nil {
		t.Fatal(err)
	}
	if own, quality, err := training.OwnJudge(shipped, decided[:10], clear, 1); err != nil || own != nil || quality.Examples != 10 {
		t.Errorf("ten decisions grew a forest: %v %+v", err, quality)
	}
	own, quality, err := training.OwnJudge(shipped, decided, clear, 1)
	if err != nil || own == nil || quality.Examples != len(decided) {
		t.Fatalf("%d decisions: %v %+v", len(decided), err, quality)
	}
	if before, after := apartness(shipped, decided), apartness(own, decided); after <= before {
		t.Errorf("names and words in doubt are %.3f apart after learning, %.3f before", after, before)
	}
	for _, e := range clear {
		if was, is := shipped.Score(e.Features), own.Score(e.Features); was >= 0.9 && is < 0.8 || was <= 0.05 && is > 0.2 {
			t.Fatalf("what was clear (%.2f) is in doubt (%.2f)", was, is)
		}
	}
}

// apartness is how far the mean scores of names and words are apart.
func apartness(forest *trees.Forest, examples []trees.Example) float64 {
	var sum, count [2]float64
	for _, e := range examples {
		kind := 0
		if e.Positive {
			kind = 1
		}
		sum[kind] += forest.Score(e.Features)
		count[kind]++
	}
	return sum[1]/max(count[1], 1) - sum[0]/max(count[0], 1)
}
