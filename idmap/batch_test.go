package idmap

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestBatchAnswersAsAResolverDoes asks a batch and a resolver the same, of people
// who are known, forgotten, met a moment ago and unknown, in every spelling.
func TestBatchAnswersAsAResolverDoes(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	const hash = "00112233445566778899AABBCCDDEE%02x"
	for i := range 40 {
		claim(t, d, userID(i*701), named(fmt.Sprintf("Learner%d", i)), mailed(fmt.Sprintf("l%d@example.org", i)), Identifier{Kind: AnonymousID, Value: fmt.Sprintf(hash, i)})
	}
	settle(t, d)
	if err := m.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Forget([]Identifier{{Kind: UserID, Value: "701"}}, "test"); err != nil {
		t.Fatal(err)
	}
	r := d.Resolver()
	for _, met := range []Identifier{userID(99), named("met")} {
		if _, err := r.Person(met.Kind, []byte(met.Value)); err != nil {
			t.Fatal(err)
		}
	}
	var asked []Identifier
	for i := range 40 {
		id, name, mail := fmt.Sprint(i*701), fmt.Sprintf("learner%d", i), fmt.Sprintf("L%d@EXAMPLE.org", i)
		for _, form := range []string{"%s", " %s", "0%s", "000000000%s", "+%s", "%s.0", "x%s"} {
			asked = append(asked, Identifier{UserID, fmt.Sprintf(form, id)}, Identifier{Username, fmt.Sprintf(form, name)}, Identifier{Email, fmt.Sprintf(form, mail)},
				Identifier{AnonymousID, fmt.Sprintf(form, fmt.Sprintf(hash, i))}, Identifier{HashID, strings.ToLower(fmt.Sprintf(form, fmt.Sprintf(hash, i)))})
		}
	}
	asked = append(asked, userID(99), named("met"), named("MET"), Identifier{UserID, ""}, Identifier{Username, " "}, Identifier{Username, strings.Repeat("x", 2000)}, Identifier{UserID, strings.Repeat("9", 30)})
	var b Batch
	for range 2 {
		b.Reset()
		for i, id := range asked {
			r.AskPerson(&b, id.Kind, []byte(id.Value), i%17 == 0)
		}
		r.Answer(&b, true)
		other := d.Resolver()
		for i, id := range asked {
			a := b.Person(i)
			key, _ := other.digest(id.Kind, []byte(id.Value))
			if known, _ := d.index.get(key); a == nil {
				if known != 0 && i%17 != 0 {
					t.Errorf("%v: no answer", id)
				}
				continue
			}
			want, wantErr := other.Person(id.Kind, []byte(id.Value))
			if got, err := a.Person(); got != want || !errors.Is(err, wantErr) {
				t.Errorf("%v: %d, %v, want %d, %v", id, got, err, want, wantErr)
			}
			wantKnown, wantIs := other.Known(id.Kind, []byte(id.Value))
			if got, is := a.Known(); got != wantKnown || is != wantIs {
				t.Errorf("known %v: %d, %v, want %d, %v", id, got, is, wantKnown, wantIs)
			}
			wantToken, wantErr := other.Token(id.Kind.String(), []byte(id.Value))
			if got, err := r.AnswerToken(a, id.Kind, []byte(id.Value)); got != wantToken || !errors.Is(err, wantErr) {
				t.Errorf("token %v: %x, %v, want %x, %v", id, got, err, wantToken, wantErr)
			}
		}
	}
}

func TestBatchPermutesRowKeys(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	r := d.Resolver()
	var b Batch
	for round := range 3 {
		b.Reset()
		for n := range uint64(5000) {
			key := n * 229_711 // past the end of the common keys
			r.AskRow(&b, 0, "one", key, n%13 == 0)
			r.AskRow(&b, 1, []string{"two", "three"}[round%2], key, false)
		}
		r.Answer(&b, false)
		for n := range 5000 {
			key := uint64(n) * 229_711
			for column, space := range []string{"one", []string{"two", "three"}[round%2]} {
				want := r.Row(space, key)
				if key >= pseudonymCount || column == 0 && n%13 == 0 {
					want = 0
				}
				if got := b.Row(column, n); got != want {
					t.Fatalf("%s %d: %d, want %d", space, key, got, want)
				}
			}
		}
	}
}
