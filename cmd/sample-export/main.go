// Command sample-export writes exports of invented courses: small ones to test
// with, large ones to measure with. It made the export in testdata.
//
//	go run ./cmd/sample-export -people 60 -events 600 -posts 160 -courses 2 -seed 1 OUT
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
	"anonymooc/internal/sample"
	"anonymooc/internal/sample/canary"
)

func main() {
	err := run(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "sample-export: error: %v\n", err)
		var f *fault.Fault
		if errors.As(err, &f) && f.Hint != "" {
			fmt.Fprintf(os.Stderr, "sample-export: hint: %s\n", f.Hint)
		}
		os.Exit(int(fault.CodeOf(err)))
	}
}

func run(args []string) error {
	var (
		options  sample.Options
		style    string
		canaries string
		broken   string
		set      canary.Set
	)
	flags := flag.NewFlagSet("sample-export", flag.ContinueOnError)
	flags.IntVar(&options.People, "people", 60, "people of the export")
	flags.IntVar(&options.Events, "events", 1000, "log lines, over all courses")
	flags.IntVar(&options.Posts, "posts", 100, "forum posts, over all courses")
	flags.IntVar(&options.Courses, "courses", 1, "course runs")
	flags.Uint64Var(&options.Seed, "seed", 1, "what all randomness follows from")
	flags.StringVar(&style, "style", "fun", "fun (CSV files) or edx (data package)")
	flags.StringVar(&canaries, "canaries", "", "also write every planted identifier to this `file`; for small exports")
	flags.StringVar(&broken, "broken", "", "also write a `folder` of broken exports, one for each kind of damage")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: sample-export [flags] OUT\n\nwrites an export of invented courses into the new folder OUT\n\nexit status: 0 done, 1 error, 2 usage")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return fault.New(fault.Usage, "wrong flags").Because(err)
	}
	if flags.NArg() != 1 {
		return fault.New(fault.Usage, "name one output folder").WithHint("sample-export [flags] OUT")
	}
	options.Style = sample.Style(style)
	if canaries != "" {
		options.Planted = set.Add
	}
	files, err := sample.Write(flags.Arg(0), options)
	if err != nil {
		return err
	}
	for _, f := range files {
		fmt.Printf("%12d bytes %10d rows  %s\n", f.Size, f.Rows, f.Path)
	}
	if broken != "" {
		if err := sample.WriteBroken(broken); err != nil {
			return err
		}
	}
	if canaries == "" {
		return nil
	}
	return writeCanaries(canaries, set.List())
}

func writeCanaries(path string, list []canary.Canary) error {
	file, err := safefile.Create(path, 0o644)
	if err != nil {
		return err
	}
	defer file.Abort()
	if err := canary.Write(file, list); err != nil {
		return err
	}
	return file.Commit()
}
