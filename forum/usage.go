package forum

import (
	"hash/fnv"
	"slices"
	"strings"

	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
)

// usages is how the people of a corpus use its words: what one mention does not
// tell, the others may. Only words that are written with a capital somewhere are
// kept, some 100 bytes each. It is filled from one goroutine while the corpus is
// read for its lexicon; then it only answers.
type usages struct {
	known  Gazetteer      // may be nil
	listed *detect.Listed // the same, where it is the general lists: what a word's form remembers
	words  map[string]*usage
	public publicReader
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
	public  int32 // in the name of somebody known to the public
	authors [fewAuthors]uint32
}

// fewAuthors is how many of a word's authors are told apart.
const fewAuthors = 4

func newUsages(known Gazetteer) *usages {
	u := &usages{known: known, words: make(map[string]*usage)}
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

// learn reads a text.
func (u *usages) learn(doc *detect.Document) {
	digest := fnv.New32a()
	digest.Write([]byte(doc.Post.Author))
	author := digest.Sum32() | 1
	public := u.public.read(doc, u)
	for i := range doc.Tokens {
		t := &doc.Tokens[i]
		if !t.Has(detect.Word|detect.Capital) || t.Any(detect.InCode|detect.InURL|detect.InMarkup|detect.InContentID) {
			continue
		}
		w, ok := u.words[t.Folded]
		if !ok {
			w = new(usage)
			u.words[strings.Clone(t.Folded)] = w
		}
		w.capital++
		w.note(author)
		for _, n := range [...]struct {
			count *int32
			yes   bool
		}{{&w.middle, !t.Any(detect.SentenceStart)}, {&w.called, called(doc, i)}, {&w.signed, signed(doc, i, i+1)},
			{&w.article, article(doc, i)}, {&w.located, located(doc, i)}, {&w.public, public[i]}} {
			if n.yes {
				*n.count++
			}
		}
	}
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

// publicReader says of every token of a text whether it lies in the name of
// somebody known to the public, written out. It may be used again.
type publicReader struct {
	public []bool
	ends   []int // tokens of the words that were asked for
}

// read gives the answers; they are valid until the next text.
func (r *publicReader) read(doc *detect.Document, u *usages) []bool {
	r.public = slices.Grow(r.public[:0], len(doc.Tokens))[:len(doc.Tokens)]
	clear(r.public)
	if u.known == nil {
		return r.public
	}
	for i := 0; i < len(doc.Tokens); i++ {
		t := &doc.Tokens[i]
		if !t.Has(detect.Word|detect.Capital) || u.listed != nil && !u.listed.Entry(t).Begins() {
			continue
		}
		r.ends = r.ends[:0]
		n, _ := u.known.Longest(lists.Public, func(k int) (string, bool) { return r.word(doc, i, k) })
		if n < 2 {
			continue
		}
		for at := i; at <= r.ends[n-1]; at++ {
			r.public[at] = true
		}
		i = r.ends[n-1]
	}
	return r.public
}

// word gives the k-th word from token i on, as long as a name may go on.
func (r *publicReader) word(doc *detect.Document, i, k int) (string, bool) {
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
