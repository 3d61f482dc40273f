package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/internal/fault"
)

func newForumStatusCommand() *cobra.Command {
	var f forumFlags
	cmd := &cobra.Command{
		Use:   "status EXPORT [EXPORT ...]",
		Short: "Say how far the review of a forum is",
		Long: `status counts the people, forms, decisions and open questions of a forum. It
ends with status 4 while anything is undecided, as a reviewed release would.

` + exitStatuses,
		Args: forumArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.withEngine(cmd, args, func(_ *forumSession, e *forum.Engine) error { return forumStatus(cmd, e, f.json) })
		},
	}
	f.add(cmd)
	return cmd
}

func forumStatus(cmd *cobra.Command, e *forum.Engine, asJSON bool) error {
	report := e.Report()
	status := struct {
		People    int `json:"people"`
		Forms     int `json:"forms"`
		Mined     int `json:"mined"`
		Decisions int `json:"decisions"`
		Questions int `json:"questions"`
	}{report.People, report.Forms, report.Mined, report.Decisions, report.Questions}
	if asJSON {
		if err := json.NewEncoder(cmd.OutOrStdout()).Encode(status); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(cmd.OutOrStdout(), "people     %8d\nforms      %8d, %d of them found by mining\ndecisions  %8d\nquestions  %8d still open\n",
			status.People, status.Forms, status.Mined, status.Decisions, status.Questions)
	}
	if status.Questions > 0 {
		return fault.New(fault.Undecided, "%d questions wait for a decision", status.Questions).
			WithHint("anonymooc forum queue lists them, forum decide takes the answers")
	}
	return nil
}
