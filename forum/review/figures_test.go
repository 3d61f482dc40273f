package review

import (
	"math"
	"os"
	"strings"
	"testing"

	"anonymooc/forum"
	"anonymooc/forum/recheck"
)

func TestKappaOfKnownTables(t *testing.T) {
	tests := []struct {
		table [2][2]int
		want  float64
	}{
		{[2][2]int{{20, 5}, {10, 15}}, 0.4}, // Cohen's textbook example
		{[2][2]int{{10, 0}, {0, 10}}, 1},
		{[2][2]int{{5, 5}, {5, 5}}, 0},
		{[2][2]int{{0, 5}, {5, 0}}, -1},
		{[2][2]int{{7, 0}, {0, 0}}, 1},
		{[2][2]int{}, 0},
	}
	for _, tt := range tests {
		if got := Kappa(tt.table); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%v: %f, want %f", tt.table, got, tt.want)
		}
	}
}

func TestABlindRecheckCountsWhatAReleaseShows(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	d.desk.add("ada", "Gwenvael", "first_name")
	number := int(d.desk.round.posts.numbers[roses[3].id])
	post, _ := d.desk.round.posts.post(uint32(number))
	doc := d.desk.round.document(&post, 1, post.Body)
	var marked []int
	for i, token := range doc.Tokens {
		if strings.EqualFold(token.Text, "gwenvael") {
			marked = append(marked, i)
		}
	}
	r, err := d.desk.compare("ada", number, marked)
	if err != nil || r.Names != 3 || r.Missed != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := d.desk.keepRecheck(r); err != nil {
		t.Fatal(err)
	}
	all, err := recheck.Read(d.desk.options.Recheck)
	if e := recheck.Estimated(all); err != nil || e.Texts != 1 || e.Names != 3 || e.Missed != 1 || e.TextsShow != 1 {
		t.Errorf("%+v, %v", e, err)
	}
	data, err := os.ReadFile(d.desk.options.Recheck)
	if info, _ := os.Stat(d.desk.options.Recheck); err != nil || strings.Contains(string(data), "wenvael") || info.Mode().Perm() != 0o600 {
		t.Error("the re-check holds a word of the text, or others may read it")
	}
}

func TestBothLanguagesSayTheSame(t *testing.T) {
	english, err := readMessages("en")
	if err != nil {
		t.Fatal(err)
	}
	french, err := readMessages("fr")
	if err != nil {
		t.Fatal(err)
	}
	for key, text := range english {
		if other, ok := french[key]; !ok || strings.Count(text, "%d") != strings.Count(other, "%d") || strings.Count(text, "%s") != strings.Count(other, "%s") {
			t.Errorf("%s: not said alike in French", key)
		}
	}
	for key := range french {
		if _, ok := english[key]; !ok && !strings.HasPrefix(key, "why.") {
			t.Errorf("%s: not said in English", key)
		}
	}
}
