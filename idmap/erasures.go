package idmap

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"anonymooc/internal/fault"
)

// ReadErasures reads the record of erasures of the map in a folder, the first one
// first; none when there is no map or nobody was erased. The record names nobody,
// so no key is needed.
func ReadErasures(dir string) ([]Erasure, error) {
	path := filepath.Join(dir, erasureName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.Failure, "the record of erasures cannot be read").At(path, 0, "").Because(errors.Unwrap(err))
	}
	var erasures []Erasure
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for number := int64(1); lines.Scan(); number++ {
		var e Erasure
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fault.New(fault.Failure, "the record of erasures is damaged").At(path, number, "").
				WithHint("mend the line: a person who was erased stays so, the record only tells when")
		}
		erasures = append(erasures, e)
	}
	return erasures, nil
}
