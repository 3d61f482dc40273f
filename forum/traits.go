package forum

import (
	"math"
	"slices"

	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
)

// weighed is a span with its reasons added up, before the forest is asked.
type weighed struct {
	Finding
	marks    []detect.Mark // of this span
	from, to int           // its tokens
	stand    stand
	sum      float64  // the logit of the reasons
	known    bool     // the catalogue knows somebody of that name
	near     relation // the nearest of those who bear it

	judged                bool // by the forests
	firstLook, secondLook float64
}

// mostAround bounds how many spans before and after one are looked at for those
// that hold it, or that it holds.
const mostAround = 16

// traitNames names what the forest on the evidence is told of a span, in order:
// what the reasons add up to, who says so, how the form is written, where it
// stands, how the corpus uses its words, and what the lists know of them.
var traitNames = []string{
	"reasons", "category", "of somebody", "of theirs", "of the public", "of a place", "of a thing", "of nothing", "to be masked", "not of the public",
	"nome", "seekhide", "grammar", "grammar alone",
	"a variant", "a part", "a first name", "a full name", "readings", "near", "known", "coverage", "names known",
	"tokens", "letters", "capital", "all capitals", "opens", "called", "after an article", "beside another", "located", "signed", "apart", "never small",
	"word", "word of another language", "text without capitals",
	"candidate", "spelled like a name", "population",
	"uses", "small share", "middle share", "called share", "located share", "people who write it", "of somebody elsewhere", "to be masked elsewhere",
	"forest", "titled", "preposition before", "comma after", "frequent after", "words in text", "forest, last word", "forest before", "forest after",
	"inside", "inside, reasons", "inside, known", "holds, reasons",
	"public", "public part", "in a public name", "public share", "a thing", "in a thing's name",
	"proper noun", "usual first name", "surname", "label", "frequent word", "capitals in text", "language",
}

// secondNames are what the second look is told besides: what the first said of the
// other forms in the text, and what the passage says.
var secondNames = []string{
	"others, highest", "others, sum", "others", "others that are sure", "tokens in text",
	"reads of somebody", "reads of theirs", "reads of the public", "reads of a place", "reads of a thing", "reads of nothing", "reads to be masked",
}

// mostTraits is room for all of them.
const mostTraits = 128

// FirstTraits is a copy of what the first look is told of a span, TraitNames of what
// the second is.
func FirstTraits() []string { return slices.Clone(traitNames) }
func TraitNames() []string  { return slices.Concat(traitNames, secondNames) }

// traits appends what the first look is told for span i of a text.
func (e *Engine) traits(doc *detect.Document, spans []weighed, i int, words detect.Traits, around *detect.SurroundingsReader, dst []float64) []float64 {
	w := &spans[i]
	s := &w.stand
	first, last := &doc.Tokens[w.from], w.to-1
	flag := func(yes ...bool) {
		for _, y := range yes {
			v := 0.0
			if y {
				v = 1
			}
			dst = append(dst, v)
		}
	}
	said := heardFrom(w.marks)
	dst = append(dst, w.sum, float64(slices.Index(judged, w.Category)))
	of := around.Subjects(w.from, w.to)
	dst = aboutTraits(of, dst)
	dst = append(dst, said.scores[:]...)
	flag(said.variant, said.part, said.firstName, said.fullName)
	dst = append(dst, math.Log2(1+float64(said.readings)), float64(w.near))
	flag(w.known)
	dst = append(dst, e.coverage)
	flag(e.hasNames)

	dst = append(dst, float64(w.to-w.from), float64(min(w.End-w.Start, 40)))
	flag(s.capital, s.allCaps, s.opening, s.called || s.kin, s.article, s.otherName, s.located, s.signed, s.apart, s.neverSmall, s.word, s.foreign, s.caseless)
	mined := e.mined[w.key]
	dst = append(dst, mined.score)
	flag(mined.spelled())

	var whole lists.Entry
	if key := keyWords(w.key); key == first.Folded {
		whole = e.usages.find(first)
	} else {
		whole = e.usages.known.Find(key)
	}
	dst = append(dst, math.Log2(1+float64(whole.Population)))
	used := e.usages.of(first.Folded)
	dst = append(dst, math.Log2(1+float64(used.capital)), float64(used.small), used.share(used.middle), used.share(used.called), used.share(used.located), float64(used.people()))

	here := leaning{}
	if noted(first) { // as it was when the corpus was read
		if w.to > w.from+1 {
			of = around.Subjects(w.from, w.from+1)
		}
		here = leaningOf(of)
	}
	private, masked := used.elsewhere(here)
	dst = append(dst, private, masked)

	score, looks := words.Look(w.from)
	dst = append(dst, score)
	for _, feature := range wordTraits {
		dst = append(dst, looks[feature])
	}
	if last > w.from {
		dst = append(dst, words.Score(last))
	} else {
		dst = append(dst, -1)
	}
	dst = append(dst, besideScore(doc, words, w.from-1, w.from), besideScore(doc, words, w.to, w.to))
	in := neighboursOf(spans, i)
	dst = append(dst, float64(in.longest), in.reasons)
	flag(in.known)
	dst = append(dst, in.held)

	entry := e.usages.find(&doc.Tokens[last])
	flag(whole.Is(lists.Public), entry.Is(lists.PublicPart), s.public)
	dst = append(dst, used.share(used.public))
	flag(whole.Is(lists.Thing), s.thing)
	entry = e.usages.find(first)
	flag(entry.Is(lists.Proper), entry.Is(lists.UsualName), entry.Is(lists.Surname))
	dst = append(dst, float64(words.Label(w.from)))
	flag(entry.Frequent(doc.Lang))
	return append(dst, words.Capitals(), float64(slices.Index(languages, doc.Lang)))
}

// aboutTraits appends what the words around a span speak of, and how much rather
// of what must be masked than of what must be kept.
func aboutTraits(of detect.Subjects, dst []float64) []float64 {
	shares := of.Shares()
	masked := shares[detect.OfSomebody] + shares[detect.OfTheirs]
	for _, share := range shares {
		dst = append(dst, milli(share))
	}
	private := 1 / (1 + math.Exp(float64(of[detect.OfPublic]-of[detect.OfSomebody])))
	return append(dst, milli(masked), milli(private))
}

// milli rounds what rounding while adding up may change.
func milli(share float64) float64 { return math.Round(share*1e3) / 1e3 }

var languages = func() []string { l := detect.Languages(); return l[:] }()

// judged are the categories of which the forest is asked; its numbers for them.
var judged = []detect.Category{detect.FirstName, detect.LastName, detect.FullName, detect.Nickname, detect.Username, detect.Place, detect.Organisation}

// wordTraits are the features of a span's first word that are told as they are.
var wordTraits = func() []int {
	var numbers []int
	for _, name := range []string{"titled", "preposition before", "comma after", "frequent after", "words in text"} {
		numbers = append(numbers, slices.Index(detect.MentionFeatures(), name))
	}
	return numbers
}()

// heard is what the detectors say of a span.
type heard struct {
	scores                             [4]float64 // the highest of each, as in told
	variant, part, firstName, fullName bool       // among the catalogue's readings
	readings                           int        // people of that name
}

func heardFrom(marks []detect.Mark) heard {
	var h heard
	for i := range marks {
		m := &marks[i]
		if m.Proposal == detect.Keep {
			continue
		}
		at := slices.Index(told, m.By)
		if m.Alone && m.By == "eslo" {
			at++
		}
		if at >= 0 {
			h.scores[at] = max(h.scores[at], m.Score)
		}
		if m.By == CatalogueName {
			h.variant = h.variant || m.Type == TypeVariant
			h.part = h.part || m.Type == TypePart
			h.firstName = h.firstName || m.Category == detect.FirstName
			h.fullName = h.fullName || m.Category == detect.FullName && m.Type != detect.TypeRunTogether
			h.readings = max(h.readings, len(m.Entities))
		}
	}
	return h
}

// told are the detectors whose scores are told; what a grammar knows by a
// form's looks alone is told apart.
var told = []string{"nome", "seekhide", "eslo", "eslo alone"}

// besideScore is the mention forest's opinion of the capitalised word at token
// i, beside the span; −1 where there is none. line is the token that must not
// begin a line.
func besideScore(doc *detect.Document, words detect.Traits, i, line int) float64 {
	if i < 0 || i >= len(doc.Tokens) || !doc.Tokens[i].Has(detect.Word|detect.Capital) || doc.Tokens[line].Any(detect.LineStart) {
		return -1
	}
	return words.Score(i)
}

// neighbours is what holds a span, and what it holds.
type neighbours struct {
	longest int     // tokens of the longest span that holds it
	reasons float64 // highest of those
	known   bool
	held    float64 // highest of what it holds
}

// noReasons stands for the reasons of no span.
const noReasons = -9

// neighboursOf looks at the spans beside span i. They are sorted by start, longer
// ones first.
func neighboursOf(spans []weighed, i int) neighbours {
	n := neighbours{reasons: noReasons, held: noReasons}
	w := &spans[i]
	for j := max(i-mostAround, 0); j < min(i+mostAround+1, len(spans)); j++ {
		o := &spans[j]
		switch {
		case j == i || o.from == w.from && o.to == w.to:
		case o.from <= w.from && w.to <= o.to:
			n.longest, n.reasons = max(n.longest, o.to-o.from), max(n.reasons, o.sum)
			for k := range o.marks {
				n.known = n.known || o.marks[k].By == CatalogueName
			}
		case w.from <= o.from && o.to <= w.to:
			n.held = max(n.held, o.sum)
		}
	}
	return n
}

// mostOthers bounds how many spans before and after one the second look is told of.
const mostOthers = 64

// othersTraits appends what the first look said of the spans beside span i that are of
// another form.
func othersTraits(doc *detect.Document, spans []weighed, i int, dst []float64) []float64 {
	w := &spans[i]
	highest, sum, count, sure := -1.0, 0.0, 0, 0
	for j := max(i-mostOthers, 0); j < min(i+mostOthers+1, len(spans)); j++ {
		o := &spans[j]
		switch {
		case o.from < w.to && w.from < o.to:
		case !o.judged:
			if o.sum >= enough {
				sure++
			}
		case o.key != w.key:
			highest = max(highest, o.firstLook)
			sum += o.firstLook
			count++
		}
	}
	return append(dst, highest, sum, float64(count), float64(sure), float64(len(doc.Tokens)))
}

// passageTraits appends what the passage says.
func passageTraits(opinion detect.Opinion, dst []float64) []float64 {
	for _, logit := range opinion {
		dst = append(dst, milli(float64(logit)))
	}
	return dst
}

// What a passage is told of tokens that lie in a span: that they do, that the catalogue
// knows it, who bears it, and its category.
const (
	roleSpan     = 1 << 0
	roleKnown    = 1 << 1
	roleNear     = 2 // the first of those of a relation
	roleCategory = 7 // the first of those of judged
	roleOther    = 1 << 14
)

func rolesOf(doc *detect.Document, spans []weighed) []detect.PassageRole {
	roles := make([]detect.PassageRole, len(doc.Tokens))
	for i := range spans {
		w := &spans[i]
		role := detect.PassageRole(roleSpan | 1<<(roleNear+w.near))
		if w.known {
			role |= roleKnown
		}
		if category := slices.Index(judged, w.Category); category >= 0 {
			role |= 1 << (roleCategory + category)
		} else {
			role |= roleOther
		}
		for t := w.from; t < w.to; t++ {
			roles[t] |= role
		}
	}
	return roles
}
