package forum

import (
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/forum/mine"
	"anonymooc/internal/fold"
	"anonymooc/tables"
)

// Decisions is what the engine asks of the ledger.
type Decisions interface {
	Decision(question string) (ledger.Decision, bool)
	Mention(m ledger.Mention) (ledger.Verdict, bool)
	Decisions() []ledger.Decision
}

// Engine finds and replaces names. It is safe for concurrent use.
type Engine struct {
	options   Options
	people    *people
	corpus    *corpus.Corpus
	decisions Decisions
	circles   *circles
	catalogue *detect.Catalogue
	nearby    *nearby
	said      saidWords // options.Words, for words in a text
	treated   map[detect.Category]bool
	mined     map[string]candidate // by key: the forms that mining proposed
	written   map[string]bool      // folded words of the corpus, which no surrogate may be; nil when there are none
	usages    *usages              // how the corpus uses its words
	addresses addresses            // names told by e-mail addresses in the corpus
	coverage  float64              // share of the corpus's authors whose names are known
	setting   Setting              // of the judge
	hasNames  bool                 // the catalogue knows somebody's name
	line      float64              // up to which the strict policy keeps what nobody decides
	style     substituter
	contexts  contexts
	settled   map[string]bool // questions that are not worth asking: see questionPrice
	asked     map[string]bool // forms that are asked about
	surveying bool            // they are being gathered
	hidden    map[string]bool // forms that others hid meanwhile
	hiding    sync.Mutex      // guards hidden while surveying

	questions []Question
	texts     atomic.Int64
	documents sync.Pool
	desks     sync.Pool // *desk

	mu        sync.Mutex
	tally     Report
	elsewhere *queue // questions met outside the corpus
}

// New builds an engine from everybody the export knows, its forum and what has
// been decided so far; forum and decisions may be nil. It reads the forum: once
// to mine it, if asked to, and once for the open questions under the reviewed
// policy.
func New(roster []Person, forum *corpus.Corpus, decisions Decisions, options Options) (*Engine, error) {
	if options.Policy == "" {
		options.Policy = Strict
	}
	if options.SmallTown == 0 {
		options.SmallTown = DefaultSmallTown
	}
	e := &Engine{options: options, people: newPeople(roster), corpus: forum, decisions: decisions,
		treated: make(map[detect.Category]bool), mined: make(map[string]candidate), addresses: make(addresses)}
	e.documents.New = func() any { return new(detect.Document) }
	var index *corpus.Index
	if forum != nil {
		index = forum.Index()
	}
	e.usages = newUsages(options.Judge.gazetteer(), options.Judge.surroundings())
	e.circles = newCircles(e.people, index)
	if options.Choice.Has(CatalogueName) && !options.Strangers {
		e.coverage = e.circles.coverage()
	}
	e.setting = settingOf(e.coverage)
	e.hasNames = e.named(roster)
	e.line = strictLine(e.coverage, e.hasNames)
	if options.Judge != nil {
		e.line = e.judgedLine()
	}
	e.elsewhere = newQueue(e.line)
	e.said = saidBy(options.Words)
	e.nearby = &nearby{people: e.people, words: options.Words, said: &e.said}
	e.choose(options.Categories)
	e.tally = Report{Policy: options.Policy, Detectors: options.Choice.names(), Expert: options.Choice.level(), People: len(roster), Masked: map[detect.Category]int{}, Kept: map[detect.Category]int{}, Waiting: map[detect.Category]int{}}
	if err := e.compile(roster); err != nil {
		return nil, err
	}
	style, err := newSubstituter(e)
	if err != nil {
		return nil, err
	}
	e.style = style
	if options.Policy == Reviewed {
		e.surveying, e.hidden = true, make(map[string]bool)
		if e.questions, err = e.survey(); err != nil {
			return nil, err
		}
		e.surveying = false
	}
	return e, nil
}

// Setting tells which of the judge's forests is asked.
func (e *Engine) Setting() Setting { return e.setting }

// named reports whether the catalogue knows anybody's name.
func (e *Engine) named(roster []Person) bool {
	return e.options.Choice.Has(CatalogueName) && (len(e.options.Rows) > 0 || slices.ContainsFunc(roster, func(p Person) bool {
		return len(p.FirstNames)+len(p.LastNames)+len(p.Names) > 0
	}))
}

// choose sets the categories to treat.
func (e *Engine) choose(categories []detect.Category) {
	for _, c := range detect.Categories() {
		e.treated[c] = len(categories) == 0 && !c.Indirect() && c != detect.Other || slices.Contains(categories, c)
	}
}

// compile builds the catalogue: roster, officer's rows, reviewer's forms, and
// what mining finds with those.
func (e *Engine) compile(roster []Person) error {
	var rows []detect.Row
	if e.options.Choice.Has(CatalogueName) {
		rows = slices.Clone(e.options.Rows)
		for i := range roster {
			rows = append(rows, roster[i].Rows()...)
		}
	}
	if e.decisions != nil {
		for _, d := range e.decisions.Decisions() {
			e.tally.Decisions++
			if row, ok := decidedRow(d); ok {
				rows = append(rows, row)
			}
		}
	}
	var lexicon *mine.Corpus
	if (e.corpus != nil || e.options.Texts != nil) && (e.options.Mine || len(e.options.Learners) > 0 || e.surrogates()) {
		var err error
		if lexicon, err = e.lexicon(); err != nil {
			return err
		}
		if e.options.Mine {
			rows = append(rows, e.mineRows(lexicon, rows)...)
			e.tally.Mined = len(e.mined)
		}
	}
	e.catalogue = detect.NewCatalogue(rows)
	e.noteCase(lexicon)
	e.catalogue.Code = e.options.Code
	e.tally.Forms = e.catalogue.Len()
	return nil
}

// decidedRow lets a form that a reviewer masked be found wherever it stands.
func decidedRow(d ledger.Decision) (detect.Row, bool) {
	if d.Verdict != ledger.Mask || d.Surface == "" || d.Kind == ledger.KindContext {
		return detect.Row{}, false
	}
	category := detect.Category(d.Category)
	if !category.Valid() {
		category = detect.Nickname
	}
	return detect.Row{Form: d.Surface, Category: category, Type: TypeDecided, Entity: detect.EntityID(d.Entity)}, true
}

// lexicon reads the words of the corpus, and of the texts beside it, and lets the
// learners read along.
func (e *Engine) lexicon() (*mine.Corpus, error) {
	builder := mine.NewBuilder()
	learn := func(doc *detect.Document, leanings []leaning) {
		builder.Add(doc)
		e.usages.learn(doc, leanings)
		e.addresses.learn(doc)
		for _, l := range e.options.Learners {
			l.Learn(doc)
		}
	}
	beside := newBeside(e)
	if e.corpus != nil {
		if err := readCorpus(e, e.usages.lean, func(doc *detect.Document, leanings []leaning) {
			beside.seen(doc.Post.Author, doc.Raw)
			beside.seen("", doc.Raw) // a copy may not tell whose it is
			learn(doc, leanings)
		}); err != nil {
			return nil, err
		}
	}
	if err := beside.read(func(doc *detect.Document) { learn(doc, e.usages.lean(doc)) }); err != nil {
		return nil, err
	}
	return builder.Corpus(), nil
}

// surrogates reports whether some category is replaced by other names.
func (e *Engine) surrogates() bool {
	for _, style := range e.options.Styles {
		if style == Surrogate {
			return true
		}
	}
	return false
}

// noteCase notes how often the corpus writes its words small.
func (e *Engine) noteCase(lexicon *mine.Corpus) {
	if lexicon == nil {
		return
	}
	if e.surrogates() {
		e.written = make(map[string]bool)
	}
	lexicon.Lexicon(func(form *mine.Form) {
		if e.written != nil {
			e.written[form.Key] = true
		}
		if w, ok := e.usages.words[form.Key]; ok {
			w.small = float32(lexicon.LowerShare(form))
		}
	})
}

// mineRows lets the miners propose until they find nothing new.
func (e *Engine) mineRows(lexicon *mine.Corpus, rows []detect.Row) []detect.Row {
	known := make([]mine.Known, 0, len(rows))
	for i := range rows {
		if rows[i].Category.Person() && !rows[i].Public() {
			k := mine.Known{Form: rows[i].Form, Category: rows[i].Category}
			if rows[i].Entity != "" {
				k.Entities = []detect.EntityID{rows[i].Entity}
			}
			known = append(known, k)
		}
	}
	contextual, miners := e.miners()
	found, open := mine.Propagate(lexicon, known, func(c mine.Candidate) bool { return c.Score >= sureCandidate }, miningRounds, miners...)
	e.contexts.learned(lexicon, contextual.Used)
	mined := e.addressRows(rows)
	for _, c := range append(found, open...) {
		if c.Score < leastCandidate || e.noCandidate(c.Form) {
			continue
		}
		proposed := candidate{score: c.Score}
		for _, evidence := range c.Evidence {
			if proposed.of == "" {
				proposed.of = keyOf(evidence.Of)
			}
			proposed.evidence = append(proposed.evidence, Evidence{evidence.By, evidence.What})
		}
		if key := mineKey(c.Form); e.mined[key].score < c.Score {
			e.mined[key] = proposed
		}
		if c.Category == detect.Other {
			c.Category = detect.Nickname // of no known kind
		}
		for _, entity := range append(c.Entities, "") {
			if entity != "" || len(c.Entities) == 0 {
				mined = append(mined, detect.Row{Form: c.Form, Category: c.Category, Type: TypeVariant, Entity: entity})
			}
		}
	}
	return mined
}

// candidate is what mining said of a form.
type candidate struct {
	score    float64
	of       string // key of the known form that it is spelled like; empty when there is none
	evidence []Evidence
}

// spelled reports whether the candidate was found by its spelling, and not only
// by where it stands.
func (c *candidate) spelled() bool {
	return slices.ContainsFunc(c.evidence, func(e Evidence) bool { return e.By == "lexical" || e.By == "composed" })
}

// noCandidate reports whether a form that mining proposes is a title, a
// greeting or a country.
func (e *Engine) noCandidate(form string) bool {
	key := fold.KeyString(form)
	if callings[key] || articles[key] || institutions[key] || particles[key] {
		return true
	}
	return e.options.Places != nil && e.options.Places.IsCountry(key)
}

const (
	sureCandidate  = 0.9  // candidates that reveal further ones
	leastCandidate = 0.25 // candidates worth looking for
	miningRounds   = 4
)

// miners gives every miner, in the order of the paper.
func (e *Engine) miners() (*mine.Contextual, []mine.Miner) {
	var words mine.Words
	if e.options.Words != nil {
		words = AnyLanguage(e.options.Words)
	}
	contextual := &mine.Contextual{Words: words, Kept: DecidedContexts(e.options.Contexts, e.decisions)}
	return contextual, []mine.Miner{mine.Lexical{Words: words}, contextual, mine.Composed{Words: words, Familiar: e.options.Familiar}, mine.Capitals{Words: words}}
}

// AnyLanguage asks the dictionaries of all languages, as miners do.
func AnyLanguage(words Words) mine.Words { return anyLanguage{words} }

type anyLanguage struct{ words Words }

func (a anyLanguage) Word(folded string) bool      { return a.words.IsCommonWord("", folded) }
func (a anyLanguage) FirstName(folded string) bool { return a.words.IsFirstName(folded) }

// Findings finds and decides everything in a document of the corpus, or in any
// other text.
func (e *Engine) Findings(doc *detect.Document) []Finding {
	return e.judge(doc, e.circleOf(doc))
}

// circleOf is who stands round a document.
func (e *Engine) circleOf(doc *detect.Document) circle {
	writer := nobody
	if n, ok := e.people.userIDs[doc.Post.Author]; ok && doc.Post.Author != "" {
		writer = n
	}
	return e.circles.of(doc.Post.ID, writer)
}

// Catalogue is what the engine knows by heart.
func (e *Engine) Catalogue() *detect.Catalogue { return e.catalogue }

// Treat implements tables.TextEngine.
func (e *Engine) Treat(dst, text []byte, place tables.TextPlace) ([]byte, tables.TextTally, error) {
	var tally tables.TextTally
	e.texts.Add(1)
	if e.options.Policy == Drop {
		if len(text) > 0 {
			tally.Masked = 1
		}
		return dst, tally, nil
	}
	doc := e.documents.Get().(*detect.Document)
	defer e.documents.Put(doc)
	writer := e.people.byPseudonym(place.Author)
	doc.Reset(corpus.Post{ID: documentID(place, text), Course: place.Course, Author: e.circles.authorOf(place.Document, writer)}, place.Field, text)
	e.identify(doc)
	findings := e.judge(doc, e.circles.of(place.Document, writer))
	if len(findings) == 0 {
		return append(dst, text...), tally, nil
	}
	dst, err := e.style.substitute(dst, doc, findings)
	if err != nil {
		return dst, tally, err
	}
	e.count(doc, findings, &tally)
	return dst, tally, nil
}

// documentID names a text in questions and decisions: a post by its id, any
// other text by a digest, so that a verdict on one of its mentions holds for no
// other row.
func documentID(place tables.TextPlace, text []byte) string {
	if place.Document != "" {
		return place.Document
	}
	digest := fnv.New64a()
	digest.Write(text)
	return place.Table + ":" + strconv.FormatUint(digest.Sum64(), 16)
}

func (e *Engine) identify(doc *detect.Document) {
	if doc.Lang == "" && e.options.Identify != nil {
		doc.Lang = e.options.Identify(doc.Tokens)
	}
}

// count adds findings to a text's tally and to the report.
func (e *Engine) count(doc *detect.Document, findings []Finding, tally *tables.TextTally) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range findings {
		switch f := &findings[i]; f.Verdict {
		case detect.Mask:
			tally.Masked++
			e.tally.Masked[f.Category]++
		case detect.Keep:
			tally.Kept++
			e.tally.Kept[f.Category]++
		default:
			tally.Waiting++
			e.tally.Waiting[f.Category]++
			if e.options.Policy == Reviewed {
				e.elsewhere.ask(doc, f, e.leftOpen(f))
			}
		}
	}
}

// Questions lists what is still open in the corpus, the most worthwhile first.
// Under the reviewed policy they are known from the start; under another one
// the corpus is read for them.
func (e *Engine) Questions() ([]Question, error) {
	if e.options.Policy == Reviewed || e.corpus == nil {
		return e.questions, nil
	}
	return e.survey()
}

// Elsewhere lists the questions that came up in texts outside the corpus while
// they were treated, and that the corpus does not ask too.
func (e *Engine) Elsewhere() []Question {
	e.mu.Lock()
	defer e.mu.Unlock()
	known := make(map[string]bool, len(e.questions))
	for i := range e.questions {
		known[e.questions[i].ID] = true
	}
	return slices.DeleteFunc(e.elsewhere.list(), func(q Question) bool { return known[q.ID] })
}

// Pending is the number of open questions as a queue asks them (see Together):
// those of the corpus, and those that came up in other texts while they were
// treated. Under the reviewed policy a release must not appear while it is above
// zero (exit status 4).
func (e *Engine) Pending() int {
	return len(Together(append(slices.Clip(e.questions), e.Elsewhere()...)))
}

// Report counts what the engine knows and has done so far.
func (e *Engine) Report() Report {
	pending := e.Pending()
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.tally
	r.Masked, r.Kept, r.Waiting = maps.Clone(r.Masked), maps.Clone(r.Kept), maps.Clone(r.Waiting)
	r.Texts, r.Questions, r.Recheck = e.texts.Load(), pending, e.options.Recheck
	for _, c := range detect.Categories() {
		if e.treated[c] {
			r.Categories = append(r.Categories, c)
		}
	}
	return r
}

// keyOf folds the words of a form.
func keyOf(form string) string {
	return strings.Join(strings.FieldsFunc(fold.KeyString(form), func(r rune) bool { return !keyRune(r) }), " ")
}
