package main

import (
	"context"
	"errors"
	"os/user"
	"time"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/check"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
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
It prints a link for each reviewer; a link lets one browser in, once, and may be
opened at once: the page shows how far the forum is read and goes on by itself. A
page that nobody uses for a while locks itself, and a new link is printed.

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
	f.packages.add(cmd)
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
	s, link, err := f.begin(cmd, exports)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	l, err := openLedger(cmd, s.folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	options := f.options(cmd, s, l)
	server, err := review.Listen(options, f.address)
	if err != nil {
		return err
	}
	for _, name := range f.names() {
		if _, err := server.Invite(name); err != nil {
			return err
		}
	}
	return serveWhileReading(cmd, server, func() (*review.Desk, error) {
		if err := link(); err != nil {
			return nil, err
		}
		return review.NewDesk(options)
	})
}

// options are what the review works on.
func (f *forumReviewFlags) options(cmd *cobra.Command, s *forumSession, l *ledger.Ledger) review.Options {
	reading := new(review.Reading)
	s.files = reading.Watch(cmd.Context(), s.files)
	return review.Options{
		Engine: s.engine, Ledger: l, Idle: f.idle, Reading: reading,
		Elsewhere:    func(asked []forum.Question) ([]forum.Question, error) { return waitingElsewhere(s.folder, asked) },
		Check:        reviewTable,
		ChooseStyle:  func(c detect.Category, style forum.Style) error { return s.folder.ChooseStyle(c, style) },
		KeepContexts: func(e *forum.Engine) (int, error) { return e.KeepContexts(s.folder) },
		People:       func() ([]person.Person, error) { return readPersons(s.files) },
		Recheck:      s.folder.Recheck(),
		Identify:     func(tokens []detect.Token) string { return s.identify(tokens) },
		Tell:         func(reviewer, link string) { cmd.PrintErrf("%s: open %s\n", reviewer, link) },
	}
}

// serveWhileReading lets the links be opened while the forum is read. Ctrl-C ends
// either.
func serveWhileReading(cmd *cobra.Command, server *review.Server, read func() (*review.Desk, error)) error {
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx) }()
	cmd.PrintErrln("reading the forum …")
	desk, err := read()
	switch {
	case cmd.Context().Err() != nil:
		err = nil // told to stop; what reading says of that is no news
	case err == nil:
		server.Open(desk)
		cmd.PrintErrln("the forum is read: the page shows its questions")
	default:
		stop()
	}
	return errors.Join(err, <-served)
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
