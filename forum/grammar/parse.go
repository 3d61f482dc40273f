package grammar

import (
	"strconv"
	"strings"
	"unicode"

	"anonymooc/internal/fault"
	"anonymooc/internal/fold"
)

// statement is one directive of a grammar file with its continuation lines.
type statement struct {
	line    int
	text    string   // the first line
	lines   []string // the indented lines
	numbers []int    // of the indented lines
}

// readStatements cuts a file into statements.
func readStatements(file, source string) ([]statement, error) {
	var all []statement
	for number, line := range strings.Split(source, "\n") {
		line = strings.TrimRightFunc(withoutComment(line), unicode.IsSpace)
		if line == "" {
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			if len(all) == 0 {
				return nil, fault.New(fault.Usage, "the file starts with an indented line").At(file, int64(number+1), "")
			}
			last := &all[len(all)-1]
			last.lines, last.numbers = append(last.lines, strings.TrimSpace(line)), append(last.numbers, number+1)
			continue
		}
		all = append(all, statement{line: number + 1, text: line})
	}
	return all, nil
}

// withoutComment drops "#" and what follows it, unless it stands in quotes.
func withoutComment(line string) string {
	quoted := false
	for i, r := range line {
		switch {
		case r == '"':
			quoted = !quoted
		case r == '#' && !quoted:
			return line[:i]
		}
	}
	return line
}

// parseHead reads "rule NAME: about X, says Y, score 0.8, verdict mask, alone".
func parseHead(text string) (*Rule, error) {
	name, properties, found := strings.Cut(strings.TrimSpace(text), ":")
	rule := &Rule{Name: strings.TrimSpace(name), Score: 0.5}
	if rule.Name == "" || !found {
		return nil, fault.New(fault.Usage, "a rule is written \"rule NAME: about …, says …, score …\"")
	}
	for property := range strings.SplitSeq(properties, ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(property), " ")
		value = strings.TrimSpace(value)
		switch key {
		case "about":
			rule.About = value
		case "says":
			rule.Says = value
		case "verdict":
			if value != "mask" && value != "keep" && value != "unsure" {
				return nil, fault.New(fault.Usage, "rule %s: a verdict is mask, keep or unsure", rule.Name)
			}
			rule.Verdict = value
		case "score":
			score, err := strconv.ParseFloat(value, 64)
			if err != nil || score < 0 || score > 1 {
				return nil, fault.New(fault.Usage, "rule %s: a score is a number from 0 to 1", rule.Name)
			}
			rule.Score = score
		case "alone":
			rule.Alone = true
		default:
			return nil, fault.New(fault.Usage, "rule %s: unknown property %q", rule.Name, key).
				WithHint("a rule has the properties about, says, score, verdict and alone")
		}
	}
	if rule.Says == "" {
		return nil, fault.New(fault.Usage, "rule %s does not say what it tells (says …)", rule.Name)
	}
	return rule, nil
}

// The nodes of a pattern.
type (
	nodeWord   struct{ word string }
	nodeClass  struct{ need, forbid Class }
	nodeSet    struct{ set *trie }
	nodeSuffix struct{ suffix string }
	nodeEnd    struct{}
	nodeEntity struct{ kind string }
	nodeSeq    struct{ parts []node }
	nodeAlt    struct{ parts []node }
	nodeRepeat struct {
		inner    node
		min, max int
	}
	nodeNot     struct{ inner node }
	nodeAhead   struct{ inner node }
	nodeCapture struct {
		label string
		inner node
	}
	node any
)

// maxRepeat is what "*" and "+" stand for at most.
const maxRepeat = 8

// patternParser reads one pattern. names resolves <…>.
type patternParser struct {
	text  string
	pos   int
	names func(name string) (node, error)
}

// parsePattern reads a whole line as one pattern.
func parsePattern(text string, names func(string) (node, error)) (node, error) {
	p := &patternParser{text: text, names: names}
	n, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if p.pos < len(p.text) {
		return nil, fault.New(fault.Usage, "unexpected %q in a pattern", p.text[p.pos:p.pos+1])
	}
	return n, nil
}

func (p *patternParser) space() {
	for p.pos < len(p.text) && (p.text[p.pos] == ' ' || p.text[p.pos] == '\t') {
		p.pos++
	}
}

func (p *patternParser) peek() byte {
	p.space()
	if p.pos == len(p.text) {
		return 0
	}
	return p.text[p.pos]
}

func (p *patternParser) alternatives() (node, error) {
	var parts []node
	for {
		n, err := p.sequence()
		if err != nil {
			return nil, err
		}
		parts = append(parts, n)
		if p.peek() != '|' {
			break
		}
		p.pos++
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return nodeAlt{parts}, nil
}

func (p *patternParser) sequence() (node, error) {
	var parts []node
	for {
		switch p.peek() {
		case 0, '|', ')', ']':
			if len(parts) == 0 {
				return nil, fault.New(fault.Usage, "empty alternative in a pattern")
			}
			return nodeSeq{parts}, nil
		}
		n, err := p.repeated()
		if err != nil {
			return nil, err
		}
		parts = append(parts, n)
	}
}

func (p *patternParser) repeated() (node, error) {
	if p.peek() == '!' {
		p.pos++
		inner, err := p.element()
		if err != nil {
			return nil, err
		}
		switch inner.(type) {
		case nodeWord, nodeClass, nodeSet:
			return nodeNot{inner}, nil
		}
		return nil, fault.New(fault.Usage, "only a word, a class or a set may follow \"!\"")
	}
	n, err := p.element()
	if err != nil {
		return nil, err
	}
	if p.pos < len(p.text) {
		switch p.text[p.pos] {
		case '?':
			p.pos++
			return nodeRepeat{n, 0, 1}, nil
		case '*':
			p.pos++
			return nodeRepeat{n, 0, maxRepeat}, nil
		case '+':
			p.pos++
			return nodeRepeat{n, 1, maxRepeat}, nil
		}
	}
	return n, nil
}

// until returns the text up to closing, which it steps over.
func (p *patternParser) until(closing byte) (string, error) {
	end := strings.IndexByte(p.text[p.pos:], closing)
	if end < 0 {
		return "", fault.New(fault.Usage, "a pattern lacks %q", string(closing))
	}
	text := p.text[p.pos : p.pos+end]
	p.pos += end + 1
	return strings.TrimSpace(text), nil
}

func (p *patternParser) element() (node, error) {
	c := p.peek()
	if c == 0 {
		return nil, fault.New(fault.Usage, "a pattern ends too early")
	}
	p.pos++
	switch c {
	case '(':
		n, err := p.alternatives()
		if err != nil {
			return nil, err
		}
		_, err = p.closed(')')
		return n, err
	case '[':
		label, err := p.until(':')
		if err != nil {
			return nil, err
		}
		n, err := p.alternatives()
		if err != nil {
			return nil, err
		}
		_, err = p.closed(']')
		return nodeCapture{label, n}, err
	case '<':
		name, err := p.until('>')
		if err != nil {
			return nil, err
		}
		return p.names(name)
	case '{':
		kind, err := p.until('}')
		return nodeEntity{kind}, err
	case '"':
		word, err := p.until('"')
		if suffix, ok := strings.CutPrefix(word, "*"); ok && suffix != "" {
			return nodeSuffix{fold.KeyString(suffix)}, err
		}
		return nodeWord{word}, err
	}
	p.pos--
	return p.word()
}

func (p *patternParser) closed(closing byte) (string, error) {
	if p.peek() != closing {
		return "", fault.New(fault.Usage, "a pattern lacks %q", string(closing))
	}
	p.pos++
	return "", nil
}

// word reads a bare word: it may become several atoms (j'habite, grand-mère).
func (p *patternParser) word() (node, error) {
	start := p.pos
	for p.pos < len(p.text) && !strings.ContainsRune(" \t|()[]<>{}?*+!\"", rune(p.text[p.pos])) {
		p.pos++
	}
	if p.pos == start {
		return nil, fault.New(fault.Usage, "unexpected %q in a pattern", string(p.text[start]))
	}
	words := SplitWord(p.text[start:p.pos])
	if len(words) == 1 {
		return nodeWord{words[0]}, nil
	}
	parts := make([]node, len(words))
	for i, w := range words {
		parts[i] = nodeWord{w}
	}
	return nodeSeq{parts}, nil
}
