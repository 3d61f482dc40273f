package forum

import (
	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
	"anonymooc/forum/mine"
)

// Standard gives the options of a strict engine with every detector and list
// that the program ships.
func Standard() (Options, error) {
	known, err := lists.Open()
	if err != nil {
		return Options{}, err
	}
	contexts, err := mine.StarterContexts()
	if err != nil {
		return Options{}, err
	}
	eslo, err := detect.NewShippedESLO(known)
	if err != nil {
		return Options{}, err
	}
	models, err := detect.ShippedModels()
	if err != nil {
		return Options{}, err
	}
	words := detect.NewLexicon()
	return Options{
		Policy: Strict, Mine: true, Identify: detect.Identify, Words: known, Places: general{known}, Contexts: contexts,
		Learners: []Learner{words},
		Detectors: []detect.Detector{
			detect.NewPatterns(), eslo, detect.NewSeekHide(known, words, models, detect.ExpertTable),
		},
	}, nil
}

// general is the program's lists, as the engine asks them.
type general struct{ *lists.Lists }

// IsCountry reports whether a key is a country or what its people are called.
func (g general) IsCountry(key string) bool { return g.Find(key).Is(lists.Country | lists.Demonym) }
