package detect

import (
	"strings"
	"testing"
)

func TestLanguageIsVotedByFunctionWords(t *testing.T) {
	for want, texts := range map[string][]string{
		"fr": {"Bonjour à tous, je n'ai pas compris la question.", "jsuis pas daccord avec toi mdr", "Merci pour la réponse, c'est très clair", "slt tt le monde moi c kevin"},
		"en": {"I think that this is wrong, isn't it?", "Hello everyone, thanks for the course", "im not sure what u want"},
		"es": {"Hola a todos, no entiendo la pregunta", "¿Alguien puede ayudarme?", "Muchas gracias por todo, un saludo"},
		"it": {"Ciao a tutti, non ho capito la domanda", "Grazie mille, è molto chiaro"},
		"pt": {"Olá a todos, não percebi a pergunta", "obrigado, vc pode explicar isso pra mim?"},
		"ca": {"Hola a tothom, no he entès la pregunta, gràcies", "Jo també vaig fer l'exercici amb els meus amics"},
		"de": {"Hallo, ich habe die Frage nicht verstanden", "Danke für die Antwort, das ist sehr klar"},
		"":   {"", "42", "Wikipedia MOOC", "Zoé"},
	} {
		for _, text := range texts {
			if got := Identify(document(text).Tokens); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		}
	}
}

func TestMixedPostsAreCutByLanguage(t *testing.T) {
	doc := document("Bonjour à tous, je suis content d'être ici avec vous. I am also very happy to be here with you. Merci à tous pour votre aide !\nHola, no entiendo la pregunta de la semana, gracias por todo.")
	var got []string
	next := 0
	for _, s := range Sentences(doc.Tokens, "", nil) {
		if s.First != next || s.Last <= s.First {
			t.Fatalf("stretch %d–%d after %d", s.First, s.Last, next)
		}
		next = s.Last
		got = append(got, s.Lang)
	}
	if next != len(doc.Tokens) {
		t.Errorf("stretches end at %d of %d tokens", next, len(doc.Tokens))
	}
	if languages := strings.Join(got, " "); languages != "fr en fr es" {
		t.Errorf("got %s", languages)
	}
}

func TestFunctionWordsAreOfTheirLanguage(t *testing.T) {
	if !IsFunctionWord("fr", "avec") || IsFunctionWord("en", "avec") || !IsFunctionWord("", "avec") || IsFunctionWord("", "zoe") {
		t.Error("avec is a function word of French alone, zoe of no language")
	}
}

func BenchmarkIdentify(b *testing.B) {
	doc := document(string(benchText))
	b.SetBytes(int64(len(benchText)))
	for b.Loop() {
		if Identify(doc.Tokens) == "" {
			b.Fatal("no language")
		}
	}
}
