package grammar

import (
	"slices"
	"strings"
)

// SplitWord cuts a written word where atoms are cut: after an apostrophe and at
// hyphens and middle dots ("j'habite" → "j'" "habite", "grand-mère" → "grand"
// "mère", "col·lega" → "col" "lega").
func SplitWord(word string) []string {
	var parts []string
	start := 0
	for i, r := range word {
		switch r {
		case '\'', '’':
			parts = append(parts, word[start:i]+"'")
			start = i + len(string(r))
		case '-', '‐', '‑', '·':
			if i > start {
				parts = append(parts, word[start:i])
			}
			start = i + len(string(r))
		}
	}
	if start < len(word) {
		parts = append(parts, word[start:])
	}
	return parts
}

// trie holds the words and phrases of a set as paths of word numbers.
type trie struct {
	next  []edges
	final []bool
	begun row // what firsts found
}

// firsts are the words that phrases begin with; it is asked when all are added.
func (t *trie) firsts() row {
	if t.begun == nil {
		for i := len(t.next[0]) - 1; i >= 0; i-- { // the greatest number first
			t.begun.add(t.next[0][i].word)
		}
	}
	return t.begun
}

// edges lead from a state to the next ones, in the order of their words: most
// states have one or two, which a map would take longer to find.
type edges []edge

type edge struct {
	word uint32
	to   int32
}

// place finds where the edge of a word is, or would be.
func (e edges) place(word uint32) int {
	low, high := 0, len(e)
	for low < high {
		if middle := int(uint(low+high) / 2); e[middle].word < word {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

func (e edges) find(word uint32) (to int32, ok bool) {
	if i := e.place(word); i < len(e) && e[i].word == word {
		return e[i].to, true
	}
	return 0, false
}

// add inserts the edge of a word that has none yet.
func (e *edges) add(word uint32, to int32) {
	*e = slices.Insert(*e, e.place(word), edge{word, to})
}

func newTrie() *trie {
	return &trie{next: []edges{nil}, final: []bool{false}}
}

// add inserts a phrase given as word numbers.
func (t *trie) add(phrase []uint32) {
	at := int32(0)
	for _, word := range phrase {
		following, ok := t.next[at].find(word)
		if !ok {
			following = int32(len(t.next))
			t.next = append(t.next, nil)
			t.final = append(t.final, false)
			t.next[at].add(word, following)
		}
		at = following
	}
	t.final[at] = true
}

// phrases cuts the text of a set at commas. "maître/maîtresse d'école" stands
// for both spellings of its first word.
func phrases(text string) []string {
	var all []string
	for phrase := range strings.SplitSeq(text, ",") {
		expanded := []string{""}
		for word := range strings.FieldsSeq(phrase) {
			var longer []string
			for variant := range strings.SplitSeq(word, "/") {
				for _, head := range expanded {
					longer = append(longer, strings.TrimSpace(head+" "+variant))
				}
			}
			expanded = longer
		}
		for _, one := range expanded {
			if one != "" {
				all = append(all, one)
			}
		}
	}
	return all
}
