package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
	"anonymooc/tables"
)

// ProjectFile is the name of the file in the project folder that holds what was
// decided for all of its releases.
const ProjectFile = "project.yaml"

// Settings are what holds for a whole run. A flag comes before the project file,
// and that before the default.
type Settings struct {
	Rules     string `mapstructure:"rules"`     // built-in rule set, or the path of one
	Text      string `mapstructure:"text"`      // drop, strict, reviewed
	Unknown   string `mapstructure:"unknown"`   // stop, drop
	Domain    string `mapstructure:"domain"`    // research project whose pseudonyms the release shows
	GeoDB     string `mapstructure:"geo-db"`    // country or city database; empty for the embedded one
	Jobs      int    `mapstructure:"jobs"`      // goroutines; 0 for one a core
	Forgotten string `mapstructure:"forgotten"` // drop, orphan: rows of erased people
	Key       string `mapstructure:"key"`       // path of the map's key file
	Format    string `mapstructure:"format"`    // export, parquet: the files as they are delivered, and Parquet beside them
	Cells     string `mapstructure:"cells"`     // file of the project with cells of single people; empty for none
	Detectors string `mapstructure:"detectors"` // who looks at free text, with commas between them
	Expert    string `mapstructure:"expert"`    // all, table, none: how much Seek&Hide leaves to a person
}

// Defaults are the settings of a new project.
func Defaults() Settings {
	return Settings{Rules: "fun", Text: "drop", Unknown: "stop", Domain: "default", Forgotten: "drop", Format: "export",
		Detectors: strings.Join(detectorNames(), ","), Expert: "table"}
}

// projectDocument is the form of project.yaml.
type projectDocument struct {
	Version   int            `yaml:"version"`
	Settings  map[string]any `yaml:"settings"`
	Overrides []tables.Table `yaml:"overrides"`
}

// Project is a project folder with what its file says.
type Project struct {
	Dir       string
	Settings  Settings
	overrides []tables.Table
	data      []byte
}

// OpenProject reads the project file of a folder and lays flags over it. flags
// may be nil.
func OpenProject(dir string, flags *pflag.FlagSet) (*Project, error) {
	path := filepath.Join(dir, ProjectFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Usage, "there is no project").At(path, 0, "").
			WithHint("\"anonymooc run\" makes one; --project names its folder").Because(fs.ErrNotExist)
	}
	if err != nil {
		return nil, fault.New(fault.Failure, "the project file cannot be read").At(path, 0, "").Because(err)
	}
	var doc projectDocument
	if err := decode(path, data, &doc); err != nil {
		return nil, err
	}
	if doc.Version != 1 {
		return nil, fault.New(fault.Usage, "the project file has version %d, this program reads version 1", doc.Version).At(path, 0, "version")
	}
	settings, err := settle(path, doc.Settings, flags)
	if err != nil {
		return nil, err
	}
	for i := range doc.Overrides {
		anchor(doc.Overrides[i].Columns, dir)
	}
	return &Project{Dir: dir, Settings: settings, overrides: doc.Overrides, data: data}, nil
}

// settle lays the flags over the file and both over the defaults.
func settle(path string, file map[string]any, flags *pflag.FlagSet) (Settings, error) {
	v := viper.NewWithOptions(viper.KeyDelimiter("::"))
	encoded, err := yaml.Marshal(joined(file))
	if err != nil {
		return Settings{}, fault.New(fault.Usage, "the settings cannot be read").At(path, 0, "settings").Because(err)
	}
	v.SetConfigType("yaml")
	if err := v.ReadConfig(bytes.NewReader(encoded)); err != nil {
		return Settings{}, fault.New(fault.Usage, "the settings cannot be read").At(path, 0, "settings").Because(err)
	}
	given := map[string]bool{} // on the command line
	if flags != nil {
		flags.VisitAll(func(f *pflag.Flag) {
			if f.Changed && slices.Contains(settingNames(), f.Name) && (f.Name != "format" || f.Annotations[FormatFlag] != nil) {
				v.Set(f.Name, f.Value.String())
				given[f.Name] = true
			}
		})
	}
	settings := Defaults()
	if err := v.UnmarshalExact(&settings); err != nil {
		return Settings{}, fault.New(fault.Usage, "a setting is unknown or of the wrong type").At(path, 0, "settings").
			WithHint("the settings are %s", strings.Join(settingNames(), ", "))
	}
	return settings, settings.check(func(f *fault.Fault, name string) *fault.Fault {
		if given[name] {
			return f.At("--"+name, 0, "")
		}
		return f.At(path, 0, name)
	})
}

// joined writes a setting that is a list as one text with commas.
func joined(file map[string]any) map[string]any {
	settings := maps.Clone(file)
	for name, value := range settings {
		list, ok := value.([]any)
		if !ok || name != "detectors" {
			continue
		}
		words := make([]string, len(list))
		for i, word := range list {
			words[i] = fmt.Sprint(word)
		}
		settings[name] = strings.Join(words, ",")
	}
	return settings
}

// FormatFlag marks a flag called format that is the setting's: commands that write
// something else than a release have a format of their own.
const FormatFlag = "format of the release"

func settingNames() []string {
	return []string{"rules", "text", "unknown", "domain", "geo-db", "jobs", "forgotten", "key", "format", "cells", "detectors", "expert"}
}

// detectorNames are what looks at free text, in the order in which it does.
func detectorNames() []string { return []string{"catalogue", "patterns", "nome", "seekhide", "eslo"} }

// chooseDetectors puts the names of detectors in order, each once.
func (s *Settings) chooseDetectors() *fault.Fault {
	known := detectorNames()
	var chosen []string
	for name := range strings.SplitSeq(s.Detectors, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(known, name) {
			return fault.New(fault.Usage, "unknown detector").WithHint("detectors are %s", strings.Join(known, ", "))
		}
		chosen = append(chosen, name)
	}
	known = slices.DeleteFunc(known, func(name string) bool { return !slices.Contains(chosen, name) })
	s.Detectors = strings.Join(known, ",")
	return nil
}

// check looks for settings that cannot be; place says where a setting was made.
func (s *Settings) check(place func(f *fault.Fault, name string) *fault.Fault) error {
	var faults fault.List
	for _, c := range []struct {
		name, value string
		allowed     []string
	}{
		{"text", s.Text, []string{"drop", "strict", "reviewed"}},
		{"unknown", s.Unknown, []string{"stop", "drop"}},
		{"forgotten", s.Forgotten, []string{"drop", "orphan"}},
		{"format", s.Format, []string{"export", "parquet"}},
		{"expert", s.Expert, []string{"all", "table", "none"}},
	} {
		if !slices.Contains(c.allowed, c.value) {
			faults = append(faults, place(fault.New(fault.Usage, "%s is %s", c.name, strings.Join(c.allowed, " or ")), c.name))
		}
	}
	if f := s.chooseDetectors(); f != nil {
		faults = append(faults, place(f, "detectors"))
	}
	if s.Domain == "" {
		faults = append(faults, place(fault.New(fault.Usage, "a domain has a name"), "domain"))
	}
	if s.Jobs < 0 {
		faults = append(faults, place(fault.New(fault.Usage, "jobs is a number of 0 or more"), "jobs"))
	}
	return faults.Err()
}

// projectTemplate is the file of a new project.
const projectTemplate = `# What was decided for all releases of this project. Everything here may be
# changed by hand; "anonymooc check EXPORT" tells whether it fits an export.
version: 1

settings:
  rules: fun          # fun, edx, or the path of a rule set
  text: drop          # drop, strict or reviewed: what becomes of free text
  unknown: stop       # stop or drop: columns and files that no rule names
  domain: default     # the research project whose pseudonyms a release shows
  forgotten: drop     # drop or orphan: rows of people who were erased
  format: export      # export or parquet: Parquet beside the files of the export
  # Who looks at free text, where it is kept, and how much is left to a person:
  # detectors: [catalogue, patterns, nome, seekhide, eslo]
  # expert: table     # all, table or none

# Rules that come before those of the rule set, table by table:
#   - name: auth_userprofile
#     columns:
#       - {column: year_of_birth, action: bin, width: 5, role: quasi-identifier, why: an age class is enough}
overrides: []
`

// CreateProject makes the project folder (0700) and its file (0600) where they
// are missing, and returns what it made.
func CreateProject(dir string) (made []string, err error) {
	if err := privateFolder(dir, &made); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, ProjectFile)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return made, nil
	}
	if err := safefile.Write(path, []byte(projectTemplate), 0o600); err != nil {
		return nil, fault.New(fault.Failure, "the project file cannot be written").At(path, 0, "").Because(err)
	}
	return append(made, path), nil
}

// privateFolder makes a folder that only its owner may enter, and refuses one
// that others may.
func privateFolder(dir string, made *[]string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fault.New(fault.Failure, "the project folder cannot be made").At(dir, 0, "").Because(err)
		}
		*made = append(*made, dir+string(filepath.Separator))
		return nil
	case err != nil:
		return fault.New(fault.Failure, "the project folder cannot be read").At(dir, 0, "").Because(err)
	case !info.IsDir():
		return fault.New(fault.Usage, "the project is not a folder").At(dir, 0, "")
	case info.Mode().Perm()&0o077 != 0:
		return fault.New(fault.Failure, "others may enter the project folder, which holds the id map").At(dir, 0, "").
			WithHint("chmod 0700 %s", dir)
	}
	return nil
}

// RuleSet returns the rules that hold in this project: the named rule set with
// the project's overrides laid over it. The hash stands for both.
func (p *Project) RuleSet() (*tables.RuleSet, string, error) {
	set, hash, err := LoadRules(p.Settings.Rules)
	if err != nil {
		return nil, "", err
	}
	cells, err := p.readCells()
	if err != nil {
		return nil, "", err
	}
	if len(p.overrides) == 0 {
		if cells != nil {
			hash = hashOf([]byte(hash), cells)
		}
		return set, hash, nil
	}
	for i := range p.overrides {
		if err := override(set, &p.overrides[i], filepath.Join(p.Dir, ProjectFile)); err != nil {
			return nil, "", err
		}
	}
	if err := finish(set, filepath.Join(p.Dir, ProjectFile)); err != nil {
		return nil, "", err
	}
	used, err := dictionaries(set, filepath.Join(p.Dir, ProjectFile))
	if err != nil {
		return nil, "", err
	}
	return set, hashOf(append([][]byte{[]byte(hash), p.data, cells}, used...)...), nil
}

// override lays one table of the project file over the rule set.
func override(set *tables.RuleSet, o *tables.Table, path string) error {
	if o.Name == "" {
		return fault.New(fault.Usage, "an override names its table").At(path, int64(o.Line), "name")
	}
	for _, c := range o.Columns {
		set.Overridden = append(set.Overridden, tables.Overridden{Table: o.Name, Column: c.Column, File: path, Line: c.Line})
	}
	t := set.Table(o.Name)
	if t == nil {
		if len(o.Files) == 0 {
			return fault.New(fault.Usage, "the rule set has no table %q, and a new one wants files", o.Name).At(path, int64(o.Line), "").
				WithHint("is the name of the table spelled as in the rule set?")
		}
		set.Tables = append(set.Tables, *o)
		return nil
	}
	t.Override(o)
	return nil
}

// OpenOrDefault is OpenProject where there is a project, else one with the
// default settings, of which nothing is written.
func OpenOrDefault(dir string, flags *pflag.FlagSet) (*Project, error) {
	project, err := OpenProject(dir, flags)
	if !errors.Is(err, fs.ErrNotExist) {
		return project, err
	}
	settings, err := settle("", nil, flags)
	return &Project{Dir: dir, Settings: settings}, err
}
