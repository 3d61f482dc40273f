package jsonedit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestWhatCameBeforeChangesNothing: an Editor that remembers thousands of records
// makes of each what a new one makes of it, whatever order, number and spelling
// the keys have.
func TestWhatCameBeforeChangesNothing(t *testing.T) {
	paths, err := Compile([]Binding{
		{Path: "user", Rule: upper}, {Path: "event", Rule: keepIt, Embedded: true}, {Path: "**.u", Rule: upper}, {Path: "**.*_id", Rule: empty},
		{Path: "flat", Rule: upper, Flat: true}, {Path: "gone", Drop: true}, {Path: "**.d*", Drop: true}, {Path: "ip", Rule: besideIt}, {Path: "a.*.c", Rule: raw},
	}, keepIt)
	if err != nil {
		t.Fatal(err)
	}
	paths.EmbeddedEverywhere = true
	r := rand.New(rand.NewPCG(3, 9))
	keys := []string{"user", "event", "u", "x_id", "flat", "gone", "dear", "ip", "a", "b", "c", "bob", "graders", "$oid", "", `us\u0065r`, `q\"`, "audit"}
	old := NewEditor(paths, &scribe{})
	for n := range 6000 {
		text := randomValue(r, keys, 4)
		if r.IntN(3) == 0 && len(text) > 1 { // cut off, or damaged
			at := r.IntN(len(text))
			text = text[:at] + []string{"", `"`, "}", `\`, ",", " "}[r.IntN(6)] + text[at+r.IntN(len(text)-at):]
		}
		fresh := NewEditor(paths, &scribe{})
		want, wantErr := fresh.Edit(nil, []byte(text))
		got, gotErr := old.Edit(nil, []byte(text))
		if string(got) != string(want) || fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || old.Cuts() != fresh.Cuts() {
			t.Fatalf("record %d: %s\ngot  %s, %v\nwant %s, %v", n, text, got, gotErr, want, wantErr)
		}
	}
	if old.places > knownPlaces {
		t.Errorf("%d places are kept", old.places)
	}
}

// randomValue writes JSON with keys of a few, of many and of no names.
func randomValue(r *rand.Rand, keys []string, depth int) string {
	blank := func() string { return []string{"", " ", " ", "  ", "\t"}[r.IntN(5)] }
	switch kind := r.IntN(9); {
	case depth > 0 && kind < 4:
		var members []string
		for range r.IntN(7) {
			key := keys[r.IntN(len(keys))]
			if r.IntN(10) == 0 {
				key = fmt.Sprint("key", r.IntN(3000))
			}
			members = append(members, blank()+`"`+key+`"`+[]string{"", " "}[r.IntN(10)/9]+":"+blank()+randomValue(r, keys, depth-1)+blank())
		}
		return "{" + strings.Join(members, ",") + "}"
	case depth > 0 && kind < 5:
		var all []string
		for range r.IntN(4) {
			all = append(all, blank()+randomValue(r, keys, depth-1))
		}
		return "[" + strings.Join(all, ",") + "]"
	case depth > 0 && kind < 6:
		return string(AppendQuoted(nil, randomValue(r, keys, depth-1)))
	}
	return []string{`"bob"`, `"b\u006fb\n"`, `""`, "1", "-0.5e3", "true", "null", "NaN", "007"}[r.IntN(9)]
}
