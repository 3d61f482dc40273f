package forum

import (
	"strings"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
)

func TestWideningTakesTheWhole(t *testing.T) {
	tests := []struct {
		name, text, find string
		category         detect.Category
		want             string
	}{
		{"handle", "insta @emma_lbn_31 !", "emma", detect.FirstName, "emma_lbn_31"},
		{"handle with dots", "skype kelly.v.16 ok", "kelly", detect.FirstName, "kelly.v.16"},
		{"no space after a stop", "Merci Kelly.Bonne journée", "Kelly", detect.FirstName, "Kelly"},
		{"a stop", "merci kelly. ok", "kelly", detect.FirstName, "kelly"},
		{"double name", "ma cousine Linh-Anna dit", "Linh", detect.FirstName, "Linh-Anna"},
		{"spaced hyphen", "Kelly - Anna", "Kelly", detect.FirstName, "Kelly"},
		{"page", "voir https://kelly.example/a?b=1, oui", "kelly", detect.FirstName, "https://kelly.example/a?b=1"},
		{"school", "à l'école secondaire du Bon Repos", "Bon Repos", detect.Organisation, "école secondaire du Bon Repos"},
		{"postcode", "32000 AUCH", "AUCH", detect.Place, "32000 AUCH"},
		{"year", "en 2014, Auch", "Auch", detect.Place, "Auch"},
		{"phone is left alone", "tel 32000 Kelly", "Kelly", detect.FirstName, "Kelly"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := detect.NewDocument(corpus.Post{}, "body", []byte(tt.text))
			at := strings.Index(tt.text, tt.find)
			got := widen(doc, []Finding{{Start: at, End: at + len(tt.find), Category: tt.category, Verdict: detect.Mask}})
			if len(got) != 1 || tt.text[got[0].Start:got[0].End] != tt.want {
				t.Errorf("got %+v, want %q", got, tt.want)
			}
		})
	}
}

// FuzzOverlapsAreSettled: whatever overlaps, what comes out is disjoint, in
// order, and covers everything that was to be masked.
func FuzzOverlapsAreSettled(f *testing.F) {
	f.Add([]byte{0, 5, 1, 3, 4, 0, 4, 9, 1})
	f.Fuzz(func(t *testing.T, script []byte) {
		var findings []Finding
		start := 0
		for len(script) >= 3 {
			start += int(script[0] % 8)
			v := detect.Mask
			if script[2]%3 == 0 {
				v = detect.Keep
			}
			findings = append(findings, Finding{Start: start, End: start + 1 + int(script[1]%8), Verdict: v, Score: float64(script[2]) / 255})
			script = script[3:]
		}
		before := append([]Finding(nil), findings...)
		after := settleOverlaps(findings)
		last := 0
		for _, g := range after {
			if g.Start < last || g.End <= g.Start {
				t.Fatalf("%+v is not in order after %d", g, last)
			}
			last = g.End
		}
		for _, b := range before {
			for at := b.Start; b.Verdict == detect.Mask && at < b.End; at++ {
				covered := false
				for _, g := range after {
					covered = covered || g.Verdict == detect.Mask && g.Start <= at && at < g.End
				}
				if !covered {
					t.Fatalf("byte %d of %+v is not masked in %+v", at, b, after)
				}
			}
		}
	})
}
