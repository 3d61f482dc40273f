package detect

import (
	"hash/maphash"
	"slices"
	"strings"

	"anonymooc/forum/corpus"
)

// Row is one line of the catalogue (Reffay et al. 2012, table 2): a known form
// and what it names. The same form on several rows is a homonym, and keeps all
// its readings.
type Row struct {
	Form     string
	Shape    string // as the officer notes it: normal, abbreviated …
	Category Category
	Type     string // participant, tutor, institution, town, public, common …
	Entity   EntityID
}

// Public reports whether the row's type says that the form names nobody who
// must be hidden: a public figure, a common word, a public place.
func (r *Row) Public() bool {
	switch strings.ToLower(r.Type) {
	case "public", "common", "capital", "country":
		return true
	}
	return false
}

// Reading is one thing a form may name.
type Reading struct {
	Category Category
	Type     string
	Entities []EntityID // sorted
	Public   bool
}

// TypeRunTogether is the type of a first and a last name of one person that are
// written as one word: "zoéblanc".
const TypeRunTogether = "run together"

// Catalogue marks every occurrence of the known forms: step 3 of the method.
//
// A form is a sequence of folded words. The first word leads to the lengths
// that are worth trying, the longest that is known wins; the cost of a text is
// one look at what is remembered of nearly every word, whatever the number of
// names. Words of a name may be parted by a space, a hyphen, an apostrophe, a
// dot or an underscore, or run together; usernames and addresses are compared
// with their punctuation. Around that: elongated ("kéviiiin"), letter-spaced
// ("Z o é"), glued ("MerciZoé") and numbered ("zoé2") spellings, full names
// made of a first and a last name of one person, and names cut to initials.
//
// A Catalogue does not change once it is built. It holds, for 200,000 people,
// about a million forms in some 250 MB.
type Catalogue struct {
	Code bool // look inside code and formulas too

	seed    maphash.Seed
	filter  []uint64 // Bloom filter over first words
	lengths map[string]lengths
	forms   map[string]int32 // key → readings; exact keys begin with exactKey
	reads   [][]Reading
	partner map[EntityID]partners
	known   memory[catalogueFact]
}

// catalogueFact is what the catalogue says of one word, wherever it stands.
type catalogueFact struct {
	lengths             // of the forms that begin with it; 0 for none
	altered bool        // it may be an altered form
	name    int32       // whose readings the word has as a name, counted from 1; 0 for none
	exact   int32       // … as a username or an address
	both    *[]EntityID // whose two names it is, run together; asked only of what begins a form
}

// lengths bounds the forms that begin with a word.
type lengths struct{ words, tokens uint8 }

// begins reports whether some form begins with the word.
func (l lengths) begins() bool { return l != lengths{} }

// partners holds the first letters of a person's names.
type partners struct{ first, last string }

// exactKey sets the keys of usernames and addresses apart.
const exactKey = "\x00"

const (
	filterBits = 1 << 23 // one megabyte: a false alarm in 500 with half a million first words
	maxForm    = 24      // tokens of the longest form
)

// NewCatalogue compiles rows. Forms without any letter or digit are left out.
func NewCatalogue(rows []Row) *Catalogue {
	c := &Catalogue{
		seed:    maphash.MakeSeed(),
		filter:  make([]uint64, filterBits/64),
		lengths: make(map[string]lengths),
		forms:   make(map[string]int32),
		partner: make(map[EntityID]partners),
		known:   newMemory[catalogueFact](),
	}
	doc := new(Document)
	for i := range rows {
		c.add(&rows[i], doc)
	}
	for i := range c.reads {
		for j := range c.reads[i] {
			r := &c.reads[i][j]
			slices.Sort(r.Entities)
			r.Entities = slices.Compact(r.Entities)
		}
	}
	return c
}

// Name implements Detector.
func (c *Catalogue) Name() string { return "catalogue" }

// Len is the number of distinct forms.
func (c *Catalogue) Len() int { return len(c.reads) }

// add compiles one row.
func (c *Catalogue) add(row *Row, doc *Document) {
	doc.Reset(corpus.Post{}, "", []byte(row.Form))
	tokens := doc.Tokens
	if len(tokens) == 0 || len(tokens) > maxForm {
		return
	}
	if row.Category == Username || row.Category == Email || row.Category == URL {
		var key strings.Builder
		key.WriteString(exactKey)
		for i := range tokens {
			key.WriteString(tokens[i].Folded)
		}
		c.put(tokens[0].Folded, key.String(), lengths{tokens: uint8(len(tokens))}, row)
		return
	}
	var words []string
	for i := range tokens {
		if !tokens[i].Any(Punct) {
			words = append(words, tokens[i].Folded)
		}
	}
	if len(words) == 0 {
		return
	}
	c.put(words[0], strings.Join(words, " "), lengths{words: uint8(len(words))}, row)
	if joined := strings.Join(words, ""); len(words) > 1 && row.Category.Person() {
		c.put(joined, joined, lengths{words: 1}, row)
	}
	c.remember(row, words[0])
}

// remember notes the initials that a full name of the entity may be cut to.
func (c *Catalogue) remember(row *Row, word string) {
	if row.Entity == "" || row.Category != FirstName && row.Category != LastName {
		return
	}
	p := c.partner[row.Entity]
	letter := firstLetter(word)
	if row.Category == FirstName && p.first == "" {
		p.first = letter
	}
	if row.Category == LastName && p.last == "" {
		p.last = letter
	}
	c.partner[row.Entity] = p
}

func firstLetter(word string) string {
	for _, r := range word {
		return string(r)
	}
	return ""
}

func (c *Catalogue) put(first, key string, l lengths, row *Row) {
	old := c.lengths[first]
	c.lengths[first] = lengths{words: max(old.words, l.words), tokens: max(old.tokens, l.tokens)}
	c.setFilter(first)
	n, ok := c.forms[key]
	if !ok {
		n = int32(len(c.reads))
		c.reads = append(c.reads, nil)
		c.forms[key] = n
	}
	for i := range c.reads[n] {
		if r := &c.reads[n][i]; r.Category == row.Category && r.Type == row.Type {
			if row.Entity != "" {
				r.Entities = append(r.Entities, row.Entity)
			}
			return
		}
	}
	reading := Reading{Category: row.Category, Type: row.Type, Public: row.Public()}
	if row.Entity != "" {
		reading.Entities = []EntityID{row.Entity}
	}
	c.reads[n] = append(c.reads[n], reading)
}

func (c *Catalogue) setFilter(word string) {
	h := maphash.String(c.seed, word)
	a, b := h%filterBits, h>>32%filterBits
	c.filter[a/64] |= 1 << (a % 64)
	c.filter[b/64] |= 1 << (b % 64)
}

// maybe reports whether some form may begin with word.
func (c *Catalogue) maybe(word string) bool {
	h := maphash.String(c.seed, word)
	a, b := h%filterBits, h>>32%filterBits
	return c.filter[a/64]&(1<<(a%64)) != 0 && c.filter[b/64]&(1<<(b%64)) != 0
}

// Readings gives what a form may name: nil for an unknown form. It is the
// look-up of the check and of the concordance; case, accents and separators do
// not matter.
func (c *Catalogue) Readings(form string) []Reading {
	doc := NewDocument(corpus.Post{}, "", []byte(form))
	var words []string
	var exact strings.Builder
	exact.WriteString(exactKey)
	for i := range doc.Tokens {
		exact.WriteString(doc.Tokens[i].Folded)
		if !doc.Tokens[i].Any(Punct) {
			words = append(words, doc.Tokens[i].Folded)
		}
	}
	var all []Reading
	if n, ok := c.forms[exact.String()]; ok {
		all = append(all, c.reads[n]...)
	}
	if n, ok := c.forms[strings.Join(words, " ")]; ok {
		all = append(all, c.reads[n]...)
	}
	return all
}

// Single gives the readings of one folded word.
func (c *Catalogue) Single(folded string) []Reading {
	if !c.maybe(folded) {
		return nil
	}
	if n, ok := c.forms[folded]; ok {
		return c.reads[n]
	}
	return nil
}
