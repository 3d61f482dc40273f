package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
	"anonymooc/forum/trees"
	"anonymooc/forum/trees/synthetic"
	"anonymooc/forum/trees/training"
	"anonymooc/internal/fault"
)

type forumTrainFlags struct {
	forumFlags
	labelled  []string
	synthetic int
	repeat    int
	seed      uint64
	out       string
}

func newForumTrainCommand() *cobra.Command {
	var f forumTrainFlags
	cmd := &cobra.Command{
		Use:   "train [EXPORT ...]",
		Short: "Train the decision trees on what has been decided",
		Long: `train grows decision trees beside those of the three forests that the program
carries (Patel et al. 2013): on messages, on single words, and on the evidence
for a span of text. They learn from the decisions in the project's ledger, on
the exports given; the first two also from labelled texts, and from synthetic
messages, so that few decisions do not make them forget the rest. Trees on the
evidence need 50 decisions.

A labelled text is a line {"text","lang","author","spans":[{"start","end",
"type"}]} with offsets in code points and the type PER for people.

It prints how well forests grown in the same way do on decisions they have not
seen (ten-fold cross-validation), and writes the forests to the folder models
of the project's forum folder. They hold numbers only: no word of any text.
The same input and seed give the same forests.

` + exitStatuses,
		Example: `  anonymooc forum train export/
  anonymooc forum train --labelled checked.jsonl --synthetic 0`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.labelled, "labelled", nil, "a `file` of labelled texts; may be given again")
	flags.IntVar(&f.synthetic, "synthetic", 12000, "how many synthetic messages to learn from besides; 0 for none")
	flags.IntVar(&f.repeat, "repeat", 5, "how often each decision and labelled text counts beside a synthetic one")
	flags.Uint64Var(&f.seed, "seed", 2013, "seed of the forests")
	flags.StringVar(&f.out, "out", "", "folder to write the forests to (default: in the project)")
	return cmd
}

func (f *forumTrainFlags) run(cmd *cobra.Command, exports []string) error {
	if len(exports) == 0 && len(f.labelled) == 0 {
		return fault.New(fault.Usage, "nothing to learn from").WithHint("name an export whose forum has been reviewed, or --labelled FILE")
	}
	if f.synthetic < 0 || f.repeat < 1 {
		return fault.New(fault.Usage, "--synthetic is 0 or more, --repeat 1 or more")
	}
	known, err := lists.Open()
	if err != nil {
		return err
	}
	var own training.Set
	var lessons lessons
	if err := f.addLabelled(&own, known); err != nil {
		return err
	}
	if len(exports) > 0 {
		err := f.withEngine(cmd, exports, func(s *forumSession, e *forum.Engine) error {
			return addReviewed(&own, &lessons, s, e, known)
		})
		if err != nil {
			return err
		}
	}
	if len(own.Mentions) == 0 {
		return fault.New(fault.Usage, "no decision to learn from").WithHint("decide some questions first: anonymooc forum queue, forum decide")
	}
	return f.train(cmd, &own, &lessons, known)
}

// addLabelled reads the labelled texts.
func (f *forumTrainFlags) addLabelled(set *training.Set, known *lists.Lists) error {
	for _, path := range f.labelled {
		file, err := os.Open(path)
		if err != nil {
			return fault.New(fault.Usage, "the labelled texts cannot be read").At(path, 0, "").Because(cause(err))
		}
		texts, err := training.Read(file, path)
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
		set.Add(texts, known)
	}
	return nil
}

// lessons are spans with their traits: those that a reviewer has decided, and
// those that were clear.
type lessons struct {
	decided, clear []trees.Example
	setting        forum.Setting
}

func (l *lessons) add(lesson forum.Lesson) {
	example := trees.Example{Features: lesson.Traits, Positive: lesson.Positive}
	if lesson.Decided {
		l.decided = append(l.decided, example)
	} else {
		l.clear = append(l.clear, example)
	}
}

// addReviewed takes what the reviewer decided in the corpus.
func addReviewed(set *training.Set, lessons *lessons, s *forumSession, e *forum.Engine, known *lists.Lists) error {
	lessons.setting = e.Setting()
	lexicon := detect.NewLexicon()
	if err := s.eachText(func(doc *detect.Document) error { lexicon.Learn(doc); return nil }); err != nil {
		return err
	}
	return e.Each(func(doc *detect.Document, findings []forum.Finding) {
		for _, lesson := range e.Lessons(doc, findings) {
			lessons.add(lesson)
		}
		set.Reviewed(doc, known, lexicon, func(start, end int) (person, decided bool) {
			for i := range findings {
				if g := &findings[i]; g.Start < end && start < g.End && g.By == forum.ByReviewer {
					return g.Verdict == detect.Mask && g.Category.Person(), true
				}
			}
			return false, false
		})
	})
}

// trainReport is what train prints with --json.
type trainReport struct {
	Folder    string           `json:"folder"`
	Synthetic int              `json:"synthetic"`
	Message   training.Quality `json:"message"`
	Mention   training.Quality `json:"mention"`
	Evidence  training.Quality `json:"evidence"` // examples alone while they are too few
}

// train measures, grows and writes.
func (f *forumTrainFlags) train(cmd *cobra.Command, own *training.Set, lessons *lessons, known *lists.Lists) error {
	var written training.Set
	if f.synthetic > 0 {
		texts, err := synthetic.Generate(known, f.synthetic, f.seed)
		if err != nil {
			return err
		}
		written.Add(texts, known)
	}
	report := trainReport{Folder: f.out, Synthetic: f.synthetic}
	if report.Folder == "" {
		project, err := f.project.open(cmd, true, cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		report.Folder = forumFolder(project).Models()
	}
	var err error
	if report.Message, report.Mention, err = training.Folds(own, &written, f.repeat, f.seed); err != nil {
		return err
	}
	models, err := training.Train(training.Join(own, &written, f.repeat), f.seed)
	if err != nil {
		return err
	}
	carried, err := forum.ShippedJudge(lessons.setting)
	if err != nil {
		return err
	}
	judge, quality, err := training.OwnJudge(carried, lessons.decided, lessons.clear, f.seed)
	if err != nil {
		return err
	}
	report.Evidence = quality
	if err := save(report.Folder, models, lessons.setting, judge); err != nil {
		return fault.New(fault.Failure, "the forests cannot be written").At(report.Folder, 0, "").Because(cause(err))
	}
	out := cmd.OutOrStdout()
	if f.json {
		return json.NewEncoder(out).Encode(report)
	}
	for _, line := range []struct {
		name string
		q    training.Quality
	}{{"messages", report.Message}, {"words", report.Mention}, {"evidence", report.Evidence}} {
		if line.q.Accuracy == 0 {
			fmt.Fprintf(out, "%-9s %6d decided: too few to learn from\n", line.name, line.q.Examples)
			continue
		}
		fmt.Fprintf(out, "%-9s %6d decided, %d of them names; on unseen ones: accuracy %.3f, precision %.3f, recall %.3f\n",
			line.name, line.q.Examples, line.q.Positive, line.q.Accuracy, line.q.Precision, line.q.Recall)
	}
	_, err = fmt.Fprintf(out, "written to %s\n", report.Folder)
	return err
}

// save writes the project's forests: the trees that the program carries, and those
// grown beside them or behind them. Judge is nil while there is nothing to learn for it.
func save(folder string, own *detect.Models, setting forum.Setting, judge *trees.Forest) error {
	shipped, err := detect.ShippedModels()
	if err != nil {
		return err
	}
	var joined detect.Models
	if joined.Message, err = trees.Join(shipped.Message, own.Message); err != nil {
		return err
	}
	if joined.Mention, err = trees.Join(shipped.Mention, own.Mention); err != nil {
		return err
	}
	if err := joined.Save(folder); err != nil || judge == nil {
		return err
	}
	return forum.SaveJudge(folder, setting, judge)
}
