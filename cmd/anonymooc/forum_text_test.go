package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/internal/fault"
)

// forumRun runs a forum command and gives its exit status and what it wrote.
func forumRun(args ...string) (fault.Code, string, string) {
	var stdout, stderr bytes.Buffer
	code := run(append([]string{"forum"}, args...), &stdout, &stderr)
	return fault.Code(code), stdout.String(), stderr.String()
}

func TestCatalogueImportTakesThePapersTableOnce(t *testing.T) {
	project := filepath.Join(t.TempDir(), "project")
	csv := filepath.Join(t.TempDir(), "officer.csv")
	table := "Graphie origine;Forme;Catégorie;Type Entité;Identifiant Entité\nKelly;Normale;Prénom;Participant;F058\nCanet;Normale;Nom;Petite ville;P007\n"
	if err := os.WriteFile(csv, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 forms added, 2 in", "0 forms added, 2 in"} {
		code, out, errs := forumRun("catalogue", "import", csv, "--project", project)
		if code != fault.OK || !strings.Contains(out, want) {
			t.Fatalf("status %d: %s%s, want %q", code, out, errs, want)
		}
	}
	info, err := os.Stat(filepath.Join(project, "forum", "catalogue.csv"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("catalogue: %v %v", info, err)
	}
}

func TestCatalogueImportNamesThePlaceNotTheValue(t *testing.T) {
	csv := filepath.Join(t.TempDir(), "officer.csv")
	if err := os.WriteFile(csv, []byte("form,category\nZoé,nonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errs := forumRun("catalogue", "import", csv, "--project", filepath.Join(t.TempDir(), "project"))
	if code != fault.Usage || !strings.Contains(errs, "line 2") || strings.Contains(errs, "Zoé") || strings.Contains(errs, "nonsense") {
		t.Errorf("status %d: %s", code, errs)
	}
}

func TestMarkAndStatusReadTheBundledExport(t *testing.T) {
	export := filepath.Join("..", "..", "testdata", "export")
	if _, err := os.Stat(export); err != nil {
		t.Fatalf("the bundled export is not there: %v", err)
	}
	project := filepath.Join(t.TempDir(), "project")
	code, out, errs := forumRun("status", export, "--project", project, "--json")
	var status struct{ People, Forms, Questions int }
	if err := json.Unmarshal([]byte(out), &status); err != nil {
		t.Fatalf("status %d: %v: %s%s", code, err, out, errs)
	}
	if code != fault.Undecided || status.People == 0 || status.Forms <= status.People || status.Questions == 0 {
		t.Errorf("status %d: %+v", code, status)
	}
	code, out, errs = forumRun("mark", export, "--project", project, "--policy", "strict", "--json")
	if code != fault.OK {
		t.Fatalf("status %d: %s", code, errs)
	}
	masked := 0
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var m mentionLine
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if m.End-m.Start != len(m.Match) || m.Post == "" {
			t.Errorf("mention %+v", m)
		}
		if m.Verdict == "mask" {
			masked++
		}
	}
	if masked == 0 {
		t.Error("nothing is masked")
	}
	if code, _, _ := forumRun("mark", export, "--project", project, "--policy", "nonsense"); code != fault.Usage {
		t.Errorf("an unknown policy ends with %d", code)
	}
	if code, out, _ := forumRun("catalogue", "--project", project); code != fault.OK || !strings.Contains(out, "first_name") {
		t.Errorf("catalogue: %d %s", code, out)
	}
}

// TestAStoppedRunKeepsItsPeople: whoever answers the questions of a reviewed run
// works with the people it linked, without linking them again.
func TestAStoppedRunKeepsItsPeople(t *testing.T) {
	export := filepath.Join("..", "..", "testdata", "export")
	dir := t.TempDir()
	project := filepath.Join(dir, "project")
	var stdout, stderr bytes.Buffer
	code := run([]string{"run", export, "--out", filepath.Join(dir, "release"), "--project", project, "--text", "reviewed"}, &stdout, &stderr)
	if fault.Code(code) != fault.Undecided {
		t.Fatalf("status %d: %s", code, stderr.String())
	}
	counts := make([]int, 0, 2)
	for _, known := range []string{"--known=true", "--known=false"} {
		_, out, errs := forumRun("status", export, "--project", project, "--json", known)
		var status struct{ People int }
		if err := json.Unmarshal([]byte(out), &status); err != nil {
			t.Fatalf("%v: %s%s", err, out, errs)
		}
		counts = append(counts, status.People)
	}
	if counts[0] == 0 || counts[0] != counts[1] {
		t.Errorf("people known: %d, and %d when they are linked again", counts[0], counts[1])
	}
}
