package verify

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"anonymooc/internal/fault"
)

// Report is what verify found. It holds no value of the data.
type Report struct {
	Files []File `json:"files"`
	// Residuals are the identifiers that are still there, at most
	// ResidualsPerBlock of each megabyte; ResidualCount counts all of them.
	Residuals     []Finding `json:"residuals"`
	ResidualCount int64     `json:"residual_count"`
	// Unjudged are the places where a person must look: the word may name
	// somebody or be just a word.
	Unjudged []Unjudged `json:"unjudged"`
	// Problems are what else is wrong: hashes, rows, joins, types, kept values
	// that changed, files that must not be in a release.
	Problems []Problem `json:"problems"`
	Joins    []Join    `json:"joins"`
	People   int       `json:"people"`    // pseudonyms met in places for people
	Spelled  int       `json:"spellings"` // that were looked for
	Limits   []string  `json:"limits"`    // what could not be checked, and why
}

// File is one file of the release as verify read it.
type File struct {
	Path   string           `json:"path"`
	Format string           `json:"format"`
	Bytes  int64            `json:"bytes"` // on disk
	Rows   int64            `json:"rows"`  // records, without the header
	Nulls  map[string]int64 `json:"nulls,omitempty"`
}

// Finding is one identifier at one place.
type Finding struct {
	File   string `json:"file"`
	Line   int64  `json:"line"`
	Column string `json:"column"` // or JSON path; "*" stands for a key that is data
	Kind   Kind   `json:"kind"`
	How    string `json:"how"` // known, shape, not a pseudonym; and how it was encoded
}

// Unjudged counts the lines with words that may or may not name somebody.
type Unjudged struct {
	File   string `json:"file"`
	Column string `json:"column"`
	Kind   Kind   `json:"kind"`
	Why    string `json:"why"`
	Count  int64  `json:"lines"`
	Line   int64  `json:"first_line"`
}

// Problem is a check that failed.
type Problem struct {
	File   string `json:"file"`
	Line   int64  `json:"line,omitempty"`
	Column string `json:"column,omitempty"`
	What   string `json:"what"`
}

// Join is one relation between files that research lives on.
type Join struct {
	Name     string `json:"name"`
	Distinct int64  `json:"distinct"` // values that refer
	Orphans  int64  `json:"orphans"`  // of them without a counterpart
	// SourceOrphans is the same number in the export, -1 when it was not given.
	SourceOrphans int64 `json:"source_orphans"`
}

// Passed reports whether nothing was found that a release must not hold.
func (r *Report) Passed() bool { return r.ResidualCount == 0 && len(r.Problems) == 0 }

// Err is nil for a release that passed, else a fault with the exit status for
// residuals.
func (r *Report) Err() error {
	if r.Passed() {
		return nil
	}
	return fault.New(fault.Residual, "%d residual identifiers and %d failed checks", r.ResidualCount, len(r.Problems)).
		WithHint("each is listed by file, line and column; add or correct the rule of that column and run again")
}

// sort puts everything into the order of files and lines.
func (r *Report) sort() {
	slices.SortFunc(r.Residuals, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.How, b.How))
	})
	slices.SortFunc(r.Unjudged, func(a, b Unjudged) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Why, b.Why))
	})
	slices.SortFunc(r.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.What, b.What))
	})
	slices.SortFunc(r.Joins, func(a, b Join) int { return cmp.Compare(a.Name, b.Name) })
}

// WriteText writes the report for a terminal, at most limit lines of each list;
// 0 means all.
func (r *Report) WriteText(w io.Writer, limit int) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	rows := int64(0)
	for _, f := range r.Files {
		rows += f.Rows
	}
	fmt.Fprintf(t, "files\t%d\nrows\t%d\npeople\t%d\nspellings looked for\t%d\nresiduals\t%d\nfailed checks\t%d\nto look at\t%d\n",
		len(r.Files), rows, r.People, r.Spelled, r.ResidualCount, len(r.Problems), len(r.Unjudged))
	section(t, "residuals: file, line, column, kind, how", r.Residuals, limit, func(f Finding) string {
		return fmt.Sprintf("%s\t%d\t%s\t%s\t%s", f.File, f.Line, f.Column, f.Kind, f.How)
	})
	section(t, "failed checks: file, line, column, what", r.Problems, limit, func(p Problem) string {
		return fmt.Sprintf("%s\t%d\t%s\t%s", p.File, p.Line, p.Column, p.What)
	})
	section(t, "to look at: file, column, kind, count, first line, why", r.Unjudged, limit, func(u Unjudged) string {
		return fmt.Sprintf("%s\t%s\t%s\t%d\t%d\t%s", u.File, u.Column, u.Kind, u.Count, u.Line, u.Why)
	})
	section(t, "joins: name, values, without counterpart, the same in the export", r.Joins, limit, func(j Join) string {
		source := "not given"
		if j.SourceOrphans >= 0 {
			source = fmt.Sprint(j.SourceOrphans)
		}
		return fmt.Sprintf("%s\t%d\t%d\t%s", j.Name, j.Distinct, j.Orphans, source)
	})
	section(t, "not checked", r.Limits, limit, func(s string) string { return s })
	return t.Flush()
}

func section[T any](w io.Writer, title string, list []T, limit int, line func(T) string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	for i, item := range list {
		if limit > 0 && i == limit {
			fmt.Fprintf(w, "  … and %d more\n", len(list)-limit)
			return
		}
		fmt.Fprintf(w, "  %s\n", line(item))
	}
}
