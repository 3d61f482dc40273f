package lists

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestOfficersListsComeInSets(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "lists")
	shipped, err := ReadOfficer(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		list []string
		word string
	}{{shipped.Inclusions, "né le"}, {shipped.Exclusions, "settimana"}, {shipped.Exclusions, "fun mooc"}, {shipped.Titles, "mme"}, {shipped.Titles, "mrs"}} {
		if !slices.Contains(c.list, c.word) {
			t.Errorf("%q is not shipped", c.word)
		}
	}
	if err := WriteOfficerDefaults(folder); err != nil {
		t.Fatal(err)
	}
	own := "campus bleu, Amphi 3\n[north]\nservice scolarité\n[south]\nreprografía\n"
	if err := os.WriteFile(filepath.Join(folder, "exclusions.txt"), []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteOfficerDefaults(folder); err != nil {
		t.Fatal(err)
	}
	edited, err := ReadOfficer(folder, "fr", "north")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"campus bleu", "Amphi 3", "service scolarité"}; !slices.Equal(edited.Exclusions, want) {
		t.Errorf("got %q, want %q", edited.Exclusions, want)
	}
	if slices.Contains(edited.Titles, "uncle") || !slices.Contains(edited.Titles, "mme") {
		t.Error("the English set was read though only fr and north were asked for")
	}
	if info, err := os.Stat(filepath.Join(folder, "titles.txt")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("titles.txt: %v %v", info, err)
	}
}
