// Package pack makes one encrypted archive of a finished release, for those who
// were named and nobody else.
//
//	RELEASE.partial/ ─ tar ─ gzip | zstd ─ age | OpenPGP ─► release.tar.zst.age
//	    verified       sorted, no times, no owners            whole or not at all
//
// What is in the archive depends on the release alone; what encryption makes of it
// differs every time, as it must. The name of the archive says what it is:
// NAME.tar.age, NAME.tar.gz.age, NAME.tar.zst.age, or .gpg for OpenPGP keys.
package pack

import (
	"archive/tar"
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

// UnfinishedSuffix ends the name of an archive while it is written.
const UnfinishedSuffix = ".partial-sealed"

// Base is what a release is called without the suffixes of an archive; a name
// without them is its own.
func Base(out string) string {
	out = strings.TrimRight(out, string(filepath.Separator))
	if form, ok := formOf(out); ok {
		return out[:len(out)-len(form.suffix)]
	}
	return out
}

// form is what an archive's name says.
type form struct {
	suffix   string
	compress func(io.Writer) (io.WriteCloser, error)
	openPGP  bool
}

func formOf(name string) (form, bool) {
	f := form{}
	rest := strings.ToLower(name)
	for _, seal := range []string{".age", ".gpg", ".pgp"} {
		if inside, ok := strings.CutSuffix(rest, seal); ok {
			rest, f.suffix, f.openPGP = inside, seal, seal != ".age"
			break
		}
	}
	for _, c := range []struct {
		suffix   string
		compress func(io.Writer) (io.WriteCloser, error)
	}{{".tar", plain}, {".tar.gz", gzipped}, {".tgz", gzipped}, {".tar.zst", zstandard}} {
		if inside, ok := strings.CutSuffix(rest, c.suffix); ok && f.suffix != "" && filepath.Base(inside) != "." && inside != "" {
			f.suffix, f.compress = c.suffix+f.suffix, c.compress
			return f, true
		}
	}
	return f, false
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func plain(w io.Writer) (io.WriteCloser, error)   { return nopCloser{w}, nil }
func gzipped(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }
func zstandard(w io.Writer) (io.WriteCloser, error) {
	return zstd.NewWriter(w)
}

// Seal packs the folder dir and puts the archive at out.
func (r *Recipients) Seal(ctx context.Context, dir, out string) error {
	form, ok := formOf(out)
	if !ok {
		return r.Fits(out)
	}
	file, err := safefile.CreateAs(out+UnfinishedSuffix, out, 0o644)
	if err != nil {
		return cannotWrite(out, err)
	}
	defer file.Abort()
	onDisk := writeBehind(file) // reading, encrypting and writing go on at the same time
	sealed, err := r.encrypt(onDisk)
	if err != nil {
		return errors.Join(err, onDisk.Close())
	}
	stages := []io.Closer{sealed, onDisk}
	packed, err := form.compress(sealed)
	if err == nil {
		read := writeBehind(packed)
		stages = append([]io.Closer{read, packed}, stages...)
		err = archive(ctx, read, dir, path.Base(filepath.ToSlash(Base(out))))
	}
	for _, stage := range stages {
		err = errors.Join(err, stage.Close())
	}
	if err == nil {
		err = file.Commit()
	}
	if err != nil && ctx.Err() == nil {
		return cannotWrite(out, err)
	}
	return err
}

// encrypt begins to write what only the recipients can read.
func (r *Recipients) encrypt(w io.Writer) (io.WriteCloser, error) {
	if len(r.openpgp) > 0 {
		sealed, err := openpgp.Encrypt(w, r.openpgp, nil, &openpgp.FileHints{IsBinary: true}, &packet.Config{
			DefaultCipher: packet.CipherAES256, DefaultCompressionAlgo: packet.CompressionNone,
		})
		if err != nil {
			return nil, fault.New(fault.Usage, "one of the OpenPGP keys cannot be encrypted for").WithHint("is it expired, revoked, or made to sign only?")
		}
		return sealed, nil
	}
	sealed, err := age.Encrypt(w, r.age...)
	if err != nil {
		return nil, fault.New(fault.Usage, "these recipients cannot be mixed").WithHint("post-quantum age keys (age1pq1…) stand with others of their kind only")
	}
	return sealed, nil
}

// archive writes the files of a folder, by name, below a folder called base. It
// writes nothing that differs from one run to the next.
func archive(ctx context.Context, w io.Writer, dir, base string) error {
	out := tar.NewWriter(w)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		return add(ctx, out, dir, path, base)
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// add writes one file.
func add(ctx context.Context, out *tar.Writer, dir, path, base string) error {
	relative, err := filepath.Rel(dir, path)
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fs.ErrInvalid
	}
	err = out.WriteHeader(&tar.Header{
		Typeflag: tar.TypeReg, Name: base + "/" + filepath.ToSlash(relative), Size: info.Size(), Mode: 0o644, ModTime: time.Unix(0, 0),
	})
	if err != nil {
		return err
	}
	buffer := make([]byte, chunkSize)
	for left := info.Size(); left > 0 && err == nil; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, failed := file.Read(buffer[:min(left, chunkSize)])
		if failed != nil {
			return failed
		}
		left -= int64(n)
		_, err = out.Write(buffer[:n])
	}
	return err
}

func cannotWrite(out string, err error) error {
	var known *fault.Fault
	if errors.As(err, &known) {
		return known
	}
	return fault.New(fault.Failure, "the encrypted release cannot be written").At(out, 0, "").
		WithHint("is there space left, and may the folder be written to?").Because(cause(err))
}

func cause(err error) error {
	var inFile *fs.PathError
	if errors.As(err, &inFile) {
		return inFile.Err
	}
	return errors.Unwrap(err)
}

// Sealed reports whether a file is an encrypted package, by what it begins with.
func Sealed(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return false
	}
	start, _ := bufio.NewReader(file).Peek(32)
	text := string(start)
	openPGP := len(text) > 0 && (text[0] == 0x84 || text[0] == 0x85 || text[0] == 0x8c || text[0] == 0xc1 || text[0] == 0xc3)
	return openPGP || strings.HasPrefix(text, "age-encryption.org/") || strings.HasPrefix(text, "-----BEGIN AGE ") || strings.HasPrefix(text, "-----BEGIN PGP MESSAGE")
}

// HowToOpen is the command that opens an archive, for messages.
func HowToOpen(path string) string {
	form, ok := formOf(path)
	unpack := "tar x"
	switch {
	case strings.Contains(form.suffix, "gz"):
		unpack = "tar xz"
	case strings.Contains(form.suffix, "zst"):
		unpack = "tar x --zstd"
	}
	if ok && form.openPGP || !ok && !strings.HasSuffix(path, ".age") {
		return "gpg --decrypt " + filepath.Base(path) + " | " + unpack
	}
	return "age --decrypt --identity KEYFILE " + filepath.Base(path) + " | " + unpack
}
