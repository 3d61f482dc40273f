package detect

import (
	"strings"
	"testing"
	"unicode/utf8"

	"anonymooc/forum/corpus"
)

func document(raw string) *Document { return NewDocument(corpus.Post{}, "body", []byte(raw)) }

func token(t *testing.T, d *Document, text string) *Token {
	t.Helper()
	for i := range d.Tokens {
		if d.Tokens[i].Text == text {
			return &d.Tokens[i]
		}
	}
	t.Fatalf("no token %q in %+v", text, d.Tokens)
	return nil
}

func TestDocumentCutsWords(t *testing.T) {
	tests := []struct{ raw, want string }{
		{"d'Éloïse, J-M. et p_monem", "d|'|Éloïse|,|J|-|M|.|et|p|_|monem"},
		{"He&#769;le&#768;ne ici", "Hélène|ici"},
		{"Merci@Zoé kev1n_l 42", "Merci|@|Zoé|kev1n|_|l|42"},
		{"Олег и Нина", "Олег|и|Нина"},
		{"我是李明", "我|是|李|明"},
		{"<p>Zo<b>é</b></p>", "Zoé"},
		{"राम है", "राम|है"},
	}
	for _, tt := range tests {
		d := document(tt.raw)
		var texts []string
		for _, tok := range d.Tokens {
			texts = append(texts, tok.Text)
		}
		if got := strings.Join(texts, "|"); got != tt.want {
			t.Errorf("%q is cut to %s, want %s", tt.raw, got, tt.want)
		}
	}
}

func TestTokenFlags(t *testing.T) {
	tests := []struct {
		raw, text string
		has, not  Flags
	}{
		{"Merci Zoé", "Merci", Capital | SentenceStart | LineStart | Word, SpaceBefore | AllCaps},
		{"Merci Zoé", "Zoé", Capital | SpaceBefore, SentenceStart},
		{"a. Rose", "Rose", SentenceStart, LineStart},
		{"a\nRose", "Rose", SentenceStart | LineStart, 0},
		{"« Rose", "Rose", SentenceStart, 0},
		{"saint-Pierre", "Pierre", Capital, SentenceStart},
		{"ZOÉ", "ZOÉ", AllCaps | Capital, Mixed},
		{"MerciZoé", "MerciZoé", Mixed | Capital, AllCaps},
		{"@zoe #mooc", "zoe", Mention, Hashtag},
		{"@zoe #mooc", "mooc", Hashtag, Mention},
		{"`zoe` b", "zoe", InCode, 0},
		{"`zoe` b", "b", 0, InCode},
		{"http://x.example/zoe b", "zoe", InURL, 0},
		{"<a title='zoe'>b</a>", "zoe", InMarkup, 0},
		{"> zoe", "zoe", InQuote, 0},
		{"course-v1:a+zoe", "zoe", InContentID, InURL},
		{"le 12 mai", "12", Number, Word},
	}
	for _, tt := range tests {
		tok := token(t, document(tt.raw), tt.text)
		if !tok.Has(tt.has) || tok.Any(tt.not) {
			t.Errorf("%q in %q has flags %b, want %b and not %b", tt.text, tt.raw, tok.Flags, tt.has, tt.not)
		}
	}
}

func TestShoutingIsAMatterOfMostWords(t *testing.T) {
	for raw, want := range map[string]bool{"MERCI ZOÉ pour tout": false, "MERCI ZOÉ a": true, "": false, "A B C merci": false} {
		if got := document(raw).Shouting(); got != want {
			t.Errorf("%q: %v", raw, got)
		}
	}
}

// FuzzTokensLieApart: tokens rise, do not overlap, hold whole runes, and the
// span of a part of a token lies in the token.
func FuzzTokensLieApart(f *testing.F) {
	for _, s := range []string{"", "d'Éloïse &eacute;", "<b>a</b>", "http://a/%C3%A9", "e\u0301", "\xff", "我a", "`a`", "a&#769;", "ก็ก็"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		d := document(raw)
		last := 0
		for i, tok := range d.Tokens {
			if tok.Start < last || tok.End <= tok.Start || tok.End > len(raw) {
				t.Fatalf("token %d spans %d:%d after %d", i, tok.Start, tok.End, last)
			}
			if utf8.ValidString(raw) && !utf8.ValidString(raw[tok.Start:tok.End]) {
				t.Fatalf("token %d cuts a rune", i)
			}
			for j, r := range tok.Text {
				if s, e := d.Span(i, j, j+utf8.RuneLen(r)); s < tok.Start || e > tok.End {
					t.Fatalf("part %d of token %d spans %d:%d outside %d:%d", j, i, s, e, tok.Start, tok.End)
				}
			}
			if got := d.At(tok.Start); got != i {
				t.Fatalf("token %d is found at %d", i, got)
			}
			last = tok.End
		}
	})
}

func BenchmarkDocument(b *testing.B) {
	raw := []byte(strings.Repeat("Bonjour à tous, merci Beno&icirc;t pour <b>ta</b> réponse : http://x.example/a%C3%A9 ! I think that the whole thing works well now.\n", 100))
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	d := new(Document)
	for b.Loop() {
		d.Reset(corpus.Post{}, "body", raw)
	}
}
