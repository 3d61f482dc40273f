package benchtext

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"anonymooc/forum"
)

// Texts with spans in which everybody is invented; offsets count code points.
const spannedTexts = `{"id":"a","lang":"en","text":"Ça va ? I met Zorbu Vlemkova in Graz","spans":[{"start":14,"end":28,"type":"PER"},{"start":32,"end":36,"type":"LOC"}]}
{"id":"b","lang":"en","text":"ask @qarbi_9 or zorbu vlemkova","spans":[{"start":5,"end":12,"type":"USERNAME"},{"start":16,"end":30,"type":"PER"}]}
{"id":"c","lang":"en","text":"thanks Kzyra","spans":[{"start":7,"end":12,"type":"PER"}]}
`

func standard(choice forum.Choice) (forum.Options, error) { return forum.StandardChoice("", choice) }

func spanBench(t *testing.T, texts string) (*Bench, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "texts.jsonl")
	if err := os.WriteFile(path, []byte(texts), 0o600); err != nil {
		t.Fatal(err)
	}
	bench, closeBench, err := Open(path, DefaultSeed, standard)
	if err == nil {
		t.Cleanup(closeBench)
	}
	return bench, err
}

func TestSpansCountCodePoints(t *testing.T) {
	b, err := spanBench(t, spannedTexts)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range b.gold.Posts {
		for _, m := range p.Mentions {
			got = append(got, string(m.Kind)+":"+p.Text[m.Start:m.End])
		}
	}
	if want := "M:Zorbu Vlemkova -:Graz M:qarbi_9 M:zorbu vlemkova M:Kzyra"; strings.Join(got, " ") != want {
		t.Errorf("%q, not %q", strings.Join(got, " "), want)
	}
	if len(b.gold.Roster) != 2 {
		t.Errorf("%d people are named, not 2: one is written in two ways", len(b.gold.Roster))
	}
	for _, wrong := range []string{
		`{"text":"a","spans":[{"start":0,"end":2,"type":"PER"}]}`, `{"text":"abc","spans":[{"start":2,"end":1,"type":"PER"}]}`, `{"text":`,
	} {
		if _, err := spanBench(t, wrong+"\n"); err == nil {
			t.Errorf("%s was read", wrong)
		}
	}
}

// TestTheRosterLookedUpIsExact: the baseline finds a name as it is written, and
// with the folded one also in small letters; words of a text in no name are right.
func TestTheRosterLookedUpIsExact(t *testing.T) {
	b, err := spanBench(t, spannedTexts)
	if err != nil {
		t.Fatal(err)
	}
	exact, folded, none := b.lookUp(1, false), b.lookUp(1, true), b.lookUp(0, true)
	if exact.Words.Recall() != (Share{3, 7}) || exact.Words.Precision() != (Share{3, 3}) {
		t.Errorf("exact: %v of people, precision %v", exact.Words.Recall(), exact.Words.Precision())
	}
	if folded.Words.Recall() != (Share{5, 7}) || none.Words.Recall().Part != 0 {
		t.Errorf("folded: %v, with nobody known %v", folded.Words.Recall(), none.Words.Recall())
	}
}

// TestAShareIsAShare: as many people keep their names as the share says, the
// same ones each time, and of fewer all are among those of more.
func TestAShareIsAShare(t *testing.T) {
	b, closeBench, err := Open(goldFolder(t), 3, standard)
	if err != nil {
		t.Fatal(err)
	}
	defer closeBench()
	named := func(share float64) (who []string) {
		for _, p := range b.roster(share) {
			if len(p.FirstNames) > 0 {
				who = append(who, p.UserIDs[0])
			}
		}
		return who
	}
	if len(named(1)) != 2 || len(named(0.5)) != 1 || len(named(0)) != 0 || !slices.Equal(named(0.5), named(0.5)) {
		t.Errorf("known: %v, %v, %v", named(1), named(0.5), named(0))
	}
}

// TestEverySystemIsMeasured prints the table, the curves and the replays of a
// small corpus.
func TestEverySystemIsMeasured(t *testing.T) {
	b, closeBench, err := Open(goldFolder(t), DefaultSeed, standard)
	if err != nil {
		t.Fatal(err)
	}
	defer closeBench()
	var out bytes.Buffer
	if err := errors.Join(b.PrintTable(&out, 1), b.Replays(&out)); err != nil {
		t.Fatal(err)
	}
	for _, s := range Systems() {
		if !strings.Contains(out.String(), "| "+s.Name+" |") {
			t.Errorf("the table is without %s", s.Name)
		}
	}
	for _, paper := range []string{"Reffay", "NOME", "Seek&Hide", "ESLO"} {
		if !strings.Contains(out.String(), "| "+paper) {
			t.Errorf("no replay of %s", paper)
		}
	}
	curve, err := b.Curve(1)
	if err != nil || len(curve.Points) < 2 || curve.Points[0].Decisions != 0 {
		t.Fatalf("%+v %v", curve, err)
	}
}

// TestThePictureIsSVG: whatever the names of curves hold.
func TestThePictureIsSVG(t *testing.T) {
	var picture bytes.Buffer
	curves := []Curve{{Name: `80 % <known> & "more"`, Points: []Point{{0, 0.9, 0.9, 0.8}, {250, 0.95, 0.97, 0.9}}}, {Name: "none"}}
	if err := WriteSVG(&picture, "recall & decisions", curves); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(&picture)
	lines := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if element, ok := token.(xml.StartElement); ok && element.Name.Local == "polyline" {
			lines++
		}
	}
	if lines != len(curves) {
		t.Errorf("%d lines for %d curves", lines, len(curves))
	}
}
