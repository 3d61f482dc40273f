package trees

import "math"

// A forest is asked about every second word of a text, and which way a question
// goes is what a processor cannot guess: it lost more time with wrong guesses than
// with questions. So nothing is guessed. Each tree is walked to its full depth; an
// answer leads to itself until the depth is reached, and several trees are walked
// side by side, so that nobody waits for the memory of one.
//
//	level by level:  root │ low, high │ low, high of low │ low, high of high …
//	next question = this one + next + (value > limit ? 1 : 0)
//
// Questions take 8 bytes instead of 24, which keeps them in the processor's cache.
// Numbers have 24 binary digits here, and are compared as whole numbers of the same
// order. Features are counts, and shares that no limit is drawn so near to.
type quick struct {
	questions []question
	trees     []quickTree
}

// quickTree is where a tree begins, and how many questions are asked at most.
type quickTree struct{ root, depth int32 }

const (
	places       = 128        // a power of two: a number below it needs no check
	mostFeatures = places - 1 // how many features a forest may have to be packed
	noFeature    = places - 1 // is less than every limit
	atOnce       = 5          // trees that are walked side by side
)

// slack keeps rounding from deciding.
const slack = 1e-6

// question is feature ≤ limit: limit (32 bits) · next (16) · unused (8) · feature (8).
// Next says how far behind it the question for "not more" stands; the one for
// "more" is behind that. An answer asks for what has no feature and leads to itself.
type question uint64

func newQuestion(limit uint32, next, feature int) question {
	return question(limit)<<32 | question(next)<<16 | question(feature)
}

// ordered gives a whole number that is more where the number is more.
func ordered(number float64) uint32 {
	bits := math.Float32bits(float32(number) + 0) // one zero
	if bits&signBit != 0 {
		return ^bits
	}
	return bits | signBit
}

const signBit = 1 << 31

// answer gives the number that is the limit.
func (q question) answer() float64 {
	bits := uint32(q >> 32)
	if bits&signBit != 0 {
		return float64(math.Float32frombits(bits &^ signBit))
	}
	return float64(math.Float32frombits(^bits))
}

// pack makes the quick form; empty if a tree or a feature's number is too large.
func pack(trees [][]node) quick {
	var q quick
	for _, tree := range trees {
		if !q.add(tree) {
			return quick{}
		}
	}
	return q
}

// add appends the questions of a tree, level by level.
func (q *quick) add(tree []node) bool {
	root := len(q.questions)
	order := []int32{0} // the nodes as they are appended
	depth, level := int32(-1), 0
	for i := 0; i < len(order); i++ {
		if i == level { // the first of a level, and what is known of the next one
			depth++
			level = len(order)
		}
		n := &tree[order[i]]
		next, feature := 0, noFeature
		if n.Feature >= 0 {
			if n.Feature >= mostFeatures || len(order)-i > math.MaxUint16 {
				return false
			}
			next, feature = len(order)-i, int(n.Feature)
			order = append(order, n.Low, n.High)
		}
		q.questions = append(q.questions, newQuestion(ordered(n.Limit), next, feature))
	}
	q.trees = append(q.trees, quickTree{int32(root), depth})
	return true
}

// sum adds up the answers of all trees, which are at most 1 each where least, what
// the sum must reach, is more than minus infinity: if they cannot reach it the
// answer may be 0.
func (q *quick) sum(features []float64, least float64) float64 {
	var values [places]uint32 // of no feature: 0
	for i, value := range features {
		values[i] = ordered(value)
	}
	sum := 0.0
	enough := least - slack
	at := 0
	for ; at+atOnce <= len(q.trees); at += atOnce {
		if sum+float64(len(q.trees)-at) < enough {
			return 0
		}
		for _, reached := range q.walk((*[atOnce]quickTree)(q.trees[at:]), &values) {
			sum += reached.answer()
		}
	}
	for _, tree := range q.trees[at:] {
		sum += q.walk(&[atOnce]quickTree{tree, tree, tree, tree, tree}, &values)[0].answer()
	}
	return sum
}

// walk gives the answers of some trees.
func (q *quick) walk(trees *[atOnce]quickTree, values *[places]uint32) [atOnce]question {
	questions := q.questions
	a, b, c, d, e := int(trees[0].root), int(trees[1].root), int(trees[2].root), int(trees[3].root), int(trees[4].root)
	for range max(trees[0].depth, trees[1].depth, trees[2].depth, trees[3].depth, trees[4].depth) {
		a += questions[a].step(values)
		b += questions[b].step(values)
		c += questions[c].step(values)
		d += questions[d].step(values)
		e += questions[e].step(values)
	}
	return [atOnce]question{questions[a], questions[b], questions[c], questions[d], questions[e]}
}

// step tells how far away the next question stands.
func (q question) step(values *[places]uint32) int {
	return int(uint16(q>>16)) + int(uint64(int64(q>>32)-int64(values[q%places]))>>63)
}
