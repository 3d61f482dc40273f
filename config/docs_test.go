package config_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"anonymooc/config"
	"anonymooc/tables"
)

// examples are the fenced texts of docs/rules.md.
func examples(t *testing.T) (page string, marked map[string]string) {
	t.Helper()
	data, err := os.ReadFile("../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	marked = map[string]string{}
	for _, m := range regexp.MustCompile("(?s)<!-- example: ([a-z ]+) -->\n```yaml\n(.*?)```").FindAllStringSubmatch(string(data), -1) {
		marked[m[1]] = m[2]
	}
	return string(data), marked
}

// TestDocumentedOverrides: the project file that docs/rules.md shows works.
func TestDocumentedOverrides(t *testing.T) {
	_, marked := examples(t)
	dictionary := write(t, "continents.csv", "from,to\nFR,Europe\n")
	p, err := project(t, strings.Replace(marked["overrides"], "continents.csv", dictionary, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := p.RuleSet()
	if err != nil {
		t.Fatal(err)
	}
	if set.Table("survey") == nil || !set.Table("parents").Drop || set.Table("auth_userprofile").Columns[0].Action != "bin" {
		t.Error("the rules are not those of the page")
	}
}

// TestDocumentedRuleSet: the rule set that docs/rules.md shows works.
func TestDocumentedRuleSet(t *testing.T) {
	_, marked := examples(t)
	set, _, err := config.LoadRules(write(t, "ours.yaml", marked["rule set"]))
	if err != nil {
		t.Fatal(err)
	}
	if !set.Table("wiki_article").Drop || set.Table("user_id_map") == nil || set.Name != "ours" {
		t.Error("the rule set is not that of the page")
	}
}

// TestDocumentedNames: the page names every action, every role and every key of a
// table.
func TestDocumentedNames(t *testing.T) {
	page, _ := examples(t)
	var names []string
	for _, spec := range tables.Specs() {
		names = append(names, spec.Name)
	}
	names = append(names, tables.Roles()...)
	source, err := os.ReadFile(filepath.Join("..", "tables", "rules.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(source), "type Table struct {")
	table, _, _ = strings.Cut(table, "\n}")
	for _, m := range regexp.MustCompile(`yaml:"([a-z]+)"`).FindAllStringSubmatch(table, -1) {
		if m[1] != "columns" {
			names = append(names, m[1])
		}
	}
	if len(names) < 30 {
		t.Fatalf("only %q", names)
	}
	for _, name := range names {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("%s is not explained", name)
		}
	}
}
