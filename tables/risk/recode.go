package risk

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
)

// Rule is a change to one column's rule in the project file, in the terms of
// the actions of package tables.
type Rule struct {
	Column string            `json:"column"` // "table.column"
	Action string            `json:"action"` // keep, bin, top-code, date, map or blank
	Width  float64           `json:"width,omitempty"`
	Top    *float64          `json:"top,omitempty"`
	Bottom *float64          `json:"bottom,omitempty"`
	Unit   string            `json:"unit,omitempty"`
	Values map[string]string `json:"values,omitempty"`
	// Fallback is what values become that the dictionary does not hold.
	Fallback string `json:"fallback,omitempty"`
	Label    string `json:"label"` // what it does, in words
}

// recoding is a rule with what it makes of every code of its column.
type recoding struct {
	rule   Rule
	to     []uint32           // old code → code in the column's wider dictionary
	loss   []float64          // by old code, 0–1
	mean   float64            // of loss, over the people who show the column
	number map[uint32]float64 // new code → where it stands for, of numbers and dates
}

// recoder makes the recodings of one column. All of them share one dictionary,
// so that a value left as it is by two recodings is the same value.
type recoder struct {
	column *Column
	wide   *Column // a dictionary that starts as the column's own
	counts []int
	kind   kind
	low    float64 // smallest and largest number or day
	high   float64
}

func newRecoder(c *Column) *recoder {
	r := &recoder{column: c, counts: c.counts(), kind: c.kindOf(), low: math.Inf(1), high: math.Inf(-1)}
	r.wide = &Column{
		values: slices.Clone(c.values), index: maps.Clone(c.index),
		sets: maps.Clone(c.sets), setOf: maps.Clone(c.setOf),
	}
	for code := absent + 1; int(code) < len(c.values); code++ {
		if x, ok := r.scale(c.values[code]); ok {
			r.low, r.high = min(r.low, x), max(r.high, x)
		}
	}
	return r
}

// scale places a value on a line: numbers as they are, dates in days.
func (r *recoder) scale(value string) (float64, bool) {
	switch r.kind {
	case number:
		return parseNumber(value)
	case date:
		day, ok := parseDate(value)
		return float64(day.Unix()) / (24 * 60 * 60), ok
	}
	return 0, false
}

// generalised is what a recoding makes of one value: its new spelling, empty
// when it is suppressed; the loss, 0–1; and where it now stands on the line.
type generalised struct {
	value string
	loss  float64
	at    float64
}

// make applies a generalisation to every value of the column.
func (r *recoder) make(rule Rule, generalise func(value string) generalised) *recoding {
	rule.Column = r.column.Name
	rec := &recoding{rule: rule, to: make([]uint32, len(r.column.values)), loss: make([]float64, len(r.column.values)), number: map[uint32]float64{}}
	rec.to[absent] = absent
	single := func(code uint32) (uint32, float64) {
		if code <= absent {
			return code, 0
		}
		g := generalise(r.column.values[code])
		if g.value == "" {
			return blank, 1
		}
		to := r.wide.code([]byte(g.value))
		if r.kind == number || r.kind == date {
			rec.number[to] = g.at
		}
		return to, g.loss
	}
	shown, lost := 0, 0.0
	for code := absent + 1; int(code) < len(rec.to); code++ {
		members := r.column.members(code)
		recoded := make([]uint32, len(members))
		for i, m := range members {
			var loss float64
			recoded[i], loss = single(m)
			rec.loss[code] += loss / float64(len(members))
		}
		rec.to[code] = r.wide.set(recoded)
		shown += r.counts[code]
		lost += rec.loss[code] * float64(r.counts[code])
	}
	if shown > 0 {
		rec.mean = lost / float64(shown)
	}
	return rec
}

// keep leaves everything as it is.
func (r *recoder) keep() *recoding {
	return r.make(Rule{Action: "keep", Label: "as it is"}, func(value string) generalised {
		at, _ := r.scale(value)
		return generalised{value: value, at: at}
	})
}

// blank empties the column.
func (r *recoder) blank() *recoding {
	return r.make(Rule{Action: "blank", Label: "emptied"}, func(string) generalised { return generalised{} })
}

// The loss of a generalised number is the share of the column's range that it
// may stand for; of a category, the share of the other categories that it may
// stand for; 1 when it is suppressed: the normalised certainty penalty of Xu,
// Wang, Pei, Wang, Shi and Fu, "Utility-Based Anonymization Using Local
// Recoding", ACM KDD 2006, section 3.

// within returns the loss of a value that may be anything between two points.
func (r *recoder) within(from, to float64) float64 {
	if r.high <= r.low {
		return 0
	}
	return min(1, max(0, min(to, r.high)-max(from, r.low))/(r.high-r.low))
}

// bin puts numbers into classes of a width, spelt as the action bin does.
func (r *recoder) bin(width float64) *recoding {
	rule := Rule{Action: "bin", Width: width, Label: fmt.Sprintf("classes of %s", spell(width))}
	return r.make(rule, func(value string) generalised {
		x, ok := r.scale(value)
		if !ok {
			return generalised{}
		}
		lower := math.Floor(x/width) * width
		if width != math.Trunc(width) {
			return generalised{spell(lower) + ".." + spell(lower+width), r.within(lower, lower+width), lower + width/2}
		}
		return generalised{spell(lower) + "-" + spell(lower+width-1), r.within(lower, lower+width-1), lower + (width-1)/2}
	})
}

// topCode pulls what lies outside to the limits.
func (r *recoder) topCode(bottom, top float64) *recoding {
	rule := Rule{Action: "top-code", Bottom: &bottom, Top: &top, Label: fmt.Sprintf("limited to %s–%s", spell(bottom), spell(top))}
	return r.make(rule, func(value string) generalised {
		x, ok := r.scale(value)
		switch {
		case !ok:
			return generalised{}
		case x <= bottom:
			return generalised{r.limit(value, x, bottom), r.within(r.low, bottom), bottom}
		case x >= top:
			return generalised{r.limit(value, x, top), r.within(top, r.high), top}
		}
		return generalised{value: value, at: x}
	})
}

// limit keeps the spelling of a value that is the limit already.
func (r *recoder) limit(value string, x, limit float64) string {
	if x == limit {
		return value
	}
	return spell(limit)
}

func spell(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// truncate cuts dates to the beginning of their unit.
func (r *recoder) truncate(unit string, days float64) *recoding {
	return r.make(Rule{Action: "date", Unit: unit, Label: "cut to the " + unit}, func(value string) generalised {
		day, ok := parseDate(value)
		if !ok {
			return generalised{}
		}
		switch unit {
		case "week":
			day = day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
		case "month":
			day = day.AddDate(0, 0, 1-day.Day())
		case "year":
			day = day.AddDate(0, 0, 1-day.YearDay())
		}
		first := float64(day.Unix()) / (24 * 60 * 60)
		return generalised{day.Format(dateForm), r.within(first, first+days), first + days/2}
	})
}

// mapped replaces values by a dictionary; values that it does not name stay.
// The rule names what stays and what is grouped, and leaves what becomes other
// to its fallback: a rule in a project file should not list rare values.
func (r *recoder) mapped(label string, to map[string]string) *recoding {
	sizes, total := map[string]int{}, 0
	for code := absent + 1; int(code) < len(r.column.values); code++ {
		if _, isSet := r.column.sets[code]; !isSet {
			total++
			sizes[translated(to, r.column.values[code])]++
		}
	}
	whole := map[string]string{}
	rec := r.make(Rule{Action: "map", Label: label}, func(value string) generalised {
		v := translated(to, value)
		if v != other {
			whole[value] = v
		}
		if total < 2 {
			return generalised{value: v}
		}
		return generalised{value: v, loss: float64(sizes[v]-1) / float64(total-1)}
	})
	rec.rule.Values, rec.rule.Fallback = whole, other
	return rec
}

func translated(dictionary map[string]string, value string) string {
	if to, ok := dictionary[value]; ok {
		return to
	}
	return value
}
