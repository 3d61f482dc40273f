package release

import (
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"anonymooc/internal/source"
)

// Compressor returns what makes a block a member of a compressed file: gzip
// members and zstd frames may follow one another, so that blocks are compressed
// on all cores and the bytes do not depend on how many there are. What it holds is
// used again from block to block; several goroutines may call it.
func Compressor(c source.Codec) func(dst, src []byte) []byte {
	switch c {
	case source.Gzip:
		return gzipMembers()
	case source.Zstd:
		return zstdFrames()
	}
	return nil
}

// must is for what cannot fail: writing into memory with settings of our own.
func must[T any](value T, err error) T {
	if err != nil {
		panic("compressing into memory failed: " + err.Error())
	}
	return value
}

func gzipMembers() func(dst, src []byte) []byte {
	idle := sync.Pool{New: func() any { return must(gzip.NewWriterLevel(nil, gzip.DefaultCompression)) }}
	return func(dst, src []byte) []byte {
		w := idle.Get().(*gzip.Writer)
		defer idle.Put(w)
		out := appendWriter{dst}
		w.Reset(&out)
		must(w.Write(src))
		must(0, w.Close())
		return out.data
	}
}

func zstdFrames() func(dst, src []byte) []byte {
	idle := sync.Pool{New: func() any { return must(zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))) }}
	return func(dst, src []byte) []byte {
		w := idle.Get().(*zstd.Encoder)
		defer idle.Put(w)
		return w.EncodeAll(src, dst)
	}
}

type appendWriter struct{ data []byte }

func (w *appendWriter) Write(p []byte) (int, error) {
	w.data = append(w.data, p...)
	return len(p), nil
}
