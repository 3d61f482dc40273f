package idmap

// replay rebuilds the tables from the records of the data file.
func (m *Map) replay() error {
	err := m.file.each(m.file.frames, m.file.length, func(payload []byte) error {
		r := fields{rest: payload}
		number := r.uint16()
		if r.bad || int(number) > len(m.domains) {
			return errRecord
		}
		for len(r.rest) > 0 {
			if number == 0 {
				m.replayMap(&r)
			} else {
				m.domains[number-1].replay(&r)
			}
			if r.bad {
				return errRecord
			}
		}
		return nil
	})
	for _, d := range m.domains {
		d.loading.flushAll(&d.counts)
		d.loading = nil
		d.settled.Store(newFilter(&d.index))
		d.changed()
	}
	return err
}

// replayMap applies one record that concerns the whole map.
func (m *Map) replayMap(r *fields) {
	switch r.byte() {
	case recordDomain:
		m.replayDomain(r)
	case recordSpent:
		for range r.count(4) {
			m.spent[r.pseudonym()] = true
		}
	case recordForgotten:
		for range r.count(digestSize + 1) {
			id := r.digest()
			kind, f := r.kind()
			m.tombstones = append(m.tombstones, tombstone{id, kind, f})
			for _, d := range m.domains {
				d.loading.put(loading{id, forgotten, kind, f}, &d.counts)
			}
		}
	default:
		r.bad = true
	}
}

func (m *Map) replayDomain(r *fields) {
	number, f := r.uint16(), r.byte()
	var secret [32]byte
	copy(secret[:], r.take(uint64(len(secret))))
	name := string(r.bytes())
	if r.bad || int(number) != len(m.domains)+1 {
		r.bad = true
		return
	}
	d := newDomain(m, name, number)
	d.secret, d.exactUsernames = secret, f&exactUsername != 0
	d.loading = &loader{table: &d.index}
	if sizes := m.head.body.Sizes; len(m.domains) < len(sizes) {
		size := sizes[len(m.domains)]
		d.people.reserve(size.People)
		d.index.reserve(size.Identifiers)
		d.addresses.reserve(size.Addresses)
	}
	for _, t := range m.tombstones {
		d.index.put(t.id, forgotten, t.f)
	}
	m.domains = append(m.domains, d)
}

// replay applies one record of the domain.
func (d *Domain) replay(r *fields) {
	switch r.byte() {
	case recordPerson:
		d.replayPerson(r)
	case recordMove:
		id := r.digest()
		_, f := r.kind()
		person := r.pseudonym()
		d.loading.flush(int(id.hi>>flagShift), &d.counts)
		if old, _ := d.index.get(id); r.bad || old == 0 || !d.people.has(person) {
			r.bad = true
			return
		}
		d.index.put(id, person, f)
	case recordLink:
		a := r.digest()
		aKind, _ := r.kind()
		b := r.digest()
		bKind, _ := r.kind()
		d.links = append(d.links, link{a, b, aKind, bKind})
	case recordNote:
		r.digest()
		for range r.count(2) {
			r.bytes()
			r.bytes()
		}
	case recordAddress:
		id, address := r.digest(), r.uint32()
		if address < firstAddress || address-firstAddress >= addressCount {
			r.bad = true
			return
		}
		d.addresses.put(id, address, 0)
		d.usedAddresses.add(address - firstAddress)
	default:
		r.bad = true
	}
}

func (d *Domain) replayPerson(r *fields) {
	person := r.pseudonym()
	var s seed
	copy(s[:], r.take(uint64(len(s))))
	count := r.count(2)
	if r.bad {
		return
	}
	hasUser := false
	for range count {
		kind, f := r.kind()
		value := r.bytes()
		id, err := d.digest(&d.scratch, kind, value)
		if r.bad || err != nil {
			r.bad = true
			return
		}
		d.m.noteRealID(kind, d.scratch[1:])
		hasUser = hasUser || kind == UserID
		d.loading.put(loading{id, person, kind, f}, &d.counts)
	}
	d.people.put(person, s, hasUser)
}

// storedIdentifier is an identifier as it stands in the file.
type storedIdentifier struct {
	kind  Kind
	value []byte
	id    digest
	owner uint32 // today, which a later record may have changed
	f     flags
}

// storedNote is a description as it stands in the file.
type storedNote struct {
	id         digest
	owner      uint32
	attributes []Attribute
}

// eachStored visits the identifiers and notes of a domain in the order of the
// file, with the person they belong to today. What nobody owns any more is
// left out. Values may be kept only by copying.
func (d *Domain) eachStored(identifier func(storedIdentifier) error, note func(storedNote) error) error {
	d.m.mu.Lock()
	err := d.m.flush()
	file := d.m.file
	var written dataFile
	if err == nil {
		written = *file // its length now: others may append while we read
	}
	d.m.mu.Unlock()
	if err != nil {
		return err
	}
	return d.visitStored(&written, identifier, note)
}

// visitStored is eachStored for what file holds; the caller has flushed.
func (d *Domain) visitStored(file *dataFile, identifier func(storedIdentifier) error, note func(storedNote) error) error {
	return file.each(file.frames, file.length, func(payload []byte) error {
		r := fields{rest: payload}
		if r.uint16() != d.number {
			return nil
		}
		for len(r.rest) > 0 {
			if err := d.visitRecord(&r, identifier, note); err != nil {
				return err
			}
			if r.bad {
				return errRecord
			}
		}
		return nil
	})
}

func (d *Domain) visitRecord(r *fields, identifier func(storedIdentifier) error, note func(storedNote) error) error {
	switch r.rest[0] {
	case recordPerson:
		r.take(1 + 4 + uint64(len(seed{})))
		scratch := make([]byte, 0, 64)
		for range r.count(2) {
			kind, _ := r.kind()
			value := r.bytes()
			if identifier == nil {
				continue
			}
			id, err := d.digest(&scratch, kind, value)
			if r.bad || err != nil {
				return errRecord
			}
			owner, f := d.index.get(id)
			if owner < firstPseudonym {
				continue
			}
			if err := identifier(storedIdentifier{kind, value, id, owner, f}); err != nil {
				return err
			}
		}
	case recordNote:
		r.take(1)
		id := r.digest()
		attributes := make([]Attribute, r.count(2))
		for i := range attributes {
			attributes[i] = Attribute{Name: string(r.bytes()), Value: string(r.bytes())}
		}
		if owner, _ := d.index.get(id); owner >= firstPseudonym && note != nil && !r.bad {
			return note(storedNote{id, owner, attributes})
		}
	default:
		d.skip(r)
	}
	return nil
}

// skip passes over a record that holds no value.
func (d *Domain) skip(r *fields) {
	switch r.byte() {
	case recordMove:
		r.take(digestSize + 1 + 4)
	case recordLink:
		r.take(2 * (digestSize + 1))
	case recordAddress:
		r.take(digestSize + 4)
	default:
		r.bad = true
	}
}
