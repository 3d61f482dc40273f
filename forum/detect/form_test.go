package detect

import (
	"fmt"
	"reflect"
	"sync"
	"testing"
	"unsafe"

	"anonymooc/internal/fold"
)

// Forget gives every token a form that nobody remembers, so that each detector
// finds everything out again.
func (d *Document) Forget() *Document {
	for i := range d.Tokens {
		d.Tokens[i].form = newForm(d.Tokens[i].Text)
	}
	return d
}

// TestFormsAreShared: texts that are read at the same time, by one detector, have
// the marks that each has alone.
func TestFormsAreShared(t *testing.T) {
	known := openLists(t)
	eslo, err := NewShippedESLO(known)
	if err != nil {
		t.Fatal(err)
	}
	detectors := []Detector{NewCatalogue(testRows), eslo, NewSeekHide(known, NewLexicon(), nil, ExpertTable)}
	var group sync.WaitGroup
	for reader := range 4 {
		group.Go(func() {
			for i := range 300 {
				raw := fmt.Sprintf("Bonjour, je m'appelle Zoé%d et j'habite à Saint-Malo%d, mot%d mot%d Blanc", i%7, i, i*reader, i*i)
				for _, d := range detectors {
					doc := document(raw)
					if got, want := d.Detect(doc, nil), d.Detect(document(raw).Forget(), nil); !reflect.DeepEqual(got, want) {
						t.Errorf("%s: %q\n got %+v\nwant %+v", d.Name(), raw, got, want)
						return
					}
				}
			}
		})
	}
	group.Wait()
}

// FuzzFormIsItsText: a token's form is that of its text, whichever form had its
// place before.
func FuzzFormIsItsText(f *testing.F) {
	for _, s := range []string{"Zoé, d'Éloïse", "我是李明 ก็", "@x #y : a*b «c»", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "e\u0301 \u0301x ´"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, tok := range document(raw).Tokens {
			plain := newForm(tok.Text)
			if tok.Folded != fold.KeyString(tok.Text) || !reflect.DeepEqual(tok.form.traits, plain.traits) {
				t.Fatalf("%q: %+v, want %+v", tok.Text, tok.form.traits, plain.traits)
			}
			if kinds := Word | Number | Punct; tok.Flags&kinds != plain.flags&kinds {
				t.Fatalf("%q is of kind %b, its form of %b", tok.Text, tok.Flags&kinds, plain.flags&kinds)
			}
		}
	})
}

// TestFormsLieInLinesOfTheCache: a form and a set of them end where a line does, so
// that none of them takes one line more than it needs.
func TestFormsLieInLinesOfTheCache(t *testing.T) {
	const line = 64
	if size := unsafe.Sizeof(form{}); size != 4*line {
		t.Errorf("a form takes %d bytes", size)
	}
	if size := unsafe.Sizeof(formSet{}); size != line {
		t.Errorf("a set of forms takes %d bytes", size)
	}
}
