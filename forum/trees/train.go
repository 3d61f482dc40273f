package trees

import (
	"cmp"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// Settings say how a forest is grown. The zero value takes the defaults.
type Settings struct {
	Trees   int    // how many; default 25
	Depth   int    // questions from root to answer at most; default 10
	Leaf    int    // examples an answer rests on at least; default 5
	Try     int    // features tried at each question, drawn anew; default all (bagging proper)
	Balance bool   // draw as many negative as positive examples (Patel et al., section 6.3)
	Seed    uint64 // of all draws
}

func (s Settings) filled(features int) Settings {
	set := func(v *int, otherwise int) {
		if *v <= 0 {
			*v = otherwise
		}
	}
	set(&s.Trees, 25)
	set(&s.Depth, 10)
	set(&s.Leaf, 5)
	set(&s.Try, features)
	s.Try = min(s.Try, features)
	return s
}

// Train grows a forest. Names gives the features' names; every example must
// have as many features, all finite.
func Train(names []string, examples []Example, settings Settings) (*Forest, error) {
	settings = settings.filled(len(names))
	if err := fit(names, examples); err != nil {
		return nil, err
	}
	var positive, negative []int32
	for i := range examples {
		if examples[i].Positive {
			positive = append(positive, int32(i))
		} else {
			negative = append(negative, int32(i))
		}
	}
	f := &Forest{names: slices.Clone(names)}
	if len(examples) == 0 {
		return f, nil
	}
	f.trees = make([][]node, settings.Trees)
	var wait sync.WaitGroup
	next := make(chan int)
	for range min(settings.Trees, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for t := range next { // each has its own draws: who grows it does not matter
				f.trees[t] = growTree(examples, positive, negative, settings, uint64(t))
			}
		})
	}
	for t := range settings.Trees {
		next <- t
	}
	close(next)
	wait.Wait()
	return f, nil
}

// fit reports examples that a forest cannot learn from.
func fit(names []string, examples []Example) error {
	for i := range examples {
		if len(examples[i].Features) != len(names) {
			return ErrFeatures
		}
		for _, v := range examples[i].Features {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return ErrFeatures
			}
		}
	}
	return nil
}

// growTree grows one tree.
func growTree(examples []Example, positive, negative []int32, settings Settings, number uint64) []node {
	random := rand.New(rand.NewPCG(settings.Seed, number))
	g := grower{examples: examples, settings: settings, random: random, order: make([]int32, len(examples[0].Features))}
	for i := range g.order {
		g.order[i] = int32(i)
	}
	var sample []int32
	if settings.Balance && len(positive) > 0 && len(negative) > 0 {
		n := min(len(positive), len(negative))
		sample = append(draw(random, positive, n), draw(random, negative, n)...)
	} else {
		sample = draw(random, append(slices.Clone(positive), negative...), len(examples))
	}
	g.grow(sample, 0)
	return g.tree
}

// draw takes n of the examples, with replacement.
func draw(random *rand.Rand, from []int32, n int) []int32 {
	sample := make([]int32, n)
	for i := range sample {
		sample[i] = from[random.IntN(len(from))]
	}
	return sample
}

// grower grows one tree.
type grower struct {
	examples []Example
	settings Settings
	random   *rand.Rand
	order    []int32 // features, shuffled before each question
	tree     []node
}

// grow adds the node for a sample, and everything below it, and returns its
// number.
func (g *grower) grow(sample []int32, depth int) int32 {
	at := int32(len(g.tree))
	positive := g.positive(sample)
	// The answer is drawn a little towards even odds: few examples prove little.
	answer := node{Feature: -1, Limit: (float64(positive) + 0.5) / (float64(len(sample)) + 1), Count: int32(len(sample))}
	g.tree = append(g.tree, answer)
	if depth == g.settings.Depth || positive == 0 || positive == len(sample) {
		return at
	}
	feature, limit, ok := g.question(sample, positive)
	if !ok {
		return at
	}
	low, high := g.split(sample, feature, limit)
	question := node{Feature: feature, Limit: limit, Count: int32(len(sample))}
	question.Low = g.grow(low, depth+1)
	question.High = g.grow(high, depth+1)
	g.tree[at] = question
	return at
}

func (g *grower) positive(sample []int32) int {
	n := 0
	for _, i := range sample {
		if g.examples[i].Positive {
			n++
		}
	}
	return n
}

// split parts a sample, keeping its order.
func (g *grower) split(sample []int32, feature int32, limit float64) (low, high []int32) {
	for _, i := range sample {
		if g.examples[i].Features[feature] <= limit {
			low = append(low, i)
		} else {
			high = append(high, i)
		}
	}
	return low, high
}

// valued is what one feature says of an example.
type valued struct {
	value    float64
	positive bool
}

// question finds the feature and limit that leave the least Gini impurity.
func (g *grower) question(sample []int32, positive int) (feature int32, limit float64, ok bool) {
	if g.settings.Try < len(g.order) {
		g.random.Shuffle(len(g.order), func(i, j int) { g.order[i], g.order[j] = g.order[j], g.order[i] })
	}
	best := impurity(positive, len(sample)) - 1e-9
	sorted := make([]valued, len(sample))
	for _, candidate := range g.order[:g.settings.Try] {
		for n, i := range sample {
			sorted[n] = valued{g.examples[i].Features[candidate], g.examples[i].Positive}
		}
		slices.SortFunc(sorted, func(a, b valued) int { return cmp.Compare(a.value, b.value) })
		below := 0
		for n := 1; n < len(sorted); n++ {
			if sorted[n-1].positive {
				below++
			}
			before, here := sorted[n-1].value, sorted[n].value
			if before == here || n < g.settings.Leaf || len(sorted)-n < g.settings.Leaf {
				continue
			}
			left := impurity(below, n) + impurity(positive-below, len(sorted)-n)
			if left < best {
				best, feature, limit, ok = left, candidate, (before+here)/2, true
			}
		}
	}
	return feature, limit, ok
}

// impurity is the Gini impurity of n examples times n.
func impurity(positive, n int) float64 {
	p := float64(positive)
	return 2 * p * (1 - p/float64(n))
}
