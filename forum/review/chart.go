package review

import (
	"fmt"
	"strings"
)

// curve is a line of a chart.
type curve struct {
	Points string
	Top    int
	Last   int
}

// chart gives the corners of a curve in a box of 600 by 120: the template draws
// it as SVG, so that nothing but numbers is made here.
func chart(values []int) curve {
	var c curve
	for _, v := range values {
		c.Top = max(c.Top, v)
	}
	if len(values) == 0 || c.Top == 0 {
		return c
	}
	var points strings.Builder
	step := 600.0 / float64(max(1, len(values)-1))
	for i, v := range values {
		fmt.Fprintf(&points, "%.1f,%.1f ", float64(i)*step, 120-110*float64(v)/float64(c.Top))
	}
	c.Points, c.Last = points.String(), values[len(values)-1]
	return c
}

// Width is how long a bar is, of 100.
func (b bar) Width(all []bar) int {
	top := b.Of
	if top == 0 {
		for _, other := range all {
			top = max(top, other.Value)
		}
	}
	if top == 0 {
		return 0
	}
	return 100 * b.Value / top
}
