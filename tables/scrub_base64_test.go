package tables

import (
	"encoding/base64"
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// slowBase64Text is base64Text by the standard library.
func slowBase64Text(word []byte) ([]byte, bool) {
	plain, err := base64.RawStdEncoding.DecodeString(string(word))
	if err != nil {
		if plain, err = base64.RawURLEncoding.DecodeString(string(word)); err != nil {
			return nil, false
		}
	}
	for _, c := range plain {
		if c < ' ' {
			return nil, false
		}
	}
	return plain, utf8.Valid(plain)
}

func FuzzBase64Text(f *testing.F) {
	for _, text := range []string{"alice", "Zoé", "日本", "a\nb", "\xff", "a\xc3", "~~~???", "", "é", "\u0080"} {
		f.Add([]byte(base64.RawStdEncoding.EncodeToString([]byte(text))))
		f.Add([]byte(base64.RawURLEncoding.EncodeToString([]byte(text))))
		f.Add([]byte(text))
	}
	f.Add([]byte("abc"))
	f.Add([]byte("ab+-"))
	r := rand.New(rand.NewPCG(1, 1))
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_.@="
	for range 3000 {
		word := make([]byte, r.IntN(12))
		for i := range word {
			word[i] = digits[r.IntN(len(digits))]
		}
		f.Add(word)
		text := make([]rune, r.IntN(6))
		for i := range text {
			text[i] = rune(r.IntN(0x3000))
		}
		f.Add([]byte(base64.RawURLEncoding.EncodeToString([]byte(string(text)))))
	}
	f.Fuzz(func(t *testing.T, word []byte) {
		for _, c := range word {
			if c == '\r' || c == '\n' {
				return // the standard library passes over line ends, of which a word has none
			}
		}
		want, wantOK := slowBase64Text(word)
		got, ok := base64Text(nil, word)
		if ok != wantOK || ok && string(got) != string(want) {
			t.Errorf("%q: %q, %v, want %q, %v", word, got, ok, want, wantOK)
		}
	})
}
