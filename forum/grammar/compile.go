package grammar

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/internal/fold"
)

// The files of one language's folder, in the order in which they are read.
const (
	wordsFile       = "words.lg"
	entitiesFile    = "entities.lg"
	designatingFile = "designating.lg"
	additionsFile   = "additions.lg" // the officer's, after the shipped designating.lg; may be missing
)

// grammarFiles lists them.
func grammarFiles() []string {
	return []string{wordsFile, entitiesFile, designatingFile, additionsFile}
}

// maxProgram bounds the instructions of one pattern: a grammar that grows
// beyond it is cut into graphs badly, and would be slow.
const maxProgram = 20_000

// cascade is a list of compiled patterns, indexed by how they may begin.
type cascade struct {
	rules    []*Rule
	patterns []pattern
	openings []opening         // of each pattern
	byEntity map[int32][]int32 // patterns that may begin with an entity of a kind
	byWord   ways              // … with a word
	byShape  ways              // … with an atom of some classes

	beginsWith row // the words that patterns begin with
	offset     int // where its rows begin among those that a matcher remembers of classes
}

// pattern is one alternative line of a rule as a program.
type pattern struct {
	rule    *Rule
	kind    int32 // the number of what the rule says, as a kind of entity
	program []instruction
	labels  []string
	forks   int // instructions that may go on in several ways
}

type operation uint8

const (
	opMatch  operation = iota // the pattern fits
	opWord                    // atom with the word number
	opClass                   // atom with need, without forbid
	opSuffix                  // word with the ending of that number
	opSet                     // phrase of the set of that number
	opEntity                  // whole entity of the kind of that number
	opSplit                   // try x, then y
	opEnd                     // nothing, but only where the line ends
	opAhead                   // the next instruction fits here; go on at x
	opNot                     // the next instruction does not fit here; go on at x
	opOpen                    // capture number x starts
	opClose                   // capture number x ends
)

// instruction takes 16 bytes, four of them a line of the processor's cache.
type instruction struct {
	op     operation
	fork   int16  // its number among those that may go on in several ways, from 1; 0 for others
	x, y   int16  // other instructions of the program (maxProgram), or the number of a capture
	what   uint32 // the number of a word, an ending, a set or a kind; the classes that are needed
	forbid Class
}

// numbers numbers what instructions name.
type numbers[T comparable] struct {
	of  map[T]int32
	all []T
}

func (n *numbers[T]) number(name T) int32 {
	number, ok := n.of[name]
	if !ok {
		if n.of == nil {
			n.of = map[T]int32{}
		}
		number = int32(len(n.all))
		n.of[name] = number
		n.all = append(n.all, name)
	}
	return number
}

// endOfLine is the name of the element that consumes nothing: <end>.
const endOfLine = "end"

// compiler holds what the statements read so far have defined.
type compiler struct {
	grammar *Grammar
	classes map[string]Class
	graphs  map[string]node
	sets    map[string]*trie

	words    []string         // the vocabulary by number; nothing has the number 0
	needed   map[*node][]row  // what alternatives were found to need
	gathered map[*node][]node // the alternatives whose phrases were gathered: graphs are used often
}

// Read compiles the grammar in folder of files: words.lg, entities.lg,
// designating.lg and, where there is one, additions.lg. Errors are faults of usage with file and line.
func Read(files fs.FS, folder, language string) (*Grammar, error) {
	g := &Grammar{
		Language:   language,
		vocabulary: map[string]uint32{},
		skip:       map[uint32]bool{},
	}
	c := &compiler{grammar: g, classes: classNames(), graphs: map[string]node{}, sets: map[string]*trie{}, words: []string{""}, needed: map[*node][]row{}, gathered: map[*node][]node{}}
	if err := c.file(files, path.Join(folder, wordsFile), nil); err != nil {
		return nil, err
	}
	g.entities, g.designating = newCascade(), newCascade()
	if err := c.file(files, path.Join(folder, entitiesFile), g.entities); err != nil {
		return nil, err
	}
	if err := c.file(files, path.Join(folder, designatingFile), g.designating); err != nil {
		return nil, err
	}
	additions := path.Join(folder, additionsFile)
	if _, err := fs.Stat(files, additions); !errors.Is(err, fs.ErrNotExist) {
		if err := c.file(files, additions, g.designating); err != nil {
			return nil, err
		}
	}
	g.index()
	return g, nil
}

func newCascade() *cascade {
	return &cascade{byEntity: map[int32][]int32{}}
}

// file reads the statements of one file; rules go to the cascade.
func (c *compiler) file(files fs.FS, name string, to *cascade) error {
	source, err := fs.ReadFile(files, name)
	if err != nil {
		return fault.New(fault.Usage, "a grammar file cannot be read").At(name, 0, "").Because(reason(err))
	}
	statements, err := readStatements(name, string(source))
	if err != nil {
		return err
	}
	for _, s := range statements {
		if err := c.statement(s, to); err != nil {
			var f *fault.Fault
			if !errors.As(err, &f) {
				return err
			}
			if f.Line == 0 {
				f.Line = int64(s.line)
			}
			return f.At(name, 0, "")
		}
	}
	return nil
}

// reason is the system's reason without the path, which the fault names.
func reason(err error) error {
	var inFile *fs.PathError
	if errors.As(err, &inFile) {
		return inFile.Err
	}
	return err
}

func (c *compiler) statement(s statement, to *cascade) error {
	keyword, rest, _ := strings.Cut(s.text, " ")
	switch keyword {
	case "skip":
		for _, phrase := range phrases(rest + "," + strings.Join(s.lines, ",")) {
			c.grammar.skip[c.number(phrase)] = true
		}
		return nil
	case "set":
		return c.set(rest, s.lines)
	case "graph":
		name, body, _ := strings.Cut(rest, "=")
		n, err := c.patterns(append([]string{strings.TrimSpace(body)}, s.lines...), append([]int{s.line}, s.numbers...))
		if err != nil {
			return err
		}
		return c.define(strings.TrimSpace(name), func(name string) { c.graphs[name] = n })
	case "rule":
		if to == nil {
			return fault.New(fault.Usage, "rules belong into %s or %s", entitiesFile, designatingFile)
		}
		return c.rule(rest, s, to)
	}
	return fault.New(fault.Usage, "unknown statement %q", keyword).
		WithHint("a statement is skip, set, graph or rule; lines that continue one are indented")
}

// define gives a name to a set or a graph, once.
func (c *compiler) define(name string, assign func(string)) error {
	_, isGraph := c.graphs[name]
	_, isSet := c.sets[name]
	_, isClass := c.classes[name]
	if name == "" || name == endOfLine || isGraph || isSet || isClass {
		return fault.New(fault.Usage, "the name %q is empty or already taken", name)
	}
	assign(name)
	return nil
}

func (c *compiler) set(text string, lines []string) error {
	name, body, _ := strings.Cut(text, "=")
	set := newTrie()
	for _, phrase := range phrases(body + "," + strings.Join(lines, ",")) {
		var numbers []uint32
		for word := range strings.FieldsSeq(phrase) {
			for _, part := range SplitWord(word) {
				numbers = append(numbers, c.number(part))
			}
		}
		set.add(numbers)
	}
	return c.define(strings.TrimSpace(name), func(name string) { c.sets[name] = set })
}

// number gives the vocabulary number of a word, from 1.
func (c *compiler) number(word string) uint32 {
	key := fold.KeyString(word)
	n, ok := c.grammar.vocabulary[key]
	if !ok {
		n = uint32(len(c.words))
		c.words = append(c.words, key)
		c.grammar.vocabulary[key] = n
	}
	return n
}

// pattern parses the line of that number.
func (c *compiler) pattern(line string, number int) (node, error) {
	n, err := parsePattern(line, c.resolve)
	var f *fault.Fault
	if errors.As(err, &f) {
		return nil, f.At("", int64(number), "")
	}
	return n, err
}

// patterns parses lines as the alternatives of one node.
func (c *compiler) patterns(lines []string, numbers []int) (node, error) {
	var alternatives []node
	for i, line := range lines {
		if line == "" {
			continue
		}
		n, err := c.pattern(line, numbers[i])
		if err != nil {
			return nil, err
		}
		alternatives = append(alternatives, n)
	}
	if len(alternatives) == 0 {
		return nil, fault.New(fault.Usage, "a graph without a pattern")
	}
	return nodeAlt{alternatives}, nil
}

// resolve finds what <text> stands for: a set, a graph, classes, or a set or
// graph whose first atom is of some classes.
func (c *compiler) resolve(text string) (node, error) {
	if set, ok := c.sets[text]; ok {
		return nodeSet{set}, nil
	}
	if graph, ok := c.graphs[text]; ok {
		return graph, nil
	}
	if text == endOfLine {
		return nodeEnd{}, nil
	}
	for cut := strings.LastIndexByte(text, ' '); cut > 0; cut = strings.LastIndexByte(text[:cut], ' ') {
		_, isSet := c.sets[text[:cut]]
		_, isGraph := c.graphs[text[:cut]]
		if !isSet && !isGraph {
			continue
		}
		named, err := c.resolve(text[:cut])
		if err != nil {
			return nil, err
		}
		classes, err := c.classesOf(text[cut+1:])
		return nodeSeq{[]node{nodeAhead{classes}, named}}, err
	}
	return c.classesOf(text)
}

// classesOf reads "a b -c".
func (c *compiler) classesOf(text string) (node, error) {
	var n nodeClass
	for word := range strings.FieldsSeq(text) {
		name, negative := strings.CutPrefix(word, "-")
		class, ok := c.classes[name]
		switch {
		case !ok:
			return nil, fault.New(fault.Usage, "<%s> is no class, set or graph defined above", text)
		case negative:
			n.forbid |= class
		default:
			n.need |= class
		}
	}
	return n, nil
}

func (c *compiler) rule(head string, s statement, to *cascade) error {
	rule, err := parseHead(head)
	if err != nil {
		return err
	}
	if len(s.lines) == 0 {
		return fault.New(fault.Usage, "rule %s has no pattern", rule.Name)
	}
	to.rules = append(to.rules, rule)
	for i, line := range s.lines {
		n, err := c.pattern(line, s.numbers[i])
		if err != nil {
			return err
		}
		p := pattern{rule: rule, kind: c.grammar.kinds.number(rule.Says)}
		a := assembler{compiler: c, pattern: &p}
		a.node(n)
		a.emit(instruction{op: opMatch})
		if len(p.program) > maxProgram {
			return fault.New(fault.Usage, "rule %s is too large", rule.Name)
		}
		if err := to.add(p, slices.Clone(c.needs(n)), c); err != nil {
			return err
		}
	}
	return nil
}

// assembler turns the nodes of one pattern into instructions.
type assembler struct {
	compiler *compiler
	pattern  *pattern
}

func (a *assembler) emit(i instruction) int {
	if i.op == opSplit || i.op == opSet {
		a.pattern.forks++
		i.fork = int16(a.pattern.forks)
	}
	a.pattern.program = append(a.pattern.program, i)
	return len(a.pattern.program) - 1
}

// here is the number of the next instruction. Those of a program that is too large
// mean nothing: it is not kept.
func (a *assembler) here() int16 { return int16(len(a.pattern.program)) }

func (a *assembler) node(n node) {
	switch n := n.(type) {
	case nodeWord:
		a.emit(instruction{op: opWord, what: a.compiler.number(n.word)})
	case nodeClass:
		a.emit(instruction{op: opClass, what: uint32(n.need), forbid: n.forbid})
	case nodeSet:
		a.emit(instruction{op: opSet, what: uint32(a.compiler.grammar.sets.number(n.set))})
	case nodeSuffix:
		a.emit(instruction{op: opSuffix, what: uint32(a.compiler.grammar.endings.number(n.suffix))})
	case nodeEnd:
		a.emit(instruction{op: opEnd})
	case nodeEntity:
		a.emit(instruction{op: opEntity, what: uint32(a.compiler.grammar.kinds.number(n.kind))})
	case nodeSeq:
		for _, part := range n.parts {
			a.node(part)
		}
	case nodeAlt:
		a.alternatives(n.parts)
	case nodeRepeat:
		for range n.min {
			a.node(n.inner)
		}
		a.optional(n.inner, n.max-n.min)
	case nodeAhead:
		ahead := a.emit(instruction{op: opAhead})
		a.node(n.inner)
		a.pattern.program[ahead].x = a.here()
	case nodeNot:
		not := a.emit(instruction{op: opNot})
		a.node(n.inner)
		a.pattern.program[not].x = a.here()
	case nodeCapture:
		number := int16(len(a.pattern.labels))
		a.pattern.labels = append(a.pattern.labels, n.label)
		a.emit(instruction{op: opOpen, x: number})
		a.node(n.inner)
		a.emit(instruction{op: opClose, x: number})
	}
}

// alternatives tries one part after the other. The phrases among them become
// one set, so that twenty ways of saying "I am" cost one look-up.
func (a *assembler) alternatives(parts []node) {
	parts = a.gatherPhrases(parts)
	var toEnd []int
	for i, part := range parts {
		if i == len(parts)-1 {
			a.node(part)
			break
		}
		split := a.emit(instruction{op: opSplit})
		a.pattern.program[split].x = a.here()
		a.node(part)
		toEnd = append(toEnd, a.emit(instruction{op: opSplit}))
		a.pattern.program[split].y = a.here()
	}
	for _, jump := range toEnd {
		a.pattern.program[jump].x, a.pattern.program[jump].y = a.here(), a.here()
	}
}

// gatherPhrases replaces the parts that are plain words by a set of them.
func (a *assembler) gatherPhrases(parts []node) []node {
	if known, ok := a.compiler.gathered[&parts[0]]; ok {
		return known
	}
	set, phrases := newTrie(), 0
	var others []node
	for _, part := range parts {
		if words, ok := a.plain(part, nil); ok && len(words) > 0 {
			set.add(words)
			phrases++
		} else {
			others = append(others, part)
		}
	}
	gathered := parts
	if phrases > 1 {
		gathered = append([]node{nodeSet{set}}, others...)
	}
	a.compiler.gathered[&parts[0]] = gathered
	return gathered
}

// plain gives the numbers of the words of a node that is made of words only.
func (a *assembler) plain(n node, words []uint32) ([]uint32, bool) {
	switch n := n.(type) {
	case nodeWord:
		return append(words, a.compiler.number(n.word)), true
	case nodeSeq:
		for _, part := range n.parts {
			var ok bool
			if words, ok = a.plain(part, words); !ok {
				return nil, false
			}
		}
		return words, true
	}
	return nil, false
}

// optional emits up to n further copies of inner, as many as fit.
func (a *assembler) optional(inner node, n int) {
	var splits []int
	for range n {
		split := a.emit(instruction{op: opSplit})
		a.pattern.program[split].x = a.here()
		splits = append(splits, split)
		a.node(inner)
	}
	for _, split := range splits {
		a.pattern.program[split].y = a.here()
	}
}
