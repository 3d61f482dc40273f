package benchtext

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"anonymooc/forum"
	"anonymooc/forum/detect"
)

// TestNothingWaitsWhenNothingIsAsked: once every question is answered, no mention is
// left open; what a longer form hid while it was asked about is decided by rule.
func TestNothingWaitsWhenNothingIsAsked(t *testing.T) {
	for _, name := range []string{"ateliers", "ciutat", "lab"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, done, err := Open(filepath.Join("../../testdata/annotated", name), DefaultSeed, func(choice forum.Choice) (forum.Options, error) { return forum.StandardChoice("", choice) })
			if err != nil {
				t.Fatal(err)
			}
			defer done()
			options, err := b.options(forum.Choice{})
			if err != nil {
				t.Fatal(err)
			}
			options.Policy = forum.Reviewed
			oracle := NewOracle(b.gold, 0)
			for range mostRounds {
				engine, err := forum.New(b.roster(1), b.corpus, oracle.State(), options)
				if err != nil {
					t.Fatal(err)
				}
				questions, err := engine.Questions()
				if err != nil {
					t.Fatal(err)
				}
				waiting := 0
				err = engine.Each(func(_ *detect.Document, findings []forum.Finding) {
					for i := range findings {
						if findings[i].Verdict == detect.Unsure {
							waiting++
						}
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				if len(questions) == 0 {
					if waiting > 0 {
						t.Errorf("%d mentions wait, and no question is open", waiting)
					}
					if oracle.Cost == 0 {
						t.Error("nothing was asked")
					}
					return
				}
				for i := range questions {
					line, err := json.Marshal(questions[i])
					if err != nil {
						t.Fatal(err)
					}
					if err := oracle.Answer(line); err != nil {
						t.Fatal(err)
					}
				}
			}
			t.Error("the questions do not end")
		})
	}
}
