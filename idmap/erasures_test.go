package idmap

import (
	"os"
	"path/filepath"
	"testing"

	"anonymooc/internal/fault"
)

// TestReadErasures reads what Forget wrote, and tells of what it did not.
func TestReadErasures(t *testing.T) {
	dir := t.TempDir()
	if none, err := ReadErasures(dir); err != nil || none != nil {
		t.Errorf("%v, %v", none, err)
	}
	m := &Map{dir: dir}
	for _, people := range []int{1, 3} {
		if err := m.recordErasure(Erasure{People: people, Reason: "asked to", Domains: map[string]int{"d": people}}); err != nil {
			t.Fatal(err)
		}
	}
	erasures, err := ReadErasures(dir)
	if err != nil || len(erasures) != 2 || erasures[1].People != 3 || erasures[0].Domains["d"] != 1 {
		t.Errorf("%+v, %v", erasures, err)
	}
	if err := os.WriteFile(filepath.Join(dir, erasureName), []byte("{}\n{\"people\": \"secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadErasures(dir); fault.CodeOf(err) != fault.Failure {
		t.Errorf("%v", err)
	}
}
