package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/ledger"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
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
single mentions where a form means several things.

With --json each question is one line:
  {"id","kind":"form|mention|candidate|context","surface","category",
   "proposal":"mask|keep","score","count","evidence":[{"by","what"}],
   "lines":[{"post","field","start","end","left","match","right"}]}
post is the document's _id; start and end are bytes of the field as read.

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
	questions, err := e.Questions()
	if err != nil {
		return err
	}
	if err := rememberQuestions(s.folder, questions); err != nil {
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
		fmt.Fprintf(w, "%s  %q  %s, %s, %.2f, %d times\n", q.ID, q.Surface, q.Kind, q.Category, q.Score, q.Count)
		for _, line := range q.Lines[:min(shown, len(q.Lines))] {
			fmt.Fprintf(w, "    %60s[%s]%s\n", lastOf(line.Left, 60), line.Match, line.Right)
		}
	}
	fmt.Fprintf(w, "%d questions\n", len(questions))
}

// lastOf gives the last letters of a text.
func lastOf(text string, letters int) string {
	runes := []rune(text)
	return string(runes[max(0, len(runes)-letters):])
}

// askedQuestion is what decide must know of a question: answers carry its id only.
type askedQuestion struct {
	ID      string      `json:"id"`
	Kind    ledger.Kind `json:"kind"`
	Surface string      `json:"surface"`
}

// askedPath is the private file of the questions that were asked so far.
func askedPath(folder forum.Folder) string { return filepath.Join(string(folder), "asked.jsonl") }

// rememberQuestions adds questions to those that were asked.
func rememberQuestions(folder forum.Folder, questions []forum.Question) error {
	asked, err := askedQuestions(folder)
	if err != nil {
		return err
	}
	for _, q := range questions {
		asked[q.ID] = askedQuestion{q.ID, q.Kind, q.Surface}
	}
	all := make([]askedQuestion, 0, len(asked))
	for _, q := range asked {
		all = append(all, q)
	}
	slices.SortFunc(all, func(a, b askedQuestion) int { return bytes.Compare([]byte(a.ID), []byte(b.ID)) })
	var lines bytes.Buffer
	if err := jsonLines(&lines, all); err != nil {
		return err
	}
	if err := safefile.Write(askedPath(folder), lines.Bytes(), 0o600); err != nil {
		return fault.New(fault.Failure, "the questions cannot be kept").At(askedPath(folder), 0, "").Because(cause(err))
	}
	return nil
}

// askedQuestions reads the questions that were asked, by id.
func askedQuestions(folder forum.Folder) (map[string]askedQuestion, error) {
	asked := make(map[string]askedQuestion)
	data, err := os.ReadFile(askedPath(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return asked, nil
	}
	if err != nil {
		return nil, fault.New(fault.Failure, "the questions cannot be read").At(askedPath(folder), 0, "").Because(cause(err))
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	for line := int64(1); decoder.More(); line++ {
		var q askedQuestion
		if err := decoder.Decode(&q); err != nil {
			return nil, fault.New(fault.Failure, "not a question").At(askedPath(folder), line, "").
				WithHint("remove the file and run \"anonymooc forum queue\" again")
		}
		asked[q.ID] = q
	}
	return asked, nil
}

// askedEraser forgets the questions that were asked: they hold forms, and are
// asked again when they are needed.
type askedEraser struct{ folder forum.Folder }

// Erase implements idmap.Eraser.
func (e askedEraser) Erase(idmap.Person) (string, error) {
	err := os.Remove(askedPath(e.folder))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fault.New(fault.Failure, "the questions cannot be removed").At(askedPath(e.folder), 0, "").Because(cause(err))
	}
	return "questions that were asked: all", nil
}
