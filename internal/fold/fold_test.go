package fold

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func read(raw string) *View {
	v := new(View)
	v.Read([]byte(raw))
	return v
}

// TestViewReadsThrough checks that a name can be found in the view and that its
// span leads back to everything that spells it.
func TestViewReadsThrough(t *testing.T) {
	tests := []struct{ name, raw, find, span string }{
		{"plain", "Merci Zoé !", "Zoé", "Zoé"},
		{"named entity", "le Beno&icirc;t", "Benoît", "Beno&icirc;t"},
		{"numeric entity", "Zo&#233; x", "Zoé", "Zo&#233;"},
		{"hexadecimal entity", "Zo&#xE9; x", "Zoé", "Zo&#xE9;"},
		{"doubly escaped entity", "Zo&amp;eacute; x", "Zoé", "Zo&amp;eacute;"},
		{"entity of a mark", "He&#769;le&#768;ne", "Hélène", "He&#769;le&#768;ne"},
		{"combining mark", "Zoe\u0301!", "Zoé", "Zoe\u0301"},
		{"soft hyphen", "Mar\u00adgue\u200brite", "Marguerite", "Mar\u00adgue\u200brite"},
		{"percent in a URL", "http://x.example/Zo%C3%A9/a", "Zoé", "Zo%C3%A9"},
		{"percent outside a URL", "100%C3", "100%C3", "100%C3"},
		{"percent in a word", "zoe.blanc%40mel.example", "zoe.blanc@mel", "zoe.blanc%40mel"},
		{"percent in a name", "Zo%C3%A9 Blanc", "Zoé", "Zo%C3%A9"},
		{"percentages", "40%40 et 20%de", "40%40 et 20%de", "40%40 et 20%de"},
		{"escape of a program", `u'Zo\u00e9'`, "Zoé", `Zo\u00e9`},
		{"byte of a program", `'Zo\xe9'`, "Zoé", `Zo\xe9`},
		{"no escape of a program", `\u12 \ud83d \xzz`, `\u12 \ud83d \xzz`, `\u12 \ud83d \xzz`},
		{"tag inside a word", "<p>Zo<b>é</b></p>", "Zoé", "Zo<b>é"},
		{"emphasis inside a word", "Zo**é**", "Zoé", "Zo**é"},
		{"escaped underscore", `p\_monem`, "p_monem", `p\_monem`},
		{"Latin-1 bytes", "Zo\xe9 x", "Zoé", "Zo\xe9"},
		{"UTF-8 read as Latin-1", "ZoÃ© x", "Zoé", "ZoÃ©"},
		{"attribute", `<a href="mailto:zo&eacute;@x.example">moi</a>`, "zoé", "zo&eacute;"},
		{"comment", "a<!-- Zoé -->b", "Zoé", "Zoé"},
		{"mail between angle brackets", "<zoe@x.example>", "zoe", "zoe"},
		{"not a tag", "a <3 b", "a <3 b", "a <3 b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := read(tt.raw)
			at := strings.Index(v.Text, tt.find)
			if at < 0 {
				t.Fatalf("%q is not in the view %q", tt.find, v.Text)
			}
			start, end := v.Span(at, at+len(tt.find))
			if got := tt.raw[start:end]; got != tt.span {
				t.Errorf("span %q, want %q", got, tt.span)
			}
			c := v.Cursor()
			if s, e := c.Span(at, at+len(tt.find)); s != start || e != end {
				t.Errorf("the cursor finds %d:%d, the view %d:%d", s, e, start, end)
			}
		})
	}
}

func TestViewSeparatesBlocks(t *testing.T) {
	if v := read("<p>Merci</p><p>Zoé</p>a<br>b"); v.Text != "\nMerci\n\nZoé\na\nb" {
		t.Errorf("got %q", v.Text)
	}
}

func TestViewKnowsRegions(t *testing.T) {
	tests := []struct {
		name, raw, find string
		want            Region
	}{
		{"text", "rien ici", "ici", 0},
		{"code span", "a `rose` b", "rose", Code},
		{"after a code span", "a `rose` b", " b", 0},
		{"double backticks", "a ``ro`se`` b", "ro", Code},
		{"one backtick alone", "a ` rose b", "rose", 0},
		{"fence", "x\n```\nrose\n```\ny", "rose", Code},
		{"after a fence", "x\n```\nrose\n```\ny", "\ny", 0},
		{"open fence", "x\n```\nrose", "rose", Code},
		{"code element", "<code>rose</code> olive", "rose", Code},
		{"after a code element", "<code>rose</code> olive", "olive", 0},
		{"code element never closed", "<code>rose", "rose", 0},
		{"formula in brackets", `so \(a_1=x\) then`, "a_1", Code},
		{"brackets round a name", `so \(Rose\) then`, "Rose", 0},
		{"displayed formula", `$$\alpha$$ rose`, "alpha", Code},
		{"dollars", "5$ for rose, 6$", "rose", 0},
		{"URL", "see https://x.example/rose, olive", "rose", URL},
		{"after a URL", "see https://x.example/rose, olive", ", olive", 0},
		{"www", "see www.rose.example now", "rose", URL},
		{"content id", "block-v1:x+y+rose+type@a", "rose", ContentID},
		{"old content id", "i4x://x/y/rose", "rose", ContentID},
		{"attribute", `<img alt="rose">`, "rose", Markup},
		{"quote", "> rose\nolive", "rose", Quote},
		{"escaped quote", "a\n &gt; rose\nolive", "rose", Quote},
		{"after a quote", "> rose\nolive", "olive", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := read(tt.raw)
			at := strings.Index(v.Text, tt.find)
			if at < 0 {
				t.Fatalf("%q is not in the view %q", tt.find, v.Text)
			}
			if got := v.Region(at); got != tt.want {
				t.Errorf("region %b, want %b in %q", got, tt.want, v.Text)
			}
		})
	}
}

func TestKeyUnitesSpellings(t *testing.T) {
	same := [][]string{
		{"zoe", "Zoé", "ZOÉ", "Zoe\u0301", "Ｚｏé", "zo\u200be", "Zоé"},
		{"jean-marc", "Jean‑Marc", "JEAN–MARC"},
		{"d'eloise", "d’Éloïse", "D'ELOISE"},
		{"strasse", "Straße", "STRASSE"},
		{"oeuvre", "Œuvre"},
		{"lukasz", "Łukasz"},
		{"иван", "Иван", "ИВАН"},
		{"нина", "Нина"},
		{"fi", "ﬁ"},
		{"σοφια", "Σοφία", "ΣΟΦΊΑ"},
	}
	for _, group := range same {
		for _, s := range group {
			if got := KeyString(s); got != group[0] {
				t.Errorf("key of %q is %q, want %q", s, got, group[0])
			}
		}
	}
	if got := string(Squeeze(nil, "nicoooolas2000")); got != "nicolas2000" {
		t.Errorf("squeezed to %q", got)
	}
}

var seeds = []string{
	"", "Merci Zoé", "He&#769;le&#768;ne", "<p>Zo<b>é</b></p>", "> x\n`a` ``b`", "http://x/%C3%A9%zz", "\xff\xc3", "ZoÃ©Ã",
	`<a href="x" title=y>z</a><!-- q -->`, "&amp;eacute; &; &#; &#0;", "$$a$$ \\(x_1\\) $a_b$", "e\u0301\u0301\u0300", "a&#769;", "\u0301", "block-v1:a+b c", "<code>a</code", "**a**b*", "[mathjax]a_b[/mathjax]", "www.a.b &eacute;",
	"zoe%40x.y", "40%40%2540", "Zo%C3%A9%", `u'Zo\u00e9' \u00`, `\xe9\xc3\xa9\x4`,
}

// FuzzViewMapIsMonotone: spans rise with the text, stay in the source, never
// cut one of its runes or references, and the cursor agrees with the search.
func FuzzViewMapIsMonotone(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		v := read(raw)
		c := v.Cursor()
		last := 0
		for i, r := range v.Text {
			start, end := v.Span(i, i+utf8.RuneLen(r))
			if start < last || end < start || end > len(raw) {
				t.Fatalf("rune at %d of %q maps to %d:%d after %d", i, v.Text, start, end, last)
			}
			if s, e := c.Span(i, i+utf8.RuneLen(r)); s != start || e != end {
				t.Fatalf("cursor %d:%d, view %d:%d", s, e, start, end)
			}
			if utf8.ValidString(raw) && !(utf8.ValidString(raw[:start]) && utf8.ValidString(raw[start:end])) {
				t.Fatalf("span %d:%d of %q cuts a rune", start, end, raw)
			}
			last = start
		}
	})
}

// FuzzViewOfPlainTextIsTheText: what needs no decoding is shown unchanged, and
// every span is its own.
func FuzzViewOfPlainTextIsTheText(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		plain := strings.Map(func(r rune) rune {
			if strings.ContainsRune("&<%\\*Ã", r) || r == utf8.RuneError || invisible(r) || accent(r) || !norm.NFC.IsNormalString(string(r)) {
				return -1
			}
			return r
		}, raw)
		v := read(plain)
		if v.Text != norm.NFC.String(plain) && v.Text != plain {
			t.Fatalf("view %q of %q", v.Text, plain)
		}
		if v.Text != plain {
			return
		}
		for i, r := range plain {
			if s, e := v.Span(i, i+utf8.RuneLen(r)); s != i || e != i+utf8.RuneLen(r) {
				t.Fatalf("%d:%d maps to %d:%d in %q", i, i+utf8.RuneLen(r), s, e, plain)
			}
		}
	})
}

// FuzzKeyIsIdempotent: the key of a key is the key, and case does not matter.
func FuzzKeyIsIdempotent(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, word string) {
		word = strings.ToValidUTF8(word, "")
		key := KeyString(word)
		if again := KeyString(key); again != key {
			t.Fatalf("key of %q is %q, whose key is %q", word, key, again)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	raw := []byte(strings.Repeat("Bonjour à tous, merci Beno&icirc;t pour <b>ta</b> réponse : http://x.example/a%C3%A9 ! I think that the whole thing works well now.\n", 100))
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	v := new(View)
	for b.Loop() {
		v.Read(raw)
	}
}
