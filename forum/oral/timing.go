package oral

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum"
	"anonymooc/forum/detect"
)

// Timing says how the time of a word is found. A transcript tells when a cue or
// segment begins and ends; within, time is taken to pass with the letters, which
// is seldom exact: the margin grows with the length of what had to be divided.
type Timing struct {
	Margin float64 // seconds added on each side
	Whole  bool    // cut whole cues instead of words
}

// DefaultMargin is the margin of a word whose cue is short, in seconds.
const DefaultMargin = 0.25

// stretch is the share of a cue's length that its words may be off.
const stretch = 0.12

// Cut is a stretch of a recording that becomes a hum.
type Cut struct {
	Start, End float64 // seconds
	Category   detect.Category
}

// cuts gives the times of a finding.
func (g Timing) cuts(turn *Turn, f *forum.Finding) []Cut {
	var cuts []Cut
	for _, p := range turn.Parts {
		from, to := max(p.From, f.Start), min(p.To, f.End)
		if from >= to {
			continue
		}
		c := Cut{p.Start - g.Margin, p.End + g.Margin, f.Category}
		if total := letters(turn.Text.Bytes[p.From:p.To]); !g.Whole && !p.Shared && total > 0 {
			length := p.End - p.Start
			a := p.Start + length*float64(letters(turn.Text.Bytes[p.From:from]))/float64(total)
			b := p.Start + length*float64(letters(turn.Text.Bytes[p.From:to]))/float64(total)
			margin := g.Margin + stretch*length
			c.Start, c.End = max(c.Start, a-margin), min(c.End, b+margin)
		}
		c.Start = max(c.Start, 0)
		cuts = append(cuts, c)
	}
	return cuts
}

// letters counts what takes time to say.
func letters(text []byte) int {
	n := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case unicode.IsLetter(r):
			n++
		case unicode.IsNumber(r):
			n += 4 // "7" is said "sept"
		}
		text = text[size:]
	}
	return n
}

// mergeCuts sorts cuts and joins those that overlap. What is joined keeps the
// first one's category, unless they differ.
func mergeCuts(cuts []Cut) []Cut {
	slices.SortFunc(cuts, func(a, b Cut) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	merged := cuts[:0]
	for _, c := range cuts {
		if n := len(merged); n > 0 && c.Start <= merged[n-1].End {
			last := &merged[n-1]
			last.End = max(last.End, c.End)
			if last.Category != c.Category {
				last.Category = "several"
			}
			continue
		}
		merged = append(merged, c)
	}
	return merged
}
