package main

import (
	"github.com/spf13/cobra"
)

// newForumCommand is the parent of the commands that work on a forum's text.
func newForumCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "forum",
		Short: "Find and decide who is named in a forum's text",
		Long: `forum works on free text in seven steps (Reffay, Blondel, Allaire & Giguet 2012):
choose categories, catalogue known forms, mark them, mine new ones, decide,
check, substitute. A run substitutes; these commands are for what comes before.

  catalogue   what is known: people of the id map, the officer's own forms
  mark        what is found in the text, and how it would be decided
  mine        forms nobody has catalogued
  review      a page in the browser to decide on; queue and decide do it by files
  concordance a form's occurrences in their context
  check       what is wrong with the replacements
  status      how far the work is
  person      what single authors tell about themselves
  train       let the decision trees learn from the decisions
  export      the marked text, to go on with in other tools; import brings it back
  oral        transcripts and recordings instead of a forum

Without decisions a release can be made with "text: strict", which masks what is
undecided, or "text: drop", which leaves text out.

` + exitStatuses,
		Args: arguments(0, 0, "a command"),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newForumCatalogueCommand(), newForumMarkCommand(), newForumMineCommand(), newForumQueueCommand(),
		newForumDecideCommand(), newForumReviewCommand(), newForumConcordanceCommand(), newForumCheckCommand(), newForumStatusCommand(),
		newForumPersonCommand(), newForumTrainCommand(), newForumExportCommand(), newForumImportCommand(),
		newForumOralCommand(),
	)
	return cmd
}
