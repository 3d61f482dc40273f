package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"anonymooc/config"
	"anonymooc/internal/fault"
	"anonymooc/tables"
)

// write puts a file into a new folder and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// project makes a project whose file holds text, and opens it.
func project(t *testing.T, text string, flags *pflag.FlagSet) (*config.Project, error) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	if _, err := config.CreateProject(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, config.ProjectFile), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config.OpenProject(dir, flags)
}

// TestBuiltinRuleSets: each loads, and each of its rules says which role the
// column has and why it is treated so.
func TestBuiltinRuleSets(t *testing.T) {
	if names := config.RuleSets(); !slices.Equal(names, []string{"edx", "fun"}) {
		t.Errorf("rule sets %q", names)
	}
	for _, name := range config.RuleSets() {
		set, sum, err := config.LoadRules(name)
		if err != nil {
			t.Fatal(err)
		}
		if set.Name != name || len(sum) != 64 || set.About == "" {
			t.Errorf("%s: %q, %q", name, set.Name, sum)
		}
		for _, table := range set.Tables {
			if table.About == "" || len(table.Files) == 0 {
				t.Errorf("%s: table %s tells nothing of itself", name, table.Name)
			}
			for _, c := range table.Columns {
				everyRule(t, name+" "+table.Name, c)
			}
		}
	}
}

func everyRule(t *testing.T, where string, c tables.Column) {
	t.Helper()
	if c.Role == "" || c.Why == "" {
		t.Errorf("%s: column %s has no role or no reason", where, c.Column)
	}
	if c.Action == "keep" && c.Role == tables.DirectIdentifier {
		t.Errorf("%s: column %s is a direct identifier and kept", where, c.Column)
	}
	for _, field := range c.Fields {
		everyRule(t, where+" "+c.Column, field)
	}
}

// TestEdxIsLaidOverFun: the rule set of a data package has the tables of FUN's,
// their rules, and its own.
func TestEdxIsLaidOverFun(t *testing.T) {
	fun, _, err := config.LoadRules("fun")
	if err != nil {
		t.Fatal(err)
	}
	edx, _, err := config.LoadRules("edx")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range fun.Tables {
		if edx.Table(table.Name) == nil {
			t.Errorf("table %s is missing", table.Name)
		}
	}
	if len(edx.Tables) < len(fun.Tables)+38 {
		t.Errorf("only %d tables", len(edx.Tables))
	}
	action := func(set *tables.RuleSet, table, column string) string {
		for _, c := range set.Table(table).Columns {
			if c.Column == column {
				return c.Action
			}
		}
		return ""
	}
	for _, c := range []struct{ table, column, fun, edx string }{
		{"auth_user", "username", "drop", "pseudonym"}, {"auth_user", "email", "drop", "drop"},
		{"tracking_log", "**.cohort_name", "", "key"}, {"tracking_log", "**.user_id", "pseudonym", "pseudonym"},
	} {
		if got := action(fun, c.table, c.column); got != c.fun {
			t.Errorf("fun: %s %s is %q", c.table, c.column, got)
		}
		if got := action(edx, c.table, c.column); got != c.edx {
			t.Errorf("edx: %s %s is %q", c.table, c.column, got)
		}
	}
}

// TestInclude lays a rule set over another, which may itself include one.
func TestInclude(t *testing.T) {
	base := write(t, "base.yaml", `
name: base
shared: [{name: common, columns: [{column: "**.a", action: drop}, {column: "**.b", action: drop}]}]
tables:
  - {name: one, files: [one.csv], require: [id], columns: [{column: id, action: drop}, {column: v, action: drop}]}
  - {name: log, shape: json, otherwise: scrub, files: [log.json], use: common}
`)
	text := `
name: mine
include: ` + base + `
shared: [{name: common, columns: [{column: "**.b", action: keep}, {column: "**.c", action: keep}]}]
tables:
  - {name: one, columns: [{column: v, action: keep}, {column: w, action: keep}]}
  - {name: two, files: [two.csv], columns: [{column: id, action: drop}]}
`
	mine := write(t, "mine.yaml", text)
	set, sum, err := config.LoadRules(mine)
	if err != nil {
		t.Fatal(err)
	}
	actions := func(table string) string {
		var b strings.Builder
		for _, c := range set.Table(table).Columns {
			b.WriteString(c.Column + "=" + c.Action + " ")
		}
		return b.String()
	}
	if got := actions("one"); got != "v=keep w=keep id=drop " {
		t.Errorf("table one: %s", got)
	}
	if got := actions("log"); got != "**.b=keep **.c=keep **.a=drop " {
		t.Errorf("table log: %s", got)
	}
	if set.Name != "mine" || set.Table("two") == nil || !slices.Equal(set.Table("one").Files, []string{"one.csv"}) {
		t.Errorf("%+v", set)
	}
	outer := write(t, "outer.yaml", "name: outer\ninclude: "+mine+"\n")
	if set, other, err := config.LoadRules(outer); err != nil || set.Table("one") == nil || other == sum {
		t.Errorf("included twice over: %v", err)
	}

	// The hash stands for what is included too.
	if err := os.WriteFile(base, []byte("name: base\ntables: [{name: one, files: [one.csv], columns: [{column: id, action: keep}]}, {name: log, shape: json, otherwise: scrub, files: [log.json]}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, other, err := config.LoadRules(mine); err != nil || other == sum {
		t.Errorf("another base, the same hash: %v", err)
	}
}

// TestDictionariesLieBesideTheRules: a dictionary is found beside the file that
// names it, in a rule set and in a project, and belongs to the hash.
func TestDictionariesLieBesideTheRules(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"rules", "project"} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	put("rules/base.yaml", "name: base\ntables:\n  - {name: one, files: [one.csv], columns: [{column: a, action: map, file: a.csv}]}\n")
	put("rules/mine.yaml", "name: mine\ninclude: base.yaml\n")
	put("rules/a.csv", "from,to\n1,2\n")
	put("project/b.csv", "from,to\n1,2\n")
	put("project/project.yaml", `version: 1
settings: {rules: rules/mine.yaml}
overrides:
  - name: one
    columns:
      - {column: b, action: map, file: b.csv}
      - {column: c, action: json, fields: [{column: d, action: map, file: b.csv}]}
`)
	sums := map[string]bool{}
	for _, change := range []struct{ file, text string }{{"rules/a.csv", "from,to\n1,2\n"}, {"rules/a.csv", "from,to\n1,3\n"}, {"project/b.csv", "from,to\n1,3\n"}} {
		put(change.file, change.text)
		p, err := config.OpenProject("project", nil)
		if err != nil {
			t.Fatal(err)
		}
		var sum string
		for range 2 { // the second time as the first
			if _, sum, err = p.RuleSet(); err != nil {
				t.Fatal(err)
			}
		}
		sums[sum] = true
	}
	if len(sums) != 3 {
		t.Errorf("three states of the dictionaries, %d hashes", len(sums))
	}
	if err := os.Remove("rules/a.csv"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := config.LoadRules("rules/mine.yaml"); fault.CodeOf(err) != fault.Usage {
		t.Errorf("without the dictionary: %v", err)
	}
}

// TestIncludesThatGoRound are refused.
func TestIncludesThatGoRound(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml")
	for path, text := range map[string]string{a: "name: a\ninclude: " + b + "\n", b: "name: b\ninclude: " + a + "\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{a, b, write(t, "gone.yaml", "include: nowhere\n")} {
		if _, _, err := config.LoadRules(path); fault.CodeOf(err) != fault.Usage {
			t.Errorf("%v", err)
		}
	}
}

// TestWrongRulesAreToldWithTheirLines: each mistake is a fault with the line it
// stands on, and all of a kind are told at once.
func TestWrongRulesAreToldWithTheirLines(t *testing.T) {
	head := "name: x\ntables:\n  - name: one\n    files: [one.csv]\n    columns:\n" // five lines
	for name, c := range map[string]struct {
		text string
		line int64
		what string
	}{
		"unknown key":            {head + "      - {column: a, action: keep, colour: blue}\n", 6, "colour"},
		"unknown key of a table": {"name: x\ntables:\n  - name: one\n    colour: blue\n", 4, "colour"},
		"repeated key":           {"name: x\nname: y\n", 2, "name"},
		"wrong type":             {head + "      - {column: a, action: bin, width: wide}\n", 6, ""},
		"unknown action":         {head + "      - {column: a, action: shred}\n", 6, `unknown action "shred"`},
		"two rules":              {head + "      - {column: a, action: keep}\n      - {column: a, action: drop}\n", 7, "two rules, the first on line 6"},
		"unknown role":           {head + "      - {column: a, action: keep, role: nosy}\n", 6, `unknown role "nosy"`},
		"foreign setting":        {head + "      - {column: a, action: keep, width: 3}\n", 6, `no setting "width"`},
		"no column":              {head + "      - {action: keep}\n", 6, "names its column"},
		"field without action":   {head + "      - {column: a, action: json, fields: [{column: b}]}\n", 6, `field "b"`},
		"two tables of a name":   {head + "      - {column: a, action: keep}\n  - name: one\n    files: [x]\n", 7, "a name of its own"},
		"unknown shape":          {"name: x\ntables:\n  - name: one\n    shape: round\n", 3, "unknown shape"},
		"columns of a file":      {"name: x\ntables:\n  - name: one\n    shape: file\n    columns: [{column: a, action: keep}]\n", 3, "copied whole"},
		"otherwise keep":         {"name: x\ntables:\n  - name: one\n    shape: json\n    otherwise: keep\n", 3, "otherwise is stop, scrub or drop"},
		"unknown shared rules":   {"name: x\ntables:\n  - name: one\n    use: nothing\n", 3, `no shared rules are named "nothing"`},
		"unknown kind":           {"name: x\ntables:\n  - name: one\n    person: [{column: a, kind: shoe}]\n", 3, `unknown kind "shoe"`},
		"unknown attribute":      {"name: x\ntables:\n  - name: one\n    describe: [{column: a, as: shoe}]\n", 3, `unknown attribute "shoe"`},
		"unreadable keep":        {"name: x\ntables:\n  - name: one\n    unreadable: keep\n", 3, "unreadable is stop or quarantine"},
		"no YAML":                {"name: [x\n", 1, ""},
	} {
		path := write(t, "rules.yaml", c.text)
		_, _, err := config.LoadRules(path)
		var f *fault.Fault
		if !errors.As(err, &f) || f.Code != fault.Usage {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.Line != c.line || f.File != path || !strings.Contains(f.Error(), c.what) {
			t.Errorf("%s: %v, wanted line %d and %q", name, f, c.line, c.what)
		}
	}
	_, _, err := config.LoadRules(write(t, "rules.yaml", head+"      - {column: a, action: shred}\n      - {column: b, action: bin}\n      - {column: c, action: keep, role: x}\n"))
	var list fault.List
	if !errors.As(err, &list) || len(list) != 3 {
		t.Errorf("not all at once: %v", err)
	}
}

// TestOverrides: what the project says of a column holds, what it leaves open is
// the rule set's; a table of its own wants files.
func TestOverrides(t *testing.T) {
	p, err := project(t, `version: 1
overrides:
  - name: auth_userprofile
    columns:
      - {column: gender, action: drop, role: quasi-identifier, why: not asked for}
      - {column: shoe_size, action: bin, width: 5, role: quasi-identifier, why: a new column}
  - name: tracking_log
    columns:
      - {column: event.colour, action: drop, role: attribute, why: ""}
  - name: structure
    files: ["structure.json"]
    shape: file
  - {name: student_courseenrollment, drop: true}
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	set, sum, err := p.RuleSet()
	if err != nil {
		t.Fatal(err)
	}
	fun, funSum, err := config.LoadRules("fun")
	if err != nil || sum == funSum {
		t.Fatalf("the hash does not stand for the overrides: %v", err)
	}
	want := map[string]string{"gender": "drop", "shoe_size": "bin", "year_of_birth": "keep", "user_id": "pseudonym"}
	profile := set.Table("auth_userprofile")
	for _, c := range profile.Columns {
		if action, ok := want[c.Column]; ok && c.Action != action {
			t.Errorf("%s is %s", c.Column, c.Action)
		}
		delete(want, c.Column)
	}
	if len(want) > 0 || len(profile.Columns) != len(fun.Table("auth_userprofile").Columns)+1 || len(profile.Links) == 0 {
		t.Errorf("%v is left, %d columns", want, len(profile.Columns))
	}
	if !set.Table("student_courseenrollment").Drop || set.Table("structure").Shape != "file" {
		t.Error("a table of the project is not as it says")
	}
	if len(set.Table("tracking_log").Columns) != len(fun.Table("tracking_log").Columns)+1 {
		t.Error("the shared rules of the log are lost or doubled")
	}
	if fun.Table("student_courseenrollment").Drop {
		t.Error("the override reached the rule set itself")
	}
}

// TestDetectorsAreChosen: as a list or as a text with commas, in any order; a
// flag comes before both.
func TestDetectorsAreChosen(t *testing.T) {
	for text, want := range map[string]string{
		"version: 1\n": "catalogue,patterns,nome,seekhide,eslo",
		"version: 1\nsettings: {detectors: [eslo, nome, eslo], expert: none}\n": "nome,eslo",
		"version: 1\nsettings: {detectors: \" seekhide , catalogue \"}\n":       "catalogue,seekhide",
		"version: 1\nsettings:\n  detectors:\n  - patterns\n  # - catalogue\n":  "patterns",
	} {
		p, err := project(t, text, nil)
		if err != nil || p.Settings.Detectors != want {
			t.Errorf("%q: %q, not %q (%v)", text, p.Settings.Detectors, want, err)
		}
	}
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	flags.String("detectors", "", "")
	if err := flags.Parse([]string{"--detectors", "eslo,patterns"}); err != nil {
		t.Fatal(err)
	}
	if p, err := project(t, "version: 1\nsettings: {detectors: [nome]}\n", flags); err != nil || p.Settings.Detectors != "patterns,eslo" {
		t.Errorf("the flag does not come first: %+v %v", p, err)
	}
}

// TestSettings: a flag comes before the file, and that before the default.
func TestSettings(t *testing.T) {
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	flags.String("text", "drop", "")
	flags.Int("jobs", 0, "")
	flags.String("colour", "", "no setting")
	if err := flags.Parse([]string{"--jobs", "3", "--colour", "blue"}); err != nil {
		t.Fatal(err)
	}
	p, err := project(t, "version: 1\nsettings: {text: strict, domain: Thesis.2015, geo-db: a.mmdb, jobs: 9}\n", flags)
	if err != nil {
		t.Fatal(err)
	}
	if want := (config.Settings{Rules: "fun", Text: "strict", Unknown: "stop", Domain: "Thesis.2015", GeoDB: "a.mmdb", Jobs: 3, Forgotten: "drop", Format: "export", Detectors: "catalogue,patterns,nome,seekhide,eslo", Expert: "table"}); p.Settings != want {
		t.Errorf("%+v, not %+v", p.Settings, want)
	}
	for name, text := range map[string]string{
		"unknown setting": "version: 1\nsettings: {colour: blue}\n", "wrong type": "version: 1\nsettings: {jobs: many}\n", "wrong value": "version: 1\nsettings: {text: shred}\n",
		"keep unknown": "version: 1\nsettings: {unknown: keep}\n", "no domain": "version: 1\nsettings: {domain: \"\"}\n", "fewer than no jobs": "version: 1\nsettings: {jobs: -1}\n",
		"another version": "version: 2\n", "unknown detector": "version: 1\nsettings: {detectors: [nome, nose]}\n", "no detector": "version: 1\nsettings: {detectors: []}\n",
		"unknown level": "version: 1\nsettings: {expert: some}\n", "no version": "settings: {}\n", "unknown part": "version: 1\nrules: []\n",
	} {
		if _, err := project(t, text, nil); fault.CodeOf(err) != fault.Usage {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNewProject: what is made is private, told once, and reads back as the
// defaults.
func TestNewProject(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "project")
	made, err := config.CreateProject(dir)
	if err != nil || len(made) != 2 {
		t.Fatalf("%q, %v", made, err)
	}
	if again, err := config.CreateProject(dir); err != nil || len(again) != 0 {
		t.Errorf("made again: %q, %v", again, err)
	}
	for path, mode := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, config.ProjectFile): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	p, err := config.OpenProject(dir, nil)
	if err != nil || p.Settings != config.Defaults() {
		t.Errorf("%+v, %v", p.Settings, err)
	}
	for _, mode := range []os.FileMode{0o750, 0o705, 0o777} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := config.CreateProject(dir); fault.CodeOf(err) != fault.Failure {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	if _, err := config.CreateProject(write(t, "file", "")); fault.CodeOf(err) != fault.Usage {
		t.Errorf("a file in the folder's place: %v", err)
	}
	if _, err := config.OpenProject(t.TempDir(), nil); fault.CodeOf(err) != fault.Usage {
		t.Errorf("no project: %v", err)
	}
	if p, err := config.OpenOrDefault(t.TempDir(), nil); err != nil || p.Settings != config.Defaults() {
		t.Errorf("no project yet: %v", err)
	}
}
