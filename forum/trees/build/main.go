// Command build trains the forests that the program ships, and prints what
// docs/model.md says of them.
//
//	synthetic messages ┐
//	annotated posts ───┴─► message and mention forest ─► engine ─► traits of spans ─► first look
//	                                                       engine ─► traits of spans ─► judge
//
//	go run ./forum/trees/build
//	go run ./forum/trees/build -convert    the same forests, in the newest format
//
// The annotated posts (testdata/annotated) are in folds by corpus: what a forest
// learns from, or is measured on, was never seen by the forests before it. The
// same lists, posts and seed give the same files.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
	"anonymooc/forum/trees"
	"anonymooc/forum/trees/synthetic"
	"anonymooc/forum/trees/training"
	"anonymooc/internal/benchtext"
	"anonymooc/internal/safefile"
)

func main() {
	var b builder
	flag.StringVar(&b.out, "out", "forum", "folder of the program's judge; its detect/ holds the other forests")
	flag.StringVar(&b.annotated, "annotated", "testdata/annotated", "folder of the annotated posts")
	flag.IntVar(&b.messages, "messages", 24000, "synthetic messages to train on")
	flag.IntVar(&b.repeat, "repeat", 2, "how often an annotated post counts beside a synthetic message")
	flag.Uint64Var(&b.seed, "seed", 2013, "seed of the messages and of the forests")
	convert := flag.Bool("convert", false, "train nothing: write the forests that are there in the newest format")
	flag.BoolVar(&b.misses, "misses", false, "list what went wrong on the annotated posts")
	flag.Parse()
	work := b.run
	if *convert {
		work = b.convert
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

type builder struct {
	out, annotated   string
	misses           bool
	messages, repeat int
	seed             uint64
	known            *lists.Lists
	synthetic        training.Set
	corpora          []*corpus
}

// corpus is one folder of annotated posts.
type corpus struct {
	gold     *benchtext.Gold
	words    training.Set
	number   int
	around   []training.Surrounded
	passages []training.Passaged
	examples map[forum.Setting][]trees.Example // for the judge
}

// folds is how many parts the corpora are in; all stands for no fold, and leaves none out.
const (
	folds = 4
	all   = -1
)

// talk are the corpora whose writers are on no roster.
var talk = []string{"chatter", "talk"}

func (b *builder) run() error {
	if err := b.read(); err != nil {
		return err
	}
	var forests [folds]forum.Forests
	for fold := range folds {
		var err error
		if forests[fold].Words, err = b.trainWords(fold); err != nil {
			return err
		}
		if err := b.look(fold, forests[fold]); err != nil {
			return err
		}
	}
	for fold := range folds {
		var err error
		if forests[fold].Around, err = b.trainAround(fold); err != nil {
			return err
		}
		if forests[fold].Passage, err = b.trainPassage(fold); err != nil {
			return err
		}
	}
	if err := b.examine(forests[:]); err != nil {
		return err
	}
	for fold := range folds {
		var err error
		if forests[fold].FirstLook, err = b.trainJudges(fold, forum.FirstTraits()); err != nil {
			return err
		}
	}
	first, err := b.trainJudges(all, forum.FirstTraits())
	if err != nil {
		return err
	}
	if err := b.examine(forests[:]); err != nil {
		return err
	}
	for fold := range folds {
		if forests[fold].Evidence, err = b.trainJudges(fold, forum.TraitNames()); err != nil {
			return err
		}
		if err := b.measure(fold, forests[fold]); err != nil {
			return err
		}
	}
	return b.write(first)
}

// read writes the synthetic messages and reads the annotated posts.
func (b *builder) read() error {
	var err error
	if b.known, err = lists.Open(); err != nil {
		return err
	}
	texts, err := synthetic.Generate(b.known, b.messages, b.seed)
	if err != nil {
		return err
	}
	b.synthetic.Add(texts, b.known)
	folders, err := filepath.Glob(filepath.Join(b.annotated, "*", "posts.txt"))
	if err != nil {
		return err
	}
	for _, posts := range folders {
		gold, err := benchtext.Read(filepath.Dir(posts))
		if err != nil {
			return err
		}
		c := &corpus{gold: gold, number: len(b.corpora), examples: make(map[forum.Setting][]trees.Example)}
		c.words.Add(gold.Labelled(), b.known)
		b.corpora = append(b.corpora, c)
	}
	return nil
}

// without gives what is in other folds.
func (b *builder) without(fold int) []*corpus {
	var others []*corpus
	for i, c := range b.corpora {
		if i%folds != fold {
			others = append(others, c)
		}
	}
	return others
}

// of gives the corpora of a fold.
func (b *builder) of(fold int) []*corpus {
	var own []*corpus
	for i, c := range b.corpora {
		if i%folds == fold {
			own = append(own, c)
		}
	}
	return own
}

// trainWords grows the forests on messages and words without a fold.
func (b *builder) trainWords(fold int) (*detect.Models, error) {
	own := new(training.Set)
	for _, c := range b.without(fold) {
		own.Messages, own.Mentions = append(own.Messages, c.words.Messages...), append(own.Mentions, c.words.Mentions...)
	}
	return training.Train(training.Join(own, &b.synthetic, b.repeat), b.seed)
}

// open prepares a corpus for an engine with some forests.
func (c *corpus) open(forests forum.Forests) (*benchtext.Bench, func(), error) {
	gold := c.gold
	if slices.Contains(talk, gold.Name) {
		gold = gold.Talk()
	}
	return benchtext.OpenGold(gold, benchtext.DefaultSeed, func(choice forum.Choice) (forum.Options, error) {
		return forum.StandardWith("", choice, forests)
	})
}

// look notes the surroundings of what the engine finds in a fold, with the names of
// all known, or as many as a corpus of strangers has.
func (b *builder) look(fold int, forests forum.Forests) error {
	return b.eachBench(fold, forests, func(c *corpus, bench *benchtext.Bench, _ io.Writer) error {
		lesson, err := bench.Examples(bench.Shares()[0])
		if err != nil {
			return err
		}
		for _, around := range lesson.Around {
			around.Corpus = c.number
			c.around = append(c.around, around)
		}
		for _, passage := range lesson.Passages {
			passage.Corpus = c.number
			c.passages = append(c.passages, passage)
		}
		return nil
	})
}

// trainAround learns what surroundings say without a fold.
func (b *builder) trainAround(fold int) (*detect.Surroundings, error) {
	var data bytes.Buffer
	if err := b.writeAround(&data, fold); err != nil {
		return nil, err
	}
	return detect.ReadSurroundings(&data)
}

func (b *builder) writeAround(to io.Writer, fold int) error {
	var examples []training.Surrounded
	for _, c := range b.without(fold) {
		examples = append(examples, c.around...)
	}
	words, weights := training.Surroundings(examples, b.general, b.seed)
	return detect.WriteSurroundings(to, words, weights)
}

// general reports whether something may be learnt of a word by itself.
func (b *builder) general(word string) bool { return detect.General(b.known.Find(word)) }

// trainPassage learns to read passages without a fold.
func (b *builder) trainPassage(fold int) (*detect.Passage, error) {
	var data bytes.Buffer
	if err := b.writePassage(&data, fold); err != nil {
		return nil, err
	}
	return detect.ReadPassage(&data)
}

func (b *builder) writePassage(to io.Writer, fold int) error {
	var examples []training.Passaged
	for _, c := range b.without(fold) {
		examples = append(examples, c.passages...)
	}
	network := training.Passages(examples, b.general, b.seed)
	return detect.WritePassage(to, network.Words, network.Endings, network.Matrices)
}

// eachBench calls visit with every corpus of a fold, as many at a time as there are
// cores, and prints what they say in order.
func (b *builder) eachBench(fold int, forests forum.Forests, visit func(*corpus, *benchtext.Bench, io.Writer) error) error {
	corpora := b.of(fold)
	said := make([]bytes.Buffer, len(corpora))
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range corpora {
		work.Go(func() error {
			bench, done, err := c.open(forests)
			if err != nil {
				return err
			}
			defer done()
			return visit(c, bench, &said[i])
		})
	}
	err := work.Wait()
	for i := range said {
		os.Stdout.Write(said[i].Bytes())
	}
	return err
}

// examine makes the examples of those that judge, of each fold with forests that have
// not seen it.
func (b *builder) examine(forests []forum.Forests) error {
	for fold := range forests {
		err := b.eachBench(fold, forests[fold], func(c *corpus, bench *benchtext.Bench, _ io.Writer) error {
			clear(c.examples)
			for _, share := range bench.Shares() {
				lesson, err := bench.Examples(share)
				if err != nil {
					return err
				}
				c.examples[lesson.Setting] = append(c.examples[lesson.Setting], lesson.Examples...)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// trainJudges grows the forests on the evidence without a fold.
func (b *builder) trainJudges(fold int, traits []string) (forum.Judges, error) {
	var judges forum.Judges
	for setting := range judges {
		var examples []trees.Example
		for _, c := range b.without(fold) {
			examples = append(examples, c.examples[forum.Setting(setting)]...)
		}
		if len(examples) == 0 {
			return judges, fmt.Errorf("%s: no examples to learn from", forum.Setting(setting).Name())
		}
		var err error
		if judges[setting], err = training.Judge(traits, examples, b.seed); err != nil {
			return judges, err
		}
	}
	return judges, nil
}

// measure prints how the engine does on the corpora of a fold, with forests that
// have seen none of them.
func (b *builder) measure(fold int, forests forum.Forests) error {
	return b.eachBench(fold, forests, func(c *corpus, bench *benchtext.Bench, out io.Writer) error {
		share := bench.Shares()[0]
		strict, err := bench.Automatic(share)
		if err != nil {
			return err
		}
		strict.Print(out, fmt.Sprintf("%s, strict, %.0f %% of the names known, not learnt from", c.gold.Name, 100*share), b.misses)
		asked, err := bench.Assisted(share, 0, 0)
		if err != nil {
			return err
		}
		asked.Print(out, fmt.Sprintf("%s, reviewed, %.0f decisions per 1,000 posts", c.gold.Name, bench.PerThousand(asked.Decisions)), false)
		return nil
	})
}

// write grows the forests that ship on everything, and writes them.
func (b *builder) write(first forum.Judges) error {
	words, err := b.trainWords(all)
	if err != nil {
		return err
	}
	judges, err := b.trainJudges(all, forum.TraitNames())
	if err != nil {
		return err
	}
	var around bytes.Buffer
	if err := b.writeAround(&around, all); err != nil {
		return err
	}
	if err := safefile.Write(filepath.Join(b.out, "detect/surroundings.tsv"), around.Bytes(), 0o644); err != nil {
		return err
	}
	var passage bytes.Buffer
	if err := b.writePassage(&passage, all); err != nil {
		return err
	}
	if err := safefile.Write(filepath.Join(b.out, "detect/passage.tsv"), passage.Bytes(), 0o644); err != nil {
		return err
	}
	for i, forest := range slices.Concat([]*trees.Forest{words.Message, words.Mention}, first[:], judges[:]) {
		if err := b.writeForest(files[i], forest); err != nil {
			return err
		}
		for i, share := range forest.Importance() {
			fmt.Printf("  %-28s %.3f\n", forest.Features()[i], share)
		}
	}
	return nil
}

// files hold the forests on messages, on words and on the evidence.
var files = [...]string{"detect/trees_message.jsonl", "detect/trees_mention.jsonl",
	forum.KnownWriters.FirstLook(), forum.Strangers.FirstLook(), forum.KnownWriters.Name(), forum.Strangers.Name()}

// writeForest writes a forest into the program's folder.
func (b *builder) writeForest(file string, forest *trees.Forest) error {
	var data bytes.Buffer
	if err := forest.Write(&data); err != nil {
		return err
	}
	if err := safefile.Write(filepath.Join(b.out, file), data.Bytes(), 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d trees, %d bytes\n", file, forest.Len(), data.Len())
	return nil
}

// convert writes the program's forests in the newest format.
func (b *builder) convert() error {
	for _, name := range files {
		file, err := os.Open(filepath.Join(b.out, name))
		if err != nil {
			return err
		}
		forest, err := trees.Read(file)
		file.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := b.writeForest(name, forest); err != nil {
			return err
		}
	}
	return nil
}
