package sample

import (
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestTemplateThatIsMisspeltIsRefused(t *testing.T) {
	for _, source := range []string{"${usrname}", "${username", "${username!uper}", "${}", "${first.other}"} {
		if _, err := compile(source); err == nil {
			t.Errorf("%s compiled", source)
		}
	}
}

func TestSlotKnowsItsPlace(t *testing.T) {
	for _, test := range []struct {
		source, where, before string
		alone                 bool
	}{
		{`${username}`, "", "", true},
		{`Merci ${first}`, "", "Merci ", false},
		{`{"username": "${username}"}`, "username", `username": "`, true},
		{`{"a": {"b": [{"c": ${user_id}}]}}`, "a.b[].c", `c": `, true},
		{`{"a": [1, {"x": 2}, "${username}"]}`, "a[]", `2}, "`, true},
		{`{"a": {"${username}": 1}}`, "a", `a": {"`, true},
		{`{"a": "oui ${first}"}`, "a", "oui ", false},
		{`{"a": "{\"b\": \"${first!quoted}\"}"}`, "a", `b\": \"`, true},
		{`{"a": "${first} b"}`, "a", `a": "`, false},
	} {
		compiled, err := compile(test.source)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range compiled.parts {
			if p.slot == nil {
				continue
			}
			if p.where != test.where || p.before != test.before || p.alone != test.alone {
				t.Errorf("%s: where %q, before %q, alone %v", test.source, p.where, p.before, p.alone)
			}
		}
	}
}

func FuzzEncodingsAreReadBack(f *testing.F) {
	f.Add("Zoé \"Ø\" \\ 😀\n\x01", true)
	f.Fuzz(func(t *testing.T, value string, ascii bool) {
		value = strings.ToValidUTF8(value, "?")
		quoted := append(appendJSON([]byte{'"'}, []byte(value), ascii), '"')
		var back string
		if err := json.Unmarshal(quoted, &back); err != nil || back != value {
			t.Errorf("JSON %s is read as %q (%v)", quoted, back, err)
		}
		if unescaped, err := url.QueryUnescape(string(appendPercent(nil, []byte(value)))); err != nil || unescaped != value {
			t.Errorf("percent-encoding of %q is read as %q (%v)", value, unescaped, err)
		}
		if ascii && strings.ContainsFunc(string(quoted), func(r rune) bool { return r >= 0x80 }) {
			t.Errorf("%s is not ASCII", quoted)
		}
	})
}

func TestMomentIsWrittenAsTheCalendarHasIt(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		m := moment(rng.Int64N(4_000_000_000) * 1_000_001)
		want := time.UnixMicro(int64(m)).UTC()
		if got := string(appendMoment(nil, m, 'T', true)); got != want.Format("2006-01-02T15:04:05.000000") {
			t.Fatalf("%d is written %s, is %s", m, got, want)
		}
		s := &scene{now: m}
		if got := string(appendSyslogTime(s, nil, nil)); got != want.Format(time.Stamp) {
			t.Fatalf("%d is written %s, is %s", m, got, want.Format(time.Stamp))
		}
	}
}

// TestCanaryHasTheSpellingThatWasWritten: what a person changed is recorded as
// changed, what a code hides is recorded as it was before.
func TestCanaryHasTheSpellingThatWasWritten(t *testing.T) {
	g, err := newGenerator("", Options{People: 60, Courses: 1})
	if err != nil {
		t.Fatal(err)
	}
	zoe := g.roster.person(38)
	for _, test := range []struct{ source, written, recorded, phrase string }{
		{"${first}", "Zoé", "Zoé", ""},
		{"${first!upper}", "ZOÉ", "ZOÉ", ""},
		{"${first!entities}", "&#90;o&eacute;", "Zoé", ""},
		{"${username!base64}", "em9l", "zoe", ""},
		{"merci ${first!unaccented}", "merci Zoe", "Zoe", "merci Zoe"},
		{"${city} ${n:1} ${last}", zoe.City + " 0 Blanc", "Blanc", "0 Blanc"},
	} {
		s, planted := planting(g)
		s.actor = zoe
		compiled, err := compile(test.source)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(s.render(nil, compiled, plain)); got != test.written {
			t.Errorf("%s is written %q", test.source, got)
		}
		last := (*planted)[len(*planted)-1]
		if last.Value != test.recorded || last.Phrase != test.phrase || last.Person != 38 {
			t.Errorf("%s is recorded as %q, phrase %q", test.source, last.Value, last.Phrase)
		}
	}
}
