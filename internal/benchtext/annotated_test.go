package benchtext

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"anonymooc/internal/fold"
)

// annotated is the folder of the invented posts with markup that the engine's
// weights and the forests learn from.
const annotated = "../../testdata/annotated"

// markable lists the categories of each kind of mention.
var markable = map[byte]string{
	'M': "FIRST LAST FULL NICK USERNAME PLACE ORG EMAIL PHONE URL ADDRESS DATE ID",
	'Q': "PLACE AGE JOB ORIGIN FAMILY STUDY ORG DATE",
	'K': "COMMON PUBLIC PLACE ACRONYM TERM",
}

// TestAnnotated checks that the annotated posts are whole: a mark that was
// forgotten would teach the engine to leave a name.
func TestAnnotated(t *testing.T) {
	folders, err := os.ReadDir(annotated)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if folder.IsDir() {
			t.Run(folder.Name(), func(t *testing.T) { checkAnnotated(t, filepath.Join(annotated, folder.Name())) })
		}
	}
}

func checkAnnotated(t *testing.T, folder string) {
	g, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	ids, names := annotatedRoster(t, filepath.Join(folder, "roster.csv"))
	seen := make(map[string]bool)
	counts := make(map[string]int)
	quiet := 0
	for i := range g.Posts {
		p := &g.Posts[i]
		where := "post " + p.ID
		if seen[p.ID] {
			t.Errorf("%s: its id is taken", where)
		}
		seen[p.ID] = true
		if !ids[p.Author] {
			t.Errorf("%s: its author is not on the roster", where)
		}
		if !slices.Contains([]string{"fr", "en", "es", "it", "pt", "ca", "de"}, p.Lang) {
			t.Errorf("%s: unknown language", where)
		}
		for _, rest := range []string{"[[", "]]", "|"} {
			if strings.Contains(p.Text, rest) {
				t.Errorf("%s: %q is left of some markup", where, rest)
			}
		}
		masked := false
		for _, m := range p.Mentions {
			masked = masked || m.Kind == 'M'
			counts[fmt.Sprintf("%c/%s", m.Kind, m.Category)]++
			if !slices.Contains(strings.Fields(markable[m.Kind]), m.Category) {
				t.Errorf("%s: %c/%s is no mark", where, m.Kind, m.Category)
			}
			if n := strings.IndexFunc(m.Entity, unicode.IsDigit); n == 0 && !ids[m.Entity] {
				t.Errorf("%s: entity %s is not on the roster", where, m.Entity)
			}
			if surface := p.Text[m.Start:m.End]; strings.TrimSpace(surface) != surface {
				t.Errorf("%s: a mark begins or ends with a space", where)
			}
		}
		if !masked {
			quiet++
		}
		for _, word := range unmarked(p) {
			if names[word] {
				t.Errorf("%s: %q is a name of the roster and is not marked", where, word)
			}
		}
	}
	t.Logf("%d posts, %d of them with nothing to mask, %d people", len(g.Posts), quiet, len(ids))
	keys := make([]string, 0, len(counts))
	for key := range counts {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		t.Logf("  %-10s %4d", key, counts[key])
	}
}

// annotatedRoster gives the ids of a roster and its folded names of four letters
// and more.
func annotatedRoster(t *testing.T, path string) (ids, names map[string]bool) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	ids, names = make(map[string]bool), make(map[string]bool)
	for _, row := range rows[1:] {
		ids[row[0]] = true
		for _, name := range []string{row[1], row[2], row[3]} {
			for _, word := range words(name) {
				if utf8.RuneCountInString(word) >= 4 {
					names[word] = true
				}
			}
		}
	}
	return ids, names
}

// unmarked gives the folded words of a post that lie in no mention.
func unmarked(p *Post) []string {
	var all []string
	at := 0
	for _, m := range p.Mentions {
		all = append(all, words(p.Text[at:m.Start])...)
		at = m.End
	}
	return append(all, words(p.Text[at:])...)
}

func words(s string) []string {
	return strings.FieldsFunc(fold.KeyString(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
