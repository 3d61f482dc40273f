package forum

import (
	"strings"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
)

// A familiar form by custom has nothing of the name's spelling. It is the
// participant's where that person is near, and a question elsewhere.
func TestFamiliarFormsByCustomNameTheParticipant(t *testing.T) {
	standard, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	posts := []testPost{
		{"p1", "p1", "6", "Bonjour, je commence le cours demain."},
		{"p2", "p1", "7", "alors merci Klaus de ton aide"},
		{"q1", "q1", "2", "Une question sur la semaine deux"},
		{"q2", "q1", "3", "on dit que Klaus est venu"},
	}
	options := testOptions(Reviewed)
	options.Mine = true
	before := engineOf(t, options, nil, posts...)
	if found := before.mined[mineKey("Klaus")]; found.spelled() {
		t.Fatal("the form is found by spelling: this test proves nothing")
	}
	options.Familiar = standard.Familiar
	e := engineOf(t, options, nil, posts...)
	mined := e.mined[mineKey("Klaus")]
	if len(mined.evidence) == 0 || !strings.Contains(mined.evidence[0].What, `by custom a familiar form of "Nicolas"`) {
		t.Fatalf("got %+v, want it mined by custom", mined)
	}
	if out := treat(t, e, "p2", posts[1].body); out != "alors merci u1500000006 de ton aide" {
		t.Errorf("beside Nicolas: got %q", out)
	}
	in := func(p testPost) *detect.Document {
		return detect.NewDocument(corpus.Post{ID: p.id, Author: p.author, Lang: "fr"}, "body", []byte(p.body))
	}
	far, near := e.Findings(in(posts[3])), e.Findings(in(posts[1]))
	if len(near) != 1 || len(far) > 0 && far[0].Score >= near[0].Score {
		t.Errorf("near %+v, far %+v: want less where Nicolas is not", near, far)
	}
}
