package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
	"anonymooc/forum/person"
	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

type forumPersonFlags struct {
	packages packageFlags
	mongo    mongoFlags
	author   string
	below    int
	limit    int
	json     bool
}

func newForumPersonCommand() *cobra.Command {
	var f forumPersonFlags
	cmd := &cobra.Command{
		Use:   "person EXPORT [EXPORT ...]",
		Short: "Show what each author's posts tell about the author, taken together",
		Long: `person reads the forum and gathers, author by author, what the posts tell about
the author and the author's family: town, age, job, studies, health and so on.
Beside each fact stands how many authors have told the same. A star marks the
smallest combination of facts that the fewest share: a town, a job or an age
names nobody, together they may. Those who stand out most come first.

With --json each author is one line:
  {"author","facts":[{"about","says","category","value","sharing","places":
   [{"post","field","start","end"}]}],"sharing","combination",
   "combination_sharing"}
author is the export's author_id; combination lists places in facts, from 0;
sharing counts the authors who have told all of it; start and end are bytes of
the field as read. Nothing is written; no project is needed.

The list shows what people wrote: keep it where the export is kept.

` + exitStatuses,
		Example: `  anonymooc forum person export/ --below 3
  anonymooc forum person export/ --author 4711
  anonymooc forum person export/ --json > persons.jsonl`,
		Args: forumArguments,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.packages.add(cmd)
	f.mongo.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.author, "author", "", "only the author with this id")
	flags.IntVar(&f.below, "below", 0, "only authors with a combination that fewer than this many share; 0 for all")
	flags.IntVar(&f.limit, "limit", 0, "at most this many authors; 0 for all")
	flags.BoolVar(&f.json, "json", false, "print JSON lines")
	return cmd
}

func (f *forumPersonFlags) run(cmd *cobra.Command, exports []string) error {
	if f.below < 0 || f.limit < 0 {
		return fault.New(fault.Usage, "--below and --limit are counts: 0 or more")
	}
	var people []person.Person
	err := withForumFiles(cmd.Context(), exports, &f.packages, &f.mongo, func(files []source.File) (err error) {
		people, err = readPersons(files)
		return err
	})
	if err != nil {
		return err
	}
	people = f.choose(people)
	out := bufio.NewWriter(cmd.OutOrStdout())
	if f.json {
		err = jsonLines(out, people)
	} else {
		printPersons(out, people)
	}
	return errors.Join(err, out.Flush())
}

// readPersons builds the person files of some forum files.
func readPersons(files []source.File) ([]person.Person, error) {
	posts, err := corpus.Open(files...)
	if err != nil {
		return nil, err
	}
	general, err := lists.Open()
	if err != nil {
		return nil, err
	}
	grammars, err := detect.NewShippedESLO(general)
	if err != nil {
		return nil, err
	}
	file, err := person.Read(posts, grammars)
	if err != nil {
		return nil, err
	}
	return file.People(), nil
}

// choose keeps the authors that the flags ask for.
func (f *forumPersonFlags) choose(people []person.Person) []person.Person {
	people = slices.DeleteFunc(people, func(p person.Person) bool {
		return f.author != "" && p.Author != f.author ||
			f.below > 0 && (p.CombinationSharing == 0 || p.CombinationSharing >= f.below)
	})
	if f.limit > 0 {
		people = people[:min(f.limit, len(people))]
	}
	return people
}

func printPersons(w io.Writer, people []person.Person) {
	for i := range people {
		p := &people[i]
		fmt.Fprintf(w, "author %s", p.Author)
		if len(p.Combination) > 0 {
			fmt.Fprintf(w, ": the facts with a star are told by %s", authors(p.CombinationSharing))
		}
		fmt.Fprintln(w)
		for j := range p.Facts {
			fact := &p.Facts[j]
			star := " "
			if slices.Contains(p.Combination, j) {
				star = "*"
			}
			fmt.Fprintf(w, "  %s %-8s %-20s %q, %d times, told by %s\n", star, fact.About, fact.Says,
				strings.Join(strings.Fields(fact.Value), " "), len(fact.Places), authors(fact.Sharing))
		}
	}
	fmt.Fprintln(w, authors(len(people)))
}

func authors(n int) string {
	if n == 1 {
		return "1 author"
	}
	return fmt.Sprint(n, " authors")
}
