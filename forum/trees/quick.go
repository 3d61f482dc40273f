package trees

import "math"

// A forest that is asked about every second word of a text must stay in the
// processor's cache: a question takes 8 bytes instead of 24, and the answer "not
// more" stands right behind it.
//
//	questions of tree 0, then of tree 1 …      roots: where each tree begins
//
// Numbers have 24 binary digits here. Features are counts, and shares that no
// limit is drawn so near to.
type quick struct {
	questions []question
	roots     []int32
}

// mostFeatures is how many features a forest may have to be packed.
const mostFeatures = 64

// slack keeps rounding from deciding.
const slack = 1e-6

// question is feature ≤ limit, or an answer when feature is negative.
type question struct {
	limit   float32
	feature int16
	more    uint16 // where to go on when it is more, counted from the root
}

// pack makes the quick form; empty if a tree or a feature's number is too large.
func pack(trees [][]node) quick {
	var q quick
	for _, tree := range trees {
		if len(tree) > math.MaxUint16 {
			return quick{}
		}
		root := len(q.questions)
		q.roots = append(q.roots, int32(root))
		if !q.add(tree, 0, root) {
			return quick{}
		}
	}
	return q
}

// add appends the questions from node at on, in the order in which they are asked.
func (q *quick) add(tree []node, at int32, root int) bool {
	n := &tree[at]
	if n.Feature >= mostFeatures || len(q.questions)-root > math.MaxUint16 {
		return false
	}
	here := len(q.questions)
	q.questions = append(q.questions, question{limit: float32(n.Limit), feature: int16(max(n.Feature, -1))})
	if n.Feature < 0 {
		return true
	}
	if !q.add(tree, n.Low, root) {
		return false
	}
	more := len(q.questions) - root
	if more > math.MaxUint16 {
		return false
	}
	q.questions[here].more = uint16(more)
	return q.add(tree, n.High, root)
}

// score is Forest.ScoreFrom.
func (q *quick) score(features []float64, least float64) float64 {
	var values [mostFeatures]float32
	for i, value := range features {
		values[i] = float32(value)
	}
	sum := 0.0
	enough := least*float64(len(q.roots)) - slack
	for i, root := range q.roots {
		if sum+float64(len(q.roots)-i) < enough {
			return 0
		}
		tree := q.questions[root:]
		asked := tree[0]
		for at := 0; asked.feature >= 0; asked = tree[at] {
			if values[asked.feature&(mostFeatures-1)] <= asked.limit {
				at++
			} else {
				at = int(asked.more)
			}
		}
		sum += float64(asked.limit)
	}
	return sum / float64(len(q.roots))
}
