package idmap

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// model is the rule of settlement written as naively as it can be: over the
// whole set of claims ever made, with strings and linear searches.
type model struct{ claims [][]Identifier }

// owner names the person an identifier belongs to: "user n", or the smallest
// member of a group without a user id.
func (m model) owners() map[Identifier]string {
	direct := map[Identifier]int{}
	for _, c := range m.claims {
		for _, u := range c {
			for _, n := range c {
				if u.Kind != UserID || n.Kind == UserID {
					continue
				}
				var id int
				fmt.Sscan(u.Value, &id)
				if known, ok := direct[n]; !ok || id < known {
					direct[n] = id
				}
			}
		}
	}
	owners, group := map[Identifier]string{}, map[Identifier]Identifier{}
	for _, c := range m.claims {
		for _, n := range c {
			if u, ok := direct[n]; ok {
				owners[n] = fmt.Sprint("user ", u)
			} else if n.Kind == UserID {
				owners[n] = "user " + n.Value
			} else {
				group[n] = n
			}
		}
	}
	for changed := true; changed; { // spread the smallest name through the loose links
		changed = false
		m.eachLink(func(a, b Identifier) {
			ga, aLoose := group[a]
			gb, bLoose := group[b]
			if aLoose && bLoose && ga != gb {
				least := min(fmt.Sprint(ga), fmt.Sprint(gb))
				for n, g := range group {
					if g == ga || g == gb {
						if fmt.Sprint(ga) == least {
							group[n] = ga
						} else {
							group[n] = gb
						}
					}
				}
				changed = true
			}
		})
	}
	anchor := map[Identifier]int{}
	m.eachLink(func(a, b Identifier) {
		for range 2 {
			g, loose := group[a]
			if u, ok := direct[b]; ok && loose {
				if known, ok := anchor[g]; !ok || u < known {
					anchor[g] = u
				}
			}
			a, b = b, a
		}
	})
	for n, g := range group {
		if u, ok := anchor[g]; ok {
			owners[n] = fmt.Sprint("user ", u)
		} else {
			owners[n] = fmt.Sprint("group ", g)
		}
	}
	return owners
}

func (m model) eachLink(visit func(a, b Identifier)) {
	for _, c := range m.claims {
		hasUser := false
		for _, n := range c {
			hasUser = hasUser || n.Kind == UserID
		}
		for i := range c {
			for j := range i {
				if !hasUser {
					visit(c[i], c[j])
				}
			}
		}
	}
}

func randomClaims(r *rand.Rand) [][]Identifier {
	claims := make([][]Identifier, 1+r.IntN(14))
	for i := range claims {
		for range 1 + r.IntN(3) {
			switch r.IntN(4) {
			case 0:
				claims[i] = append(claims[i], userID(1+r.IntN(12)))
			case 1:
				claims[i] = append(claims[i], mailed(fmt.Sprintf("m%d@example.org", r.IntN(8))))
			case 2:
				claims[i] = append(claims[i], Identifier{AnonymousID, fmt.Sprintf("%032x", r.IntN(8))})
			default:
				claims[i] = append(claims[i], named(fmt.Sprintf("n%d", r.IntN(8))))
			}
		}
	}
	return claims
}

// TestOrderOfClaimsAndRunsNeverChangesWhoIsWhom compares the map with the
// model, for the same claims in one run and cut into several runs in any order.
func TestOrderOfClaimsAndRunsNeverChangesWhoIsWhom(t *testing.T) {
	for trial := range 80 {
		r := rand.New(rand.NewPCG(uint64(trial), 1))
		claims := randomClaims(r)
		want := model{claims}.owners()
		for range 3 {
			r.Shuffle(len(claims), func(i, j int) { claims[i], claims[j] = claims[j], claims[i] })
			m, _ := newTestMap(t)
			for at := 0; at < len(claims); {
				d := testDomain(t, m, "project")
				next := min(len(claims), at+1+r.IntN(len(claims)))
				for _, c := range claims[at:next] {
					r.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
					claim(t, d, c...)
				}
				before := pseudonymsOfUsers(d, want)
				settle(t, d)
				for id, p := range before {
					if now := person(t, d, id); now != p {
						t.Fatalf("trial %d: a user id changed its pseudonym", trial)
					}
				}
				at = next
				if r.IntN(3) == 0 { // someone is met in a log between the runs
					person(t, d, named(fmt.Sprintf("n%d", r.IntN(8))))
				}
				if r.IntN(2) == 0 {
					m = reopen(t, m)
				}
			}
			d := testDomain(t, m, "project")
			comparePartition(t, trial, d, want)
			m = reopen(t, m)
			comparePartition(t, trial, testDomain(t, m, "project"), want)
			m.Close()
		}
	}
}

func pseudonymsOfUsers(d *Domain, ids map[Identifier]string) map[Identifier]Pseudonym {
	found := map[Identifier]Pseudonym{}
	r := d.Resolver()
	for id := range ids {
		if p, ok := r.Known(id.Kind, []byte(id.Value)); ok && id.Kind == UserID {
			found[id] = p
		}
	}
	return found
}

func comparePartition(t *testing.T, trial int, d *Domain, want map[Identifier]string) {
	t.Helper()
	byOwner, byPerson := map[string]Pseudonym{}, map[Pseudonym]string{}
	r := d.Resolver()
	for id, owner := range want {
		p, ok := r.Known(id.Kind, []byte(id.Value))
		if !ok {
			t.Fatalf("trial %d: %v is not known", trial, id)
		}
		if other, ok := byOwner[owner]; ok && other != p {
			t.Fatalf("trial %d: %s has two pseudonyms", trial, owner)
		}
		if other, ok := byPerson[p]; ok && other != owner {
			t.Fatalf("trial %d: %s and %s have one pseudonym", trial, owner, other)
		}
		byOwner[owner], byPerson[p] = p, owner
	}
}
