package idmap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
)

// populated is a committed, closed map with two domains and every kind of record.
func populated(t testing.TB, key secret.Key) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "map")
	m, err := Create(dir, Options{Key: key, work: 4})
	if err != nil {
		t.Fatal(err)
	}
	d := testDomain(t, m, "project")
	for n := range 50 {
		name := fmt.Sprintf("learner%d", n)
		claim(t, d, userID(n), named(name), mailed(name+"@example.org"))
		if err := d.Describe(userID(n), Attribute{"name", "Someone Else"}, Attribute{"city", fmt.Sprint("City ", n)}); err != nil {
			t.Fatal(err)
		}
	}
	claim(t, d, named("hermit"), mailed("hermit@example.org"))
	settle(t, d)
	claim(t, d, userID(3), named("learner4"))
	settle(t, d)
	person(t, testDomain(t, m, "another project"), named("met in a log"))
	if err := m.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Forget([]Identifier{userID(7)}, ""); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// secrets are values of populated that no message may repeat.
var secrets = []string{"learner", "hermit", "example.org", "Someone", "City"}

func wantFault(t *testing.T, err error, what string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %q", what)
	}
	if !strings.Contains(err.Error(), what) {
		t.Errorf("error %q, want %q", err, what)
	}
	var f *fault.Fault
	if !errors.As(err, &f) {
		t.Errorf("%q is not a fault", err)
	}
	for _, value := range secrets {
		if strings.Contains(err.Error(), value) {
			t.Errorf("the error repeats a value: %q", err)
		}
	}
}

func dump(t testing.TB, m *Map) string {
	t.Helper()
	var b strings.Builder
	for _, d := range m.Domains() {
		fmt.Fprintln(&b, "domain", d.Name(), m.Stat().Domains[d.number-1])
		if err := d.Roster(func(e Entry) error {
			_, err := fmt.Fprintln(&b, e)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestReopenedMapIsTheSameMap(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	for n := range 200 {
		claim(t, d, userID(n), named(fmt.Sprint("learner", n%150)))
	}
	settle(t, d)
	if err := d.Describe(userID(1), Attribute{"name", "Someone"}); err != nil {
		t.Fatal(err)
	}
	before := dump(t, m)
	m = reopen(t, m)
	if after := dump(t, m); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	size := m.Stat().FileBytes
	if err := testDomain(t, m, "project").Describe(userID(1), Attribute{"name", "Someone"}); err != nil {
		t.Fatal(err)
	}
	if m = reopen(t, m); m.Stat().FileBytes != size {
		t.Error("the same description was stored twice")
	}
}

func TestUncommittedIsLostAndLeavesNoTrace(t *testing.T) {
	m, dir := newTestMap(t)
	d := testDomain(t, m, "project")
	kept := person(t, d, named("kept"))
	m = reopen(t, m)
	d = testDomain(t, m, "project")
	person(t, d, named("lost"))
	m.mu.Lock()
	err := m.flush() // on the disk, yet not committed
	m.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	os.WriteFile(filepath.Join(dir, "people.99"), []byte("left by an interrupted rewrite"), 0o600)
	m, err = Open(dir, Options{Key: testKey(1)})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	r := testDomain(t, m, "project").Resolver()
	if p, ok := r.Known(Username, []byte("kept")); !ok || p != kept {
		t.Error("a committed pseudonym was lost")
	}
	if _, ok := r.Known(Username, []byte("lost")); ok {
		t.Error("an uncommitted pseudonym survived")
	}
	if _, err := os.Stat(filepath.Join(dir, "people.99")); err == nil {
		t.Error("the left-over file is still there")
	}
}

func TestEveryFlippedBitIsRefused(t *testing.T) {
	dir := populated(t, testKey(1))
	paths, err := filepath.Glob(filepath.Join(dir, "people.*"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	for _, path := range append(paths, filepath.Join(dir, headName)) {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(whole); at += 1 + len(whole)/150 {
			damaged := bytes.Clone(whole)
			damaged[at] ^= 1 << (at % 8)
			os.WriteFile(path, damaged, 0o600)
			m, err := Open(dir, Options{Key: testKey(1)})
			if err == nil {
				m.Close()
				t.Fatalf("%s: byte %d was changed and the map opened", filepath.Base(path), at)
			}
			for _, value := range secrets {
				if strings.Contains(err.Error(), value) {
					t.Fatalf("the error repeats a value: %q", err)
				}
			}
		}
		for _, cut := range []int{0, 1, len(whole) / 2, len(whole) - 1} {
			os.WriteFile(path, whole[:cut], 0o600)
			if m, err := Open(dir, Options{Key: testKey(1)}); err == nil {
				m.Close()
				t.Fatalf("%s: cut to %d bytes and the map opened", filepath.Base(path), cut)
			}
		}
		os.WriteFile(path, whole, 0o600)
	}
	m, err := Open(dir, Options{Key: testKey(1)})
	if err != nil {
		t.Fatalf("the whole map does not open: %v", err)
	}
	m.Close()
}

func TestRefusals(t *testing.T) {
	passphrase := secret.Key{Secret: secret.New([]byte("correct horse")), IsPassphrase: true}
	wrong := secret.Key{Secret: secret.New([]byte("incorrect")), IsPassphrase: true}
	tests := []struct {
		name    string
		key     secret.Key
		prepare func(t *testing.T, dir string)
		open    secret.Key
		want    string
	}{
		{"wrong key file", testKey(1), nil, testKey(2), "not the key"},
		{"wrong passphrase", passphrase, nil, wrong, "not the key"},
		{"key file for a passphrase", passphrase, nil, testKey(1), "locked by a passphrase"},
		{"passphrase for a key file", testKey(1), nil, passphrase, "locked by a key file"},
		{"no key", testKey(1), nil, secret.Key{}, "needs its key"},
		{"newer format", testKey(1), func(t *testing.T, dir string) {
			b, err := os.ReadFile(filepath.Join(dir, headName))
			if err != nil {
				t.Fatal(err)
			}
			b[len(headMagic)] = 2
			os.WriteFile(filepath.Join(dir, headName), b, 0o600)
		}, testKey(1), "format 2"},
		{"folder open to the group", testKey(1), func(t *testing.T, dir string) { os.Chmod(dir, 0o710) }, testKey(1), "others than its owner"},
		{"head open to others", testKey(1), func(t *testing.T, dir string) { os.Chmod(filepath.Join(dir, headName), 0o604) }, testKey(1), "others than its owner"},
		{"git work tree", testKey(1), func(t *testing.T, dir string) { os.Mkdir(filepath.Join(filepath.Dir(dir), ".git"), 0o700) }, testKey(1), "git work tree"},
		{"nothing here", testKey(1), func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, headName)) }, testKey(1), "no id map"},
		{"the data file is gone", testKey(1), func(t *testing.T, dir string) {
			paths, _ := filepath.Glob(filepath.Join(dir, "people.*"))
			os.Remove(paths[0])
		}, testKey(1), "cannot be read"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := populated(t, test.key)
			if test.prepare != nil {
				test.prepare(t, dir)
			}
			m, err := Open(dir, Options{Key: test.open})
			if err == nil {
				m.Close()
			}
			wantFault(t, err, test.want)
		})
	}
}

func TestPassphraseOpensItsMapAndASecondCreateIsRefused(t *testing.T) {
	key := secret.Key{Secret: secret.New([]byte("correct horse")), IsPassphrase: true}
	dir := populated(t, key)
	if needs, err := NeedsPassphrase(dir); err != nil || !needs {
		t.Errorf("NeedsPassphrase: %v, %v", needs, err)
	}
	m, err := Open(dir, Options{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	_, err = Create(dir, Options{Key: testKey(1)})
	wantFault(t, err, "already")
}

func TestInterruptedCreateIsTakenUpAndALostHeadIsNot(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "map")
	os.Mkdir(dir, 0o700)
	os.WriteFile(filepath.Join(dir, "people.1"), []byte(dataMagic), 0o600)
	os.WriteFile(filepath.Join(dir, auditName), []byte("{}\n"), 0o600)
	if Exists(dir) {
		t.Error("a map without a head exists")
	}
	m, err := Create(dir, Options{Key: testKey(1)})
	if err != nil {
		t.Fatal(err)
	}
	person(t, testDomain(t, m, "project"), userID(1))
	m = reopen(t, m)
	if report, err := m.ReadAudit(); err != nil || len(report.Broken) > 0 || !Exists(dir) {
		t.Errorf("%+v, %v", report, err)
	}
	m.Close()
	os.Remove(filepath.Join(dir, headName))
	_, err = Create(dir, Options{Key: testKey(1)})
	wantFault(t, err, "head of an id map is missing")
}

func TestLastUseIsTheOneBefore(t *testing.T) {
	m, _ := newTestMap(t)
	if s := m.Stat(); !s.Used.IsZero() || s.Changed.IsZero() {
		t.Errorf("%+v", s)
	}
	m = reopen(t, m)
	first := m.Stat()
	m = reopen(t, m)
	if second := m.Stat(); first.Used.IsZero() || !second.Used.After(first.Used) || second.Used.Before(first.Created) {
		t.Errorf("%+v, then %+v", first, second)
	}
}

func TestMapInsideAnOutputFolderIsRefused(t *testing.T) {
	root := t.TempDir()
	out, project := filepath.Join(root, "out"), filepath.Join(root, "project")
	os.Mkdir(out, 0o700)
	os.Mkdir(project, 0o700)
	os.Symlink(out, filepath.Join(root, "link"))
	for _, place := range []string{out, filepath.Join(out, "deep", "map"), filepath.Join(root, "link", "map")} {
		wantFault(t, CheckPlace(place, out), "output folder")
	}
	if err := CheckPlace(filepath.Join(project, "map"), out, filepath.Join(root, "outside")); err != nil {
		t.Errorf("a good place was refused: %v", err)
	}
	if err := CheckPlace(filepath.Join(root, "out-map"), out); err != nil {
		t.Errorf("a folder whose name only begins alike was refused: %v", err)
	}
}

// TestNothingIsReadableAtRest looks for every value in every byte on disk.
func TestNothingIsReadableAtRest(t *testing.T) {
	dir := populated(t, testKey(1))
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range secrets {
			if bytes.Contains(content, []byte(value)) {
				t.Errorf("%s holds %q in clear", e.Name(), value)
			}
		}
		if info, _ := e.Info(); info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", e.Name(), info.Mode())
		}
	}
}

func TestRekeyKeepsPseudonymsAndShutsTheOldKeyOut(t *testing.T) {
	dir := populated(t, testKey(1))
	m, err := Open(dir, Options{Key: testKey(1)})
	if err != nil {
		t.Fatal(err)
	}
	before := dump(t, m)
	token, _ := testDomain(t, m, "project").Resolver().Token("session", []byte("x"))
	if err := m.Rekey(testKey(2)); err != nil {
		t.Fatal(err)
	}
	person(t, testDomain(t, m, "project"), named("after")) // the map goes on under the new key
	if err := m.Commit(); err != nil {
		t.Fatal(err)
	}
	m.Close()
	_, err = Open(dir, Options{Key: testKey(1)})
	wantFault(t, err, "not the key")
	m, err = Open(dir, Options{Key: testKey(2)})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if again, _ := testDomain(t, m, "project").Resolver().Token("session", []byte("x")); again != token {
		t.Error("a token changed")
	}
	if _, err := m.Forget([]Identifier{named("after")}, ""); err != nil {
		t.Fatal(err)
	}
	if after := dump(t, m); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// fullDisk takes a number of bytes, then reports a full disk.
type fullDisk struct {
	io.WriterAt
	room int
}

func (f *fullDisk) WriteAt(b []byte, at int64) (int, error) {
	if len(b) > f.room {
		n, _ := f.WriterAt.WriteAt(b[:f.room], at)
		f.room = 0
		return n, syscall.ENOSPC
	}
	f.room -= len(b)
	return f.WriterAt.WriteAt(b, at)
}

func TestFullDiskLosesNothingCommitted(t *testing.T) {
	for _, room := range []int{0, 1, 10, 400, 3000} {
		m, dir := newTestMap(t)
		d := testDomain(t, m, "project")
		kept := person(t, d, named("kept"))
		if err := m.Commit(); err != nil {
			t.Fatal(err)
		}
		m.file.out = &fullDisk{m.file.file, room}
		for n := range 200 {
			person(t, d, named(fmt.Sprint("learner", n)))
		}
		wantFault(t, m.Commit(), "no space left")
		wantFault(t, m.Commit(), "no space left") // and it does not come back to life
		m.Close()
		m, err := Open(dir, Options{Key: testKey(1)})
		if err != nil {
			t.Fatal(err)
		}
		r := testDomain(t, m, "project").Resolver()
		if p, ok := r.Known(Username, []byte("kept")); !ok || p != kept {
			t.Error("a committed pseudonym was lost")
		}
		if m.Stat().Domains[0].People != 1 {
			t.Error("half of an uncommitted run survived")
		}
		m.Close()
	}
}

// TestRealFullDisk fills a small file system, where the system lets the test
// mount one.
func TestRealFullDisk(t *testing.T) {
	mount := t.TempDir()
	if err := syscall.Mount("tmpfs", mount, "tmpfs", 0, "size=256k,mode=700"); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v", err)
	}
	defer syscall.Unmount(mount, 0)
	dir := filepath.Join(mount, "map")
	m, err := Create(dir, Options{Key: testKey(1)})
	if err != nil {
		t.Fatal(err)
	}
	d := testDomain(t, m, "project")
	committed := map[string]Pseudonym{}
	for round := 0; err == nil && round < 100; round++ {
		batch := map[string]Pseudonym{}
		for n := range 100 {
			name := fmt.Sprintf("learner-%d-%d", round, n)
			batch[name] = person(t, d, named(name))
		}
		if err = m.Commit(); err == nil {
			for name, p := range batch {
				committed[name] = p
			}
		}
	}
	wantFault(t, err, "no space left")
	m.Close()
	filler, _ := filepath.Glob(filepath.Join(dir, "people.*"))
	if len(filler) != 1 || len(committed) == 0 {
		t.Fatalf("%d data files, %d people", len(filler), len(committed))
	}
	syscall.Mount("tmpfs", mount, "tmpfs", syscall.MS_REMOUNT, "size=2m")
	if m, err = Open(dir, Options{Key: testKey(1)}); err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	r := testDomain(t, m, "project").Resolver()
	for name, p := range committed {
		if got, ok := r.Known(Username, []byte(name)); !ok || got != p {
			t.Fatal("a committed pseudonym was lost")
		}
	}
}

// TestFullDiskStopsForgettingBeforeItBegins: the map that is there stays whole
// until the one without the person is.
func TestFullDiskStopsForgettingBeforeItBegins(t *testing.T) {
	mount := t.TempDir()
	if err := syscall.Mount("tmpfs", mount, "tmpfs", 0, "size=200k,mode=700"); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v", err)
	}
	defer syscall.Unmount(mount, 0)
	dir := filepath.Join(mount, "map")
	m, err := Create(dir, Options{Key: testKey(1)})
	if err != nil {
		t.Fatal(err)
	}
	d := testDomain(t, m, "project")
	for n := range 3000 {
		person(t, d, named(fmt.Sprintf("learner-%d", n)))
	}
	if err := m.Commit(); err != nil {
		t.Fatal(err)
	}
	_, err = m.Forget([]Identifier{named("learner-7")}, "")
	wantFault(t, err, "no space left")
	m.Close()
	if m, err = Open(dir, Options{Key: testKey(1)}); err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, known := testDomain(t, m, "project").Resolver().Known(Username, []byte("learner-7")); !known || m.Stat().Domains[0].People != 3000 {
		t.Error("a forgetting that failed changed the map")
	}
	if content, _ := os.ReadFile(filepath.Join(dir, erasureName)); len(content) > 0 {
		t.Error("a forgetting that failed is on record as done")
	}
}

func TestReadOnlyFolderIsRefused(t *testing.T) {
	dir := populated(t, testKey(1))
	if os.Geteuid() == 0 {
		// Root writes anywhere but on a file system mounted read-only.
		if err := syscall.Mount(dir, dir, "", syscall.MS_BIND, ""); err != nil {
			t.Skipf("root cannot be kept from writing here: %v", err)
		}
		defer syscall.Unmount(dir, 0)
		if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_BIND|syscall.MS_RDONLY, ""); err != nil {
			t.Skipf("root cannot be kept from writing here: %v", err)
		}
	} else {
		os.Chmod(dir, 0o500)
		defer os.Chmod(dir, 0o700)
	}
	m, err := Open(dir, Options{Key: testKey(1)})
	if err == nil {
		m.Close()
	}
	wantFault(t, err, "cannot be written")
}

func TestSecondProcessIsToldWhoHasTheMap(t *testing.T) {
	if dir := os.Getenv("IDMAP_TEST_SECOND"); dir != "" {
		if _, err := Open(dir, Options{Key: testKey(1)}); err != nil {
			fmt.Println(err)
		}
		return
	}
	m, dir := newTestMap(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestSecondProcessIsToldWhoHasTheMap$")
	cmd.Env = append(os.Environ(), "IDMAP_TEST_SECOND="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(err, string(out))
	}
	if want := fmt.Sprintf("in use by another anonymooc (process %d)", os.Getpid()); !strings.Contains(string(out), want) {
		t.Errorf("the second process said %q, want %q", out, want)
	}
	m.Close()
	again, err := Open(dir, Options{Key: testKey(1)})
	if err != nil {
		t.Errorf("the lock outlived its holder: %v", err)
	} else {
		again.Close()
	}
}
