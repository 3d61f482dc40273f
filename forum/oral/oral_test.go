package oral

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"anonymooc/forum"
	"anonymooc/forum/detect"
	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
	"anonymooc/internal/source"
)

// newDomain makes an id map of its own.
func newDomain(t testing.TB) *idmap.Domain {
	t.Helper()
	m, err := idmap.Create(filepath.Join(t.TempDir(), "map"), idmap.Options{
		Key: secret.Key{Secret: secret.New(bytes.Repeat([]byte{7}, 32))}, Purpose: "test", Rand: rand.NewChaCha8([32]byte{1}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	domain, err := m.Domain("test")
	if err != nil {
		t.Fatal(err)
	}
	return domain
}

// treaterFor opens the whole engine on transcripts, as the command does.
func treaterFor(t testing.TB, domain *idmap.Domain, codes Codes, listed []Speaker, transcripts ...*Transcript) *Treater {
	t.Helper()
	plan, err := NewPlan(domain, codes, listed, transcripts)
	if err != nil {
		t.Fatal(err)
	}
	options, err := forum.Standard()
	if err != nil {
		t.Fatal(err)
	}
	options.Strangers = true
	if options.Rows, err = plan.Forgotten(transcripts); err != nil {
		t.Fatal(err)
	}
	var posts []source.File
	for _, transcript := range transcripts {
		posts = append(posts, transcript.Posts())
	}
	engine, err := forum.Open(domain, posts, forum.Folder(t.TempDir()), options)
	if err != nil {
		t.Fatal(err)
	}
	return &Treater{
		Engine: engine, Identify: options.Identify, Plan: plan, Timing: Timing{Margin: DefaultMargin},
		FileName: func(string) (string, error) { return "oral_1", nil },
	}
}

func parse(t testing.TB, name, text string) *Transcript {
	t.Helper()
	transcript, err := Parse(name, []byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	return transcript
}

// code is what people look like in a release; numbered in the order of their
// first appearance they can be compared.
var code = regexp.MustCompile(`u[12][0-9]{9}|\[[A-Z]+_[0-9]{10}\]`)

func numbered(text string) string {
	seen := make(map[string]string)
	return code.ReplaceAllStringFunc(text, func(found string) string {
		if seen[found] == "" {
			seen[found] = "<" + string(rune('A'+len(seen))) + ">"
		}
		return seen[found]
	})
}

func TestReleasedTranscripts(t *testing.T) {
	for _, test := range []struct{ name, file, text, want string }{
		{"voices, notes, settings and line ends", "a.vtt",
			"\ufeffWEBVTT - Entretien avec Zéphyrine Brun\r\nLanguage: fr\r\n\r\nNOTE\r\nTranscrit par Octave Silence.\r\n\r\nSTYLE\r\n::cue(v[voice=\"Octave Silence\"]) { color: red }\r\n\r\n" +
				"1\r\n00:00:00.000 --> 00:00:03.000 align:start position:10%\r\n<v.loud Octave Silence>Bonjour Zéphyrine, <i>vous</i> habitez où ?\r\n\r\n" +
				"00:03.000 --> 00:07.500\r\n<v Zéphyrine Brun>Ici, &amp; je m'appelle Zéphy<b>rine</b> <00:05.000>Brun.\r\n",
			"\ufeffWEBVTT - Entretien avec <A>\r\nLanguage: fr\r\n\r\nNOTE\r\nTranscrit par <B>.\r\n\r\nSTYLE\r\n::cue(v[voice=\"<B>\"]) { color: red }\r\n\r\n" +
				"1\r\n00:00:00.000 --> 00:00:03.000 align:start position:10%\r\n<v.loud <B>>Bonjour <A>, <i>vous</i> habitez où ?\r\n\r\n" +
				"00:03.000 --> 00:07.500\r\n<v <A>>Ici, &amp; je m'appelle <A><b></b> <00:05.000><A>.\r\n"},
		{"a name over two cues", "b.vtt",
			"WEBVTT\n\n00:00.000 --> 00:02.000\n<v Octave Silence>Je vous présente Zéphyrine\n\n00:02.000 --> 00:04.000\n<v Octave Silence>Brun, ma voisine.\n\n00:04.000 --> 00:05.000\n<v Zéphyrine Brun>Enchantée.\n",
			"WEBVTT\n\n00:00.000 --> 00:02.000\n<v <A>>Je vous présente <B>\n\n00:02.000 --> 00:04.000\n<v <A>><B>, ma voisine.\n\n00:04.000 --> 00:05.000\n<v <B>>Enchantée.\n"},
		{"speakers before a colon", "c.srt",
			"1\n00:00:00,000 --> 00:00:02,000\n- OCTAVE: Attention : ça commence, Capucine.\n- Capucine: Oui.\n\n2\n00:00:02,000 --> 00:00:04,000\n{\\an8}OCTAVE: Merci Capucine !\n\n3\n00:00:04,000 --> 00:00:05,000\nOCTAVE: Bien.\nCapucine: Oui.\n",
			"1\n00:00:00,000 --> 00:00:02,000\n- <A>: Attention : ça commence, <B>.\n- <B>: Oui.\n\n2\n00:00:02,000 --> 00:00:04,000\n{\\an8}<A>: Merci <B> !\n\n3\n00:00:04,000 --> 00:00:05,000\n<A>: Bien.\n<B>: Oui.\n"},
		{"a speaker who is met once", "e.srt",
			"1\n00:00:00,000 --> 00:00:02,000\nOCTAVE: Attention : ça commence.\n\n2\n00:00:02,000 --> 00:00:04,000\nOCTAVE: Bien.\nÉloïse Lemoal: Oui.\nPS: rien.\n",
			"1\n00:00:00,000 --> 00:00:02,000\n<A>: Attention : ça commence.\n\n2\n00:00:02,000 --> 00:00:04,000\n<A>: Bien.\n<B>: Oui.\nPS: rien.\n"},
		{"Transcriber in Latin-1", "d.trs", latin1(transcriberFile), latin1(transcriberWant)},
	} {
		t.Run(test.name, func(t *testing.T) {
			transcript := parse(t, test.file, test.text)
			treated, err := treaterFor(t, newDomain(t), RandomCodes, nil, transcript).Treat(transcript)
			if err != nil {
				t.Fatal(err)
			}
			if got := numbered(string(treated.Raw)); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

const transcriberFile = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE Trans SYSTEM "trans-14.dtd">
<Trans scribe="Octave Silence" audio_filename="brun_zephyrine" version="3" version_date="090503">
<Speakers>
<Speaker id="spk1" name="Octave Silence" check="no" type="male" dialect="native" accent="" scope="local"/>
<Speaker id="ZB" name="Zéphyrine Brun" check="no" type="female" dialect="native" accent="" scope="local"/>
</Speakers>
<Episode program="conversation" air_date="1969-05-17">
<Section type="report" startTime="0" endTime="12.5">
<Turn startTime="0" endTime="4.2" speaker="spk1">
<Sync time="0"/>
vous vous appelez euh Zéphyrine
<Sync time="2.512345678"/>
Brun <Event desc="rire" type="noise" extent="instantaneous"/> n'est-ce pas
</Turn>
<Turn speaker="ZB spk1" startTime="4.2" endTime="12.5" mode="spontaneous">
<Sync time="4.2"/>
<Who nb="1"/>
oui et voilà ma fille Éloïse Brun
<Who nb="2"/>
bonjour Éloïse
</Turn>
</Section>
</Episode>
</Trans>
`

const transcriberWant = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE Trans SYSTEM "trans-14.dtd">
<Trans scribe="<A>" audio_filename="oral_1" version="3" version_date="09">
<Speakers>
<Speaker id="spk1" name="<A>" check="no" type="male" dialect="native" accent="" scope="local"/>
<Speaker id="id_1" name="<B>" check="no" type="female" dialect="native" accent="" scope="local"/>
</Speakers>
<Episode program="conversation" air_date="1969">
<Section type="report" startTime="0" endTime="12.5">
<Turn startTime="0" endTime="4.2" speaker="spk1">
<Sync time="0"/>
vous vous appelez euh <B>
<Sync time="2.512345678"/>
<B> <Event desc="rire" type="noise" extent="instantaneous"/> n'est-ce pas
</Turn>
<Turn speaker="id_1 spk1" startTime="4.2" endTime="12.5" mode="spontaneous">
<Sync time="4.2"/>
<Who nb="1"/>
oui et voilà ma fille <C>
<Who nb="2"/>
bonjour <D>
</Turn>
</Section>
</Episode>
</Trans>
`

func latin1(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteByte(byte(r))
	}
	return b.String()
}

// TestEverythingElseStays: without findings a transcript changes at its labels
// alone, and whatever the engine sees leads back to the bytes it was read from.
func TestEverythingElseStays(t *testing.T) {
	for name, text := range seeds {
		transcript, err := Parse(name, []byte(text), "")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checkMap(t, transcript)
	}
}

var seeds = map[string]string{
	"a.vtt": "WEBVTT\n\n1\n00:01.000 --> 00:02.000 line:0\n<v Ana>Un <c.x>mot</c> &lt;ici&gt;\nou là\n",
	"b.srt": "1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>Un mot</i>\r\n\r\n\r\n2\r\n00:00:02,000 --> 00:00:03,000\r\n",
	"c.trs": latin1(transcriberFile),
}

func checkMap(t testing.TB, transcript *Transcript) {
	t.Helper()
	for _, turn := range transcript.Turns {
		if len(turn.Text.units) != len(turn.Text.Bytes) {
			t.Fatal("a byte of the text has no place")
		}
		last := -1
		for _, u := range turn.Text.units {
			if u != nowhere && (u.from < last || u.to <= u.from || u.to > len(transcript.Raw)) {
				t.Fatal("the text goes backwards in the file")
			} else if u != nowhere {
				last = u.from
			}
		}
		var back strings.Builder
		for _, run := range turn.Text.runs(0, len(turn.Text.Bytes)) {
			back.WriteString(transcript.encoding.text(transcript.Raw[run.from:run.to]))
		}
		letters := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if got := letters(back.String()); got != letters(string(turn.Text.Bytes)) {
			t.Fatal("the text is not that of its places")
		}
		for _, p := range turn.Parts {
			if p.From < 0 || p.To > len(turn.Text.Bytes) || p.From >= p.To || p.End < p.Start {
				t.Fatalf("a part %+v of %d bytes", p, len(turn.Text.Bytes))
			}
		}
	}
	for _, l := range transcript.Labels {
		if l.From >= l.To || l.To > len(transcript.Raw) {
			t.Fatal("a label without a place")
		}
	}
}

func FuzzParse(f *testing.F) {
	for name, text := range seeds {
		f.Add(filepath.Ext(name), []byte(text))
	}
	f.Add(".vtt", []byte("WEBVTT\n\nREGION\nid:x\n\n00:00.000 --> 00:01.000\n<v A.b c>x<00:00.500>y<v D>z"))
	f.Add(".srt", []byte("1\n00:00:00,000 --> 00:00:01,000\nA: x\nA: y\n[B]: z\n[B]: z"))
	f.Fuzz(func(t *testing.T, ending string, raw []byte) {
		transcript, err := Parse("x"+ending, raw, "")
		if err != nil {
			var one *fault.Fault
			if !errors.As(err, &one) {
				t.Fatalf("not a fault: %v", err)
			}
			return
		}
		checkMap(t, transcript)
	})
}

func TestBrokenTranscripts(t *testing.T) {
	for name, test := range map[string]struct {
		file, text string
		code       fault.Code
		line       int64
	}{
		"no header":          {"a.vtt", "1\n00:01.000 --> 00:02.000\nZéphyrine\n", fault.Usage, 1},
		"empty":              {"a.vtt", "", fault.Usage, 1},
		"times":              {"a.vtt", "WEBVTT\n\n00:01.000 --> Zéphyrine\nx\n", fault.Usage, 3},
		"backwards":          {"a.srt", "1\n00:00:02,000 --> 00:00:01,000\nx\n", fault.Usage, 2},
		"no times":           {"a.srt", "1\n00:00:01,000 --> 00:00:02,000\nx\n\nZéphyrine\n", fault.Usage, 5},
		"not UTF-8":          {"a.srt", "1\n00:00:01,000 --> 00:00:02,000\nZ\xe9phyrine\n", fault.Usage, 3},
		"UTF-16":             {"a.srt", "\xff\xfe1\x00\n\x00", fault.Usage, 0},
		"unknown attribute":  {"a.trs", `<Trans scribe="x"><Speakers><Speaker id="spk1" name="x" shoe="44"/></Speakers></Trans>`, fault.Unbound, 1},
		"unknown element":    {"a.trs", "<Trans>\n<Portrait/></Trans>", fault.Unbound, 2},
		"broken XML":         {"a.trs", "<Trans>\n<Turn>\n</Trans>", fault.Usage, 3},
		"entities":           {"a.trs", `<!DOCTYPE Trans [<!ENTITY z "Zéphyrine">]><Trans>&z;</Trans>`, fault.Usage, 1},
		"CDATA":              {"a.trs", `<Trans><![CDATA[Zéphyrine]]></Trans>`, fault.Usage, 1},
		"a turn's times":     {"a.trs", `<Trans><Turn startTime="Zéphyrine" endTime="2"></Turn></Trans>`, fault.Usage, 1},
		"nobody's number":    {"a.trs", `<Trans><Turn startTime="1" endTime="2" speaker="spk1"><Who nb="2"/></Turn></Trans>`, fault.Usage, 1},
		"encoding":           {"a.trs", `<?xml version="1.0" encoding="EBCDIC"?><Trans/>`, fault.Usage, 0},
		"something else":     {"a.trs", `<html/>`, fault.Usage, 0},
		"neither of the two": {"a.txt", "x", fault.Unbound, 0},
	} {
		_, err := Parse(test.file, []byte(test.text), "")
		var list fault.List
		var f *fault.Fault
		if errors.As(err, &list) {
			f = list[0]
		} else if !errors.As(err, &f) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.Code != test.code || f.Line != test.line || strings.Contains(err.Error()+f.Hint, "phyrine") {
			t.Errorf("%s: %v (exit %d, line %d)", name, err, f.Code, f.Line)
		}
	}
}

func TestCutsHoldTheWord(t *testing.T) {
	transcript := parse(t, "a.vtt", "WEBVTT\n\n00:10.000 --> 00:20.000\n<v Ana Lune>Alors voilà, le jour où Zéphyrine Brun est venue chez nous à la maison.\n\n00:20.000 --> 00:22.000\n<v Zéphyrine Brun>C'est moi.\n")
	treater := treaterFor(t, newDomain(t), RandomCodes, nil, transcript)
	treated, err := treater.Treat(transcript)
	if err != nil {
		t.Fatal(err)
	}
	// Letters 19 to 32 of 56: from 13.4 to 15.7 seconds; the margins are 0.25 and an
	// eighth of the cue.
	if len(treated.Cuts) != 1 || treated.Cuts[0].Start > 13.2 || treated.Cuts[0].Start < 10 || treated.Cuts[0].End < 15.9 || treated.Cuts[0].End > 18 {
		t.Errorf("cut %+v", treated.Cuts)
	}
	treater.Timing.Whole = true
	if treated, err = treater.Treat(transcript); err != nil || len(treated.Cuts) != 1 || treated.Cuts[0].Start > 10 || treated.Cuts[0].End < 20 {
		t.Errorf("whole cue: %+v %v", treated.Cuts, err)
	}
}

func TestNamingPlans(t *testing.T) {
	listed, err := ReadSpeakers(strings.NewReader("locuteur;personne;de;relation;sexe\nBrun mère;;Zéphyrine Brun;MER;F\nZéphyrine Brun;user_id:17;;;F\nspk9;zoe;;;\nspk8;zoe;;;\n"), "speakers.csv")
	if err != nil {
		t.Fatal(err)
	}
	domain := newDomain(t)
	text := "WEBVTT\n\n00:00.000 --> 00:01.000\n<v Zéphyrine Brun>x\n<v Brun mère>y\n<v ZÉPHYRINE  BRUN>y\n<v spk1>z\n<v spk9>z\n<v spk8>z\n"
	one, two := parse(t, "one.vtt", text), parse(t, "two.vtt", text)
	codes := func(c Codes) (all [2][6]string) {
		plan, err := NewPlan(domain, c, listed, []*Transcript{one, two})
		if err != nil {
			t.Fatal(err)
		}
		for i, stem := range []string{"one", "two"} {
			for j, name := range []string{"Zéphyrine Brun", "Brun mère", "ZÉPHYRINE  BRUN", "spk1", "spk9", "spk8"} {
				if all[i][j], err = plan.Code(stem, name); err != nil {
					t.Fatal(err)
				}
			}
		}
		return all
	}
	random, gender, relation := codes(RandomCodes), codes(GenderCodes), codes(RelationCodes)
	account, err := domain.Resolver().Person(idmap.UserID, []byte("17"))
	if err != nil || random[0][0] != account.Username() {
		t.Errorf("the speaker with an account is %s, the account %s", random[0][0], account.Username())
	}
	if random[0][0] != random[1][0] || random[0][0] != random[0][2] || random[0][1] == random[0][0] {
		t.Error("a name is not the same person everywhere")
	}
	if random[0][3] == random[1][3] {
		t.Error("spk1 is the same person in two transcripts")
	}
	if random[0][4] != random[1][5] || random[0][4] == random[0][3] {
		t.Error("the officer's person is not one")
	}
	if gender[0][0] != random[0][0]+"F" || gender[0][3] != random[0][3] {
		t.Errorf("gender codes %v of %v", gender, random)
	}
	if relation[0][1] != random[0][0]+"MER" || relation[0][0] != random[0][0] {
		t.Errorf("relation codes %v of %v", relation, random)
	}
	twice := append(listed, Speaker{Name: "spk1", Of: "Zéphyrine Brun", Relation: "MER"})
	plan, err := NewPlan(domain, RelationCodes, twice, []*Transcript{one})
	if err != nil {
		t.Fatal(err)
	}
	plan.Code("one", "Brun mère")
	if _, err := plan.Code("one", "spk1"); fault.CodeOf(err) != fault.Usage {
		t.Errorf("two mothers have one code: %v", err)
	}
	for _, bad := range []string{"", "person\nx\n", "speaker,shoe\nx,44\n", "speaker,of,relation\nx,y,Brun\n", "speaker,relation\nx,FEM\n", "speaker,gender\nx,femme\n", "speaker\n\"x\n"} {
		if _, err := ReadSpeakers(strings.NewReader(bad), "speakers.csv"); err == nil || strings.Contains(err.Error(), "Brun") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestDroppedTexts(t *testing.T) {
	transcript := parse(t, "a.srt", "1\n00:00:01,000 --> 00:00:02,500\n<i>Bonjour\nZéphyrine</i>\n\n2\n00:00:03,000 --> 00:00:04,000\nOui.\n")
	treater := treaterFor(t, newDomain(t), RandomCodes, nil, transcript)
	treater.Engine = nil
	treated, err := treater.Treat(transcript)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(treated.Raw), "1\n00:00:01,000 --> 00:00:02,500\n<i>[...]\n[...]</i>\n\n2\n00:00:03,000 --> 00:00:04,000\n[...]\n"; got != want {
		t.Errorf("got %q", got)
	}
	if len(treated.Cuts) != 2 || treated.Cuts[0].Start != 1 || treated.Cuts[1].End != 4 {
		t.Errorf("cuts %+v", treated.Cuts)
	}
}

// TestForgottenSpeakers: who was erased says nothing any more, and is not named by
// others either.
func TestForgottenSpeakers(t *testing.T) {
	m, err := idmap.Create(filepath.Join(t.TempDir(), "map"), idmap.Options{Key: secret.Key{Secret: secret.New(bytes.Repeat([]byte{7}, 32))}, Purpose: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	domain, err := m.Domain("test")
	if err != nil {
		t.Fatal(err)
	}
	transcript := parse(t, "a.vtt", "WEBVTT - Zéphyrine Brun\n\n00:00.000 --> 00:01.000\n<v Octave Silence>Bonjour Zéphyrine.\n\n00:01.000 --> 00:02.000\n<v Zéphyrine Brun>Bonjour\nà vous.\n")
	before, err := NewPlan(domain, RandomCodes, nil, []*Transcript{transcript})
	if err != nil {
		t.Fatal(err)
	}
	old, err := before.Code("a", "Zéphyrine Brun")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Forget([]idmap.Identifier{before.identifier("a", "Zéphyrine Brun")}, "test"); err != nil {
		t.Fatal(err)
	}
	treated, err := treaterFor(t, domain, RandomCodes, nil, transcript).Treat(transcript)
	if err != nil {
		t.Fatal(err)
	}
	text := string(treated.Raw)
	if strings.Contains(text, "phyrine") || strings.Contains(text, old) || !strings.HasSuffix(text, ">[...]\n[...]\n") || treated.Silenced != 1 {
		t.Errorf("%d silenced: %q", treated.Silenced, text)
	}
}

// deaf is an engine that finds nobody, as after a wrong decision.
type deaf struct{ Engine }

func (deaf) Findings(*detect.Document) []forum.Finding { return nil }

func TestResidualsAreFound(t *testing.T) {
	for text, code := range map[string]fault.Code{"Je suis zéphyrine  <i>BRUN</i>.": fault.Residual, "Je suis zephyrine\nBRUN.": fault.Residual, "Zéphyrine est brune.": fault.OK} {
		transcript := parse(t, "a.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\n<v Zéphyrine Brun>"+text+"\n")
		treater := treaterFor(t, newDomain(t), RandomCodes, nil, transcript)
		treater.Engine = deaf{treater.Engine}
		if _, err := treater.Treat(transcript); fault.CodeOf(err) != code || err != nil && strings.Contains(err.Error(), "phyrine") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestMetadata(t *testing.T) {
	domain := newDomain(t)
	plan, err := NewPlan(domain, RandomCodes, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	sheet := Sheet{Name: "sheet.csv", Plan: plan, FileName: func(stem string) (string, error) { return "file_" + stem[:1], nil },
		Rules: map[string]Rule{"profession": DropRule, "quartier": AreaRule}}
	in := "Transcription,Nom,Date de naissance,Adresse,Sexe,Profession,Quartier,Téléphone\n" +
		"a.trs,Zéphyrine Brun,17/05/1948,\"112 bis rue des Lilas, appt 4, 45000 Orléans\",F,maire,\"3 place Haute, 45000 Orléans\",0238000000\n" +
		"b.trs,Zéphyrine Brun,jadis,le château,F,maire,,\n" +
		"b.trs,Octave Silence,1950-01-02,\"Lindenstraße 7, 4051 Basel\",M,x,x,\n"
	var out bytes.Buffer
	suppressed, err := sheet.Coarsen(strings.NewReader(in), &out)
	if err != nil {
		t.Fatal(err)
	}
	want := "Transcription,Nom,Date de naissance,Adresse,Sexe,Quartier\n" +
		"file_a,<A>,1948,\"100-199 rue des Lilas, 45000 Orléans\",F,45000 Orléans\n" +
		"file_b,<A>,,,F,\n" +
		"file_b,<B>,1950,\"0-99 Lindenstraße, 4051 Basel\",M,\n"
	if got := numbered(out.String()); got != want || suppressed != 3 {
		t.Errorf("%d emptied; got\n%s", suppressed, got)
	}
	_, err = (&Sheet{Name: "sheet.csv", Plan: plan}).Coarsen(strings.NewReader("nom,pointure,sport\nx,44,y\n"), io.Discard)
	var list fault.List
	if !errors.As(err, &list) || len(list) != 2 || fault.CodeOf(err) != fault.Unbound {
		t.Errorf("unknown columns: %v", err)
	}
}

func TestPostsAreAThread(t *testing.T) {
	transcript := parse(t, "a.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\n<v Ana>x\n\n00:01.000 --> 00:02.000\n<v Bo>y\n")
	posts := transcript.Posts()
	in, err := posts.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []map[string]string
	for d := json.NewDecoder(in); d.More(); {
		var post map[string]string
		if err := d.Decode(&post); err != nil {
			t.Fatal(err)
		}
		got = append(got, post)
	}
	if len(got) != 2 || got[0]["comment_thread_id"] != got[1]["comment_thread_id"] || got[1]["parent_id"] != got[0]["_id"] || got[0]["author_id"] == got[1]["author_id"] {
		t.Errorf("posts %v", got)
	}
}
