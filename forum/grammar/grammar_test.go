package grammar

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"anonymooc/internal/fault"
	"anonymooc/internal/fold"
)

// names is a lexicon for tests.
type names map[string]Class

func (n names) Meaning(atom *Atom) Class { return n[atom.Folded] }

// atomise cuts test text at spaces; punctuation must be spaced.
func atomise(text string) []Atom {
	var atoms []Atom
	at := 0
	for field := range strings.FieldsSeq(text) {
		start := at + strings.Index(text[at:], field)
		at = start
		for _, part := range SplitWord(field) {
			class := Word
			if c := part[0]; 'A' <= c && c <= 'Z' {
				class |= Capital
			} else if c < 'a' && c < 0x80 {
				class = Punct
			}
			end := at + len(part)
			atoms = append(atoms, Atom{Start: at, End: end, Folded: fold.KeyString(part), Classes: class})
			at = end
			if at < len(text) && text[at] == '-' {
				at++
			}
		}
	}
	return atoms
}

func compile(t testing.TB, words, entities, designating string) *Grammar {
	t.Helper()
	g, err := Read(fstest.MapFS{
		"xx/words.lg":       {Data: []byte(words)},
		"xx/entities.lg":    {Data: []byte(entities)},
		"xx/designating.lg": {Data: []byte(designating)},
	}, "xx", "xx")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// captures runs both cascades and lists "label:text" of the second one.
func captures(g *Grammar, lexicon Lexicon, text string) []string {
	var found []string
	atoms := atomise(text)
	m := g.NewMatcher(lexicon)
	m.Load(atoms)
	m.Entities(nil)
	m.Designating(func(match Match) {
		for _, c := range match.Captures {
			found = append(found, c.Label+":"+text[atoms[c.First].Start:atoms[c.Last-1].End])
		}
	})
	return found
}

const testWords = `
# hesitations
skip euh, heu
set kin = fils, fille, petit fils
set job = maître/maîtresse d'école, maître, ingénieur chimiste
graph called = je m'appelle | moi c'est
`

const testEntities = `
rule town: says place
    [place: <capital place>]
    [place: <capital place> sur <word>]
`

const testRules = `
rule name: about speaker, says identity.name, score 0.9, verdict mask
    <called> [first: <word -stop>] [last: <capital>]?
rule child: about child, says work.occupation
    mon <kin> (est | !<capital> "," ) [job: <job>]
rule origin: about speaker, says identity.origin
    je suis natif? de [place: {place}]
`

func TestPatternsFindWhatTheyDescribe(t *testing.T) {
	lexicon := names{"orleans": Place, "paris": Place, "pareil": Stop, "saint": Place}
	g := compile(t, testWords, testEntities, testRules)
	for text, want := range map[string]string{
		"Bon , je m'appelle euh Patrick Mallon":   "first:Patrick last:Mallon",
		"JE M'APPELLE ÉLOÏSE .":                   "first:ÉLOÏSE",
		"moi c'est pareil":                        "",
		"mon petit-fils est maîtresse d'école":    "job:maîtresse d'école",
		"mon fils est euh maître":                 "job:maître",
		"mon mon fils est est ingénieur chimiste": "job:ingénieur chimiste",
		"mon fils , maître":                       "job:maître",
		"je suis natif de Paris":                  "place:Paris",
		"je suis de Saint sur mer":                "place:Saint sur mer",
		"je suis de paris":                        "",
		"je m'appelle":                            "",
	} {
		if got := strings.Join(captures(g, lexicon, text), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestGrammarErrorsNameFileAndLine(t *testing.T) {
	for source, want := range map[string]string{
		"set a = b\nrule r: says x\n    <nothing>": "line 3",
		"    indented":                              "line 1",
		"wrong = a":                                 "unknown statement",
		"rule r: says x, score 7\n    a":            "0 to 1",
		"rule r: says x\n    (a":                    "lacks",
		"rule r: says x\n    a?":                    "empty text",
		"rule r: says x":                            "no pattern",
		"set word = a":                              "taken",
		"graph g = <g>":                             "defined above",
		"rule r: score 1\n    a":                    "does not say",
		"graph g = a b\nrule r: says x\n    c !<g>": "may follow",
		"rule r: says x\n    a ]":                   "unexpected",
	} {
		_, err := Read(fstest.MapFS{
			"xx/words.lg": {}, "xx/entities.lg": {}, "xx/designating.lg": {Data: []byte(source)},
		}, "xx", "xx")
		var f *fault.Fault
		if !errors.As(err, &f) || f.Code != fault.Usage || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want a usage fault with %q", source, err, want)
		}
	}
}

// A text made to defeat backtracking costs no more per atom when it is long.
func TestMatchingIsBoundedByTheProgramNotByTheText(t *testing.T) {
	g := compile(t, "", "", "rule r: says x\n    (<word>* <word>* <word>*)* <number>\n")
	m := g.NewMatcher(names{})
	steps := func(n int) time.Duration {
		atoms := atomise(strings.Repeat("a ", n))
		start := time.Now()
		m.Load(atoms)
		m.Designating(func(Match) { t.Error("matched") })
		return time.Since(start)
	}
	steps(100)
	for _, used := range m.visited {
		if used > m.attempt {
			t.Fatal("a state was visited in an attempt that has not been made")
		}
	}
	if limit := len(g.designating.patterns[0].program) * (MaxSpan + 1); len(m.visited) == 0 || len(m.visited) > limit {
		t.Fatalf("%d states for a program that has %d", len(m.visited), limit)
	}
}

// What a pattern cannot do without must be ahead, not too far, or it is not tried.
func TestPatternsWaitForTheirWords(t *testing.T) {
	g := compile(t, "set school = school, high school\n", "", "rule r: says x\n    [org: <capital> <word>* (<school> | college (of | for) <capital>)]\n")
	far := strings.Repeat("a ", 2*stretch)
	for text, want := range map[string]bool{
		"Anna goes home":               false,
		"to school goes Anna and home": false,
		"Anna goes to school":          true,
		"Anna goes to high school":     true,
		"Anna goes to college":         true,
		"Anna " + far + "school":       false,
	} {
		m := g.NewMatcher(names{})
		m.Load(atomise(text))
		m.Designating(func(Match) {})
		if tried := m.attempt > 0; tried != want {
			t.Errorf("%.30q is tried: %v", text, tried)
		}
	}
}

func FuzzAnyGrammarFileIsReadOrRefused(f *testing.F) {
	f.Add(testRules)
	f.Add("rule r: says x\n [a: <word>+ (b|c)? {e}]")
	f.Fuzz(func(t *testing.T, source string) {
		g, err := Read(fstest.MapFS{
			"xx/words.lg": {Data: []byte(testWords)}, "xx/entities.lg": {}, "xx/designating.lg": {Data: []byte(source)},
		}, "xx", "xx")
		if err != nil {
			return
		}
		text := "je suis euh natif de Paris , mon fils est maître ."
		atoms := atomise(text)
		m := g.NewMatcher(names{"paris": Place})
		m.Load(atoms)
		m.Entities(nil)
		m.Designating(func(match Match) {
			for _, c := range match.Captures {
				if c.First < match.First || c.Last > match.Last || c.First > c.Last {
					t.Fatalf("capture %v outside its match %d–%d", c, match.First, match.Last)
				}
			}
		})
	})
}
