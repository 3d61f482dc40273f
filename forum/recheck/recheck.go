// Package recheck is what blind re-checks tell of how much is still missed. A
// re-check is a text in which everything is settled, drawn at random and shown to
// a reviewer without marks; what they mark in it and a release would show was
// missed.
//
//	forum/recheck.jsonl ─► Read ─► Estimated ─► the review page, the release's report
//
// The file holds counts and no word of a text.
package recheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"time"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

// Check is one text of a blind re-check: a reviewer marked the names in it
// without seeing what the engine had marked.
type Check struct {
	At     time.Time `json:"at"`
	Who    string    `json:"who"`
	Post   string    `json:"post"`
	Names  int       `json:"names"`  // words that the reviewer marked
	Missed int       `json:"missed"` // of them, words that a release would show
}

// Estimate is what the re-checks say of the whole forum: shares with the bounds
// of Wilson's interval at 95 % (Wilson 1927), which holds for few texts and for
// shares near nought too. Names of one text resemble each other, so the share of
// texts is the safer figure.
type Estimate struct {
	Texts      int      `json:"texts"`
	Names      int      `json:"names"`
	Missed     int      `json:"missed"`
	TextsShow  int      `json:"texts_that_show_a_name"`
	NameShare  Interval `json:"share_of_names_missed"`
	TextsShare Interval `json:"share_of_texts_that_show_a_name"`
}

// Interval is a share between its bounds.
type Interval struct {
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// String writes a share with its bounds, in percent.
func (i Interval) String() string {
	return fmt.Sprintf("%.1f %% (%.1f–%.1f)", 100*i.Share, 100*i.Low, 100*i.High)
}

// Wilson gives the share of hits among n, with its interval at 95 %. Of nothing
// nothing is known: 0 to 1.
func Wilson(hits, n int) Interval {
	if n == 0 {
		return Interval{0, 0, 1}
	}
	const z = 1.959964
	p, size := float64(hits)/float64(n), float64(n)
	middle := (p + z*z/(2*size)) / (1 + z*z/size)
	half := z / (1 + z*z/size) * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	return Interval{p, math.Max(0, middle-half), math.Min(1, middle+half)}
}

// Estimated sums re-checks up.
func Estimated(all []Check) Estimate {
	var e Estimate
	for _, r := range all {
		e.Texts++
		e.Names += r.Names
		e.Missed += r.Missed
		if r.Missed > 0 {
			e.TextsShow++
		}
	}
	e.NameShare, e.TextsShare = Wilson(e.Missed, e.Names), Wilson(e.TextsShow, e.Texts)
	return e
}

// Read reads the file of a project's re-checks; none is no error.
func Read(path string) ([]Check, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || path == "" {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.Failure, "the re-checks cannot be read").At(path, 0, "")
	}
	var all []Check
	decoder := json.NewDecoder(bytes.NewReader(data))
	for n := int64(1); decoder.More(); n++ {
		var r Check
		if err := decoder.Decode(&r); err != nil {
			return nil, fault.New(fault.Failure, "not a re-check").At(path, n, "").WithHint("remove the file to begin the re-check anew")
		}
		all = append(all, r)
	}
	return all, nil
}

// Write replaces the file of a project's re-checks, whole or not at all.
func Write(path string, all []Check) error {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for i := range all {
		if err := encoder.Encode(&all[i]); err != nil {
			return fault.New(fault.Failure, "a re-check cannot be written as JSON")
		}
	}
	if err := safefile.Write(path, lines.Bytes(), 0o600); err != nil {
		return fault.New(fault.Failure, "the re-checks cannot be written").At(path, 0, "")
	}
	return nil
}
