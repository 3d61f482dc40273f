package idmap

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestNumbersAnswerAsDigestsDo asks for every spelling of a user id twice, so that
// the second answer comes from the array where the first went into it.
func TestNumbersAnswerAsDigestsDo(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	ids := []int{0, 1, 7, 1023, 1024, 12345, 999_999, largestNumber}
	for _, id := range ids {
		claim(t, d, userID(id), named(fmt.Sprintf("learner%d", id)))
	}
	settle(t, d)
	r := d.Resolver()
	for _, id := range ids {
		want, err := r.Person(Username, []byte(fmt.Sprintf("learner%d", id)))
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{"%d", "0%d", "00000000000%d", " %d", "%d\t", "%08d", "%020d"} {
			text := fmt.Sprintf(form, id)
			for range 2 {
				if got, err := r.Person(UserID, []byte(text)); err != nil || got != want {
					t.Errorf("%q: %d, %v, want %d", text, got, err, want)
				}
				if got, known := r.Known(UserID, []byte(text)); !known || got != want {
					t.Errorf("known %q: %d, %v, want %d", text, got, known, want)
				}
			}
		}
		// What is no user id that was claimed is somebody else, whatever it looks like.
		for _, form := range []string{"+%d", "-%d", "%d.0", "%d,", "1%08d", "%d " + strings.Repeat("0", 3)} {
			text := fmt.Sprintf(form, id)
			if got, known := r.Known(UserID, []byte(text)); known {
				t.Errorf("%q is known as %d", text, got)
			}
			if got, err := r.Person(UserID, []byte(text)); err != nil || got == want {
				t.Errorf("%q: %d, %v: the person of %d", text, got, err, id)
			}
		}
	}
	for _, empty := range []string{"", " "} {
		if _, err := r.Person(UserID, []byte(empty)); err == nil {
			t.Errorf("%q has a person", empty)
		}
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]int{
		"0": 0, "000": 0, "00000000000": 0, "7": 7, "007": 7, "67108863": largestNumber, "0000000000067108863": largestNumber,
		"": -1, "67108864": -1, "99999999": -1, "100000000": -1, "18446744073709551616": -1, "+7": -1, "-7": -1, "7.0": -1, " 7": -1, "7\n": -1, "٧": -1, "0x7": -1, "1e3": -1,
	} {
		if got, ok := number([]byte(text)); ok != (want >= 0) || ok && int(got) != want {
			t.Errorf("%q: %d, %v, want %d", text, got, ok, want)
		}
	}
}

// TestNumbersKeepKnownApartFromMet: whoever is first met while a log is read is
// not Known before the next settlement, and is known after it.
func TestNumbersKeepKnownApartFromMet(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	r := d.Resolver()
	met, err := r.Person(UserID, []byte("42"))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if again, _ := r.Person(UserID, []byte("42")); again != met {
			t.Fatalf("%d, then %d", met, again)
		}
		if _, known := r.Known(UserID, []byte("42")); known {
			t.Fatal("known, but only met")
		}
	}
	settle(t, d)
	if p, known := r.Known(UserID, []byte("42")); !known || p != met {
		t.Fatalf("not known after the settlement: %d, %v", p, known)
	}
}

func TestNumbersForget(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	claim(t, d, userID(42), named("bob"))
	settle(t, d)
	r := d.Resolver()
	if _, err := r.Person(UserID, []byte("42")); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Forget([]Identifier{{Kind: UserID, Value: "42"}}, "test"); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*Resolver{r, d.Resolver()} {
		for range 2 {
			if _, err := r.Person(UserID, []byte("42")); !errors.Is(err, ErrForgotten) {
				t.Fatalf("%v, want ErrForgotten", err)
			}
			if p, known := r.Known(UserID, []byte("042")); !known || p != Nobody {
				t.Fatalf("%d, %v, want Nobody", p, known)
			}
		}
	}
}

// TestNumbersRunOutOfPages: ids that are too far apart are found all the same.
func TestNumbersRunOutOfPages(t *testing.T) {
	m, _ := newTestMap(t)
	d := testDomain(t, m, "project")
	for i := range 200 {
		claim(t, d, userID(1+i*300_000), named(fmt.Sprintf("learner%d", i)))
	}
	settle(t, d)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			r := d.Resolver()
			for i := range 400 {
				i %= 200
				want, _ := r.Person(Username, []byte(fmt.Sprintf("learner%d", i)))
				if got, err := r.Person(UserID, fmt.Append(nil, 1+i*300_000)); err != nil || got != want {
					t.Errorf("%d: %d, %v, want %d", i, got, err, want)
				}
			}
		})
	}
	workers.Wait()
	if pages := (d.numbers.Load().bytes() - numberPages*8) / (numbersPerPage * 4); pages == 0 || pages > 65 {
		t.Errorf("%d pages, want at most 65", pages)
	}
}

// TestTokensAreHMAC: what is written out by hand is what the standard library
// computes, and so what every map made before shows.
func TestTokensAreHMAC(t *testing.T) {
	var own seed
	for i := range own {
		own[i] = byte(7 * i)
	}
	tokens := newTokens([]byte("a key of the domain, 32 bytes...."))
	for _, n := range []int{0, 1, 31, 32, 33, 55, 56, 63, 64, 65, 200, 2000} {
		value := bytes.Repeat([]byte{'v'}, n)
		mac := hmac.New(sha256.New, own[:])
		mac.Write(value)
		if got := tokens.ofPerson(own, value); !bytes.Equal(got[:], mac.Sum(nil)[:16]) {
			t.Errorf("person, %d bytes: %x", n, got)
		}
		mac = hmac.New(sha256.New, []byte("a key of the domain, 32 bytes...."))
		mac.Write([]byte("session\x00"))
		mac.Write(value)
		if got := tokens.of("session", value); !bytes.Equal(got[:], mac.Sum(nil)[:16]) {
			t.Errorf("domain, %d bytes: %x", n, got)
		}
	}
}
