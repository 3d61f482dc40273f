package verify_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"anonymooc/idmap"
	"anonymooc/internal/secret"
	"anonymooc/release/verify"
)

// TestRosterHoldsEveryName: identifiers, the name of the profile, first and last
// name, and both together; a city is many people's.
func TestRosterHoldsEveryName(t *testing.T) {
	m, err := idmap.Create(filepath.Join(t.TempDir(), "map"), idmap.Options{Key: secret.Key{Secret: secret.New(bytes.Repeat([]byte{7}, 32))}, Purpose: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	domain, err := m.Domain("test")
	if err != nil {
		t.Fatal(err)
	}
	id := idmap.Identifier{Kind: idmap.UserID, Value: "48213"}
	if err := domain.Claim(id, idmap.Identifier{Kind: idmap.Username, Value: "benoit_d"}); err != nil {
		t.Fatal(err)
	}
	if _, err := domain.Settle(); err != nil {
		t.Fatal(err)
	}
	for _, attributes := range [][]idmap.Attribute{
		{{Name: "first_name", Value: "Benoît"}, {Name: "last_name", Value: "Delacroix"}, {Name: "city", Value: "Nantes"}},
		{{Name: "name", Value: "B. de la Croix"}, {Name: "city", Value: "Nantes"}},
	} {
		if err := domain.Describe(id, attributes...); err != nil {
			t.Fatal(err)
		}
	}
	people, failed := verify.Roster(domain)
	for range 2 { // it is asked more than once
		var kinds, values []string
		person := uint32(0)
		for known := range people {
			kinds, values = append(kinds, string(known.Kind)), append(values, known.Value)
			if person == 0 {
				person = known.Person
			}
			if known.Person != person || person < 1_000_000_000 {
				t.Errorf("%q is of %d", known.Kind, known.Person)
			}
		}
		for i, want := range []string{"48213", "benoit_d", "Benoît", "Delacroix", "Benoît Delacroix", "B. de la Croix"} {
			if at := slices.Index(values, want); at < 0 || kinds[at] != []string{"user_id", "username", "first_name", "last_name", "full_name", "full_name"}[i] {
				t.Errorf("%d: %q of %q", i, values, kinds)
			}
		}
		if len(values) != 6 || failed() != nil {
			t.Errorf("%q, %v", values, failed())
		}
	}
	for range people { // and may be left early
		break
	}
	if failed() != nil {
		t.Error(failed())
	}
}
