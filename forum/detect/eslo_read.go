package detect

import (
	"slices"
	"strings"

	"anonymooc/forum/grammar"
	"anonymooc/forum/lists"
)

// esloReader is the memory of one Detect at a time.
type esloReader struct {
	eslo      *ESLO
	doc       *Document
	atoms     []grammar.Atom
	compounds []int32 // the atoms that a place name of several words may begin with, in order
	stretches []Stretch
	matchers  map[string]*grammar.Matcher
	matcher   *grammar.Matcher
	words     *esloWords
	language  string   // of the stretch being matched
	among     []string // the languages it may be in

	marks     []Mark
	facts     []Fact
	wantFacts bool
	seen      map[captured]int // what this text's rules have captured: its mark
}

// captured is a capture already turned into a mark.
type captured struct {
	start, end int
	category   Category
	keep       bool // it speaks against masking
}

func newESLOReader(e *ESLO) *esloReader {
	return &esloReader{eslo: e, matchers: map[string]*grammar.Matcher{}, seen: map[captured]int{}}
}

// read matches the grammars of the languages that the text is written in.
func (r *esloReader) read(doc *Document) {
	r.doc = doc
	clear(r.seen)
	r.stretches = Sentences(doc.Tokens, doc.Lang, r.stretches[:0])
	for _, s := range joinStretches(r.stretches) {
		for _, language := range r.languages(s) {
			r.match(s, language)
		}
	}
}

// joinStretches puts neighbouring stretches of one language together.
func joinStretches(stretches []Stretch) []Stretch {
	out := stretches[:0]
	for _, s := range stretches {
		if last := len(out) - 1; last >= 0 && out[last].Lang == s.Lang {
			out[last].Last = s.Last
			continue
		}
		out = append(out, s)
	}
	return out
}

// languages are the grammars to try: of several languages when it is not known
// which one it is.
func (r *esloReader) languages(s Stretch) []string {
	r.among = r.among[:0]
	if s.Lang != "" {
		r.among = append(r.among, s.Lang)
	} else {
		r.among = candidates(r.doc.Tokens[s.First:s.Last], r.among)
	}
	return slices.DeleteFunc(r.among, func(language string) bool { return r.eslo.grammars[language] == nil })
}

func (r *esloReader) match(s Stretch, language string) {
	m := r.matchers[language]
	if m == nil {
		m = r.eslo.grammars[language].NewMatcher(r)
		r.matchers[language] = m
	}
	r.language, r.matcher, r.words = language, m, r.eslo.words[language]
	r.cut(s)
	m.Load(r.atoms)
	m.Entities(r.found)
	m.Designating(r.found)
}

// Meaning asks the lists about an atom, for the grammar.
func (r *esloReader) Meaning(atom *grammar.Atom) grammar.Class {
	return r.meaning(atom.Folded, r.entry(atom.Folded))
}

// entry says what the lists know; nothing where there are none.
func (r *esloReader) entry(word string) lists.Entry {
	if r.eslo.lists == nil {
		return lists.Entry{}
	}
	return r.eslo.lists.Find(word)
}

// meaning is Meaning by what the lists know.
func (r *esloReader) meaning(word string, entry lists.Entry) grammar.Class {
	var class grammar.Class
	if IsFunctionWord(r.language, word) {
		class |= grammar.Stop | grammar.Common
	}
	if r.eslo.lists == nil {
		return class
	}
	for _, m := range meanings {
		if entry.Is(m.kind) {
			class |= m.class
		}
	}
	if entry.Common(r.language) {
		class |= grammar.Common
	}
	if class&grammar.Stop != 0 {
		class &^= grammar.Place | grammar.Country | grammar.Demonym
	}
	if class&grammar.FirstName == 0 && strings.Contains(word, " ") && r.compoundName(word) {
		class |= grammar.FirstName
	}
	return class
}

// meanings pairs the lists with the classes of the grammars.
var meanings = [...]struct {
	kind  lists.Kind
	class grammar.Class
}{
	{lists.FirstName, grammar.FirstName},
	{lists.UsualName, grammar.UsualName},
	{lists.Surname, grammar.Surname},
	{lists.Place, grammar.Place},
	{lists.Country, grammar.Country},
	{lists.Demonym, grammar.Demonym},
	{lists.Title, grammar.Title},
}

// compoundName reports whether all parts of a compound are first names.
func (r *esloReader) compoundName(compound string) bool {
	for part := range strings.SplitSeq(compound, " ") {
		if !r.eslo.lists.Find(part).Is(lists.FirstName) {
			return false
		}
	}
	return true
}

// found turns the captures of a match into marks and facts. A first and a last
// name side by side become one full name.
func (r *esloReader) found(match grammar.Match) {
	if match.Rule.Score == 0 {
		return // known to the second cascade, nothing by itself
	}
	captures := match.Captures
	for i := 0; i < len(captures); i++ {
		c := captures[i]
		category := labelCategory(c.Label)
		if category == FirstName && i+1 < len(captures) && captures[i+1].Label == "last" && captures[i+1].First == c.Last {
			i++
			c.Last, category = captures[i].Last, FullName
		}
		if c.First < c.Last {
			r.capture(match.Rule, c, category)
		}
	}
}

// capture makes the mark, and the fact when it tells about a person.
func (r *esloReader) capture(rule *grammar.Rule, c grammar.Capture, category Category) {
	start, end := r.atoms[c.First].Start, r.withoutApostrophe(c.Last-1)
	proposal, score := r.propose(rule, c, category)
	if proposal == Keep && rule.Verdict == "" || proposal == Keep && r.wantFacts {
		return // nothing to say about it; a rule that says keep is evidence
	}
	if r.wantFacts {
		r.fact(rule, c, category, start, end)
		return
	}
	mark := Mark{Start: start, End: end, Category: category, Proposal: proposal, Score: score, By: "eslo", What: evidence(rule), About: rule.About, Alone: rule.Alone}
	key := captured{start, end, category, proposal == Keep}
	if known, ok := r.seen[key]; ok {
		if r.marks[known].Score < score {
			r.marks[known] = mark
		}
		return
	}
	r.seen[key] = len(r.marks)
	r.marks = append(r.marks, mark)
}

// withoutApostrophe gives the end of an atom: of "Anna's" the name alone.
func (r *esloReader) withoutApostrophe(i int) int {
	atom := &r.atoms[i]
	if last := r.doc.At(atom.End - 1); last > 0 && strings.HasSuffix(atom.Folded, "'") && r.doc.Tokens[last].Flags&Punct != 0 {
		return r.doc.Tokens[last-1].End
	}
	return atom.End
}

// evidence says which rule spoke, in words.
func evidence(rule *grammar.Rule) string {
	if rule.About == "" {
		return rule.Says + " (" + rule.Name + ")"
	}
	return rule.Says + " of the " + rule.About + " (" + rule.Name + ")"
}

// propose decides what a capture is worth: a rule's own verdict first, then
// what kind of identifier the category is.
func (r *esloReader) propose(rule *grammar.Rule, c grammar.Capture, category Category) (Verdict, float64) {
	if category == Place || category == Origin {
		return r.proposePlace(rule, c, category)
	}
	if rule.Verdict != "" {
		return Verdict(rule.Verdict), rule.Score
	}
	if category.Indirect() || rule.Score < 0.6 {
		return Unsure, rule.Score
	}
	return Mask, rule.Score
}

// proposePlace weighs a place by its population: countries are kept, towns
// where many live are left unsure, small and unknown ones identify.
func (r *esloReader) proposePlace(rule *grammar.Rule, c grammar.Capture, category Category) (Verdict, float64) {
	if rule.Verdict != "" {
		return Verdict(rule.Verdict), rule.Score
	}
	if category == Origin || r.eslo.lists == nil {
		return Unsure, rule.Score
	}
	entry := r.eslo.lists.Find(r.value(c))
	switch {
	case entry.Is(lists.Country):
		return Keep, 0
	case entry.Is(lists.Place) && entry.Population <= r.eslo.small && rule.Score < 0.5:
		return Unsure, rule.Score
	case entry.Is(lists.Place) && entry.Population <= r.eslo.small:
		return Mask, rule.Score
	case entry.Is(lists.Place) && rule.About == "": // a city that is only mentioned
		return Keep, 0
	case entry.Is(lists.Place):
		return Unsure, min(rule.Score, 0.5)
	case r.atoms[c.First].Classes&grammar.Capital != 0: // too small for any list
		return Mask, rule.Score
	}
	return Unsure, rule.Score
}

func (r *esloReader) fact(rule *grammar.Rule, c grammar.Capture, category Category, start, end int) {
	if rule.About == "" {
		return
	}
	f := Fact{About: rule.About, Says: rule.Says, Category: category, Start: start, End: end, Value: r.value(c), Score: rule.Score}
	if !slices.ContainsFunc(r.facts, func(g Fact) bool { return g.Start == f.Start && g.End == f.End && g.Says == f.Says }) {
		r.facts = append(r.facts, f)
	}
}

// value is the folded text of a capture, with one space between words.
func (r *esloReader) value(c grammar.Capture) string {
	if c.Last == c.First+1 {
		return r.atoms[c.First].Folded
	}
	var b strings.Builder
	for i, atom := range r.atoms[c.First:c.Last] {
		if i > 0 && !strings.HasSuffix(r.atoms[c.First+i-1].Folded, "'") {
			b.WriteByte(' ')
		}
		b.WriteString(atom.Folded)
	}
	return b.String()
}
