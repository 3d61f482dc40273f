// Package canary holds the identifiers that were planted in an invented
// export, and looks for them in what was made of it.
//
// A canary is one identifier of one person at one place of the export. Search
// reads every file of a release through the codes identifiers hide in (JSON
// escapes, percent-encoding, HTML character references, base64, and these
// inside each other), folds what it reads, and reports where a canary still
// stands:
//
//	line ─► views (decoded until nothing new appears) ─► folded ─► whole values
//	      └► columns, JSON keys and URL places that hold people ─► common words
//
// It reads a few megabytes a second: it is meant for releases of small exports.
//
// Some identifiers are ordinary words: a user may be called audit, page or 1.
// These are judged only where a person may stand, never in a course's own
// vocabulary.
package canary

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Canary is one planted identifier.
type Canary struct {
	Kind    string `json:"kind"`  // "username", "email", "first_name", "user_id", "ip" …
	Value   string `json:"value"` // as it was written, before any encoding
	Person  int    `json:"person"`
	File    string `json:"file"`              // below the export folder
	Where   string `json:"where"`             // column or JSON path
	Text    bool   `json:"text,omitempty"`    // stands in free text
	Whole   bool   `json:"whole,omitempty"`   // fills its cell, string or number
	Altered string `json:"altered,omitempty"` // "misspelt", "upper", "percent" …; empty when written straight
	Common  bool   `json:"common,omitempty"`  // also an ordinary word, place or number
	Phrase  string `json:"phrase,omitempty"`  // of a common word among others: the word before it, and it
}

// Write writes canaries as JSON lines.
func Write(w io.Writer, canaries []Canary) error {
	out := bufio.NewWriter(w)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for _, c := range canaries {
		if err := lines.Encode(c); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Read reads what Write wrote.
func Read(r io.Reader) ([]Canary, error) {
	var canaries []Canary
	lines := json.NewDecoder(r)
	for {
		var c Canary
		err := lines.Decode(&c)
		if err == io.EOF {
			return canaries, nil
		}
		if err != nil {
			return nil, err
		}
		canaries = append(canaries, c)
	}
}

// Set collects canaries, each place and value once, in the order they come.
type Set struct {
	seen map[Canary]bool
	list []Canary
}

// Add adds a canary, unless it is known.
func (s *Set) Add(c Canary) {
	if s.seen == nil {
		s.seen = map[Canary]bool{}
	}
	if !s.seen[c] {
		s.seen[c] = true
		s.list = append(s.list, c)
	}
}

// List gives the canaries collected.
func (s *Set) List() []Canary { return s.list }

// Fold gives text without case and accents, in NFKC's letters: what two
// spellings of one identifier share.
func Fold(text string) string {
	if isPlain(text) {
		return strings.ToLower(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range norm.NFKD.String(text) {
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
			continue
		}
		b.WriteRune(unicode.ToLower(unicode.ToUpper(r)))
	}
	return b.String()
}

func isPlain(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
