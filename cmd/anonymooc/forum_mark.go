package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/detect"
)

type forumMarkFlags struct {
	forumFlags
	policy string
}

func newForumMarkCommand() *cobra.Command {
	var f forumMarkFlags
	cmd := &cobra.Command{
		Use:   "mark EXPORT [EXPORT ...]",
		Short: "Mark who is named in the forum, and say how it would be decided",
		Long: `mark reads the forum and counts the mentions it finds, by category: those that
are masked, those that are kept, and those that are open.

With --json each mention is one line:
  {"post","field","start","end","match","category","entity","verdict","by",
   "score","evidence":[{"by","what"}]}
start and end are bytes of the field as read; by says who decided: rule,
reviewer, or nobody. The list shows what people wrote: keep it where the export
is kept.

` + exitStatuses,
		Args: forumArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			policy, err := forum.ParsePolicy(f.policy)
			if err != nil {
				return err
			}
			return f.mark(cmd, args, policy)
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.policy, "policy", string(forum.Reviewed), "decide as this policy would: strict or reviewed")
	return cmd
}

// mark marks the forum as a policy would.
func (f *forumMarkFlags) mark(cmd *cobra.Command, exports []string, policy forum.Policy) (err error) {
	s, err := f.open(cmd, exports)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	e, err := s.engineOf(policy)
	if err != nil {
		return err
	}
	return f.run(cmd, e)
}

// mentionLine is a mention as JSON.
type mentionLine struct {
	Post     string           `json:"post"`
	Field    string           `json:"field"`
	Start    int              `json:"start"`
	End      int              `json:"end"`
	Match    string           `json:"match"`
	Category detect.Category  `json:"category"`
	Entity   detect.EntityID  `json:"entity,omitempty"`
	Verdict  detect.Verdict   `json:"verdict"`
	By       forum.Decider    `json:"by"`
	Score    float64          `json:"score"`
	Evidence []forum.Evidence `json:"evidence"`
}

func (f *forumMarkFlags) run(cmd *cobra.Command, e *forum.Engine) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	counts := make(map[detect.Category]map[detect.Verdict]int)
	var failed error
	err := e.Each(func(doc *detect.Document, findings []forum.Finding) {
		for _, found := range findings {
			if counts[found.Category] == nil {
				counts[found.Category] = make(map[detect.Verdict]int)
			}
			counts[found.Category][found.Verdict]++
			if f.json && failed == nil {
				failed = encoder.Encode(mentionLine{doc.Post.ID, doc.Field, found.Start, found.End, string(doc.Raw[found.Start:found.End]),
					found.Category, found.Entity, found.Verdict, found.By, found.Score, found.Evidence})
			}
		}
	})
	if !f.json {
		printMarks(out, counts)
	}
	return errors.Join(err, failed, out.Flush())
}

func printMarks(w io.Writer, counts map[detect.Category]map[detect.Verdict]int) {
	fmt.Fprintf(w, "%-14s %9s %9s %9s\n", "category", "masked", "kept", "open")
	for _, category := range detect.Categories() {
		if n := counts[category]; n != nil {
			fmt.Fprintf(w, "%-14s %9d %9d %9d\n", category, n[detect.Mask], n[detect.Keep], n[detect.Unsure])
		}
	}
}
