// Command anonymooc turns an edX or Open edX export into a release that
// researchers can use and nobody can be recognised in.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"anonymooc/internal/fault"
)

// version is set when a release of the program is built.
var version = "development"

func main() {
	// Most of the memory is the id map, which stays: collecting twice as often
	// costs little and halves what a big run needs beyond it.
	debug.SetGCPercent(50)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run carries out one command and returns its exit status.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return int(fault.OK)
	}
	if errors.Is(err, context.Canceled) {
		err = fault.New(fault.Failure, "interrupted, nothing is left behind")
	}
	report(stderr, err)
	return int(fault.CodeOf(err))
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "anonymooc",
		Short: "Make releases of edX exports in which nobody can be recognised",
		Long: `anonymooc turns an edX or Open edX export into a release that researchers can
use and nobody can be recognised in: one stable pseudonym a person across files,
courses and years, joins intact, IP addresses turned into places, forum text
anonymised with a person's help.

Start with: anonymooc run EXPORT --out RELEASE

` + exitStatuses,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return fault.New(fault.Usage, "there is no command %q", args[0]).WithHint("anonymooc --help lists the commands")
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fault.New(fault.Usage, "%v", err).WithHint("%s --help shows what it takes", cmd.CommandPath())
	})
	root.AddCommand(
		newScanCommand(), newCheckCommand(), newPreviewCommand(), newRunCommand(), newActionsCommand(),
		newIDsCommand(), newForumCommand(), newVerifyCommand(), newRiskCommand(), newDocumentsCommand(), newMOOCdbCommand(), newParquetCommand(),
	)
	return root
}

// exitStatuses ends the help of every command.
const exitStatuses = `Exit statuses: 0 done, 1 error, 2 usage or configuration, 3 a file or column that
no rule names, 4 forms wait for a decision, 5 an identifier is left in the
release, 6 the risk is above what was accepted.`

// report prints an error and what to do about it. Faults that were found together
// are all shown, each hint once.
func report(w io.Writer, err error) {
	var list fault.List
	if errors.As(err, &list) {
		for _, f := range list {
			reportOne(w, f, f.Hint)
		}
		return
	}
	hint := ""
	var f *fault.Fault
	if errors.As(err, &f) {
		hint = f.Hint
	}
	reportOne(w, err, hint)
}

func reportOne(w io.Writer, err error, hint string) {
	fmt.Fprintf(w, "anonymooc: error: %v\n", err)
	if hint != "" {
		fmt.Fprintf(w, "anonymooc: hint: %s\n", hint)
	}
}

// arguments refuses a wrong number of arguments with the fault's exit status.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return fault.New(fault.Usage, "%s takes %s", cmd.CommandPath(), what).WithHint("%s --help shows an example", cmd.CommandPath())
		}
		return nil
	}
}
