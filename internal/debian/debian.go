//go:build unix

// Package debian finds the programs that tests need, and installs Debian's packages of
// them where it may.
package debian

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Program gives the path of a program, which a package of Debian's has: the first of
// its names that is found. Root installs the package; others are told to. A
// test that needs it fails without it.
func Program(t testing.TB, pack string, names ...string) string {
	t.Helper()
	path, err := find(names)
	if err != nil && os.Geteuid() == 0 {
		if failed := Install(pack); failed != nil {
			t.Fatalf("%s is missing and cannot be installed: %v", pack, failed)
		}
		path, err = find(names)
	}
	if err != nil {
		t.Fatalf("install Debian's package %s (root may let this test do it)", pack)
	}
	return path
}

// find looks for a program on the path, or where a pattern of a name leads; the last of
// those is the newest.
func find(names []string) (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
		if !filepath.IsAbs(name) {
			continue
		}
		if found, _ := filepath.Glob(name); len(found) > 0 {
			return found[len(found)-1], nil
		}
	}
	return "", exec.ErrNotFound
}

// Install installs packages. Tests of several packages of Go run at the same time, and
// two installations would take each other's files away: one waits for the other.
func Install(packages ...string) error {
	lock, err := os.OpenFile(filepath.Join(os.TempDir(), "anonymooc-debian.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close() // which unlocks it
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	update := exec.Command("apt-get", "update", "-qq")
	install := exec.Command("apt-get", append([]string{"install", "-y", "-qq", "-o", "DPkg::Lock::Timeout=600"}, packages...)...)
	for _, command := range []*exec.Cmd{update, install} {
		command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := command.CombinedOutput(); err != nil {
			return errors.Join(err, fmt.Errorf("%s", out))
		}
	}
	return nil
}
