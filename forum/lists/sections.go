package lists

import (
	"bufio"
	"io"
	"os"
	"strings"
)

// Section is a part of a written list: the words of one language.
type Section struct {
	Name  string // what stands in brackets above it; empty at the beginning
	Words []string
}

// ReadSections reads a written list: words parted by white space; "#" starts a
// comment; "[fr]" starts the section of a language.
func ReadSections(path string) ([]Section, error) { return readSections(path, strings.Fields) }

// ReadPhrases is ReadSections for lists whose items are parted by commas or
// line ends, so that they may have several words.
func ReadPhrases(path string) ([]Section, error) { return readSections(path, byCommas) }

// byCommas cuts a line of phrases.
func byCommas(line string) []string { return strings.Split(line, ",") }

// Sections is ReadSections for a text that the program carries.
func Sections(text string) []Section {
	sections, _ := parseSections(strings.NewReader(text), strings.Fields) // reading a string does not fail
	return sections
}

func readSections(path string, cut func(string) []string) ([]Section, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return parseSections(file, cut)
}

func parseSections(from io.Reader, cut func(string) []string) ([]Section, error) {
	sections := []Section{{}}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line, _, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "\ufeff"), "#")
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok && strings.HasSuffix(name, "]") {
			sections = append(sections, Section{Name: strings.TrimSuffix(name, "]")})
			continue
		}
		last := &sections[len(sections)-1]
		for _, phrase := range cut(line) {
			if phrase = strings.TrimSpace(phrase); phrase != "" {
				last.Words = append(last.Words, phrase)
			}
		}
	}
	return sections, lines.Err()
}
