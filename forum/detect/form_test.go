package detect

import (
	"reflect"
	"testing"

	"anonymooc/internal/fold"
)

// Forget gives every token a form that nobody remembers, so that each detector
// finds everything out again.
func (d *Document) Forget() *Document {
	for i := range d.Tokens {
		d.Tokens[i].form = newForm(d.Tokens[i].Text, noPlace)
	}
	return d
}

// FuzzFormIsItsText: a token's form is that of its text, whichever form had its
// place before.
func FuzzFormIsItsText(f *testing.F) {
	for _, s := range []string{"Zoé, d'Éloïse", "我是李明 ก็", "@x #y : a*b «c»", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "e\u0301 \u0301x ´"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, tok := range document(raw).Tokens {
			plain := newForm(tok.Text, tok.form.place)
			if tok.Folded != fold.KeyString(tok.Text) || !reflect.DeepEqual(tok.form, plain) {
				t.Fatalf("%q: %+v, want %+v", tok.Text, tok.form, plain)
			}
			if kinds := Word | Number | Punct; tok.Flags&kinds != plain.flags&kinds {
				t.Fatalf("%q is of kind %b, its form of %b", tok.Text, tok.Flags&kinds, plain.flags&kinds)
			}
		}
	})
}
