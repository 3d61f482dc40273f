package idmap

import (
	"errors"
	"math"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
)

func TestRowKeysAreABijectionWithinTheirClass(t *testing.T) {
	m, _ := newTestMap(t)
	r := testDomain(t, m, "project").Resolver()
	classes := []struct {
		name                 string
		first, last, low, up uint64
	}{
		{"common", 0, pseudonymCount - 1, firstPseudonym, lastPseudonym},
		{"large", pseudonymCount, 1<<63 - 1 - firstPseudonym, 1 << 31, 1<<63 - 1},
		{"beyond", 1<<63 - firstPseudonym, math.MaxUint64 - firstPseudonym, 1 << 63, math.MaxUint64},
		{"wrapped", math.MaxUint64 - firstPseudonym + 1, math.MaxUint64, 0, firstPseudonym - 1},
	}
	for _, c := range classes {
		seen := map[uint64]uint64{}
		check := func(n uint64) {
			got := r.Row("table", n)
			if got < c.low || got > c.up {
				t.Fatalf("%s: %d became %d", c.name, n, got)
			}
			if before, ok := seen[got]; ok && before != n {
				t.Fatalf("%s: %d and %d became the same key", c.name, n, before)
			}
			seen[got] = n
			if r.Row("table", n) != got {
				t.Fatalf("%s: %d has two keys", c.name, n)
			}
		}
		random := rand.New(rand.NewPCG(1, 1))
		for n := range uint64(100_000) {
			check(c.first + n)
			check(c.last - n)
			check(c.first + random.Uint64N(c.last-c.first+1))
		}
	}
}

func TestPermutationVisitsAllOfASmallClass(t *testing.T) {
	// The same network over a class small enough to be walked completely.
	keys := newRowKeys([32]byte{1})
	for _, size := range []uint64{1, 2, 3, 10, 1000, 65_537} {
		keys.classes[0] = newPermutation(0, size)
		seen := make([]bool, size)
		var buffer [16]byte
		for n := range size {
			got := keys.walk(&buffer, 0, n)
			if got >= size || seen[got] {
				t.Fatalf("size %d: %d became %d, which is taken or outside", size, n, got)
			}
			seen[got] = true
		}
	}
}

func TestRowKeysTellNothing(t *testing.T) {
	m, _ := newTestMap(t)
	r := testDomain(t, m, "project").Resolver()
	keys := make([]uint64, manyPeople)
	for n := range keys {
		keys[n] = r.Row("auth_userprofile", uint64(n))
	}
	checkUnrelated(t, keys)
	equal := 0
	for n, key := range keys {
		if r.Row("certificates", uint64(n)) == key {
			equal++
		}
	}
	if equal > 5 {
		t.Errorf("two tables share %d of %d keys", equal, len(keys))
	}
}

func TestTokensStayEqualWithinADomainOnly(t *testing.T) {
	m, _ := newTestMap(t)
	r := testDomain(t, m, "project").Resolver()
	other := testDomain(t, m, "another project").Resolver()
	token := func(r *Resolver, space, value string) [16]byte {
		got, err := r.Token(space, []byte(value))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	session := token(r, "session", "abc")
	if session != token(testDomain(t, m, "project").Resolver(), "session", "abc") {
		t.Error("two resolvers of a domain disagree")
	}
	const anonymous = "0123456789ABCDEF0123456789abcdef"
	own := token(r, "anonymous_id", anonymous)
	if own != token(r, "hash_id", "0123456789abcdef0123456789abcdef") {
		t.Error("user_id_map.hash_id no longer joins the anonymous id it equals")
	}
	for name, other := range map[string][16]byte{
		"another value": token(r, "session", "abd"), "another space": token(r, "certificate", "abc"),
		"another domain": token(other, "session", "abc"), "a person's": own,
	} {
		if other == session {
			t.Errorf("%s has the same token", name)
		}
	}
	if own == token(other, "anonymous_id", anonymous) {
		t.Error("two domains share the token of a person")
	}
	m = reopen(t, m)
	r = testDomain(t, m, "project").Resolver()
	if token(r, "session", "abc") != session || token(r, "anonymous_id", anonymous) != own {
		t.Error("a token did not outlive the run")
	}
}

func TestTokenOfAPersonDiesWithThem(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	anonymous := Identifier{AnonymousID, "0123456789abcdef0123456789abcdef"}
	claim(t, d, userID(1), anonymous)
	settle(t, d)
	r := d.Resolver()
	if _, err := r.Token("anonymous_id", []byte(anonymous.Value)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Forget([]Identifier{userID(1)}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Token("anonymous_id", []byte(anonymous.Value)); !errors.Is(err, ErrForgotten) {
		t.Errorf("token of a forgotten person: %v", err)
	}
}

func TestAddressesAreInjectiveReservedAndLast(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	reserved := netip.MustParsePrefix("240.0.0.0/4")
	given := map[netip.Addr]netip.Addr{}
	real := make([]netip.Addr, 0, 20_000)
	for n := range 20_000 {
		a := netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)})
		if n%2 == 1 {
			a = netip.AddrFrom16([16]byte{0x20, 1, 15: byte(n), 14: byte(n >> 8)})
		}
		real = append(real, a)
	}
	r := d.Resolver()
	ask := func(a netip.Addr) netip.Addr {
		got, err := r.Address(a)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for _, a := range real {
		got := ask(a)
		if before, ok := given[got]; ok {
			t.Fatalf("%v and %v became one", before, a)
		}
		if !reserved.Contains(got) || got == netip.MustParseAddr("255.255.255.255") {
			t.Fatalf("%v is not reserved", got)
		}
		given[got] = a
	}
	if ask(netip.MustParseAddr("::ffff:10.0.0.0")) != ask(netip.MustParseAddr("10.0.0.0")) {
		t.Error("an IPv4 address and its IPv6 form differ")
	}
	m = reopen(t, m)
	r = testDomain(t, m, "project").Resolver()
	for _, a := range real {
		if given[ask(a)] != a {
			t.Fatal("an address changed between two runs")
		}
	}
	if _, err := r.Address(netip.Addr{}); err == nil {
		t.Error("no address got a pseudonym")
	}
	last := slices.MaxFunc(real, netip.Addr.Compare)
	if other, _ := testDomain(t, m, "another project").Resolver().Address(last); given[other] == last {
		t.Error("two domains share an address")
	}
}
