package benchtext

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"

	"anonymooc/forum"
	"anonymooc/forum/corpus"
	"anonymooc/internal/source"
)

// Bench runs the tracks on one gold corpus. Options are those of every engine;
// policy and roster are the track's.
type Bench struct {
	gold    *Gold
	corpus  *corpus.Corpus
	options forum.Options
}

// NewBench prepares the corpus in a temporary folder, which close removes.
func NewBench(folder string, options forum.Options) (b *Bench, close func(), err error) {
	g, err := Read(folder)
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "bench-text-*")
	if err != nil {
		return nil, nil, err
	}
	close = func() { os.RemoveAll(dir) }
	path := filepath.Join(dir, "forum.mongo")
	if err := g.WriteForum(path); err != nil {
		close()
		return nil, nil, err
	}
	c, err := corpus.Open(source.OnDisk(path))
	if err != nil {
		close()
		return nil, nil, err
	}
	return &Bench{gold: g, corpus: c, options: options}, close, nil
}

// Posts is the number of posts.
func (b *Bench) Posts() int { return len(b.gold.Posts) }

// roster keeps the given share of the people's names; everybody stays an author.
func (b *Bench) roster(share float64) []forum.Person {
	r := rand.New(rand.NewPCG(11, 13))
	people := make([]forum.Person, len(b.gold.Roster))
	for i, p := range b.gold.Roster {
		if r.Float64() >= share {
			p = forum.Person{Pseudonym: p.Pseudonym, UserIDs: p.UserIDs}
		}
		people[i] = p
	}
	return people
}

// Automatic scores the strict policy with a share of the names known.
func (b *Bench) Automatic(share float64) (*Score, error) {
	options := b.options
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
	options := b.options
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
