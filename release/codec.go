package release

import (
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"anonymooc/internal/source"
)

// compressor returns what makes a block a member of a compressed file: gzip
// members and zstd frames may follow one another, so that blocks are compressed
// on all cores and the bytes do not depend on how many there are.
func compressor(c source.Codec) func(dst, src []byte) []byte {
	switch c {
	case source.Gzip:
		return gzipMember
	case source.Zstd:
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
