package tables_test

import (
	"strings"
	"testing"
)

// TestPeopleInOddURLs: a value that is nearly a URL, or a URL of an odd scheme, is
// no way past the rules of page, referer and event_type.
func TestPeopleInOddURLs(t *testing.T) {
	b := newBench(t, people)
	for _, value := range []string{
		`https://fun/u/prudence.martin#{}`, `https://fun/s/\"zoe.blanc@courriel.example\"`, `chrome-extension://abc/https://fun/u/zoe`,
		`www.fun.fr/u/prudence.martin`, `view-source:https://fun/courses/x/progress/4711`, `about:reader?url=https%3A%2F%2Ffun%2Fu%2Fzoe`,
		`https://fun/x?uid=4711`, `https://fun/x?learner_id=90210&masquerade=4711`, `https://fun/x?a=1&amp;user_id=4711`, `https://fun/x?a=1;user_id=4711`,
	} {
		for _, key := range []string{"page", "referer", "event_type", "name"} {
			clean(t, key, b.event(t, `{"`+key+`": "`+value+`", "event": {}, "time": "2014-10-07T13:34:43"}`))
		}
	}
}

// TestIdentifiersInsideWords: usernames and addresses are found inside longer
// words, encoded, and where they look like nothing.
func TestIdentifiersInsideWords(t *testing.T) {
	b := newBench(t, append(people, someone{"777001", "zoe_blanc.77", "root@intranet", "", "aa112233445566778899aabbccddeeff"}, someone{"777002", "rita", "zoe@mail.xn--p1ai", "", "bb112233445566778899aabbccddeeff"}))
	for _, payload := range []string{
		`{"file": "export_zoe_blanc.77.csv"}`, `{"x": "/wiki/zoe_blanc.77-page"}`, `{"x": "zoe%40mail.xn--p1ai"}`, `{"x": "zoe@mail.xn--p1ai"}`,
		`{"x": "prudence.martin%40post.example"}`, `{"state": "{'user': 'zoe', 'user_id': 4711}"}`,
	} {
		clean(t, payload, b.payload(t, payload))
	}
	if out := b.payload(t, `{"x": "root@intranet"}`); strings.Contains(out, "root@intranet") {
		t.Errorf("an address without a dot is left: %s", out)
	}
}

// TestKeptPathsKeepScalars: what is kept is the value at the path, not whatever
// an object there may hold.
func TestKeptPathsKeepScalars(t *testing.T) {
	b := newBench(t, people)
	clean(t, "an object under a kept path", b.payload(t, `{"type": {"note": "zoe.blanc@courriel.example"}}`))
	clean(t, "a display name", b.payload(t, `{"author": {"display_name": "Zoé Blanc"}}`))
}
