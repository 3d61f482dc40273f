package idmap

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzRecords feeds sealed but arbitrary records to the reader. Either they
// are refused as damage, or what they say survives being written anew.
func FuzzRecords(f *testing.F) {
	m, err := Create(filepath.Join(f.TempDir(), "map"), Options{Key: testKey(1)})
	if err != nil {
		f.Fatal(err)
	}
	d := testDomain(f, m, "project")
	claim(f, d, userID(1), named("a"), mailed("a@x"))
	claim(f, d, named("b"), mailed("b@x"))
	settle(f, d)
	claim(f, d, userID(2), named("b"))
	settle(f, d)
	d.Describe(userID(1), Attribute{"name", "A"})
	f.Add(uint16(1), bytes.Clone(d.pending))
	f.Add(uint16(0), appendSpent(bytes.Clone(m.pending), firstPseudonym))
	f.Add(uint16(0), appendForgotten(bytes.Clone(m.pending), []tombstone{{digest{1, 2}, Username, 0}}))
	f.Add(uint16(1), appendAddress(nil, digest{1, 2}, firstAddress))
	definition := bytes.Clone(m.pending)
	m.Close()
	f.Fuzz(func(t *testing.T, number uint16, records []byte) {
		m, dir := newTestMap(t)
		frames := [][]byte{append([]byte{0, 0}, definition...), append([]byte{byte(number), byte(number >> 8)}, records...)}
		for _, frame := range frames {
			if err := m.file.append(frame); err != nil {
				t.Skip("larger than any frame we write")
			}
		}
		if err := m.Commit(); err != nil {
			t.Fatal(err)
		}
		m.Close()
		m, err := Open(dir, Options{Key: testKey(1)})
		if err != nil {
			wantFault(t, err, "damaged")
			return
		}
		before := dump(t, m)
		spent, tombstones := len(m.spent), len(m.tombstones)
		if err := m.Rekey(testKey(2)); err != nil {
			t.Fatal(err)
		}
		m.Close()
		if m, err = Open(dir, Options{Key: testKey(2)}); err != nil {
			t.Fatalf("what was read could not be read again: %v", err)
		}
		defer m.Close()
		if after := dump(t, m); after != before || len(m.spent) != spent || len(m.tombstones) != tombstones {
			t.Errorf("before:\n%s\nafter:\n%s", before, after)
		}
	})
}

// FuzzFiles writes arbitrary bytes over, or behind, the map's files: whatever
// changes them is refused, but for a tail that no commit covers.
func FuzzFiles(f *testing.F) {
	dir := populated(f, testKey(1))
	paths, err := filepath.Glob(filepath.Join(dir, "people.*"))
	if err != nil {
		f.Fatal(err)
	}
	paths = append(paths, filepath.Join(dir, headName))
	var originals [][]byte
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		originals = append(originals, content)
	}
	f.Add(false, uint16(dataHeader), []byte{0xff, 0xff, 0xff, 0x7f})
	f.Add(true, uint16(len(headMagic)), []byte{2, 0})
	f.Add(true, uint16(fixedHead), []byte("x"))
	f.Add(false, uint16(60000), []byte("a frame that was being written"))
	f.Fuzz(func(t *testing.T, inHead bool, at uint16, patch []byte) {
		which := 0
		if inHead {
			which = 1
		}
		original := originals[which]
		from := min(int(at), len(original))
		patched := append(bytes.Clone(original[:from]), patch...)
		if len(patched) < len(original) {
			patched = append(patched, original[len(patched):]...)
		}
		os.WriteFile(paths[which], patched, 0o600)
		defer os.WriteFile(paths[which], original, 0o600)
		m, err := Open(dir, Options{Key: testKey(1)})
		if err != nil {
			wantFault(t, err, "id map")
		} else {
			m.Close()
		}
		isWhole := bytes.Equal(patched, original) || !inHead && bytes.HasPrefix(patched, original)
		if (err == nil) != isWhole {
			t.Errorf("whole: %v, error: %v", isWhole, err)
		}
	})
}
