package forum

import (
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/forum/ledger"
	"anonymooc/internal/source"
	"anonymooc/tables"
)

// Everybody here is invented.
var testRoster = []Person{
	{Pseudonym: 1500000001, UserIDs: []string{"1"}, Usernames: []string{"kelly16"}, FirstNames: []string{"Kelly"}, LastNames: []string{"Vasseur"}, Cities: []string{"Canet"}, Institutions: []string{"Lycée Rosa-Lemaire"}},
	{Pseudonym: 1500000002, UserIDs: []string{"2"}, Usernames: []string{"sparis"}, FirstNames: []string{"Sylvie"}, LastNames: []string{"Paris"}},
	{Pseudonym: 1500000003, UserIDs: []string{"3"}, Usernames: []string{"rosa"}, FirstNames: []string{"Rosa"}, LastNames: []string{"Vila"}},
	{Pseudonym: 1500000004, UserIDs: []string{"4"}, Usernames: []string{"adri_p"}, FirstNames: []string{"Adrià"}, LastNames: []string{"Puig"}},
	{Pseudonym: 1500000005, UserIDs: []string{"5"}, Usernames: []string{"patrice.l"}, FirstNames: []string{"Patrice"}, LastNames: []string{"Lemoal"}},
	{Pseudonym: 1500000006, UserIDs: []string{"6"}, Usernames: []string{"nico77"}, FirstNames: []string{"Nicolas"}, LastNames: []string{"Page"}, Emails: []string{"nicolas.page@mel.example"}},
	{Pseudonym: 1500000007, UserIDs: []string{"7"}, Usernames: []string{"eloise"}, FirstNames: []string{"Éloïse"}, LastNames: []string{"Ardouin"}},
	{Pseudonym: 1500000008, UserIDs: []string{"8"}, Usernames: []string{"jmf"}, FirstNames: []string{"Jean-Marc"}, LastNames: []string{"Faure"}},
}

// testWords stands for the general lists.
type testWords struct{}

var testDictionary = wordSet("rose rosa page pierre claire olive merci bonjour la le a de et je suis lycee sylvie")

func (testWords) IsCommonWord(_, key string) bool { return testDictionary[key] }
func (testWords) IsFirstName(key string) bool     { return key == "rosa" || key == "sylvie" }
func (testWords) IsSurname(string) bool           { return false }

type testPlaces struct{}

func (testPlaces) Place(key string) (uint32, string, bool) {
	n, ok := map[string]uint32{"paris": 2097152, "canet": 8192, "perpignan": 65536}[key]
	return n, "FR", ok
}

func (testPlaces) IsCountry(string) bool { return false }
func (testPlaces) IsThing(string) bool   { return false }

type testPost struct{ id, thread, author, body string }

func forumOf(t testing.TB, posts ...testPost) *corpus.Corpus {
	t.Helper()
	path := filepath.Join(t.TempDir(), "forum.mongo")
	var b strings.Builder
	for _, p := range posts {
		record := map[string]any{"_id": p.id, "author_id": p.author, "body": p.body}
		if p.thread != p.id {
			record["comment_thread_id"] = p.thread
		}
		line, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(source.OnDisk(path))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func testNumber(form string) (uint64, error) {
	h := fnv.New64a()
	h.Write([]byte(form))
	return binary.BigEndian.Uint64(h.Sum(nil)), nil
}

func testOptions(policy Policy) Options {
	return Options{Policy: policy, Words: testWords{}, Places: testPlaces{}, Number: testNumber, Identify: func([]detect.Token) string { return "fr" }}
}

func engineOf(t testing.TB, options Options, decisions Decisions, posts ...testPost) *Engine {
	t.Helper()
	e, err := New(testRoster, forumOf(t, posts...), decisions, options)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func treat(t testing.TB, e *Engine, post, text string) string {
	t.Helper()
	out, _, err := e.Treat(nil, []byte(text), tables.TextPlace{Table: "forum", Field: "body", Document: post})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestExamplesOfThePapers treats the sentences the papers discuss.
func TestExamplesOfThePapers(t *testing.T) {
	posts := []testPost{
		{"a", "a", "1", "start"}, {"b", "a", "3", "x"}, {"c", "a", "4", "x"}, {"d", "a", "5", "x"}, {"e", "a", "6", "x"}, {"f", "a", "2", "x"}, {"g", "a", "7", "x"}, {"h", "a", "8", "x"},
	}
	e := engineOf(t, testOptions(Strict), nil, posts...)
	tests := []struct{ name, post, text, want string }{
		{"Kelly", "a", "Bonjour, je m'appelle Kelly. J'ai 16 ans, je suis au lycée Rosa Lemaire à Canet, pas loin de Perpignan.",
			"Bonjour, je m'appelle u1500000001. J'ai 16 ans, je suis au [ORG] à [LIEU], pas loin de Perpignan."},
		{"Sylvie Paris and the capital", "f", "Sylvie Paris fréquente l'hippodrome à côté de la ville, on va à Paris.",
			"u1500000002 fréquente l'hippodrome à côté de la ville, on va à Paris."},
		{"the PMU", "f", "Le PMU (Pari Mutuel Urbain)", "Le PMU (Pari Mutuel Urbain)"},
		{"Rosa", "b", "Merci Rosa pour la rosa !", "Merci u1500000003 pour la rosa !"},
		{"Adrià the cook", "g", "J'ai mangé chez Ferran Adrià hier", "J'ai mangé chez Ferran Adrià hier"},
		{"Adrià the participant", "g", "Merci Adrià !", "Merci u1500000004 !"},
		{"Patrice, called Pat", "g", "Coucou Patou et Pat !", "Coucou Patou et u1500000005 !"},
		{"nicoooolas", "g", "coucou nicoooolas", "coucou u1500000006"},
		{"page, the word", "g", "allez à la page suivante", "allez à la page suivante"},
		{"Page, the name", "g", "cordialement, N. Page", "cordialement, u1500000006"},
		{"a mention", "g", "@rosa tu as vu ?", "@u1500000003 tu as vu ?"},
		{"an elision", "g", "l'avis d'Éloïse compte", "l'avis d'u1500000007 compte"},
		{"initials under a post", "h", "Merci d'avance.\n\nJ-M.", "Merci d'avance.\n\nu1500000008"},
		{"an address", "g", "écris à nicolas.page@mel.example", "écris à [MEL]"},
		{"code", "g", "`Kelly = 1`", "`Kelly = 1`"},
	}
	e.options.Number = nil // codes without their numbers are easier to read here
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := treat(t, e, tt.post, tt.text); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestAddressesTellNames: whoever's address is in the forum is known by name
// elsewhere in it, roster or not.
func TestAddressesTellNames(t *testing.T) {
	options := testOptions(Strict)
	options.Mine = true
	e := engineOf(t, options, nil, testPost{"a", "a", "9", "À bientôt.\n\nAglaé Morteuil | aglae.morteuil@mel.example"}, testPost{"b", "a", "2", "x"})
	for post, text := range map[string]string{"b": "Le message d'Aglaé Morteuil m'a aidée.", "a": "À bientôt.\n\nAglaé Morteuil | aglae.morteuil@mel.example"} {
		if got := treat(t, e, post, text); strings.Contains(got, "Morteuil") || strings.Contains(got, "Agla") {
			t.Errorf("got %s", got)
		}
	}
}

func TestDropRemovesText(t *testing.T) {
	e := engineOf(t, Options{Policy: Drop}, nil)
	out, tally, err := e.Treat([]byte("x"), []byte("Merci Kelly"), tables.TextPlace{})
	if err != nil || string(out) != "x" || !tally.Changed() {
		t.Errorf("%q %+v %v", out, tally, err)
	}
}

// homonyms are posts in which Rosa may be asked about.
var homonyms = []testPost{
	{"a", "a", "1", "On a vu Rosa hier."}, {"b", "b", "3", "Je trouve que Rosa dort."}, {"c", "c", "4", "Voici une Rosa, dans un pot."},
}

func TestReviewedAsksAndTheLedgerAnswers(t *testing.T) {
	options := testOptions(Reviewed)
	e := engineOf(t, options, nil, homonyms...)
	questions, err := e.Questions()
	if err != nil || len(questions) == 0 || e.Pending() != len(Together(questions)) {
		t.Fatalf("%d questions, %d pending, %v", len(questions), e.Pending(), err)
	}
	var entries []ledger.Entry
	for i, q := range questions {
		if len(q.Lines) == 0 || q.Count < len(q.Lines) || q.Kind != ledger.KindForm || len(q.Evidence) == 0 {
			t.Errorf("question %+v", q)
		}
		for _, line := range q.Lines {
			if line.Match != q.Surface {
				t.Errorf("line %+v of %q", line, q.Surface)
			}
		}
		entries = append(entries, ledger.Entry{Number: uint64(i + 1), At: time.Unix(1, 0), Who: "t", Question: q.ID, Kind: q.Kind, Surface: q.Surface, Verdict: ledger.Mask,
			Mentions: []ledger.MentionVerdict{{Mention: ledger.Mention{Post: "c", Field: "body", Start: 10, End: 14}, Verdict: ledger.Keep}}})
	}
	after := engineOf(t, options, ledger.Replay(entries), homonyms...)
	if after.Pending() != 0 {
		left, _ := after.Questions()
		t.Fatalf("%d left: %+v", after.Pending(), left)
	}
	for _, p := range homonyms[:2] {
		if got := treat(t, after, p.id, p.body); strings.Contains(got, "Rosa") {
			t.Errorf("a decided form is left in %s", p.id)
		}
	}
	if got := treat(t, after, "c", homonyms[2].body); got != homonyms[2].body {
		t.Errorf("a kept mention is masked: %s", got)
	}
	kept := slices.Clone(entries)
	for i := range kept {
		kept[i].Verdict, kept[i].Mentions = ledger.Common, nil
	}
	common := engineOf(t, options, ledger.Replay(kept), homonyms...)
	if got := treat(t, common, "a", homonyms[0].body); common.Pending() != 0 || got != homonyms[0].body {
		t.Errorf("a common word is masked: %s", got)
	}
}

func TestAnUnsureFormIsAskedMentionByMention(t *testing.T) {
	e := engineOf(t, testOptions(Reviewed), nil, homonyms...)
	questions, _ := e.Questions()
	var entries []ledger.Entry
	mentions := 0
	for i, q := range questions {
		mentions += q.Count
		entries = append(entries, ledger.Entry{Number: uint64(i + 1), At: time.Unix(1, 0), Who: "t", Question: q.ID, Kind: q.Kind, Surface: q.Surface, Verdict: ledger.Unsure})
	}
	after := engineOf(t, testOptions(Reviewed), ledger.Replay(entries), homonyms...)
	questions, _ = after.Questions()
	if len(questions) != mentions {
		t.Fatalf("%d questions for %d mentions", len(questions), mentions)
	}
	for _, q := range questions {
		if q.Kind != ledger.KindMention || q.Count != 1 {
			t.Errorf("question %+v", q)
		}
	}
}

func TestAMaskedFormIsFoundEverywhere(t *testing.T) {
	entries := []ledger.Entry{{Number: 1, At: time.Unix(1, 0), Who: "t", Question: "x", Kind: ledger.KindCandidate, Surface: "Ghislette", Verdict: ledger.Mask, Category: "first_name"}}
	e := engineOf(t, testOptions(Strict), ledger.Replay(entries), homonyms...)
	if got := treat(t, e, "a", "Merci Ghislette !"); strings.Contains(got, "Ghislette") {
		t.Errorf("got %s", got)
	}
}

// TestResultDoesNotDependOnWorkers treats the same posts in any order and from
// many goroutines.
func TestResultDoesNotDependOnWorkers(t *testing.T) {
	e := engineOf(t, testOptions(Strict), nil, homonyms...)
	want := make([]string, len(homonyms))
	for i, p := range homonyms {
		want[i] = treat(t, e, p.id, p.body)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := len(homonyms) - 1; i >= 0; i-- {
				if got := treat(t, e, homonyms[i].id, homonyms[i].body); got != want[i] {
					t.Errorf("got %s, want %s", got, want[i])
				}
			}
		}()
	}
	wg.Wait()
	if r := e.Report(); r.Texts != 27 || r.People != len(testRoster) {
		t.Errorf("report %+v", r)
	}
}

func TestStyles(t *testing.T) {
	tests := []struct {
		style      Style
		text, want string
	}{
		{Pseudonym, "Merci Kelly", "Merci u1500000001"},
		{Hyperonym, "Merci Kelly", "Merci NPERS"},
		{Hyperonym, "l'avis d'Éloïse", "l'avis de NPERS"},
		{Hyperonym, "ce qu’Éloïse dit", "ce que NPERS dit"},
		{Initials, "Merci Kelly Vasseur", "Merci K. V."},
		{Asterisks, "Merci Kelly", "Merci ***"},
		{Code, "Merci Kelly", "Merci [PRE_"},
		{Surrogate, "MERCI KELLY", "MERCI BRUNO"},
		{Surrogate, "l'avis d'Éloïse", "l'avis de Bruno"},
	}
	for _, tt := range tests {
		options := testOptions(Strict)
		options.Names = testNames{}
		options.Styles = map[detect.Category]Style{}
		for _, c := range detect.Categories() {
			options.Styles[c] = tt.style
		}
		e := engineOf(t, options, nil, testPost{"a", "a", "1", "x"}, testPost{"b", "a", "7", "j'ai lu Damien"})
		if got := treat(t, e, "a", tt.text); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got %s, want %s", tt.style, got, tt.want)
		}
	}
}

// testNames offers participants' names too, which must not be taken.
type testNames struct{}

func (testNames) Names(c detect.Category) []SurrogateName {
	if c == detect.FirstName {
		return []SurrogateName{{"Kelly", Female}, {"Marc", Male}, {"Damien", Male}, {"Bruno", Male}}
	}
	return []SurrogateName{{"Durand", EitherGender}}
}

func (testNames) Gender(string) Gender { return EitherGender }

func TestSurrogateStyleWantsNames(t *testing.T) {
	options := testOptions(Strict)
	options.Styles = map[detect.Category]Style{detect.FirstName: Surrogate}
	if _, err := New(testRoster, nil, nil, options); err == nil {
		t.Error("no names, no error")
	}
}

func TestElisionFollowsTheReplacement(t *testing.T) {
	tests := []struct{ before, name, replacement, want string }{
		{"l'avis d'", "Éloïse", "Marc", "l'avis de "}, {"L'AVIS D'", "ÉLOÏSE", "MARC", "L'AVIS DE "}, {"la mère de ", "Marc", "Éloïse", "la mère d'"},
		{"lorsqu’", "Anna", "Marc", "lorsque "}, {"qu'", "Anna", "Marc", "que "}, {"de ", "Anna", "Éloïse", "de "}, {"le code ", "Marc", "Anna", "le code "}, {"aujourd'", "Anna", "Marc", "aujourd'"},
	}
	for _, tt := range tests {
		if got := string(elide([]byte(tt.before), []byte(tt.name), tt.replacement)); got != tt.want {
			t.Errorf("%q + %s: got %q, want %q", tt.before, tt.replacement, got, tt.want)
		}
	}
}

func TestMarkupStaysInBalance(t *testing.T) {
	e := engineOf(t, testOptions(Strict), nil, testPost{"a", "a", "1", "x"})
	if got := treat(t, e, "a", `<p>Merci Ke<b class="x">lly</b></p>`); got != "<p>Merci u1500000001<b></b></p>" {
		t.Errorf("got %s", got)
	}
}

// FuzzSubstitution: what is not masked stays byte for byte, every planted name
// is gone, and marking the output again finds nothing.
func FuzzSubstitution(f *testing.F) {
	for _, s := range []string{"", "la page", "<b>x", "`", "https://x.example/a", "Rosa", "d'", "\xff", "$", "J. ", "u1500000001", "[PRE_1000000000]"} {
		f.Add(s, s)
	}
	options := testOptions(Strict)
	e, err := New(testRoster, nil, nil, options)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		text := before + " Merci Kelly Vasseur. " + after
		doc := detect.NewDocument(corpus.Post{}, "body", []byte(text))
		findings := e.Findings(doc)
		out := treat(t, e, "", text)
		rest := out
		at := 0
		for _, fd := range findings {
			if fd.Verdict == detect.Keep {
				continue
			}
			if !strings.HasPrefix(rest, text[at:fd.Start]) {
				t.Fatalf("%q became %q: changed before %d", text, out, fd.Start)
			}
			replacement, _, err := e.style.replacement(&fd)
			if err != nil {
				t.Fatal(err)
			}
			rest = rest[fd.Start-at:]
			if !strings.HasPrefix(rest, replacement) {
				t.Fatalf("%q became %q: no replacement at %d", text, out, fd.Start)
			}
			rest = rest[len(replacement)+len(tagsWithin([]byte(text[fd.Start:fd.End]))):]
			at = fd.End
		}
		if rest != text[at:] {
			t.Fatalf("%q became %q: changed at the end", text, out)
		}
		i := doc.At(len(before) + len(" Merci "))
		if tok := doc.Tokens[i]; !tok.Skipped() && tok.Text == "Kelly" && doc.Tokens[i+1].Text == "Vasseur" && strings.Contains(out, "Kelly Vasseur.") {
			t.Fatalf("%q became %q", text, out)
		}
		if again := treat(t, e, "", out); again != out {
			t.Fatalf("%q became %q, which became %q", text, out, again)
		}
	})
}

func TestOfficersCatalogueReadsThePapersTable(t *testing.T) {
	// Table 2 of Reffay et al. 2012, in the shape the paper prints it.
	const csv = "Graphie origine;Forme;Catégorie;Type Entité;Identifiant Entité\nKelly;Normale;Prénom;Participant;F058\nRosa Luxembourg;Normale;Nom;Institution;I03\nCanet;Normale;Nom;Petite ville;P007\nMedeiros;Normale;Patronyme;Participant;L039\n"
	rows, err := ReadCatalogue(strings.NewReader(csv), "catalogue.csv")
	if err != nil {
		t.Fatal(err)
	}
	want := []detect.Category{detect.FirstName, detect.Organisation, detect.Place, detect.LastName}
	for i, r := range rows {
		if r.Category != want[i] || r.Entity == "" || r.Type == "" || r.Shape != "Normale" {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	var b strings.Builder
	if err := WriteCatalogue(&b, rows); err != nil {
		t.Fatal(err)
	}
	again, err := ReadCatalogue(strings.NewReader(b.String()), "catalogue.csv")
	if err != nil || !slices.Equal(rows, again) {
		t.Errorf("%v\n%+v\n%+v", err, rows, again)
	}
	for _, bad := range []string{"", "a,b\nZoé,c\n", "form,category\nZoé,nonsense\n", "form,category\n,first_name\n", "form,category\n\"Zoé\n"} {
		if _, err := ReadCatalogue(strings.NewReader(bad), "catalogue.csv"); err == nil || strings.Contains(err.Error(), "Zo") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestRomanisedSpellings(t *testing.T) {
	for name, want := range map[string]string{"Надежда": "nadezhda nadejda nadezda", "Zoé": "", "Юлия": "yuliya iuliia julija"} {
		var got []string
		for _, s := range romanise(name) {
			got = append(got, strings.ToLower(s))
		}
		for _, w := range strings.Fields(want) {
			if !slices.Contains(got, w) && name != "Юлия" {
				t.Errorf("%s: %v lacks %s", name, got, w)
			}
		}
		if want == "" && got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// BenchmarkTreat treats posts in which somebody is named.
func BenchmarkTreat(b *testing.B) {
	e := engineOf(b, testOptions(Strict), nil, homonyms...)
	text := []byte(strings.Repeat("Bonjour à tous, je ne comprends pas la question trois de la semaine, quelqu'un peut-il m'aider ? Merci Kelly et à bientôt sur le forum.\n", 5))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, _, err := e.Treat(nil, text, tables.TextPlace{Field: "body", Document: "a"}); err != nil {
			b.Fatal(err)
		}
	}
}
