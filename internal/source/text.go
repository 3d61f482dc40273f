package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
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

// CodecOf tells the codec by a file's name.
func CodecOf(name string) Codec {
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
// 40 times. A file that unpacks to more is taken for an attack.
const maxRatio = 400

// Text is an open file: what is read from it is unpacked, while the bytes of the
// file are counted and hashed.
type Text struct {
	context context.Context
	name    string
	codec   Codec
	file    io.ReadCloser
	hash    hash.Hash
	packed  atomic.Int64
	text    int64
	unpack  io.Reader
	closing func()
}

// Read opens the file and unpacks it on the way, as its name says.
func (f *File) Read(ctx context.Context) (*Text, error) {
	file, err := f.Open(ctx)
	if err != nil {
		return nil, f.cannotOpen(err)
	}
	t := &Text{context: ctx, name: f.Name, codec: CodecOf(f.Name), file: file, hash: sha256.New(), closing: func() {}}
	if err := t.start(); err != nil {
		file.Close()
		return nil, t.explain(err)
	}
	return t, nil
}

// start begins to unpack.
func (t *Text) start() error {
	packed := &packedReader{t}
	switch t.codec {
	case Gzip:
		unpack, err := gzip.NewReader(packed)
		if err != nil {
			return err
		}
		t.unpack, t.closing = unpack, func() { unpack.Close() }
	case Zstd:
		unpack, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return err
		}
		t.unpack, t.closing = unpack, unpack.Close
	default:
		t.unpack = packed
	}
	return nil
}

// packedReader reads the file's bytes, counts and hashes them.
type packedReader struct{ *Text }

func (r *packedReader) Read(p []byte) (int, error) {
	n, err := r.file.Read(p)
	r.packed.Add(int64(n))
	r.hash.Write(p[:n])
	return n, err
}

// Read gives the text of the file. A file that ends too early is a fault.
func (t *Text) Read(p []byte) (int, error) {
	if err := t.context.Err(); err != nil {
		return 0, err
	}
	n, err := t.unpack.Read(p)
	t.text += int64(n)
	if err == io.EOF && t.codec != Plain && t.packed.Load() == 0 {
		err = io.ErrUnexpectedEOF // zstd takes nothing for an empty text
	}
	if err != nil && err != io.EOF {
		return n, t.explain(err)
	}
	if t.text > 64<<20 && t.text > maxRatio*t.packed.Load() {
		return 0, fault.New(fault.Failure, "the file unpacks to more than %d times its size", maxRatio).At(t.name, 0, "").
			WithHint("this is no honest log; look at it by hand")
	}
	return n, err
}

// explain says what is wrong with a file that cannot be read. Where it comes from
// may have said so already.
func (t *Text) explain(err error) error {
	var known *fault.Fault
	if errors.As(err, &known) {
		return placed(known, t.name)
	}
	if ended := t.context.Err(); ended != nil {
		return ended
	}
	f := fault.New(fault.Failure, "the file cannot be read").At(t.name, 0, "")
	switch {
	case t.codec != Plain && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)):
		f.What = "the compressed file ends early"
		return f.WithHint("copy it again: its transfer was interrupted")
	case t.codec != Plain:
		f.What = "the compressed file is damaged"
		return f.WithHint("copy it again, or rename it if it is not compressed at all")
	}
	return f.Because(cause(err))
}

// Packed is how many bytes of the file have been read. It may be asked while
// another goroutine reads.
func (t *Text) Packed() int64 { return t.packed.Load() }

// Sum reads what is left of the file and returns the size and the SHA-256 of all
// of it.
func (t *Text) Sum() (int64, string, error) {
	if _, err := io.Copy(io.Discard, &packedReader{t}); err != nil {
		return 0, "", t.explain(err)
	}
	return t.packed.Load(), hex.EncodeToString(t.hash.Sum(nil)), nil
}

// Close closes the file.
func (t *Text) Close() error {
	t.closing()
	return t.file.Close()
}
