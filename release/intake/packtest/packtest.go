// Package packtest packs exports as platforms and people do, for tests: archives,
// encrypted files, one in the other.
package packtest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"filippo.io/age"
	agearmor "filippo.io/age/armor"
	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/ProtonMail/go-crypto/openpgp/s2k"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Member is one file of an export.
type Member struct {
	Name string
	Data []byte
}

// Folder reads the files of a folder.
func Folder(t testing.TB, root string) []Member {
	t.Helper()
	var members []Member
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		members = append(members, Member{filepath.ToSlash(name), data})
		return err
	})
	must(t, err)
	return members
}

// Write puts the files into a folder.
func Write(t testing.TB, root string, members []Member) {
	t.Helper()
	for _, m := range members {
		path := filepath.Join(root, filepath.FromSlash(m.Name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, m.Data, 0o600))
	}
}

// Each makes every member another: Each(members, ".gpg", keys.GPG).
func Each(t testing.TB, members []Member, suffix string, change func(testing.TB, []byte) []byte) []Member {
	t.Helper()
	changed := make([]Member, len(members))
	for i, m := range members {
		changed[i] = Member{m.Name + suffix, change(t, m.Data)}
	}
	return changed
}

// Backwards lists members the other way round: nobody promises an order.
func Backwards(members []Member) []Member {
	turned := make([]Member, 0, len(members))
	for i := len(members) - 1; i >= 0; i-- {
		turned = append(turned, members[i])
	}
	return turned
}

// Zip packs members by a method.
func Zip(t testing.TB, members []Member, method uint16) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	for _, m := range members {
		f, err := w.CreateHeader(&zip.FileHeader{Name: m.Name, Method: method})
		must(t, err)
		_, err = f.Write(m.Data)
		must(t, err)
	}
	must(t, w.Close())
	return out.Bytes()
}

// Tar packs members, with entries for their folders as tar writes them.
func Tar(t testing.TB, members []Member) []byte {
	t.Helper()
	headers := []tar.Header{{Typeflag: tar.TypeDir, Name: "./", Mode: 0o755}}
	for _, m := range members {
		headers = append(headers, tar.Header{Typeflag: tar.TypeReg, Name: "./" + m.Name, Mode: 0o600, Size: int64(len(m.Data))})
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for i := range headers {
		must(t, w.WriteHeader(&headers[i]))
		if i > 0 {
			_, err := w.Write(members[i-1].Data)
			must(t, err)
		}
	}
	must(t, w.Close())
	return out.Bytes()
}

// Gzip compresses.
func Gzip(t testing.TB, data []byte) []byte {
	return through(t, data, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil })
}

// Zstd compresses.
func Zstd(t testing.TB, data []byte) []byte {
	return through(t, data, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) })
}

// Keys are somebody's.
type Keys struct {
	OpenPGP *openpgp.Entity
	Age     *age.X25519Identity
}

// NewKeys makes keys.
func NewKeys(t testing.TB) *Keys {
	t.Helper()
	entity, err := openpgp.NewEntity("Data Officer", "", "officer@example.org", &packet.Config{DefaultCompressionAlgo: packet.CompressionZIP})
	must(t, err)
	identity, err := age.GenerateX25519Identity()
	must(t, err)
	return &Keys{entity, identity}
}

// Write writes the secret keys into a folder and returns where.
func (k *Keys) Write(t testing.TB, dir string) (openPGP, ageIdentity string) {
	t.Helper()
	openPGP, ageIdentity = filepath.Join(dir, "openpgp.key"), filepath.Join(dir, "age.key")
	var out bytes.Buffer
	w, err := armor.Encode(&out, openpgp.PrivateKeyType, nil)
	must(t, err)
	must(t, k.OpenPGP.SerializePrivateWithoutSigning(w, nil))
	must(t, w.Close())
	must(t, os.WriteFile(openPGP, out.Bytes(), 0o600))
	must(t, os.WriteFile(ageIdentity, []byte("# invented\n"+k.Age.String()+"\n"), 0o600))
	return openPGP, ageIdentity
}

// GPG encrypts as edX does: compressed data in an OpenPGP message.
func (k *Keys) GPG(t testing.TB, data []byte) []byte {
	return through(t, data, func(w io.Writer) (io.WriteCloser, error) {
		return openpgp.Encrypt(w, []*openpgp.Entity{k.OpenPGP}, nil, &openpgp.FileHints{IsBinary: true}, &packet.Config{DefaultCompressionAlgo: packet.CompressionZIP})
	})
}

// Signed is GPG with the sender's signature.
func (k *Keys) Signed(t testing.TB, data []byte) []byte {
	return through(t, data, func(w io.Writer) (io.WriteCloser, error) {
		return openpgp.Encrypt(w, []*openpgp.Entity{k.OpenPGP}, k.OpenPGP, nil, nil)
	})
}

// ASC is GPG, armoured.
func (k *Keys) ASC(t testing.TB, data []byte) []byte {
	return through(t, k.GPG(t, data), func(w io.Writer) (io.WriteCloser, error) { return armor.Encode(w, "PGP MESSAGE", nil) })
}

// AgeFile encrypts by age.
func (k *Keys) AgeFile(t testing.TB, data []byte) []byte {
	return through(t, data, func(w io.Writer) (io.WriteCloser, error) { return age.Encrypt(w, k.Age.Recipient()) })
}

// ArmoredAge is AgeFile, armoured.
func (k *Keys) ArmoredAge(t testing.TB, data []byte) []byte {
	return through(t, k.AgeFile(t, data), func(w io.Writer) (io.WriteCloser, error) { return agearmor.NewWriter(w), nil })
}

// SymmetricGPG encrypts by a passphrase.
func SymmetricGPG(passphrase string) func(testing.TB, []byte) []byte {
	return func(t testing.TB, data []byte) []byte {
		return through(t, data, func(w io.Writer) (io.WriteCloser, error) {
			return openpgp.SymmetricallyEncrypt(w, []byte(passphrase), nil, &packet.Config{S2KConfig: &s2k.Config{S2KMode: s2k.IteratedSaltedS2K, S2KCount: 65536}})
		})
	}
}

// SymmetricAge encrypts by a passphrase.
func SymmetricAge(passphrase string) func(testing.TB, []byte) []byte {
	return func(t testing.TB, data []byte) []byte {
		return through(t, data, func(w io.Writer) (io.WriteCloser, error) {
			recipient, err := age.NewScryptRecipient(passphrase)
			if err != nil {
				return nil, err
			}
			recipient.SetWorkFactor(10)
			return age.Encrypt(w, recipient)
		})
	}
}

func through(t testing.TB, data []byte, open func(io.Writer) (io.WriteCloser, error)) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := open(&out)
	must(t, err)
	_, err = w.Write(data)
	must(t, err)
	must(t, w.Close())
	return out.Bytes()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Plain is GPG without compression.
func (k *Keys) Plain(t testing.TB, data []byte) []byte {
	return through(t, data, func(w io.Writer) (io.WriteCloser, error) {
		return openpgp.Encrypt(w, []*openpgp.Entity{k.OpenPGP}, nil, nil, &packet.Config{DefaultCompressionAlgo: packet.CompressionNone})
	})
}
