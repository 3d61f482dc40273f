package release_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"anonymooc/release"
	"anonymooc/release/intake"
	"anonymooc/tables"
)

// TestTextsAreThoseOfTheOtherFiles: free text of the bundled export is heard as a
// run would hand it to the engine, with whose it is; the forum's is left out.
func TestTextsAreThoseOfTheOtherFiles(t *testing.T) {
	m := newMaker(t)
	request := m.request("", nil, bundled)
	export, err := intake.Open(t.Context(), []string{bundled}, intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer export.Close()
	found, err := release.Discover(t.Context(), export, request.Rules, false, tables.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	domain, err := m.idMap.Domain("default")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := found.Link(t.Context(), domain, tables.DefaultLimits()); err != nil {
		t.Fatal(err)
	}
	hear := func() (texts []string) {
		err := release.Texts(context.Background(), found.Sources, domain, func(text []byte, place tables.TextPlace) {
			texts = append(texts, strings.Join([]string{place.Table, place.Field, place.Author.Username(), string(text)}, "|"))
		})
		if err != nil {
			t.Fatal(err)
		}
		return texts
	}
	texts := hear()
	for _, start := range []string{"auth_userprofile|goals|u", "tracking_log|", "courseware_studentmodule|**.student_answers|"} {
		if !slices.ContainsFunc(texts, func(s string) bool { return strings.HasPrefix(s, start) }) {
			t.Errorf("nothing of %q was heard, of %d texts", start, len(texts))
		}
	}
	if slices.ContainsFunc(texts, func(s string) bool { return strings.HasPrefix(s, "forum|") }) {
		t.Error("the forum was heard")
	}
	if !slices.Equal(texts, hear()) {
		t.Error("the texts come in another order the second time")
	}
}
