package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"anonymooc/config"
	"anonymooc/internal/fault"
	"anonymooc/release"
	"anonymooc/tables"
)

func newCheckCommand() *cobra.Command {
	var project projectFlags
	var packages packageFlags
	var server databaseFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check EXPORT [EXPORT ...]",
		Short: "Tell whether the rules fit an export, without writing anything",
		Long: `check recognises every file of the exports, binds every column to its rule and
reports all problems at once, each with an id that stays the same from one check
to the next and, where a rule is missing, one ready to paste.

` + exitStatuses,
		Example: "  anonymooc check export/",
		Args:    argumentsOrServer(1, -1, "one export or more: folders or packages"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rules, settings, err := rulesOf(cmd, &project)
			if err != nil {
				return err
			}
			export, done, err := openExport(cmd, args, &packages, &server)
			if err != nil {
				return err
			}
			defer done()
			found, err := release.Discover(cmd.Context(), export, rules, settings.Unknown == "drop", tables.DefaultLimits())
			problems, err := problemsOf(err)
			if err != nil {
				return err
			}
			if found == nil { // nothing of the export could be recognised
				found = &release.Discovery{}
			}
			out := cmd.OutOrStdout()
			if asJSON {
				e := json.NewEncoder(out)
				e.SetEscapeHTML(false)
				e.SetIndent("", "  ")
				if err := e.Encode(map[string]any{"problems": append([]problem{}, problems...), "files": len(found.Sources), "warnings": append([]string{}, found.Warnings...)}); err != nil {
					return err
				}
			} else {
				for _, p := range problems {
					fmt.Fprintf(out, "%s  %s\n", p.ID, p.Problem)
					if p.Hint != "" {
						fmt.Fprintf(out, "          %s\n", p.Hint)
					}
				}
				for _, name := range unused(rules, found) {
					fmt.Fprintf(out, "note: no file of table %q\n", name)
				}
			}
			if asJSON && len(problems) == 0 {
				return nil
			}
			if len(problems) > 0 {
				return fault.New(worst(problems), "%s", counted(len(problems), "problem")).WithHint("each line above says what to do")
			}
			_, err = fmt.Fprintf(out, "%s, every column has its rule\n", counted(len(found.Sources), "file"))
			return err
		},
	}
	project.add(cmd)
	packages.add(cmd)
	server.add(cmd)
	addSettings(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// rulesOf returns the rules of a project or, where there is none yet, those the
// flags name.
func rulesOf(cmd *cobra.Command, f *projectFlags) (*tables.RuleSet, config.Settings, error) {
	project, err := config.OpenOrDefault(f.dir, cmd.Flags())
	if err != nil {
		return nil, config.Settings{}, err
	}
	rules, _, err := project.RuleSet()
	return rules, project.Settings, err
}

// problem is a fault with an id that does not change while its cause is there.
type problem struct {
	ID      string     `json:"id"`
	Code    fault.Code `json:"exit_status"`
	File    string     `json:"file,omitempty"`
	Line    int64      `json:"line,omitempty"`
	Column  string     `json:"column,omitempty"`
	Problem string     `json:"problem"`
	Hint    string     `json:"hint,omitempty"`
}

// problemsOf turns the faults of a discovery into problems; any other error is
// given back.
func problemsOf(err error) ([]problem, error) {
	var list fault.List
	var one *fault.Fault
	switch {
	case err == nil:
		return nil, nil
	case errors.As(err, &list):
	case errors.As(err, &one):
		list = fault.List{one}
	default:
		return nil, err
	}
	problems := make([]problem, len(list))
	for i, f := range list {
		sum := sha256.Sum256([]byte(strings.Join([]string{f.File, f.Column, f.What}, "\x00")))
		problems[i] = problem{hex.EncodeToString(sum[:4]), f.Code, f.File, f.Line, f.Column, f.Error(), f.Hint}
	}
	return problems, nil
}

// worst returns the exit status of the first problem that is not a missing rule,
// or Unbound.
func worst(problems []problem) fault.Code {
	for _, p := range problems {
		if p.Code != fault.Unbound {
			return p.Code
		}
	}
	return fault.Unbound
}

// unused lists the tables of which no file was found.
func unused(rules *tables.RuleSet, found *release.Discovery) []string {
	have := map[string]bool{}
	for _, s := range found.Sources {
		have[s.Table.Name] = true
	}
	var names []string
	for _, t := range rules.Tables {
		if !have[t.Name] {
			names = append(names, t.Name)
		}
	}
	return names
}
