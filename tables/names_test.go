package tables

import (
	"fmt"
	"testing"

	"anonymooc/idmap"
)

func TestNameIndexFindsNamesAndNoIDs(t *testing.T) {
	x := NewNameIndex()
	x.Add("Ada Éloïse de La Tour", 1_000_000_001)
	x.Add("Page Olive", 1_000_000_002)
	x.Add("Jean Martin", 1_000_000_003)
	x.Add("Jean Martin", 1_000_000_004)
	for text, want := range map[string]string{
		"c3e0ada83120":                 "",                  // letters among digits are part of an id
		"ada8":                         "",                  //
		"8ada":                         "",                  //
		"ada":                          "[0-3:0]",           // a word of a name
		"CV_ada_eloise_de_la_tour.pdf": "[3-24:1000000001]", // the whole name, in a file's
		"de la tour ada eloise":        "[6-10:0] [11-14:0] [15-21:0]",
		"Éloïse":                       "[0-8:0]",
		"page":                         "", // a word of the platform, written like one
		"Page":                         "[0-4:0]",
		"olive page":                   "[0-10:1000000002]", // in the other order
		"jean martin":                  "[0-11:0]",          // two people
		"adage":                        "",
	} {
		got := ""
		for i, s := range x.find(nil, []byte(text)) {
			if i > 0 {
				got += " "
			}
			got += fmt.Sprintf("[%d-%d:%d]", s.start, s.end, s.person)
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	var none *NameIndex
	if spans := none.find(nil, []byte("Ada")); len(spans) != 0 {
		t.Error("no index finds something")
	}
	if got := string(appendPerson(nil, idmap.Pseudonym(1_000_000_001))); got != "u1000000001" {
		t.Errorf("a person is written %q", got)
	}
}
