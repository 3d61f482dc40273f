package release_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"filippo.io/age"

	"anonymooc/idmap"
	"anonymooc/internal/fault"
	"anonymooc/release"
	"anonymooc/release/intake/packtest"
	"anonymooc/release/pack"
)

// sealedFor is a request for an archive that keys can open.
func sealedFor(t *testing.T, keys *packtest.Keys) func(*release.Request) {
	t.Helper()
	to, err := pack.ParseRecipients([]string{keys.Age.Recipient().String()})
	if err != nil {
		t.Fatal(err)
	}
	return func(r *release.Request) { r.Seal = to }
}

// unsealed reads the files of an archive by their names.
func unsealed(t *testing.T, path string, keys *packtest.Keys) map[string]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	clear, err := age.Decrypt(bytes.NewReader(data), keys.Age)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for in := tar.NewReader(clear); ; {
		header, err := in.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(header.Name, "release/")] = string(text)
	}
}

// TestSealedRelease: the archive holds what the folder would, was verified before,
// and nothing in clear is left beside it.
func TestSealedRelease(t *testing.T) {
	keys := packtest.NewKeys(t)
	m := newMaker(t)
	m.mustRun(filepath.Join(t.TempDir(), "release"), nil, bundled)
	folder := filepath.Join(t.TempDir(), "release")
	m.mustRun(folder, nil, bundled)
	want := readTree(t, folder)
	dir := t.TempDir()
	out := filepath.Join(dir, "release.tar.age")
	verified := ""
	seal := sealedFor(t, keys)
	m.mustRun(out, func(r *release.Request) {
		seal(r)
		r.Verify = func(_ context.Context, _ *idmap.Domain, at string) error {
			verified = at
			if _, err := os.Stat(out); err == nil {
				t.Error("the archive is there before the release was verified")
			}
			return nil
		}
	}, bundled)
	got := unsealed(t, out, keys)
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs", name)
		}
	}
	if len(got) != len(want) || verified != filepath.Join(dir, "release.partial") {
		t.Errorf("%d files instead of %d, verified %q", len(got), len(want), verified)
	}
	if left := fileNames(t, dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// TestSealedPlaces: an archive takes the place of nothing but an archive, and of
// that only when told to.
func TestSealedPlaces(t *testing.T) {
	keys := packtest.NewKeys(t)
	m := newMaker(t)
	dir := t.TempDir()
	seal := sealedFor(t, keys)
	replacing := func(r *release.Request) { seal(r); r.Replace = true }
	out := filepath.Join(dir, "release.tar.age")
	m.mustRun(out, seal, bundled)
	if _, err := m.run(out, seal, bundled); fault.CodeOf(err) != fault.Usage {
		t.Errorf("over an archive: %v", err)
	}
	m.mustRun(out, replacing, bundled)
	if len(unsealed(t, out, keys)) < 15 {
		t.Error("the archive that replaced the other is not whole")
	}
	precious := filepath.Join(dir, "precious.tar.age")
	if err := os.WriteFile(precious, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*release.Request){"precious.tar.age": replacing, "folder": replacing, "other.tar.age": nil, "other.tar.gpg": seal} {
		if _, err := m.run(filepath.Join(dir, name), change, bundled); fault.CodeOf(err) != fault.Usage {
			t.Errorf("%s: %v", name, err)
		}
	}
	inside := t.TempDir()
	if err := os.CopyFS(inside, os.DirFS(bundled)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.run(filepath.Join(inside, "release.tar.age"), seal, inside); fault.CodeOf(err) != fault.Usage {
		t.Errorf("inside the export: %v", err)
	}
	if left := fileNames(t, dir); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
}

// TestFailedSealLeavesNothing: neither a half archive nor the release in clear.
func TestFailedSealLeavesNothing(t *testing.T) {
	keys := packtest.NewKeys(t)
	seal := sealedFor(t, keys)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	m := newMaker(t)
	request := m.request(filepath.Join(dir, "release.tar.age"), seal, bundled)
	request.Progress = &atStage{name: "encrypting", then: cancel}
	if _, err := release.Run(ctx, request); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left := fileNames(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// atStage does something when a run comes to a stage.
type atStage struct {
	cancelling
	name string
	then func()
}

func (a *atStage) File(string, int64) {}
func (a *atStage) Stage(name string) {
	if name == a.name {
		a.then()
	}
}

// TestKilledWhileSealing: after kill −9 while the archive is written, nothing has
// its name, and the next run goes on with the files that were finished, read from a
// package or not.
func TestKilledWhileSealing(t *testing.T) {
	keys := packtest.NewKeys(t)
	if dir := os.Getenv(killedRun); dir != "" {
		m := openMaker(t, dir, true)
		request := m.request(filepath.Join(dir, "release.tar.age"), sealedFor(t, keys), filepath.Join(dir, "export.tar.gz"))
		request.Progress = &atStage{name: "encrypting", then: func() {
			half := filepath.Join(dir, "release.tar.age"+pack.UnfinishedSuffix)
			if err := os.WriteFile(half, []byte("half"), 0o600); err != nil {
				t.Error(err)
			}
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}}
		_, err := release.Run(t.Context(), request)
		t.Fatalf("the run was not killed: %v", err)
	}
	dir := t.TempDir()
	export := filepath.Join(dir, "export.tar.gz")
	packtest.Write(t, dir, []packtest.Member{{Name: "export.tar.gz", Data: packtest.Gzip(t, packtest.Tar(t, packtest.Folder(t, bundled)))}})
	child := exec.Command(os.Args[0], "-test.run", "^TestKilledWhileSealing$")
	child.Env = append(os.Environ(), killedRun+"="+dir)
	if out, err := child.CombinedOutput(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("the child was not killed: %v\n%s", err, out)
	}
	out := filepath.Join(dir, "release.tar.age")
	if _, err := os.Stat(out); err == nil {
		t.Fatal("half an archive has its name")
	}
	m := openMaker(t, dir, false)
	result := m.mustRun(out, sealedFor(t, keys), export)
	if !strings.Contains(strings.Join(result.Warnings, "\n"), "14 files were finished") {
		t.Errorf("the run did not resume: %q", result.Warnings)
	}
	folder := filepath.Join(dir, "again")
	m.mustRun(folder, nil, export)
	want, got := readTree(t, folder), unsealed(t, out, keys)
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs from that of a run that was not killed", name)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.partial*")); err != nil || len(left) > 0 || len(got) != len(want) {
		t.Errorf("%d files instead of %d, left behind: %v, %v", len(got), len(want), left, err)
	}
}
