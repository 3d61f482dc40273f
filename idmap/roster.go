package idmap

import (
	"cmp"
	"slices"

	"anonymooc/internal/fault"
)

// Entry is what the map knows about a person.
type Entry struct {
	Pseudonym   Pseudonym    `json:"pseudonym"`
	Identifiers []Identifier `json:"identifiers"`
	Attributes  []Attribute  `json:"attributes,omitempty"`
}

// maximumAttribute is the longest name or value of an attribute, in bytes.
const maximumAttribute = 16 << 10

// Describe stores what else is known about the person behind an identifier
// (names, city, institution) for re-contact and for the catalogue of names.
// It is sealed like the identifiers and goes where the identifier goes; what
// is stored already is not stored twice. A forgotten person is not described.
func (d *Domain) Describe(id Identifier, attributes ...Attribute) error {
	scratch := make([]byte, 0, 64)
	key, err := d.digest(&scratch, id.Kind, []byte(id.Value))
	if err != nil {
		return err
	}
	for _, a := range attributes {
		if len(a.Name) > maximumAttribute || len(a.Value) > maximumAttribute {
			return fault.New(fault.Failure, "an attribute is longer than %d bytes", maximumAttribute)
		}
	}
	if len(attributes) == 0 {
		return nil
	}
	record := appendNote(nil, key, attributes)
	d.describing.Lock()
	defer d.describing.Unlock()
	if err := d.loadDescribed(); err != nil {
		return err
	}
	print, _ := sipHash128(d.m.digests.k0, d.m.digests.k1, record)
	if _, known := d.described[print]; known {
		return nil
	}
	d.m.mu.Lock()
	defer d.m.mu.Unlock()
	if owner, _ := d.index.get(key); owner == forgotten {
		return nil
	}
	d.described[print] = struct{}{}
	d.pending = append(d.pending, record...)
	return d.m.flushFull(d)
}

// loadDescribed reads which descriptions the file holds, at the first of a run.
func (d *Domain) loadDescribed() error {
	if d.described != nil {
		return nil
	}
	described := map[uint64]struct{}{}
	var record []byte
	err := d.eachStored(nil, func(n storedNote) error {
		record = appendNote(record[:0], n.id, n.attributes)
		print, _ := sipHash128(d.m.digests.k0, d.m.digests.k1, record)
		described[print] = struct{}{}
		return nil
	})
	if err == nil {
		d.described = described
	}
	return err
}

// peopleAtOnce bounds the memory of a roster, at about 300 bytes a person.
const peopleAtOnce = 1 << 20

// Roster visits every person of the domain, by pseudonym, with all their
// identifiers and attributes in clear. It reads the file once per million
// people. It does not write to the audit: Export is for people, Roster is for
// the run that opened the map.
func (d *Domain) Roster(visit func(Entry) error) error {
	passes := uint32(d.people.count()/peopleAtOnce + 1)
	width := uint32(pseudonymCount)/passes + 1
	for pass := range passes {
		from := firstPseudonym + pass*width
		entries, err := d.entries(func(person uint32) bool { return person >= from && person-from < width })
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if err := visit(entry); err != nil {
				return err
			}
		}
	}
	return nil
}

// Descriptions visits what Describe has stored, call by call and in no order
// that means anything. It takes no memory for people, unlike Roster.
func (d *Domain) Descriptions(visit func(person Pseudonym, attributes []Attribute) error) error {
	return d.eachStored(nil, func(n storedNote) error { return visit(Pseudonym(n.owner), n.attributes) })
}

// Identifiers visits every identifier of everybody, in no order that means
// anything. Like Descriptions it takes no memory for people.
func (d *Domain) Identifiers(visit func(person Pseudonym, id Identifier) error) error {
	return d.eachStored(func(s storedIdentifier) error {
		return visit(Pseudonym(s.owner), Identifier{s.kind, string(s.value)})
	}, nil)
}

// People returns how many people the domain knows.
func (d *Domain) People() int { return d.people.count() }

// Has reports whether a pseudonym is somebody's in the domain.
func (d *Domain) Has(p Pseudonym) bool { return d.people.has(uint32(p)) }

// entries collects the persons that wanted asks for, by pseudonym.
func (d *Domain) entries(wanted func(person uint32) bool) ([]Entry, error) {
	byPerson := map[uint32]*Entry{}
	entry := func(person uint32) *Entry {
		if byPerson[person] == nil {
			byPerson[person] = &Entry{Pseudonym: Pseudonym(person)}
		}
		return byPerson[person]
	}
	err := d.eachStored(func(s storedIdentifier) error {
		if wanted(s.owner) {
			e := entry(s.owner)
			e.Identifiers = append(e.Identifiers, Identifier{s.kind, string(s.value)})
		}
		return nil
	}, func(n storedNote) error {
		if wanted(n.owner) {
			e := entry(n.owner)
			e.Attributes = append(e.Attributes, n.attributes...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	list := make([]Entry, 0, len(byPerson))
	for _, e := range byPerson {
		e.tidy()
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b Entry) int { return cmp.Compare(a.Pseudonym, b.Pseudonym) })
	return list, nil
}

// tidy puts an entry into one order, whatever the order of the export was.
func (e *Entry) tidy() {
	slices.SortFunc(e.Identifiers, func(a, b Identifier) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Value, b.Value))
	})
	slices.SortFunc(e.Attributes, func(a, b Attribute) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value))
	})
	e.Attributes = slices.Compact(e.Attributes)
}

// Lookup returns the persons that the identifiers stand for, in the order of
// pseudonyms. The audit entry is written before anything is read.
func (d *Domain) Lookup(ids ...Identifier) ([]Entry, error) {
	if err := d.m.Audit(AuditEntry{Action: "lookup", Domain: d.name, Kinds: countKinds(ids), Count: len(ids)}); err != nil {
		return nil, err
	}
	wanted := map[uint32]bool{}
	scratch := make([]byte, 0, 64)
	for _, id := range ids {
		key, err := d.digest(&scratch, id.Kind, []byte(id.Value))
		if err != nil {
			return nil, err
		}
		if owner, _ := d.index.get(key); owner >= firstPseudonym {
			wanted[owner] = true
		}
	}
	return d.entries(func(person uint32) bool { return wanted[person] })
}

// LookupPseudonyms returns the persons behind pseudonyms of a release. The
// audit entry is written before anything is read.
func (d *Domain) LookupPseudonyms(pseudonyms ...Pseudonym) ([]Entry, error) {
	if err := d.m.Audit(AuditEntry{Action: "lookup pseudonyms", Domain: d.name, Count: len(pseudonyms)}); err != nil {
		return nil, err
	}
	wanted := map[uint32]bool{}
	for _, p := range pseudonyms {
		wanted[uint32(p)] = true
	}
	return d.entries(func(person uint32) bool { return wanted[person] })
}

// Export visits every person of the domain, for re-contact. The audit entry is
// written before anything is read.
func (d *Domain) Export(visit func(Entry) error) error {
	if err := d.m.Audit(AuditEntry{Action: "export", Domain: d.name, Count: d.people.count()}); err != nil {
		return err
	}
	return d.Roster(visit)
}

// Crosswalk visits the pairs of pseudonyms of the people known in both
// domains, for two projects that were allowed to join their data. People who
// have a user id in both are paired by it alone. The audit entry is written
// before anything is read.
func (d *Domain) Crosswalk(other *Domain, visit func(here, there Pseudonym) error) error {
	if err := d.m.Audit(AuditEntry{Action: "crosswalk", Domain: d.name + " and " + other.name}); err != nil {
		return err
	}
	pairs := map[uint32]uint32{}
	err := d.eachStored(func(s storedIdentifier) error {
		there, _ := other.index.get(s.id)
		if there < firstPseudonym {
			return nil
		}
		byUserID := d.people.isAnchored(s.owner) && other.people.isAnchored(there)
		if known, ok := pairs[s.owner]; s.kind == UserID || !byUserID && (!ok || there < known) {
			pairs[s.owner] = there
		}
		return nil
	}, nil)
	if err != nil {
		return err
	}
	for _, pair := range sortedPairs(pairs) {
		if err := visit(Pseudonym(pair>>32), Pseudonym(uint32(pair))); err != nil {
			return err
		}
	}
	return nil
}

// sortedPairs puts the pairs in order, here above there in 64 bits.
func sortedPairs(pairs map[uint32]uint32) []uint64 {
	list := make([]uint64, 0, len(pairs))
	for here, there := range pairs {
		list = append(list, uint64(here)<<32|uint64(there))
	}
	slices.Sort(list)
	return list
}

func countKinds(ids []Identifier) map[Kind]int {
	counts := map[Kind]int{}
	for _, id := range ids {
		counts[id.Kind]++
	}
	return counts
}
