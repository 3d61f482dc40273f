package forum

import (
	"os"
	"path/filepath"
	"testing"

	"anonymooc/forum/corpus"
	"anonymooc/forum/detect"
	"anonymooc/internal/source"
)

// TestTheSurestDetectorDoesNotHideThePerson has a grammar that is surer than the
// catalogue that a name stands there, and does not know whose.
func TestTheSurestDetectorDoesNotHideThePerson(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forum.json")
	post := `{"_id":{"$oid":"52ee00000000000000000001"},"_type":"CommentThread","author_id":"17","body":"x"}`
	if err := os.WriteFile(path, []byte(post), 0o600); err != nil {
		t.Fatal(err)
	}
	posts, err := corpus.Open(source.OnDisk(path))
	if err != nil {
		t.Fatal(err)
	}
	options, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	person := Person{Pseudonym: 1234567890, UserIDs: []string{"17"}, FirstNames: []string{"Zéphyrine"}, LastNames: []string{"Brun"}}
	engine, err := New([]Person{person}, posts, nil, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"Bonjour, je m'appelle Zéphyrine.", "Je m'appelle Zéphyrine Brun", "Merci Zéphyrine"} {
		doc := detect.NewDocument(corpus.Post{ID: "52ee00000000000000000001", Author: "17"}, "body", []byte(text))
		findings := engine.Findings(doc)
		if len(findings) != 1 || findings[0].Entity != person.Entity() {
			t.Errorf("%s: got %+v, want one finding that names %s", text, findings, person.Entity())
		}
	}
}
