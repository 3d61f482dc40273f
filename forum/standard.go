package forum

import (
	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
)

// Standard gives the options of a strict engine with every detector and list
// that the program ships.
func Standard() (Options, error) {
	known, err := lists.Open()
	if err != nil {
		return Options{}, err
	}
	return Options{
		Policy: Strict, Mine: true, Identify: detect.Identify, Words: known, Places: known,
		Detectors: []detect.Detector{detect.NewPatterns()},
	}, nil
}
