package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"anonymooc/internal/fault"
	"anonymooc/tables"
)

func newActionsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "actions [NAME]",
		Short: "Explain the actions that rules may name",
		Long: `actions lists what a rule can do with a column, or explains one action: what it
does with numbers, NULL and what it cannot read, its settings, and an example.

` + exitStatuses,
		Example: "  anonymooc actions\n  anonymooc actions pseudonym",
		Args:    arguments(0, 1, "at most one name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			specs := tables.Specs()
			if len(args) == 1 {
				spec, ok := tables.FindSpec(args[0])
				if !ok {
					return fault.New(fault.Usage, "there is no action of this name").WithHint("the actions are %s", strings.Join(actionNames(), ", "))
				}
				specs = []tables.Spec{spec}
			}
			if asJSON {
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetEscapeHTML(false)
				e.SetIndent("", "  ")
				return e.Encode(specs)
			}
			if len(args) == 1 {
				_, err := fmt.Fprint(cmd.OutOrStdout(), specs[0].Help())
				return err
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, s := range specs {
				fmt.Fprintf(w, "%s\t%s\t%s\n", s.Name, s.Family, s.Summary)
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func actionNames() []string {
	var names []string
	for _, s := range tables.Specs() {
		names = append(names, s.Name)
	}
	return names
}
