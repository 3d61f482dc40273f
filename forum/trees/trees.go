// Package trees is a small classifier of many decision trees. Train bags: each tree
// is grown on a sample drawn with replacement from the training examples, and the
// answers are averaged (Breiman 1996; Patel et al. 2013, section 4, use it to tell
// which messages need anonymising). Boost adds up: each tree is grown on what those
// before it got wrong (Friedman 2001).
//
//	Examples ┬ Train(seed) ┬─► Forest ─ Score(features) ─► 0 … 1
//	         └ Boost(seed) ┘     │
//	                             └─ Write / Read: JSON lines, one tree a line
//
// Training is deterministic: the same examples, in the same order, with the
// same settings and seed give the same forest, byte for byte. A Forest can be
// printed (Describe), since what made the authors choose trees is that a person
// can see what was learnt.
package trees

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// ErrFeatures is returned when examples and features do not fit each other.
var ErrFeatures = errors.New("trees: an example does not have the features of the forest")

// Example is one labelled case.
type Example struct {
	Features []float64 // finite numbers, in the order of the forest's names
	Positive bool
}

// Forest is a trained classifier. It is safe for concurrent use.
type Forest struct {
	names   []string
	trees   [][]node
	quick   quick // the same questions, packed; empty for forests that do not fit
	boosted bool  // answers are steps of a logit and are added up; otherwise shares, of which the mean is taken
}

// node is a question (feature ≤ limit?) or, when feature is negative, an answer.
type node struct {
	Feature int32   `json:"f"`
	Low     int32   `json:"l,omitempty"` // node for feature ≤ limit
	High    int32   `json:"h,omitempty"` // node for feature > limit
	Count   int32   `json:"n"`           // training examples that came here
	Limit   float64 `json:"v"`           // limit, or the answer: share of positive examples, or step of the logit
}

// Join gives the forest of the trees of two bagged ones: each has a say by how
// many it has.
func Join(a, b *Forest) (*Forest, error) {
	if !slices.Equal(a.names, b.names) || a.boosted || b.boosted {
		return nil, ErrFeatures
	}
	joined := &Forest{names: a.names, trees: slices.Concat(a.trees, b.trees)}
	joined.quick = pack(joined.trees)
	return joined, nil
}

// Features gives the names of the features, in order.
func (f *Forest) Features() []string { return append([]string(nil), f.names...) }

// Len is the number of trees.
func (f *Forest) Len() int { return len(f.trees) }

// Score gives the mean answer of the trees: 0 surely negative, 1 surely
// positive. It does not allocate. Missing features count as 0.
func (f *Forest) Score(features []float64) float64 { return f.ScoreFrom(features, 0) }

// ScoreFrom is Score where it is least or more. Below it may be 0 instead: the
// trees that cannot change that any more are not asked.
func (f *Forest) ScoreFrom(features []float64, least float64) float64 {
	switch {
	case len(f.trees) == 0:
		return 0
	case f.boosted:
		return probability(f.sum(features))
	case f.isQuick(features):
		return f.quick.sum(features, least*float64(len(f.trees))) / float64(len(f.trees))
	}
	return f.sum(features) / float64(len(f.trees))
}

// isQuick reports whether the packed form can be asked.
func (f *Forest) isQuick(features []float64) bool {
	return len(f.quick.trees) > 0 && len(features) == len(f.names) && len(features) <= mostFeatures
}

// sum adds up the answers of all trees.
func (f *Forest) sum(features []float64) float64 {
	if f.isQuick(features) {
		return f.quick.sum(features, math.Inf(-1))
	}
	sum := 0.0
	for _, tree := range f.trees {
		n := &tree[0]
		for n.Feature >= 0 {
			value := 0.0
			if int(n.Feature) < len(features) {
				value = features[n.Feature]
			}
			if value <= n.Limit {
				n = &tree[n.Low]
			} else {
				n = &tree[n.High]
			}
		}
		sum += n.Limit
	}
	return sum
}

// Describe prints one tree as the paper's figure 1 does.
func (f *Forest) Describe(tree int) string {
	if tree < 0 || tree >= len(f.trees) {
		return ""
	}
	var b strings.Builder
	f.describe(&b, f.trees[tree], 0, 0)
	return b.String()
}

func (f *Forest) describe(b *strings.Builder, tree []node, at int32, depth int) {
	n := &tree[at]
	if n.Feature < 0 {
		fmt.Fprintf(b, "%s→ %.2f (%d)\n", strings.Repeat("| ", depth), n.Limit, n.Count)
		return
	}
	fmt.Fprintf(b, "%s%s ≤ %.3g\n", strings.Repeat("| ", depth), f.names[n.Feature], n.Limit)
	f.describe(b, tree, n.Low, depth+1)
	fmt.Fprintf(b, "%s%s > %.3g\n", strings.Repeat("| ", depth), f.names[n.Feature], n.Limit)
	f.describe(b, tree, n.High, depth+1)
}

// Importance gives, for each feature, the share of training examples that were
// asked about it, over all trees: what the forest looks at.
func (f *Forest) Importance() []float64 {
	asked := make([]float64, len(f.names))
	total := 0.0
	for _, tree := range f.trees {
		for i := range tree {
			if n := &tree[i]; n.Feature >= 0 {
				asked[n.Feature] += float64(n.Count)
				total += float64(n.Count)
			}
		}
	}
	for i := range asked {
		if total > 0 {
			asked[i] /= total
		}
	}
	return asked
}
