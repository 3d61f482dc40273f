package risk_test

import (
	"strconv"
	"testing"

	"anonymooc/tables"
	"anonymooc/tables/jsonedit"
	"anonymooc/tables/risk"
)

// apply treats a value as a run of the table engine would with a proposed rule.
func apply(t *testing.T, rule risk.Rule, value string) string {
	t.Helper()
	if value == "" || value == risk.AbsentCell {
		return value
	}
	column := &tables.Column{Column: rule.Column, Action: rule.Action, Width: rule.Width, Top: rule.Top, Bottom: rule.Bottom, Unit: rule.Unit}
	if rule.Action == "map" {
		column.Values, column.Fallback = rule.Values, &rule.Fallback
	}
	action, err := tables.NewAction(column)
	if err != nil {
		t.Fatalf("%+v: %v", rule, err)
	}
	out, effect, err := action.Apply(new(tables.Worker), nil, tables.Cell{Text: []byte(value), Type: jsonedit.String})
	if err != nil {
		t.Fatal(err)
	}
	if effect == tables.Kept {
		return value
	}
	return string(out)
}

// widened gives people the cells of other people too, as columns of their own.
func widened(names []string, rows [][]string) ([]string, [][]string) {
	width := len(names)
	out := make([][]string, len(rows))
	for i := range rows {
		for shift := range 2 {
			out[i] = append(out[i], rows[(i+shift*7)%len(rows)][:width]...)
		}
	}
	for _, name := range names[:width] {
		names = append(names, name+"_again")
	}
	return names, out
}

// emptied counts the people who show nothing by where they are absent, for the
// patterns in which somebody's cells were taken away.
func emptied(names []string, rows [][]string, cells []risk.Cell) map[string]int {
	treated := map[int]bool{}
	for _, cell := range cells {
		treated[cell.Person] = true
	}
	patterns, concerned := map[string]int{}, map[string]bool{}
	for person, row := range rows {
		pattern, shows := "", false
		for i := range names {
			pattern += strconv.FormatBool(row[i] == risk.AbsentCell)
			shows = shows || row[i] != "" && row[i] != risk.AbsentCell
		}
		if !shows {
			patterns[pattern]++
			concerned[pattern] = concerned[pattern] || treated[person]
		}
	}
	for pattern := range patterns {
		if !concerned[pattern] {
			delete(patterns, pattern)
		}
	}
	return patterns
}

// What Suggest promises holds when the rules are applied by the table engine
// and the people are counted again.
func TestSuggestedRulesReachTheGoalWhenARunAppliesThem(t *testing.T) {
	for _, c := range []struct {
		people int
		goal   risk.Goal
		wide   bool // more columns than a full search can go through
	}{
		{300, risk.Goal{K: 5, Local: 0.05}, false}, {3000, risk.Goal{K: 5, Local: 0.05}, false}, {3000, risk.Goal{K: 10, Local: 0.2}, false},
		{3000, risk.Goal{K: 3, Local: 0}, false}, {20000, risk.Goal{K: 5, Local: 0.02}, false}, {40, risk.Goal{K: 20, Local: 0.1}, false},
		{60, risk.Goal{K: 5, Local: 0.05}, true}, {3000, risk.Goal{K: 5, Local: 0.05}, true}, {3000, risk.Goal{K: 5, Local: 0}, true},
	} {
		names, rows := risk.Profiles(c.people, 11)
		for i := range rows {
			if i%9 == 0 { // without a profile
				for j := range 4 {
					rows[i][j] = risk.AbsentCell
				}
			}
		}
		if c.wide {
			names, rows = widened(names, rows)
		}
		p := risk.PopulationOf(t, names, nil, rows)
		s, err := risk.Suggest(p, c.goal)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Reached || s.Left != 0 || s.After.People != c.people || s.Loss < 0 || s.Loss > 1 {
			t.Errorf("%+v: reached %v, %d left, %d people, loss %v", c.goal, s.Reached, s.Left, s.After.People, s.Loss)
		}
		if s.Treated > int(c.goal.Local*float64(c.people))+4*c.goal.K && c.goal.Local > 0 {
			t.Errorf("%+v: %d people treated one by one", c.goal, s.Treated)
		}
		at := map[string]int{}
		for i, name := range names {
			at[name] = i
		}
		for person := range rows {
			for _, rule := range s.Rules {
				rows[person][at[rule.Column]] = apply(t, rule, rows[person][at[rule.Column]])
			}
		}
		for _, cell := range s.Cells {
			rows[cell.Person][at[cell.Column]] = cell.Value
		}
		m, err := risk.Measure("person", risk.PopulationOf(t, names, nil, rows))
		if err != nil {
			t.Fatal(err)
		}
		if m.Classes > 0 && m.K < c.goal.K || m.Classes != s.After.Classes || m.K != s.After.K || m.Blank != s.After.Blank {
			t.Errorf("%+v: applied, k is %d in %d classes, %d blank; promised %d in %d, %d", c.goal, m.K, m.Classes, m.Blank, s.After.K, s.After.Classes, s.After.Blank)
		}
		for pattern, people := range emptied(names, rows, s.Cells) {
			if people < c.goal.K {
				t.Errorf("%+v: %d people show nothing and are absent like %q: they are found by that", c.goal, people, pattern)
			}
		}
	}
}

func TestSuggestChangesNothingWhereTheGoalIsReached(t *testing.T) {
	rows := [][]string{}
	for range 5 {
		rows = append(rows, []string{"f", "1980"}, []string{"m", "1990"}, []string{"", ""})
	}
	s, err := risk.Suggest(risk.PopulationOf(t, []string{"t.gender", "t.year"}, nil, rows), risk.Goal{K: 5, Local: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Rules) != 0 || len(s.Cells) != 0 || s.Loss != 0 || !s.Reached {
		t.Errorf("%+v", s)
	}
}

func TestSuggestLeavesFixedColumnsAlone(t *testing.T) {
	names, rows := risk.Profiles(500, 4)
	p := risk.PopulationOf(t, names, nil, rows)
	for _, c := range p.Quasi {
		c.Fixed = c.Name == "p.country"
	}
	s, err := risk.Suggest(p, risk.Goal{K: 5, Local: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range s.Rules {
		if rule.Column == "p.country" {
			t.Error("a rule recodes the fixed column")
		}
	}
	for _, cell := range s.Cells {
		if cell.Column == "p.country" {
			t.Fatal("a cell of the fixed column is recoded")
		}
	}
	if s.Reached != (s.Left == 0) {
		t.Errorf("reached %v with %d left", s.Reached, s.Left)
	}
}

// A greater k never costs less.
func TestSuggestLosesMoreForMore(t *testing.T) {
	names, rows := risk.Profiles(2000, 8)
	last := -1.0
	for _, k := range []int{2, 20} {
		s, err := risk.Suggest(risk.PopulationOf(t, names, nil, rows), risk.Goal{K: k, Local: 0})
		if err != nil {
			t.Fatal(err)
		}
		if s.Loss < last {
			t.Errorf("k %d loses %v, a smaller one %v", k, s.Loss, last)
		}
		last = s.Loss
	}
}

func TestSuggestRefusesAGoalThatIsNone(t *testing.T) {
	p := risk.PopulationOf(t, []string{"t.a"}, nil, [][]string{{"x"}})
	for _, goal := range []risk.Goal{{K: 1}, {K: 0}, {K: 5, Local: -1}, {K: 5, Local: 1.5}} {
		if _, err := risk.Suggest(p, goal); err == nil {
			t.Errorf("%+v was taken", goal)
		}
	}
}
