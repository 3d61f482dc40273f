package detect

import (
	"bufio"
	_ "embed" // the shipped weights
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"sync"
)

// Surroundings tell what the words around a form say of it: "my neighbour …"
// speaks of somebody whom few know, "the novel by …" of somebody whom all know,
// "the … effect" of a thing. It is a multinomial logistic regression on the words
// next to the form, within a few tokens and in the whole text, and on what those
// words are about (senses.txt); the weights are of general words of all languages,
// and no name is among them.
//
//	clue · tab · a weight in hundredths for each subject but the last, parted by tabs
//
// The clues are
//
//	<none>            always there
//	word              within five tokens
//	<word  >word      right before, right after
//	<<a b  >>a b      the two words before, after
//	<>a b             the word before and the one after
//	#word             anywhere in the text
//	~sense            of a word within twelve tokens
//	~<sense ~>sense   of the word right before, right after
//	~<<sense ~>>sense of a word within five tokens before, after
//	~[sense ~]sense   of the nearest word before, after that has a sense
//	~#sense           of a word anywhere in the text
type Surroundings struct {
	none    Subjects
	words   map[uint64]int32 // clues that name words: number of their weights
	weights []Subjects
	senses  [senseKinds][mostSenses]Subjects
	readers sync.Pool // *SurroundingsReader
}

// Subject is what the words around a form may speak of.
type Subject int

// The subjects.
const (
	OfSomebody Subject = iota // a person whom few know
	OfTheirs                  // a place, an institution, a number that tells who that is
	OfPublic                  // a person whom many know
	OfPlace                   // a place as such
	OfThing                   // a work, a brand, a theorem
	OfNothing                 // nothing that has a name
	subjects
)

// Subjects holds a number for every subject but the last, which is the measure of
// the others: logits, or their weights.
type Subjects [OfNothing]float32

func (s *Subjects) add(o *Subjects, times float32) {
	for i := range s {
		s[i] += float32(times * o[i]) // rounded, so that every processor adds alike
	}
}

// Shares gives the probability of each subject.
func (s *Subjects) Shares() [subjects]float64 {
	var shares [subjects]float64
	sum := 0.0
	most := float32(0)
	for _, logit := range s {
		most = max(most, logit)
	}
	for i := range shares {
		logit := float32(0)
		if i < len(s) {
			logit = s[i]
		}
		shares[i] = math.Exp(float64(logit - most))
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares
}

//go:embed surroundings.tsv
var shippedSurroundings string

// ShippedSurroundings reads the weights that the program carries.
func ShippedSurroundings() (*Surroundings, error) {
	return ReadSurroundings(strings.NewReader(shippedSurroundings))
}

// ErrSurroundings is returned for bytes that are no weights.
var ErrSurroundings = errors.New("detect: no weights of surroundings")

// hundredths is how fine the weights are.
const hundredths = 100

// ReadSurroundings reads weights.
func ReadSurroundings(from io.Reader) (*Surroundings, error) {
	s := &Surroundings{words: make(map[uint64]int32)}
	s.readers.New = func() any { return &SurroundingsReader{surroundings: s, met: make(map[string]bool)} }
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		clue, numbers, ok := strings.Cut(lines.Text(), "\t")
		var w Subjects
		for i := range w {
			number, rest, more := strings.Cut(numbers, "\t")
			n, err := strconv.Atoi(number)
			if !ok || err != nil || more != (i < len(w)-1) {
				return nil, ErrSurroundings
			}
			w[i], numbers = float32(n)/hundredths, rest
		}
		s.learn(clue, w)
	}
	return s, lines.Err()
}

// learn notes the weights of a clue.
func (s *Surroundings) learn(clue string, w Subjects) {
	if clue == ClueNone {
		s.none = w
		return
	}
	if known, ok := senses().clues[clue]; ok {
		s.senses[known.kind][known.sense] = w
		return
	}
	s.words[hashOf(clue)] = int32(len(s.weights))
	s.weights = append(s.weights, w)
}

// WriteSurroundings writes the weights of clues.
func WriteSurroundings(to io.Writer, clues []string, weights []Subjects) error {
	buffered := bufio.NewWriter(to)
	for i, clue := range clues {
		fmt.Fprint(buffered, clue)
		for _, w := range weights[i] {
			fmt.Fprintf(buffered, "\t%.0f", w*hundredths)
		}
		fmt.Fprintln(buffered)
	}
	return buffered.Flush()
}

func hashOf(parts ...string) uint64 {
	h := uint64(hashStart)
	for _, part := range parts {
		for i := range len(part) {
			h = hashByte(h, part[i])
		}
	}
	return h
}

// The words that stand for others.
const (
	someName   = "<name>"
	someNumber = "<number>"
	someEdge   = "<edge>"
)

// ClueNone is the clue that is always there.
const ClueNone = "<none>"

// generalWord is a token without what it names.
func generalWord(t *Token) string {
	switch {
	case t.Any(Number):
		return someNumber
	case t.Has(Word|Capital) && !t.Any(SentenceStart):
		return someName
	}
	return t.Folded
}

// How a word that has a sense stands to the form.
const (
	senseNear = iota
	senseBefore
	senseAfter
	senseShortlyBefore
	senseShortlyAfter
	senseLastBefore
	senseFirstAfter
	senseInText
	senseKinds
)

var senseMarks = [senseKinds]string{"~", "~<", "~>", "~<<", "~>>", "~[", "~]", "~#"}

// How far is looked, in tokens, and what a word anywhere in the text counts beside
// one that is near. In longer texts than usual it counts less, so that the text as a
// whole never outweighs what stands beside the form.
const (
	wordReach   = 5
	senseReach  = 12
	inText      = 0.3
	usualLength = 80
)

// SurroundingsReader reads the surroundings of forms in one text.
type SurroundingsReader struct {
	surroundings *Surroundings // nil: it only tells clues
	doc          *Document
	senses       []senseSet // by token
	met          map[string]bool
	text         Subjects // what the text as a whole says
	scale        float32  // of what the text says
}

// Read looks up the words of a document. The reader must be closed, and not be
// used once the document has changed.
func (s *Surroundings) Read(doc *Document) *SurroundingsReader {
	if s == nil {
		return nil
	}
	r := s.readers.Get().(*SurroundingsReader)
	r.open(doc)
	r.text = s.none
	r.eachOfText(func(mark, word string) {
		if w, ok := s.words[hashOf(mark, word)]; ok {
			r.text.add(&s.weights[w], r.scale)
		}
	}, func(number sense) {
		r.text.add(&s.senses[senseInText][number], r.scale)
	})
	return r
}

// Close gives the memory back.
func (r *SurroundingsReader) Close() {
	if r == nil {
		return
	}
	r.doc = nil // a text is not kept
	clear(r.met)
	if len(r.senses) <= usualTokens {
		r.surroundings.readers.Put(r)
	}
}

// open looks up the senses of a document's words.
func (r *SurroundingsReader) open(doc *Document) {
	r.doc = doc
	r.scale = inText * min(1, usualLength/float32(max(len(doc.Tokens), 1)))
	book := senses()
	language := book.number(doc.Lang)
	r.senses = r.senses[:0]
	for i := range doc.Tokens {
		t := &doc.Tokens[i]
		var set senseSet
		if t.Any(Word) && !t.Any(InMarkup|InCode|InContentID) && (!t.Any(Capital) || t.Any(SentenceStart)) {
			set = book.words[wordOf(language, t.Folded)]
		}
		r.senses = append(r.senses, set)
	}
}

// Subjects gives the logits of what the words around tokens from … to speak of.
func (r *SurroundingsReader) Subjects(from, to int) Subjects {
	if r == nil {
		return Subjects{}
	}
	s := r.surroundings
	sum := r.text
	r.eachAround(from, to, func(mark, first, space, second string) {
		if w, ok := s.words[hashOf(mark, first, space, second)]; ok {
			sum.add(&s.weights[w], 1)
		}
	}, func(kind int, number sense) {
		sum.add(&s.senses[kind][number], 1)
	})
	return sum
}

// Clue is something that surroundings say, as the weights name it, and how much
// of it.
type Clue struct {
	Name  string
	Times float64
}

// Clues gives what stands around tokens from … to, for training.
func Clues(doc *Document, from, to int) []Clue {
	r := SurroundingsReader{met: make(map[string]bool)}
	r.open(doc)
	names := senses().names
	clues := []Clue{{ClueNone, 1}}
	add := func(name string, times float64) { clues = append(clues, Clue{name, times}) }
	r.eachOfText(func(mark, word string) { add(mark+word, float64(r.scale)) },
		func(number sense) { add(senseMarks[senseInText]+names[number], float64(r.scale)) })
	r.eachAround(from, to, func(mark, first, space, second string) { add(mark+first+space+second, 1) },
		func(kind int, number sense) { add(senseMarks[kind]+names[number], 1) })
	return clues
}

// eachOfText calls visit with the words of the text, each once, and about with the
// senses of all of them.
func (r *SurroundingsReader) eachOfText(visit func(mark, word string), about func(number sense)) {
	for i := range r.doc.Tokens {
		t := &r.doc.Tokens[i]
		if t.Any(InMarkup | InCode | InContentID) {
			continue
		}
		if word := generalWord(t); !r.met[word] {
			r.met[word] = true
			visit("#", word)
		}
		r.senses[i].each(about)
	}
}

func (s senseSet) each(visit func(number sense)) {
	for ; s != 0; s &= s - 1 {
		visit(sense(bits.TrailingZeros64(uint64(s))))
	}
}

// usualTokens is how long a text may be whose reader is used again.
const usualTokens = 1 << 13

// side is how the clues of one side of a form are marked.
type side struct {
	next, both            string
	sense, shortly, first int
}

var sides = [2]side{
	{"<", "<<", senseBefore, senseShortlyBefore, senseLastBefore},
	{">", ">>", senseAfter, senseShortlyAfter, senseFirstAfter},
}

// eachAround calls visit with the words around tokens from … to, and about with
// what they are about.
func (r *SurroundingsReader) eachAround(from, to int, visit func(mark, first, space, second string), about func(kind int, number sense)) {
	var beside [2]string
	for n, at := range [2]int{from, to - 1} {
		s := &sides[n]
		var words [2]string
		open := true // no word with a sense was met yet
		for distance := range senseReach {
			if n == 0 {
				at = r.doc.Previous(at)
			} else {
				at = r.doc.Next(at)
			}
			word := someEdge
			if at >= 0 {
				word = generalWord(&r.doc.Tokens[at])
				if distance < wordReach {
					visit("", word, "", "")
				}
			}
			if distance < len(words) {
				words[distance] = word
			}
			if at < 0 {
				if distance == 0 {
					words[1] = someEdge
				}
				break
			}
			set := r.senses[at]
			if set == 0 {
				continue
			}
			set.each(func(number sense) {
				about(senseNear, number)
				if distance == 0 {
					about(s.sense, number)
				}
				if distance < wordReach {
					about(s.shortly, number)
				}
				if open {
					about(s.first, number)
				}
			})
			open = false
		}
		visit(s.next, words[0], "", "")
		visit(s.both, words[0], " ", words[1])
		beside[n] = words[0]
	}
	visit("<>", beside[0], " ", beside[1])
}
