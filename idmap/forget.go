package idmap

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"anonymooc/internal/fault"
)

// Person is everything the map knows about someone, over all domains: what an
// Eraser needs to find their traces.
type Person struct {
	Identifiers []Identifier
	Attributes  []Attribute
	Pseudonyms  map[string]Pseudonym // by domain
}

// Eraser is another store that keeps traces of people: the ledger of forms, a
// cache. Erase removes a person's and says what it changed, without naming
// anyone ("ledger: 3 decisions"); empty when there was nothing. It must bear
// being called again for the same person.
type Eraser interface {
	Erase(Person) (string, error)
}

// Erasure is the record of a forgetting. It names nobody.
type Erasure struct {
	Time        time.Time    `json:"time"`
	By          string       `json:"by"`
	Reason      string       `json:"reason,omitempty"`
	People      int          `json:"people"`
	Identifiers map[Kind]int `json:"identifiers"`
	// Domains are the projects whose releases hold the person and are to be
	// issued again, with how many people each.
	Domains map[string]int `json:"domains"`
	Erased  []string       `json:"erased,omitempty"` // what else was changed, and where
	Unknown int            `json:"unknown,omitempty"`
	Already int            `json:"already,omitempty"`
}

const erasureName = "erasures.jsonl"

// subject is a person about to be forgotten.
type subject struct {
	person Person
	owners map[*Domain]uint32
	userID string
}

// Forget erases the persons that the identifiers stand for, in every domain
// and for good: identifiers, attributes, seeds and links leave the map, whose
// file is written anew under a new data key; a keyed digest of each identifier
// stays, so that a later export that still holds the person is recognised, and
// their pseudonyms are never drawn again. Erasers run first: where one fails
// nothing is erased here and Forget can be called again.
func (m *Map) Forget(ids []Identifier, reason string, erasers ...Eraser) (Erasure, error) {
	e := Erasure{
		By: systemUser(), Reason: reason, Time: time.Now().UTC(),
		Identifiers: map[Kind]int{}, Domains: map[string]int{},
	}
	audit := AuditEntry{Action: "forget", Kinds: countKinds(ids), Count: len(ids), Reason: reason}
	if err := m.Audit(audit); err != nil {
		return e, err
	}
	subjects, err := m.findSubjects(ids, &e)
	if err != nil {
		return e, err
	}
	for _, s := range subjects {
		for _, eraser := range erasers {
			what, err := eraser.Erase(s.person)
			if err != nil {
				return e, err
			}
			if what != "" {
				e.Erased = append(e.Erased, what)
			}
		}
	}
	if err := m.erase(subjects, &e); err != nil {
		return e, err
	}
	return e, m.recordErasure(e)
}

// findSubjects gathers who the identifiers stand for and everything that is
// known about them in any domain.
func (m *Map) findSubjects(ids []Identifier, e *Erasure) ([]*subject, error) {
	var subjects []*subject
	seen := map[uint32]bool{}
	for _, id := range ids {
		s := &subject{owners: map[*Domain]uint32{}, person: Person{Pseudonyms: map[string]Pseudonym{}}}
		wasForgotten, isSeen := false, false
		for _, d := range m.Domains() {
			owner, err := d.ownerOf(id)
			if err != nil {
				return nil, err
			}
			wasForgotten = wasForgotten || owner == forgotten
			if owner >= firstPseudonym {
				isSeen = isSeen || seen[owner]
				s.owners[d], seen[owner] = owner, true
			}
		}
		switch {
		case isSeen: // named twice
		case len(s.owners) > 0:
			subjects = append(subjects, s)
		case wasForgotten:
			e.Already++
		default:
			e.Unknown++
		}
	}
	if len(subjects) == 0 {
		return nil, fault.New(fault.Failure, "the id map knows nobody by these identifiers (%d unknown, %d forgotten before)", e.Unknown, e.Already).
			WithHint("look the person up by another identifier")
	}
	for again := true; again; {
		if err := m.readSubjects(subjects); err != nil {
			return nil, err
		}
		again = false
		for _, s := range subjects {
			if s.userID == conflicting {
				return nil, fault.New(fault.Usage, "an identifier stands for different persons in different domains").
					WithHint("name the person by user id")
			}
			found, err := m.extend(s)
			if err != nil {
				return nil, err
			}
			again = again || found
		}
	}
	return subjects, nil
}

// conflicting stands for the user id of a subject that has several.
const conflicting = "\x00"

// readSubjects reads identifiers and attributes of the subjects from the file.
func (m *Map) readSubjects(subjects []*subject) error {
	for _, s := range subjects {
		s.person.Identifiers, s.person.Attributes, s.userID = nil, nil, ""
	}
	for _, d := range m.Domains() {
		byOwner := map[uint32]*subject{}
		for _, s := range subjects {
			if owner, ok := s.owners[d]; ok {
				byOwner[owner] = s
				s.person.Pseudonyms[d.name] = Pseudonym(owner)
			}
		}
		entries, err := d.entries(func(person uint32) bool { return byOwner[person] != nil })
		if err != nil {
			return err
		}
		for _, entry := range entries {
			byOwner[uint32(entry.Pseudonym)].add(entry)
		}
	}
	return nil
}

func (s *subject) add(entry Entry) {
	for _, id := range entry.Identifiers {
		if id.Kind == UserID {
			if s.userID != "" && s.userID != id.Value {
				s.userID = conflicting
			} else {
				s.userID = id.Value
			}
		}
	}
	all := Entry{
		Identifiers: append(s.person.Identifiers, entry.Identifiers...),
		Attributes:  append(s.person.Attributes, entry.Attributes...),
	}
	all.tidy()
	s.person.Identifiers, s.person.Attributes = all.Identifiers, all.Attributes
}

// extend looks for the subject in domains where the identifier asked for did
// not lead to them: by user id, else by an identifier that there belongs to
// nobody with a user id.
func (m *Map) extend(s *subject) (found bool, err error) {
	for _, d := range m.Domains() {
		if s.owners[d] != 0 {
			continue
		}
		for _, id := range s.person.Identifiers {
			owner, err := d.ownerOf(id)
			if err != nil {
				return false, err
			}
			if owner >= firstPseudonym && (id.Kind == UserID || s.userID == "" || !d.people.isAnchored(owner)) {
				s.owners[d] = owner
				found = true
				break
			}
		}
	}
	return found, nil
}

func (d *Domain) ownerOf(id Identifier) (uint32, error) {
	scratch := make([]byte, 0, 64)
	key, err := d.digest(&scratch, id.Kind, []byte(id.Value))
	if err != nil {
		return 0, err
	}
	owner, _ := d.index.get(key)
	return owner, nil
}

// erase takes the subjects out of the map and commits that.
func (m *Map) erase(subjects []*subject, e *Erasure) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var tombstones []tombstone
	gone := map[*Domain]map[uint32]bool{}
	for _, s := range subjects {
		found, err := m.eraseSubject(s)
		if err != nil {
			return err
		}
		tombstones = append(tombstones, found...)
		for d, owner := range s.owners {
			if gone[d] == nil {
				gone[d] = map[uint32]bool{}
			}
			gone[d][owner] = true
			e.Domains[d.name]++
			m.spend(owner)
		}
	}
	for d, persons := range gone {
		d.people.remove(persons)
		d.changed()
	}
	for _, t := range tombstones {
		e.Identifiers[t.kind]++
	}
	e.People = len(subjects)
	m.bury(tombstones)
	m.dropLinks(tombstones)
	return m.rewrite(m.head.nextGeneration())
}

// eraseSubject puts a tombstone wherever the person's identifiers stood.
func (m *Map) eraseSubject(s *subject) ([]tombstone, error) {
	var tombstones []tombstone
	seen := map[digest]bool{}
	f := flags(0)
	if s.userID != "" {
		f = anchored
	}
	scratch := make([]byte, 0, 64)
	for _, id := range s.person.Identifiers {
		for d, owner := range s.owners {
			key, err := d.digest(&scratch, id.Kind, []byte(id.Value))
			if err != nil {
				return nil, err
			}
			if !seen[key] {
				seen[key] = true
				tombstones = append(tombstones, tombstone{key, id.Kind, f})
			}
			if now, _ := d.index.get(key); now == owner {
				d.index.put(key, forgotten, f)
			}
		}
	}
	return tombstones, nil
}

// dropLinks removes the kept claims that name a forgotten identifier.
func (m *Map) dropLinks(tombstones []tombstone) {
	buried := map[digest]bool{}
	for _, t := range tombstones {
		buried[t.id] = true
	}
	for _, d := range m.domains {
		kept := d.links[:0]
		for _, l := range d.links {
			if !buried[l.a] && !buried[l.b] {
				kept = append(kept, l)
			}
		}
		d.links = kept
	}
}

// recordErasure appends to the record of erasures.
func (m *Map) recordErasure(e Erasure) error {
	path := filepath.Join(m.dir, erasureName)
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return writeFault(path, err)
	}
	defer file.Close()
	if _, err := file.Write(append(line, '\n')); err != nil {
		return writeFault(path, err)
	}
	return file.Sync()
}
