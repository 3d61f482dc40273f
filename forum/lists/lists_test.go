package lists

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func open(t testing.TB) *Lists {
	t.Helper()
	l, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestClashesAreTold: a word is in every list it belongs to.
func TestClashesAreTold(t *testing.T) {
	l := open(t)
	for _, c := range []struct {
		text    string
		in, out Kind
	}{
		{"Pierre", FirstName | Male, 0},
		{"Pierre", WordOf("fr"), WordOf("en")},
		{"Rose", FirstName, 0},
		{"rose", WordOf("fr"), 0},
		{"Éloïse", FirstName, WordOf("fr")},
		{"crayon", WordOf("fr"), FirstName | Surname},
		{"anticonstitutionnellement", WordOf("fr"), FirstName},
		{"carrying", WordOf("en"), FirstName},
		{"habíamos", WordOf("es"), FirstName},
		{"fizéssemos", WordOf("pt"), FirstName},
		{"mangerebbero", WordOf("it"), FirstName},
		{"mangiare", WordOf("it"), FirstName},
		{"aprenentatge", WordOf("ca"), WordOf("es")},
		{"Versicherungen", WordOf("de"), FirstName},
		{"bjr", Chat, FirstName},
		{"mdr", Chat, FirstName},
		{"Mme", Title, FirstName},
		{"lycée", Institution, FirstName},
		{"Sénégal", Country, 0},
		{"Владимир", FirstName, WordOf("fr")},
		{"Gonzalez", Surname, WordOf("fr")},
		{"the", StopOf("en") | WordOf("en"), 0},
		{"xqzw", 0, ^Kind(0)},
	} {
		e := l.Find(Key(c.text))
		if c.in != 0 && !e.Is(c.in) {
			t.Errorf("%s is in %b, wanted one of %b", c.text, e.Kinds, c.in)
		}
		if e.Is(c.out) {
			t.Errorf("%s is in %b, not wanted in %b", c.text, e.Kinds, c.out)
		}
	}
	if !l.Ambiguous("fr", "pierre") || l.Ambiguous("fr", "eloise") || l.Ambiguous("fr", "crayon") {
		t.Error("ambiguous: pierre yes, eloise no, crayon no")
	}
}

func TestPlacesTellSizeAndCountry(t *testing.T) {
	l := open(t)
	for _, c := range []struct {
		name, country string
		atLeast       uint32
		below         uint32
	}{
		{"Paris", "FR", 1 << 20, 1 << 23},
		{"Saint-Étienne", "FR", 1 << 16, 1 << 19},
		{"los angeles", "US", 1 << 21, 1 << 24},
		{"Foix", "FR", 1 << 12, 1 << 15},
	} {
		population, country, ok := l.Place(Key(c.name))
		if !ok || country != c.country || population < c.atLeast || population >= c.below {
			t.Errorf("%s: %d in %s, %v", c.name, population, country, ok)
		}
	}
	if _, _, ok := l.Place("crayon"); ok {
		t.Error("crayon is no place")
	}
}

func TestLongestFindsNamesOfSeveralWords(t *testing.T) {
	l := open(t)
	for _, c := range []struct {
		text string
		want Kind
		n    int
	}{
		{"los angeles demain", Place, 2},
		{"saint etienne demain", Place, 2},
		{"crayon rouge", Place, 0},
		{"", Place, 0},
		{"united kingdom of great britain", Country, 2},
	} {
		words := strings.Fields(c.text)
		n, e := l.Longest(c.want, func(i int) (string, bool) {
			if i < len(words) {
				return words[i], true
			}
			return "", false
		})
		if n != c.n || n > 0 && !e.Is(c.want) {
			t.Errorf("%q: %d words, %b", c.text, n, e.Kinds)
		}
	}
}

// TestFindDoesNotAllocate: detectors ask for every word of every post.
func TestFindDoesNotAllocate(t *testing.T) {
	l := open(t)
	if n := testing.AllocsPerRun(100, func() { l.Find("pierre"); l.Find("zzzz"); l.IsCommonWord("fr", "maison") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestOfficersDictionariesAreAdded(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"usr/share/hunspell/ca.aff": "SET UTF-8\nSFX S Y 1\nSFX S 0 s .\n",
		"usr/share/hunspell/ca.dic": "2\nescaquejador/S\nQuimeta\n",
		"usr/share/dict/french":     "rococottage\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	plain := open(t)
	l, err := plain.With(SystemDictionaries(root)...)
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]Kind{
		"escaquejadors": WordOf("ca"), "quimeta": Proper, "rococottage": WordOf("fr"), "pierre": FirstName,
	} {
		if !l.Find(word).Is(want) {
			t.Errorf("%s is not in %b", word, want)
		}
	}
	if plain.Find("escaquejadors").Is(AnyWord) {
		t.Error("With changed the lists it was called on")
	}
	if _, err := plain.With(Dictionary{Language: "xx", Path: filepath.Join(root, "usr/share/dict/french")}); err == nil {
		t.Error("a dictionary of an unknown language was accepted")
	}
	if _, err := plain.With(Dictionary{Language: "fr", Path: filepath.Join(root, "nothing")}); err == nil {
		t.Error("a missing dictionary was accepted")
	}
}

func TestDamagedBlobsAreRefused(t *testing.T) {
	for n := 0; n < 200; n++ {
		if _, err := readBlob(shareAlikeBlob[:n]); err == nil {
			t.Fatalf("the first %d bytes were read as a blob", n)
		}
	}
	if _, err := readBlob(shareAlikeBlob[:len(shareAlikeBlob)-4]); err == nil {
		t.Error("a blob cut short was read")
	}
}

func TestSectionsAreRead(t *testing.T) {
	for _, c := range []struct {
		cut  func(string) []string
		want string
	}{{strings.Fields, "a b|[fr] né le, x|[en]"}, {byCommas, "a b|[fr] né le x|[en]"}} {
		sections, err := parseSections(strings.NewReader("a b # c\n[fr]\nné le, x\n\n[en]\n"), c.cut)
		if err != nil || len(sections) != 3 {
			t.Fatalf("%v %v", sections, err)
		}
		got := strings.Join(sections[0].Words, " ") + "|[" + sections[1].Name + "] " + strings.Join(sections[1].Words, " ") + "|[" + sections[2].Name + "]"
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	phrases, err := parseSections(strings.NewReader("né le\nborn on, x\n"), byCommas)
	if err != nil || strings.Join(phrases[0].Words, "|") != "né le|born on|x" {
		t.Errorf("%v %v", phrases, err)
	}
}

// BenchmarkFind looks up the words of a sentence; peer: one Go map that holds
// the same answers, which costs seconds to fill and hundreds of megabytes.
func BenchmarkFind(b *testing.B) {
	l := open(b)
	words := strings.Fields("bonjour je m appelle eloise et j habite a saint etienne avec ma soeur namrata qui travaille comme infirmiere au lycee merci pour votre aide a bientot")
	peer := make(map[string]Entry)
	l.Each(func(key []byte, e Entry) bool { peer[string(key)] = e; return len(peer) < 1_000_000 })
	b.ResetTimer()
	for i := range b.N {
		l.Find(words[i%len(words)])
	}
	ours := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	start := time.Now()
	for i := range b.N {
		_ = peer[words[i%len(words)]]
	}
	theirs := float64(time.Since(start).Nanoseconds()) / float64(b.N)
	b.ReportMetric(ours/theirs, "×map")
}

// BenchmarkOpen reads the embedded lists; the program's size is in bytes.
func BenchmarkOpen(b *testing.B) {
	for range b.N {
		for _, data := range []string{generalBlob, shareAlikeBlob} {
			if _, err := readBlob(data); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(generalBlob)+len(shareAlikeBlob)), "bytes-embedded")
}

func TestNearSeesMisspeltWords(t *testing.T) {
	l := open(t)
	for _, c := range []struct {
		key  string
		want Kind
	}{{"surment", WordOf("fr")}, {"bonojur", WordOf("fr")}, {"beacuse", WordOf("en")}, {"mathild", FirstName}} {
		if !(Entry{Kinds: l.Near(c.key)}).Is(c.want) {
			t.Errorf("%s: %b", c.key, l.Near(c.key))
		}
	}
	if got := l.Near("xkqzwvj"); got != 0 {
		t.Errorf("no word is near xkqzwvj, got %b", got)
	}
}

func BenchmarkNear(b *testing.B) {
	l := open(b)
	b.ReportAllocs()
	for range b.N {
		l.Near("surmentalo")
	}
}

// TestRareAndFrequent: a word that is seldom a surname is told as such, and which
// words are common is told for each language.
func TestRareAndFrequent(t *testing.T) {
	l, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	if e := l.Find("bonjour"); !e.Is(RareSurname) || e.Is(Surname) || !e.Frequent("fr") || e.Frequent("en") || !e.Frequent("") {
		t.Errorf("bonjour: %+v", e)
	}
	if e := l.Find("smith"); !e.Is(Surname) {
		t.Errorf("smith: %+v", e)
	}
	near := l.Near("bonjuor")
	for range 2 { // remembered answers are the same
		if l.Find("xqzvbn") != (Entry{}) || l.Near("bonjuor") != near || !l.Find("bonjour").Is(RareSurname) {
			t.Error("an answer changed")
		}
	}
}

// TestPrefixesAreFound: the prefixes of a word, read in one walk, are known as each
// of them is alone.
func TestPrefixesAreFound(t *testing.T) {
	l := open(t)
	known := 0
	for _, key := range []string{"mercizoe", "jtaime", "saint etienne", "xqzvbn", "a", ""} {
		found := l.Prefixes(key, nil)
		if len(found) != len(key) {
			t.Fatalf("%q has %d prefixes", key, len(found))
		}
		for i, e := range found {
			want := l.Find(key[:i+1])
			want.begins = false
			if e != want {
				t.Errorf("%q: %+v, want %+v", key[:i+1], e, want)
			}
			if e.Kinds != 0 {
				known++
			}
		}
	}
	if known < 10 {
		t.Errorf("only %d prefixes are known: nothing was compared", known)
	}
}

// TestNamesOfSeveralWordsBegin: a word says whether a longer name begins with it.
func TestNamesOfSeveralWordsBegin(t *testing.T) {
	l := open(t)
	for word, want := range map[string]bool{"saint": true, "le": true, "neanmoins": false, "": false, "xqzvbn": false} {
		if got := l.Find(word).Begins(); got != want {
			t.Errorf("%q begins a name of several words: %v", word, got)
		}
	}
}
