package benchtext

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// The measures of the picture, in its units.
const (
	pictureWidth, pictureHeight = 720, 420
	left, right, top, bottom    = 64, 24, 44, 92
)

// strokes tell the curves apart by colour and by dashes: some see no colours.
var strokes = []struct{ colour, dashes string }{
	{"#1b5e9e", ""}, {"#b4451f", "7 3"}, {"#3b7d3b", "2 3"}, {"#6b3fa0", "9 3 2 3"}, {"#8a6d00", "4 4"}, {"#333333", "1 4"},
}

// WriteSVG draws recall of everything that must be masked against decisions per
// 1,000 posts.
func WriteSVG(w io.Writer, title string, curves []Curve) error {
	most, least := 1.0, 1.0
	for _, c := range curves {
		for _, p := range c.Points {
			most, least = max(most, p.Decisions), min(least, p.RecallAll)
		}
	}
	most, least = math.Ceil(most/100)*100, math.Floor(least*20)/20
	x := func(decisions float64) float64 { return left + decisions/most*(pictureWidth-left-right) }
	y := func(recall float64) float64 {
		return top + (1-recall)/(1-least)*(pictureHeight-top-bottom)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img" aria-label="%s">`+"\n",
		pictureWidth, pictureHeight, html.EscapeString(title))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", pictureWidth, pictureHeight)
	fmt.Fprintf(&b, `<text x="%d" y="24" font-size="15">%s</text>`+"\n", left, html.EscapeString(title))
	for recall := least; recall < 1.0001; recall += 0.05 {
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#dddddd"/><text x="%d" y="%.1f" text-anchor="end">%.2f</text>`+"\n",
			left, pictureWidth-right, y(recall), y(recall), left-8, y(recall)+4, recall)
	}
	step := math.Max(100, math.Ceil(most/800)*100)
	for decisions := 0.0; decisions <= most; decisions += step {
		fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#dddddd"/><text x="%.1f" y="%d" text-anchor="middle">%.0f</text>`+"\n",
			x(decisions), x(decisions), top, pictureHeight-bottom, x(decisions), pictureHeight-bottom+18, decisions)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">decisions per 1,000 posts</text>`+"\n", (left+pictureWidth-right)/2, pictureHeight-bottom+38)
	fmt.Fprintf(&b, `<text x="16" y="%d" text-anchor="middle" transform="rotate(-90 16 %d)">recall</text>`+"\n", (top+pictureHeight-bottom)/2, (top+pictureHeight-bottom)/2)
	for i, c := range curves {
		stroke := strokes[i%len(strokes)]
		var points []string
		for _, p := range c.Points {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(p.Decisions), y(p.RecallAll)))
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2" stroke-dasharray="%s"/>`+"\n", strings.Join(points, " "), stroke.colour, stroke.dashes)
		for _, p := range c.Points {
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", x(p.Decisions), y(p.RecallAll), stroke.colour)
		}
		column, row := i%3, i/3
		lx, ly := left+column*215, pictureHeight-bottom+60+18*row
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="%s" stroke-width="2" stroke-dasharray="%s"/><text x="%d" y="%d">%s</text>`+"\n",
			lx, lx+30, ly, ly, stroke.colour, stroke.dashes, lx+36, ly+4, html.EscapeString(c.Name))
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}
