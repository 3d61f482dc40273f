package review

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"sync"
	"time"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

// Recheck is one text of a blind re-check: a reviewer marked the names in it
// without seeing what the engine had marked. It holds no word of the text.
type Recheck struct {
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
func Estimated(all []Recheck) Estimate {
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

// ReadRechecks reads the file of a project's re-checks; none is no error.
func ReadRechecks(path string) ([]Recheck, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || path == "" {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.Failure, "the re-checks cannot be read").At(path, 0, "")
	}
	var all []Recheck
	decoder := json.NewDecoder(bytes.NewReader(data))
	for n := int64(1); decoder.More(); n++ {
		var r Recheck
		if err := decoder.Decode(&r); err != nil {
			return nil, fault.New(fault.Failure, "not a re-check").At(path, n, "").WithHint("remove the file to begin the re-check anew")
		}
		all = append(all, r)
	}
	return all, nil
}

// rechecks are those of the project.
type rechecks struct {
	mu  sync.Mutex
	all []Recheck
}

func (d *Desk) readRechecks() (err error) {
	d.rechecks.all, err = ReadRechecks(d.options.Recheck)
	return err
}

// keepRecheck adds a re-check to the file, which is written whole.
func (d *Desk) keepRecheck(r Recheck) error {
	d.rechecks.mu.Lock()
	defer d.rechecks.mu.Unlock()
	all := append(d.rechecks.all[:len(d.rechecks.all):len(d.rechecks.all)], r)
	if d.options.Recheck != "" {
		var lines bytes.Buffer
		encoder := json.NewEncoder(&lines)
		for i := range all {
			if err := encoder.Encode(&all[i]); err != nil {
				return fault.New(fault.Failure, "a re-check cannot be written as JSON")
			}
		}
		if err := safefile.Write(d.options.Recheck, lines.Bytes(), 0o600); err != nil {
			return fault.New(fault.Failure, "the re-checks cannot be written").At(d.options.Recheck, 0, "")
		}
	}
	d.rechecks.all = all
	return nil
}

// estimate sums the project's re-checks up.
func (d *Desk) estimate() Estimate {
	d.rechecks.mu.Lock()
	defer d.rechecks.mu.Unlock()
	return Estimated(d.rechecks.all)
}
