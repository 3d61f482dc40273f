package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/lists"
	"anonymooc/forum/oral"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

type forumOralFlags struct {
	project  projectFlags
	out      string
	speakers string
	codes    string
	metadata string
	columns  []string
	charset  string
	names    string
	margin   float64
	cut      string
}

func newForumOralCommand() *cobra.Command {
	var f forumOralFlags
	cmd := &cobra.Command{
		Use:   "oral TRANSCRIPT|FOLDER [...] --out FOLDER",
		Short: "Release transcripts and recordings: names masked, their sound hummed",
		Long: `oral makes a release of WebVTT (.vtt), SubRip (.srt) and Transcriber (.trs) files.
Each transcript is treated as a thread and each turn as a post by its speaker, by
the same engine, catalogue and ledger as a forum. What is not masked stays byte for
byte: times, settings, markup.

Speakers get a code by a naming plan, the same in every transcript and table of the
domain: random (u1234567890), gender (u1234567890F) or relation (u1234567890FEM).
Genders and relations come from --speakers, a CSV with the columns transcript,
speaker, person, of, relation, gender; of them only speaker must be there.

The recording of a transcript is the .wav beside it that is called alike. Where a
name was masked its sound becomes a hum that keeps duration, loudness and
intonation. Times within a cue are worked out from the letters, with margins;
cuts.tsv lists all cuts: listen to them before you release. A voice can be
recognised without any name: ask for the speakers' consent.

--metadata is a CSV about speakers or recordings: its dates become years, its
addresses blocks, its names codes; a column that no rule names stops the release,
and --column says what becomes of it.

Under --text reviewed, "anonymooc forum queue TRANSCRIPT ..." lists what waits for
a decision; "forum review" and "forum decide" take the answers.

` + exitStatuses,
		Example: `  anonymooc forum oral interviews/ --out release/
  anonymooc forum oral interviews/a.trs interviews/b.trs --speakers speakers.csv --codes relation --out release/
  anonymooc forum oral interviews/ --metadata sheet.csv --column "job=drop" --text reviewed --out release/`,
		Args: arguments(1, -1, "one transcript or folder of transcripts, or more"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.project.add(cmd)
	f.project.addKey(cmd)
	addSettings(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "`folder` of the release, which must not exist")
	flags.StringVar(&f.speakers, "speakers", "", "CSV `file` that says who the speakers are")
	flags.StringVar(&f.codes, "codes", string(oral.RandomCodes), "naming plan: random, gender or relation")
	flags.StringVar(&f.metadata, "metadata", "", "CSV `file` about speakers or recordings, to be coarsened")
	flags.StringArrayVar(&f.columns, "column", nil, "what becomes of a column of the metadata: `COLUMN=RULE` (keep, drop, code, year, block, area, file)")
	flags.StringVar(&f.charset, "charset", "", "encoding of transcripts that do not name theirs (default: utf-8)")
	flags.StringVar(&f.names, "names", "code", "names of the release's files: code, or keep when they say nothing about anybody")
	flags.Float64Var(&f.margin, "margin", oral.DefaultMargin, "seconds that a cut is longer on each side than the name")
	flags.StringVar(&f.cut, "cut", "word", "what of a recording is hummed: the word, or the whole cue it stands in")
	return cmd
}

func (f *forumOralFlags) run(cmd *cobra.Command, paths []string) (err error) {
	codes, rules, err := f.check(paths)
	if err != nil {
		return err
	}
	delivery, err := oral.Gather(paths, f.charset)
	if err != nil {
		return err
	}
	tell := cmd.ErrOrStderr()
	s := new(forumSession)
	if s.project, err = f.project.open(cmd, true, tell); err != nil {
		return err
	}
	if err := idmap.CheckPlace(filepath.Join(s.project.Dir, "map"), f.out, f.out+oral.PartialSuffix); err != nil {
		return err
	}
	s.folder = forumFolder(s.project)
	if err := os.MkdirAll(string(s.folder), 0o700); err != nil {
		return fault.New(fault.Failure, "the forum's folder cannot be made").At(string(s.folder), 0, "").Because(cause(err))
	}
	if err := lists.WriteOfficerDefaults(s.folder.Lists()); err != nil {
		return fault.New(fault.Failure, "the lists for the officer cannot be written").At(s.folder.Lists(), 0, "").Because(cause(err))
	}
	if s.people, err = f.project.openMap(s.project, true, "forum oral", tell); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if s.domain, err = s.people.Domain(s.project.Settings.Domain); err != nil {
		return err
	}
	treater, err := f.treater(s, codes, delivery)
	if err != nil {
		return err
	}
	return f.release(cmd, s, delivery, treater, rules)
}

// check looks at the flags, and at where the release is to lie.
func (f *forumOralFlags) check(paths []string) (oral.Codes, map[string]oral.Rule, error) {
	codes, err := oral.ParseCodes(f.codes)
	if err != nil {
		return "", nil, err
	}
	rules := make(map[string]oral.Rule)
	for _, text := range f.columns {
		column, rule, err := oral.ParseRule(text)
		if err != nil {
			return "", nil, err
		}
		rules[column] = rule
	}
	switch {
	case f.out == "":
		return "", nil, fault.New(fault.Usage, "a release wants a place").WithHint("--out FOLDER names the folder to be made")
	case f.cut != "word" && f.cut != "cue":
		return "", nil, fault.New(fault.Usage, "unknown --cut").WithHint("--cut is word or cue")
	case f.names != "code" && f.names != "keep":
		return "", nil, fault.New(fault.Usage, "unknown --names").WithHint("--names is code or keep")
	case !(f.margin >= 0 && f.margin <= 60):
		return "", nil, fault.New(fault.Usage, "--margin is a number of seconds from 0 to 60")
	case len(f.columns) > 0 && f.metadata == "":
		return "", nil, fault.New(fault.Usage, "--column wants --metadata")
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return "", nil, fault.New(fault.Usage, "no such file or folder").At(path, 0, "")
		}
		if !info.IsDir() {
			path = filepath.Dir(path)
		}
		if err := apart(path, f.out); err != nil {
			return "", nil, err
		}
	}
	inside, err := within(f.project.dir, f.out)
	if err == nil && inside {
		err = fault.New(fault.Usage, "the release lies in the project folder, which must stay private").At(f.out, 0, "").WithHint("choose a folder outside of the project")
	}
	return codes, rules, err
}

// apart refuses a release beside or below its sources, or above them.
func apart(sources, out string) error {
	sources, out = resolved(sources), resolved(out)
	above, err := within(sources, out)
	if err == nil && !above {
		above, err = within(out, sources)
	}
	if err == nil && above {
		err = fault.New(fault.Usage, "the release would lie with the recordings it is made of").At(out, 0, "").
			WithHint("choose a folder that is not where the transcripts and recordings are")
	}
	return err
}

// resolved follows links in what there is of a path.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(real, filepath.Base(path))
	}
	return path
}

// treater gets to know the speakers, and opens the engine on what they say.
func (f *forumOralFlags) treater(s *forumSession, codes oral.Codes, delivery *oral.Delivery) (*oral.Treater, error) {
	listed, err := readSpeakers(f.speakers)
	if err != nil {
		return nil, err
	}
	plan, err := oral.NewPlan(s.domain, codes, listed, delivery.Transcripts)
	if err != nil {
		return nil, err
	}
	treater := &oral.Treater{Plan: plan, Timing: oral.Timing{Margin: f.margin, Whole: f.cut == "cue"}, FileName: f.fileNames(s.domain)}
	policy := forum.Policy(s.project.Settings.Text)
	if policy == forum.Drop {
		return treater, s.people.Commit()
	}
	options, err := engineOptions(s.project, policy)
	if err != nil {
		return nil, err
	}
	options.Strangers = true
	if options.Rows, err = plan.Forgotten(delivery.Transcripts); err != nil {
		return nil, err
	}
	var posts []source.File
	for _, t := range delivery.Transcripts {
		posts = append(posts, t.Posts())
	}
	engine, err := forum.Open(s.domain, posts, s.folder, options)
	if err != nil {
		return nil, err
	}
	if err := s.people.Commit(); err != nil { // the queue asks for the same people
		return nil, err
	}
	treater.Engine, treater.Identify = engine, options.Identify
	return treater, decidedText{engine, policy, s.folder}.decided()
}

func readSpeakers(path string) ([]oral.Speaker, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fault.New(fault.Usage, "the list of speakers cannot be read").At(path, 0, "").Because(cause(err))
	}
	defer file.Close()
	return oral.ReadSpeakers(file, filepath.Base(path))
}

// fileNames gives what the release calls a transcript and its recording: the name
// of a file often is a person's.
func (f *forumOralFlags) fileNames(domain *idmap.Domain) func(string) (string, error) {
	if f.names == "keep" {
		return func(stem string) (string, error) { return stem, nil }
	}
	resolver := domain.Resolver()
	return func(stem string) (string, error) {
		token, err := resolver.Token("oral-file", []byte(stem))
		return "oral_" + hex.EncodeToString(token[:8]), err
	}
}

// release writes everything and publishes it; on any error nothing is left.
func (f *forumOralFlags) release(cmd *cobra.Command, s *forumSession, delivery *oral.Delivery, treater *oral.Treater, rules map[string]oral.Rule) (err error) {
	folder, err := oral.Begin(f.out, treater)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Abort()) }()
	if f.metadata != "" {
		if err := folder.AddSheet(f.metadata, rules); err != nil {
			return err
		}
	}
	for _, t := range delivery.Transcripts {
		if err := folder.Add(cmd.Context(), t, delivery.Recordings[oral.Stem(t.Name)]); err != nil {
			return err
		}
	}
	if err := s.people.Commit(); err != nil {
		return err
	}
	if err := folder.Publish(); err != nil {
		return err
	}
	sum := folder.Sum
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s: %d transcripts, %d recordings\n", f.out, sum.Transcripts, sum.Recordings)
	fmt.Fprintf(out, "speakers named at %d places now have codes; %d names masked, %d of them undecided\n", sum.Speakers, sum.Masked, sum.Waiting)
	if sum.Silenced > 0 {
		fmt.Fprintf(out, "%d turns and notes removed whole\n", sum.Silenced)
	}
	if sum.Recordings > 0 {
		fmt.Fprintf(out, "%.1f of %.1f seconds hummed, in %d cuts\n", sum.CutSeconds, sum.Seconds, sum.Cuts)
	}
	if sum.SuppressedMetadata > 0 {
		fmt.Fprintf(out, "%d cells of the metadata were no date or address that can be coarsened, and are empty now\n", sum.SuppressedMetadata)
	}
	fmt.Fprintf(out, "listen to the cuts of %s before you release\n", filepath.Join(f.out, "cuts.tsv"))
	return nil
}
