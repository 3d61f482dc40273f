package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/calix"
	"anonymooc/forum/corpus"
	"anonymooc/forum/ledger"
	"anonymooc/internal/fault"
)

type forumImportFlags struct {
	forumFlags
	format   string
	from     string
	reviewer string
}

func newForumImportCommand() *cobra.Command {
	var f forumImportFlags
	cmd := &cobra.Command{
		Use:   "import EXPORT [EXPORT ...] --format calix --from FILE",
		Short: "Read decisions back from a marked forum",
		Long: `import reads a forum that "anonymooc forum export" wrote and that was worked on
in Calico, TXM or an editor, and writes what was decided there into the ledger:
modified="yes" masks, modified="no" keeps, "wait" decides nothing. Only what
differs from what the engine would do anyway is written. Where all occurrences
of a form were judged alike, that becomes the form's verdict; otherwise each
occurrence has its own. A mark that the engine did not make becomes a new form.

The texts must be those of the export, byte for byte. Either all decisions of a
file are written or none.

` + exitStatuses,
		Example: `  anonymooc forum import export/ --from forum.xml --reviewer ada`,
		Args:    forumArguments,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.project.add(cmd)
	f.project.addKey(cmd)
	f.packages.add(cmd)
	addSettings(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.known, "known", false, "take people as the id map knows them, without reading who is who in the export again")
	flags.StringVar(&f.format, "format", "calix", "calix")
	flags.StringVar(&f.from, "from", "", "`file` to read")
	flags.StringVar(&f.reviewer, "reviewer", "", "who decided (default: the user's name)")
	return cmd
}

func (f *forumImportFlags) run(cmd *cobra.Command, args []string) error {
	if f.format != "calix" || f.from == "" {
		return fault.New(fault.Usage, "import wants --format calix and --from a file")
	}
	marked, err := readMarkedPosts(f.from)
	if err != nil {
		return err
	}
	return f.withEngine(cmd, args, func(s *forumSession, e *forum.Engine) (err error) {
		decisions := newImport((&forumDecideFlags{reviewer: f.reviewer}).who(""), f.from)
		err = s.eachPost(e, func(p *corpus.Post, title, body []forum.Finding) error {
			post, ok := marked[p.ID]
			if !ok {
				return nil
			}
			delete(marked, p.ID)
			return errors.Join(decisions.text(p.ID, "title", p.Title, post.Subject, title), decisions.text(p.ID, "body", p.Body, post.Body, body))
		})
		if err != nil {
			return err
		}
		if len(marked) > 0 {
			return fault.New(fault.Usage, "%d posts of the file are not in the export", len(marked)).At(f.from, 0, "")
		}
		l, err := openLedger(cmd, s.folder)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, l.Close()) }()
		entries := decisions.entries()
		if _, err := l.Append(entries...); err != nil {
			return err
		}
		cmd.Printf("%d decisions written\n", len(entries))
		return nil
	})
}

// readMarkedPosts reads a whole marked forum, by post.
func readMarkedPosts(path string) (map[string]calix.Post, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fault.New(fault.Usage, "the marked forum cannot be read").At(path, 0, "").Because(cause(err))
	}
	defer file.Close()
	posts := make(map[string]calix.Post)
	for r := calix.NewReader(file, path); ; {
		post, err := r.Next()
		if errors.Is(err, io.EOF) {
			return posts, nil
		}
		if err != nil {
			return nil, err
		}
		if _, twice := posts[post.ID]; twice {
			return nil, fault.New(fault.Usage, "a post stands twice in the file").At(path, 0, "")
		}
		posts[post.ID] = post
	}
}

// forumImport gathers decisions, by question, in the order they are met.
type forumImport struct {
	who, file string
	order     []string
	byForm    map[string]*ledger.Entry
	changed   map[string]bool
}

func newImport(who, file string) *forumImport {
	return &forumImport{who: who, file: file, byForm: make(map[string]*ledger.Entry), changed: make(map[string]bool)}
}

// text compares the marks of a text with what the engine found there.
func (i *forumImport) text(post, field, raw string, text calix.Text, findings []forum.Finding) error {
	if text.Raw != raw {
		return fault.New(fault.Usage, "a post's text is not that of the export").At(i.file, 0, field).
			WithHint("only marks may be changed; export again and repeat the work on the new file")
	}
	at := make(map[[2]int]*forum.Finding, len(findings))
	for n := range findings {
		at[[2]int{findings[n].Start, findings[n].End}] = &findings[n]
	}
	for _, mark := range text.Marks {
		verdict, decided := verdictOf(mark)
		if !decided {
			continue
		}
		where := ledger.MentionVerdict{Mention: ledger.Mention{Post: post, Field: field, Start: mark.Start, End: mark.End}, Verdict: verdict}
		if f := at[[2]int{mark.Start, mark.End}]; f != nil {
			kind := ledger.KindForm
			if f.Mined {
				kind = ledger.KindCandidate
			}
			i.add(f.Question, kind, f.Surface, mark, where, modifiedOf(f) != mark.Modified)
			continue
		}
		surface := raw[mark.Start:mark.End]
		i.add(ledger.QuestionID(ledger.KindForm, "imported", surface), ledger.KindForm, surface, mark, where, true)
	}
	return nil
}

func verdictOf(mark calix.Mark) (ledger.Verdict, bool) {
	switch {
	case mark.Modified == calix.Yes:
		return ledger.Mask, true
	case mark.Modified == calix.No && mark.Type == calix.TypeCommon:
		return ledger.Common, true
	case mark.Modified == calix.No:
		return ledger.Keep, true
	}
	return "", false
}

// add records one judged occurrence. differs says whether the engine would have
// done otherwise.
func (i *forumImport) add(question string, kind ledger.Kind, surface string, mark calix.Mark, where ledger.MentionVerdict, differs bool) {
	entry := i.byForm[question]
	if entry == nil {
		entry = &ledger.Entry{Who: i.who, Question: question, Kind: kind, Surface: surface, Entity: mark.Entity}
		if category, ok := calix.ParseCategory(mark.Category); ok {
			entry.Category = string(category)
		}
		i.byForm[question] = entry
		i.order = append(i.order, question)
	}
	if entry.Entity != mark.Entity {
		entry.Entity = "" // a homonym: the form alone tells nobody
	}
	entry.Mentions = append(entry.Mentions, where)
	i.changed[question] = i.changed[question] || differs
}

// entries gives the decisions that change something. Where all occurrences
// agree the verdict is the form's.
func (i *forumImport) entries() []ledger.Entry {
	var entries []ledger.Entry
	for _, question := range i.order {
		if !i.changed[question] {
			continue
		}
		entry := *i.byForm[question]
		agreed := true
		for _, m := range entry.Mentions {
			agreed = agreed && m.Verdict == entry.Mentions[0].Verdict
		}
		if agreed {
			entry.Verdict = entry.Mentions[0].Verdict
		}
		entries = append(entries, entry)
	}
	return entries
}
