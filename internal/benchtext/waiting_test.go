package benchtext

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"anonymooc/forum"
	"anonymooc/forum/detect"
)

// TestNothingWaitsWhenNothingIsAsked: whatever waits is asked about, and once every
// question is answered nothing does; what a longer form hid while it was asked about is
// decided by rule.
func TestNothingWaitsWhenNothingIsAsked(t *testing.T) {
	for name, price := range map[string]float64{"ateliers": 0, "ciutat": 1.5, "lab": 0, "chatter": 1.5, "piazza": 4} {
		t.Run(name, func(t *testing.T) {
			b, done, err := Open(filepath.Join("../../testdata/annotated", name), DefaultSeed, func(choice forum.Choice) (forum.Options, error) { return forum.StandardChoice("", choice) })
			if err != nil {
				t.Fatal(err)
			}
			defer done()
			options, err := b.options(forum.Choice{})
			if err != nil {
				t.Fatal(err)
			}
			options.Policy, options.Price = forum.Reviewed, price
			oracle := NewOracle(b.gold, 0)
			for round := range mostRounds {
				engine, err := forum.New(b.roster(1), b.corpus, oracle.State(), options)
				if err != nil {
					t.Fatal(err)
				}
				questions, err := engine.Questions()
				if err != nil {
					t.Fatal(err)
				}
				asked := make(map[string]bool)
				for i := range questions {
					asked[questions[i].ID] = true
				}
				waiting := 0
				err = engine.Each(func(_ *detect.Document, findings []forum.Finding) {
					for i := range findings {
						if findings[i].Verdict != detect.Unsure {
							continue
						}
						waiting++
						if round == 0 && !asked[findings[i].Question] { // later, single mentions are asked about too
							t.Errorf("a form that scores %.2f waits, and nobody is asked about it", findings[i].Score)
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
