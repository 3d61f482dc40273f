package risk

import (
	"cmp"
	"slices"
)

// other is what rare values become.
const other = "other"

// ladder returns the recodings that suit a column, from the least loss to the
// greatest: the first keeps everything, the last empties the column. rare is
// the number of people below which a value is merged with others.
func (r *recoder) ladder(rare int) []*recoding {
	if r.column.Fixed {
		return []*recoding{r.keep()}
	}
	if r.column.Recoded {
		return []*recoding{r.keep(), r.blank()}
	}
	rungs := []*recoding{}
	switch r.kind {
	case number:
		if bottom, top, ok := r.tails(rare); ok {
			rungs = append(rungs, r.topCode(bottom, top))
		}
		for _, width := range widths(r.high - r.low) {
			rungs = append(rungs, r.bin(width))
		}
	case date:
		rungs = append(rungs, r.truncate("day", 0), r.truncate("week", 6), r.truncate("month", 30), r.truncate("year", 364))
	case country:
		names := r.rareTo(rare, func(value string) string { return regionOf(value, subregions) })
		rungs = append(rungs,
			r.mapped("rare countries merged into their region", names),
			r.mapped("regions", r.all(func(value string) string { return regionOf(value, subregions) })),
			r.mapped("continents", r.all(func(value string) string { return regionOf(value, continents) })))
	default:
		rungs = append(rungs, r.mapped("rare values merged", r.rareTo(rare, func(string) string { return other })))
	}
	rungs = slices.DeleteFunc(rungs, func(rec *recoding) bool { return !rec.changes() })
	slices.SortStableFunc(rungs, func(a, b *recoding) int { return cmp.Compare(a.mean, b.mean) })
	return slices.Concat([]*recoding{r.keep()}, rungs, []*recoding{r.blank()})
}

// changes reports whether a recoding makes any two values one or empties any.
func (rec *recoding) changes() bool {
	seen := map[uint32]bool{}
	for code := absent + 1; int(code) < len(rec.to); code++ {
		if rec.to[code] == blank || seen[rec.to[code]] {
			return true
		}
		seen[rec.to[code]] = true
	}
	return false
}

// widths returns the widths of classes that make sense for a range: 1, 2, 5
// times a power of ten, from a fiftieth of the range to half of it.
func widths(span float64) []float64 {
	var out []float64
	for power := 1e-3; power <= 1e9; power *= 10 {
		for _, step := range []float64{1, 2, 5} {
			if width := step * power; width >= span/50 && width <= span/2 {
				out = append(out, width)
			}
		}
	}
	return out
}

// tails finds the limits beyond which fewer than rare people stand on either
// side, so that the tail joins the limit's own people.
func (r *recoder) tails(rare int) (bottom, top float64, ok bool) {
	type point struct {
		at     float64
		people int
	}
	var points []point
	for code := absent + 1; int(code) < len(r.column.values); code++ {
		if x, ok := r.scale(r.column.values[code]); ok && r.counts[code] > 0 {
			points = append(points, point{x, r.counts[code]})
		}
	}
	if len(points) < 3 {
		return 0, 0, false
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.at, b.at) })
	low, high := 0, len(points)-1
	for people := points[low].people; low < high && people < rare; people += points[low].people {
		low++
	}
	for people := points[high].people; high > low && people < rare; people += points[high].people {
		high--
	}
	return points[low].at, points[high].at, low < high && (low > 0 || high < len(points)-1)
}

// rareTo maps the values of fewer than rare people.
func (r *recoder) rareTo(rare int, to func(string) string) map[string]string {
	names := map[string]string{}
	people := map[string]int{}
	for code := absent + 1; int(code) < len(r.column.values); code++ {
		if _, isSet := r.column.sets[code]; !isSet && r.counts[code] < rare {
			value := r.column.values[code]
			names[value] = to(value)
			people[names[value]] += r.counts[code]
		}
	}
	// A group that is rare itself hides nobody.
	for value, name := range names {
		if people[name] < rare {
			names[value] = other
		}
	}
	return names
}

// all maps every value.
func (r *recoder) all(to func(string) string) map[string]string {
	names := map[string]string{}
	for code := absent + 1; int(code) < len(r.column.values); code++ {
		if _, isSet := r.column.sets[code]; !isSet {
			names[r.column.values[code]] = to(r.column.values[code])
		}
	}
	return names
}
