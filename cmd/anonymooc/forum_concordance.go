package main

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/forum/mine"
	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

type forumConcordanceFlags struct {
	packages packageFlags
	mongo    mongoFlags
	exact    bool
	json     bool
	limit    int
}

func newForumConcordanceCommand() *cobra.Command {
	var f forumConcordanceFlags
	cmd := &cobra.Command{
		Use:   "concordance FORM EXPORT [EXPORT ...]",
		Short: "Show every occurrence of a form in its context",
		Long: `concordance shows the lines of the forum in which a form stands, one a line, in
whatever case and with whatever accents (key word in context). It needs no
project: it reads the forum and nothing else.

` + exitStatuses,
		Example: `  anonymooc forum concordance Rosa export/
  anonymooc forum concordance "Rosa Luxemburg" export/ --json`,
		Args: argumentsOrServer(2, -1, "a form, and one export or forum file or more"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0], args[1:]) },
	}
	f.packages.add(cmd)
	f.mongo.add(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.exact, "exact", false, "only where it is written exactly so")
	flags.BoolVar(&f.json, "json", false, "print JSON lines")
	flags.IntVar(&f.limit, "limit", 0, "at most this many lines; 0 for all")
	return cmd
}

// errEnough ends the reading of a forum early.
var errEnough = errors.New("enough")

func (f *forumConcordanceFlags) run(cmd *cobra.Command, form string, exports []string) error {
	search := mine.NewConcordance(form)
	if search.Empty() {
		return fault.New(fault.Usage, "the form has no letter or digit")
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	shown := 0
	visit := func(doc *detect.Document) error {
		var failed error
		search.Find(doc, func(_, start, end int) {
			if failed != nil || f.exact && string(doc.Raw[start:end]) != form {
				return
			}
			if f.limit > 0 && shown == f.limit {
				failed = errEnough
				return
			}
			shown++
			failed = f.line(out, forum.NewLine(doc, start, end))
		})
		return failed
	}
	err := withForumFiles(cmd.Context(), exports, &f.packages, &f.mongo, func(files []source.File) error {
		return (&forumSession{files: files}).eachText(visit)
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return errors.Join(err, out.Flush())
}

func (f *forumConcordanceFlags) line(out *bufio.Writer, line forum.Line) error {
	if f.json {
		return jsonLines(out, []forum.Line{line})
	}
	_, err := fmt.Fprintf(out, "%-24s %-5s %60s[%s]%s\n", line.Post, line.Field, lastOf(line.Left, 60), line.Match, line.Right)
	return err
}
