package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/user"
	"strconv"

	"github.com/spf13/cobra"

	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/internal/fault"
)

type forumDecideFlags struct {
	project  projectFlags
	from     string
	undo     string
	reviewer string
}

func newForumDecideCommand() *cobra.Command {
	var f forumDecideFlags
	cmd := &cobra.Command{
		Use:   "decide --from FILE",
		Short: "Write answers to the questions of the queue into the ledger",
		Long: `decide reads one answer a line and appends it to the project's ledger:
  {"id","verdict":"mask|keep|unsure|common","category","entity","reviewer",
   "mentions":[{"post","field","start","end","verdict"}]}
id is a question's of "anonymooc forum queue --json"; mentions answers for single
occurrences of a form, whatever the form's verdict. Without mentions the verdict
holds for the forms asked along with the question too ("also"). Lines of the
queue with a verdict added are answers too. Either all answers of a file are written or none.

A question of the kind context is about words beside which names stand: mask
trusts them, here and for other corpora, keep takes them out of use.

--undo takes the newest decision back, or the one with a number; taking back is
an entry of its own and can be taken back.

` + exitStatuses,
		Example: `  anonymooc forum decide --from answers.jsonl --reviewer ada
  anonymooc forum decide --undo last`,
		Args: arguments(0, 0, "no arguments: answers come --from a file"),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.project.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", "`file` of answers; - for standard input")
	flags.StringVar(&f.undo, "undo", "", "take back the \"last\" decision, or the one with this number")
	flags.StringVar(&f.reviewer, "reviewer", "", "who decides, where an answer does not say (default: the user's name)")
	return cmd
}

func (f *forumDecideFlags) run(cmd *cobra.Command) (err error) {
	if (f.from == "") == (f.undo == "") {
		return fault.New(fault.Usage, "decide wants either --from or --undo").WithHint("--from - reads standard input")
	}
	project, err := f.project.open(cmd, false, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	folder := forumFolder(project)
	l, err := openLedger(cmd, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if f.undo != "" {
		return f.takeBack(cmd, l)
	}
	entries, err := f.answers(cmd.InOrStdin(), l)
	if err != nil {
		return err
	}
	if _, err := l.Append(entries...); err != nil {
		return err
	}
	cmd.Printf("%d decisions written\n", len(entries))
	return nil
}

func (f *forumDecideFlags) takeBack(cmd *cobra.Command, l *ledger.Ledger) error {
	number := uint64(0)
	if f.undo != "last" {
		var err error
		if number, err = strconv.ParseUint(f.undo, 10, 64); err != nil || number == 0 {
			return fault.New(fault.Usage, "--undo takes \"last\" or the number of a decision")
		}
	}
	entry, err := l.Undo(number, f.who(""))
	if err == nil {
		cmd.Printf("decision %d taken back\n", entry.Undo)
	}
	return err
}

// who names the reviewer: the answer's own, the flag's, the system's user.
func (f *forumDecideFlags) who(answer string) string {
	if answer != "" {
		return answer
	}
	if f.reviewer != "" {
		return f.reviewer
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}

// forumAnswer is a line of the answers. The fields of a question may stand in it
// too, and are not looked at.
type forumAnswer struct {
	ID       string                  `json:"id"`
	Verdict  ledger.Verdict          `json:"verdict"`
	Category string                  `json:"category"`
	Entity   string                  `json:"entity"`
	Reviewer string                  `json:"reviewer"`
	Mentions []ledger.MentionVerdict `json:"mentions"`

	Kind     json.RawMessage `json:"kind"`
	Surface  json.RawMessage `json:"surface"`
	Proposal json.RawMessage `json:"proposal"`
	Score    json.RawMessage `json:"score"`
	Count    json.RawMessage `json:"count"`
	Evidence json.RawMessage `json:"evidence"`
	Lines    json.RawMessage `json:"lines"`
	Also     json.RawMessage `json:"also"`
}

// answers reads and checks all answers.
func (f *forumDecideFlags) answers(standard io.Reader, l *ledger.Ledger) ([]ledger.Entry, error) {
	in, name := standard, "standard input"
	if f.from != "-" {
		file, err := os.Open(f.from)
		if err != nil {
			return nil, fault.New(fault.Usage, "the answers cannot be read").At(f.from, 0, "").Because(cause(err))
		}
		defer file.Close()
		in, name = file, f.from
	}
	asked, err := l.Questions()
	if err != nil {
		return nil, err
	}
	var entries []ledger.Entry
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for number := int64(1); lines.Scan(); number++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		entry, err := f.entry(lines.Bytes(), asked)
		if err != nil {
			return nil, err.At(name, number, "")
		}
		entries = append(entries, entry)
	}
	if lines.Err() != nil {
		return nil, fault.New(fault.Usage, "the answers cannot be read").At(name, 0, "")
	}
	return entries, nil
}

// entry makes a ledger entry of one answer.
func (f *forumDecideFlags) entry(line []byte, asked map[string]ledger.Asked) (ledger.Entry, *fault.Fault) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	var a forumAnswer
	if err := decoder.Decode(&a); err != nil || decoder.More() {
		return ledger.Entry{}, fault.New(fault.Usage, "not an answer: it is no JSON object, or has a field that answers do not have").
			WithHint("anonymooc forum decide --help shows the fields")
	}
	question, ok := asked[a.ID]
	if !ok {
		return ledger.Entry{}, fault.New(fault.Usage, "no question with this id was asked").
			WithHint("ids are those of \"anonymooc forum queue\", run in this project")
	}
	if a.Category != "" && !detect.Category(a.Category).Valid() {
		return ledger.Entry{}, fault.New(fault.Usage, "the category is not known")
	}
	entry := ledger.Entry{
		Who: f.who(a.Reviewer), Question: a.ID, Kind: question.Kind, Surface: question.Surface,
		Verdict: a.Verdict, Category: a.Category, Entity: a.Entity, Mentions: a.Mentions,
	}
	if a.Verdict != "" && len(a.Mentions) == 0 {
		entry.Also = question.Also
	}
	if flaw := entry.Flaw(); flaw != "" {
		return entry, fault.New(fault.Usage, "%s", flaw).WithHint("verdicts are mask, keep, unsure and common")
	}
	return entry, nil
}
