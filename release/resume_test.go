package release_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"anonymooc/config"
	"anonymooc/idmap"
	"anonymooc/internal/secret"
	"anonymooc/release"
)

// killedRun is the environment variable with which the test binary runs itself,
// to be killed in the middle of a run.
const killedRun = "ANONYMOOC_TEST_KILLED_RUN"

// TestKilledRunResumes: after kill −9 in the middle of a run, the next one keeps
// the files that were finished, and its release has nobody twice.
func TestKilledRunResumes(t *testing.T) {
	if dir := os.Getenv(killedRun); dir != "" {
		m := openMaker(t, dir, true)
		request := m.request(filepath.Join(dir, "release"), jobs(2), bundled)
		request.Progress = &cancelling{cancel: func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }, after: 6}
		_, err := release.Run(t.Context(), request)
		t.Fatalf("the run was not killed: %v", err)
	}
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run", "^TestKilledRunResumes$")
	child.Env = append(os.Environ(), killedRun+"="+dir)
	if out, err := child.CombinedOutput(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("the child was not killed: %v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "release")); err == nil {
		t.Fatal("half a release has its name")
	}
	half := filepath.Join(dir, "release.partial", ".tracking_log.json.partial-1")
	if err := os.WriteFile(half, []byte("what was being written"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := openMaker(t, dir, false)
	result := m.mustRun(filepath.Join(dir, "release"), nil, bundled)
	if !strings.Contains(strings.Join(result.Warnings, "\n"), "5 files were finished") {
		t.Errorf("the run did not resume: %q", result.Warnings)
	}
	m.mustRun(filepath.Join(dir, "again"), nil, bundled)
	resumed, again := readTree(t, filepath.Join(dir, "release")), readTree(t, filepath.Join(dir, "again"))
	if len(resumed) != len(again) {
		t.Errorf("%d files, without being killed %d", len(resumed), len(again))
	}
	for name, text := range again {
		if resumed[name] != text {
			t.Errorf("%s differs from that of a run that was not killed", name)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.partial")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// openMaker makes or opens a project below dir with a key that both sides of the
// test know.
func openMaker(t *testing.T, dir string, create bool) *maker {
	t.Helper()
	project := filepath.Join(dir, "project")
	options := idmap.Options{Key: secret.Key{Secret: secret.New(bytes.Repeat([]byte{9}, 32))}, Purpose: "test"}
	open := idmap.Open
	if create {
		open = idmap.Create
		if _, err := config.CreateProject(project); err != nil {
			t.Fatal(err)
		}
	}
	m, err := open(filepath.Join(project, "map"), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return &maker{t: t, project: project, idMap: m}
}
