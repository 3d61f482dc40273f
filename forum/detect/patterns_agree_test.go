package detect

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"anonymooc/internal/fold"
)

// What is read by hand where expressions are slow says what the expressions say.
func TestHandReadersAgreeWithExpressions(t *testing.T) {
	const label = `[\pL\pN](?:[\pL\pN\-]*[\pL\pN])?`
	local := regexp.MustCompile(`[\pL\pN_][\pL\pN._%+\-']*(?:\s?[(\[{<])?\s?$`)
	host := regexp.MustCompile(`^(?:[)\]}>]\s?)?(?:` + label + `\.)+[\pL]{2,24}`)
	emails, births := newEmailForms(), newBirthForms()
	at := func(m []int, i int) int {
		if m == nil {
			return -1
		}
		return m[i]
	}
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "Zoé", "x", "é", "1", "12", "1985", ".", ".", "-", "_", "'", "%", "(", ")", "[", "<", ">", " ", " ", "\n", "\t", "com", "fr", "gmail", "/", ",", "er",
		"le premier mars", "erster", "3 mai", "je suis ", "c'est ", "est ", "ma ", "date de ", "abcdefghijklmnopqrstuvwxyz", "ª", "·", "punto ", " dot ", "point "}
	for range 40_000 {
		var b strings.Builder
		for range 1 + random.IntN(9) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		text := b.String()
		if got, want := localPart(text), at(local.FindStringIndex(text), 0); got != want {
			t.Fatalf("local part of %q: %d, want %d", text, got, want)
		}
		if got, want := hostPart(text), max(at(host.FindStringIndex(text), 1), 0); got != want {
			t.Fatalf("host of %q: %d, want %d", text, got, want)
		}
		if emails.loose.MatchString(text) && !dotFollows(text) {
			t.Fatalf("%q is a spaced host", text)
		}
		if emails.dotted.MatchString(text) && !mayDot(text, false) || emails.placed.MatchString(text) && !mayDot(text, true) {
			t.Fatalf("%q is a spelled host", text)
		}
		if (births.date.MatchString(text) || births.day.MatchString(text)) && !mayHaveDay(text) {
			t.Fatalf("%q has a day", text)
		}
		if births.before.MatchString(text) && !births.joined.MatchString(lastDigit(text)) || births.behind.MatchString(text) && !births.tied.MatchString(lastDigit(text)) {
			t.Fatalf("%q ends with a date", text)
		}
	}
}

// Every number in words of the expression is known among the folded ones.
func TestNumeralsAreAllKnown(t *testing.T) {
	words := strings.NewReplacer("[eé]", "é", "[eê]", "ê", "[uü]", "ü", "vingts?", "vingts|vingt", `|\d{1,4}`, "").Replace(spelledNumbers)
	for word := range strings.SplitSeq(words, "|") {
		if formOf(word).anchors&anchorNumeral == 0 {
			t.Errorf("%q (%q) is no numeral", word, fold.KeyString(word))
		}
	}
}
