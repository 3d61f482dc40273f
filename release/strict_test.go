package release_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/forum"
	"anonymooc/forum/lists"
	"anonymooc/idmap"
	"anonymooc/internal/sample/canary"
	"anonymooc/internal/source"
	"anonymooc/release"
	"anonymooc/release/verify"
)

// strictText makes the engine that masks whatever is undecided, as "run --text
// strict" does.
func strictText(r *release.Request) {
	r.Text = func(domain *idmap.Domain, sources []release.Source) (release.Text, error) {
		options, err := forum.Standard()
		if err != nil {
			return nil, err
		}
		var files []source.File
		for _, s := range sources {
			if s.Table.Name == "forum" {
				files = append(files, s.File)
			}
		}
		engine, err := forum.Open(domain, files, forum.Folder(filepath.Join(r.Project.Dir, "forum")), options)
		return strictRun{engine}, err
	}
}

// strictRun is a text engine that has nothing to wait for.
type strictRun struct{ *forum.Engine }

// Finish implements release.Text.
func (r strictRun) Finish() (any, error) { return r.Report(), nil }

// alone are the kinds of identifier that need not name anybody. A word, another
// person or a city may be meant, and the engine may have reason to keep them. An
// elongated name of one word ("Zoéééé") is nothing else.
var alone = map[string]bool{"first_name": true, "last_name": true, "city": true}

// sharedWords are names whose words the sample's texts use as words, side by
// side: "un fiore romano".
var sharedWords = map[string]bool{"Fiore Romano": true}

// TestStrictLeavesNobody: with texts kept and whatever is undecided masked,
// verify finds nothing, and no direct identifier of those who were planted in
// the bundled export is left.
func TestStrictLeavesNobody(t *testing.T) {
	out := filepath.Join(t.TempDir(), "release")
	newMaker(t).mustRun(out, func(r *release.Request) {
		strictText(r)
		r.Verify = verified
	}, bundled)
	var planted []canary.Canary
	for _, c := range canaries(t) {
		if (!alone[c.Kind] || c.Altered == "elongated" && !strings.Contains(c.Value, " ")) && !c.Common && !sharedWords[c.Value] {
			planted = append(planted, c)
		}
	}
	if len(planted) < 1000 {
		t.Fatalf("only %d identifiers to look for", len(planted))
	}
	hits, err := canary.Search(out, planted, canary.Options{Altered: true, Phrases: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, hit := range hits {
		t.Error(hit)
	}
}

// verified refuses a release in which verify finds somebody.
func verified(ctx context.Context, domain *idmap.Domain, dir string) error {
	words, err := lists.Open()
	if err != nil {
		return err
	}
	known, failed := verify.Roster(domain)
	known = verify.MarkCommon(known, func(word string) bool { return words.Find(lists.Key(word)).Is(lists.AnyWord) })
	report, err := verify.Run(ctx, verify.Request{Release: dir, Known: known})
	if err != nil {
		return err
	}
	return errors.Join(failed(), report.Err())
}
