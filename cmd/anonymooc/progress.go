package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"anonymooc/internal/source"
	"anonymooc/release"
	"anonymooc/tables"
)

// newProgress shows a run's progress: a bar on a terminal, else a line a file.
func newProgress(w io.Writer) release.Progress {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &barProgress{w: w}
	}
	return &lineProgress{w: w}
}

// barProgress draws a bar with file, bytes, rate and time left.
type barProgress struct {
	w     io.Writer
	bar   *progressbar.ProgressBar
	files int
	file  int
	rows  int64
	name  string
}

func (p *barProgress) Start(files int, bytes int64) {
	p.files = files
	p.bar = progressbar.NewOptions64(bytes,
		progressbar.OptionSetWriter(p.w),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetWidth(24),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(true),
	)
}

func (p *barProgress) File(name string, _ int64) {
	p.file++
	p.name = name
	p.describe()
}

func (p *barProgress) describe() {
	name := p.name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	p.bar.Describe(fmt.Sprintf("%d/%d %s, %s rows", p.file, p.files, name, thousands(p.rows)))
}

func (p *barProgress) Read(bytes, rows int64) {
	p.rows += rows
	p.describe()
	_ = p.bar.Add64(bytes) // a bar that cannot be drawn stops nothing
}

func (p *barProgress) Stage(name string) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintln(p.w, name+" …")
}

func (p *barProgress) Done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// lineProgress writes plain lines, for logs and pipes.
type lineProgress struct {
	w     io.Writer
	files int
	file  int
}

func (p *lineProgress) Start(files int, bytes int64) {
	p.files = files
	fmt.Fprintf(p.w, "%s%s\n", counted(files, "file"), sizeIfKnown(bytes))
}

func (p *lineProgress) File(name string, bytes int64) {
	p.file++
	fmt.Fprintf(p.w, "[%d/%d] %s%s\n", p.file, p.files, name, sizeIfKnown(bytes))
}

// sizeIfKnown is what follows a name: of what is encrypted, only reading tells.
func sizeIfKnown(bytes int64) string {
	if bytes == source.Unknown {
		return ""
	}
	return ", " + megabytes(bytes)
}

func (p *lineProgress) Read(int64, int64) {}
func (p *lineProgress) Stage(name string) { fmt.Fprintln(p.w, name) }
func (p *lineProgress) Done()             {}

func megabytes(bytes int64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

// counted gives a number with its noun: "1 file", "2 files".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(int64(n)) + " " + noun + "s"
}

// thousands groups the digits of a number.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// summarise prints what a run did, file by file.
func summarise(w io.Writer, result *release.Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "rows\tpeople\tkept\tchanged\tdropped\tmasked\t  file")
	for _, o := range result.Manifest.Outputs {
		c := countColumns(o.Columns)
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\t  %s\n", thousands(o.RowsOut), thousands(o.People), c.kept, c.changed, c.dropped, thousands(c.masked), o.Path)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "(kept, changed, dropped: columns or paths by what the rules say; masked: places in texts)")
	for _, warning := range result.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
	if result.Aside != "" {
		fmt.Fprintf(w, "set aside: %s (private, never part of a release)\n", result.Aside)
	}
	_, err := fmt.Fprintf(w, "text policy: %s, people known: %s\nrelease: %s\n", result.Manifest.TextPolicy, thousands(int64(result.People)), result.Out)
	return err
}

type columnCounts struct {
	kept, changed, dropped int
	masked                 int64
}

// countColumns counts columns by their action; the paths inside a column count
// as columns where they were met.
func countColumns(columns []tables.ColumnTally) (n columnCounts) {
	for _, c := range columns {
		n.masked += c.Masked + c.Waiting
		switch action, _, _ := strings.Cut(c.Action, "("); action {
		case "keep":
			n.kept++
		case "drop", "blank":
			n.dropped++
		default:
			n.changed++
		}
		for _, f := range c.Fields {
			n.masked += f.Masked + f.Waiting
		}
	}
	return n
}
