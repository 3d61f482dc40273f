package mongo

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anonymooc/internal/fault"
)

const password = "s3cret-of-bob"

// TestAddressNeverTakesASecretFromTheCommandLine: and shows none in a message.
func TestAddressNeverTakesASecretFromTheCommandLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "uri")
	uri := "mongodb://bob:" + password + "@host:27017/?authSource=admin"
	if err := os.WriteFile(path, []byte(uri+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(t.TempDir(), "open")
	if err := os.WriteFile(open, []byte(uri), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ANONYMOOC_TEST_URI", uri)
	ask := func(string) ([]byte, error) { return []byte(uri + "\n"), nil }
	for spec, want := range map[string]string{
		"mongodb://host": "mongodb://host",
		"mongodb://a,b:27018/?replicaSet=rs0&tls=true": "mongodb://a,b:27018/?replicaSet=rs0&tls=true",
		"file:" + path:           uri,
		"env:ANONYMOOC_TEST_URI": uri,
		"-":                      uri,
	} {
		got, err := Address(spec, ask)
		if err != nil || string(got.Reveal()) != want {
			t.Errorf("%s: %v", spec, err)
		}
		if strings.Contains(got.String(), "bob") {
			t.Errorf("%s prints", spec)
		}
	}
	for _, spec := range []string{
		uri, "mongodb://bob@host", "mongodb+srv://bob:" + password + "@host", "mongodb://host/?tlsCertificateKeyFilePassword=" + password,
		"mongodb://host/?authMechanismProperties=AWS_SESSION_TOKEN:" + password, "mongodb://host/?%zz", "host:27017", "file:" + open, "file:/none", "env:ANONYMOOC_NONE", "",
	} {
		got, err := Address(spec, ask)
		var f *fault.Fault
		if !errors.As(err, &f) || !got.IsZero() || strings.Contains(err.Error()+f.Hint, password) || strings.Contains(err.Error()+f.Hint, "bob") {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

func TestFileNames(t *testing.T) {
	for collection, want := range map[string]string{"contents": "contents.bson", "users": "users.bson", "subscriptions": "subscriptions.bson", "posts": "forum.bson", "../x": "forum.bson"} {
		if got := FileName(collection); got != want {
			t.Errorf("%s is %s", collection, got)
		}
	}
	for uri, want := range map[string]string{"mongodb://h/forum?a=b": "forum", "mongodb://u:p@h/?a=b": DefaultDatabase, "mongodb://h": DefaultDatabase, "mongodb://a,b/x": "x"} {
		if got := databaseOf(uri); got != want {
			t.Errorf("%s names %s", uri, got)
		}
	}
}

// TestDigestKnowsDocumentsAndNotTheirOrder: and counts twice what is there twice.
func TestDigestKnowsDocumentsAndNotTheirOrder(t *testing.T) {
	of := func(documents ...string) (d digest) {
		for _, document := range documents {
			d.add([]byte(document))
		}
		return d
	}
	if of("a", "b", "c") != of("c", "a", "b") || of("a", "a") == of("b", "b") || of("a", "a") == of() || of("a") == of("b") {
		t.Error("the digest is none")
	}
}
