package benchtext

import (
	"fmt"
	"io"
	"strings"
)

// PrintTable writes, in Markdown, how every system does on a corpus with a share
// of the names known.
func (b *Bench) PrintTable(w io.Writer, share float64) error {
	fmt.Fprintf(w, "\n%s, %.0f %% of the names known (%d posts)\n\n", b.gold.Name, 100*share, b.Posts())
	rows := [][]string{{"", "recall people", "recall all", "precision", "F1", "F5", "kept", "decisions"}}
	for _, system := range Systems() {
		s, err := b.Measure(system, share)
		if err != nil {
			return fmt.Errorf("%s: %w", system.Name, err)
		}
		words := &s.Words
		rows = append(rows, []string{system.Name, three(words.Recall()), three(words.RecallAll()), three(words.Precision()),
			fmt.Sprintf("%.3f", words.F(1)), fmt.Sprintf("%.3f", words.F(5)), three(s.KeptAll), fmt.Sprintf("%.0f", b.PerThousand(s.Decisions))})
	}
	return Markdown(w, rows)
}

// three is a share with three digits, a dash for a share of nothing.
func three(s Share) string {
	if s.Whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", s.Of())
}

// Markdown writes rows, the first of which is the head, as a table.
func Markdown(w io.Writer, rows [][]string) error {
	for i, row := range rows {
		if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | ")); err != nil {
			return err
		}
		if i == 0 {
			if _, err := fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(row))); err != nil {
				return err
			}
		}
	}
	return nil
}

// PrintCurves writes the points of curves as a table.
func PrintCurves(w io.Writer, curves []Curve) error {
	rows := [][]string{{"", "decisions", "recall people", "recall all", "precision"}}
	for _, c := range curves {
		for _, p := range c.Points {
			rows = append(rows, []string{c.Name, fmt.Sprintf("%.0f", p.Decisions), fmt.Sprintf("%.3f", p.Recall), fmt.Sprintf("%.3f", p.RecallAll), fmt.Sprintf("%.3f", p.Precision)})
		}
	}
	return Markdown(w, rows)
}
