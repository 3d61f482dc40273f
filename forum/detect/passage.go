package detect

import (
	"bufio"
	_ "embed" // the shipped weights
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"anonymooc/forum/lists"
)

// Passage reads the words around a form in their order: a neural network with one
// hidden layer over a window of words (Collobert et al. 2011, section 3.2). Where
// Surroundings add up what each word says, it learns what words say together
// ("Rosa asks", "a rosa"). What it knows of a word is a vector, learnt from
// annotated posts, for general words and their endings; of all words, those that
// may be names too, it is told facts: how they are written, in which lists they
// are, what they are about. No name has a vector of its own.
//
//	word, ending, facts ─► vector of each word ┐
//	          place in the window ─────────────┴─► hidden layer ─► Opinion
type Passage struct {
	words, endings map[uint64]int32 // rows of wordRows and endingRows
	matrices       [passageKinds][]float32
	readers        sync.Pool // *PassageReader
}

// Opinion is what a passage says of a form: the logits of what it is, by Subject, and of
// whether it must be masked.
type Opinion [int(subjects) + 1]float32

// OpinionMasked is where an Opinion says whether the form must be masked.
const OpinionMasked = int(subjects)

// How far a passage reaches on both sides of a form, in tokens, and the sizes of its
// vectors and of the hidden layer.
const (
	PassageReach  = 12
	PassageWindow = 2*PassageReach + 3 // the first token of the form, the second, and the last
	WordSize      = 40
	EndingSize    = 8
	FactSize      = 32
	TokenSize     = WordSize + EndingSize + FactSize
	HiddenSize    = 96
)

// PassageKind is a matrix of the network.
type PassageKind int

// The matrices. Each holds rows of one size.
const (
	PassageWords     PassageKind = iota // a row a word; the first is that of words without one
	PassageEndings                      // a row an ending; the first is that of none
	PassageFacts                        // a row a fact, then one that is always added
	PassagePositions                    // for each token of the window, a row a hidden unit
	PassageLanguages                    // a row a language, then one for unknown ones: what hidden units begin with
	PassageAnswers                      // a row an answer: a weight a hidden unit, and what is always added
	passageKinds
)

var passageNames = [passageKinds]string{"word", "ending", "fact", "position", "language", "answer"}

// PassageRow is how long the rows of a matrix are.
func PassageRow(kind PassageKind) int {
	return [passageKinds]int{WordSize, EndingSize, FactSize, TokenSize, HiddenSize, HiddenSize + 1}[kind]
}

// PassageRows is how many rows a matrix has; 0 where the words that were learnt say.
func PassageRows(kind PassageKind) int {
	return [passageKinds]int{0, 0, passageFacts + 1, PassageWindow * HiddenSize, languageCount + 1, len(Opinion{})}[kind]
}

// The facts of a token, in the order of their rows.
const (
	factFlags      = 0  // Flags
	factLists      = 16 // the first lists of package lists
	factWord       = 30 // of any language
	factStop       = 31
	factOwnWord    = 32 // of the text's language
	factRareName   = 33
	factPublic     = 34
	factPublicPart = 35
	factThing      = 36
	factFrequent   = 37
	factRoles      = 38 // what the caller knows of the token
	passageRoles   = 16
	factSenses     = factRoles + passageRoles
	factPeople     = factSenses + mostSenses // how many live in a place of that name
	passageFacts   = factPeople + 1
)

// peopleScale makes one of the logarithm of the largest towns.
const peopleScale = 1.0 / 20

// PassageRole is what the caller of a passage knows of a token, as bits below 1 << 16.
type PassageRole uint16

// PassageToken is what a passage is told of a token.
type PassageToken struct {
	Word   string // general, or what stands for others
	facts  uint64 // below factSenses
	senses senseSet
	people float32
}

// Ending is the last letters of a word.
func (t *PassageToken) Ending() string {
	at := len(t.Word)
	for range endingLength {
		_, size := utf8.DecodeLastRuneInString(t.Word[:at])
		at -= size
	}
	return t.Word[at:]
}

const endingLength = 3

// EachFact calls visit with the facts of a token and how much of each it has.
func (t *PassageToken) EachFact(visit func(fact int, times float32)) {
	for set := t.facts; set != 0; set &= set - 1 {
		visit(bits.TrailingZeros64(set), 1)
	}
	for set := t.senses; set != 0; set &= set - 1 {
		visit(factSenses+bits.TrailingZeros64(uint64(set)), 1)
	}
	if t.people != 0 {
		visit(factPeople, t.people)
	}
	visit(passageFacts, 1)
}

// PassageText is a text as a passage is told of it.
type PassageText struct {
	Tokens   []PassageToken
	Language int // row of PassageLanguages
}

// placeholders for words that begin a sentence and may be names, and for words that
// are in no dictionary.
const (
	someOpening = "<Name>"
	someUnknown = "<unknown>"
)

// General reports whether something may be learnt of a word by itself: dictionaries have
// it, and it is no name in wide use.
func General(e lists.Entry) bool {
	return e.Is(lists.AnyWord|lists.AnyStop|lists.Chat|lists.Title|lists.Institution) && !e.Is(lists.UsualName)
}

// Read takes in what a passage is told of a text. Entry says what lists know of a
// token, roles what the caller does; roles may be shorter than the text.
func (p *PassageText) Read(doc *Document, entry func(*Token) lists.Entry, roles []PassageRole) {
	book := senses()
	p.Language = book.number(doc.Lang)
	p.Tokens = p.Tokens[:0]
	own := lists.WordOf(doc.Lang)
	for i := range doc.Tokens {
		t := &doc.Tokens[i]
		e := entry(t)
		facts := uint64(t.Flags)&(1<<factLists-1) | uint64(e.Kinds)&(1<<(factWord-factLists)-1)<<factLists
		for _, kind := range [...]struct {
			fact int
			kind lists.Kind
		}{{factWord, lists.AnyWord}, {factStop, lists.AnyStop}, {factOwnWord, own}, {factRareName, lists.RareSurname},
			{factPublic, lists.Public}, {factPublicPart, lists.PublicPart}, {factThing, lists.Thing}} {
			if e.Is(kind.kind) {
				facts |= 1 << kind.fact
			}
		}
		if e.Frequent(doc.Lang) {
			facts |= 1 << factFrequent
		}
		if i < len(roles) {
			facts |= uint64(roles[i]) << factRoles
		}
		p.Tokens = append(p.Tokens, PassageToken{
			Word: vectorWord(t, e), facts: facts, senses: book.of(doc.Lang, t.Folded),
			people: float32(math.Log2(1+float64(e.Population)) * peopleScale),
		})
	}
}

// vectorWord is a token without what it names.
func vectorWord(t *Token, e lists.Entry) string {
	switch {
	case t.Any(Number):
		return someNumber
	case t.Has(Word|Capital) && !t.Any(SentenceStart):
		return someName
	case t.Any(Punct), General(e):
		return t.Folded
	case t.Any(Capital):
		return someOpening
	}
	return someUnknown
}

// PassagePosition gives the token that stands at a place of the window around tokens
// from … to; it may lie outside the text.
func PassagePosition(place, from, to int) int {
	switch place - PassageReach {
	case 0:
		return from
	case 1:
		return min(from+1, to-1)
	case 2:
		return to - 1
	}
	if place < PassageReach {
		return from - PassageReach + place
	}
	return to + place - PassageReach - 3
}

//go:embed passage.tsv
var shippedPassage string

// ShippedPassage reads the network that the program carries.
func ShippedPassage() (*Passage, error) { return ReadPassage(strings.NewReader(shippedPassage)) }

// ErrPassage is returned for bytes that are no network.
var ErrPassage = errors.New("detect: no network for passages")

// ReadPassage reads a network: a line a row,
//
//	kind · tab · word or ending · tab · scale · tab · weights as signed bytes, in base 64
func ReadPassage(from io.Reader) (*Passage, error) {
	p := &Passage{words: make(map[uint64]int32), endings: make(map[uint64]int32)}
	p.readers.New = func() any { return &PassageReader{passage: p, products: make([]product, productRoom)} }
	var rows [passageKinds]int
	lines := bufio.NewScanner(from)
	kind := PassageKind(0)
	var packed []byte
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "\t")
		if len(parts) != 4 {
			return nil, ErrPassage
		}
		for kind < passageKinds && passageNames[kind] != parts[0] {
			kind++
		}
		if kind == passageKinds {
			return nil, ErrPassage
		}
		scale, err := strconv.ParseFloat(parts[2], 32)
		if err != nil || !(scale >= 0) || math.IsInf(scale, 0) {
			return nil, ErrPassage
		}
		if packed, err = base64.RawStdEncoding.AppendDecode(packed[:0], []byte(parts[3])); err != nil || len(packed) != PassageRow(kind) {
			return nil, ErrPassage
		}
		for _, b := range packed {
			p.matrices[kind] = append(p.matrices[kind], float32(float32(int8(b))*float32(scale)))
		}
		switch kind {
		case PassageWords:
			p.words[hashOf(parts[1])] = int32(rows[kind])
		case PassageEndings:
			p.endings[hashOf(parts[1])] = int32(rows[kind])
		}
		rows[kind]++
	}
	for kind, n := range rows {
		if want := PassageRows(PassageKind(kind)); want != 0 && n != want || n == 0 {
			return nil, ErrPassage
		}
	}
	return p, lines.Err()
}

// WritePassage writes a network: its matrices, and what the rows of words and endings
// stand for.
func WritePassage(to io.Writer, words, endings []string, matrices [][]float32) error {
	buffered := bufio.NewWriter(to)
	for kind := range passageKinds {
		size := PassageRow(kind)
		packed := make([]byte, size)
		for n := 0; n*size < len(matrices[kind]); n++ {
			row := matrices[kind][n*size:][:size]
			most := float32(0)
			for _, w := range row {
				most = max(most, max(w, -w))
			}
			scale := most / math.MaxInt8
			for i, w := range row {
				packed[i] = 0
				if scale > 0 {
					packed[i] = byte(int8(math.Round(float64(w / scale))))
				}
			}
			name := ""
			switch kind {
			case PassageWords:
				name = words[n]
			case PassageEndings:
				name = endings[n]
			}
			fmt.Fprintf(buffered, "%s\t%s\t%.6g\t%s\n", passageNames[kind], name, scale, base64.RawStdEncoding.EncodeToString(packed))
		}
	}
	return buffered.Flush()
}

// PassageReader reads the passages of one text.
type PassageReader struct {
	passage  *Passage
	text     PassageText
	numbers  []int32     // by token: number in read, from 1; 0 before it is read
	read     []readToken // the tokens that were read
	products []product   // of what was read in this text or in others before
}

// readToken is a token that was read.
type readToken struct {
	toldOf
	made   bool // vector is
	vector [TokenSize]float32
}

// toldOf is all that is told of a token.
type toldOf struct {
	word, ending int32 // rows
	facts        uint64
	senses       senseSet
	people       float32
}

// product is what a token brings to the hidden units at a place of the window. Most
// tokens of a text are the same few words: what was multiplied is kept, until another
// product needs the room. Products are told apart by all that they are made of, so that no
// opinion depends on what was read before.
type product struct {
	toldOf
	place int // from 1; 0 is none
	sums  [HiddenSize]float32
}

// productRoom is how many products a reader keeps, a power of two; 7 MB.
const productRoom = 1 << 14

// Read prepares a text; nil for no network. The reader must be closed, and not be used
// once the document has changed.
func (p *Passage) Read(doc *Document, entry func(*Token) lists.Entry, roles []PassageRole) *PassageReader {
	if p == nil {
		return nil
	}
	r := p.readers.Get().(*PassageReader)
	r.text.Read(doc, entry, roles)
	r.numbers = append(r.numbers[:0], make([]int32, len(doc.Tokens))...)
	r.read = r.read[:0]
	return r
}

// Close gives the memory back, all but that of long texts; it is called once.
func (r *PassageReader) Close() {
	if r == nil {
		return
	}
	clear(r.text.Tokens) // a text is not kept
	if len(r.numbers) > usualTokens {
		r.text.Tokens, r.numbers, r.read = nil, nil, nil
	}
	r.passage.readers.Put(r)
}

// Opinion is what stands around tokens from … to and they themselves say of them; nothing
// without a network. Products are rounded before they are added, so that every
// processor adds alike.
func (r *PassageReader) Opinion(from, to int) Opinion {
	var opinion Opinion
	if r == nil {
		return opinion
	}
	p := r.passage
	var hidden [HiddenSize]float32
	copy(hidden[:], p.matrices[PassageLanguages][r.text.Language*HiddenSize:])
	for place := range PassageWindow {
		if at := PassagePosition(place, from, to); at >= 0 && at < len(r.numbers) {
			for k, sum := range r.product(place, at) {
				hidden[k] += sum
			}
		}
	}
	for i := range opinion {
		weights := p.matrices[PassageAnswers][i*(HiddenSize+1):][:HiddenSize+1]
		opinion[i] = weights[HiddenSize]
		for k, h := range hidden {
			if h > 0 {
				opinion[i] += float32(weights[k] * h)
			}
		}
	}
	return opinion
}

// product gives what a token brings at a place.
func (r *PassageReader) product(place, at int) *[HiddenSize]float32 {
	if r.numbers[at] == 0 {
		r.look(at)
	}
	t := &r.read[r.numbers[at]-1]
	kept := &r.products[t.slot(place)]
	if kept.place != place+1 || kept.toldOf != t.toldOf {
		kept.place, kept.toldOf = place+1, t.toldOf
		multiply(&kept.sums, r.passage.matrices[PassagePositions][place*HiddenSize*TokenSize:], r.vector(at))
	}
	return &kept.sums
}

// look finds the rows of a token's word and ending: the first where there is none.
func (r *PassageReader) look(at int) {
	t := &r.text.Tokens[at]
	r.read = append(r.read, readToken{toldOf: toldOf{r.passage.words[hashOf(t.Word)], r.passage.endings[hashOf(t.Ending())], t.facts, t.senses, t.people}})
	r.numbers[at] = int32(len(r.read))
}

// slot is where a token's product at a place is kept.
func (t *toldOf) slot(place int) uint64 {
	digest := uint64(place)
	for _, number := range [...]uint64{uint64(t.word)<<32 | uint64(t.ending), t.facts, uint64(t.senses), uint64(math.Float32bits(t.people))} {
		high, low := bits.Mul64(digest^number^0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
		digest += high ^ low
	}
	return digest >> 32 % productRoom
}

// multiply makes the product of a matrix and a token's vector, four rows at a time.
func multiply(sums *[HiddenSize]float32, matrix []float32, vector *[TokenSize]float32) {
	for k := 0; k < HiddenSize; k += 4 {
		a := (*[TokenSize]float32)(matrix[k*TokenSize:])
		b := (*[TokenSize]float32)(matrix[(k+1)*TokenSize:])
		c := (*[TokenSize]float32)(matrix[(k+2)*TokenSize:])
		d := (*[TokenSize]float32)(matrix[(k+3)*TokenSize:])
		var s, t, u, v float32
		for i, x := range vector {
			s += float32(a[i] * x)
			t += float32(b[i] * x)
			u += float32(c[i] * x)
			v += float32(d[i] * x)
		}
		sums[k], sums[k+1], sums[k+2], sums[k+3] = s, t, u, v
	}
}

// vector makes the vector of a token, once.
func (r *PassageReader) vector(at int) *[TokenSize]float32 {
	t := &r.read[r.numbers[at]-1]
	v := &t.vector
	if t.made {
		return v
	}
	t.made = true
	p := r.passage
	copy(v[:WordSize], p.matrices[PassageWords][int(t.word)*WordSize:])
	copy(v[WordSize:][:EndingSize], p.matrices[PassageEndings][int(t.ending)*EndingSize:])
	facts := (*[FactSize]float32)(v[WordSize+EndingSize:])
	clear(facts[:])
	r.text.Tokens[at].EachFact(func(fact int, times float32) {
		row := (*[FactSize]float32)(p.matrices[PassageFacts][fact*FactSize:])
		for i, w := range row {
			facts[i] += float32(times * w)
		}
	})
	for i, f := range facts {
		facts[i] = max(f, 0)
	}
	return v
}
