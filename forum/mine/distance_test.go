package mine

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

func TestStepsAreCountedAsThePaperCounts(t *testing.T) {
	for _, c := range []struct {
		known, form string
		limit, want int
		ok          bool
	}{
		{"federica", "federiac", 2, 1, true},    // an inversion
		{"eli", "elo", 1, 1, true},              // an exchanged letter
		{"anthony", "antonhy", 2, 2, true},      // h moves by two places
		{"emmanuel", "manuel", 2, 2, true},      // two missing
		{"mary", "may", 1, 1, true},             // one missing
		{"jean", "jaen", 1, 1, true},            // an inversion in a short form
		{"jean", "jaenne", 1, 3, false},         // too far
		{"abcdef", "badcfe", 2, 3, false},       // three inversions
		{"abcdef", "badcef", 2, 2, true},        // two inversions
		{"patrick", "patrcik", 2, 1, true},      // k inverted
		{"patrick", "patrcikk", 2, 2, true},     // inverted and doubled
		{"élodie", "eloide", 2, 2, true},        // runes, not bytes
		{"kelly", "kelly", 1, 0, true},          // equal
		{"абвгде", "бавгед", 2, 2, true},        // any script
		{"sandrine", "sandra", 2, 3, false},     //
		{"christelle", "christele", 2, 1, true}, //
		{"guillaume", "giullaume", 2, 1, true},  //
	} {
		got, ok := within(c.known, c.form, c.limit)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s → %s: %d steps (%v), want %d (%v)", c.known, c.form, got, ok, c.want, c.ok)
		}
	}
}

// reachable is the plain model: every spelling within limit steps of word, over
// the letters of alphabet, with the fewest steps.
func reachable(word, alphabet string, limit int) map[string]int {
	found := map[string]int{word: 0}
	edge := []string{word}
	for step := 1; step <= limit; step++ {
		var next []string
		visit := func(s string) {
			if _, ok := found[s]; !ok {
				found[s] = step
				next = append(next, s)
			}
		}
		for _, w := range edge {
			for i := 0; i <= len(w); i++ {
				for _, r := range alphabet {
					visit(w[:i] + string(r) + w[i:])
				}
				if i == len(w) {
					continue
				}
				visit(w[:i] + w[i+1:])
				for _, r := range alphabet {
					visit(w[:i] + string(r) + w[i+1:])
				}
				if i+1 < len(w) {
					visit(w[:i] + string(w[i+1]) + string(w[i]) + w[i+2:])
				}
			}
		}
		edge = next
	}
	return found
}

func TestStepsAgreeWithExhaustiveSearch(t *testing.T) {
	words := []string{"ab", "aab", "abab", "abba", "aabb", "ababa", "abcab", "babab"}
	for _, known := range words {
		model := reachable(known, "abc", 2)
		for _, form := range everyWord("abc", 6) {
			want, near := model[form]
			got, ok := within(known, form, 2)
			if ok != near || ok && got != want {
				t.Fatalf("%s → %s: %d steps (%v), want %d (%v)", known, form, got, ok, want, near)
			}
		}
	}
}

// everyWord gives all words over the alphabet with 1 to length letters.
func everyWord(alphabet string, length int) []string {
	var all []string
	last := []string{""}
	for range length {
		var longer []string
		for _, w := range last {
			for _, r := range alphabet {
				longer = append(longer, w+string(r))
			}
		}
		all = append(all, longer...)
		last = longer
	}
	return all
}

func FuzzStepsStayBetweenTheLibrarysBounds(f *testing.F) {
	f.Add("federica", "federiac")
	f.Add("éa", "aé")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 40 || len(b) > 40 || !utf8.ValidString(a) || !utf8.ValidString(b) {
			t.Skip("longer than any form")
		}
		for _, limit := range []int{1, 2} {
			steps, ok := within(a, b, limit)
			library := levenshtein.ComputeDistance(a, b)
			if ok && (steps > library || 2*steps < library) {
				t.Errorf("%d steps, the library counts %d", steps, library)
			}
			if !ok && library <= limit {
				t.Errorf("refused at %d although the library counts %d", limit, library)
			}
			back, okBack := within(b, a, limit)
			if ok != okBack || ok && back != steps {
				t.Errorf("not symmetrical: %d (%v) and %d (%v)", steps, ok, back, okBack)
			}
		}
	})
}

func TestIndexFindsWhatTheDoubleLoopFinds(t *testing.T) {
	var known []string
	for _, w := range everyWord("ab", 7) {
		if len(w) >= 3 && strings.Count(w, "a")%2 == 0 {
			known = append(known, w)
		}
	}
	known = append(known, "christophe", "christopher", "christelle", "abababababab", "bababababab", "éloïse", "мария")
	forms := append(everyWord("ab", 8), "chirstophe", "hcristophe", "christohpe", "crhistopher", "christle",
		"babababababa", "ababababab", "eloise", "éloise", "loïse", "марая", "амрия", "x", "")
	search := newNeighbours(known).search()
	for _, form := range forms {
		found := make(map[int]int)
		search.each(form, func(i, steps int) {
			if _, twice := found[i]; twice {
				t.Fatalf("%q: %q was found twice", form, known[i])
			}
			found[i] = steps
		})
		for i, key := range known {
			want, near := within(key, form, stepsAllowed(key))
			if got, ok := found[i]; ok != near || ok && got != want {
				t.Fatalf("%q and %q: index %d (%v), double loop %d (%v)", key, form, got, ok, want, near)
			}
		}
	}
}
