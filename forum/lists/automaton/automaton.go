// Package automaton keeps a large set of words, each with a small number, in a
// form that is ready when its bytes are read: no map is built and no word is
// decoded when the program starts.
//
// It is a minimal acyclic automaton (Daciuk, Mihov, Watson & Watson 2000,
// "Incremental construction of minimal acyclic finite-state automata",
// algorithm 1): words that begin alike share their first arcs, words that end
// alike and mean the same share their last ones, so that the inflected forms of
// a language cost about a byte and a half each.
//
//	words in order ─► Builder ─► bytes ─► Automaton ─► Walk: one arc a byte
//
// # The bytes
//
//	"anonymooc automaton 1\n" · uint32 root · uint32 arcs · arc …
//
// All numbers are little-endian. An arc is a uint32: its label (bits 0–7),
// whether it is the last of its node (bit 8), and what it leads to (bits 9–31):
// the number of the first arc of the next node, or, under label 0, the value of
// the word that ends here. Label 0 comes first in a node, so a word cannot hold
// the byte 0; the other labels stand in order of how often they are used in the
// whole automaton, so that a search from the left soon finds the usual ones.
package automaton

import (
	"encoding/binary"
	"errors"
)

const (
	magic    = "anonymooc automaton 1\n"
	header   = len(magic) + 8
	arcSize  = 4
	lastArc  = 1 << 8
	shift    = 9
	maxValue = 1<<(32-shift) - 1
)

// ErrDamaged is returned for bytes that no Builder wrote.
var ErrDamaged = errors.New("automaton: damaged")

// Automaton is a set of words with a value each. It is safe for concurrent use.
type Automaton struct {
	arcs  []uint32
	root  uint32
	first [256]uint32 // targets of the root's arcs; none where there is none
}

// none stands for "no such arc": no arc has this number.
const none = maxValue

// Open reads an automaton where it lies. It checks the header and every arc, so that a damaged file is refused and never followed.
func Open(data string) (*Automaton, error) {
	if len(data) < header || data[:len(magic)] != magic {
		return nil, ErrDamaged
	}
	a := &Automaton{root: uint32At(data, len(magic))}
	n := uint32At(data, len(magic)+4)
	if uint64(len(data)-header) != uint64(n)*arcSize || a.root >= n {
		return nil, ErrDamaged
	}
	a.arcs = make([]uint32, n)
	for at := range a.arcs {
		a.arcs[at] = uint32At(data, header+at*arcSize)
	}
	for at := uint32(0); at < n; at++ {
		arc := a.arc(at)
		// A node is written after all the nodes it leads to, so a target lies
		// before its arc: there are no cycles. A word's end comes first.
		if byte(arc) != 0 && arc>>shift >= at {
			return nil, ErrDamaged
		}
		if byte(arc) == 0 && at > 0 && a.arc(at-1)&lastArc == 0 {
			return nil, ErrDamaged
		}
	}
	if a.arc(n-1)&lastArc == 0 {
		return nil, ErrDamaged
	}
	for label := range a.first {
		a.first[label] = a.search(a.root, byte(label))
	}
	return a, nil
}

func uint32At(s string, at int) uint32 {
	s, at = s[at:at+4], 0
	return uint32(s[at]) | uint32(s[at+1])<<8 | uint32(s[at+2])<<16 | uint32(s[at+3])<<24
}

func (a *Automaton) arc(at uint32) uint32 { return a.arcs[at] }

// search finds where the arc with that label leads from the node at.
func (a *Automaton) search(at uint32, label byte) uint32 {
	for {
		arc := a.arc(at)
		if byte(arc) == label {
			return arc >> shift
		}
		if arc&lastArc != 0 {
			return none
		}
		at++
	}
}

// State is a place in the automaton: what has been read so far.
type State uint32

// Dead is the state of what begins no word.
const Dead State = none

// Start is the state in which nothing has been read.
func (a *Automaton) Start() State { return State(a.root) }

// Walk reads on; the result is Dead if no word begins with what has been read.
func (a *Automaton) Walk(from State, text string) State {
	at, i := uint32(from), 0
	if at == none {
		return Dead
	}
	if at == a.root && text != "" {
		at, i = a.first[text[0]], 1
		if text[0] == 0 {
			return Dead
		}
	}
	for ; i < len(text) && at != none; i++ {
		if text[i] == 0 {
			return Dead
		}
		at = a.search(at, text[i])
	}
	return State(at)
}

// Value gives the value of the word that has been read, if it is one.
func (a *Automaton) Value(s State) (uint32, bool) {
	if s == Dead {
		return 0, false
	}
	// The end of a word is the first arc of its node.
	if arc := a.arc(uint32(s)); byte(arc) == 0 {
		return arc >> shift, true
	}
	return 0, false
}

// Find gives the value of a word.
func (a *Automaton) Find(word string) (uint32, bool) {
	if word == "" {
		return 0, false
	}
	return a.Value(a.Walk(a.Start(), word))
}

// Near calls each with the value of every word that one slip of the pen parts
// from the given one: a letter left out, put in, changed, or two neighbours
// swapped. It works on bytes, which are letters in folded Latin words; the
// first letter is taken to be right, because people seldom miss it. It stops
// when each returns false.
func (a *Automaton) Near(word string, each func(value uint32) bool) {
	at := a.Start()
	for i := range len(word) {
		if at = a.Walk(at, word[i:i+1]); at == Dead {
			return
		}
		rest := word[i+1:]
		if len(rest) > 0 && !a.end(a.Walk(at, rest[1:]), each) { // put in
			return
		}
		if len(rest) > 1 && rest[0] != rest[1] {
			swapped := a.Walk(a.Walk(at, rest[1:2]), rest[:1])
			if !a.end(a.Walk(swapped, rest[2:]), each) {
				return
			}
		}
		if !a.nearArcs(uint32(at), rest, each) {
			return
		}
	}
}

// nearArcs tries every letter in place of the next one, and before it.
func (a *Automaton) nearArcs(node uint32, rest string, each func(uint32) bool) bool {
	for ; ; node++ {
		arc := a.arc(node)
		if label := byte(arc); label != 0 {
			to := State(arc >> shift)
			if !a.end(a.Walk(to, rest), each) {
				return false
			}
			if len(rest) > 0 && label != rest[0] && !a.end(a.Walk(to, rest[1:]), each) {
				return false
			}
		}
		if arc&lastArc != 0 {
			return true
		}
	}
}

// end reports a word's end, if the state is one.
func (a *Automaton) end(at State, each func(uint32) bool) bool {
	if value, ok := a.Value(at); ok {
		return each(value)
	}
	return true
}

// Arcs tells how many arcs there are.
func (a *Automaton) Arcs() int { return len(a.arcs) }

// All calls each with every word and its value, until it returns false. The
// order is the automaton's own.
func (a *Automaton) All(each func(word []byte, value uint32) bool) {
	a.all(a.root, make([]byte, 0, 64), each)
}

func (a *Automaton) all(at uint32, word []byte, each func([]byte, uint32) bool) bool {
	for {
		arc := a.arc(at)
		if label := byte(arc); label == 0 {
			if !each(word, arc>>shift) {
				return false
			}
		} else if !a.all(arc>>shift, append(word, label), each) {
			return false
		}
		if arc&lastArc != 0 {
			return true
		}
		at++
	}
}

// appendHeader begins the bytes of an automaton.
func appendHeader(dst []byte, root, arcs uint32) []byte {
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint32(dst, root)
	return binary.LittleEndian.AppendUint32(dst, arcs)
}
