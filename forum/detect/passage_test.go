package detect

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"anonymooc/forum/lists"
)

// randomPassage is a network of random weights, with vectors for the words given.
func randomPassage(words, endings []string) [][]float32 {
	random := rand.New(rand.NewPCG(1, 2))
	var matrices [][]float32
	for kind := range passageKinds {
		rows := PassageRows(kind)
		switch kind {
		case PassageWords:
			rows = len(words)
		case PassageEndings:
			rows = len(endings)
		}
		matrix := make([]float32, rows*PassageRow(kind))
		for i := range matrix {
			matrix[i] = float32(random.NormFloat64()) / 10
		}
		matrices = append(matrices, matrix)
	}
	return matrices
}

// TestPassageIsReadAsItIsLearnt: the opinion is that of the network, computed
// step by step.
func TestPassageIsReadAsItIsLearnt(t *testing.T) {
	known := openLists(t)
	entry := func(t *Token) lists.Entry { return known.Find(t.Folded) }
	words, endings := []string{"", "bonjour", "peintre", someName}, []string{"", "our", "tre"}
	matrices := randomPassage(words, endings)
	var file bytes.Buffer
	if err := WritePassage(&file, words, endings, matrices); err != nil {
		t.Fatal(err)
	}
	p, err := ReadPassage(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for kind := range matrices {
		for i, w := range p.matrices[kind] {
			if math.Abs(float64(w-matrices[kind][i])) > 0.005 {
				t.Fatalf("%s %d: %f was written, %f read", passageNames[kind], i, matrices[kind][i], w)
			}
		}
	}
	doc := written("fr", "Bonjour Zorbu Kerbadec, le peintre est de Lyon. "+strings.Repeat("Et puis ", 20)+"voilà.")
	roles := []PassageRole{0, 1 | 1<<15}
	reader := p.Read(doc, entry, roles)
	defer reader.Close()
	var text PassageText
	text.Read(doc, entry, roles)
	for _, span := range [][2]int{{1, 3}, {5, 6}, {0, 1}, {len(doc.Tokens) - 1, len(doc.Tokens)}} {
		got := reader.Opinion(span[0], span[1])
		for i, want := range plainOpinion(p, &text, words, endings, span[0], span[1]) {
			if math.Abs(float64(got[i])-want) > 1e-4 {
				t.Errorf("%v: %f, want %f", span, got[i], want)
			}
		}
	}
	bad := file.String()
	for name, file := range map[string]string{"empty": "", "no tab": "word\n", "short": strings.Join(strings.Split(bad, "\n")[:40], "\n"),
		"a short row": strings.Replace(bad, "AAA", "", 1) + "word\t\t1\tAA\n", "an unknown kind": "ward\t\t1\tAAAA\n", "no scale": strings.Replace(bad, "\t0.", "\tx.", 1),
		"no number": strings.Replace(bad, "\t0.", "\tNaN\t0.", 1), "NaN": "word\t\tNaN\t" + strings.Repeat("A", 54) + "\n" + bad, "endless": "word\t\tInf\t" + strings.Repeat("A", 54) + "\n" + bad} {
		if _, err := ReadPassage(strings.NewReader(file)); err != ErrPassage {
			t.Errorf("%s: %v", name, err)
		}
	}
	if said := (*Passage)(nil).Read(doc, entry, nil).Opinion(0, 1); said != (Opinion{}) {
		t.Errorf("without a network: %v", said)
	}
}

// plainOpinion computes what a network says, in the plainest way.
func plainOpinion(p *Passage, text *PassageText, words, endings []string, from, to int) []float64 {
	hidden := make([]float64, HiddenSize)
	for k := range hidden {
		hidden[k] = float64(p.matrices[PassageLanguages][text.Language*HiddenSize+k])
	}
	for place := range PassageWindow {
		at := PassagePosition(place, from, to)
		if at < 0 || at >= len(text.Tokens) {
			continue
		}
		token := &text.Tokens[at]
		word, ending := max(slices.Index(words, token.Word), 0), max(slices.Index(endings, token.Ending()), 0)
		vector := slices.Concat(p.matrices[PassageWords][word*WordSize:][:WordSize], p.matrices[PassageEndings][ending*EndingSize:][:EndingSize])
		facts := make([]float32, FactSize)
		token.EachFact(func(fact int, times float32) {
			for i := range facts {
				facts[i] += times * p.matrices[PassageFacts][fact*FactSize+i]
			}
		})
		for _, f := range facts {
			vector = append(vector, max(f, 0))
		}
		for k := range hidden {
			for i, x := range vector {
				hidden[k] += float64(x) * float64(p.matrices[PassagePositions][(place*HiddenSize+k)*TokenSize+i])
			}
		}
	}
	said := make([]float64, len(Opinion{}))
	for i := range said {
		weights := p.matrices[PassageAnswers][i*(HiddenSize+1):]
		said[i] = float64(weights[HiddenSize])
		for k, h := range hidden {
			said[i] += max(h, 0) * float64(weights[k])
		}
	}
	return said
}

// TestPassageIsToldNoName: of what may be a name, facts are told and no word.
func TestPassageIsToldNoName(t *testing.T) {
	known := openLists(t)
	doc := written("fr", "Rose a 3 roses. Merci Rose, bonjour zorbulin. Zorbulin part.")
	var text PassageText
	text.Read(doc, func(t *Token) lists.Entry { return known.Find(t.Folded) }, nil)
	var got []string
	for i := range text.Tokens {
		got = append(got, text.Tokens[i].Word)
	}
	want := []string{someOpening, "a", someNumber, "roses", ".", "merci", someName, ",", "bonjour", someUnknown, ".", someOpening, "part", "."}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for place, want := range map[int]int{0: 10 - PassageReach, PassageReach - 1: 9, PassageReach: 10, PassageReach + 1: 11, PassageReach + 2: 12, PassageReach + 3: 13, PassageWindow - 1: 12 + PassageReach} {
		if got := PassagePosition(place, 10, 13); got != want {
			t.Errorf("place %d is token %d, want %d", place, got, want)
		}
	}
	if got := PassagePosition(PassageReach+1, 10, 11); got != 10 {
		t.Errorf("the second token of one is %d", got)
	}
}

// TestPassageHoldsNoName: vectors are of words that dictionaries have, and of no name
// in wide use; endings are too short to name anybody.
func TestPassageHoldsNoName(t *testing.T) {
	known := openLists(t)
	words := 0
	for line := range strings.Lines(shippedPassage) {
		parts := strings.Split(line, "\t")
		name := parts[1]
		switch {
		case parts[0] == passageNames[PassageEndings]:
			if utf8.RuneCountInString(name) > endingLength {
				t.Errorf("%q is no ending", name)
			}
		case parts[0] == passageNames[PassageWords] && !strings.HasSuffix(name, ">") && strings.ContainsFunc(name, unicode.IsLetter):
			words++
			if e := known.Find(name); e.Is(lists.UsualName) || !e.Is(lists.AnyWord|lists.AnyStop|lists.Chat|lists.Title|lists.Institution) {
				t.Errorf("%q has a vector", name)
			}
		}
	}
	if words == 0 {
		t.Error("no word has a vector")
	}
}

func BenchmarkPassage(b *testing.B) {
	known, err := lists.Open()
	if err != nil {
		b.Fatal(err)
	}
	p, err := ShippedPassage()
	if err != nil {
		b.Fatal(err)
	}
	doc := written("fr", "Bonjour à tous, je suis d'accord avec Zorbu : le roman de Kerbadec parle de la ville, et Lina aussi l'a lu.")
	for b.Loop() {
		reader := p.Read(doc, func(t *Token) lists.Entry { return known.Find(t.Folded) }, nil)
		reader.Opinion(9, 10)
		reader.Close()
	}
}
