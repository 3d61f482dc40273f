package hunspell

import (
	"slices"
	"strings"
	"testing"
)

const english = `SET UTF-8
NEEDAFFIX x
FORBIDDENWORD !
ONLYINCOMPOUND c
PFX U Y 1
PFX U 0 un .
PFX L Y 1
PFX L 0 l' [aeiou]
SFX D Y 3
SFX D 0 d e
SFX D y ied [^aeiou]y
SFX D 0 ed [^ey]
SFX A N 1
SFX A 0 able/S [^aeiou]
SFX S Y 1
SFX S 0 s .
`

func expand(t *testing.T, rules, words string) []string {
	t.Helper()
	r, err := ReadRules(strings.NewReader(rules))
	if err != nil {
		t.Fatal(err)
	}
	var forms []string
	if err := r.Expand(strings.NewReader(words), func(w string) { forms = append(forms, w) }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

func TestExpandMakesWhatTheRulesAccept(t *testing.T) {
	for _, c := range []struct{ name, rules, words, want string }{
		{"plain", english, "1\nrose\n", "rose"},
		{"suffix by condition", english, "3\ncarry/D\nbake/D\nplay/D\n", "bake baked carried carry play"},
		{"cross product", english, "1\nlock/UD\n", "lock locked unlock unlocked"},
		{"suffix of a suffix", english, "1\nread/A\n", "read readable readables"},
		{"elision is left out", english, "1\namour/L\n", "amour"},
		{"forbidden", english, "2\nwrongg/!\nright\n", "right"},
		{"compound parts are no words", english, "2\n1th/c\nnth\n", "nth"},
		{"needs an affix", english, "1\nlock/xD\n", "locked"},
		{"morphology is skipped", english, "1\nrose/S po:noun\n", "rose roses"},
		{"long flags", "SET UTF-8\nFLAG long\nSFX Zz Y 1\nSFX Zz 0 s .\n", "1\nété/Zz\n", "été étés"},
		{"numbered flags", "SET UTF-8\nFLAG num\nSFX 12 Y 1\nSFX 12 0 s .\n", "1\nété/12\n", "été étés"},
		{"aliases", "SET UTF-8\nAF 1\nAF S\nSFX S Y 1\nSFX S 0 s .\n", "1\ncat/1\n", "cat cats"},
		{"Latin-1", "SET ISO8859-1\nSFX S Y 1\nSFX S 0 s .\n", "1\n\xe9t\xe9/S\n", "été étés"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(expand(t, c.rules, c.words), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestExpandRefusesOtherFiles(t *testing.T) {
	r, err := ReadRules(strings.NewReader(english))
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"", "rose\ntulip\n"} {
		if err := r.Expand(strings.NewReader(words), func(string) {}); err == nil {
			t.Errorf("%q was read as a dictionary", words)
		}
	}
	for _, broken := range []string{"SFX A\n", "SFX A Y\n", "SET klingon\n"} {
		if _, err := ReadRules(strings.NewReader(broken)); err == nil {
			t.Errorf("%q was read as affix rules", broken)
		}
	}
}
