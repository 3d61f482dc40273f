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
	// Cut says that entries are missing at the end.
	Cut bool `json:"cut,omitempty"`
}

const auditName = "audit.jsonl"

// auditTrail is the end of the audit file, as the head knows it.
type auditTrail struct {
	loaded bool
	seal   string
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
	if e.Reason == "" {
		e.Reason = m.reason
	}
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
	m.audit.seal, m.head.body.AuditSeal, m.head.body.Used = e.Seal, e.Seal, e.Time
	if m.head.body.Commits == 0 {
		return nil // the first commit of a new map writes it
	}
	return m.head.write(m.dir) // as committed, with the new seal
}

// SetReason gives the reason that the next audit entries carry where they have
// none of their own. It must name nobody.
func (m *Map) SetReason(reason string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reason = reason
}

// loadAudit finds the seal to continue from, and returns the line end that a
// line cut by a power failure lacks. The head's seal counts, so that a file
// whose end was taken away breaks at the next entry; one whole entry more than
// the head knows of is what a power failure between the two leaves.
func (m *Map) loadAudit(path string) ([]byte, error) {
	if m.audit.loaded {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, readFault(path, err)
	}
	m.audit.loaded, m.audit.seal = true, m.head.body.AuditSeal
	before := ""
	for line := range bytes.Lines(text) {
		if e, holds := m.checkEntry(before, line); e != nil {
			if holds && before == m.head.body.AuditSeal {
				m.audit.seal = e.Seal
			}
			before = e.Seal
		}
	}
	if before != m.audit.seal {
		m.audit.seal = m.head.body.AuditSeal
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return []byte{'\n'}, nil
	}
	return nil, nil
}

// checkEntry reads a line and says whether it continues the chain; nil when it
// is no entry.
func (m *Map) checkEntry(before string, line []byte) (*AuditEntry, bool) {
	var e AuditEntry
	if json.Unmarshal(line, &e) != nil {
		return nil, false
	}
	seal := e.Seal
	e.Seal = ""
	unsealed, err := json.Marshal(e)
	e.Seal = seal
	return &e, err == nil && m.auditSeal(before, unsealed) == seal
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
		e, holds := m.checkEntry(before, line)
		if !holds {
			report.Broken = append(report.Broken, number)
		}
		if e != nil {
			report.Entries = append(report.Entries, *e)
			before = e.Seal
		}
	}
	report.Cut = before != m.audit.seal
	return report, nil
}

// systemUser is the account that runs the program.
func systemUser() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}
