package oral

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// speakerPrefix is a name with a colon at the beginning of a cue's line.
var speakerPrefix = regexp.MustCompile(`^\s*(?:[-–—]\s*|&gt;&gt;\s*|>>\s*)?(\[?[\p{L}][\p{L}\p{M}\p{N}'’ ._#-]{0,39}?\]?)\s?:(?:\s|$)`)

// prefixOf finds the speaker before a colon; 0, 0 when there is none.
func (p *cueParser) prefixOf(l line) (name string, from, to, rest int) {
	text := p.encoding.text(p.Raw[l.from:l.to])
	m := speakerPrefix.FindStringSubmatchIndex(text)
	if m == nil {
		return "", 0, 0, l.from
	}
	width := func(n int) int { // of bytes of the file
		if p.encoding.table == nil {
			return n
		}
		return len([]rune(text[:n]))
	}
	return strings.Trim(text[m[2]:m[3]], "[]"), l.from + width(m[2]), l.from + width(m[3]), l.from + width(m[1])
}

// findPrefixes takes what stands before a colon for a speaker when it stands there
// at least twice: "Attention:" may be said, but seldom begins two cues. Where there
// are such speakers, several capitalised words or capitals alone are one at once; a
// single word that is met once is left to the engine.
func (p *cueParser) findPrefixes(blocks [][]line) {
	count, named := make(map[string]int), make(map[string]bool)
	most := 0
	for _, block := range blocks {
		for _, l := range block {
			if bytes.Contains(p.Raw[l.from:l.to], []byte("-->")) {
				continue
			}
			if name, _, to, _ := p.prefixOf(l); to > 0 {
				key := speakerKey(name)
				count[key]++
				most = max(most, count[key])
				named[key] = named[key] || looksNamed(name)
			}
		}
	}
	for key, n := range count {
		p.prefix[key] = n > 1 || most > 1 && named[key]
	}
}

// looksNamed reports whether a prefix is written as only names are: in capitals, or
// two to four capitalised words.
func looksNamed(name string) bool {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	capitals := len(name) > 2 && strings.ToUpper(name) == name
	for _, word := range words {
		if r, _ := utf8.DecodeRuneInString(word); !unicode.IsUpper(r) {
			return false
		}
	}
	return capitals || len(words) >= 2 && len(words) <= 4
}

// speakers counts how often somebody begins to speak in a cue.
func (p *cueParser) speakers(lines []line) int {
	n := 0
	for _, l := range lines {
		if name, _, to, _ := p.prefixOf(l); to > 0 && p.prefix[speakerKey(name)] {
			n++
		}
		n += len(voiceTag.FindAll(p.Raw[l.from:l.to], -1))
	}
	return n
}
