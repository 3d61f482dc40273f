package idmap

import (
	"os"

	"anonymooc/internal/secret"
)

// Rekey locks the map with another key. Everything is sealed anew under a new
// data key; pseudonyms, tokens and row keys stay. The old key no longer opens
// this map, but it still opens old backups.
func (m *Map) Rekey(key secret.Key) error {
	if err := m.Audit(AuditEntry{Action: "rekey"}); err != nil {
		return err
	}
	h, err := newHead(key, m.work())
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	h.generation, h.body = m.head.generation+1, m.head.body
	return m.rewrite(h)
}

// rewrite writes the next generation of the data file, without what was
// forgotten or overruled, and commits it. The old file is removed only after
// the new head counts. The caller holds m.mu.
func (m *Map) rewrite(h head) error {
	if err := m.flush(); err != nil {
		return err
	}
	seal, err := newSeal(h.dataKey)
	if err != nil {
		return err
	}
	old := *m.file
	file, err := createDataFile(m.dir, h.generation, seal)
	if err != nil {
		return err
	}
	m.file = file
	if err := m.writeAll(&old); err != nil {
		file.file.Close()
		os.Remove(file.file.Name())
		m.file = &old
		return m.fail(err)
	}
	if err := m.commitHead(h, file); err != nil {
		return err // either generation may count now: both files stay
	}
	m.rewriting = false
	path := old.file.Name()
	old.file.Close()
	if err := os.Remove(path); err != nil {
		return writeFault(path, err)
	}
	return nil
}

// writeAll writes what the map holds to m.file, reading the values from old.
func (m *Map) writeAll(old *dataFile) error {
	for pseudonym := range m.spent {
		m.pending = appendSpent(m.pending, pseudonym)
	}
	if len(m.tombstones) > 0 {
		m.pending = appendForgotten(m.pending, m.tombstones)
	}
	for _, d := range m.domains {
		m.pending = appendDomain(m.pending, d)
	}
	for _, d := range m.domains {
		if err := d.writeAll(old); err != nil {
			return err
		}
	}
	if err := m.flush(); err != nil {
		return err
	}
	return m.file.sync()
}

func (d *Domain) writeAll(old *dataFile) error {
	for _, l := range d.links {
		d.pending = appendLink(d.pending, l)
	}
	var err error
	d.addresses.each(func(id digest, address uint32, _ flags) {
		d.pending = appendAddress(d.pending, id, address)
		if err == nil {
			err = d.m.flushFull(d)
		}
	})
	if err != nil {
		return err
	}
	d.counts = [lastKind + 1]int{}
	group := group{d: d}
	err = d.visitStored(old, group.add, func(n storedNote) error {
		d.pending = appendNote(d.pending, n.id, n.attributes)
		return d.m.flushFull(d)
	})
	if err != nil {
		return err
	}
	return group.end()
}

// group collects identifiers of one person that follow each other.
type group struct {
	d     *Domain
	owner uint32
	count int
	ids   []byte
}

func (g *group) add(s storedIdentifier) error {
	if s.owner != g.owner || g.count == 1000 {
		if err := g.end(); err != nil {
			return err
		}
	}
	g.owner = s.owner
	g.count++
	g.ids = appendIdentifier(g.ids, s.kind, s.f, s.value)
	g.d.counts[s.kind]++
	return nil
}

func (g *group) end() error {
	if g.count > 0 {
		d := g.d
		d.pending = appendPerson(d.pending, g.owner, d.people.seed(g.owner), g.count)
		d.pending = append(d.pending, g.ids...)
		g.count, g.ids = 0, g.ids[:0]
	}
	return g.d.m.flushFull(g.d)
}
