package mine

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
)

// Regular finds what the officer's own expressions describe: student numbers,
// room codes, the shape of an institution's account names (Reffay et al. 2012,
// section 4; addresses, telephones and dates of the world are package detect's).
// It is a detector: an expression finds the occurrence itself.
//
// A file of expressions holds a category and a regular expression (RE2) a line,
// separated by a tab; "#" at the start of a line opens a comment:
//
//	id	\bE[0-9]{7}\b
//	username	\b[a-z]{2}[0-9]{4}\b
type Regular struct {
	expressions []expression
}

type expression struct {
	category detect.Category
	pattern  *regexp.Regexp
	line     int64
}

// ReadRegular reads a file of expressions.
func ReadRegular(r io.Reader, name string) (*Regular, error) {
	regular := new(Regular)
	lines := bufio.NewScanner(r)
	for number := int64(1); lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		category, pattern, ok := strings.Cut(line, "\t")
		if !ok || !detect.Category(category).Valid() {
			return nil, fault.New(fault.Usage, "not a category and an expression").At(name, number, "").
				WithHint("a line is: id<tab>\\bE[0-9]{7}\\b")
		}
		compiled, err := regexp.Compile(strings.TrimSpace(pattern))
		if err != nil || compiled.MatchString("") {
			return nil, fault.New(fault.Usage, "not a regular expression, or one that matches nothing at all").At(name, number, "").
				WithHint("the syntax is RE2's, without look-around and back references")
		}
		regular.expressions = append(regular.expressions, expression{detect.Category(category), compiled, number})
	}
	return regular, lines.Err()
}

// Name implements detect.Detector.
func (*Regular) Name() string { return "regular" }

// Detect implements detect.Detector.
func (r *Regular) Detect(doc *detect.Document, marks []detect.Mark) []detect.Mark {
	for _, e := range r.expressions {
		for _, span := range e.pattern.FindAllIndex(doc.Raw, -1) {
			at := doc.At(span[0])
			if span[0] == span[1] || at < len(doc.Tokens) && doc.Tokens[at].Skipped() {
				continue
			}
			marks = append(marks, detect.Mark{
				Start: span[0], End: span[1], Category: e.category, Proposal: detect.Mask, Score: 0.95,
				By: "regular", What: fmt.Sprintf("the officer's expression on line %d", e.line),
			})
		}
	}
	return marks
}
