package mine

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"anonymooc/forum/detect"
)

// The paper's settings: Reffay et al. (2012), annex 1.
const (
	DefaultMaxFrequency = 50
	DefaultMinRate      = 0.20
	maxContextItems     = 5 // how far a too frequent context grows
)

// nomadesWords is the size of the corpus that the paper's FMax was set for.
const nomadesWords = 46_825

// MaxFrequencyOf is FMax for a corpus of so many words: the paper's for one of
// the size of its own or smaller, and growing with the square root beyond, half
// way between a fixed number, above which every short context of a large corpus
// is, and a fixed share, below which even "et …" stays.
func MaxFrequencyOf(words int) int {
	if words <= nomadesWords {
		return DefaultMaxFrequency
	}
	return int(DefaultMaxFrequency * math.Sqrt(float64(words)/nomadesWords))
}

// Contextual proposes the forms that stand where known forms stand, by annex 1
// of Reffay et al. (2012), on both sides:
//
//	contexts of one item beside every known form
//	  occur more than MaxFrequency times → grow by the next item, count again
//	  hold no word, only punctuation     → likewise
//	  occur once                         → kept
//	  otherwise                          → candidates: what else stands there
//	    beside known forms in MinRate of their occurrences or more → kept
//	    else                                                       → rejected
//
// Before that, the contexts kept from earlier corpora (Kept) are looked up,
// however frequent they are. The paper asks the researcher in the middle of the
// algorithm; here candidates are collected, and a round after the answers
// counts anew.
//
// Known names inside a context are taken as their category from the start
// ("<first name> et …"), where the paper generalises at the end: the rates are
// then those of the general context, and no context ever holds a name.
type Contextual struct {
	MaxFrequency int       // FMax; MaxFrequencyOf the corpus when 0
	MinRate      float64   // TMin; DefaultMinRate when 0
	Kept         *Contexts // capitalised contexts; may be nil
	Words        Words     // ordinary words score low; nil knows none

	// Used are the contexts that the last run went by: those it kept, and those
	// of Kept that it met. It is set by Mine.
	Used []ContextRule
}

// Name implements Miner.
func (*Contextual) Name() string { return "contextual" }

// Mine implements Miner.
func (c *Contextual) Mine(corpus *Corpus, catalogue *Catalogue) []Candidate {
	run := c.run(corpus, catalogue)
	kept, _ := run.learn()
	c.Used = append(kept, run.met...)
	return run.candidates()
}

// Learn gives the contexts that annex 1 keeps and rejects, and the candidates.
func (c *Contextual) Learn(corpus *Corpus, catalogue *Catalogue) (kept, rejected []ContextRule, candidates []Candidate) {
	run := c.run(corpus, catalogue)
	kept, rejected = run.learn()
	return kept, rejected, run.candidates()
}

func (c *Contextual) run(corpus *Corpus, catalogue *Catalogue) *contextualRun {
	run := &contextualRun{Contextual: *c, found: make(map[FormID]*sighting)}
	if run.MaxFrequency == 0 {
		run.MaxFrequency = MaxFrequencyOf(corpus.Words())
	}
	if run.MinRate == 0 {
		run.MinRate = DefaultMinRate
	}
	if run.Words == nil {
		run.Words = noWords{}
	}
	run.view = newView(corpus, catalogue, run.Words)
	return run
}

// learn goes over both sides.
func (r *contextualRun) learn() (kept, rejected []ContextRule) {
	for _, side := range []Side{Left, Right} {
		r.reuse(side)
		good, bad := r.annexOne(side)
		kept, rejected = append(kept, good...), append(rejected, bad...)
	}
	return kept, rejected
}

// contextualRun is one run over a corpus.
type contextualRun struct {
	Contextual
	view  *view
	found map[FormID]*sighting
	met   []ContextRule // of the contexts kept from earlier corpora
}

// sighting collects the contexts a form was seen in.
type sighting struct {
	doubt    float64 // product of 1 − trust over the contexts
	best     float64
	category detect.Category
	evidence []Evidence
	rules    map[string]bool // contexts counted in doubt
}

// annexOne is the paper's algorithm for one side.
func (r *contextualRun) annexOne(side Side) (kept, rejected []ContextRule) {
	t := newTrie(r.view, side)
	for _, at := range r.view.known {
		if beside := r.view.step(at, side); beside >= 0 {
			t.add(0, r.view.item(beside))
		}
	}
	for depth := int32(1); r.countLevel(t, depth) && depth < maxContextItems; depth++ {
		r.growLevel(t, depth)
	}
	beside, languages := r.unlistedBeside(t), r.languages(t)
	for n := int32(1); n < int32(len(t.nodes)); n++ {
		node := &t.nodes[n]
		if node.grown || int(node.total) > r.MaxFrequency || r.isRejected(t, n) {
			continue
		}
		rule := t.rule(n)
		rule.Lang = languages[n]
		rate := float64(node.known) / float64(node.total)
		for _, id := range beside[n] {
			r.see(id, rule)
		}
		if rate >= r.MinRate {
			kept = append(kept, rule)
		} else {
			rejected = append(rejected, rule)
		}
	}
	sortRules(kept)
	sortRules(rejected)
	return kept, rejected
}

// countLevel counts the contexts of depth items over the whole corpus and marks
// those that are to grow; it reports whether there are any.
func (r *contextualRun) countLevel(t *trie, depth int32) bool {
	for at := range r.view.class {
		class := r.view.class[at]
		if class == goesOn {
			continue
		}
		if n := t.leaf(at); n != 0 && t.nodes[n].depth == depth {
			t.count(n, class)
		}
	}
	grown := false
	for n := range t.nodes {
		if node := &t.nodes[n]; node.depth == depth && (node.empty || int(node.total) > r.MaxFrequency) {
			node.grown = true
			grown = true
		}
	}
	return grown
}

// growLevel adds, for every context of depth items that is to grow, the longer
// ones that stand beside known forms.
func (r *contextualRun) growLevel(t *trie, depth int32) {
	for _, at := range r.view.known {
		n, place := int32(0), at
		for range depth {
			place = r.view.step(place, t.side)
			if place < 0 {
				break
			}
			n = t.child(n, r.view.item(place))
			if n == 0 || !t.nodes[n].grown || r.view.corpus.stream[place] == boundary {
				place = -1
				break
			}
		}
		if place < 0 {
			continue
		}
		if beyond := r.view.step(place, t.side); beyond >= 0 {
			t.add(n, r.view.item(beyond))
		}
	}
}

// unlistedBeside gives the unlisted forms beside each context that occurs more
// than once and not too often.
func (r *contextualRun) unlistedBeside(t *trie) map[int32][]FormID {
	beside := make(map[int32][]FormID)
	for at := range r.view.class {
		if !r.view.unlisted(at) {
			continue
		}
		n := t.leaf(at)
		if n == 0 || t.nodes[n].grown || t.nodes[n].total < 2 || int(t.nodes[n].total) > r.MaxFrequency {
			continue
		}
		id := r.view.corpus.stream[at]
		if !slices.Contains(beside[n], id) {
			beside[n] = append(beside[n], id)
		}
	}
	return beside
}

// languages gives the language of most texts where each context stands beside a
// known form.
func (r *contextualRun) languages(t *trie) map[int32]string {
	type use struct {
		n    int32
		lang string
	}
	counts := make(map[use]int)
	texts, at := r.view.corpus.texts, 0
	for _, place := range r.view.known {
		for at+1 < len(texts) && texts[at+1].start <= place {
			at++
		}
		if n := t.leaf(place); n != 0 && !t.nodes[n].grown {
			counts[use{n, texts[at].lang}]++
		}
	}
	most, languages := make(map[int32]int), make(map[int32]string)
	for u, count := range counts {
		if count > most[u.n] || count == most[u.n] && u.lang < languages[u.n] {
			most[u.n], languages[u.n] = count, u.lang
		}
	}
	return languages
}

// reuse looks up the contexts kept from earlier corpora.
func (r *contextualRun) reuse(side Side) {
	if r.Kept == nil {
		return
	}
	t := newTrie(r.view, side)
	rules := make(map[int32]ContextRule)
	for _, rule := range r.Kept.Rules() {
		if rule.Side != side {
			continue
		}
		if n, ok := t.enter(rule); ok {
			t.nodes[n].trust = rule.trust()
			rules[n] = rule
		}
	}
	if len(rules) == 0 {
		return
	}
	met := make(map[int32]bool)
	for at := range r.view.class {
		if !r.view.unlisted(at) {
			continue
		}
		longest := int32(0)
		t.all(at, func(n int32) {
			if t.nodes[n].trust > 0 {
				longest = n
			}
		})
		if longest != 0 {
			r.see(r.view.corpus.stream[at], rules[longest])
			met[longest] = true
		}
	}
	for _, n := range slices.Sorted(maps.Keys(met)) {
		r.met = append(r.met, rules[n])
	}
}

// isRejected reports whether a reviewer has judged a context useless.
func (r *contextualRun) isRejected(t *trie, n int32) bool {
	return r.Kept != nil && r.Kept.Rejected(t.rule(n))
}

// StandsIn begins what the evidence of a context says; the pattern follows.
const StandsIn = "stands in "

// shownContexts bounds how many contexts a candidate's evidence names.
const shownContexts = 3

// see records that a form stands beside a context. Contexts below the least
// rate, which any word may stand beside, do not add up.
func (r *contextualRun) see(id FormID, rule ContextRule) {
	s := r.found[id]
	if s == nil {
		s = &sighting{doubt: 1, rules: make(map[string]bool)}
		r.found[id] = s
	}
	pattern := rule.String()
	if s.rules[pattern] {
		return
	}
	s.rules[pattern] = true
	trust := rule.trust()
	if trust >= r.MinRate {
		s.doubt *= 1 - 0.9*trust
	}
	if trust > s.best {
		s.best, s.category = trust, rule.Category
	}
	s.evidence = append(s.evidence, Evidence{"contextual", StandsIn + pattern, trust, ""})
	slices.SortFunc(s.evidence, func(a, b Evidence) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.What, b.What))
	})
	s.evidence = s.evidence[:min(len(s.evidence), shownContexts)]
}

// candidates gives what was seen, in the lexicon's order.
func (r *contextualRun) candidates() []Candidate {
	ids := make([]FormID, 0, len(r.found))
	for id := range r.found {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	candidates := make([]Candidate, 0, len(ids))
	for _, id := range ids {
		form, s := &r.view.corpus.forms[id], r.found[id]
		candidates = append(candidates, Candidate{
			Form: form.Text, Category: s.category, Count: int(form.Count),
			Score: max(1-s.doubt, s.best/2) * r.likeAName(form), Evidence: s.evidence,
		})
	}
	return candidates
}

// likeAName lowers the score of what is written unlike a name.
func (r *contextualRun) likeAName(form *Form) float64 {
	factor := 1.0
	if !capitalised(form.Text) {
		factor *= 0.7
	}
	if r.Words.Word(form.Key) {
		factor *= 0.3
		if r.Words.FirstName(form.Key) && capitalised(form.Text) {
			factor *= 2
		}
	}
	if r.view.corpus.ordinary(form) {
		factor *= 0.3
	}
	return factor
}
