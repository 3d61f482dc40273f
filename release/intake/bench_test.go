package intake_test

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"filippo.io/age"
	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"anonymooc/release/intake"
	"anonymooc/release/intake/packtest"
)

// benchSize is long enough for what is paid once to vanish.
const benchSize = 64 << 20

// logs makes lines that shrink as tracking logs do.
func logs(size int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var out bytes.Buffer
	for out.Len() < size {
		fmt.Fprintf(&out, `{"username": "u%d", "event_type": "problem_check", "ip": "10.0.%d.%d", "time": "2014-11-%02dT%02d:%02d:%02d", "context": {"course_id": "course-v1:X+Y+Z", "user_id": %d}, "event": {"answers": {"i4x-%x": "choice_%d"}}}`+"\n",
			r.IntN(5000), r.IntN(256), r.IntN(256), r.IntN(30), r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(5000), r.Uint32(), r.IntN(5))
	}
	return out.Bytes()
}

// BenchmarkRead reads packages as a run does, hash included, beside the codec alone
// on the same bytes: ratio is the share of the codec's throughput by the clock, and
// processor-ratio by the time that all cores worked, which a busy machine disturbs
// less, but which counts the hash and the hand-over that other cores do meanwhile.
func BenchmarkRead(b *testing.B) {
	keys := packtest.NewKeys(b)
	opens := ring(b, keys, "")
	text := logs(benchSize)
	members := []packtest.Member{{Name: "a.csv", Data: text[:1000]}, {Name: "tracking.log", Data: text}}
	archive := packtest.Tar(b, members)
	packed := packtest.Gzip(b, archive)
	inTar := func(in io.Reader) error {
		r := tar.NewReader(in)
		for {
			if _, err := r.Next(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			if _, err := io.Copy(io.Discard, r); err != nil {
				return err
			}
		}
	}
	gunzip := func(in io.Reader) (io.Reader, error) { return gzip.NewReader(in) }
	decrypt := func(in io.Reader) (io.Reader, error) {
		md, err := openpgp.ReadMessage(in, openpgp.EntityList{keys.OpenPGP}, nil, nil)
		if err != nil {
			return nil, err
		}
		return md.UnverifiedBody, nil
	}
	for _, c := range []struct {
		name  string
		data  []byte
		codec func([]byte) error
	}{
		{"logs.zip", packtest.Zip(b, members, zip.Deflate), func(data []byte) error {
			r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				return err
			}
			for _, f := range r.File {
				in, err := f.Open()
				if err == nil {
					_, err = io.Copy(io.Discard, in)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}},
		{"logs.tar.gz", packed, func(data []byte) error {
			in, err := gunzip(bytes.NewReader(data))
			if err != nil {
				return err
			}
			return inTar(in)
		}},
		{"logs.tar.zst", packtest.Zstd(b, archive), func(data []byte) error {
			in, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1))
			if err != nil {
				return err
			}
			return inTar(in)
		}},
		{"logs.log.gpg", keys.Plain(b, text), func(data []byte) error {
			in, err := decrypt(bytes.NewReader(data))
			if err == nil {
				_, err = io.Copy(io.Discard, in)
			}
			return err
		}},
		{"logs.tar.gz.gpg", keys.Plain(b, packed), func(data []byte) error {
			in, err := decrypt(bytes.NewReader(data))
			if err == nil {
				in, err = gunzip(bufio.NewReader(in))
			}
			if err != nil {
				return err
			}
			return inTar(in)
		}},
		{"logs.log.age", keys.AgeFile(b, text), func(data []byte) error {
			in, err := age.Decrypt(bytes.NewReader(data), keys.Age)
			if err == nil {
				_, err = io.Copy(io.Discard, in)
			}
			return err
		}},
		{"logs.tar.age", keys.AgeFile(b, archive), func(data []byte) error {
			in, err := age.Decrypt(bytes.NewReader(data), keys.Age)
			if err != nil {
				return err
			}
			return inTar(in)
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			path := write(b, c.name, c.data)
			export, err := intake.Open(context.Background(), []string{path}, intake.Options{Keys: opens})
			if err != nil {
				b.Fatal(err)
			}
			defer export.Close() // only ever read from
			packtest.Beside(b, benchSize, func() error { return drain(export) }, func() error {
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				return c.codec(data)
			})
		})
	}
}

// drain reads the files of an export to their ends.
func drain(export *intake.Export) error {
	for i := range export.Files {
		in, err := export.Files[i].Read(context.Background())
		if err != nil {
			return err
		}
		if _, _, err := in.Sum(); err != nil {
			return err
		}
		if err := in.Close(); err != nil {
			return err
		}
	}
	return nil
}
