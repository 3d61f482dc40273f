package forum

import (
	"slices"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
)

// CatalogueName stands, among the names of detectors, for everything that knows
// people by heart: the roster, the officer's catalogue, what is mined from both,
// and the names of those who talk to each other.
const CatalogueName = "catalogue"

// DetectorNames lists the detectors that may be chosen, in the order in which
// they look at a text. Each works without the others.
func DetectorNames() []string { return []string{CatalogueName, "patterns", "nome", "seekhide", "eslo"} }

// ParseDetectors reads names with commas between them; empty stands for all. The
// result is in the order of DetectorNames, each once.
func ParseDetectors(list string) ([]string, error) {
	known := DetectorNames()
	if strings.TrimSpace(list) == "" {
		return known, nil
	}
	var chosen []string
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(known, name) {
			return nil, fault.New(fault.Usage, "unknown detector").WithHint("detectors are %s", strings.Join(known, ", "))
		}
		chosen = append(chosen, name)
	}
	return slices.DeleteFunc(known, func(name string) bool { return !slices.Contains(chosen, name) }), nil
}

// Choice says who looks at texts and how much is left to a person. The zero
// value is every detector at the level of the agreement table.
type Choice struct {
	Detectors []string // of DetectorNames; empty: all
	Expert    detect.Expert
}

// Has reports whether a detector is chosen.
func (c Choice) Has(name string) bool {
	return len(c.Detectors) == 0 || slices.Contains(c.Detectors, name)
}

// whole reports whether everybody looks, at the usual level.
func (c Choice) whole() bool {
	return len(c.names()) == len(DetectorNames()) && c.level() == detect.ExpertTable
}

// names is what the choice says in a report.
func (c Choice) names() []string {
	if len(c.Detectors) == 0 {
		return DetectorNames()
	}
	return slices.Clone(c.Detectors)
}

// level is the expert's level in a report.
func (c Choice) level() detect.Expert {
	if c.Expert == "" {
		return detect.ExpertTable
	}
	return c.Expert
}
