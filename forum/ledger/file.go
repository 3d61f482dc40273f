package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"

	"github.com/gofrs/flock"
)

// lockWait bounds how long a writer waits for another one.
const lockWait = 10 * time.Second

// Options are what tests set; the zero value is right for everyone else.
type Options struct {
	Now func() time.Time // the clock; time.Now when nil
}

// Ledger is an open ledger file. It is safe for concurrent use.
type Ledger struct {
	path string
	now  func() time.Time
	lock *flock.Flock

	mu       sync.RWMutex
	file     *os.File
	size     int64 // bytes of whole entries read so far
	entries  []Entry
	state    *State
	repaired int64
}

// Open opens the ledger at path, creates it (0600) if there is none, cuts off
// what a crash left of a last line, and replays the rest.
func Open(path string, options Options) (*Ledger, error) {
	l := &Ledger{path: path, now: options.Now, state: newState()}
	if l.now == nil {
		l.now = time.Now
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fileFault(path, "cannot make the ledger's folder", err)
	}
	l.lock = flock.New(path+".lock", flock.SetPermissions(0o600))
	err := l.locked(func() error { return nil })
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Load replays the ledger at path without writing to it; a ledger that does not
// exist is empty, a torn last line is left out.
func Load(path string) (*State, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return newState(), nil
	}
	if err != nil {
		return nil, fileFault(path, "cannot read the ledger", err)
	}
	entries, _, err := parse(path, data, 0, 0)
	if err != nil {
		return nil, err
	}
	return Replay(entries), nil
}

// Repaired is the number of bytes of a torn last line that were cut off since
// the ledger was opened.
func (l *Ledger) Repaired() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.repaired
}

// Append numbers and dates the entries, writes them and returns them once they
// are on the disk. Entries keep their time when they have one (an import).
func (l *Ledger) Append(entries ...Entry) ([]Entry, error) {
	written := append([]Entry(nil), entries...)
	err := l.locked(func() error { return l.write(written) })
	if err != nil {
		return nil, err
	}
	return written, nil
}

// Undo takes back the entry with this number; 0 means the newest decision that holds.
func (l *Ledger) Undo(number uint64, who string) (Entry, error) {
	undo := []Entry{{Who: who}}
	err := l.locked(func() error {
		undo[0].Undo = number
		if number == 0 {
			undo[0].Undo = l.state.LastNumber()
		}
		target, ok := l.state.entries[undo[0].Undo]
		if !ok || target.Forgot > 0 {
			return fault.New(fault.Usage, "there is no such decision to take back").At(l.path, 0, "")
		}
		return l.write(undo)
	})
	return undo[0], err
}

// Refresh reads what other processes added.
func (l *Ledger) Refresh() error {
	return l.locked(func() error { return nil })
}

// Decision is the last decision on a question that holds.
func (l *Ledger) Decision(question string) (Decision, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.state.Decision(question)
}

// Mention is the last verdict on one occurrence that holds.
func (l *Ledger) Mention(m Mention) (Verdict, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.state.Mention(m)
}

// Snapshot is the state as it is now; later entries do not change it.
func (l *Ledger) Snapshot() *State {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return Replay(l.entries)
}

// Entries gives every entry, oldest first.
func (l *Ledger) Entries() []Entry {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return append([]Entry(nil), l.entries...)
}

// Close lets the file go. Everything appended is already on the disk.
func (l *Ledger) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.lock.Close()
	if l.file != nil {
		err = errors.Join(err, l.file.Close())
		l.file = nil
	}
	return err
}

// locked runs work with the lock held and everything others wrote read.
func (l *Ledger) locked(work func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	if ok, err := l.lock.TryLockContext(ctx, 5*time.Millisecond); !ok || err != nil {
		return fileFault(l.path, "another process holds the ledger", err).
			WithHint("wait until it is done, or end it")
	}
	defer l.lock.Unlock()
	if err := l.catchUp(); err != nil {
		return err
	}
	return work()
}

// catchUp reads the entries that are on the disk and not yet in memory, and
// cuts off a torn last line. The lock is held.
func (l *Ledger) catchUp() error {
	if err := l.reopen(); err != nil {
		return err
	}
	data, err := io.ReadAll(io.NewSectionReader(l.file, l.size, 1<<62))
	if err != nil {
		return fileFault(l.path, "cannot read the ledger", err)
	}
	entries, whole, err := parse(l.path, data, l.state.last, int64(len(l.entries)))
	if err != nil {
		return err
	}
	if torn := int64(len(data) - whole); torn > 0 {
		if err := l.cut(l.size + int64(whole)); err != nil {
			return err
		}
		l.repaired += torn
	}
	l.size += int64(whole)
	l.remember(entries)
	return nil
}

// reopen opens the file for the first time, or again when an erasure has put
// another one in its place.
func (l *Ledger) reopen() error {
	if l.file != nil {
		open, err := l.file.Stat()
		if err != nil {
			return fileFault(l.path, "cannot read the ledger", err)
		}
		if there, err := os.Stat(l.path); err == nil && os.SameFile(open, there) && there.Size() >= l.size {
			return nil
		}
		l.file.Close()
		l.file = nil
	}
	file, err := os.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fileFault(l.path, "cannot open the ledger", err)
	}
	l.file, l.size, l.entries, l.state = file, 0, nil, newState()
	return safefile.SyncDir(filepath.Dir(l.path))
}

func (l *Ledger) cut(size int64) error {
	err := l.file.Truncate(size)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		return fileFault(l.path, "cannot repair the ledger's last line", err)
	}
	return nil
}

// write appends entries, flushes them and only then remembers them; when the
// disk refuses, nothing of them stays. The lock is held.
func (l *Ledger) write(entries []Entry) error {
	var lines bytes.Buffer
	number := l.state.last
	for i := range entries {
		entry := &entries[i]
		entry.Number = number + 1
		if entry.At.IsZero() {
			entry.At = l.now()
		}
		entry.At = entry.At.UTC().Truncate(time.Second)
		if flaw := entry.flaw(number); flaw != "" {
			return fault.New(fault.Usage, "%s", flaw).At(l.path, int64(len(l.entries)+i+1), "")
		}
		number = entry.Number
		line, err := json.Marshal(entry)
		if err != nil {
			return fault.New(fault.Failure, "cannot write an entry as JSON").At(l.path, 0, "")
		}
		lines.Write(append(line, '\n'))
	}
	_, err := l.file.WriteAt(lines.Bytes(), l.size)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		return errors.Join(fileFault(l.path, "cannot write the ledger", err), l.cut(l.size))
	}
	l.size += int64(lines.Len())
	l.remember(entries)
	return nil
}

func (l *Ledger) remember(entries []Entry) {
	for _, entry := range entries {
		l.entries = append(l.entries, entry)
		l.state.apply(entry)
	}
}

// fileFault names the file and the system's reason; neither holds data.
func fileFault(path, what string, err error) *fault.Fault {
	f := fault.New(fault.Failure, "%s", what).At(path, 0, "")
	var inFile *fs.PathError
	if errors.As(err, &inFile) {
		err = inFile.Err
	}
	if err != nil {
		f.Because(err)
	}
	return f
}
