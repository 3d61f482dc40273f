package ledger

import (
	"bytes"
	"encoding/json"

	"anonymooc/internal/safefile"
)

// Forget writes the ledger anew without the decisions that name a person: those
// for which match says so, and whatever took them back. It leaves one entry
// that tells who erased how many, and returns that number. Until the new file
// is whole the old one stays; the numbers of the entries left do not change.
func (l *Ledger) Forget(who string, match func(Entry) bool) (int, error) {
	gone := 0
	err := l.locked(func() error {
		left, removed := l.without(match)
		if gone = removed; removed == 0 {
			return nil
		}
		left = append(left, Entry{Number: l.state.last + 1, At: l.now().UTC(), Who: who, Forgot: removed})
		var lines bytes.Buffer
		for _, entry := range left {
			line, err := json.Marshal(entry)
			if err != nil {
				return fileFault(l.path, "cannot write an entry as JSON", nil)
			}
			lines.Write(append(line, '\n'))
		}
		if err := safefile.Write(l.path, lines.Bytes(), 0o600); err != nil {
			return fileFault(l.path, "cannot write the ledger anew", err)
		}
		return l.catchUp()
	})
	if err != nil {
		return 0, err
	}
	return gone, nil
}

// without gives the entries that stay and the number of those that go.
func (l *Ledger) without(match func(Entry) bool) (left []Entry, removed int) {
	goes := make(map[uint64]bool)
	for _, entry := range l.entries {
		decides := entry.Undo == 0 && entry.Forgot == 0
		if decides && match(entry) || goes[entry.Undo] {
			goes[entry.Number] = true
			removed++
			continue
		}
		left = append(left, entry)
	}
	return left, removed
}
