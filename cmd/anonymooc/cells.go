package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

// cellsFile is the project's list of cells of single people: it names them by
// their pseudonyms.
type cellsFile string

// Erase takes a person's cells off the list.
func (c cellsFile) Erase(person idmap.Person) (string, error) {
	data, err := os.ReadFile(string(c))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	broken := fault.New(fault.Failure, "the cells of single people cannot be read, so nobody can be taken off them").At(string(c), 0, "").
		WithHint("mend the file or remove it, then erase again")
	if err != nil {
		return "", broken
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return "", broken
	}
	gone := map[string]bool{}
	for _, pseudonym := range person.Pseudonyms {
		gone[strconv.FormatUint(uint64(pseudonym), 10)] = true
	}
	var left bytes.Buffer
	w := csv.NewWriter(&left)
	removed := 0
	for _, row := range rows {
		if gone[row[0]] {
			removed++
			continue
		}
		if err := w.Write(row); err != nil {
			return "", err
		}
	}
	if w.Flush(); removed == 0 {
		return "", w.Error()
	}
	if err := safefile.Write(string(c), left.Bytes(), 0o600); err != nil {
		return "", fault.New(fault.Failure, "the cells of single people cannot be written").At(string(c), 0, "")
	}
	return fmt.Sprintf("cells of single people: %d removed", removed), nil
}
