package documents

import (
	"fmt"
	"html"
	"html/template"
	"strings"
)

// bar is one line of a chart: a label and parts that lie end to end.
type bar struct {
	label string
	parts []part
}

type part struct {
	value float64
	text  string // shown at the end of the bar, or as the part's title
	class string // of the style sheet: kept, changed, emptied, masked, risk
}

// The measures of a chart, in pixels.
const (
	chartWidth  = 720
	chartLabel  = 260
	chartRow    = 24
	chartFigure = 110
)

// chart draws horizontal bars as SVG, with no script and nothing to load. The
// longest bar fills the width, or whole does when it is above 0.
func chart(title string, whole float64, bars []bar) template.HTML {
	for _, b := range bars {
		sum := 0.0
		for _, p := range b.parts {
			sum += p.value
		}
		whole = max(whole, sum)
	}
	var s strings.Builder
	height := chartRow*len(bars) + 8
	fmt.Fprintf(&s, `<svg role="img" viewBox="0 0 %d %d" width="%d" height="%d"><title>%s</title>`, chartWidth, height, chartWidth, height, html.EscapeString(title))
	room := float64(chartWidth - chartLabel - chartFigure)
	for i, b := range bars {
		top := chartRow*i + 4
		fmt.Fprintf(&s, `<text x="%d" y="%d" text-anchor="end">%s</text>`, chartLabel-8, top+14, html.EscapeString(shorten(b.label)))
		x, last := float64(chartLabel), ""
		for _, p := range b.parts {
			width := 0.0
			if whole > 0 {
				width = p.value / whole * room
			}
			fmt.Fprintf(&s, `<rect class="%s" x="%.1f" y="%d" width="%.1f" height="%d"><title>%s</title></rect>`, p.class, x, top, width, chartRow-6, html.EscapeString(p.text))
			x += width
			last = p.text
		}
		if len(b.parts) == 1 {
			fmt.Fprintf(&s, `<text x="%.1f" y="%d">%s</text>`, x+6, top+14, html.EscapeString(last))
		}
	}
	s.WriteString("</svg>")
	return template.HTML(s.String()) // every label is escaped above
}

// shorten keeps the end of a long label, where file names differ.
func shorten(label string) string {
	const most = 36
	if runes := []rune(label); len(runes) > most {
		return "…" + string(runes[len(runes)-most+1:])
	}
	return label
}
