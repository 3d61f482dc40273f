package mine

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
)

// galaText is a small forum in five languages, written for this test: each
// trigger of table 4 stands beside a known name and beside one nobody listed.
var galaText = []string{
	"Bonjour, je m'appelle Bruno et je viens de Lyon.",
	"Bonjour, je m'appelle Antonhy et je viens de Nice.",
	"Salut, je m'appel Clara, enchantée !",
	"Salut, je m'appel Leo, enchanté !",
	"Merci Bruno pour la photo.",
	"Merci Christine pour la recette.",
	"Je suis d'accord avec Clara sur ce point.",
	"Je suis d'accord avec Federiac sur ce point.",
	"Je parle avec ma voisine, avec mon chien, avec tout le monde, avec plaisir.",
	"Hola, me llamo Nuria y vivo cerca del mar.",
	"Hola, me llamo iñigo y vivo lejos del mar.",
	"Mi nombre, Nuria, es corto.",
	"Mi nombre, Asenjo, es raro.",
	"Cara Giulia, come stai?",
	"Cara Regina, come stai?",
	"Oi, me chamam Thiago desde pequeno.",
	"Oi, me chamam fran desde pequeno.",
	"Eu concordo com a Thaís, claro.",
	"Eu concordo com a Maria, claro.",
	"Meu nome Thiago vem do avô.",
	"Meu nome Belle vem da avó.",
	"Com diu el Jordi, plou.",
	"Com diu el Bet, neva.",
	"Fotos de Bruno et Line hier.",
	"Dessins de jean et Clara demain.",
	"La Nuria i en Jordi; la Nuria i Jordi; Thaís i Jordi.",
	"La Nuria i Peimika canten.",
	"Une lettre pour Bruno, Clara.",
	"Une lettre pour May, Giulia.",
	"Pain et vin, jour et nuit, hier et demain, toi et moi, Bruno et Clara, Giulia et Nuria.",
	"Pa i vi, dia i nit, sol i ombra, tu i jo.",
}

var galaNames = []string{"Bruno", "Clara", "Nuria", "Giulia", "Thiago", "Thaís", "Jordi"}

func TestContextsOfTableFourRevealNames(t *testing.T) {
	miner := &Contextual{MaxFrequency: 6}
	kept, _, candidates := miner.Learn(read(galaText...), NewCatalogue(firstNames(galaNames...)))
	var contexts []string
	for _, rule := range kept {
		contexts = append(contexts, rule.String())
	}
	for _, want := range []string{"cara …", "appelle …", "merci …", "llamo …", "chamam …", "concordo com a …",
		"nome …", "appel …", "diu el …", "nombre , …", "<first name> i …", "<first name> et …", "… et <first name>", "… , <first name>"} {
		if !slices.Contains(contexts, want) && !slices.ContainsFunc(contexts, func(c string) bool { return strings.HasSuffix(want, " "+c) }) {
			t.Errorf("context %q was not kept; kept: %q", want, contexts)
		}
	}
	found := formsOf(candidates)
	for _, want := range strings.Fields("Antonhy Leo Christine Federiac iñigo Asenjo Regina fran Maria Belle Bet Line jean Peimika May") {
		if !slices.Contains(found, want) {
			t.Errorf("%s was not revealed; found %q", want, found)
		}
	}
}

func TestTooFrequentContextsGrowByOneWord(t *testing.T) {
	var texts []string
	for i := range 10 {
		texts = append(texts, fmt.Sprintf("je travaille avec patience et avec soin le jour %d", i))
	}
	texts = append(texts, "tout à fait d'accord avec Clara ici", "je suis d'accord avec Bruno là", "pas d'accord avec Reginaldo du tout")
	miner := &Contextual{MaxFrequency: 5}
	kept, _, candidates := miner.Learn(read(texts...), NewCatalogue(firstNames("Clara", "Bruno")))
	var patterns []string
	for _, rule := range kept {
		patterns = append(patterns, rule.String())
	}
	if slices.Contains(patterns, "avec …") || !slices.Contains(patterns, "accord avec …") {
		t.Errorf("kept %q, want \"accord avec …\" and not \"avec …\"", patterns)
	}
	if found := formsOf(candidates); !slices.Contains(found, "Reginaldo") || slices.Contains(found, "soin") {
		t.Errorf("found %q, want Reginaldo and not soin", found)
	}
}

func TestRatesAreThoseOfAnnexOne(t *testing.T) {
	// "cher" stands 5 times, once beside a known form: a rate of 20 %.
	texts := []string{"cher Bruno", "cher voisin", "cher journal", "cher pays", "cher trésor",
		"vieux Bruno", "vieux mur", "vieux pont", "vieux port", "vieux sac", "vieux lac"}
	kept, rejected, _ := (&Contextual{}).Learn(read(texts...), NewCatalogue(firstNames("Bruno")))
	describe := func(rules []ContextRule) (out []string) {
		for _, r := range rules {
			out = append(out, fmt.Sprintf("%s %d/%d", r, r.Known, r.Total))
		}
		return out
	}
	if got := describe(kept); !slices.Contains(got, "cher … 1/5") {
		t.Errorf("kept %q, want cher at 1/5", got)
	}
	if got := describe(rejected); !slices.Contains(got, "vieux … 1/6") {
		t.Errorf("rejected %q, want vieux at 1/6", got)
	}
}

func TestNoContextHoldsAName(t *testing.T) {
	names := append([]string{"Pol-Éric", "Ana Belén", "Rosa Luxemburg"}, galaNames...)
	texts := append([]string{"Pol-Éric et Bruno", "Ana Belén y Clara", "au lycée Rosa Luxemburg avec Jordi", "Ana Belén i Pol Eric"}, galaText...)
	kept, rejected, _ := (&Contextual{MaxFrequency: 4}).Learn(read(texts...), NewCatalogue(firstNames(names...)))
	secret := make(map[string]bool)
	for _, name := range names {
		for _, key := range keysOf(name) {
			secret[key] = true
		}
	}
	rules := append(kept, rejected...)
	for _, rule := range rules {
		for _, item := range rule.Items {
			if secret[item] {
				t.Errorf("the context %q holds a name", rule)
			}
		}
	}
	if len(rules) < 20 {
		t.Errorf("only %d contexts: the test proves nothing", len(rules))
	}
}

func TestContextsOfPunctuationAloneGrow(t *testing.T) {
	kept, rejected, _ := (&Contextual{}).Learn(read("oui , ( Bruno ) !", "non , ( Clara ) ?", "( Zoé )", "12 ( Bruno )"), NewCatalogue(firstNames("Bruno", "Clara")))
	var patterns []string
	for _, rule := range append(kept, rejected...) {
		patterns = append(patterns, rule.String())
		if !strings.ContainsFunc(strings.Join(itemsOf(strings.NewReplacer("<edge>", "", "<number>", "", "<line>", "").Replace(rule.String())), ""), unicode.IsLetter) {
			t.Errorf("%q is a context without a word", rule)
		}
	}
	if !slices.Contains(patterns, "oui , ( …") {
		t.Errorf("got %q, want \"oui , ( …\"", patterns)
	}
}

// TestCountsAgreeWithAPlainScan recounts every context of the result by
// scanning the text word by word.
func TestCountsAgreeWithAPlainScan(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("la le avec chez merci salut et ou Bruno Clara Zoé pain vin jour")
	var texts []string
	for range 60 {
		var text []string
		for range 3 + random.IntN(9) {
			text = append(text, words[random.IntN(len(words))])
		}
		texts = append(texts, strings.Join(text, " "))
	}
	kept, rejected, _ := (&Contextual{MaxFrequency: 12}).Learn(read(texts...), NewCatalogue(firstNames("Bruno", "Clara")))
	rules := append(kept, rejected...)
	if len(rules) < 30 {
		t.Fatalf("only %d contexts: the test proves nothing", len(rules))
	}
	isKnown := func(w string) bool { return w == "bruno" || w == "clara" }
	for _, rule := range rules {
		known, total := 0, 0
		for _, text := range texts {
			items := append([]string{boundaryItem}, append(strings.Fields(strings.ToLower(strings.ReplaceAll(text, "é", "e"))), boundaryItem)...)
			for at := range items {
				if at == len(items)-1 && rule.Side == Right || at == 0 && rule.Side == Left {
					continue
				}
				if stands(rule, items, at, isKnown) {
					total++
					if isKnown(items[at]) {
						known++
					}
				}
			}
		}
		if known != rule.Known || total != rule.Total {
			t.Errorf("%s: counted %d/%d, a plain scan counts %d/%d", rule, rule.Known, rule.Total, known, total)
		}
	}
}

func stands(rule ContextRule, items []string, at int, isKnown func(string) bool) bool {
	from := at - len(rule.Items)
	if rule.Side == Right {
		from = at + 1
	}
	if from < 0 || from+len(rule.Items) > len(items) {
		return false
	}
	for i, want := range rule.Items {
		got := items[from+i]
		if isKnown(got) {
			got = "<first name>"
		}
		if got != want {
			return false
		}
	}
	return true
}

func TestCapitalisedContextsRevealNamesOnTheNextCorpus(t *testing.T) {
	store, err := StarterContexts()
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"bonjour à tous, je m'appelle Zéphyrine !", "Hello, my name is Oluwaseun.", "hola, me llamo Itziar",
		"ciao, mi chiamo Ludovica", "oi, eu me chamo Iracema", "hola, em dic Meritxell", "A bientôt,\nGontran"}
	found := Run(read(texts...), NewCatalogue(nil), &Contextual{Kept: store})
	surest := make(map[string]float64)
	for _, c := range found {
		surest[c.Form] = c.Score
	}
	for _, name := range strings.Fields("Zéphyrine Oluwaseun Itziar Ludovica Iracema Meritxell Gontran") {
		if surest[name] < 0.5 {
			t.Errorf("%s: score %.2f, want at least 0.5", name, surest[name])
		}
	}
	store.Reject("em dic …")
	for _, c := range Run(read("hola, em dic Meritxell"), NewCatalogue(nil), &Contextual{Kept: store}) {
		if c.Form == "Meritxell" && strings.Contains(fmt.Sprint(c.Evidence), "em dic") {
			t.Error("a rejected context is still in use")
		}
	}
}

func TestStarterContextsCoverSixLanguages(t *testing.T) {
	store, err := StarterContexts()
	if err != nil {
		t.Fatal(err)
	}
	perLanguage := make(map[string]int)
	for _, rule := range store.Rules() {
		perLanguage[rule.Lang]++
		if !rule.readable() {
			t.Errorf("%q does not read back", rule)
		}
	}
	for _, lang := range strings.Fields("fr en es it pt ca") {
		if perLanguage[lang] < 40 {
			t.Errorf("%s: %d contexts", lang, perLanguage[lang])
		}
	}
}

func TestContextsSurviveSavingAndStayPrivate(t *testing.T) {
	c := read(galaText...)
	kept, _, _ := (&Contextual{MaxFrequency: 6}).Learn(c, NewCatalogue(firstNames(galaNames...)))
	store := NewContexts()
	if taken := store.Capitalise(c, kept); taken == 0 || taken >= len(kept) {
		t.Fatalf("%d of %d contexts taken, want some: not those of one sight or one person", taken, len(kept))
	}
	store.Reject("merci …")
	folder := filepath.Join(t.TempDir(), "contexts")
	if err := store.Save(folder); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(folder, "und.txt"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v (%v), want 0600", info.Mode(), err)
	}
	again, err := OpenContexts(folder)
	if err != nil {
		t.Fatal(err)
	}
	if !again.Rejected(ContextRule{Side: Left, Items: []string{"merci"}}) {
		t.Error("a rejected context came back into use")
	}
	for _, rule := range store.Rules() {
		read, ok := again.rules[rule.String()]
		if !ok || read.Known != rule.Known || read.Total != rule.Total || read.Category != rule.Category {
			t.Errorf("%q came back as %+v", rule, read)
		}
	}
}

func TestAPhraseOfOnePersonIsNotCapitalised(t *testing.T) {
	b := NewBuilder()
	post := func(author, text string) {
		b.Add(detect.NewDocument(corpus.Post{Author: author}, "body", []byte(text)))
	}
	for i := range 3 {
		post("a", "mon grand zygomar Bruno")
		post(fmt.Sprint("b", i), "merci Clara")
	}
	c := b.Corpus()
	kept, _, _ := (&Contextual{}).Learn(c, NewCatalogue(firstNames("Bruno", "Clara")))
	store := NewContexts()
	store.Capitalise(c, kept)
	var patterns []string
	for _, rule := range store.Rules() {
		patterns = append(patterns, rule.String())
	}
	if slices.ContainsFunc(patterns, func(p string) bool { return strings.Contains(p, "zygomar") }) || !slices.Contains(patterns, "merci …") {
		t.Errorf("kept %q, want merci and not one person's phrase", patterns)
	}
}

func TestUnreadableContextFilesSayWhere(t *testing.T) {
	for _, line := range []string{"je m'appelle", "a … b", "… …", "…", "merci …\tsurname", "merci …\tfirst_name\t3/2", "merci …\tfirst_name\tx"} {
		_, err := ReadRules(strings.NewReader("# fine\n"+line+"\n"), "fr.txt", "fr")
		if fault.CodeOf(err) != fault.Usage || !strings.Contains(err.Error(), "fr.txt: line 2: ") {
			t.Errorf("%q: got %v", line, err)
		}
	}
}

func FuzzRulesReadBack(f *testing.F) {
	f.Add("je m'appelle …")
	f.Add("… , <first name> <edge>")
	f.Add("# …")
	f.Fuzz(func(t *testing.T, pattern string) {
		rules, err := ReadRules(strings.NewReader(pattern), "x", "fr")
		if err != nil {
			return
		}
		for _, rule := range rules {
			again, err := ReadRules(strings.NewReader(rule.String()), "x", "fr")
			if rule.readable() && (err != nil || len(again) != 1 || !slices.Equal(again[0].Items, rule.Items) || again[0].Side != rule.Side) {
				t.Errorf("%q reads back as %v (%v)", rule, again, err)
			}
		}
	})
}

// forumOf makes a forum of posts of fifty words, in which names stand after
// greetings and elsewhere.
func forumOf(posts int, names []string) []string {
	random := rand.New(rand.NewPCG(9, 9))
	words := syllables(20_000, 5)
	greetings := strings.Fields("merci bonjour salut bravo cher")
	texts := make([]string, posts)
	for i := range texts {
		var b strings.Builder
		fmt.Fprintf(&b, "%s %s,", greetings[random.IntN(len(greetings))], names[random.IntN(len(names))])
		for range 48 {
			// A few words are very frequent, most are rare.
			b.WriteString(" " + words[int(float64(len(words))*random.Float64()*random.Float64()*random.Float64())])
		}
		texts[i] = b.String()
	}
	return texts
}

// BenchmarkContextualMining mines 40,000 posts (2,000,000 words) with 2,000 known
// names. "readings" is its time over that of reading the same posts into a
// corpus, a single pass over the text.
func BenchmarkContextualMining(b *testing.B) {
	names := syllables(4000, 6)
	for i, name := range names {
		names[i] = strings.ToUpper(name[:1]) + name[1:]
	}
	texts := forumOf(40_000, names)
	start := cpuTime()
	c := read(texts...)
	reading := cpuTime() - start
	catalogue := NewCatalogue(firstNames(names[:2000]...))
	store, err := StarterContexts()
	if err != nil {
		b.Fatal(err)
	}
	start = cpuTime()
	candidates := 0
	for b.Loop() {
		candidates = len((&Contextual{Kept: store}).Mine(c, catalogue))
	}
	ours := (cpuTime() - start) / time.Duration(b.N)
	b.ReportMetric(float64(ours)/float64(reading), "readings")
	b.ReportMetric(float64(c.Words())/ours.Seconds()/1e6, "Mwords/cpu-s")
	b.ReportMetric(float64(candidates), "candidates")
}

func TestFrequentContextsAreMoreFrequentInLargerCorpora(t *testing.T) {
	for words, want := range map[int]int{0: 50, nomadesWords: 50, 4 * nomadesWords: 100, 100 * nomadesWords: 500} {
		if got := MaxFrequencyOf(words); got != want {
			t.Errorf("%d words: %d, want %d", words, got, want)
		}
	}
}
