package idmap

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"time"

	"anonymooc/internal/fault"
)

// AuditEntry is one use of the map's key. It says who did what, when, to how
// many; never to whom.
type AuditEntry struct {
	Time    time.Time    `json:"time"`
	By      string       `json:"by"`
	Purpose string       `json:"purpose,omitempty"`
	Action  string       `json:"action"`
	Domain  string       `json:"domain,omitempty"`
	Kinds   map[Kind]int `json:"kinds,omitempty"`
	Count   int          `json:"count,omitempty"`
	Reason  string       `json:"reason,omitempty"`
	// Seal is a keyed digest of this entry and the seal before it: an entry
	// that was changed, added or taken out breaks the chain.
	Seal string `json:"seal,omitempty"`
}

// AuditReport is the audit file, checked.
type AuditReport struct {
	Entries []AuditEntry `json:"entries"`
	// Broken lists the lines, counted from 1, where the chain does not hold.
	Broken []int `json:"broken,omitempty"`
	// Missing is how many entries at least were cut off the end.
	Missing int `json:"missing,omitempty"`
}

const auditName = "audit.jsonl"

// auditTrail is the end of the audit file.
type auditTrail struct {
	loaded bool
	seal   string
	count  int
}

// Audit writes an entry to the audit file and has it reach the disk. Whoever
// is about to use the map for a person calls it before the answer; an error
// means that there must be none. Time, user and purpose are filled in.
func (m *Map) Audit(e AuditEntry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failed != nil {
		return m.failed
	}
	path := filepath.Join(m.dir, auditName)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return writeFault(path, err)
	}
	defer file.Close()
	start, err := m.loadAudit(path)
	if err != nil {
		return err
	}
	e.Time, e.By, e.Purpose = time.Now().UTC(), systemUser(), m.options.Purpose
	e.Seal = ""
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	e.Seal = m.auditSeal(m.audit.seal, line)
	if line, err = json.Marshal(e); err != nil {
		return err
	}
	if _, err := file.Write(append(append(start, line...), '\n')); err != nil {
		return writeFault(path, err)
	}
	if err := file.Sync(); err != nil {
		return writeFault(path, err)
	}
	m.audit.seal = e.Seal
	m.audit.count++
	m.head.body.Audited = m.audit.count
	return nil
}

// loadAudit finds the end of the chain; it returns the line end that a line
// cut by a power failure lacks.
func (m *Map) loadAudit(path string) ([]byte, error) {
	if m.audit.loaded {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, readFault(path, err)
	}
	for line := range bytes.Lines(text) {
		var e AuditEntry
		if json.Unmarshal(line, &e) == nil {
			m.audit.seal = e.Seal
		}
		m.audit.count++
	}
	m.audit.loaded = true
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return []byte{'\n'}, nil
	}
	return nil, nil
}

// auditSeal continues the chain; line is the entry without its seal.
func (m *Map) auditSeal(before string, line []byte) string {
	mac := hmac.New(sha256.New, m.head.body.Secret)
	mac.Write([]byte("audit\x00" + before + "\x00"))
	mac.Write(line)
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// ReadAudit reads the audit file and checks its chain.
func (m *Map) ReadAudit() (AuditReport, error) {
	path := filepath.Join(m.dir, auditName)
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return AuditReport{}, readFault(path, err)
	}
	report := AuditReport{Entries: []AuditEntry{}}
	before, number := "", 0
	for line := range bytes.Lines(text) {
		number++
		var e AuditEntry
		if json.Unmarshal(line, &e) != nil {
			report.Broken = append(report.Broken, number)
			continue
		}
		seal := e.Seal
		e.Seal = ""
		unsealed, err := json.Marshal(e)
		if err != nil {
			return AuditReport{}, fault.New(fault.Failure, "the audit cannot be checked").At(path, int64(number), "")
		}
		if m.auditSeal(before, unsealed) != seal {
			report.Broken = append(report.Broken, number)
		}
		e.Seal, before = seal, seal
		report.Entries = append(report.Entries, e)
	}
	report.Missing = max(0, m.head.body.Audited-number)
	return report, nil
}

// systemUser is the account that runs the program.
func systemUser() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}
