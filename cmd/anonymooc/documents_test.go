package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/internal/fault"
)

func callDocuments(args ...string) (stdout string, err error) {
	command := newDocumentsCommand()
	var out bytes.Buffer
	command.SetOut(&out)
	command.SetErr(&out)
	command.SilenceErrors, command.SilenceUsage = true, true
	command.SetArgs(args)
	err = command.Execute()
	return out.String(), err
}

func TestDocumentsAreWrittenForResearchersAndForTheOfficer(t *testing.T) {
	dir := profilesOf(t)
	if _, err := callDocuments(dir); fault.CodeOf(err) != fault.Usage {
		t.Errorf("a folder without a manifest: %v", err)
	}
	manifest := `{"tool":"anonymooc","text_policy":"drop","outputs":[{"path":"auth_userprofile.csv","table":"auth_userprofile","format":"csv","columns":[
		{"name":"user_id","action":"pseudonym(user_id)"},{"name":"gender","action":"keep","role":"attribute"}]}]}`
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	verified, answers := filepath.Join(other, "v.json"), filepath.Join(other, "a.yaml")
	for path, text := range map[string]string{verified: `{"spellings":4321}`, answers: "controller: Université de Partout\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	officer := filepath.Join(other, "officer")
	for _, wrong := range [][]string{
		{dir, "--officer", filepath.Join(dir, "officer")}, {dir, "--verified", answers}, {dir, "--answers", filepath.Join(other, "none")}, {dir, "--answers", verified},
	} {
		if _, err := callDocuments(wrong...); fault.CodeOf(err) != fault.Usage {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	out, err := callDocuments(dir, "--officer", officer, "--verified", verified, "--answers", answers, "--title", "Essai")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out, "\n"); n != 15 {
		t.Errorf("%d documents are told:\n%s", n, out)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "report.en.html"): "4,321 spellings of known identifiers", filepath.Join(dir, "report.fr.html"): "Le risque n&#39;a pas été mesuré",
		filepath.Join(officer, "record.fr.md"): "Université de Partout", filepath.Join(dir, "CODEBOOK.md"): "Essai",
	} {
		data, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(data, []byte(want)) {
			t.Errorf("%s does not say %q (%v)", path, want, err)
		}
	}
}
