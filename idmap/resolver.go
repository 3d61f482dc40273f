package idmap

import (
	"crypto/aes"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"net/netip"

	"anonymooc/internal/fault"
)

// ErrForgotten says that the person was erased: their rows are dropped, or
// shown under an Orphan pseudonym, as the rule says.
var ErrForgotten = errors.New("the person was forgotten")

// maximumValue is the longest value taken for an identifier, in bytes.
const maximumValue = 1024

// A Resolver answers for a domain. It keeps buffers and the last answers, so
// each goroutine takes its own; any number may work at the same time.
type Resolver struct {
	domain  *Domain
	epoch   uint32
	scratch []byte
	people  cache
	words   cache
	numbers *numbers
	spaces  []space
	tokens  tokens
	rows    map[string]*rowKeys
	block   [aes.BlockSize]byte
	digits  [20]byte
}

// Resolver returns a new resolver, for one goroutine.
func (d *Domain) Resolver() *Resolver {
	hashSeed := maphash.MakeSeed()
	return &Resolver{
		domain: d, epoch: d.epoch.Load(), numbers: d.numbers.Load(),
		people: newCache(hashSeed, peopleCached), words: newCache(hashSeed, wordsCached),
		tokens: newTokens(d.key("tokens")), rows: map[string]*rowKeys{},
	}
}

// Person returns the pseudonym of the person that value stands for. Someone
// never met before is drawn a pseudonym, which lasts once the map is
// committed. The error is ErrForgotten for an erased person, and a fault when
// the value cannot be an identifier.
func (r *Resolver) Person(kind Kind, value []byte) (Pseudonym, error) {
	r.refresh()
	n, numbered := uint32(0), false
	if kind == UserID {
		if n, numbered = number(value); numbered {
			if person := r.numbers.get(n); person != 0 {
				return personOf(person &^ freshNumber)
			}
		}
	}
	entry, hit := r.people.find(uint16(kind), value)
	if hit {
		return personOf(binary.LittleEndian.Uint32(entry.out[:]))
	}
	id, err := r.digest(kind, value)
	if err != nil {
		return 0, err
	}
	person, f := r.domain.index.get(id)
	if person == 0 {
		if person, err = r.domain.meet(kind, id, value); err != nil {
			return 0, err
		}
	} else if numbered && r.numbers.put(n, person, f) {
		return personOf(person)
	}
	if entry != nil {
		entry.fill(uint16(kind), value)
		binary.LittleEndian.PutUint32(entry.out[:], person)
	}
	return personOf(person)
}

func personOf(person uint32) (Pseudonym, error) {
	if person == forgotten {
		return 0, ErrForgotten
	}
	return Pseudonym(person), nil
}

// Known returns the pseudonym of a person who was known when the claims were
// settled (or the map opened), and whether there is one. It never draws, and
// what other goroutines meet in the meantime does not change its answer: it
// may be asked about every word of a log without making the order of lines
// matter.
//
// A forgotten person is known as Nobody: wherever their identifier stands in
// other people's lines it must be replaced, and by nothing that tells them
// from other forgotten people.
func (r *Resolver) Known(kind Kind, value []byte) (Pseudonym, bool) {
	r.refresh()
	if kind == UserID {
		if n, ok := number(value); ok {
			switch person := r.numbers.get(n); {
			case person == forgotten:
				return Nobody, true
			case person >= freshNumber:
				return 0, false
			case person != 0:
				return Pseudonym(person), true
			}
		}
	}
	entry, hit := r.words.find(uint16(kind), value)
	if hit {
		return Pseudonym(binary.LittleEndian.Uint32(entry.out[:])), entry.known
	}
	id, err := r.digest(kind, value)
	if err != nil {
		return 0, false
	}
	person, known := uint32(0), false
	if !r.domain.settled.Load().excludes(id) {
		var f flags
		if person, f = r.domain.index.get(id); person == forgotten {
			person, known = uint32(Nobody), true
		} else if known = person != 0 && f&fresh == 0; !known {
			person = 0
		}
	}
	if entry != nil {
		entry.fill(uint16(kind), value)
		entry.known = known
		binary.LittleEndian.PutUint32(entry.out[:], person)
	}
	return Pseudonym(person), known
}

// HasUserID says whether the value stands for a person, living and settled, who
// is known by a user id.
func (r *Resolver) HasUserID(kind Kind, value []byte) bool {
	person, known := r.Known(kind, value)
	if !known || person == Nobody {
		return false
	}
	return r.domain.people.isAnchored(uint32(person))
}

// Forgotten says whether the value stood for a person who was erased.
func (r *Resolver) Forgotten(kind Kind, value []byte) bool {
	id, err := r.digest(kind, value)
	if err != nil {
		return false
	}
	person, _ := r.domain.index.get(id)
	return person == forgotten
}

// Orphan returns a pseudonym for the rows of an erased person, where a rule
// keeps them. It stays equal until the map is closed, is stored nowhere and
// leads to nobody: the next run draws another one.
func (r *Resolver) Orphan(kind Kind, value []byte) (Pseudonym, error) {
	id, err := r.digest(kind, value)
	if err != nil {
		return 0, err
	}
	return r.domain.orphan(id)
}

// Row returns the surrogate of integer row key n of a table; space is the
// table's name, so that keys of two tables say nothing about each other. It is
// a bijection: keys below 1147483648 become numbers from 1000000000 to
// 2147483647, larger ones numbers of 63 bits.
func (r *Resolver) Row(space string, n uint64) uint64 {
	return r.rowKeys(space).permute(&r.block, n)
}

func (r *Resolver) rowKeys(space string) *rowKeys {
	keys := r.rows[space]
	if keys == nil {
		keys = r.domain.rowKeys(space)
		r.rows[space] = keys
	}
	return keys
}

// Token returns 16 bytes that stand for value: equal values of a space stay
// equal, nothing else about them can be told. Where space is the name of an
// identifier kind, the token is computed from the seed of the person whom the
// value stands for (who is drawn at first sight, as by Person), and dies when
// they are forgotten; any other space (sessions, ObjectIds, certificate keys)
// is computed from the domain's secret. Cut the token where a field is shorter.
func (r *Resolver) Token(space string, value []byte) ([16]byte, error) {
	r.refresh()
	in := r.space(space)
	entry, hit := r.people.find(in.number, value)
	if hit {
		return entry.out, nil
	}
	token, err := r.token(in, value)
	if err == nil && entry != nil {
		entry.fill(in.number, value)
		entry.out = token
	}
	return token, err
}

func (r *Resolver) token(in *space, value []byte) (token [16]byte, err error) {
	if in.kind == 0 {
		return r.tokens.of(in.name, value), nil
	}
	person, err := r.Person(in.kind, value)
	if err != nil {
		return token, err
	}
	return r.tokens.ofPerson(r.domain.people.seed(uint32(person)), r.canonical(in.kind, value)), nil
}

// Address returns the pseudonymous address of an IP address: one of
// 240.0.0.0/4, which is reserved and so can never be a person's. Two
// addresses never become one.
func (r *Resolver) Address(address netip.Addr) (netip.Addr, error) {
	if !address.IsValid() {
		return netip.Addr{}, fault.New(fault.Failure, "not an IP address")
	}
	return r.domain.address(address)
}

// refresh empties the caches after the links of the domain changed.
func (r *Resolver) refresh() {
	if epoch := r.domain.epoch.Load(); epoch != r.epoch {
		r.epoch = epoch
		r.numbers = r.domain.numbers.Load()
		r.people.clear()
		r.words.clear()
	}
}

// canonical returns the kind's space and the value's canonical spelling, in
// the resolver's buffer.
func (r *Resolver) canonical(kind Kind, value []byte) []byte {
	r.scratch = appendCanonical(append(r.scratch[:0], kind.space()), kind, value, r.domain.exactUsernames)
	return r.scratch
}

func (r *Resolver) digest(kind Kind, value []byte) (digest, error) {
	return r.domain.digest(&r.scratch, kind, value)
}

// digest computes what an identifier is looked up by; scratch is reused.
func (d *Domain) digest(scratch *[]byte, kind Kind, value []byte) (digest, error) {
	if !kind.valid() {
		return digest{}, fault.New(fault.Failure, "unknown kind of identifier")
	}
	if len(value) > maximumValue {
		return digest{}, fault.New(fault.Failure, "%s: longer than %d bytes", kind, maximumValue)
	}
	*scratch = appendCanonical(append((*scratch)[:0], kind.space()), kind, value, d.exactUsernames)
	if len(*scratch) == 1 {
		return digest{}, fault.New(fault.Failure, "%s: empty", kind)
	}
	return d.m.digests.of(*scratch), nil
}
