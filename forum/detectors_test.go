package forum

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"anonymooc/config"
	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/internal/fault"
	"anonymooc/internal/source"
	"anonymooc/tables"
)

// TestSettingsNameTheSameDetectors: the settings allow what the engine has.
func TestSettingsNameTheSameDetectors(t *testing.T) {
	d := config.Defaults()
	if got := strings.Join(DetectorNames(), ","); d.Detectors != got {
		t.Errorf("settings %s, engine %s", d.Detectors, got)
	}
	if _, err := detect.ParseExpert(d.Expert); err != nil {
		t.Error(err)
	}
}

func TestDetectorsAreParsed(t *testing.T) {
	for list, want := range map[string]string{
		"": "catalogue,patterns,nome,seekhide,eslo", "eslo, nome,eslo": "nome,eslo", "catalogue": "catalogue",
	} {
		if got, err := ParseDetectors(list); err != nil || strings.Join(got, ",") != want {
			t.Errorf("%q: %v, %v", list, got, err)
		}
	}
	for _, list := range []string{"nose", "nome,", ",", "Nome"} {
		var f *fault.Fault
		if _, err := ParseDetectors(list); !errors.As(err, &f) || f.Code != fault.Usage || !strings.Contains(f.Hint, "catalogue, patterns, nome, seekhide, eslo") {
			t.Errorf("%q: %v", list, err)
		}
	}
}

// TestEachDetectorWorksAlone: a text in which each one has something to find
// that the others are not asked for. Kzyra is known to the roster only.
func TestEachDetectorWorksAlone(t *testing.T) {
	const text = "Je m'appelle Wqarbi. Merci Kzyra et Thibaut, écrivez à moi@mel.example ou à Mme Vlemkova."
	roster := []Person{{Pseudonym: 1_500_000_000, UserIDs: []string{"7"}, FirstNames: []string{"Kzyra"}}}
	for name, want := range map[string]string{
		"catalogue": "Kzyra", "patterns": "moi@mel.example", "nome": "Vlemkova", "seekhide": "Thibaut", "eslo": "Wqarbi",
	} {
		options, err := StandardChoice("", Choice{Detectors: []string{name}})
		if err != nil {
			t.Fatal(err)
		}
		e, err := New(roster, nil, nil, options)
		if err != nil {
			t.Fatal(err)
		}
		doc := detect.NewDocument(corpus.Post{ID: "p", Author: "9", Lang: "fr"}, "body", []byte(text))
		var found []string
		for _, f := range e.Findings(doc) {
			for _, v := range f.Evidence {
				by := v.By
				if slices.Contains(DetectorNames(), by) && by != name {
					t.Errorf("%s alone: %s spoke of %q", name, by, f.Surface)
				}
			}
			found = append(found, f.Surface)
		}
		if !slices.Contains(found, want) {
			t.Errorf("%s alone: found %q, not %q", name, found, want)
		}
		if name != "catalogue" && name != "nome" && name != "seekhide" && name != "eslo" && slices.Contains(found, "Kzyra") {
			t.Errorf("%s alone knows the roster", name)
		}
		if r := e.Report(); strings.Join(r.Detectors, ",") != name || r.Expert != detect.ExpertTable {
			t.Errorf("reported: %v, %s", r.Detectors, r.Expert)
		}
	}
}

// TestOfficersGrammars: files of the project's folder take the place of the
// shipped ones, additions.lg goes on after them, and faults have file and line.
func TestOfficersGrammars(t *testing.T) {
	folder := Folder(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(folder.Grammars(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	find := func(text string) string {
		t.Helper()
		options, err := StandardChoice(folder, Choice{Detectors: []string{"eslo"}})
		if err != nil {
			t.Fatal(err)
		}
		doc := detect.NewDocument(corpus.Post{Lang: "fr"}, "body", []byte(text))
		var found []string
		for _, m := range options.Detectors[0].Detect(doc, nil) {
			if form := string(doc.Raw[m.Start:m.End]); !slices.Contains(found, form) { // more than one phrase may find it
				found = append(found, form)
			}
		}
		return strings.Join(found, "|")
	}
	const text = "mon avatar du cours est wqarbi depuis hier"
	if got := find(text); got != "" {
		t.Fatalf("found %q before", got)
	}
	write("fr/additions.lg", "# ours\nrule avatar: about speaker, says identity.name, score 0.9, verdict mask\n    <my> avatar du cours est [nick: <word -stop>]\n")
	if got := find(text); got != "wqarbi" {
		t.Errorf("the addition found %q", got)
	}
	if got := find("Je m'appelle Wqarbi."); got != "Wqarbi" {
		t.Errorf("beside the addition the shipped grammar finds %q", got)
	}
	for name, c := range map[string]struct{ file, text, want string }{
		"unknown class":    {"fr/additions.lg", "rule a: says b\n    <nothing>\n", "fr/additions.lg: line 2"},
		"unknown property": {"fr/additions.lg", "# x\n\nrule a: says b, colour c\n    <word>\n", "fr/additions.lg: line 3"},
		"unknown language": {"xx/words.lg", "", "no language"},
		"unknown file":     {"fr/word.lg", "", "no file of a grammar"},
	} {
		if err := os.RemoveAll(folder.Grammars()); err != nil {
			t.Fatal(err)
		}
		write(c.file, c.text)
		_, err := StandardFor(folder)
		var f *fault.Fault
		if !errors.As(err, &f) || f.Code != fault.Usage || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTreatJudgesAsTheQueueDoes: whether three others use a word in small letters
// is counted without its writer, for the release as for the queue.
func TestTreatJudgesAsTheQueueDoes(t *testing.T) {
	const text = "on a vu zorblique"
	var lines []string
	for i, author := range []string{"7", "8", "9", "10"} {
		body := text
		if i == 3 {
			body = "rien"
		}
		lines = append(lines, `{"_id":"`+strings.Repeat("0", 23)+string(rune('a'+i))+`","_type":"CommentThread","course_id":"c","author_id":"`+author+`","body":"`+body+`"}`)
	}
	path := filepath.Join(t.TempDir(), "forum.mongo")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	posts, err := corpus.Open(source.OnDisk(path))
	if err != nil {
		t.Fatal(err)
	}
	seen := new(authors)
	e, err := New(nil, posts, nil, Options{Detectors: []detect.Detector{seen}})
	if err != nil {
		t.Fatal(err)
	}
	err = posts.Each(func(p *corpus.Post) error {
		e.Findings(detect.NewDocument(*p, "body", []byte(p.Body)))
		_, _, err := e.Treat(nil, []byte(p.Body), tables.TextPlace{Field: "body", Document: p.ID})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := "7 7 8 8 9 9 10 10"; strings.Join(seen.names, " ") != want {
		t.Errorf("texts were judged as by %q, not %q", strings.Join(seen.names, " "), want)
	}
}

// authors notes by whom the texts are that it is shown.
type authors struct{ names []string }

func (*authors) Name() string { return "authors" }

func (a *authors) Detect(doc *detect.Document, marks []detect.Mark) []detect.Mark {
	a.names = append(a.names, doc.Post.Author)
	return marks
}

// TestTheStrictLineFollowsTheRoster: the fewer writers are on the roster, the
// sooner the strict policy masks; without any name soonest.
func TestTheStrictLineFollowsTheRoster(t *testing.T) {
	all, half, none, nobody := strictLine(1, true), strictLine(0.5, true), strictLine(0, true), strictLine(0, false)
	if all != strictKeep || !(all > half && half > none && none > nobody && nobody > 0) {
		t.Errorf("lines: %v, %v, %v, %v", all, half, none, nobody)
	}
	for name, c := range map[string]struct {
		roster  []Person
		options Options
		want    float64
	}{
		"nobody":                        {nil, Options{}, nobody},
		"somebody without a name":       {[]Person{{Pseudonym: 1_500_000_000, UserIDs: []string{"7"}}}, Options{}, nobody},
		"somebody who writes elsewhere": {[]Person{{Pseudonym: 1_500_000_000, LastNames: []string{"Vlemkova"}}}, Options{}, none},
		"the officer's form":            {nil, Options{Rows: []detect.Row{{Form: "Vlemkova", Category: detect.LastName}}}, none},
		"without the catalogue":         {[]Person{{Pseudonym: 1_500_000_000, LastNames: []string{"Vlemkova"}}}, Options{Choice: Choice{Detectors: []string{"eslo"}}}, nobody},
	} {
		e, err := New(c.roster, nil, nil, c.options)
		if err != nil {
			t.Fatal(err)
		}
		if e.line != c.want {
			t.Errorf("%s: the line is %v, not %v", name, e.line, c.want)
		}
	}
}

// TestTheOfficersInclusionsAreMasked: what is on the officer's list is treated,
// whatever the judge would think of it.
func TestTheOfficersInclusionsAreMasked(t *testing.T) {
	folder := Folder(t.TempDir())
	if err := os.MkdirAll(folder.Lists(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder.Lists(), "inclusions.txt"), []byte("page bleue\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	options, err := StandardFor(folder)
	if err != nil {
		t.Fatal(err)
	}
	e := engineOf(t, options, nil, testPost{"a", "a", "1", "On a relu la page bleue, puis la page verte."})
	for form, want := range map[string]detect.Verdict{"page bleue": detect.Mask, "page verte": detect.Keep} {
		if verdict, score := verdictOf(e, "a", "On a relu la page bleue, puis la page verte.", form); verdict != want {
			t.Errorf("%s: %s (%.2f), want %s", form, verdict, score, want)
		}
	}
}
