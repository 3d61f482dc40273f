package sample

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"anonymooc/internal/sample/canary"
)

// bundled are the flags testdata/README.md gives.
var bundled = Options{People: 60, Events: 600, Posts: 160, Courses: 2, Seed: 1}

const testdata = "../../testdata"

// TestBundledExportIsWhatTheGeneratorWrites compares every byte of testdata
// with a fresh run of the documented flags.
func TestBundledExportIsWhatTheGeneratorWrites(t *testing.T) {
	out := t.TempDir()
	var set canary.Set
	options := bundled
	options.Planted = set.Add
	if _, err := Write(filepath.Join(out, "export"), options); err != nil {
		t.Fatal(err)
	}
	if err := WriteBroken(filepath.Join(out, "broken")); err != nil {
		t.Fatal(err)
	}
	sameTree(t, filepath.Join(out, "export"), filepath.Join(testdata, "export"))
	sameTree(t, filepath.Join(out, "broken"), filepath.Join(testdata, "broken"))

	var list bytes.Buffer
	if err := canary.Write(&list, set.List()); err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile(filepath.Join(testdata, "canaries", "canaries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(list.Bytes(), committed) {
		t.Error("canaries.jsonl differs: run make sample")
	}
}

func sameTree(t *testing.T, made, committed string) {
	t.Helper()
	ours, theirs := tree(t, made), tree(t, committed)
	for path, content := range ours {
		other, ok := theirs[path]
		switch {
		case !ok:
			t.Errorf("%s is not committed", path)
		case !bytes.Equal(content, other):
			t.Errorf("%s differs from what is committed: run make sample", path)
		}
	}
	for path := range theirs {
		if _, ok := ours[path]; !ok {
			t.Errorf("%s is committed but not generated", path)
		}
	}
}

// tree reads the files of a folder; links are read as where they lead.
func tree(t *testing.T, root string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if entry.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			files[name] = []byte("link to " + target)
			return err
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
