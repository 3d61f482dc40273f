package idmap

import (
	"bufio"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"anonymooc/internal/fault"
	"anonymooc/internal/secret"

	"github.com/gofrs/flock"
)

// Options says how a map is opened.
type Options struct {
	// Key opens the map: what its key file holds, or its passphrase.
	Key secret.Key
	// Purpose goes into the audit file: "run", "ids lookup"…
	Purpose string
	// ExactUsernames makes new domains tell usernames apart by case, for
	// platforms whose database does.
	ExactUsernames bool
	// Rand is where pseudonyms and secrets of people are drawn from; nil means
	// the operating system. Only tests set it: with the same source, claims and
	// order of first sight, the same pseudonyms are drawn.
	Rand io.Reader

	work uint8 // of scrypt; 0 means scryptWork, tests take less
}

// Map is an open id map. One process at a time has it open.
type Map struct {
	dir     string
	options Options
	draws   draws
	lock    *flock.Flock

	mu         sync.Mutex // held by whoever changes anything
	head       head
	file       *dataFile
	digests    digestKey
	domains    []*Domain
	spent      map[uint32]bool
	realIDs    map[uint32]bool
	tombstones []tombstone
	audit      auditTrail
	lastUsed   time.Time // before this opening
	reason     string    // for audit entries
	pending    []byte    // records of the whole map, not yet in a frame
	rewriting  bool      // the next commit must leave out what was forgotten
	failed     error     // after a failed write nothing may be added
}

// Create makes a new, empty map in dir, which is made too, and opens it. The
// key belongs to this map alone.
func Create(dir string, options Options) (*Map, error) {
	if err := CheckPlace(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, writeFault(dir, err)
	}
	m, err := lockMap(dir, options)
	if err != nil {
		return nil, err
	}
	if err := m.create(); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

func (m *Map) create() error {
	if err := m.checkEmpty(); err != nil {
		return err
	}
	h, err := newHead(m.options.Key, m.work())
	if err != nil {
		return err
	}
	h.generation = 1
	h.body.Created = time.Now().UTC()
	h.body.Secret = make([]byte, 32)
	if err := m.draws.read(h.body.Secret); err != nil {
		return err
	}
	m.head, m.digests = h, newDigestKey(h.body.Secret)
	seal, err := newSeal(h.dataKey)
	if err != nil {
		return err
	}
	if m.file, err = createDataFile(m.dir, h.generation, seal); err != nil {
		return err
	}
	if err := m.Audit(AuditEntry{Action: "create"}); err != nil {
		return err
	}
	return m.Commit()
}

// checkEmpty refuses to make a map where one is or was. What a Create left that
// was killed is cleared away: a data file without people, and the audit of a
// map that never came to be.
func (m *Map) checkEmpty() error {
	if Exists(m.dir) {
		return fault.New(fault.Failure, "there is an id map here already").At(m.dir, 0, "").
			WithHint("choose another folder; a map is never overwritten")
	}
	left, _ := filepath.Glob(filepath.Join(m.dir, "people.*"))
	for _, path := range left {
		if info, err := os.Stat(path); err != nil || info.Size() > int64(dataHeader) {
			return fault.New(fault.Failure, "the head of an id map is missing here").At(path, 0, "").
				WithHint("restore the whole map folder from its last backup")
		}
	}
	for _, path := range append(left, filepath.Join(m.dir, auditName)) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return writeFault(path, err)
		}
	}
	return nil
}

// Open opens the map in dir. The key, the place, the permissions, the format
// and every seal are checked first, and the opening is put on record.
func Open(dir string, options Options) (*Map, error) {
	if err := CheckPlace(dir); err != nil {
		return nil, err
	}
	if _, _, err := readHead(dir); err != nil {
		return nil, err
	}
	m, err := lockMap(dir, options)
	if err != nil {
		return nil, err
	}
	if err := m.open(); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

func (m *Map) open() error {
	var err error
	if m.head, err = openHead(m.dir, m.options.Key); err != nil {
		return err
	}
	m.digests = newDigestKey(m.head.body.Secret)
	m.lastUsed = m.head.body.Used
	if err := m.Audit(AuditEntry{Action: "open"}); err != nil {
		return err
	}
	seal, err := newSeal(m.head.dataKey)
	if err != nil {
		return err
	}
	if m.file, err = openDataFile(m.dir, m.head, seal); err != nil {
		return err
	}
	m.removeLeftovers()
	return m.replay()
}

// lockMap checks the folder and takes its lock.
func lockMap(dir string, options Options) (*Map, error) {
	if err := checkMode(dir, 0o077); err != nil {
		return nil, err
	}
	l, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	source := options.Rand
	if source == nil {
		source = bufio.NewReader(rand.Reader)
	}
	return &Map{
		dir: dir, options: options, draws: draws{source}, lock: l,
		spent: map[uint32]bool{}, realIDs: map[uint32]bool{},
	}, nil
}

func (m *Map) work() uint8 {
	if m.options.work != 0 {
		return m.options.work
	}
	return scryptWork
}

// removeLeftovers deletes what an interrupted rewrite left behind.
func (m *Map) removeLeftovers() {
	current := filepath.Base(dataPath(m.dir, m.head.generation))
	entries, _ := os.ReadDir(m.dir)
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, "people.") && name != current || strings.HasPrefix(name, "."+headName+".partial-") {
			os.Remove(filepath.Join(m.dir, name))
		}
	}
}

// Domain returns the domain of that name, which is made at first sight.
func (m *Map) Domain(name string) (*Domain, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if d := m.domain(name); d != nil {
		return d, nil
	}
	if name == "" || len(name) > 100 || len(m.domains) == 1<<16-1 {
		return nil, fault.New(fault.Usage, "a domain needs a name of at most 100 bytes")
	}
	d := newDomain(m, name, uint16(len(m.domains)+1))
	d.exactUsernames = m.options.ExactUsernames
	if err := m.draws.read(d.secret[:]); err != nil {
		return nil, err
	}
	for _, t := range m.tombstones {
		d.index.put(t.id, forgotten, t.f)
	}
	d.settled.Store(newFilter(&d.index))
	m.domains = append(m.domains, d)
	m.pending = appendDomain(m.pending, d)
	return d, nil
}

func (m *Map) domain(name string) *Domain {
	for _, d := range m.domains {
		if d.name == name {
			return d
		}
	}
	return nil
}

// Commit makes everything drawn and claimed so far last: when it returns nil,
// no power cut takes a pseudonym back. Nothing that shows a pseudonym (a
// release, a checkpoint of one) may be finished before.
func (m *Map) Commit() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.rewriting {
		return m.rewrite(m.head.nextGeneration())
	}
	if err := m.flush(); err != nil {
		return err
	}
	if err := m.file.sync(); err != nil {
		return m.fail(err)
	}
	return m.commitHead(m.head, m.file)
}

// commitHead puts the head in place, which is the moment of the commit.
func (m *Map) commitHead(h head, file *dataFile) error {
	h.body.Frames, h.body.Length = file.frames, file.length
	h.body.Commits++
	h.body.Changed = time.Now().UTC()
	h.body.Sizes = nil
	for _, d := range m.domains {
		h.body.Sizes = append(h.body.Sizes, domainSize{d.people.count(), d.index.count(), d.addresses.count()})
	}
	if err := h.write(m.dir); err != nil {
		return m.fail(err)
	}
	m.head = h
	return nil
}

// fail keeps the map from going on after a failed write.
func (m *Map) fail(err error) error {
	if m.failed == nil {
		m.failed = err
	}
	return err
}

// flush writes all waiting records as frames, those of the map first. The
// caller holds m.mu.
func (m *Map) flush() error {
	if err := m.flushRecords(0, &m.pending); err != nil {
		return err
	}
	for _, d := range m.domains {
		if err := m.flushRecords(d.number, &d.pending); err != nil {
			return err
		}
	}
	return nil
}

// flushFull writes the records of a domain once they fill a frame, so that
// memory stays bounded. The caller holds m.mu.
func (m *Map) flushFull(d *Domain) error {
	if m.failed != nil {
		return m.failed
	}
	if len(d.pending) < frameTarget {
		return nil
	}
	if err := m.flushRecords(0, &m.pending); err != nil {
		return err
	}
	return m.flushRecords(d.number, &d.pending)
}

func (m *Map) flushRecords(number uint16, records *[]byte) error {
	if m.failed != nil {
		return m.failed
	}
	if len(*records) == 0 {
		return nil
	}
	if err := m.file.append(append([]byte{byte(number), byte(number >> 8)}, *records...)); err != nil {
		return m.fail(err)
	}
	*records = (*records)[:0]
	return nil
}

// Close gives the map free for others; what was not committed is lost.
func (m *Map) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lock == nil {
		return nil
	}
	var err error
	m.failed = fault.New(fault.Failure, "the id map is closed")
	if m.file != nil {
		err = m.file.file.Close()
	}
	os.Remove(filepath.Join(m.dir, pidName))
	if unlockErr := m.lock.Unlock(); err == nil {
		err = unlockErr
	}
	m.lock = nil
	return err
}

// spend makes a number nobody's for ever. The caller holds m.mu.
func (m *Map) spend(pseudonym uint32) {
	m.spent[pseudonym] = true
	m.pending = appendSpent(m.pending, pseudonym)
}

// bury forgets identifiers in every domain, but where they are known as
// another person's. The caller holds m.mu.
func (m *Map) bury(tombstones []tombstone) {
	if len(tombstones) == 0 {
		return
	}
	for _, d := range m.domains {
		for _, t := range tombstones {
			if owner, _ := d.index.get(t.id); owner == 0 {
				d.index.put(t.id, forgotten, t.f)
			}
		}
		d.settled.Store(newFilter(&d.index))
	}
	m.tombstones = append(m.tombstones, tombstones...)
	m.pending = appendForgotten(m.pending, tombstones)
	m.rewriting = true
}
