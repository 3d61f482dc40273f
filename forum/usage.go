package forum

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
)

// usages is how the people of a corpus use its words: what one mention does not
// tell, the others may. Only words that are written with a capital somewhere are
// kept, some 110 bytes each. It is filled from one goroutine while the corpus is
// read for its lexicon; then it only answers.
type usages struct {
	known  Gazetteer            // may be nil
	listed *detect.Listed       // the same, where it is the general lists: what a word's form remembers
	around *detect.Surroundings // may be nil
	words  map[string]*usage
	famous famousReader
}

// usage counts the occurrences of a word.
type usage struct {
	small   float32 // share that begins with a small letter, of all
	capital int32   // with a capital
	middle  int32   // of these, where no sentence begins
	called  int32   // of these, after a greeting, thanks or a title
	signed  int32   // where a signature stands
	article int32
	located int32
	public  int32   // in the name of somebody known to the public
	speak   leaning // of what stands around those with a capital, added up
	authors [fewAuthors]uint32
}

// fewAuthors is how many of a word's authors are told apart.
const fewAuthors = 4

func newUsages(known Gazetteer, around *detect.Surroundings) *usages {
	u := &usages{known: known, around: around, words: make(map[string]*usage)}
	if general, ok := known.(*lists.Lists); ok {
		u.listed = detect.NewListed(general)
	}
	return u
}

// unused stands for a word that the corpus never writes with a capital.
var unused = usage{small: -1}

// of tells how a folded word is used.
func (u *usages) of(folded string) *usage {
	if known, ok := u.words[folded]; ok {
		return known
	}
	return &unused
}

// lean tells what the words around each word with a capital lean to. It may be called
// from many goroutines.
func (u *usages) lean(doc *detect.Document) []leaning {
	if u.around == nil {
		return nil
	}
	reader := u.around.Read(doc)
	defer reader.Close()
	var all []leaning
	for i := range doc.Tokens {
		if noted(&doc.Tokens[i]) {
			all = append(all, leaningOf(reader.Subjects(i, i+1)))
		}
	}
	return all
}

// noted reports whether a token is one of those whose use is noted.
func noted(t *detect.Token) bool {
	return t.Has(detect.Word|detect.Capital) && !t.Any(detect.InCode|detect.InURL|detect.InMarkup|detect.InContentID)
}

// learn reads a text, with what lean told of it.
func (u *usages) learn(doc *detect.Document, leanings []leaning) {
	digest := fnv.New32a()
	digest.Write([]byte(doc.Post.Author))
	author := digest.Sum32() | 1
	famous := u.famous.read(doc, u)
	for i := range doc.Tokens {
		t := &doc.Tokens[i]
		if !noted(t) {
			continue
		}
		w, ok := u.words[t.Folded]
		if !ok {
			w = new(usage)
			u.words[strings.Clone(t.Folded)] = w
		}
		w.capital++
		w.note(author)
		if len(leanings) > 0 {
			w.speak.add(leanings[0])
			leanings = leanings[1:]
		}
		for _, n := range [...]struct {
			count *int32
			yes   bool
		}{{&w.middle, !t.Any(detect.SentenceStart)}, {&w.called, called(doc, i)}, {&w.signed, signed(doc, i, i+1)},
			{&w.article, article(doc, i)}, {&w.located, located(doc, i)}, {&w.public, famous[i]&somebodyFamous != 0}} {
			if n.yes {
				*n.count++
			}
		}
	}
}

// leaning is what the words around a form lean to, as logits: that it names
// somebody few know rather than somebody of the public, and that it must be masked
// rather than kept.
type leaning struct{ private, masked float32 }

func leaningOf(of detect.Subjects) leaning {
	shares := of.Shares()
	masked := shares[detect.OfSomebody] + shares[detect.OfTheirs]
	kept := shares[detect.OfPublic] + shares[detect.OfPlace] + shares[detect.OfThing] + shares[detect.OfNothing]
	bounded := func(logit float64) float32 { return float32(max(-mostLeaning, min(logit, mostLeaning))) }
	return leaning{bounded(float64(of[detect.OfSomebody] - of[detect.OfPublic])), bounded(math.Log(masked) - math.Log(kept))}
}

// mostLeaning bounds what one text may say.
const mostLeaning = 10

func (l *leaning) add(o leaning) { l.private, l.masked = l.private+o.private, l.masked+o.masked }

// elsewhere is the mean leaning of a word's other uses, drawn towards none where
// they are few. Here is what stands around this one.
func (w *usage) elsewhere(here leaning) (private, masked float64) {
	if w.capital <= 1 {
		return 0, 0
	}
	n := float64(w.capital)
	return milli(float64(w.speak.private-here.private) / n), milli(float64(w.speak.masked-here.masked) / n)
}

func (w *usage) note(author uint32) {
	for i, known := range w.authors {
		if known == author {
			return
		}
		if known == 0 {
			w.authors[i] = author
			return
		}
	}
}

// people is how many wrote the word with a capital, up to fewAuthors.
func (w *usage) people() int {
	if n := slices.Index(w.authors[:], 0); n >= 0 {
		return n
	}
	return fewAuthors
}

// share is a count's part of the occurrences with a capital, drawn towards none
// where they are few.
func (w *usage) share(count int32) float64 { return float64(count) / float64(w.capital+1) }

// Gazetteer is what the judge asks of the lists.
type Gazetteer interface {
	Find(key string) lists.Entry
	Longest(want lists.Kind, word func(i int) (key string, ok bool)) (int, lists.Entry)
}

// find tells what the lists know of a token's word.
func (u *usages) find(t *detect.Token) lists.Entry {
	if u.listed != nil {
		return u.listed.Entry(t)
	}
	return u.known.Find(t.Folded)
}

// isListed reports whether a word or several are in one of some lists.
func (u *usages) isListed(key string, kinds lists.Kind) bool {
	return u.known != nil && u.known.Find(key).Is(kinds)
}

// fame is what a token of a text lies in: the name, written out, of what.
type fame uint8

const (
	somebodyFamous fame = 1 << iota // somebody known to the public
	somethingFamous
)

// famousReader says of every token of a text in whose name it lies. It may be used
// again.
type famousReader struct {
	famous []fame
	ends   []int // tokens of the words that were asked for
}

// read gives the answers; they are valid until the next text.
func (r *famousReader) read(doc *detect.Document, u *usages) []fame {
	r.famous = slices.Grow(r.famous[:0], len(doc.Tokens))[:len(doc.Tokens)]
	clear(r.famous)
	if u.known == nil {
		return r.famous
	}
	for i := 0; i < len(doc.Tokens); i++ {
		t := &doc.Tokens[i]
		if !t.Has(detect.Word|detect.Capital) || u.listed != nil && !u.listed.Entry(t).Begins() {
			continue
		}
		r.ends = r.ends[:0]
		n, entry := u.known.Longest(lists.Public|lists.Thing, func(k int) (string, bool) { return r.word(doc, i, k) })
		if n < 2 {
			continue
		}
		var of fame
		if entry.Is(lists.Public) {
			of |= somebodyFamous
		}
		if entry.Is(lists.Thing) {
			of |= somethingFamous
		}
		for at := i; at <= r.ends[n-1]; at++ {
			r.famous[at] = of
		}
		i = r.ends[n-1]
	}
	return r.famous
}

// word gives the k-th word from token i on, as long as a name may go on.
func (r *famousReader) word(doc *detect.Document, i, k int) (string, bool) {
	if k < len(r.ends) {
		return doc.Tokens[r.ends[k]].Folded, true
	}
	at := i
	if k > 0 {
		at = doc.Next(r.ends[k-1])
		for at >= 0 && nameJoint(&doc.Tokens[at]) && !doc.Tokens[at].Any(detect.LineStart) {
			at = doc.Next(at)
		}
	}
	if at < 0 || !doc.Tokens[at].Any(detect.Word) || k > 0 && doc.Tokens[at].Any(detect.LineStart) {
		return "", false
	}
	r.ends = append(r.ends, at)
	return doc.Tokens[at].Folded, true
}

// nameJoint reports whether a mark may stand between two words of a name.
func nameJoint(t *detect.Token) bool {
	return t.Text == "-" || t.Text == "." || t.Folded == "'"
}
