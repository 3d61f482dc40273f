// Package fault is the one shape of error that reaches a person: what went
// wrong, where (file, line, column), and what to do about it.
//
// A fault never holds a value read from the data: a message may end up in a
// terminal, a log or a ticket. Whoever makes a fault names the place and the
// rule that was broken, never the cell.
//
//	anonymooc: error: auth_userprofile.csv: line 812: column "year_of_birth": not a year
//	anonymooc: hint: …
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Code is the exit status of a command. The same numbers hold for every
// command and are listed in each help text.
type Code int

// The exit statuses.
const (
	OK        Code = 0 // done
	Failure   Code = 1 // any error that has no number of its own
	Usage     Code = 2 // wrong flags, configuration or rules
	Unbound   Code = 3 // a file, column or schema that no rule names
	Undecided Code = 4 // forms wait for a person's verdict
	Residual  Code = 5 // the release still holds an identifier
	Risk      Code = 6 // the release is above the accepted risk
)

// Fault is an error with a place, a hint and an exit status.
type Fault struct {
	Code   Code
	File   string // path as the user gave it, or the file's name in the export
	Line   int64  // counted from 1; 0 when unknown
	Column string // column name or JSON path; empty when unknown
	What   string // lower case, no full stop, no value from the data
	Hint   string // what to do next; may be empty
	Err    error  // the cause, if it may be shown: it must hold no value either
}

// New makes a fault that ends the command with code.
func New(code Code, format string, args ...any) *Fault {
	return &Fault{Code: code, What: fmt.Sprintf(format, args...)}
}

// At says where the fault is; zero values leave what was known before.
func (f *Fault) At(file string, line int64, column string) *Fault {
	if file != "" {
		f.File = file
	}
	if line > 0 {
		f.Line = line
	}
	if column != "" {
		f.Column = column
	}
	return f
}

// WithHint adds what the user can do about it.
func (f *Fault) WithHint(format string, args ...any) *Fault {
	f.Hint = fmt.Sprintf(format, args...)
	return f
}

// Because records the cause, which errors.Is and errors.As then see.
func (f *Fault) Because(err error) *Fault {
	f.Err = err
	return f
}

// Error gives "file: line n: column "c": what: cause".
func (f *Fault) Error() string {
	var b strings.Builder
	if f.File != "" {
		b.WriteString(f.File + ": ")
	}
	if f.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", f.Line)
	}
	if f.Column != "" {
		fmt.Fprintf(&b, "column %q: ", f.Column)
	}
	b.WriteString(f.What)
	if f.Err != nil {
		b.WriteString(": " + f.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// List is several faults that are reported at once.
type List []*Fault

// Error joins the faults, one a line.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, f := range l {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap lets errors.As find the single faults.
func (l List) Unwrap() []error {
	errs := make([]error, len(l))
	for i, f := range l {
		errs[i] = f
	}
	return errs
}

// Err returns the list as an error, or nil when it is empty.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// CodeOf returns the exit status for an error: that of the first fault in its
// chain, Failure for any other error, OK for nil.
func CodeOf(err error) Code {
	if err == nil {
		return OK
	}
	var f *Fault
	if errors.As(err, &f) {
		return f.Code
	}
	return Failure
}
