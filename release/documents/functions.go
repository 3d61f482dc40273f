package documents

import (
	"html"
	htmltemplate "html/template"
	"maps"
	"reflect"
	"slices"
	"strings"

	"anonymooc/tables/risk"
)

// functions are what the templates may call.
func (w *words) functions() map[string]any {
	return map[string]any{
		"t":        w.say,
		"role":     w.named("role"),
		"scope":    w.named("scope"),
		"joined":   w.named("join"),
		"limit":    w.named("limit"),
		"pct":      w.share,
		"dec":      w.decimals,
		"n":        w.anyNumber,
		"distinct": w.distinct,
		"md":       markdownCell,
		"join":     func(list []string) string { return strings.Join(list, ", ") },
		"credit":   linked,
		"tick":     tick,

		"sums":       totals,
		"people":     mostPeople,
		"gone":       func(f *Facts) int64 { return countColumns(f, Column.Gone) },
		"kept":       func(f *Facts) int64 { return countColumns(f, func(c Column) bool { return verb(c.Action) == "keep" }) },
		"categories": categories,
		"tables":     tablesOf,
		"setAside":   setAside,
		"scopes":     scopes,
		"total":      total,
		"clean":      func(f *Facts) bool { return f.Verify != nil && f.Verify.Passed() },
		"judged":     func(f *Facts) bool { return f.Verify != nil && len(f.Verify.Unjudged) == 0 },
		"passes":     func(f *Facts) bool { return f.Risk != nil && f.Risk.Pass },
		"decided": func(f *Facts) bool {
			return f.TextPolicy == "drop" || f.Text != nil && f.Text.Questions == 0 && total(f.Text.Waiting) == 0
		},

		"chartValues":  w.chartValues,
		"chartUnder":   w.chartUnder,
		"chartDrivers": w.chartDrivers,
		"chartTraces":  w.chartTraces,
		"chartText":    w.chartText,
	}
}

func (w *words) anyNumber(x any) string {
	v := reflect.ValueOf(x)
	if v.CanInt() {
		return w.number(v.Int())
	}
	return ""
}

// distinct tells the number of different values of a column.
func (w *words) distinct(c Column) (string, error) {
	switch {
	case c.Gone() || c.Distinct < 0:
		return "", nil
	case c.Many:
		return w.say("more than", c.Distinct)
	}
	return w.number(c.Distinct), nil
}

// markdownCell keeps a text from breaking out of a table's cell or from being
// read as markup.
func markdownCell(s string) string {
	return strings.NewReplacer("\r", " ", "\n", " ", `\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`).Replace(s)
}

// linked makes the web address in a credit a link, as DB-IP's licence asks of
// pages.
func linked(credit string) htmltemplate.HTML {
	start := strings.Index(credit, "https://")
	if start < 0 {
		return htmltemplate.HTML(html.EscapeString(credit))
	}
	end := start + len("https://")
	for end < len(credit) && !strings.ContainsRune(" ),;", rune(credit[end])) {
		end++
	}
	address := html.EscapeString(credit[start:end])
	return htmltemplate.HTML(html.EscapeString(credit[:start]) + `<a href="` + address + `">` + address + `</a>` + html.EscapeString(credit[end:]))
}

// tick marks a box of the checklist: for true, and for a result that is there.
func tick(x any) string {
	switch v := reflect.ValueOf(x); {
	case v.Kind() == reflect.Bool && v.Bool(), v.Kind() == reflect.Pointer && !v.IsNil():
		return "x"
	}
	return " "
}

// totals adds up the tallies of a file's columns.
func totals(f File) Column {
	var total Column
	for _, c := range f.Columns {
		total.Kept += c.Kept
		total.Changed += c.Changed
		total.Emptied += c.Emptied + c.Failed
		total.Masked += c.Masked
	}
	return total
}

// mostPeople is how many people are in the release: the risk report counts them
// over all tables; without it, the table with the most people is the least that
// can be said.
func mostPeople(f *Facts) int64 {
	if f.Risk != nil {
		return int64(f.Risk.Person.People)
	}
	most := int64(0)
	for _, file := range f.Files {
		most = max(most, file.People)
	}
	return most
}

func countColumns(f *Facts, which func(Column) bool) int64 {
	count := int64(0)
	for _, file := range f.Files {
		for _, c := range file.Columns {
			if which(c) {
				count++
			}
		}
	}
	return count
}

// category is how many columns of a role the release shows.
type category struct {
	Role    string
	Columns int
}

func categories(f *Facts) []category {
	var list []category
	for _, role := range []string{"direct identifier", "quasi-identifier", "sensitive", "free text", "attribute"} {
		n := countColumns(f, func(c Column) bool { return c.Role == role && !c.Gone() })
		if n > 0 {
			list = append(list, category{role, int(n)})
		}
	}
	return list
}

// tablesOf lists the tables of a release, each once.
func tablesOf(f *Facts) []string {
	var names []string
	for _, file := range f.Files {
		if !slices.Contains(names, file.Table) {
			names = append(names, file.Table)
		}
	}
	slices.Sort(names)
	return names
}

func setAside(f *Facts) int64 {
	count := int64(0)
	for _, file := range f.Files {
		count += file.SetAside
	}
	return count
}

func scopes(r *risk.Report) []risk.Measures {
	list := append(slices.Clone(r.Tables), r.Person)
	if r.Courses != nil {
		list = append(list, *r.Courses)
	}
	return list
}

func (w *words) chartValues(f *Facts) (htmltemplate.HTML, error) {
	title, err := w.say("report.values")
	var bars []bar
	for _, file := range f.Files {
		total := totals(file)
		bars = append(bars, bar{file.Path, []part{
			{float64(total.Kept), w.number(total.Kept), "kept"},
			{float64(total.Changed), w.number(total.Changed), "changed"},
			{float64(total.Emptied), w.number(total.Emptied), "emptied"},
		}})
	}
	return chart(title, 0, bars), err
}

func (w *words) chartUnder(r *risk.Report) (htmltemplate.HTML, error) {
	title, err := w.say("report.below")
	var bars []bar
	for _, u := range r.Person.Under {
		bars = append(bars, bar{"< " + w.number(int64(u.K)), []part{{u.Share, w.number(int64(u.People)) + " (" + w.share(u.Share) + ")", "risk"}}})
	}
	return chart(title, 1, bars), err
}

func (w *words) chartDrivers(r *risk.Report) (htmltemplate.HTML, error) {
	title, err := w.say("report.drivers", r.K)
	var bars []bar
	for _, d := range r.Drivers {
		bars = append(bars, bar{d.Column, []part{{float64(max(d.Adds, 0)), w.number(int64(d.Adds)), "risk"}}})
	}
	return chart(title, 0, bars), err
}

func (w *words) chartTraces(r *risk.Report) (htmltemplate.HTML, error) {
	title, err := w.say("report.traces")
	var bars []bar
	for _, trace := range r.Traces {
		bars = append(bars, bar{w.number(int64(trace.Points)), []part{{trace.Unique, w.share(trace.Unique), "risk"}}})
	}
	return chart(title, 1, bars), err
}

// total adds up the spans of all categories.
func total(spans map[string]int) int {
	sum := 0
	for _, n := range spans {
		sum += n
	}
	return sum
}

func (w *words) chartText(text *Text) (htmltemplate.HTML, error) {
	title, err := w.say("report.text spans")
	categories := map[string]bool{}
	for _, spans := range []map[string]int{text.Masked, text.Kept, text.Waiting} {
		for category := range spans {
			categories[category] = true
		}
	}
	var bars []bar
	for _, category := range slices.Sorted(maps.Keys(categories)) {
		b := bar{label: category}
		for _, p := range []struct {
			spans map[string]int
			class string
		}{{text.Masked, "masked"}, {text.Kept, "kept"}, {text.Waiting, "emptied"}} {
			n := p.spans[category]
			b.parts = append(b.parts, part{float64(n), w.number(int64(n)), p.class})
		}
		bars = append(bars, b)
	}
	return chart(title, 0, bars), err
}
