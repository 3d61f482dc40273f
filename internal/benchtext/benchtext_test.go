package benchtext

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"anonymooc/forum"
)

// A gold corpus in which everybody is invented.
const (
	goldPosts = `# invented
1|t1|101|fr|Bonjour, je suis [[M/FULL/101:Zoé Lambrin]] !\nMerci [[M/FIRST/102:Tibaud]] pour la [[K/COMMON/-:rose]].
2|t1|102|fr|Merci [[M/FIRST/101:Zoe]], on se retrouve en \\LaTeX. J'ai [[Q/AGE/-:30 ans]].
3|t2|102|fr|Rien à dire ici.
`
	goldRoster = `id,username,first_name,last_name,email,city,institution
101,zoe_l,Zoé,Lambrin,zoe@mel.example,,
102,tibaud9,Tibaud,Quernel,tibaud@mel.example,,
`
)

func goldFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"posts.txt": goldPosts, "roster.csv": goldRoster} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestMarkupIsStrippedToItsSpans(t *testing.T) {
	g, err := Read(goldFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Posts) != 3 || len(g.Roster) != 2 || g.Posts[1].Text != "Merci Zoe, on se retrouve en \\LaTeX. J'ai 30 ans." {
		t.Fatalf("%+v", g)
	}
	want := []string{"Zoé Lambrin", "Tibaud", "rose"}
	for i, m := range g.Posts[0].Mentions {
		if got := g.Posts[0].Text[m.Start:m.End]; got != want[i] {
			t.Errorf("mention %d is %q", i, got)
		}
	}
}

func TestScoresCountWhatTheMarkupSays(t *testing.T) {
	bench, closeBench, err := NewBench(goldFolder(t), forum.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeBench()
	all, err := bench.Automatic(1)
	if err != nil {
		t.Fatal(err)
	}
	if all.All != (Share{3, 3}) || all.KeptAll != (Share{1, 1}) || all.Untouched != (Share{1, 1}) || all.Precision != (Share{3, 3}) {
		t.Errorf("with the roster: %+v", all)
	}
	none, err := bench.Automatic(0)
	if err != nil {
		t.Fatal(err)
	}
	if none.All != (Share{0, 3}) || len(none.Missed) != 3 || none.Precision.Of() != 1 {
		t.Errorf("without: %+v", none)
	}
	all.Print(io.Discard, "all", true)
}

func TestOracleAnswersUntilNothingIsOpen(t *testing.T) {
	bench, closeBench, err := NewBench(goldFolder(t), forum.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeBench()
	s, err := bench.Assisted(1, 0, 0)
	if err != nil || s.All.Of() != 1 || s.KeptAll.Of() != 1 {
		t.Errorf("%+v %v", s, err)
	}
}

// TestNomadReachesItsFloor keeps the scores on the development corpus from
// falling. It is skipped where the corpus is not at hand.
func TestNomadReachesItsFloor(t *testing.T) {
	folder := os.Getenv("ANONYMOOC_NOMAD")
	if folder == "" {
		t.Skip("ANONYMOOC_NOMAD does not name the development corpus")
	}
	options, err := forum.Standard()
	if err != nil {
		t.Fatal(err)
	}
	bench, closeBench, err := NewBench(folder, options)
	if err != nil {
		t.Fatal(err)
	}
	defer closeBench()
	s, err := bench.Automatic(1)
	if err != nil {
		t.Fatal(err)
	}
	if s.Persons.Of() < 0.90 || s.All.Of() < 0.87 || s.KeptAll.Of() < 0.87 {
		t.Errorf("persons %v, all %v, kept %v", s.Persons, s.All, s.KeptAll)
	}
}
