package idmap

import (
	"fmt"
	"sync"
	"testing"
)

func TestTwoDomainsShareNothing(t *testing.T) {
	m, _ := newTestMap(t)
	const many = 2000
	a, b := testDomain(t, m, "a"), testDomain(t, m, "b")
	for n := range many {
		claim(t, a, userID(n))
		claim(t, b, userID(n))
	}
	settle(t, a)
	settle(t, b)
	inA := map[Pseudonym]bool{}
	ra, rb := a.Resolver(), b.Resolver()
	rowsEqual := 0
	for n := range many {
		p, _ := ra.Known(UserID, fmt.Append(nil, n))
		inA[p] = true
		if ra.Row("table", uint64(n)) == rb.Row("table", uint64(n)) {
			rowsEqual++
		}
	}
	for n := range many {
		if p, ok := rb.Known(UserID, fmt.Append(nil, n)); !ok || inA[p] {
			t.Fatalf("pseudonym %d is shared by two domains", p)
		}
	}
	if rowsEqual > 2 {
		t.Errorf("%d of %d row keys are the same in both", rowsEqual, many)
	}
}

func TestDescriptionsFollowTheirPerson(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	claim(t, d, userID(9), named("bob"))
	settle(t, d)
	var group sync.WaitGroup
	for range 4 { // the same from several goroutines is stored once
		group.Go(func() {
			for _, city := range []string{"Lyon", "Nice"} {
				if err := d.Describe(named("bob"), Attribute{"city", city}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	m = reopen(t, m)
	d = testDomain(t, m, "project")
	claim(t, d, userID(5), named("bob")) // the username moves, and what hangs on it
	settle(t, d)
	m = reopen(t, m)
	d = testDomain(t, m, "project")
	got := map[Pseudonym]string{}
	if err := d.Roster(func(e Entry) error {
		got[e.Pseudonym] = fmt.Sprint(e.Identifiers, e.Attributes)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := "[{user_id 5} {username bob}] [{city Lyon} {city Nice}]"; got[person(t, d, userID(5))] != want {
		t.Errorf("%v, want %s", got, want)
	}
	if want := "[{user_id 9}] []"; got[person(t, d, userID(9))] != want {
		t.Errorf("%v, want %s", got, want)
	}
	described := 0
	if err := d.Descriptions(func(p Pseudonym, attributes []Attribute) error {
		described += len(attributes)
		if p != person(t, d, userID(5)) {
			t.Error("a description is somebody else's")
		}
		return nil
	}); err != nil || described != 2 || d.People() != 2 {
		t.Errorf("%d attributes of %d people, %v", described, d.People(), err)
	}
	long := Attribute{"name", string(make([]byte, maximumAttribute+1))}
	wantFault(t, d.Describe(userID(5), long), "longer")
}

func TestDomainNamesAreChecked(t *testing.T) {
	m, _ := newTestMap(t)
	for _, name := range []string{"", string(make([]byte, 101))} {
		if _, err := m.Domain(name); err == nil {
			t.Errorf("a domain of %d bytes was made", len(name))
		}
	}
	if m.HasDomain("project") {
		t.Error("a domain is there that nobody made")
	}
	first := testDomain(t, m, "project")
	if testDomain(t, m, "project") != first || !m.HasDomain("project") || len(m.Domains()) != 1 {
		t.Error("the same name gave another domain")
	}
}

func TestClosedMapRefusesWork(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	m.Close()
	if _, err := d.Resolver().Person(Username, []byte("late")); err == nil {
		t.Error("a pseudonym was drawn that cannot last")
	}
	wantFault(t, m.Commit(), "closed")
	_, err := d.Lookup(userID(1))
	wantFault(t, err, "closed")
	if err := m.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}
