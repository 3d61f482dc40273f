// Package config reads what a data officer decides: the built-in rule sets and
// the project file.
//
//	rules/fun.yaml, rules/edx.yaml  (embedded) ─┐
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
// path, expanded and checked. The hash stands for all of its bytes.
func LoadRules(name string) (*tables.RuleSet, string, error) {
	source := name + ".yaml"
	data, err := builtin.ReadFile("rules/" + source)
	if err != nil {
		source = name
		if data, err = os.ReadFile(name); err != nil {
			return nil, "", fault.New(fault.Usage, "no rule set is named %q, and no such file can be read", name).
				WithHint("the built-in rule sets are %s", strings.Join(RuleSets(), ", "))
		}
	}
	set := &tables.RuleSet{}
	if err := decode(source, data, set); err != nil {
		return nil, "", err
	}
	if set.Name == "" {
		set.Name = source
	}
	if err := finish(set, source); err != nil {
		return nil, "", err
	}
	return set, hashOf(data), nil
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
