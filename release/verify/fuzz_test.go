package verify

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"anonymooc/release/records"
)

// FuzzLeavesAgreeWithTheStandardLibrary: the strings of a JSON text are those
// that encoding/json finds.
func FuzzLeavesAgreeWithTheStandardLibrary(f *testing.F) {
	f.Add(`{"a": ["b", 1, null, {"c\u0064": "\ud83d\ude00 \"x\""}], "e": true}`)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.Contains(text, `\ud`) || strings.Contains(text, `\uD`) {
			t.Skip() // halves of pairs have no one reading
		}
		var value any
		if json.Unmarshal([]byte(text), &value) != nil {
			t.Skip()
		}
		want := map[string]int{}
		if !count(value, want, 0) {
			t.Skip()
		}
		r := leafReader{tree: newTree(newSchema("", records.Lines, nil), nil)}
		r.tree.begin()
		leaves, ok := r.read([]byte(text))
		if !ok {
			t.Fatalf("%q is not read to its end", text)
		}
		for _, l := range leaves {
			if l.kind == leafString {
				want[string(r.text(&l))]--
			}
		}
		for s, n := range want {
			if n > 0 && !repeatedKeys(text) {
				t.Errorf("%q is not read %d times", s, n)
			}
		}
	})
}

// count counts the strings of a value; false when one of them may be JSON itself
// or the nesting is deeper than any payload's.
func count(value any, into map[string]int, depth int) bool {
	ok := depth < deepest
	switch v := value.(type) {
	case string:
		into[v]++
		return ok && !strings.Contains(v, "{") && !strings.ContainsAny(v, "\b\f\v")
	case []any:
		for _, element := range v {
			ok = ok && count(element, into, depth+1)
		}
	case map[string]any:
		for _, member := range v {
			ok = ok && count(member, into, depth+1)
		}
	}
	return ok
}

// repeatedKeys is a rough guard: encoding/json keeps the last of equal keys.
func repeatedKeys(text string) bool { return strings.Count(text, ":") > 1 }

// FuzzPlantedIdentifierIsFound plants a username between any two texts, in any
// number of layers of JSON: it is found, and nothing is said about a pseudonym.
func FuzzPlantedIdentifierIsFound(f *testing.F) {
	index := NewIndex(func(yield func(Known) bool) { yield(Known{Kind: Username, Value: "benoit_d"}) })
	f.Add("see ", " now", uint8(3))
	f.Add("é\u0301 ", "\\u0041", uint8(0))
	f.Fuzz(func(t *testing.T, before, behind string, layers uint8) {
		if !utf8.ValidString(before + behind) {
			t.Skip()
		}
		text := before + " benoit_d " + behind
		for range layers % 4 {
			data, err := json.Marshal(map[string]string{"x": text})
			if err != nil {
				t.Fatal(err)
			}
			text = string(data)
		}
		c := newChecker(index, newSchema("tracking_log.json", records.Lines, nil))
		c.value([]byte(text), anyPlace, 0)
		for _, found := range c.found.residuals {
			if found.Kind == Username {
				return
			}
		}
		t.Errorf("not found in %q: %v", text, c.found.residuals)
	})
}
