package risk

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// YAML writes the proposed rules as overrides for the project file, ready to
// paste.
func (s *Suggestion) YAML() string {
	var b strings.Builder
	b.WriteString("overrides:\n")
	tables := map[string][]Rule{}
	for _, rule := range s.Rules {
		table, _ := TableOf(rule.Column)
		tables[table] = append(tables[table], rule)
	}
	for _, table := range slices.Sorted(maps.Keys(tables)) {
		fmt.Fprintf(&b, "  - name: %s\n    columns:\n", quote(table))
		for _, rule := range tables[table] {
			fmt.Fprintf(&b, "      - {%s}\n", strings.Join(rule.settings(s.K), ", "))
		}
	}
	return b.String()
}

// settings spells a rule's settings as a YAML mapping does.
func (r *Rule) settings(k int) []string {
	_, name := TableOf(r.Column)
	out := []string{"column: " + quote(name), "action: " + r.Action}
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if r.Width > 0 {
		add("width: %s", spell(r.Width))
	}
	if r.Bottom != nil {
		add("bottom: %s", spell(*r.Bottom))
	}
	if r.Top != nil {
		add("top: %s", spell(*r.Top))
	}
	if r.Unit != "" {
		add("unit: %s", r.Unit)
	}
	if r.Action == "map" {
		pairs := []string{}
		for _, from := range slices.Sorted(maps.Keys(r.Values)) {
			pairs = append(pairs, quote(from)+": "+quote(r.Values[from]))
		}
		add("values: {%s}", strings.Join(pairs, ", "))
		add("fallback: %s", quote(r.Fallback))
	}
	add("role: quasi-identifier")
	add("why: %s", quote(fmt.Sprintf("%s, so that nobody is in a group smaller than %d", r.Label, k)))
	return out
}

// quote writes a string in double quotes: every JSON string is a YAML one.
func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil { // strings always marshal
		return `""`
	}
	return string(text)
}
