package training

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
)

// passaged makes an example of the word "Zorbu" in a text.
func passaged(text string, subject detect.Subject, corpusNumber int) (Passaged, *detect.Document) {
	doc := detect.NewDocument(corpus.Post{Lang: "en"}, "body", []byte(text))
	told := new(detect.PassageText)
	told.Read(doc, wordEntry, nil)
	at := slices.IndexFunc(doc.Tokens, func(t detect.Token) bool { return t.Folded == "zorbu" })
	return Passaged{Text: told, From: at, To: at + 1, Subject: subject, Masked: subject == detect.OfSomebody, Corpus: corpusNumber}, doc
}

// wordEntry knows every word but Zorbu.
func wordEntry(t *detect.Token) lists.Entry {
	if t.Folded == "zorbu" {
		return lists.Entry{}
	}
	return lists.Entry{Kinds: lists.AnyWord}
}

// ordered are texts of the same words, in which only their order tells what Zorbu is.
func ordered() []Passaged {
	var examples []Passaged
	for n := range 240 {
		filling := strings.Repeat("and so ", n%3)
		somebody, _ := passaged(filling+"yes Zorbu asked the novel by them", detect.OfSomebody, n%2)
		public, _ := passaged(filling+"yes they asked the novel by Zorbu", detect.OfPublic, n%2)
		examples = append(examples, somebody, public)
	}
	return examples
}

// TestPassagesTellByOrder: what is learnt is what words say in their order; the file
// says the same as the network, and the same examples give the same one.
func TestPassagesTellByOrder(t *testing.T) {
	general := func(word string) bool { return word != "them" }
	examples := ordered()
	network := Passages(examples, general, 1)
	for word, want := range map[string]bool{"asked": true, "novel": true, "them": false, "zorbu": false, "": true} {
		if got := slices.Contains(network.Words, word); got != want {
			t.Errorf("%q has a vector: %v", word, got)
		}
	}
	var file bytes.Buffer
	if err := detect.WritePassage(&file, network.Words, network.Endings, network.Matrices); err != nil {
		t.Fatal(err)
	}
	passage, err := detect.ReadPassage(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]detect.Subject{
		"so yes Zorbu asked the novel by them": detect.OfSomebody,
		"so yes they asked the novel by Zorbu": detect.OfPublic,
	} {
		e, doc := passaged(text, want, 0)
		reader := passage.Read(doc, wordEntry, nil)
		said := reader.Opinion(e.From, e.To)
		reader.Close()
		best := 0
		for i := range detect.OpinionMasked {
			if said[i] > said[best] {
				best = i
			}
		}
		if detect.Subject(best) != want || (said[detect.OpinionMasked] > 0) != e.Masked {
			t.Errorf("%s: %v", text, said)
		}
	}
	if again := Passages(examples, general, 1); !reflect.DeepEqual(again, network) {
		t.Error("the same examples give another network")
	}
	if len(Passages(examples[:2], general, 1).Words) != 1 {
		t.Error("words that are hardly met have vectors")
	}
}

// TestPassageSlopes: back-propagation gives what the loss changes by when a weight does.
func TestPassageSlopes(t *testing.T) {
	examples := ordered()
	l := newPassageLearner(examples, func(string) bool { return true }, 3)
	loss := func() float64 {
		s := new(passageShard)
		for n := range s.slopes {
			s.slopes[n] = make([]float32, len(l.Matrices[n]))
		}
		return s.learn(l, &examples[0], rand.New(rand.NewPCG(5, 5)), 1)
	}
	s := &l.shards[0]
	s.learn(l, &examples[0], rand.New(rand.NewPCG(5, 5)), 1)
	for n, slopes := range s.slopes {
		checked := 0
		for i, slope := range slopes {
			if math.Abs(float64(slope)) < 0.01 || checked == 20 {
				continue
			}
			checked++
			const little = 2e-3
			was := l.Matrices[n][i]
			l.Matrices[n][i] = was + little
			up := loss()
			l.Matrices[n][i] = was - little
			down := loss()
			l.Matrices[n][i] = was
			if got := (up - down) / (2 * little); math.Abs(got-float64(slope)) > 0.02+0.1*math.Abs(got) {
				t.Errorf("matrix %d, weight %d: slope %.4f, the loss changes by %.4f", n, i, slope, got)
			}
		}
		if checked == 0 {
			t.Errorf("matrix %d has no slope", n)
		}
	}
}
