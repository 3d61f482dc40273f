package idmap

import (
	"fmt"
	"os"
	"path/filepath"

	"anonymooc/internal/fault"

	"github.com/gofrs/flock"
)

const (
	lockName = "lock" // held while the map is open
	pidName  = "pid"  // who holds it, for a person to read
)

// lockDir makes this process the only one with the map open. The operating
// system takes the lock away when the process ends, however it ends.
func lockDir(dir string) (*flock.Flock, error) {
	path := filepath.Join(dir, lockName)
	l := flock.New(path, flock.SetPermissions(0o600))
	held, err := l.TryLock()
	if err != nil {
		return nil, fault.New(fault.Failure, "the id map's folder cannot be written").At(dir, 0, "").Because(withoutPath(err)).
			WithHint("the map must be writable: each look-up is put on record before it is answered")
	}
	pid := filepath.Join(dir, pidName)
	if !held {
		holder, _ := os.ReadFile(pid)
		return nil, fault.New(fault.Failure, "the id map is in use by another anonymooc%s", describeHolder(holder)).At(dir, 0, "").
			WithHint("wait until it ends (%s names the process); the lock goes with it, no file needs deleting", pid)
	}
	if err := os.WriteFile(pid, fmt.Appendf(nil, "%d\n", os.Getpid()), 0o600); err != nil {
		l.Unlock()
		return nil, writeFault(pid, err)
	}
	return l, nil
}

func describeHolder(pid []byte) string {
	var n int
	if _, err := fmt.Sscanf(string(pid), "%d", &n); err != nil {
		return ""
	}
	return fmt.Sprintf(" (process %d)", n)
}
