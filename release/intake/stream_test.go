package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"anonymooc/release/intake/packtest"
)

// TestDecodings holds what docs/sources/packages.md says about the cost of archives
// that can be read only from their front.
func TestDecodings(t *testing.T) {
	keys := packtest.NewKeys(t)
	openPGP, _ := keys.Write(t, t.TempDir())
	ring, err := NewKeyring([]string{openPGP}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var members []packtest.Member
	for i := range 20 {
		members = append(members, packtest.Member{Name: fmt.Sprintf("%02d.log", 19-i), Data: make([]byte, 2<<20+i)})
		for j := range members[i].Data {
			members[i].Data[j] = byte(j * (i + 1) >> 3)
		}
	}
	path := filepath.Join(t.TempDir(), "e.tar.gz.gpg")
	if err := os.WriteFile(path, keys.GPG(t, packtest.Gzip(t, packtest.Tar(t, members))), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := Open(t.Context(), []string{path}, Options{Keys: ring})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close() // only ever read from
	s := e.streams[0].(*stream)
	read := func(i int, limit int64) {
		t.Helper()
		in, err := e.Files[i].Open(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, io.LimitReader(in, limit))
		if want := min(limit, e.Files[i].Size); n != want {
			t.Fatalf("%d bytes instead of %d", n, want)
		}
		if err := errors.Join(err, in.Close()); err != nil {
			t.Fatal(err)
		}
	}
	decodings := func(want int, what string) {
		t.Helper()
		if s.opens != want {
			t.Errorf("%d decodings after %s instead of %d", s.opens, what, want)
		}
	}
	decodings(1, "listing")
	for i := range e.Files {
		read(i, headSize)
	}
	decodings(1, "looking at the beginnings")
	for i := range e.Files {
		read(i, 1<<40)
	}
	decodings(2, "reading all")
	for _, i := range []int{3, 7, 8, 19} { // as linking does
		read(i, 1<<40)
	}
	decodings(3, "reading some")
	read(2, 1<<40)
	decodings(4, "going back")
	// Two at once: neither disturbs the other.
	first, err := e.Files[0].Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	read(5, 1<<40)
	if n, err := io.Copy(io.Discard, first); n != e.Files[0].Size || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if err := errors.Join(first.Close(), e.Whole(t.Context())); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, err := e.Files[19].Open(ctx)
	if err == nil {
		_, err = io.Copy(io.Discard, in)
		in.Close()
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("when cancelled: %v", err)
	}
}

// TestEndOfAStream: a zip that can be read only from its front is read like one on
// a disk, whatever its size beside that of what is kept of its end.
func TestEndOfAStream(t *testing.T) {
	keys := packtest.NewKeys(t)
	openPGP, _ := keys.Write(t, t.TempDir())
	ring, err := NewKeyring([]string{openPGP}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 1, 1000, maxTail - 300, maxTail, maxTail + 1, 2*maxTail - 200, 3*maxTail + 7} {
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(i * i >> 7)
		}
		path := filepath.Join(t.TempDir(), "e.zip.gpg")
		members := []packtest.Member{{Name: "b.log", Data: data}, {Name: "a.log", Data: []byte("last in the archive")}}
		if err := os.WriteFile(path, keys.Plain(t, packtest.Zip(t, members, 0)), 0o600); err != nil {
			t.Fatal(err)
		}
		e, err := Open(t.Context(), []string{path}, Options{Keys: ring})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range [][]byte{data, members[1].Data} {
			in, err := e.Files[i].Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(in)
			if err := errors.Join(err, in.Close()); err != nil || string(got) != string(want) {
				t.Errorf("size %d, %s: %d bytes instead of %d, %v", size, e.Files[i].Name, len(got), len(want), err)
			}
		}
		if err := errors.Join(e.Whole(t.Context()), e.Close()); err != nil {
			t.Error(err)
		}
	}
}
