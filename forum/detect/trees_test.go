package detect

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"anonymooc/forum/corpus"
	"anonymooc/forum/trees"
	"anonymooc/internal/fault"
)

func openModels(t testing.TB) *Models {
	t.Helper()
	m, err := ShippedModels()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestShippedForestTellsNamesFromWords: on sentences that are in no template.
func TestShippedForestTellsNamesFromWords(t *testing.T) {
	d := NewTrees(openLists(t), nil, openModels(t))
	score := func(lang, text, word string) float64 {
		doc := written(lang, text)
		at := strings.Index(text, word)
		for _, m := range d.Detect(doc, nil) {
			if m.Start == at && m.End == at+len(word) {
				return m.Score
			}
		}
		return 0
	}
	most := func(word string) float64 {
		if word == "Will" || word == "Bella" {
			return 0.7 // names in wide use too: where they open a sentence they are in doubt
		}
		return 0.5
	}
	for _, c := range []struct{ lang, text, name, word string }{
		{"fr", "Hier soir Namrata m'a montré sa maison rouge", "Namrata", "maison"},
		{"fr", "Bonjour Cédric, la Page trois est vide", "Cédric", "Page"},
		{"en", "yesterday my sister Kimberly wrote to us. Will that count?", "Kimberly", "Will"},
		{"es", "Mañana viene Guillermo. Rosas y tulipanes para todos", "Guillermo", "Rosas"},
		{"it", "Grazie Giuseppe! Bella la lezione di oggi", "Giuseppe", "Bella"},
		{"pt", "Obrigado Joaquim, o Brasil é grande", "Joaquim", "Brasil"},
	} {
		if name, word := score(c.lang, c.text, c.name), score(c.lang, c.text, c.word); name < 0.5 || word > most(c.word) || name < word+0.25 {
			t.Errorf("%q: %s %.2f, %s %.2f", c.text, c.name, name, c.word, word)
		}
	}
}

// TestFeaturesFitTheirNames: the forests are only as good as this.
func TestFeaturesFitTheirNames(t *testing.T) {
	d := NewTrees(openLists(t), NewLexicon(), nil)
	doc := written("fr", "Bonjour Cédric, merciiii ! J'ai 3 questions sur Paris et mdr la France.")
	message := d.Message(doc)
	if len(message) != len(MessageFeatures()) {
		t.Fatalf("%d features, %d names", len(message), len(MessageFeatures()))
	}
	for i, want := range map[string]float64{"capitals": 5, "numbers": 1, "elongations": 1, "countries": 1, "punctuation": 4} {
		for at, name := range MessageFeatures() {
			if name == i && message[at] != want {
				t.Errorf("%s: %v, want %v", name, message[at], want)
			}
		}
	}
	seen := 0
	d.Examples(doc, func(start, end int, features []float64) {
		seen++
		if len(features) != len(MentionFeatures()) {
			t.Fatalf("%d features, %d names", len(features), len(MentionFeatures()))
		}
		if string(doc.Raw[start:end]) != "Cédric" {
			return
		}
		for at, name := range MentionFeatures() {
			want, ok := map[string]float64{"usual name": 1, "capital": 1, "called": 1, "comma after": 1, "sentence start": 0, "last": 0, "label": float64(LabelMask)}[name]
			if ok && features[at] != want {
				t.Errorf("%s: %v, want %v", name, features[at], want)
			}
		}
	})
	if seen == 0 {
		t.Error("no word could be a name")
	}
}

// TestProjectModelsReplaceTheShippedOnes, and are refused when they do not fit.
func TestProjectModelsReplaceTheShippedOnes(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "models")
	shipped, err := OpenModels(folder)
	if err != nil || shipped.Mention.Len() == 0 {
		t.Fatalf("without own models: %v", err)
	}
	small, err := trees.Train(MentionFeatures(), []trees.Example{{Features: make([]float64, len(MentionFeatures())), Positive: true}}, trees.Settings{Trees: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := (&Models{Message: shipped.Message, Mention: small}).Save(folder); err != nil {
		t.Fatal(err)
	}
	if own, err := OpenModels(folder); err != nil || own.Mention.Len() != 1 {
		t.Errorf("own models: %v", err)
	}
	var swapped bytes.Buffer
	if err := shipped.Message.Write(&swapped); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, mentionFile), swapped.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenModels(folder); fault.CodeOf(err) != fault.Usage {
		t.Errorf("a message forest was taken for mentions: %v", err)
	}
}

// BenchmarkRoom reads a post with each detector of this room; the peer is
// cutting the text into tokens, which every detector needs first.
func BenchmarkRoom(b *testing.B) {
	l, models := openLists(b), openModels(b)
	text := strings.Repeat("Bonjour à tous, je suis d'accord avec Namrata : la vidéo de la semaine 3 est vraimant longue, mdr. "+
		"Est-ce que quelqu'un a compris pourquoi le résultat change quand on ajoute une variable ? Merci d'avance, Jean-Marc Lefebvre (Lyon). "+
		"Je n'arrive pas à ouvrir le fichier que le professeur a mis en ligne hier soir, il faut peut-être changer de navigateur.\n", 4)
	officer := openOfficer(b)
	const rounds = 200
	cutting, start := new(Document), time.Now()
	for range rounds {
		cutting.Reset(corpus.Post{Lang: "fr"}, "body", []byte(text))
	}
	cut := float64(time.Since(start).Nanoseconds()) / rounds
	for _, d := range []Detector{NewNome(officer, l), NewSeekHide(l, NewLexicon(), models, ExpertTable), NewTrees(l, NewLexicon(), models)} {
		b.Run(d.Name(), func(b *testing.B) {
			doc := NewDocument(corpus.Post{Lang: "fr"}, "body", []byte(text))
			var marks []Mark
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for range b.N {
				marks = d.Detect(doc, marks[:0])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/cut, "×cutting")
		})
	}
}

// FuzzMarksLieInTheText: whatever the text, the detectors of this room mark
// whole characters of it, and never code.
func FuzzMarksLieInTheText(f *testing.F) {
	for _, seed := range []string{
		"Bonjour Mme Dupont, jtaimezoé et nicoooolas", "<p>Jean-Marc&nbsp;L&eacute;vy</p> `Pierre` né le 3", "M. A.G. Yu d'Éloïse",
		"Привет Наташа 你好 王芳", "JEAN PELLETIER\n\n@zoé #marie mercicedric", "\xff\xfePierre\x00Paul", "D'D'D'-A.-B. Dr. Dr. Dr",
	} {
		f.Add(seed, "fr")
	}
	l, models, officer := openLists(f), openModels(f), openOfficer(f)
	nome := NewNome(officer, l)
	lexicon := NewLexicon()
	detectors := []Detector{nome, NewSeekHide(l, lexicon, models, ExpertTable), NewSeekHide(l, nil, nil, ExpertAll), NewTrees(l, lexicon, models)}
	f.Fuzz(func(t *testing.T, text, lang string) {
		if len(lang) != 2 {
			lang = ""
		}
		doc := NewDocument(corpus.Post{Lang: lang, Author: "1"}, "body", []byte(text))
		nome.Learn(doc)
		lexicon.Learn(doc)
		for _, d := range detectors {
			first := d.Detect(doc, nil)
			for _, m := range first {
				if m.Start < 0 || m.Start >= m.End || m.End > len(text) || m.Score <= 0 || m.Score > 1 || m.What == "" {
					t.Fatalf("%s: %+v of %d bytes", d.Name(), m, len(text))
				}
				if i := doc.At(m.Start); doc.Tokens[i].Skipped() {
					t.Fatalf("%s marks code at %d", d.Name(), m.Start)
				}
				if utf8.ValidString(text) && (!utf8.RuneStart(text[m.Start]) || m.End < len(text) && !utf8.RuneStart(text[m.End])) {
					t.Fatalf("%s cuts a character: %+v", d.Name(), m)
				}
			}
			if again := d.Detect(doc, nil); !reflect.DeepEqual(first, again) {
				t.Fatalf("%s: twice the same text, two outcomes", d.Name())
			}
		}
	})
}

// TestOrderOfLearningDoesNotMatter, nor does learning from several goroutines.
func TestOrderOfLearningDoesNotMatter(t *testing.T) {
	l := openLists(t)
	texts := []string{"selon Rodney Dovers, zut", "Rodney est là", "avec Mme Kestrel, zut", "Kestrel et RODNEY DOVERS", "zut alors Dovers"}
	outcome := func(order []int, parallel bool) []Mark {
		nome, lexicon := NewNome(openOfficer(t), l), NewLexicon()
		var wait sync.WaitGroup
		for _, i := range order {
			learn := func() {
				doc := NewDocument(corpus.Post{Author: fmt.Sprint(i), Lang: "fr"}, "body", []byte(texts[i]))
				nome.Learn(doc)
				lexicon.Learn(doc)
			}
			if parallel {
				wait.Go(learn)
			} else {
				learn()
			}
		}
		wait.Wait()
		var marks []Mark
		for _, text := range texts {
			doc := written("fr", text)
			marks = NewSeekHide(l, lexicon, openModels(t), ExpertTable).Detect(doc, nome.Detect(doc, marks))
		}
		return marks
	}
	want := outcome([]int{0, 1, 2, 3, 4}, false)
	if len(want) < 5 {
		t.Fatalf("only %d marks: the test proves nothing", len(want))
	}
	for _, order := range [][]int{{4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}} {
		if !reflect.DeepEqual(outcome(order, false), want) || !reflect.DeepEqual(outcome(order, true), want) {
			t.Errorf("order %v gives other marks", order)
		}
	}
}
