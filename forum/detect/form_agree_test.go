package detect_test

import (
	"reflect"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/lists"
	"anonymooc/forum/trees/synthetic"
	"anonymooc/forum/trees/training"
)

// TestRememberedFormsChangeNothing: whatever was said before, the marks of a text
// are those of a detector that remembers nothing, in whichever language it is read.
func TestRememberedFormsChangeNothing(t *testing.T) {
	known, err := lists.Open()
	if err != nil {
		t.Fatal(err)
	}
	texts, err := synthetic.Generate(known, 400, 7)
	if err != nil {
		t.Fatal(err)
	}
	models, err := detect.ShippedModels()
	if err != nil {
		t.Fatal(err)
	}
	eslo, err := detect.NewShippedESLO(known)
	if err != nil {
		t.Fatal(err)
	}
	rows := []detect.Row{{Form: "Zoé", Category: detect.FirstName, Entity: "u1"}, {Form: "Blanc", Category: detect.LastName, Entity: "u1"}, {Form: "Patrick", Category: detect.FirstName, Entity: "u2"}}
	for i, text := range texts {
		for _, name := range []string{"Camille", "Durand"} {
			rows = append(rows, detect.Row{Form: name + string(rune('a'+i%20)), Category: detect.FirstName, Entity: detect.EntityID(text.Author)})
		}
	}
	lexicon := detect.NewLexicon()
	nome := detect.NewNome(lists.Officer{Titles: []string{"M", "Mme", "Dr"}, Inclusions: []string{"forum"}, Exclusions: []string{"Saint Martin"}}, known)
	detectors := []detect.Detector{detect.NewCatalogue(rows), detect.NewPatterns(), nome, eslo,
		detect.NewSeekHide(known, lexicon, models, detect.ExpertTable), detect.NewSeekHide(known, nil, models, detect.ExpertAll), detect.NewTrees(known, lexicon, models)}
	read := func(text training.Text, lang string) *detect.Document {
		doc := detect.NewDocument(corpus.Post{Author: text.Author}, "body", []byte(text.Text+"\nmercizoé P@trick Zoé Blanc 12 rue Haute, tél. 06 12 34 56 78"))
		doc.Lang = lang
		return doc
	}
	for round := range 2 {
		for _, text := range texts[:len(texts)/2] {
			lexicon.Learn(read(text, ""))
			nome.Learn(read(text, ""))
		}
		found := 0
		for i, text := range texts {
			lang := append(lists.Languages(), "", "nl")[(i+round)%9]
			doc, plain := read(text, lang), read(text, lang).Forget()
			for _, d := range detectors {
				got, want := d.Detect(doc, nil), d.Detect(plain, nil)
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%s in %q, text %d\n got %+v\nwant %+v", d.Name(), lang, i, got, want)
				}
				found += len(got)
			}
			if detect.Identify(doc.Tokens) != detect.Identify(plain.Tokens) {
				t.Fatalf("text %d is taken for two languages", i)
			}
		}
		if found < len(texts) {
			t.Fatalf("only %d marks: nothing was compared", found)
		}
		texts = append(texts[len(texts)/2:], texts[:len(texts)/2]...)
	}
}
