package release_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/release"
)

// TestAnotherChoiceStartsAfresh: what a killed run has finished is not kept when
// other detectors look, or the officer has changed what decides about texts.
func TestAnotherChoiceStartsAfresh(t *testing.T) {
	for name, change := range map[string]func(m *maker, r *release.Request){
		"detectors": func(_ *maker, r *release.Request) { r.Project.Settings.Detectors = "catalogue" },
		"expert":    func(_ *maker, r *release.Request) { r.Project.Settings.Expert = "none" },
		"a grammar": func(m *maker, _ *release.Request) {
			folder := filepath.Join(m.project, "forum", "grammars", "fr")
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, "additions.lg"), []byte("# nothing yet\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"nothing": func(*maker, *release.Request) {},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			child := exec.Command(os.Args[0], "-test.run", "^TestKilledRunResumes$")
			child.Env = append(os.Environ(), killedRun+"="+dir)
			if out, err := child.CombinedOutput(); err == nil || !strings.Contains(err.Error(), "killed") {
				t.Fatalf("the child was not killed: %v\n%s", err, out)
			}
			m := openMaker(t, dir, false)
			result := m.mustRun(filepath.Join(dir, "release"), func(r *release.Request) { change(m, r) }, bundled)
			resumed := strings.Contains(strings.Join(result.Warnings, "\n"), "was resumed")
			if resumed != (name == "nothing") {
				t.Errorf("resumed: %v", resumed)
			}
		})
	}
}
