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
	return Options{
		Policy: Strict, Mine: true, Identify: detect.Identify, Words: known, Places: known, Contexts: contexts,
		Detectors: []detect.Detector{detect.NewPatterns()},
	}, nil
}
