package source_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

// onDisk writes a file and returns it as a source.
func onDisk(t *testing.T, name string, data []byte) source.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return source.OnDisk(path)
}

func packed(t *testing.T, text []byte, open func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var out bytes.Buffer
	w := open(&out)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipped(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
func zstandard(w io.Writer) io.WriteCloser {
	e, err := zstd.NewWriter(w)
	if err != nil {
		panic(err) // without options it cannot
	}
	return e
}

// TestRead: text is unpacked by the file's name; size and hash are those of the file
// as it is, also when its reader stopped early.
func TestRead(t *testing.T) {
	text := bytes.Repeat([]byte("id,username\n"), 20_000)
	for name, data := range map[string][]byte{"a.csv": text, "a.csv.gz": packed(t, text, gzipped), "a.csv.zst": packed(t, text, zstandard)} {
		file := onDisk(t, name, data)
		if file.Name != name || file.Size != int64(len(data)) || file.Stamp == "" {
			t.Errorf("%+v", file)
		}
		want := sha256.Sum256(data)
		for _, limit := range []int64{0, 5, 1 << 30} {
			in, err := file.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(io.LimitReader(in, limit))
			if err != nil || !bytes.HasPrefix(text, got) || int64(len(got)) != min(limit, int64(len(text))) {
				t.Errorf("%s: %d bytes, %v", name, len(got), err)
			}
			size, sum, err := in.Sum()
			if err != nil || size != int64(len(data)) || sum != hex.EncodeToString(want[:]) || in.Packed() != size {
				t.Errorf("%s: %d bytes, %s, %v", name, size, sum, err)
			}
			if err := in.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestBadFiles are faults that name the file and say what to do.
func TestBadFiles(t *testing.T) {
	text := bytes.Repeat([]byte("id,username\n"), 20_000)
	whole := packed(t, text, gzipped)
	for words, file := range map[string]source.File{
		"ends early":           onDisk(t, "a.csv.gz", whole[:len(whole)/2]),
		"compressed file ends": onDisk(t, "a.csv.zst", nil),
		"is damaged":           onDisk(t, "a.csv.gz", text),
		"cannot be opened":     source.OnDisk(filepath.Join(t.TempDir(), "a.csv")),
		"more than 400 times":  onDisk(t, "a.csv.gz", packed(t, make([]byte, 70<<20), gzipped)),
		"it came from a parcel": {Name: "a.csv", Open: func(context.Context) (io.ReadCloser, error) {
			return nil, fault.New(fault.Failure, "it came from a parcel")
		}},
	} {
		err := drain(t.Context(), file)
		var f *fault.Fault
		if !errors.As(err, &f) || !strings.Contains(err.Error(), words) || !strings.HasPrefix(f.File, "a.csv") {
			t.Errorf("wanted %q: %v", words, err)
		}
	}
	// Where a file comes from is named rather than the file, when it is that which is wrong.
	inPackage := source.File{Name: "a.csv", Open: func(context.Context) (io.ReadCloser, error) {
		return nil, fault.New(fault.Failure, "the package is damaged").At("export.zip", 0, "")
	}}
	if err := drain(t.Context(), inPackage); err == nil || err.Error() != "export.zip: the package is damaged" {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := drain(ctx, onDisk(t, "a.csv", text)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func drain(ctx context.Context, file source.File) error {
	in, err := file.Read(ctx)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	return errors.Join(err, in.Close())
}
