package sample

import (
	"math/rand/v2"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"anonymooc/internal/sample/canary"
)

func planting(g *generator) (*scene, *[]canary.Canary) {
	var planted []canary.Canary
	return &scene{
		gen: g, course: g.courses[0], rng: rand.New(rand.NewPCG(1, 1)),
		plant: func(c canary.Canary) { planted = append(planted, c) },
	}, &planted
}

func TestNoTwoPeopleShareAnIdentifier(t *testing.T) {
	const people = 50_000
	r := newRoster(1, people)
	ids, usernames, emails := map[int64]bool{}, map[string]bool{}, map[string]bool{}
	for i := range people {
		p := r.person(i)
		if ids[p.ID] || usernames[strings.ToLower(p.Username)] || emails[strings.ToLower(p.Email)] {
			t.Fatalf("person %d shares an identifier with somebody", i)
		}
		ids[p.ID], usernames[strings.ToLower(p.Username)], emails[strings.ToLower(p.Email)] = true, true, true
	}
}

func TestPersonIsTheSameAtEveryCall(t *testing.T) {
	a, b := newRoster(7, 1000), newRoster(7, 1000)
	for _, i := range []int{0, 59, 60, 999, 61} {
		if *a.person(i) != *b.person(i) {
			t.Errorf("person %d changes", i)
		}
	}
	if *a.person(500) == *newRoster(8, 1000).person(500) {
		t.Error("the seed decides nothing")
	}
}

// fiction are the ranges set aside for films and books by Arcep (France),
// Ofcom (United Kingdom), the Bundesnetzagentur (Germany) and the North
// American numbering plan.
var fiction = regexp.MustCompile(`^(0|\+33 )(6 39 98|2 61 91|5 36 49|4 65 71|3 53 01|1 99 00) \d\d \d\d$` +
	`|^(\+1 202 |\(613\) )555[ -]01\d\d$|^(0|\+44 |\+44 \(0\))7700 ?900 ?\d{3}$|^\+49 30 23125 \d{3}$`)

// TestNobodyIsReachable: addresses and numbers lead to no one.
func TestNobodyIsReachable(t *testing.T) {
	r := newRoster(1, 5000)
	for i := range 5000 {
		p := r.person(i)
		host := p.Email[strings.LastIndexByte(p.Email, '@')+1:]
		if !strings.HasSuffix(host, ".example") && !strings.HasSuffix(host, ".example.org") && host != "retired.invalid" {
			t.Errorf("person %d has a mail host that may exist", i)
		}
		if !fiction.MatchString(p.Phone) {
			t.Errorf("person %d has a telephone number outside the ranges for fiction: %s", i, p.Phone)
		}
	}
}

func TestAddressLiesInItsBlock(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for code, n := range nations {
		if len(n.cities) == 0 || len(n.streets) == 0 || languages[n.language].naming == nil {
			t.Errorf("%s lacks cities, streets or a language", code)
		}
		for _, text := range n.blocks {
			block, err := netip.ParsePrefix(text)
			if err != nil || block.Masked() != block {
				t.Fatalf("%s: %s is no block", code, text)
			}
			alone := nation{blocks: []string{text}}
			drawn := map[netip.Addr]bool{}
			for range 200 {
				addr, err := netip.ParseAddr(alone.address(rng))
				if err != nil || !block.Contains(addr) {
					t.Fatalf("%s: address outside %s", code, text)
				}
				drawn[addr] = true
			}
			if len(drawn) < 150 {
				t.Errorf("%s: only %d of 200 addresses differ", text, len(drawn))
			}
		}
	}
	for _, code := range nationCodes {
		if _, ok := nations[code]; !ok {
			t.Errorf("no nation %s", code)
		}
	}
}
