package main

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"anonymooc/forum"
	"anonymooc/forum/calix"
	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

type forumExportFlags struct {
	forumFlags
	format string
	out    string
}

func newForumExportCommand() *cobra.Command {
	var f forumExportFlags
	cmd := &cobra.Command{
		Use:   "export EXPORT [EXPORT ...] --format calix|csv|json --out FILE",
		Short: "Write the marked forum or its forms, to work on elsewhere",
		Long: `export writes what the engine found, decided or not:
  calix  the forum as XMLForum with every mark, as Calico and TXM read it;
         "anonymooc forum import" reads the decisions back
  csv    the table of forms and what they name (Reffay et al. 2012, table 2)
  json   one mark a line

The file holds what people wrote, names included. It is made for the owner's eyes
only (0600) and is no release: keep it where the export is kept.

` + exitStatuses,
		Example: `  anonymooc forum export export/ --format calix --out forum.xml
  anonymooc forum export export/ --format csv --out forms.csv`,
		Args: forumArguments,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.project.add(cmd)
	f.project.addKey(cmd)
	f.packages.add(cmd)
	addSettings(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.known, "known", false, "take people as the id map knows them, without reading who is who in the export again")
	flags.StringVar(&f.format, "format", "calix", "calix, csv or json")
	flags.StringVar(&f.out, "out", "", "`file` to write")
	return cmd
}

func (f *forumExportFlags) run(cmd *cobra.Command, args []string) error {
	writers := map[string]func(io.Writer, *forumSession, *forum.Engine) error{
		"calix": exportCalix, "csv": exportCSV, "json": exportJSON,
	}
	write, ok := writers[f.format]
	if !ok {
		return fault.New(fault.Usage, "unknown format").WithHint("formats are calix, csv and json")
	}
	if f.out == "" {
		return fault.New(fault.Usage, "an export wants a place").WithHint("--out FILE names the file to be made")
	}
	if err := checkPrivatePlace(f.out); err != nil {
		return err
	}
	if _, err := os.Lstat(f.out); err == nil {
		return fault.New(fault.Usage, "there is a file here already").At(f.out, 0, "").WithHint("choose another name, or remove it")
	}
	return f.withEngine(cmd, args, func(s *forumSession, e *forum.Engine) error {
		file, err := safefile.Create(f.out, 0o600)
		if err != nil {
			return fault.New(fault.Failure, "the file cannot be made").At(f.out, 0, "").Because(cause(err))
		}
		defer file.Abort()
		out := bufio.NewWriter(file)
		if err := write(out, s, e); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return fault.New(fault.Failure, "the file cannot be written").At(f.out, 0, "").Because(cause(err))
		}
		return file.Commit()
	})
}

// exportCalix writes the posts in the order of the files. The author is written
// as a pseudonym: no one needs the account to judge a mark.
func exportCalix(out io.Writer, s *forumSession, e *forum.Engine) error {
	authors := s.domain.Resolver()
	w := calix.NewWriter(out)
	err := s.eachPost(e, func(p *corpus.Post, title, body []forum.Finding) error {
		post := calix.Post{ID: p.ID, Thread: p.Thread, Parent: p.Parent,
			Subject: calix.Text{Raw: p.Title, Marks: calixMarks(title)}, Body: calix.Text{Raw: p.Body, Marks: calixMarks(body)}}
		if person, known := authors.Known(idmap.UserID, []byte(p.Author)); known {
			post.Author = person.Username()
		}
		if !p.Created.IsZero() {
			post.Date = p.Created.UTC().Format(time.RFC3339)
		}
		return w.Post(post)
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// eachPost calls visit with every post and the findings in its texts.
func (s *forumSession) eachPost(e *forum.Engine, visit func(p *corpus.Post, title, body []forum.Finding) error) error {
	posts, err := corpus.Open(s.files...)
	if err != nil {
		return err
	}
	return posts.Each(func(p *corpus.Post) error {
		var found [2][]forum.Finding
		for i, part := range [...]struct{ field, text string }{{"title", p.Title}, {"body", p.Body}} {
			if part.text != "" {
				found[i] = e.Findings(s.document(p, part.field, part.text))
			}
		}
		return visit(p, found[0], found[1])
	})
}

func calixMarks(findings []forum.Finding) []calix.Mark {
	marks := make([]calix.Mark, 0, len(findings))
	for i := range findings {
		f := &findings[i]
		m := calix.Mark{
			Start: f.Start, End: f.End, Entity: string(f.Entity), Type: entityType(f), Category: calix.CategoryName(f.Category),
			Case: calix.CaseOf(f.Surface), Form: "normal", Modified: modifiedOf(f),
		}
		if f.Mined {
			m.Form = "variant"
		}
		marks = append(marks, m)
	}
	return marks
}

// entityType is the paper's type of entity for a finding.
func entityType(f *forum.Finding) string {
	switch {
	case f.Category == detect.Place:
		return "Place"
	case f.Category == detect.Organisation:
		return "Institution"
	case f.Entity != "":
		return "Participant"
	}
	return "Unknown"
}

func modifiedOf(f *forum.Finding) calix.Modified {
	switch f.Verdict {
	case detect.Mask:
		return calix.Yes
	case detect.Keep:
		return calix.No
	}
	return calix.Wait
}

// formRow is a line of the table of forms and entities.
type formRow struct {
	form, shape, category, kind, entity, verdict string
}

// exportCSV writes the paper's table 2 for what was found, with how often and
// what was decided. A form's name may begin with a character that a spreadsheet
// takes for a formula; such a cell is written with a quote before it.
func exportCSV(out io.Writer, _ *forumSession, e *forum.Engine) error {
	counts := make(map[formRow]int)
	err := e.Each(func(_ *detect.Document, findings []forum.Finding) {
		for i := range findings {
			f := &findings[i]
			shape := "normal"
			if f.Mined {
				shape = "variant"
			}
			counts[formRow{f.Surface, shape, string(f.Category), entityType(f), string(f.Entity), string(f.Verdict)}]++
		}
	})
	if err != nil {
		return err
	}
	rows := make([]formRow, 0, len(counts))
	for row := range counts {
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b formRow) int {
		return cmp.Or(strings.Compare(a.form, b.form), strings.Compare(a.entity, b.entity), strings.Compare(a.category, b.category),
			strings.Compare(a.verdict, b.verdict), strings.Compare(a.kind, b.kind), strings.Compare(a.shape, b.shape))
	})
	w := csv.NewWriter(out)
	w.Write([]string{"form", "shape", "category", "entity_type", "entity_id", "verdict", "count"})
	for _, row := range rows {
		w.Write([]string{harmless(row.form), row.shape, row.category, row.kind, row.entity, row.verdict, strconv.Itoa(counts[row])})
	}
	w.Flush()
	return w.Error()
}

func harmless(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

// markLine is a mark as json exports it.
type markLine struct {
	Post     string           `json:"post"`
	Field    string           `json:"field"`
	Start    int              `json:"start"`
	End      int              `json:"end"`
	Surface  string           `json:"surface"`
	Category detect.Category  `json:"category"`
	Entity   detect.EntityID  `json:"entity,omitempty"`
	Score    float64          `json:"score"`
	Verdict  detect.Verdict   `json:"verdict"`
	By       forum.Decider    `json:"by,omitempty"`
	Question string           `json:"question"`
	Evidence []forum.Evidence `json:"evidence"`
}

// exportJSON writes one mark a line, in the order of the files.
func exportJSON(out io.Writer, _ *forumSession, e *forum.Engine) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	var failed error
	err := e.Each(func(doc *detect.Document, findings []forum.Finding) {
		for i := range findings {
			f := &findings[i]
			line := markLine{doc.Post.ID, doc.Field, f.Start, f.End, f.Surface, f.Category, f.Entity, f.Score, f.Verdict, f.By, f.Question, f.Evidence}
			if err := encoder.Encode(line); err != nil && failed == nil {
				failed = err
			}
		}
	})
	return cmp.Or(err, failed)
}
