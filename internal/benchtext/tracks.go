package benchtext

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"anonymooc/forum"
	"anonymooc/forum/corpus"
	"anonymooc/internal/source"
)

// Bench runs the tracks on one gold corpus.
type Bench struct {
	gold    *Gold
	corpus  *corpus.Corpus
	options func(forum.Choice) (forum.Options, error)
	seed    uint64
	alone   map[string]*Score // of systems that ask no roster, by name
}

// Open reads a gold corpus, a folder or a file of texts with spans, and writes it
// as a forum's export into a temporary folder, which close removes. options makes
// those of every engine; policy and roster are the track's. The seed chooses whose
// names are known.
func Open(path string, seed uint64, options func(forum.Choice) (forum.Options, error)) (b *Bench, close func(), err error) {
	read := Read
	if strings.HasSuffix(path, ".jsonl") {
		read = ReadSpans
	}
	g, err := read(path)
	if err != nil {
		return nil, nil, err
	}
	return OpenGold(g, seed, options)
}

// OpenGold is Open for a corpus that has been read.
func OpenGold(g *Gold, seed uint64, options func(forum.Choice) (forum.Options, error)) (b *Bench, close func(), err error) {
	dir, err := os.MkdirTemp("", "bench-text-*")
	if err != nil {
		return nil, nil, err
	}
	close = func() { os.RemoveAll(dir) }
	export := filepath.Join(dir, "forum.mongo")
	if err := g.WriteForum(export); err != nil {
		close()
		return nil, nil, err
	}
	c, err := corpus.Open(source.OnDisk(export))
	if err != nil {
		close()
		return nil, nil, err
	}
	return &Bench{gold: g, corpus: c, options: options, seed: seed, alone: map[string]*Score{}}, close, nil
}

// NewBench is Open with the same options for every engine.
func NewBench(folder string, options forum.Options) (b *Bench, close func(), err error) {
	return Open(folder, DefaultSeed, func(forum.Choice) (forum.Options, error) { return options, nil })
}

// DefaultSeed is the seed of the figures in the documentation.
const DefaultSeed = 2012

// Name is the corpus's name.
func (b *Bench) Name() string { return b.gold.Name }

// Posts is the number of posts.
func (b *Bench) Posts() int { return len(b.gold.Posts) }

// PerThousand gives a number of decisions for 1,000 posts.
func (b *Bench) PerThousand(decisions int) float64 {
	return 1000 * float64(decisions) / float64(max(b.Posts(), 1))
}

// Shares are the shares of the names that are known, in the order of tables: all,
// where the corpus has a roster of its own.
func (b *Bench) Shares() []float64 {
	if b.gold.Authors {
		return []float64{1, 0.8, 0.5, 0}
	}
	return []float64{0.8, 0.5, 0}
}

// roster keeps the given share of the people's names; everybody stays an author.
func (b *Bench) roster(share float64) []forum.Person {
	people := slices.Clone(b.gold.Roster)
	order := rand.New(rand.NewPCG(b.seed, 13)).Perm(len(people))
	for _, i := range order[int(math.Round(share*float64(len(people)))):] {
		people[i] = forum.Person{Pseudonym: people[i].Pseudonym, UserIDs: people[i].UserIDs}
	}
	return people
}

// Automatic scores the strict policy with a share of the names known.
func (b *Bench) Automatic(share float64) (*Score, error) {
	return b.strict(share, forum.Choice{})
}

// strict scores the strict policy with some detectors.
func (b *Bench) strict(share float64, choice forum.Choice) (*Score, error) {
	options, err := b.options(choice)
	if err != nil {
		return nil, err
	}
	options.Policy = forum.Strict
	engine, err := forum.New(b.roster(share), b.corpus, nil, options)
	if err != nil {
		return nil, err
	}
	return Measure(b.gold, engine, options.Identify)
}

// mostRounds bounds how often the queue is asked for: answers bring new forms,
// and those new questions.
const mostRounds = 8

// Assisted scores the reviewed policy with an oracle, after at most budget
// decisions (0: as many as are asked); what is then undecided is masked.
func (b *Bench) Assisted(share, wrong float64, budget int) (*Score, error) {
	options, err := b.options(forum.Choice{})
	if err != nil {
		return nil, err
	}
	options.Policy = forum.Reviewed
	oracle := NewOracle(b.gold, wrong)
	people := b.roster(share)
	for range mostRounds {
		engine, err := forum.New(people, b.corpus, oracle.State(), options)
		if err != nil {
			return nil, err
		}
		questions, err := engine.Questions()
		if err != nil {
			return nil, err
		}
		questions = forum.Together(questions)
		for i := range questions {
			if budget > 0 && oracle.Cost >= budget {
				break
			}
			line, err := json.Marshal(questions[i])
			if err != nil {
				return nil, err
			}
			if err := oracle.Answer(line); err != nil {
				return nil, err
			}
		}
		if len(questions) == 0 || budget > 0 && oracle.Cost >= budget {
			break
		}
	}
	if budget > 0 {
		options.Policy = forum.Strict
	}
	engine, err := forum.New(people, b.corpus, oracle.State(), options)
	if err != nil {
		return nil, err
	}
	score, err := Measure(b.gold, engine, options.Identify)
	if err != nil {
		return nil, err
	}
	score.Decisions = oracle.Cost
	return score, nil
}
