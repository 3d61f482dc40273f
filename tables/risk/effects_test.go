package risk_test

import (
	"math"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"anonymooc/tables"
	"anonymooc/tables/risk"
)

// What a recoding is said to gain is what one counts after the table engine has
// applied it.
func TestEffectsAreWhatTheEngineWouldMakeOfThem(t *testing.T) {
	names, rows := risk.Profiles(1500, 21)
	p := risk.PopulationOf(t, names, nil, rows)
	before, err := risk.Measure("person", p)
	if err != nil {
		t.Fatal(err)
	}
	wasUnder, _ := before.UnderK(5)
	effects, err := risk.Effects(p, 5)
	if err != nil {
		t.Fatal(err)
	}
	actions := map[string]int{}
	for _, e := range effects {
		actions[e.Rule.Action]++
		column := -1
		for i, name := range names {
			if name == e.Rule.Column {
				column = i
			}
		}
		changed := 0
		treated := make([][]string, len(rows))
		for i, row := range rows {
			treated[i] = append([]string(nil), row...)
			treated[i][column] = apply(t, e.Rule, row[column])
			if treated[i][column] != row[column] {
				changed++
			}
		}
		after, err := risk.Measure("person", risk.PopulationOf(t, names, nil, treated))
		if err != nil {
			t.Fatal(err)
		}
		under, _ := after.UnderK(5)
		if e.K != after.K || e.Under != under || e.Gain != wasUnder-under {
			t.Errorf("%s, %s: k %d, under %d, gain %d; the engine gives %d, %d, %d", e.Rule.Column, e.Rule.Label, e.K, e.Under, e.Gain, after.K, under, wasUnder-under)
		}
		if e.Loss < 0 || e.Loss > 1 || e.Entropy.After > e.Entropy.Before+1e-9 {
			t.Errorf("%s, %s: loss %v, entropy %v", e.Rule.Column, e.Rule.Label, e.Loss, e.Entropy)
		}
		// The engine spells dates at their first moment, the report by the day.
		if e.Rule.Action != "date" && e.Rule.Action != "top-code" && e.Changed < changed {
			t.Errorf("%s, %s: %d cells changed, at least %d do", e.Rule.Column, e.Rule.Label, e.Changed, changed)
		}
	}
	for _, action := range []string{"bin", "top-code", "date", "map", "blank"} {
		if actions[action] == 0 {
			t.Errorf("no %s was tried", action)
		}
	}
}

func TestEffectsTellMeansAndDeviations(t *testing.T) {
	var rows [][]string
	for _, year := range []string{"1980", "1981", "1982", "1983", "1990", "1991", "2000", "2010"} {
		rows = append(rows, []string{year})
	}
	effects, err := risk.Effects(risk.PopulationOf(t, []string{"p.year"}, nil, rows), 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range effects {
		if e.Rule.Action != "bin" || e.Rule.Width != 10 {
			continue
		}
		// 1980–1989 stands for 1984.5 four times, then 1994.5 twice, 2004.5, 2014.5.
		if e.Mean == nil || math.Abs(e.Mean.Before-1989.625) > 1e-9 || math.Abs(e.Mean.After-1993.25) > 1e-9 {
			t.Errorf("means %+v", e.Mean)
		}
		if e.Deviation == nil || math.Abs(e.Deviation.After-math.Sqrt((4*8.75*8.75+2*1.25*1.25+11.25*11.25+21.25*21.25)/8)) > 1e-9 {
			t.Errorf("deviations %+v", e.Deviation)
		}
		if math.Abs(e.Entropy.Before-3) > 1e-9 || math.Abs(e.Entropy.After-1.75) > 1e-9 {
			t.Errorf("entropies %+v", e.Entropy)
		}
		return
	}
	t.Error("classes of ten were not tried")
}

func TestDriversTellWhichColumnSinglesOut(t *testing.T) {
	var rows [][]string
	for i := range 20 {
		rows = append(rows, []string{[]string{"f", "m"}[i%2], string(rune('a' + i)), ""})
	}
	drivers, err := risk.Drivers(risk.PopulationOf(t, []string{"t.gender", "t.nickname", "t.empty"}, nil, rows), 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []risk.Driver{
		{Column: "t.gender", Values: 2, Without: 20}, {Column: "t.nickname", Values: 20, Alone: 20, Adds: 20}, {Column: "t.empty", Blank: 20, Without: 20},
	} {
		if drivers[i] != want {
			t.Errorf("%+v, want %+v", drivers[i], want)
		}
	}
}

// The YAML of a proposal is read back as the overrides of a project file.
func TestProposedRulesAreOverridesOfAProjectFile(t *testing.T) {
	names, rows := risk.Profiles(400, 2)
	for i := range rows {
		rows[i][2] = strings.ReplaceAll(rows[i][2], "hs", `h"s: {x}`)
	}
	s, err := risk.Suggest(risk.PopulationOf(t, names, nil, rows), risk.Goal{K: 5})
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Overrides []tables.Table `yaml:"overrides"`
	}
	if err := yaml.UnmarshalWithOptions([]byte(s.YAML()), &document, yaml.Strict()); err != nil {
		t.Fatalf("%v\n%s", err, s.YAML())
	}
	rules := 0
	for _, table := range document.Overrides {
		set := tables.RuleSet{Name: "proposal", Tables: []tables.Table{table}}
		if err := set.Check(); err != nil {
			t.Errorf("%v\n%s", err, s.YAML())
		}
		rules += len(table.Columns)
	}
	if rules == 0 || rules != len(s.Rules) {
		t.Errorf("%d rules read back, %d proposed", rules, len(s.Rules))
	}
}
