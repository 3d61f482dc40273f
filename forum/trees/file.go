package trees

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
)

// Format is named in the first line of a forest's file. It changes with what
// Write writes.
const Format = "anonymooc trees 2"

// boostedFormat is Format for forests whose answers are added up.
const boostedFormat = "anonymooc boosted trees 1"

// wordyFormat is what programs before this one wrote: every node an object.
const wordyFormat = "anonymooc trees 1"

// ErrFormat is returned for files that no Write made.
var ErrFormat = errors.New("trees: not a forest of this version")

// head is the first line of the file. Each following line is a tree: a list of
// numbers, two for each node, what follows "not more" before what follows
// "more".
//
//	a question: feature, limit      an answer: −1 − training examples, share of positive ones or
//	                                step of the logit
//	[3,0.5,-13,0.041667,-8,0.9375]
type head struct {
	Format   string   `json:"format"`
	Features []string `json:"features"`
	Trees    int      `json:"trees"`
}

// Write writes the forest.
func (f *Forest) Write(w io.Writer) error {
	buffered := bufio.NewWriter(w)
	format := Format
	if f.boosted {
		format = boostedFormat
	}
	if err := json.NewEncoder(buffered).Encode(head{format, f.names, len(f.trees)}); err != nil {
		return err
	}
	var line []byte
	for _, tree := range f.trees {
		line = append(line[:0], '[')
		for at := []int32{0}; len(at) > 0; {
			n := &tree[at[len(at)-1]]
			at = at[:len(at)-1]
			first := -1 - n.Count
			if n.Feature >= 0 {
				first = n.Feature
				at = append(at, n.High, n.Low)
			}
			line = append(strconv.AppendInt(line, int64(first), 10), ',')
			line = append(strconv.AppendFloat(line, round(n.Limit), 'f', -1, 64), ',')
		}
		line[len(line)-1] = ']'
		if _, err := buffered.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// round keeps six decimals: a limit lies between two values of a feature, and
// features are counts and shares. Large numbers have no such decimals.
func round(v float64) float64 {
	if math.Abs(v) > 1<<33 {
		return v
	}
	return math.Round(v*1e6) / 1e6
}

// Read reads a forest and checks it, so that Score always ends.
func Read(r io.Reader) (*Forest, error) {
	file, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	first, rest, _ := bytes.Cut(file, []byte("\n"))
	var h head
	if err := json.Unmarshal(first, &h); err != nil || h.Trees < 0 {
		return nil, ErrFormat
	}
	f := &Forest{names: h.Features, boosted: h.Format == boostedFormat}
	switch h.Format {
	case Format, boostedFormat:
		err = f.readTrees(rest, h.Trees)
	case wordyFormat:
		err = f.readWordy(rest, h.Trees)
	default:
		err = ErrFormat
	}
	if err != nil {
		return nil, err
	}
	f.quick = pack(f.trees)
	return f, nil
}

// readTrees reads the lines of some trees, and nothing may follow.
func (f *Forest) readTrees(lines []byte, trees int) error {
	for range trees {
		line, rest, ended := bytes.Cut(lines, []byte("\n"))
		tree := readTree(line, len(f.names))
		if !ended || tree == nil {
			return ErrFormat
		}
		f.trees = append(f.trees, tree)
		lines = rest
	}
	if len(lines) > 0 {
		return ErrFormat
	}
	return nil
}

// readTree reads a tree; nil if it is none.
func readTree(line []byte, features int) []node {
	if len(line) < 2 || line[0] != '[' || line[len(line)-1] != ']' {
		return nil
	}
	numbers := line[1:] // each ends with one byte: a comma, or the bracket
	tree := make([]node, 0, bytes.Count(numbers, []byte(","))/2+1)
	var open []int32 // questions whose second answer is still to come
	for {
		first, rest, ok := number(numbers)
		if !ok || len(rest) == 0 || first != math.Trunc(first) || first >= float64(features) || first < math.MinInt32 {
			return nil
		}
		limit, rest, ok := number(rest)
		if !ok {
			return nil
		}
		numbers = rest
		at := int32(len(tree))
		if first >= 0 {
			tree = append(tree, node{Feature: int32(first), Low: at + 1, Limit: limit})
			open = append(open, at)
			continue
		}
		tree = append(tree, node{Feature: -1, Count: -1 - int32(first), Limit: limit})
		if len(open) == 0 {
			break
		}
		tree[open[len(open)-1]].High = at + 1
		open = open[:len(open)-1]
	}
	if len(numbers) > 0 {
		return nil
	}
	for i := len(tree) - 1; i >= 0; i-- {
		if n := &tree[i]; n.Feature >= 0 {
			n.Count = tree[n.Low].Count + tree[n.High].Count
		}
	}
	return tree
}

// number reads the number that text begins with, and the one byte behind it.
func number(text []byte) (value float64, rest []byte, ok bool) {
	i, digits, decimals := 0, 0, -1
	if len(text) > 0 && text[0] == '-' {
		i = 1
	}
	whole := uint64(0)
loop:
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			whole = whole*10 + uint64(c-'0')
			if digits++; decimals >= 0 {
				decimals++
			}
		case c == '.' && decimals < 0:
			decimals = 0
		case c == ',' || c == ']':
			break loop
		default:
			return 0, nil, false
		}
	}
	if i == len(text) || digits == 0 || text[i] == ']' != (i == len(text)-1) {
		return 0, nil, false
	}
	if digits > exactDigits {
		value, err := strconv.ParseFloat(string(text[:i]), 64)
		return value, text[i+1:], err == nil
	}
	value = float64(whole)
	if decimals > 0 {
		value /= powers[decimals] // both are exact, so the quotient is the nearest number
	}
	if text[0] == '-' {
		value = -value
	}
	return value, text[i+1:], true
}

// exactDigits is how long a whole number may be that a float64 surely holds.
const exactDigits = 15

var powers = [exactDigits + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// readWordy reads trees of the format before this one.
func (f *Forest) readWordy(text []byte, trees int) error {
	lines := json.NewDecoder(bytes.NewReader(text))
	for range trees {
		var tree []node
		if err := lines.Decode(&tree); err != nil || !sound(tree, len(f.names)) {
			return ErrFormat
		}
		f.trees = append(f.trees, tree)
	}
	if lines.More() {
		return ErrFormat
	}
	return nil
}

// sound reports whether every question leads to two later nodes of the tree, and
// no number of examples is below zero.
func sound(tree []node, features int) bool {
	for i, n := range tree {
		if n.Count < 0 {
			return false
		}
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
