package trees

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"math"
)

// Format is the first line of a forest's file, without the names. It changes
// when old files can no longer be read.
const Format = "anonymooc trees 1"

// ErrFormat is returned for files that no Write of this version made.
var ErrFormat = errors.New("trees: not a forest of this version")

// head is the first line of the file; each following line is the nodes of a
// tree, root first.
type head struct {
	Format   string   `json:"format"`
	Features []string `json:"features"`
	Trees    int      `json:"trees"`
}

// Write writes the forest.
func (f *Forest) Write(w io.Writer) error {
	buffered := bufio.NewWriter(w)
	lines := json.NewEncoder(buffered)
	if err := lines.Encode(head{Format, f.names, len(f.trees)}); err != nil {
		return err
	}
	for _, tree := range f.trees {
		rounded := make([]node, len(tree))
		for i, n := range tree {
			n.Limit = round(n.Limit)
			rounded[i] = n
		}
		if err := lines.Encode(rounded); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// round keeps six decimals: a limit lies between two values of a feature, and
// features are counts and shares.
func round(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// Read reads a forest and checks it, so that Score always ends.
func Read(r io.Reader) (*Forest, error) {
	lines := json.NewDecoder(bufio.NewReader(r))
	var h head
	if err := lines.Decode(&h); err != nil || h.Format != Format || h.Trees < 0 {
		return nil, ErrFormat
	}
	f := &Forest{names: h.Features}
	for range h.Trees {
		var tree []node
		if err := lines.Decode(&tree); err != nil || !sound(tree, len(h.Features)) {
			return nil, ErrFormat
		}
		f.trees = append(f.trees, tree)
	}
	if lines.More() {
		return nil, ErrFormat
	}
	f.quick = pack(f.trees)
	return f, nil
}

// sound reports whether every question leads to two later nodes of the tree.
func sound(tree []node, features int) bool {
	for i, n := range tree {
		if n.Feature < 0 {
			continue
		}
		at, end := int32(i), int32(len(tree))
		if int(n.Feature) >= features || n.Low <= at || n.Low >= end || n.High <= at || n.High >= end {
			return false
		}
	}
	return len(tree) > 0
}
