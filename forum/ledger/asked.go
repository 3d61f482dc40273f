package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

// Asked is what must be known of a question when its answer comes: answers name
// questions by their ids only. Questions that were asked lie beside the ledger,
// in asked.jsonl (0600). They can all be asked again, so the file may be removed.
type Asked struct {
	ID      string `json:"id"`
	Kind    Kind   `json:"kind"`
	Surface string `json:"surface"`

	Also []Asked `json:"also,omitempty"` // asked along with it
	Same bool    `json:"same,omitempty"` // asked along as another spelling: whom the verdict names, it names too
}

func (l *Ledger) askedPath() string { return filepath.Join(filepath.Dir(l.path), "asked.jsonl") }

// Ask remembers questions, beside those that were asked before.
func (l *Ledger) Ask(questions ...Asked) error {
	return l.locked(func() error {
		asked, err := l.readAsked()
		if err != nil {
			return err
		}
		for _, q := range questions {
			asked[q.ID] = q
			for _, a := range q.Also {
				if _, own := asked[a.ID]; !own {
					asked[a.ID] = a
				}
			}
		}
		var lines bytes.Buffer
		encoder := json.NewEncoder(&lines)
		for _, id := range slices.Sorted(maps.Keys(asked)) {
			if err := encoder.Encode(asked[id]); err != nil {
				return fileFault(l.askedPath(), "cannot write a question as JSON", nil)
			}
		}
		if err := safefile.Write(l.askedPath(), lines.Bytes(), 0o600); err != nil {
			return fileFault(l.askedPath(), "cannot keep the questions", err)
		}
		return nil
	})
}

// Questions gives the questions that were asked or answered, by id.
func (l *Ledger) Questions() (map[string]Asked, error) {
	var asked map[string]Asked
	err := l.locked(func() (err error) {
		if asked, err = l.readAsked(); err != nil {
			return err
		}
		for _, entry := range l.entries {
			if _, known := asked[entry.Question]; !known && entry.Question != "" {
				asked[entry.Question] = Asked{ID: entry.Question, Kind: entry.Kind, Surface: entry.Surface, Also: entry.Also}
			}
		}
		return nil
	})
	return asked, err
}

func (l *Ledger) readAsked() (map[string]Asked, error) {
	asked := make(map[string]Asked)
	data, err := os.ReadFile(l.askedPath())
	if errors.Is(err, fs.ErrNotExist) {
		return asked, nil
	}
	if err != nil {
		return nil, fileFault(l.askedPath(), "cannot read the questions", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	for line := int64(1); decoder.More(); line++ {
		var q Asked
		if err := decoder.Decode(&q); err != nil {
			return nil, fault.New(fault.Failure, "not a question").At(l.askedPath(), line, "").
				WithHint("remove the file and list the questions again")
		}
		asked[q.ID] = q
	}
	return asked, nil
}

// waitingPath is the file of the questions that a run met in texts outside the
// forum, which nobody but a run reads: JSON lines, as the queue prints them.
func (l *Ledger) waitingPath() string { return filepath.Join(filepath.Dir(l.path), "waiting.jsonl") }

// SetWaiting keeps the questions that the last run met outside the forum; none
// removes the file.
func (l *Ledger) SetWaiting(lines []byte) error {
	return l.locked(func() error {
		if len(lines) == 0 {
			return l.remove(l.waitingPath())
		}
		if err := safefile.Write(l.waitingPath(), lines, 0o600); err != nil {
			return fileFault(l.waitingPath(), "cannot keep the questions", err)
		}
		return nil
	})
}

// Waiting gives what SetWaiting kept.
func (l *Ledger) Waiting() ([]byte, error) {
	lines, err := os.ReadFile(l.waitingPath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fileFault(l.waitingPath(), "cannot read the questions", err)
	}
	return lines, nil
}

// forgetAsked removes all questions: they hold forms and what stands around them.
func (l *Ledger) forgetAsked() error {
	return errors.Join(l.remove(l.askedPath()), l.remove(l.waitingPath()))
}

func (l *Ledger) remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fileFault(path, "cannot remove the questions", err)
	}
	return nil
}
