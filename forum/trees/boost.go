package trees

import (
	"cmp"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// Boosting says how trees are boosted. The zero value takes the defaults.
type Boosting struct {
	Trees   int     // how many; default 300
	Depth   int     // questions from root to answer at most; default 6
	Leaf    int     // examples an answer rests on at least; default 20
	Rate    float64 // share of each tree's answer that counts; default 0.05
	Rows    float64 // share of the examples that each tree sees; default 0.5
	Columns float64 // share of the features that each tree may ask of; default 0.4
	Ridge   float64 // draws answers that rest on little towards none; default 1
	Seed    uint64  // of all draws
}

func (b Boosting) filled() Boosting {
	b.Trees, b.Depth, b.Leaf = cmp.Or(b.Trees, 300), cmp.Or(b.Depth, 6), cmp.Or(b.Leaf, 20)
	b.Rate, b.Rows, b.Columns, b.Ridge = cmp.Or(b.Rate, 0.05), cmp.Or(b.Rows, 0.5), cmp.Or(b.Columns, 0.4), cmp.Or(b.Ridge, 1)
	return b
}

// Boost grows a forest whose trees correct each other: each is grown on what those
// before it got wrong, on a part of the examples drawn anew (Friedman 2001, section
// 4.6; Friedman 2002). It goes on from the trees of another forest of the kind,
// where one is given. Examples are as for Train.
func Boost(names []string, examples []Example, settings Boosting, from *Forest) (*Forest, error) {
	settings = settings.filled()
	if err := fit(names, examples); err != nil {
		return nil, err
	}
	f := &Forest{names: slices.Clone(names), boosted: true}
	b := booster{settings: settings, examples: examples, random: rand.New(rand.NewPCG(settings.Seed, 11))}
	switch {
	case from != nil && (!from.boosted || !slices.Equal(from.names, names)):
		return nil, ErrFeatures
	case from != nil:
		f.trees = slices.Clone(from.trees)
	case len(examples) == 0:
		return f, nil
	default:
		f.trees = [][]node{{{Feature: -1, Limit: b.odds(), Count: int32(len(examples))}}}
	}
	if len(examples) > 0 {
		b.open(f)
		for range settings.Trees {
			f.trees = append(f.trees, b.tree())
		}
	}
	f.quick = pack(f.trees)
	return f, nil
}

// booster grows one tree after another.
type booster struct {
	settings Boosting
	examples []Example
	random   *rand.Rand
	limits   [][]float64 // by feature: between which of its values a question may be drawn
	bins     [][]uint8   // by feature and example: how many of the limits its value exceeds
	logits   []float64   // what the trees so far say
	slopes   []slope     // by example
}

// slope is how the loss changes with an example's logit: first and second derivative.
type slope struct{ first, second float64 }

func (s *slope) add(o slope)            { s.first += o.first; s.second += o.second }
func (s slope) less(o slope) slope      { return slope{s.first - o.first, s.second - o.second} }
func (s slope) gain(r float64) float64  { return s.first * s.first / (s.second + r) }
func (s slope) step(r float64) float64  { return -s.first / (s.second + r) }
func probability(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }

// odds is the logit of an example of which nothing is known.
func (b *booster) odds() float64 {
	positive := 0.5
	for i := range b.examples {
		if b.examples[i].Positive {
			positive++
		}
	}
	share := positive / (float64(len(b.examples)) + 1)
	return math.Log(share / (1 - share))
}

// mostBins is how many parts the values of a feature are told apart by.
const mostBins = 255

// open sorts the features into bins and asks the trees that are there.
func (b *booster) open(f *Forest) {
	features := len(f.names)
	b.limits, b.bins = make([][]float64, features), make([][]uint8, features)
	parallel(features, func(feature int) {
		values := make([]float64, len(b.examples))
		for i := range b.examples {
			values[i] = b.examples[i].Features[feature]
		}
		slices.Sort(values)
		b.limits[feature] = between(values)
		bins := make([]uint8, len(b.examples))
		for i := range b.examples {
			bins[i] = uint8(sortedBefore(b.limits[feature], b.examples[i].Features[feature]))
		}
		b.bins[feature] = bins
	})
	b.logits, b.slopes = make([]float64, len(b.examples)), make([]slope, len(b.examples))
	parallel(len(b.examples), func(i int) { b.logits[i] = f.sum(b.examples[i].Features) })
}

// between gives limits between sorted values: all of them where few differ, else
// such that about as many values lie between any two.
func between(values []float64) []float64 {
	distinct := 1
	for i := 1; i < len(values); i++ {
		if values[i] != values[i-1] {
			distinct++
		}
	}
	every := 1
	if distinct > mostBins {
		every = len(values)/mostBins + 1
	}
	var limits []float64
	since := 0
	for i := 1; i < len(values); i++ {
		since++
		// As it is written and asked: six decimals, 24 binary digits.
		limit := float64(float32(round((values[i-1] + values[i]) / 2)))
		if since >= every && values[i-1] <= limit && limit < values[i] {
			limits = append(limits, limit)
			since = 0
		}
	}
	return limits
}

// sortedBefore is how many limits a value exceeds.
func sortedBefore(limits []float64, value float64) int {
	at, _ := slices.BinarySearch(limits, value)
	return at
}

// parallel calls work for 0 … n−1, a stretch of them on each core; who does which
// does not matter.
func parallel(n int, work func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var wait sync.WaitGroup
	for worker := range workers {
		wait.Go(func() {
			for i := worker * n / workers; i < (worker+1)*n/workers; i++ {
				work(i)
			}
		})
	}
	wait.Wait()
}

// tree grows one tree and adds what it says to the logits.
func (b *booster) tree() []node {
	var rows []int32
	for i := range b.examples {
		p := probability(b.logits[i])
		b.slopes[i] = slope{p, max(p*(1-p), 1e-9)}
		if b.examples[i].Positive {
			b.slopes[i].first--
		}
		if b.random.Float64() < b.settings.Rows {
			rows = append(rows, int32(i))
		}
	}
	features := b.random.Perm(len(b.bins))[:min(len(b.bins), max(1, int(b.settings.Columns*float64(len(b.bins)))))]
	slices.Sort(features)
	g := boosted{booster: b, features: features, splits: make([]cut, len(features))}
	g.grow(rows, 0)
	parallel(len(b.examples), func(i int) { b.logits[i] += g.answer(i) })
	return g.tree
}

// boosted grows one tree.
type boosted struct {
	*booster
	features []int
	splits   []cut // by number of the feature
	tree     []node
	bin      []uint8 // by node: the limit's number
}

// cut is the best question about one feature.
type cut struct {
	feature int
	bin     int
	gain    float64
}

// grow adds the node for some examples, and everything below it, and returns its
// number.
func (g *boosted) grow(rows []int32, depth int) int32 {
	at := int32(len(g.tree))
	var all slope
	for _, i := range rows {
		all.add(g.slopes[i])
	}
	g.tree = append(g.tree, node{Feature: -1, Limit: round(g.settings.Rate * all.step(g.settings.Ridge)), Count: int32(len(rows))})
	g.bin = append(g.bin, 0)
	if depth == g.settings.Depth || len(rows) < 2*g.settings.Leaf {
		return at
	}
	parallel(len(g.features), func(n int) { g.splits[n] = g.best(g.features[n], rows, all) })
	best := cut{feature: -1}
	for _, c := range g.splits {
		if c.gain > best.gain {
			best = c
		}
	}
	if best.feature < 0 {
		return at
	}
	low, high := make([]int32, 0, len(rows)), make([]int32, 0, len(rows))
	for _, i := range rows {
		if int(g.bins[best.feature][i]) <= best.bin {
			low = append(low, i)
		} else {
			high = append(high, i)
		}
	}
	question := node{Feature: int32(best.feature), Limit: g.limits[best.feature][best.bin], Count: int32(len(rows))}
	question.Low = g.grow(low, depth+1)
	question.High = g.grow(high, depth+1)
	g.tree[at], g.bin[at] = question, uint8(best.bin)
	return at
}

// leastGain is what a question must bring.
const leastGain = 1e-6

// best finds the limit of a feature that brings most.
func (g *boosted) best(feature int, rows []int32, all slope) cut {
	found := cut{feature: -1, gain: leastGain}
	var sums [mostBins + 1]slope
	var counts [mostBins + 1]int
	bins := g.bins[feature]
	for _, i := range rows {
		bin := bins[i]
		sums[bin].add(g.slopes[i])
		counts[bin]++
	}
	var low slope
	below := 0
	whole := all.gain(g.settings.Ridge)
	for bin := range g.limits[feature] {
		low.add(sums[bin])
		below += counts[bin]
		if below < g.settings.Leaf {
			continue
		}
		if len(rows)-below < g.settings.Leaf {
			break
		}
		if gain := low.gain(g.settings.Ridge) + all.less(low).gain(g.settings.Ridge) - whole; gain > found.gain {
			found = cut{feature, bin, gain}
		}
	}
	return found
}

// answer is what the tree says of an example.
func (g *boosted) answer(example int) float64 {
	at := int32(0)
	for g.tree[at].Feature >= 0 {
		if g.bins[g.tree[at].Feature][example] <= g.bin[at] {
			at = g.tree[at].Low
		} else {
			at = g.tree[at].High
		}
	}
	return g.tree[at].Limit
}
