package tables_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/config"
	"anonymooc/internal/fault"
	"anonymooc/tables"
)

// specRules gives every action a rule whose settings are those of its example,
// read from YAML as an officer would write it.
func specRules(t *testing.T) map[string]tables.Column {
	t.Helper()
	rules := map[string]tables.Column{}
	for _, spec := range tables.Specs() {
		dir := filepath.Join(t.TempDir(), "project")
		if _, err := config.CreateProject(dir); err != nil {
			t.Fatal(err)
		}
		text := "version: 1\noverrides:\n  - name: example\n    files: [\"example.csv\"]\n    columns:\n      - " + spec.Example + "\n"
		if err := os.WriteFile(filepath.Join(dir, config.ProjectFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		project, err := config.OpenProject(dir, nil)
		if err != nil {
			t.Fatalf("the example of %s: %v", spec.Name, err)
		}
		set, _, err := project.RuleSet()
		if err != nil {
			t.Fatalf("the example of %s: %v", spec.Name, err)
		}
		rule := set.Table("example").Columns[0]
		if rule.Action != spec.Name || rule.Why == "" {
			t.Errorf("the example of %s shows action %q, why %q", spec.Name, rule.Action, rule.Why)
		}
		rules[spec.Name] = rule
	}
	return rules
}

// TestEveryActionIsDocumented: help and codebook are made from the specs.
func TestEveryActionIsDocumented(t *testing.T) {
	families := map[string]bool{"keep": true, "suppress": true, "mask": true, "pseudonymise": true, "generalise": true, "shift": true}
	seen := map[string]bool{}
	for _, spec := range tables.Specs() {
		if seen[spec.Name] || !families[spec.Family] || spec.Summary == "" || spec.Doc == "" || spec.New == nil {
			t.Errorf("%+v", spec)
		}
		seen[spec.Name] = true
		help := spec.Help()
		for _, part := range []string{spec.Name, spec.Summary, spec.Doc, spec.Example} {
			if !strings.Contains(help, part) {
				t.Errorf("the help of %s leaves something out", spec.Name)
			}
		}
		for _, s := range spec.Settings {
			if s.Meaning == "" || !strings.Contains(help, s.Meaning) {
				t.Errorf("%s: setting %s is not explained", spec.Name, s.Name)
			}
		}
		if found, ok := tables.FindSpec(spec.Name); !ok || found.Name != spec.Name {
			t.Errorf("%s is not found", spec.Name)
		}
	}
	if len(seen) < 14 {
		t.Errorf("only %d actions", len(seen))
	}
	if _, ok := tables.FindSpec("hash"); ok {
		t.Error("an action that is not there is found")
	}
}

// TestSettingsAreChecked: a rule with a setting its action does not know, without
// one it wants, or with one that makes no sense is refused.
func TestSettingsAreChecked(t *testing.T) {
	for name, rule := range map[string]tables.Column{
		"unknown action":       {Action: "hash"},
		"no action":            {},
		"setting of another":   {Action: "keep", Kind: "user_id"},
		"setting left out":     {Action: "pseudonym"},
		"unknown kind":         {Action: "pseudonym", Kind: "shoe_size"},
		"kind of no person":    {Action: "pseudonym", Kind: "session"},
		"key without a space":  {Action: "key"},
		"width below 0":        {Action: "bin", Width: -5},
		"no limit":             {Action: "top-code"},
		"top below bottom":     {Action: "top-code", Top: number(1), Bottom: number(2)},
		"unit and shift":       {Action: "date", Unit: "day", ShiftDays: 3},
		"neither":              {Action: "date"},
		"unknown unit":         {Action: "date", Unit: "hour"},
		"shift too long":       {Action: "date", ShiftDays: 4000},
		"no dictionary":        {Action: "map"},
		"two dictionaries":     {Action: "map", Values: map[string]string{"a": "b"}, File: "x.csv"},
		"dictionary not there": {Action: "map", File: filepath.Join(t.TempDir(), "none.csv")},
		"otherwise keep":       {Action: "json", Otherwise: "keep"},
		"two rules for a path": {Action: "json", Fields: []tables.Column{{Column: "a", Action: "keep"}, {Column: "a", Action: "drop"}}},
		"wrong path":           {Action: "json", Fields: []tables.Column{{Column: "**.a.b", Action: "keep"}}},
		"wrong field":          {Action: "json", Fields: []tables.Column{{Column: "a", Action: "nothing"}}},
		"constant without one": {Action: "constant"},
	} {
		rule.Column = "v"
		if _, err := tables.NewAction(&rule); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// jsonKind names the type of a JSON value.
func jsonKind(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	switch raw[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "list"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// inputs are values of every type, the awkward ones among them.
var inputs = []string{
	`"prudence.martin"`, `"4711"`, `4711`, `"zora@courriel.example"`, `"e4a7b7a2b9a00b1d9fd5a8eb386a9afe"`, `"2014-02-03 10:11:12"`, `"1987"`, `1987`, `3.5`, `-1e400`,
	`"Zorglub Müller, Lyon"`, `"\u0000\ud800"`, `"192.0.2.7"`, `"https://x.example/u/zoe?email=zoe.blanc@courriel.example"`, `true`, `false`, `"{\"username\": \"zoe\"}"`,
	`"{\"username\": \"zo"`, `"m"`, `123456789012345678901234567890`, `"` + strings.Repeat("x", 5000) + `"`,
}

// TestConformanceOfActions holds for every action: the answer follows from the
// value alone, NULL stays NULL, a type stays a type, what cannot be read is not
// passed on, and no error holds a value.
func TestConformanceOfActions(t *testing.T) {
	rules := specRules(t)
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, people)
			t.Run("deterministic", func(t *testing.T) {
				var text strings.Builder
				for range 3 {
					for _, value := range inputs {
						text.WriteString(`{"v": ` + value + `}` + "\n")
					}
				}
				rule := rule
				rule.Column = "v"
				plan := bindRecords(t, &tables.Table{Name: "one", Shape: "json", Otherwise: "scrub", Person: []tables.PersonColumn{{Column: "v", Kind: "username"}}, Columns: []tables.Column{rule}})
				// Whom a value names is drawn at first sight: the first run draws.
				b.must(t, plan, text.String())
				want, _ := b.must(t, plan, text.String())
				for _, block := range []int{1, 100, 1 << 20} {
					out, _, err := b.transform(plan, text.String(), tables.Stream{Jobs: 3, Limits: tables.Limits{Block: block, Record: 1 << 20}})
					if err != nil || out != want {
						t.Errorf("block %d: another result, %v", block, err)
					}
				}
			})
			t.Run("null-safe", func(t *testing.T) {
				if name == "constant" || name == "drop" {
					return // they replace everything, as they say
				}
				for _, value := range []string{`null`, `""`} {
					if out, want := b.member(t, rule, value), `{"v": `+value+`, "w": 1}`+"\n"; out != want {
						t.Errorf("%q became %q", want, out)
					}
				}
				for _, value := range []string{"", "NULL", `\N`} {
					if out, tally := b.cell(t, rule, value); out != value || tally.Failed > 0 || tally.Changed > 0 {
						t.Errorf("%q became %q: %+v", value, out, tally)
					}
				}
			})
			t.Run("types stay", func(t *testing.T) {
				for _, value := range inputs {
					out := b.member(t, rule, value)
					var record map[string]json.RawMessage
					if err := json.Unmarshal([]byte(out), &record); err != nil {
						t.Fatalf("%q: %v", out, err)
					}
					got, there := record["v"]
					if !there {
						if name != "drop" {
							t.Errorf("%s: the member is gone", value)
						}
						continue
					}
					before, after := jsonKind(t, json.RawMessage(value)), jsonKind(t, got)
					if after != before && after != "null" {
						t.Errorf("%s: a %s became a %s", value, before, after)
					}
				}
			})
			t.Run("fails closed", func(t *testing.T) {
				switch name {
				case "keep", "scrub", "url", "json":
					return // they keep what names nobody
				}
				for _, value := range []string{"Zorglub Müller", "{\"a\": Zorglub", "Zorglub@@", "9Zorglub", "%5A%6Frglub"} {
					quoted, err := json.Marshal(value)
					if err != nil {
						t.Fatal(err)
					}
					if out := b.member(t, rule, string(quoted)); strings.Contains(out, "rglub") {
						t.Errorf("%q passes through: %q", value, out)
					}
				}
			})
		})
	}
}

// TestNoValueInErrors: an error in the middle of a value says where it is and
// never what it is, whatever the action was doing.
func TestNoValueInErrors(t *testing.T) {
	for name, rule := range specRules(t) {
		b := newBench(t, people)
		b.session.Text = brokenEngine{}
		if err := b.idMap.Close(); err != nil { // nobody new can be drawn any more
			t.Fatal(err)
		}
		rule.Column = "v"
		table := &tables.Table{Name: "one", Columns: []tables.Column{rule, {Column: "w", Action: "keep"}}}
		text := "v,w\nZorglub is a text of two lines,w\n"
		_, _, err := b.transform(bindText(t, table, tables.CSV{}, text), text, tables.Stream{})
		if name == "text" && err == nil {
			t.Error("the error of the text engine is lost")
		}
		if err == nil {
			continue
		}
		var f *fault.Fault
		if !errors.As(err, &f) || f.File != "file" || f.Line != 2 || f.Column != "v" {
			t.Errorf("%s: %v does not say where", name, err)
		}
		if strings.Contains(err.Error(), "Zorglub") {
			t.Errorf("%s: the error holds the value", name)
		}
	}
}

// brokenEngine is a text engine that fails.
type brokenEngine struct{}

func (brokenEngine) Treat(dst, _ []byte, _ tables.TextPlace) ([]byte, tables.TextTally, error) {
	return dst, tables.TextTally{}, errors.New("the lists cannot be read")
}

// cellCase is a value of a table and what an action makes of it; failed says that
// it was counted as unreadable.
type cellCase struct {
	rule     tables.Column
	in, want string
	failed   bool
}

// TestActionsOnCells goes through the actions one by one.
func TestActionsOnCells(t *testing.T) {
	b := newBench(t, people)
	user := tables.Column{Action: "pseudonym", Kind: "user_id"}
	name := tables.Column{Action: "pseudonym", Kind: "username"}
	mail := tables.Column{Action: "pseudonym", Kind: "email"}
	any := tables.Column{Action: "pseudonym", Kind: "person"}
	five := tables.Column{Action: "bin", Width: 5}
	top := tables.Column{Action: "top-code", Top: number(2000), Bottom: number(1940)}
	grades := tables.Column{Action: "map", Values: map[string]string{"p": "postgraduate", "b": "graduate"}}
	others := tables.Column{Action: "map", Values: map[string]string{"p": "postgraduate"}, Fallback: word("other")}
	choice := tables.Column{Action: "text", Choices: true}
	url := tables.Column{Action: "url"}
	u := b.username
	for i, c := range []cellCase{
		{user, "4711", b.number(t, "4711"), false},
		{user, `"4711"`, `"` + b.number(t, "4711") + `"`, false},
		{user, "4711.0", b.number(t, "4711") + ".0", false},
		{user, " 4711", b.number(t, "4711"), false},
		{user, "zoe", "", true},
		{user, "-3", "", true},
		{user, "0", "", true},
		{user, strings.Repeat("9", 30), "", true},
		{name, "zoe", u(t, "90210"), false},
		{name, "1", u(t, "7"), false},
		{name, "audit", u(t, "48"), false},
		{mail, "olive.page@mail.example", u(t, "48") + "@example.invalid", false},
		{any, "zoe.blanc@courriel.example", u(t, "90210") + "@example.invalid", false},
		{any, "zora@courriel.example", u(t, "5150"), false},
		{any, "90210", b.number(t, "90210"), false},
		{any, "prudence.martin", u(t, "4711"), false},

		{five, "1987", "1985-1989", false},
		{five, "-1", "-5--1", false},
		{tables.Column{Action: "bin", Width: 5, Origin: 2}, "1987", "1987-1991", false},
		{tables.Column{Action: "bin", Width: 0.25}, "0.6", "0.5..0.75", false},
		{five, "1987ish", "", true},
		{five, "0x10", "", true},
		{five, "Inf", "", true},
		{five, "1e999", "", true},

		{top, "1900", "1940", false},
		{top, "2012", "2000", false},
		{top, "1987.50", "1987.50", false},
		{top, "old", "", true},

		{grades, "p", "postgraduate", false},
		{grades, "x", "", true},
		{others, "x", "other", false},
		{tables.Column{Action: "map", Values: map[string]string{}}, "x", "", true},

		{choice, "choice_2", "choice_2", false},
		{choice, "42", "42", false},
		{choice, "-0.5", "-0.5", false},
		{choice, "true", "true", false},
		{choice, "0612345678", "", false},
		{choice, "I am Zoé", "", false},
		{choice, "choice", "", false},
		{choice, "choice_of_a_long_story_about_oneself", "", false},
		{tables.Column{Action: "text"}, "choice_2", "", false},

		{tables.Column{Action: "blank"}, "x", "", false},
		{tables.Column{Action: "redact"}, "x", "[redacted]", false},
		{tables.Column{Action: "constant", Value: "a,b"}, "x", `"a,b"`, false},
		{tables.Column{Action: "constant", Value: "c"}, "NULL", "c", false},

		{url, "/u/zoe", "/u/" + u(t, "90210"), false},
		{url, "edx.course.enrollment.activated", "edx.course.enrollment.activated", false},
		{url, "/courses/X/Y/Z/progress/4711/", "/courses/X/Y/Z/progress/" + b.number(t, "4711") + "/", false},
		{url, "/courses/X/Y/Z/discussion/forum/users/90210/followed", "/courses/X/Y/Z/discussion/forum/users/" + b.number(t, "90210") + "/followed", false},
		{url, "https://x.example/a?next=%2Fu%2Fzoe&b=1", "https://x.example/a?next=%2Fu%2F" + u(t, "90210") + "&b=1", false},
		{url, "https://x.example/a?user=zoe&page=2", "https://x.example/a?user=" + u(t, "90210") + "&page=2", false},
		{url, "https://zoe:secret@x.example/a", "https://x.example/a", false},
		{url, "/courses/problem/1/audit/page", "/courses/problem/1/audit/page", false},
		{url, "/wiki/X/prudence-martin-homepage/", "/wiki/X/someone-homepage/", false},
	} {
		out, tally := b.cell(t, c.rule, c.in)
		if out != c.want {
			t.Errorf("case %d: %s of %q is %q, not %q", i, c.rule.Action, c.in, out, c.want)
		}
		if c.failed != (tally.Failed == 1) {
			t.Errorf("case %d: %s of %q: %+v", i, c.rule.Action, c.in, tally)
		}
	}
}

// TestSecretsInURLs: tokens that lead to an account are replaced and stay equal.
func TestSecretsInURLs(t *testing.T) {
	b := newBench(t, people)
	rule := tables.Column{Action: "url"}
	for _, url := range []string{
		"/activate/bdfcc769d9560b2d79ecfa9c281cdd21", "/password_reset_confirm/3mv-4a2b-6f6e5d4c3b2a/", "/certificates/6f6408ff25d0c30099c5edbb2eccbde6",
		"/a?csrfmiddlewaretoken=bdfcc769d956", "/a#access_token=bdfcc769d956&x=1",
	} {
		out, _ := b.cell(t, rule, url)
		again, _ := b.cell(t, rule, url)
		for _, secret := range []string{"bdfcc769d956", "3mv-4a2b", "6f6408ff25d0"} {
			if strings.Contains(out, secret) {
				t.Errorf("%s became %s", url, out)
			}
		}
		if out != again {
			t.Errorf("%s became %s and %s", url, out, again)
		}
	}
}

// TestKeys: equal keys of a space have equal surrogates of the same shape, and
// spaces share none.
func TestKeys(t *testing.T) {
	b := newBench(t, people)
	space := func(name string) tables.Column { return tables.Column{Action: "key", Space: name} }
	for _, key := range []string{"42", "0", "1147483647", "99999999999", "d755ac65-f6aa-c662-340f-e47c1cb4296b", "efa2bc235872a61defb725fdb3a2e324", "542bdeea1b03b7992903a1b9", "equipe-1", "007"} {
		one, _ := b.cell(t, space("a"), key)
		two, _ := b.cell(t, space("a"), key)
		other, _ := b.cell(t, space("b"), key)
		if one != two || one == key || one == other || one == "" {
			t.Errorf("%s: %s, %s, in another space %s", key, one, two, other)
		}
		number := strings.Trim(key, "0123456789") == "" && (key == "0" || key[0] != '0')
		if number != (strings.Trim(one, "0123456789") == "" && len(one) >= 10 && len(one) <= 19) {
			t.Errorf("%s became %s", key, one)
		}
		if !number && strings.Count(one, "-") != max(0, strings.Count(key, "-")-1)/3*4 {
			t.Errorf("%s became %s", key, one)
		}
	}
	if out := b.member(t, space("a"), "42"); strings.Contains(out, `"v": "`) {
		t.Errorf("a number became a string: %s", out)
	}
	if out := b.member(t, space("a"), "1.5"); out != `{"v": null, "w": 1}`+"\n" {
		t.Errorf("half a key became %s", out)
	}
}
