package release_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden releases anew")

// TestGolden compares the release of the bundled export with the one that was
// reviewed. Pseudonyms are drawn from a seed, by one worker.
func TestGolden(t *testing.T) {
	const golden = "../testdata/golden/drop"
	out := filepath.Join(t.TempDir(), "release")
	newMaker(t).mustRun(out, jobs(1), bundled)
	if *update {
		if err := os.RemoveAll(golden); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(golden, os.DirFS(out)); err != nil {
			t.Fatal(err)
		}
	}
	want, got := readTree(t, golden), readTree(t, out)
	if len(want) != len(got) {
		t.Errorf("%d files, the golden release has %d", len(got), len(want))
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs from the golden release at byte %d: run \"make golden\" and review the difference", name, firstDifference(got[name], text))
		}
	}
}

func firstDifference(a, b string) int {
	for i := 0; i < min(len(a), len(b)); i++ {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
