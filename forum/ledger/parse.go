package ledger

import (
	"bytes"
	"encoding/json"

	"anonymooc/internal/fault"
)

// parse reads the whole entries of data and tells how many bytes they take.
// What follows the last line end is a torn line and is left out; so is a last
// line that is not JSON, since a disk may keep a line's end and lose its middle.
// after is the number of the last entry before data, line the lines before it.
func parse(path string, data []byte, after uint64, line int64) ([]Entry, int, error) {
	var entries []Entry
	whole := 0
	for whole < len(data) {
		length := bytes.IndexByte(data[whole:], '\n')
		if length < 0 {
			break
		}
		line++
		var entry Entry
		if err := json.Unmarshal(data[whole:whole+length], &entry); err != nil {
			if whole+length+1 == len(data) {
				break
			}
			return nil, 0, damaged(path, line, "not a ledger entry")
		}
		if flaw := entry.flaw(after); flaw != "" {
			return nil, 0, damaged(path, line, flaw)
		}
		after = entry.Number
		entries = append(entries, entry)
		whole += length + 1
	}
	return entries, whole, nil
}

func damaged(path string, line int64, what string) error {
	return fault.New(fault.Failure, "%s", what).At(path, line, "").
		WithHint("the ledger is damaged; put back a copy of it before going on")
}
