// Package config reads what a data officer decides: the built-in rule sets and
// the project file.
//
//	rules/fun.yaml, rules/edx.yaml  (embedded) ─┐   edx is laid over fun
//	project.yaml  settings ─ viper ─► Settings  ├─► RuleSet, checked whole
//	              overrides ─ strict YAML ──────┘
//
// Settings go through viper, so that a flag, the project file and the default
// are one mechanism. Rules do not: viper folds case and splits dots, and a column
// may be called "Grade" or "a.b". They are read by a strict decoder, for which an
// unknown key is an error with its line.
package config

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"anonymooc/internal/fault"
	"anonymooc/tables"
)

//go:embed rules/*.yaml
var builtin embed.FS

// RuleSets lists the names of the built-in rule sets.
func RuleSets() []string {
	entries, err := fs.ReadDir(builtin, "rules")
	if err != nil {
		return nil // the folder is embedded: it is there
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// LoadRules returns a built-in rule set, or one from a YAML file when name is a
// path, expanded and checked. The hash stands for all of its bytes, those of the
// rule sets that it includes too.
func LoadRules(name string) (*tables.RuleSet, string, error) {
	set, source, parts, err := readRules(name, nil)
	if err != nil {
		return nil, "", err
	}
	if err := finish(set, source); err != nil {
		return nil, "", err
	}
	used, err := dictionaries(set, source)
	if err != nil {
		return nil, "", err
	}
	return set, hashOf(append(parts, used...)...), nil
}

// readRules reads a rule set and lays it over the ones that it includes. within
// are the names that lead to this one.
func readRules(name string, within []string) (set *tables.RuleSet, source string, parts [][]byte, err error) {
	source = name + ".yaml"
	data, err := builtin.ReadFile("rules/" + source)
	if err != nil {
		source = name
		if data, err = os.ReadFile(name); err != nil {
			return nil, "", nil, fault.New(fault.Usage, "no rule set is named %q, and no such file can be read", name).
				WithHint("the built-in rule sets are %s", strings.Join(RuleSets(), ", "))
		}
	}
	set = &tables.RuleSet{}
	if err := decode(source, data, set); err != nil {
		return nil, "", nil, err
	}
	if set.Name == "" {
		set.Name = source
	}
	if source == name { // a file, not a built-in rule set
		dir := filepath.Dir(source)
		for i := range set.Shared {
			anchor(set.Shared[i].Columns, dir)
		}
		for i := range set.Tables {
			anchor(set.Tables[i].Columns, dir)
		}
		if set.Include != "" && !slices.Contains(RuleSets(), set.Include) {
			set.Include = below(dir, set.Include)
		}
	}
	parts = [][]byte{data}
	if set.Include == "" {
		return set, source, parts, nil
	}
	within = append(within, name)
	if slices.Contains(within, set.Include) {
		return nil, "", nil, fault.New(fault.Usage, "a rule set includes itself").At(source, 0, "include").
			WithHint("remove one of the include lines of %s", strings.Join(within, ", "))
	}
	base, _, more, err := readRules(set.Include, within)
	if err != nil {
		return nil, "", nil, err
	}
	set.Base(base)
	return set, source, append(parts, more...), nil
}

// anchor makes the names of dictionaries those of files beside the rules that
// name them, wherever the program is started.
func anchor(columns []tables.Column, dir string) {
	for i := range columns {
		c := &columns[i]
		if c.File != "" {
			c.File = below(dir, c.File)
		}
		anchor(c.Fields, dir)
	}
}

func below(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// dictionaries reads the dictionaries of a rule set's maps: what they say belongs
// to the rules, and so to their hash.
func dictionaries(set *tables.RuleSet, source string) (parts [][]byte, err error) {
	var visit func([]tables.Column)
	visit = func(columns []tables.Column) {
		for _, c := range columns {
			if c.File != "" {
				data, readErr := os.ReadFile(c.File)
				if readErr != nil && err == nil {
					err = fault.New(fault.Usage, "the dictionary cannot be read").At(source, int64(c.Line), c.Column)
				}
				parts = append(parts, data)
			}
			visit(c.Fields)
		}
	}
	for _, t := range set.Tables {
		visit(t.Columns)
	}
	return parts, err
}

// hashOf is the SHA-256 of some bytes, in hexadecimal.
func hashOf(parts ...[]byte) string {
	h := sha256.New()
	for _, part := range parts {
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// finish expands and checks a rule set under the name of the file it came from.
func finish(set *tables.RuleSet, source string) error {
	name := set.Name
	set.Name = source
	defer func() { set.Name = name }()
	if err := set.Expand(); err != nil {
		return err
	}
	return set.Check()
}

// decode reads YAML strictly: unknown and repeated keys are errors.
func decode(source string, data []byte, into any) error {
	err := yaml.UnmarshalWithOptions(data, into, yaml.Strict())
	if err == nil {
		return nil
	}
	message, line := explain(err)
	return fault.New(fault.Usage, "%s", message).At(source, line, "").
		WithHint("the keys are those of the built-in rule sets: see docs/rules.md")
}

// explain takes the line out of the decoder's message, which it would otherwise
// draw with an excerpt of the file.
func explain(err error) (message string, line int64) {
	first, _, _ := strings.Cut(yaml.FormatError(err, false, false), "\n")
	var column int
	if _, scanErr := fmt.Sscanf(first, "[%d:%d]", &line, &column); scanErr == nil {
		_, first, _ = strings.Cut(first, "] ")
	}
	return first, line
}
