package main

import (
	"errors"
	"os/user"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/check"
	"anonymooc/forum/detect"
	"anonymooc/forum/person"
	"anonymooc/forum/review"
	"anonymooc/internal/fault"
)

type forumReviewFlags struct {
	forumFlags
	address   string
	reviewers []string
	idle      time.Duration
}

func newForumReviewCommand() *cobra.Command {
	var f forumReviewFlags
	cmd := &cobra.Command{
		Use:   "review EXPORT [EXPORT ...]",
		Short: "Open the page on which people answer the questions",
		Long: `review reads the forum and serves a page on this machine alone, on which the
questions of the queue are answered: one key is a verdict and the next question.
It prints a link for each reviewer; a link lets one browser in, once. A page that
nobody uses for a while locks itself, and a new link is printed.

Every answer is in the project's ledger when the next question appears; undoing
is an entry of the ledger too. Stop the page with Ctrl-C whenever you like.

The page listens on a loopback address only. To reach it from another machine,
forward the port: ssh -L 8080:127.0.0.1:8080 machine, with --address 127.0.0.1:8080.

` + exitStatuses,
		Example: `  anonymooc forum review export/
  anonymooc forum review export/ --reviewer ada --reviewer grace --address 127.0.0.1:8080`,
		Args: forumArguments,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.project.add(cmd)
	f.project.addKey(cmd)
	addSettings(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.known, "known", false, "take people as the id map knows them, without reading who is who in the export again")
	flags.StringVar(&f.address, "address", "127.0.0.1:0", "loopback `address` and port to listen on; port 0 takes any")
	flags.StringArrayVar(&f.reviewers, "reviewer", nil, "`name` of a reviewer; may be given several times (default: the user's name)")
	flags.DurationVar(&f.idle, "idle", review.DefaultIdle, "lock a page that nobody has used for so long")
	return cmd
}

func (f *forumReviewFlags) run(cmd *cobra.Command, exports []string) (err error) {
	if f.idle < time.Minute {
		return fault.New(fault.Usage, "--idle is a minute or more").WithHint("--idle 15m")
	}
	s, err := f.open(cmd, exports)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	l, err := openLedger(cmd, s.folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	cmd.PrintErrln("reading the forum …")
	desk, err := review.NewDesk(review.Options{
		Engine: s.engine, Ledger: l, Idle: f.idle,
		Elsewhere: func(asked []forum.Question) ([]forum.Question, error) { return waitingElsewhere(s.folder, asked) },
		Check:     reviewTable,
		People:    func() ([]person.Person, error) { return readPersons(s.files) },
		Recheck:   filepath.Join(string(s.folder), "recheck.jsonl"),
		Identify:  func(tokens []detect.Token) string { return s.identify(tokens) },
		Tell:      func(reviewer, link string) { cmd.PrintErrf("%s: open %s\n", reviewer, link) },
	})
	if err != nil {
		return err
	}
	server, err := review.Listen(desk, f.address)
	if err != nil {
		return err
	}
	for _, name := range f.names() {
		if _, err := server.Invite(name); err != nil {
			return err
		}
	}
	return server.Serve(cmd.Context())
}

// names are the reviewers to invite.
func (f *forumReviewFlags) names() []string {
	if len(f.reviewers) > 0 {
		return f.reviewers
	}
	if u, err := user.Current(); err == nil {
		return []string{u.Username}
	}
	return []string{"reviewer"}
}

// reviewTable makes the table of replacements and looks for trouble in it.
func reviewTable(e *forum.Engine) ([]check.Row, []check.Alert, error) {
	table, explained, err := replacementTable(e)
	if err != nil {
		return nil, nil, err
	}
	text, err := whatStays(e, table)
	if err != nil {
		return nil, nil, err
	}
	return table, append(check.Alerts(table, text), explained...), nil
}
