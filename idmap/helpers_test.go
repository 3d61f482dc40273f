package idmap

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"anonymooc/internal/secret"
)

func testKey(fill byte) secret.Key {
	key := make([]byte, 32)
	for i := range key {
		key[i] = fill
	}
	return secret.Key{Secret: secret.New(key)}
}

// seeded is options whose draws repeat.
func seeded(n byte) Options {
	return Options{Key: testKey(1), Rand: rand.NewChaCha8([32]byte{n})}
}

func newTestMap(t testing.TB) (*Map, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "map")
	m, err := Create(dir, Options{Key: testKey(1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m, dir
}

func reopen(t testing.TB, m *Map) *Map {
	t.Helper()
	if err := m.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(m.dir, Options{Key: m.options.Key})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { again.Close() })
	return again
}

func testDomain(t testing.TB, m *Map, name string) *Domain {
	t.Helper()
	d, err := m.Domain(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func userID(n int) Identifier    { return Identifier{UserID, fmt.Sprint(n)} }
func named(s string) Identifier  { return Identifier{Username, s} }
func mailed(s string) Identifier { return Identifier{Email, s} }

func claim(t testing.TB, d *Domain, ids ...Identifier) {
	t.Helper()
	if err := d.Claim(ids...); err != nil {
		t.Fatal(err)
	}
}

func settle(t testing.TB, d *Domain) Conflicts {
	t.Helper()
	conflicts, err := d.Settle()
	if err != nil {
		t.Fatal(err)
	}
	return conflicts
}

func person(t testing.TB, d *Domain, id Identifier) Pseudonym {
	t.Helper()
	p, err := d.Resolver().Person(id.Kind, []byte(id.Value))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
