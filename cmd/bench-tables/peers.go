package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"

	"github.com/go-json-experiment/json/jsontext"

	"anonymooc/release"
)

// peer is somebody else's work on the same bytes, or on the first size of them.
type peer struct {
	name string
	size int
	run  func() error
	cost cost // for the whole file
}

// peers are what others do with the bytes of a file. Slow ones get a part of it.
func peers(s *release.Source, data []byte) []*peer {
	if s.Table.Shape != "json" {
		return []*peer{{name: "encoding/csv, reading only", size: len(data), run: func() error { return readCSV(data) }}}
	}
	part := plainLines(data, 50<<20)
	all := []*peer{
		{name: "jsontext tokens, reading only", size: len(data), run: func() error { return jsonTokens(data) }},
		{name: "encoding/json, decode and encode", size: len(part), run: func() error { return decodeEncode(part) }},
	}
	if path, err := exec.LookPath("jq"); err == nil {
		all = append(all, &peer{name: "jq, four trivial edits", size: len(part), run: func() error {
			c := exec.Command(path, "-c", `.username="u" | .ip="0" | .session="s" | .page="p"`)
			c.Stdin, c.Stdout = bytes.NewReader(part), io.Discard
			return c.Run()
		}})
	}
	return all
}

// plainLines returns about size bytes of lines that are nothing but an object: jq
// ends at a logger's prefix.
func plainLines(data []byte, size int) []byte {
	var part []byte
	for line := range bytes.Lines(data) {
		if line[0] == '{' && json.Valid(line) {
			part = append(part, line...)
		}
		if len(part) > size {
			break
		}
	}
	return part
}

func readCSV(data []byte) error {
	r := csv.NewReader(bytes.NewReader(data))
	r.ReuseRecord, r.LazyQuotes, r.FieldsPerRecord = true, true, -1
	for {
		if _, err := r.Read(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func jsonTokens(data []byte) error {
	for line := range bytes.Lines(data) {
		i := bytes.IndexByte(line, '{')
		if i < 0 {
			continue
		}
		d := jsontext.NewDecoder(bytes.NewReader(line[i:]), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		for {
			if _, err := d.ReadToken(); err == io.EOF {
				break
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

func decodeEncode(data []byte) error {
	e := json.NewEncoder(io.Discard)
	for line := range bytes.Lines(data) {
		var record map[string]any
		if err := json.Unmarshal(line, &record); err != nil {
			return fmt.Errorf("line: %w", err)
		}
		if err := e.Encode(record); err != nil {
			return err
		}
	}
	return nil
}
