package forum

import (
	"testing"

	"anonymooc/forum/detect"
)

// TestALinkThatHoldsItsAuthorsName is the author's page, and goes whole; another
// one is no better known than before.
func TestALinkThatHoldsItsAuthorsName(t *testing.T) {
	options, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	const text = "Mon projet est sur https://pages.univ.fr/p/octave-silence-budget depuis hier"
	posts := forumOf(t, testPost{"own", "own", "2", text}, testPost{"other", "other", "3", text})
	e, err := New(ordinaryRoster, posts, nil, options)
	if err != nil {
		t.Fatal(err)
	}
	masked := func(post string) (spans int) {
		if err := e.Each(func(doc *detect.Document, findings []Finding) {
			for _, f := range findings {
				if doc.Post.ID == post && f.Verdict != detect.Keep && string(doc.Raw[f.Start:f.End]) == "https://pages.univ.fr/p/octave-silence-budget" {
					spans++
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		return spans
	}
	if own, other := masked("own"), masked("other"); own != 1 || other != 0 {
		t.Errorf("the author's link is masked %d times, somebody else's %d", own, other)
	}
}
