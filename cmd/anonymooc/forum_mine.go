package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/forum/mine"
	"anonymooc/internal/fault"
)

type forumMineFlags struct {
	forumFlags
	rounds       int
	least        float64
	sure         float64
	maxFrequency int
	minRate      float64
	contexts     bool
	keepContexts bool
}

func newForumMineCommand() *cobra.Command {
	var f forumMineFlags
	cmd := &cobra.Command{
		Use:   "mine EXPORT [EXPORT ...]",
		Short: "Propose forms that may name somebody and that nobody has catalogued",
		Long: `mine looks for forms of the forum that are spelled nearly like a known one,
stand where known ones stand, are made of known ones, or have a capital inside a
sentence (Reffay et al. 2012, sections 4 and 7), and repeats with the surest of
them until nothing is new. The queue already asks about what it finds; mine shows
all of it, with the reasons.

With --contexts it lists the words that give names away instead, with how often
a known form stands beside them. "anonymooc forum decide" takes verdicts on them
by their ids: mask trusts a context, keep takes it out of use. --keep-contexts
keeps what holds then in the project, for the next corpus; a phrase that fewer
than three people wrote is never kept.

` + exitStatuses,
		Example: `  anonymooc forum mine export/
  anonymooc forum mine export/ --contexts --keep-contexts`,
		Args: forumArguments,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.IntVar(&f.rounds, "rounds", 4, "how often at most to repeat")
	flags.Float64Var(&f.least, "least", 0.3, "lowest score shown")
	flags.Float64Var(&f.sure, "sure", 0.9, "score from which a form reveals others")
	flags.IntVar(&f.maxFrequency, "max-frequency", 0, "occurrences above which a context is grown by a word (default: 50, and more in a large forum)")
	flags.Float64Var(&f.minRate, "min-rate", mine.DefaultMinRate, "share of known forms beside a context from which it is kept")
	flags.BoolVar(&f.contexts, "contexts", false, "list contexts instead of forms")
	flags.BoolVar(&f.keepContexts, "keep-contexts", false, "keep the contexts in the project")
	return cmd
}

func (f *forumMineFlags) run(cmd *cobra.Command, args []string) (err error) {
	if f.rounds < 1 || f.maxFrequency < 0 || f.minRate < 0 || f.minRate > 1 {
		return fault.New(fault.Usage, "rounds are 1 or more, frequencies not negative, rates between 0 and 1")
	}
	s, err := f.open(cmd, args)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	options, err := engineOptions(s.project, forum.Strict)
	if err != nil {
		return err
	}
	options.Strangers = s.oral
	known, err := s.known()
	if err != nil {
		return err
	}
	s.identify = options.Identify
	lexicon, err := s.lexicon()
	if err != nil {
		return err
	}
	store, err := mine.OpenContexts(s.folder.Contexts())
	if err != nil {
		return err
	}
	state, err := s.folder.State()
	if err != nil {
		return err
	}
	store = forum.DecidedContexts(store, state)
	familiar, err := s.folder.Familiar()
	if err != nil {
		return err
	}
	words := forum.AnyLanguage(options.Words)
	contextual := &mine.Contextual{MaxFrequency: f.maxFrequency, MinRate: f.minRate, Words: words, Kept: store}
	miners := []mine.Miner{mine.Lexical{Words: words}, contextual, mine.Composed{Words: words, Familiar: options.Familiar.With(familiar)}, mine.Capitals{Words: words}}
	sure := func(c mine.Candidate) bool { return c.Score >= f.sure }
	accepted, open := mine.Propagate(lexicon, known, sure, f.rounds, miners...)
	out := bufio.NewWriter(cmd.OutOrStdout())
	if f.contexts || f.keepContexts {
		for _, c := range accepted {
			known = append(known, mine.Known{Form: c.Form, Category: c.Category, Entities: c.Entities})
		}
		err = f.learn(cmd, out, s.folder, state, contextual, lexicon, known)
	} else {
		err = f.candidates(out, append(accepted, open...))
	}
	return errors.Join(err, out.Flush())
}

// known gathers what is known before mining: everybody's names, the officer's
// rows, and the forms that a reviewer masked.
func (s *forumSession) known() ([]mine.Known, error) {
	roster, err := forum.Roster(s.domain)
	if err != nil {
		return nil, err
	}
	rows, err := s.folder.Rows()
	if err != nil {
		return nil, err
	}
	for i := range roster {
		rows = append(rows, roster[i].Rows()...)
	}
	state, err := ledger.Load(s.folder.Ledger())
	if err != nil {
		return nil, err
	}
	for _, d := range state.Decisions() {
		if d.Verdict == ledger.Mask && d.Kind != ledger.KindContext {
			rows = append(rows, detect.Row{Form: d.Surface, Category: detect.Category(d.Category), Entity: detect.EntityID(d.Entity)})
		}
	}
	var known []mine.Known
	for i := range rows {
		if rows[i].Public() {
			continue
		}
		k := mine.Known{Form: rows[i].Form, Category: rows[i].Category}
		if rows[i].Entity != "" {
			k.Entities = []detect.EntityID{rows[i].Entity}
		}
		known = append(known, k)
	}
	return known, nil
}

// lexicon reads the forum for mining.
func (s *forumSession) lexicon() (*mine.Corpus, error) {
	builder := mine.NewBuilder()
	err := s.eachText(func(doc *detect.Document) error { builder.Add(doc); return nil })
	return builder.Corpus(), err
}

// candidateLine is a candidate as --json prints it.
type candidateLine struct {
	Surface  string            `json:"surface"`
	Category detect.Category   `json:"category"`
	Entities []detect.EntityID `json:"entities,omitempty"`
	Score    float64           `json:"score"`
	Count    int               `json:"count"`
	Evidence []mine.Evidence   `json:"evidence"`
}

func (f *forumMineFlags) candidates(out io.Writer, found []mine.Candidate) error {
	var lines []candidateLine
	for _, c := range found {
		if c.Score >= f.least {
			lines = append(lines, candidateLine{c.Form, c.Category, c.Entities, c.Score, c.Count, c.Evidence})
		}
	}
	if f.json {
		return jsonLines(out, lines)
	}
	for _, line := range lines {
		fmt.Fprintf(out, "%.2f  %-20q  %-12s %5d  %s\n", line.Score, line.Surface, line.Category, line.Count, line.Evidence[0].What)
	}
	_, err := fmt.Fprintf(out, "%d forms\n", len(lines))
	return err
}

// contextLine is a context as --json prints it: a question of the kind context.
type contextLine struct {
	ID       string          `json:"id"`
	Kind     ledger.Kind     `json:"kind"`
	Surface  string          `json:"surface"`
	Category detect.Category `json:"category"`
	Lang     string          `json:"lang,omitempty"`
	Known    int             `json:"known"`
	Count    int             `json:"count"`
}

// learn lists and keeps contexts; each can be judged with decide.
func (f *forumMineFlags) learn(cmd *cobra.Command, out io.Writer, folder forum.Folder, decisions forum.Decisions, contextual *mine.Contextual, lexicon *mine.Corpus, known []mine.Known) error {
	rules, _, _ := contextual.Learn(lexicon, mine.NewCatalogue(known))
	var lines []contextLine
	var questions []forum.Question
	for _, rule := range rules {
		pattern := rule.String()
		id := ledger.QuestionID(ledger.KindContext, pattern)
		lines = append(lines, contextLine{id, ledger.KindContext, pattern, rule.Category, rule.Lang, rule.Known, rule.Total})
		questions = append(questions, forum.Question{ID: id, Kind: ledger.KindContext, Surface: pattern})
	}
	if err := rememberQuestions(cmd, folder, questions); err != nil {
		return err
	}
	kept := 0
	if f.keepContexts {
		var err error
		if kept, err = forum.KeepContexts(folder, decisions, mine.Shareable(lexicon, rules)); err != nil {
			return err
		}
	}
	if f.json {
		return jsonLines(out, lines)
	}
	for _, line := range lines {
		fmt.Fprintf(out, "%4d of %4d  %-40q  %-12s %s\n", line.Known, line.Count, line.Surface, line.Category, line.Lang)
	}
	_, err := fmt.Fprintf(out, "%d contexts, %d new ones kept for the next corpus\n", len(lines), kept)
	return err
}
