package intake

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"anonymooc/internal/fault"
	"anonymooc/internal/source"
)

// content is bytes that can be read from the front, as often as needed: a file,
// what is sealed in it, what is packed in that. Each layer is a content made of
// the one below; none of them keeps anything but what it is reading.
type content struct {
	name  string      // as messages call it
	size  int64       // or source.Unknown
	stamp string      // as of a source.File
	at    io.ReaderAt // nil when the bytes can be had only from front to back
	work  bool        // reading anywhere decrypts, which another core can do
	open  func(context.Context) (io.ReadCloser, error)
}

// readSize is how much is asked of a disk at once.
const readSize = 128 << 10

// contentOf is what a file holds, as it lies there.
func contentOf(name string, file source.File) content {
	return content{name: name, size: file.Size, stamp: file.Stamp, open: file.Open}
}

// heldOpen is a file that stays open until the export is closed, so that it can be
// read anywhere and nobody can put another in its place.
func (e *Export) heldOpen(path, name string) (content, error) {
	info, err := os.Stat(path)
	if err != nil {
		return content{}, cannotOpen(name, err)
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for ever
		return content{}, fault.New(fault.Usage, "this is no ordinary file").At(name, 0, "").WithHint("save it to a disk first: a package is read several times")
	}
	file, err := os.Open(path)
	if err != nil {
		return content{}, cannotOpen(name, err)
	}
	if info, err = file.Stat(); err != nil {
		return content{}, errors.Join(cannotOpen(name, err), file.Close())
	}
	e.open = append(e.open, file)
	e.held = append(e.held, held{file, name, source.Stamp(info)})
	return content{name: name, size: info.Size(), stamp: source.Stamp(info), at: file}.random(), nil
}

// random makes a content of bytes that can be read anywhere.
func (c content) random() content {
	c.open = func(context.Context) (io.ReadCloser, error) { return c.part(0, c.size), nil }
	return c
}

// part reads size bytes at offset of what can be read anywhere. None may be missing.
func (c *content) part(offset, size int64) io.ReadCloser {
	in := io.NopCloser(&part{io.NewSectionReader(c.at, offset, size), size, c.name})
	if c.work {
		return ahead(in)
	}
	return in
}

// part is a stretch of a file.
type part struct {
	in   io.Reader
	left int64
	name string
}

func (r *part) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.left -= int64(n)
	if err == io.EOF && r.left > 0 {
		err = explain(io.ErrUnexpectedEOF, r.name, "package")
	}
	return n, err
}

// unpacked is the content behind a compression.
func (c content) unpacked(codec source.Codec) content {
	if codec == source.Plain {
		return c
	}
	packed := c.open
	c.size, c.at = source.Unknown, nil
	c.open = func(ctx context.Context) (io.ReadCloser, error) {
		below, err := packed(ctx)
		if err != nil {
			return nil, err
		}
		raw := &counter{in: below}
		text, closing, err := decompress(codec, bufio.NewReaderSize(raw, readSize))
		if err != nil {
			below.Close()
			return nil, explain(err, c.name, "compressed package")
		}
		return ahead(&layer{
			in: &bounded{in: text, raw: raw, name: c.name}, below: below, closing: closing,
			explain: func(err error) error { return explain(err, c.name, "compressed package") },
		}), nil
	}
	return c
}

func decompress(codec source.Codec, in io.Reader) (io.Reader, func(), error) {
	if codec == source.Zstd {
		d, err := zstd.NewReader(in, zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return nil, nil, err
		}
		return d, d.Close, nil
	}
	d, err := gzip.NewReader(in)
	if err != nil {
		return nil, nil, err
	}
	return d, func() { d.Close() }, nil
}

// layer reads from one layer and closes all of them.
type layer struct {
	in      io.Reader
	below   io.Closer
	closing func()
	explain func(error) error
}

func (l *layer) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	if err != nil && err != io.EOF {
		err = l.explain(err)
	}
	return n, err
}

func (l *layer) Close() error {
	if l.closing != nil {
		l.closing()
	}
	return l.below.Close()
}

// counter counts what is read.
type counter struct {
	in   io.Reader
	read atomic.Int64 // some decoders read in a goroutine of their own
	err  error        // other than the end
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.read.Add(int64(n))
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// What a package may grow to: edX logs shrink 10 to 40 times. Below the allowance
// nothing harms.
const (
	maxRatio  = 400
	allowance = 64 << 20
)

// bounded refuses what unpacks to much more than it is.
type bounded struct {
	in   io.Reader
	raw  *counter
	name string
	text int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	b.text += int64(n)
	if b.text > allowance && b.text > maxRatio*b.raw.read.Load() {
		return 0, tooMuch(b.name)
	}
	return n, err
}

func tooMuch(name string) error {
	return fault.New(fault.Failure, "the package unpacks to more than %d times its size", maxRatio).At(name, 0, "").
		WithHint("this is no honest export; look at it by hand")
}

// explain says what is wrong with a layer, unless the one below has said so.
func explain(err error, name, what string) error {
	var known *fault.Fault
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fault.New(fault.Failure, "the %s ends early", what).At(name, 0, "").
			WithHint("copy it again: its transfer was interrupted")
	}
	return fault.New(fault.Failure, "the %s is damaged", what).At(name, 0, "").
		WithHint("copy it again, or rename it if it is not what its name says")
}

func cannotOpen(name string, err error) error {
	return fault.New(fault.Usage, "the export cannot be opened").At(name, 0, "").
		WithHint("is the path right, and may this user read it?").Because(errors.Unwrap(err))
}

// seals are the suffixes of encrypted files, and who encrypted them.
var seals = map[string]func(*Keyring, io.Reader) (io.Reader, error){
	".gpg": (*Keyring).openPGP, ".pgp": (*Keyring).openPGP, ".asc": (*Keyring).openPGP, ".age": (*Keyring).openAge,
}

// sealed tells whether a file is encrypted, by its name, and what it is called
// without.
func sealed(name string) (inside, suffix string) {
	lower := strings.ToLower(name)
	for suffix := range seals {
		if strings.HasSuffix(lower, suffix) && !strings.HasSuffix(lower, "/"+suffix) && len(lower) > len(suffix) {
			return name[:len(name)-len(suffix)], suffix
		}
	}
	return name, ""
}

// opened is the content behind encryption, as often as it was encrypted.
func (e *Export) opened(c content, name string) (content, string) {
	for range 4 {
		inside, suffix := sealed(name)
		if suffix == "" {
			break
		}
		c, name = e.decrypted(c, suffix), inside
	}
	return c, name
}

// decrypted is the content behind one encryption. Its text never touches a disk.
func (e *Export) decrypted(c content, suffix string) content {
	if suffix == ".age" && c.at != nil {
		at, size, err := e.keys.ageAt(c.at, c.size)
		if err != nil {
			failed := explainSeal(explainAge(err), c.name)
			c.size, c.at, c.open = source.Unknown, nil, func(context.Context) (io.ReadCloser, error) { return nil, failed }
			return c
		}
		if at != nil {
			c.at, c.size, c.work = ageReader{at, c.name}, size, true
			return c.random()
		}
	}
	locked, unseal := c.open, seals[suffix]
	c.size, c.at = source.Unknown, nil
	c.open = func(ctx context.Context) (io.ReadCloser, error) {
		below, err := locked(ctx)
		if err != nil {
			return nil, err
		}
		raw := &counter{in: below}
		text, err := unseal(e.keys, bufio.NewReaderSize(raw, readSize))
		if err != nil {
			below.Close()
			if raw.err != nil {
				err = raw.err
			}
			return nil, explainSeal(err, c.name)
		}
		return ahead(&layer{
			in: &bounded{in: text, raw: raw, name: c.name}, below: below,
			explain: func(err error) error {
				if raw.err != nil {
					err = raw.err // libraries hide it
				}
				return explainSeal(err, c.name)
			},
		}), nil
	}
	return c
}

// explainSeal says that an encrypted file is not what was sealed. OpenPGP's
// readers do not tell damage from an early end, lest an attacker learn by asking.
func explainSeal(err error, name string) error {
	var known *fault.Fault
	if errors.As(err, &known) {
		if known.File == "" {
			known.At(name, 0, "")
		}
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fault.New(fault.Failure, "the encrypted file is damaged, cut short or was changed").At(name, 0, "").
		WithHint("copy it again; if that does not help, ask whoever encrypted it")
}

// ageReader explains what is wrong with an age file that is read anywhere.
type ageReader struct {
	io.ReaderAt
	name string
}

func (r ageReader) ReadAt(p []byte, offset int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, offset)
	if err != nil && err != io.EOF {
		err = explainSeal(err, r.name)
	}
	return n, err
}
