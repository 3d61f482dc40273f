package idmap

import (
	"os"
	"time"
)

// Stat says how big the map is and what it knows, in numbers only.
type Stat struct {
	Format      int          `json:"format"`
	Lock        string       `json:"lock"` // "key file" or "passphrase"
	Created     time.Time    `json:"created"`
	Changed     time.Time    `json:"changed"` // last commit
	Used        time.Time    `json:"used"`    // last use before this one; zero for a new map
	Commits     uint64       `json:"commits"`
	FileBytes   int64        `json:"file_bytes"`
	MemoryBytes int          `json:"memory_bytes"`
	Forgotten   int          `json:"forgotten"`  // identifiers of erased persons
	Spent       int          `json:"spent"`      // numbers given up for ever
	Collisions  int          `json:"collisions"` // real user ids that equal a pseudonym
	Domains     []DomainStat `json:"domains"`
}

// DomainStat is the part of Stat that is about one domain.
type DomainStat struct {
	Name           string       `json:"name"`
	ExactUsernames bool         `json:"exact_usernames,omitempty"`
	People         int          `json:"people"`
	Identifiers    map[Kind]int `json:"identifiers"`
	Addresses      int          `json:"addresses"`
	Links          int          `json:"links"` // claims without a user id, kept
}

// Stat counts.
func (m *Map) Stat() Stat {
	m.mu.Lock()
	defer m.mu.Unlock()
	body := m.head.body
	s := Stat{
		Format: headVersion, Lock: m.head.lock.String(),
		Created: body.Created, Changed: body.Changed, Used: m.lastUsed, Commits: body.Commits,
		FileBytes: m.file.length, Forgotten: len(m.tombstones), Spent: len(m.spent), Collisions: m.collisions(),
		Domains: []DomainStat{},
	}
	if info, err := os.Stat(m.file.file.Name()); err == nil {
		s.FileBytes = info.Size()
	}
	for _, d := range m.domains {
		counts := map[Kind]int{}
		for _, kind := range Kinds() {
			if d.counts[kind] > 0 {
				counts[kind] = d.counts[kind]
			}
		}
		s.MemoryBytes += d.index.bytes() + d.addresses.bytes() + d.people.bytes() + d.numbers.Load().bytes() + len(d.settled.Load().words)*8 + len(d.usedAddresses.words)*8
		s.Domains = append(s.Domains, DomainStat{
			Name: d.name, ExactUsernames: d.exactUsernames, People: d.people.count(),
			Identifiers: counts, Addresses: d.addresses.count(), Links: len(d.links),
		})
	}
	return s
}

// Domains returns the domains in the order they were made.
func (m *Map) Domains() []*Domain {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]*Domain(nil), m.domains...)
}

// HasDomain says whether there is a domain of that name, without making it.
func (m *Map) HasDomain(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.domain(name) != nil
}
