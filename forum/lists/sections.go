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

// ReadSections reads a written list: words or, on a line with commas, phrases;
// "#" starts a comment; "[fr]" starts the section of a language.
func ReadSections(path string) ([]Section, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return parseSections(file)
}

func parseSections(from io.Reader) ([]Section, error) {
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
		if !strings.Contains(line, ",") {
			last.Words = append(last.Words, strings.Fields(line)...)
			continue
		}
		for phrase := range strings.SplitSeq(line, ",") {
			if phrase = strings.TrimSpace(phrase); phrase != "" {
				last.Words = append(last.Words, phrase)
			}
		}
	}
	return sections, lines.Err()
}
