package forum

import (
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
)

// scoreOf gives the score of the finding that begins with a form.
func scoreOf(t *testing.T, e *Engine, post, text, form string) float64 {
	t.Helper()
	doc := detect.NewDocument(corpus.Post{ID: post}, "body", []byte(text))
	doc.Lang = "fr"
	for _, f := range e.Findings(doc) {
		if f.Surface == form {
			return f.Score
		}
	}
	t.Fatalf("no finding %q in %q", form, text)
	return 0
}

// TestEvidencePullsTheRightWay compares mentions that differ in one thing.
func TestEvidencePullsTheRightWay(t *testing.T) {
	e := engineOf(t, testOptions(Strict), nil,
		testPost{"alone", "alone", "5", "x"},
		testPost{"start", "start", "3", "x"}, testPost{"reply", "start", "5", "x"},
		testPost{"first", "first", "6", "x"}, testPost{"other", "first", "3", "x"}, testPost{"last", "first", "5", "x"})
	type mention struct{ post, text, form string }
	tests := []struct {
		name       string
		more, less mention
	}{
		{"somebody in the thread", mention{"last", "On lit que Rosa a compris.", "Rosa"}, mention{"alone", "On lit que Rosa a compris.", "Rosa"}},
		{"the author of the post answered", mention{"reply", "On lit que Rosa a compris.", "Rosa"}, mention{"last", "On lit que Rosa a compris.", "Rosa"}},
		{"a mention", mention{"alone", "voir @rosa là", "rosa"}, mention{"alone", "voir rosa là", "rosa"}},
		{"thanks", mention{"alone", "Merci Rosa pour tout.", "Rosa"}, mention{"alone", "Ainsi Rosa dit tout.", "Rosa"}},
		{"thanks to several", mention{"alone", "Merci à Kelly, Rosa et Sylvie !", "Rosa"}, mention{"alone", "On a lu Kelly, Rosa et Sylvie !", "Rosa"}},
		{"a capital", mention{"alone", "On lit Rosa ici", "Rosa"}, mention{"alone", "On lit rosa ici", "rosa"}},
		{"a word that begins a sentence", mention{"alone", "On lit Rosa ici", "Rosa"}, mention{"alone", "Rosa on lit", "Rosa"}},
		{"an article", mention{"alone", "On lit Rosa ici", "Rosa"}, mention{"alone", "On lit la Rosa ici", "Rosa"}},
		{"another capitalised word", mention{"alone", "On lit Rosa ici", "Rosa"}, mention{"alone", "On lit Rosa Benoliel ici", "Rosa"}},
		{"a longer name", mention{"alone", "On lit Rosa ici", "Rosa"}, mention{"alone", "On lit Rosa de Valmer ici", "Rosa"}},
		{"a large place", mention{"alone", "On lit Vila ici", "Vila"}, mention{"alone", "On va à Paris ici", "Paris"}},
		{"a signature", mention{"alone", "À bientôt.\nRosa", "Rosa"}, mention{"alone", "À bientôt. Rosa arrive.", "Rosa"}},
		{"a contact", mention{"alone", "Rosa | rosa@mel.example", "Rosa"}, mention{"alone", "Rosa | voilà", "Rosa"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			more, less := scoreOf(t, e, tt.more.post, tt.more.text, tt.more.form), scoreOf(t, e, tt.less.post, tt.less.text, tt.less.form)
			if more <= less {
				t.Errorf("%.3f is not more than %.3f", more, less)
			}
		})
	}
}
