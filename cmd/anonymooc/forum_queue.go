package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/ledger"
	"anonymooc/internal/fault"
)

type forumQueueFlags struct {
	forumFlags
	kind  string
	limit int
}

func newForumQueueCommand() *cobra.Command {
	var f forumQueueFlags
	cmd := &cobra.Command{
		Use:   "queue EXPORT [EXPORT ...]",
		Short: "List what a person must decide before a reviewed release",
		Long: `queue reads the forum and lists the questions that are still open, the most
worthwhile first: forms that may name somebody, forms that mining found, and
single mentions where a form means several things. After them come the questions
that the last run met in other texts (goals, searches, answers …).

With --json each question is one line:
  {"id","kind":"form|mention|candidate|context","surface","category",
   "proposal":"mask|keep","score","count","evidence":[{"by","what"}],
   "lines":[{"post","field","start","end","left","match","right"}],
   "also":[{"id","kind","surface","category","count"}]}
post is the document's _id; start and end are bytes of the field as read. also
lists forms that one look settles with this one: its other spellings, or rare
forms of the same text. A verdict holds for them too, unless it comes with
mentions; their ids may be answered alone.

--kind context lists words beside which names stand instead ("merci à …"), those
first that speak for most of the open forms. No release waits for them: mask
trusts a context, keep takes it out of use, and the next queue is the better.

Answers go to "anonymooc forum decide". The list shows what people wrote: keep
it where the export is kept.

` + exitStatuses,
		Example: `  anonymooc forum queue export/
  anonymooc forum queue export/ --json > questions.jsonl`,
		Args: forumArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.withEngine(cmd, args, func(s *forumSession, e *forum.Engine) error { return f.run(cmd, s, e) })
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.kind, "kind", "", "only questions of this kind: form, mention, candidate or context")
	cmd.Flags().IntVar(&f.limit, "limit", 0, "at most this many questions; 0 for all")
	return cmd
}

func (f *forumQueueFlags) run(cmd *cobra.Command, s *forumSession, e *forum.Engine) error {
	questions, err := f.questions(s, e)
	if err != nil {
		return err
	}
	if err := rememberQuestions(cmd, s.folder, questions); err != nil {
		return err
	}
	if f.kind != "" {
		questions = slices.DeleteFunc(questions, func(q forum.Question) bool { return string(q.Kind) != f.kind })
	}
	if f.limit > 0 {
		questions = questions[:min(f.limit, len(questions))]
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	if f.json {
		err = jsonLines(out, questions)
	} else {
		printQuestions(out, questions)
	}
	return errors.Join(err, out.Flush())
}

// questions lists what is asked: the forms, or the contexts.
func (f *forumQueueFlags) questions(s *forumSession, e *forum.Engine) ([]forum.Question, error) {
	if f.kind == string(ledger.KindContext) {
		return e.ContextQuestions()
	}
	questions, err := e.Questions()
	if err != nil {
		return nil, err
	}
	elsewhere, err := waitingElsewhere(s.folder, questions)
	return forum.Together(append(questions, elsewhere...)), err
}

func jsonLines[T any](w io.Writer, items []T) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, item := range items {
		if err := encoder.Encode(item); err != nil {
			return err
		}
	}
	return nil
}

// printQuestions shows each question with its first lines.
func printQuestions(w io.Writer, questions []forum.Question) {
	const shown = 3
	for _, q := range questions {
		fmt.Fprintf(w, "%s  %s  %s, %s, %.2f, %d times\n", q.ID, surfaces(&q), q.Kind, q.Category, q.Score, q.Count)
		for _, line := range q.Lines[:min(shown, len(q.Lines))] {
			fmt.Fprintf(w, "    %60s[%s]%s\n", lastOf(line.Left, 60), line.Match, line.Right)
		}
	}
	fmt.Fprintf(w, "%d questions\n", len(questions))
}

// surfaces lists the forms that a question is about.
func surfaces(q *forum.Question) string {
	quoted := strconv.Quote(q.Surface)
	for _, a := range q.Also {
		quoted += ", " + strconv.Quote(a.Surface)
	}
	return quoted
}

// lastOf gives the last letters of a text.
func lastOf(text string, letters int) string {
	runes := []rune(text)
	return string(runes[max(0, len(runes)-letters):])
}

// rememberQuestions lets decide know what the ids of answers stand for.
func rememberQuestions(cmd *cobra.Command, folder forum.Folder, questions []forum.Question) (err error) {
	l, err := openLedger(cmd, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	asked := make([]ledger.Asked, len(questions))
	for i, q := range questions {
		asked[i] = q.Asked()
	}
	return l.Ask(asked...)
}

// keepWaiting keeps the questions that a run met outside the forum.
func keepWaiting(folder forum.Folder, questions []forum.Question) (err error) {
	l, err := ledger.Open(folder.Ledger(), ledger.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	var lines bytes.Buffer
	if err := jsonLines(&lines, questions); err != nil {
		return err
	}
	return l.SetWaiting(lines.Bytes())
}

// waitingElsewhere gives the questions of the last run that are still open and
// not among those of the forum.
func waitingElsewhere(folder forum.Folder, asked []forum.Question) (open []forum.Question, err error) {
	l, err := ledger.Open(folder.Ledger(), ledger.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	data, err := l.Waiting()
	if err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(bytes.NewReader(data)); decoder.More(); {
		var q forum.Question
		if err := decoder.Decode(&q); err != nil {
			return nil, fault.New(fault.Failure, "the questions of the last run cannot be read").At(string(folder), 0, "").
				WithHint("run again: they are written anew")
		}
		decision, decided := l.Decision(q.ID)
		if decided && decision.Verdict != ledger.Unsure || slices.ContainsFunc(asked, func(other forum.Question) bool { return other.ID == q.ID }) {
			continue
		}
		open = append(open, q)
	}
	return open, nil
}
