package training

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"unicode"

	"anonymooc/forum/detect"
)

// Passaged is a form in its text, and what the form is.
type Passaged struct {
	Text     *detect.PassageText
	From, To int
	Subject  detect.Subject
	Masked   bool
	Corpus   int // what it was met in
}

// How the network learns: AdamW (Loshchilov & Hutter 2019), with a rate that rises
// and falls once, and dropout (Srivastava et al. 2014) of vectors and hidden units.
const (
	passageEpochs  = 4
	passageBatch   = 256
	passageRate    = 3e-3 // the highest
	passageRising  = 0.3  // share of the steps in which the rate rises
	passageDecay   = 1e-2
	passageDropout = 0.3
	passageShards  = 4   // of a batch, which may be worked on at the same time
	fewTexts       = 3   // words in fewer have no vector
	fewEndings     = 12  // nor do endings that are met less often
	steadiness     = 0.9 // of the mean of the slopes
	longSteadiness = 0.999
)

// PassageNetwork is a network as it learns: its matrices, and what the rows of words
// and endings stand for.
type PassageNetwork struct {
	Words, Endings []string
	Matrices       [][]float32
}

const passageMatrices = int(detect.PassageAnswers) + 1

// Passages learns a network. General says which words may have a vector: words of a
// language, no names.
func Passages(examples []Passaged, general func(word string) bool, seed uint64) *PassageNetwork {
	l := newPassageLearner(examples, general, seed)
	random := rand.New(rand.NewPCG(seed, 7))
	perEpoch := (len(examples) + passageBatch - 1) / passageBatch
	for range passageEpochs {
		order := random.Perm(len(examples))
		for batch := range slices.Chunk(order, passageBatch) {
			l.learn(batch, passageRateAt(float64(l.step)/float64(passageEpochs*perEpoch)))
		}
	}
	return &l.PassageNetwork
}

// passageRateAt is the rate when a share of the steps is done.
func passageRateAt(done float64) float64 {
	if done < passageRising {
		return passageRate * (0.04 + 0.96*(1-math.Cos(math.Pi*done/passageRising))/2)
	}
	return passageRate * (1 + math.Cos(math.Pi*(done-passageRising)/(1-passageRising))) / 2
}

// passageLearner holds a network while it learns.
type passageLearner struct {
	PassageNetwork
	examples      []Passaged
	rows          map[*detect.PassageText][]vectorRows
	mean, squares [passageMatrices][]float32
	shards        [passageShards]passageShard
	step          int
	seed          uint64
}

// vectorRows are the rows of a token's word and ending.
type vectorRows struct{ word, ending int32 }

func newPassageLearner(examples []Passaged, general func(string) bool, seed uint64) *passageLearner {
	l := &passageLearner{examples: examples, rows: make(map[*detect.PassageText][]vectorRows), seed: seed}
	words, endings := l.vocabulary(general)
	random := rand.New(rand.NewPCG(seed, 6))
	const spread = 0.3 // of vectors before they have learnt
	for n := range passageMatrices {
		kind := detect.PassageKind(n)
		rows := detect.PassageRows(kind)
		bound := 1 / math.Sqrt(float64(rows))
		switch kind {
		case detect.PassageWords:
			rows = len(words)
		case detect.PassageEndings:
			rows = len(endings)
		case detect.PassagePositions:
			bound = 1 / math.Sqrt(detect.PassageWindow*detect.TokenSize)
		case detect.PassageLanguages:
			bound = 0
		case detect.PassageAnswers:
			bound = 1 / math.Sqrt(detect.HiddenSize)
		}
		matrix := make([]float32, rows*detect.PassageRow(kind))
		for i := range matrix {
			if kind <= detect.PassageEndings {
				matrix[i] = float32(spread * random.NormFloat64())
			} else {
				matrix[i] = float32(bound * (2*random.Float64() - 1))
			}
		}
		l.Matrices = append(l.Matrices, matrix)
		l.mean[n], l.squares[n] = make([]float32, len(matrix)), make([]float32, len(matrix))
		for s := range l.shards {
			l.shards[s].slopes[n] = make([]float32, len(matrix))
		}
	}
	return l
}

// vocabulary numbers the words and endings that have a vector; the first stands for all
// others.
func (l *passageLearner) vocabulary(general func(string) bool) (words, endings map[string]int32) {
	texts, corpora, ends := make(map[string]int), make(map[string]map[int]bool), make(map[string]int)
	for i := range l.examples {
		e := &l.examples[i]
		if _, ok := l.rows[e.Text]; ok {
			continue
		}
		l.rows[e.Text] = nil
		met := make(map[string]bool)
		for k := range e.Text.Tokens {
			t := &e.Text.Tokens[k]
			ends[t.Ending()]++
			if met[t.Word] {
				continue
			}
			met[t.Word] = true
			texts[t.Word]++
			if corpora[t.Word] == nil {
				corpora[t.Word] = make(map[int]bool)
			}
			corpora[t.Word][e.Corpus] = true
		}
	}
	l.Words, words = numbered(texts, func(word string) bool {
		named := !strings.HasSuffix(word, ">") && strings.ContainsFunc(word, unicode.IsLetter) && !general(word)
		return texts[word] >= fewTexts && len(corpora[word]) >= fewCorpora && len(word) <= longestClue && !named
	})
	l.Endings, endings = numbered(ends, func(ending string) bool { return ends[ending] >= fewEndings })
	for text := range l.rows {
		rows := make([]vectorRows, len(text.Tokens))
		for i := range rows {
			t := &text.Tokens[i]
			rows[i] = vectorRows{words[t.Word], endings[t.Ending()]}
		}
		l.rows[text] = rows
	}
	return words, endings
}

// numbered gives the names that are kept, behind one that stands for all others, and their numbers.
func numbered(counted map[string]int, keep func(string) bool) ([]string, map[string]int32) {
	names, numbers := []string{""}, map[string]int32{"": 0}
	for _, name := range slices.Sorted(maps.Keys(counted)) {
		if name != "" && !strings.ContainsAny(name, "\t\n\r") && keep(name) {
			numbers[name] = int32(len(names))
			names = append(names, name)
		}
	}
	return names, numbers
}

// learn takes a step on a batch.
func (l *passageLearner) learn(batch []int, rate float64) {
	var wait sync.WaitGroup
	for s := range l.shards {
		wait.Go(func() {
			random := rand.New(rand.NewPCG(l.seed, uint64(l.step*passageShards+s)))
			for i := s; i < len(batch); i += passageShards {
				l.shards[s].learn(l, &l.examples[batch[i]], random, 1/float32(len(batch)))
			}
		})
	}
	wait.Wait()
	l.step++
	correct := 1 / (1 - math.Pow(steadiness, float64(l.step)))
	longCorrect := 1 / (1 - math.Pow(longSteadiness, float64(l.step)))
	for n, matrix := range l.Matrices {
		const stretch = 1 << 14
		for from := 0; from < len(matrix); from += stretch {
			wait.Go(func() {
				for i := from; i < min(from+stretch, len(matrix)); i++ {
					slope := float32(0)
					for s := range l.shards {
						slope += l.shards[s].slopes[n][i]
						l.shards[s].slopes[n][i] = 0
					}
					l.mean[n][i] += (1 - steadiness) * (slope - l.mean[n][i])
					l.squares[n][i] += (1 - longSteadiness) * (slope*slope - l.squares[n][i])
					step := float64(l.mean[n][i]) * correct / (math.Sqrt(float64(l.squares[n][i])*longCorrect) + 1e-8)
					matrix[i] -= float32(rate * (step + passageDecay*float64(matrix[i])))
				}
			})
		}
		wait.Wait()
	}
}

// passageShard adds up the slopes of a part of a batch.
type passageShard struct {
	slopes  [passageMatrices][]float32
	vectors [detect.PassageWindow][detect.TokenSize]float32 // after dropout
	keep    [detect.PassageWindow][detect.TokenSize]float32 // what dropout multiplied them with; 0 too where a fact unit is at rest
	hidden  [detect.HiddenSize]float32
}

// learn adds the slopes of one example (back-propagation), and gives its loss: the
// cross entropy of what the form is, and of whether it must be masked.
func (s *passageShard) learn(l *passageLearner, e *Passaged, random *rand.Rand, weight float32) (loss float64) {
	rows := l.rows[e.Text]
	at := func(place int) int {
		i := detect.PassagePosition(place, e.From, e.To)
		if i < 0 || i >= len(rows) {
			return -1
		}
		return i
	}
	s.hidden = [detect.HiddenSize]float32(l.Matrices[detect.PassageLanguages][e.Text.Language*detect.HiddenSize:])
	for place := range detect.PassageWindow {
		if i := at(place); i >= 0 {
			s.vector(l, &e.Text.Tokens[i], rows[i], place, random)
			positions := l.Matrices[detect.PassagePositions][place*detect.HiddenSize*detect.TokenSize:]
			for k := range s.hidden {
				s.hidden[k] += dot((*[detect.TokenSize]float32)(positions[k*detect.TokenSize:]), &s.vectors[place])
			}
		}
	}
	var kept [detect.HiddenSize]float32
	for k, h := range s.hidden {
		if kept[k] = dropped(random); h <= 0 {
			kept[k] = 0
		}
		s.hidden[k] = h * kept[k]
	}
	back, loss := s.answer(l, e, weight)
	languages := s.slopes[detect.PassageLanguages][e.Text.Language*detect.HiddenSize:]
	for k := range back {
		back[k] *= kept[k]
		languages[k] += back[k]
	}
	for place := range detect.PassageWindow {
		if i := at(place); i >= 0 {
			s.back(l, &e.Text.Tokens[i], rows[i], place, &back)
		}
	}
	return loss
}

// dropped is what dropout multiplies with: nothing, or what makes up for what was left out.
func dropped(random *rand.Rand) float32 {
	if random.Float32() < passageDropout {
		return 0
	}
	return 1 / (1 - passageDropout)
}

func dot(a, b *[detect.TokenSize]float32) float32 {
	var s, t float32
	for i := 0; i < len(a); i += 2 {
		s += a[i] * b[i]
		t += a[i+1] * b[i+1]
	}
	return s + t
}

// vector makes the vector of a token at a place of the window.
func (s *passageShard) vector(l *passageLearner, t *detect.PassageToken, rows vectorRows, place int, random *rand.Rand) {
	v, keep := &s.vectors[place], &s.keep[place]
	copy(v[:detect.WordSize], l.Matrices[detect.PassageWords][int(rows.word)*detect.WordSize:])
	copy(v[detect.WordSize:][:detect.EndingSize], l.Matrices[detect.PassageEndings][int(rows.ending)*detect.EndingSize:])
	facts := (*[detect.FactSize]float32)(v[detect.WordSize+detect.EndingSize:])
	clear(facts[:])
	t.EachFact(func(fact int, times float32) {
		row := (*[detect.FactSize]float32)(l.Matrices[detect.PassageFacts][fact*detect.FactSize:])
		for i, w := range row {
			facts[i] += times * w
		}
	})
	for i := range v {
		keep[i] = dropped(random)
		if i >= detect.WordSize+detect.EndingSize && v[i] <= 0 {
			keep[i] = 0
		}
		v[i] *= keep[i]
	}
}

// answer adds the slopes of the answers, and gives those of the hidden units.
func (s *passageShard) answer(l *passageLearner, e *Passaged, weight float32) (back [detect.HiddenSize]float32, loss float64) {
	var said detect.Opinion
	const row = detect.HiddenSize + 1
	answers := l.Matrices[detect.PassageAnswers]
	for i := range said {
		weights := answers[i*row:][:row]
		said[i] = weights[detect.HiddenSize]
		for k, h := range s.hidden {
			said[i] += weights[k] * h
		}
	}
	all, most := 0.0, float64(slices.Max(said[:detect.OpinionMasked]))
	for _, logit := range said[:detect.OpinionMasked] {
		all += math.Exp(float64(logit) - most)
	}
	for i, logit := range said {
		share, yes := math.Exp(float64(logit)-most)/all, e.Subject == detect.Subject(i)
		if i == detect.OpinionMasked {
			share, yes = 1/(1+math.Exp(-float64(logit))), e.Masked
		}
		slope := share
		switch {
		case yes:
			slope--
			loss -= math.Log(share)
		case i == detect.OpinionMasked:
			loss -= math.Log(1 - share)
		}
		down := float32(slope) * weight
		slopes := s.slopes[detect.PassageAnswers][i*row:][:row]
		slopes[detect.HiddenSize] += down
		for k, h := range s.hidden {
			slopes[k] += down * h
			back[k] += down * answers[i*row+k]
		}
	}
	return back, loss
}

// back adds the slopes of what a token brought.
func (s *passageShard) back(l *passageLearner, t *detect.PassageToken, rows vectorRows, place int, back *[detect.HiddenSize]float32) {
	matrix := l.Matrices[detect.PassagePositions][place*detect.HiddenSize*detect.TokenSize:]
	slopes := s.slopes[detect.PassagePositions][place*detect.HiddenSize*detect.TokenSize:]
	var down [detect.TokenSize]float32
	v := &s.vectors[place]
	for k, b := range back {
		if b == 0 {
			continue
		}
		row := (*[detect.TokenSize]float32)(matrix[k*detect.TokenSize:])
		slope := (*[detect.TokenSize]float32)(slopes[k*detect.TokenSize:])
		for i, w := range row {
			down[i] += b * w
			slope[i] += b * v[i]
		}
	}
	for i := range down {
		down[i] *= s.keep[place][i]
	}
	word := s.slopes[detect.PassageWords][int(rows.word)*detect.WordSize:][:detect.WordSize]
	for i := range word {
		word[i] += down[i]
	}
	ending := s.slopes[detect.PassageEndings][int(rows.ending)*detect.EndingSize:][:detect.EndingSize]
	for i := range ending {
		ending[i] += down[detect.WordSize+i]
	}
	facts := (*[detect.FactSize]float32)(down[detect.WordSize+detect.EndingSize:])
	t.EachFact(func(fact int, times float32) {
		row := (*[detect.FactSize]float32)(s.slopes[detect.PassageFacts][fact*detect.FactSize:])
		for i, d := range facts {
			row[i] += times * d
		}
	})
}
