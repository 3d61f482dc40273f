package release

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"anonymooc/internal/fault"
)

// Codec is how a file is compressed. The release keeps it.
type Codec int

// The codecs.
const (
	Plain Codec = iota
	Gzip
	Zstd
)

func codecOf(name string) Codec {
	switch {
	case strings.HasSuffix(name, ".gz"):
		return Gzip
	case strings.HasSuffix(name, ".zst"):
		return Zstd
	}
	return Plain
}

// Suffix is what the codec adds to a file's name.
func (c Codec) Suffix() string { return [...]string{"", ".gz", ".zst"}[c] }

// maxRatio is how much longer than its file a text may be: edX logs shrink 10 to
// 40 times. A member that unpacks to more is taken for an attack.
const maxRatio = 400

// reading is an open source: what is read from it is unpacked, while the bytes
// of the file are counted and hashed.
type reading struct {
	context context.Context
	source  *Source
	file    *os.File
	hash    hash.Hash // nil when nobody asks
	packed  atomic.Int64
	text    int64
	unpack  io.Reader
	closing func()
}

// Open opens a file for reading only and unpacks it on the way.
func (s *Source) Open() (*reading, error) { return s.open(context.Background()) }

// open is Open for a run that can be interrupted.
func (s *Source) open(ctx context.Context) (*reading, error) {
	file, err := os.Open(s.Path)
	if err != nil {
		return nil, fault.New(fault.Failure, "the file cannot be opened").At(s.Name, 0, "").
			WithHint("may this user read it?").Because(errors.Unwrap(err))
	}
	r := &reading{context: ctx, source: s, file: file, hash: sha256.New()}
	counted := &countReader{r}
	switch s.Codec {
	case Gzip:
		unpack, err := gzip.NewReader(counted)
		if err != nil {
			file.Close()
			return nil, r.explain(err)
		}
		r.unpack, r.closing = unpack, func() { unpack.Close() }
	case Zstd:
		unpack, err := zstd.NewReader(counted, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			file.Close()
			return nil, r.explain(err)
		}
		r.unpack, r.closing = unpack, unpack.Close
	default:
		r.unpack, r.closing = counted, func() {}
	}
	return r, nil
}

type countReader struct{ r *reading }

func (c *countReader) Read(p []byte) (int, error) {
	n, err := c.r.file.Read(p)
	c.r.packed.Add(int64(n))
	c.r.hash.Write(p[:n])
	return n, err
}

// Read gives the text of the file. A file that ends too early is a fault.
func (r *reading) Read(p []byte) (int, error) {
	if err := r.context.Err(); err != nil {
		return 0, err
	}
	n, err := r.unpack.Read(p)
	r.text += int64(n)
	if err != nil && err != io.EOF {
		return n, r.explain(err)
	}
	if r.text > 64<<20 && r.text > maxRatio*r.packed.Load() {
		return 0, fault.New(fault.Failure, "the file unpacks to more than %d times its size", maxRatio).At(r.source.Name, 0, "").
			WithHint("this is no honest log; look at it by hand")
	}
	return n, err
}

func (r *reading) explain(err error) error {
	f := fault.New(fault.Failure, "the file cannot be read").At(r.source.Name, 0, "")
	switch {
	case r.source.Codec != Plain && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)):
		f.What = "the compressed file ends early"
		return f.WithHint("copy it again: its transfer was interrupted")
	case r.source.Codec != Plain:
		f.What = "the compressed file is damaged"
		return f.WithHint("copy it again, or rename it if it is not compressed at all")
	}
	return f.Because(errors.Unwrap(err))
}

// progress is how many bytes of the file have been read.
func (r *reading) progress() int64 { return r.packed.Load() }

// Sum reads what is left of the file and returns the size and the SHA-256 of all
// of it.
func (r *reading) Sum() (int64, string, error) {
	if _, err := io.Copy(io.Discard, &countReader{r}); err != nil {
		return 0, "", r.explain(err)
	}
	return r.packed.Load(), hex.EncodeToString(r.hash.Sum(nil)), nil
}

// Close closes the file.
func (r *reading) Close() error {
	r.closing()
	return r.file.Close()
}

// compressor returns what makes a block a member of a compressed file: gzip
// members and zstd frames may follow one another, so that blocks are compressed
// on all cores and the bytes do not depend on how many there are.
func (c Codec) compressor() func(dst, src []byte) []byte {
	switch c {
	case Gzip:
		return gzipMember
	case Zstd:
		return zstdFrame
	}
	return nil
}

func gzipMember(dst, src []byte) []byte {
	out := appendWriter{dst}
	w, err := gzip.NewWriterLevel(&out, gzip.DefaultCompression)
	if err == nil {
		_, err = w.Write(src)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic("gzip into memory failed: " + err.Error()) // it cannot
	}
	return out.data
}

func zstdFrame(dst, src []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic("zstd into memory failed: " + err.Error()) // it cannot
	}
	defer w.Close()
	return w.EncodeAll(src, dst)
}

type appendWriter struct{ data []byte }

func (w *appendWriter) Write(p []byte) (int, error) {
	w.data = append(w.data, p...)
	return len(p), nil
}
