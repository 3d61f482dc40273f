package pack_test

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/crypto/ssh"

	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
	"anonymooc/release/intake"
	"anonymooc/release/intake/packtest"
	"anonymooc/release/pack"
)

// folder makes a release to be packed, in an order that is not that of names.
func folder(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "release.partial")
	packtest.Write(t, dir, []packtest.Member{
		{Name: "manifest.json", Data: []byte("{}\n")}, {Name: "course/tracking.log", Data: bytes.Repeat([]byte("{}\n"), 100_000)},
		{Name: "course/auth_user.csv", Data: []byte("id\n1\n")}, {Name: strings.Repeat("long/", 40) + "é.csv", Data: nil},
	})
	return dir
}

// publicKeys writes the public halves of keys.
func publicKeys(t testing.TB, keys *packtest.Keys) (openPGP, ageRecipient string) {
	t.Helper()
	openPGP = filepath.Join(t.TempDir(), "colleague.asc")
	var out bytes.Buffer
	w, err := armor.Encode(&out, openpgp.PublicKeyType, nil)
	if err == nil {
		err = errors.Join(keys.OpenPGP.Serialize(w), w.Close(), os.WriteFile(openPGP, out.Bytes(), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	return openPGP, keys.Age.Recipient().String()
}

// open decrypts and unpacks an archive as its reader would.
func open(t testing.TB, path string, keys *packtest.Keys) (clear []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var in io.Reader
	if strings.HasSuffix(path, ".age") {
		in, err = age.Decrypt(bytes.NewReader(data), keys.Age)
	} else {
		var md *openpgp.MessageDetails
		if md, err = openpgp.ReadMessage(bytes.NewReader(data), openpgp.EntityList{keys.OpenPGP}, nil, nil); err == nil {
			in = md.UnverifiedBody
		}
	}
	if err == nil && strings.Contains(path, "gz") {
		in, err = gzip.NewReader(in)
	}
	if err == nil && strings.Contains(path, ".zst") {
		in, err = zstd.NewReader(in)
	}
	if err == nil {
		clear, err = io.ReadAll(in)
	}
	if err != nil {
		t.Fatal(err)
	}
	return clear
}

// TestSeal: every kind of archive holds the same, twice, and nothing but itself is
// left.
func TestSeal(t *testing.T) {
	keys := packtest.NewKeys(t)
	dir := folder(t)
	openPGP, recipient := publicKeys(t, keys)
	other := packtest.NewKeys(t)
	_, second := publicKeys(t, other)
	want := ""
	for _, c := range []struct {
		name string
		to   []string
	}{
		{"release.tar.age", []string{recipient}}, {"release.tar.gz.age", []string{second, recipient}}, {"release.tar.zst.age", []string{recipient}},
		{"release.tar.gpg", []string{openPGP}}, {"release.tgz.gpg", []string{openPGP}}, {"release.tar.zst.pgp", []string{openPGP}}, {"release.TAR.ZST.AGE", []string{recipient}},
	} {
		to, err := pack.ParseRecipients(c.to)
		if err != nil {
			t.Fatal(err)
		}
		place := t.TempDir()
		out := filepath.Join(place, c.name)
		for range 2 {
			if err := to.Seal(t.Context(), dir, out); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			lower := filepath.Join(t.TempDir(), strings.ToLower(c.name))
			if err := os.Link(out, lower); err != nil {
				t.Fatal(err)
			}
			clear := string(open(t, lower, keys))
			if want == "" {
				want = clear
			}
			if clear != want {
				t.Errorf("%s does not hold what the others do", c.name)
			}
		}
		if left, err := os.ReadDir(place); err != nil || len(left) != 1 {
			t.Errorf("left behind: %v, %v", left, err)
		}
		if !pack.Sealed(out) {
			t.Errorf("%s is not known for what it is", c.name)
		}
	}
	in := tar.NewReader(strings.NewReader(want))
	var names []string
	for {
		header, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, header.Name)
		if header.Mode != 0o644 || header.ModTime.Unix() != 0 || header.Uid != 0 || header.Gid != 0 || header.Uname != "" {
			t.Errorf("%s tells of its maker: %+v", header.Name, header)
		}
	}
	if len(names) != 4 || names[0] != "release/course/auth_user.csv" || names[3] != "release/manifest.json" {
		t.Errorf("members %q", names)
	}
}

// TestSealedIsAnExport: what this program packs, it also reads.
func TestSealedIsAnExport(t *testing.T) {
	keys := packtest.NewKeys(t)
	openPGP, recipient := publicKeys(t, keys)
	secretOpenPGP, identity := keys.Write(t, t.TempDir())
	ring, err := intake.NewKeyring([]string{secretOpenPGP, identity}, func(string) (secret.Secret, error) { return secret.Secret{}, io.EOF })
	if err != nil {
		t.Fatal(err)
	}
	for name, who := range map[string]string{"r.tar.zst.age": recipient, "r.tar.gz.gpg": openPGP} {
		to, err := pack.ParseRecipients([]string{who})
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), name)
		if err := to.Seal(t.Context(), folder(t), out); err != nil {
			t.Fatal(err)
		}
		export, err := intake.Open(t.Context(), []string{out}, intake.Options{Keys: ring})
		if err != nil {
			t.Fatal(err)
		}
		if len(export.Files) != 4 || export.Files[0].Name != "r/course/auth_user.csv" {
			t.Errorf("%d files", len(export.Files))
		}
		if err := export.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestInterruptedSeal leaves nothing, and replaces what a killed one left.
func TestInterruptedSeal(t *testing.T) {
	keys := packtest.NewKeys(t)
	_, recipient := publicKeys(t, keys)
	to, err := pack.ParseRecipients([]string{recipient})
	if err != nil {
		t.Fatal(err)
	}
	place := t.TempDir()
	out := filepath.Join(place, "release.tar.age")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := to.Seal(ctx, folder(t), out); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left, err := os.ReadDir(place); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := os.WriteFile(out+pack.UnfinishedSuffix, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := to.Seal(t.Context(), folder(t), out); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(place); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := to.Seal(t.Context(), folder(t), filepath.Join(place, "no", "release.tar.age")); fault.CodeOf(err) != fault.Failure {
		t.Errorf("where no folder is: %v", err)
	}
}

// TestRecipients: who cannot open an archive is found before anything is made.
func TestRecipients(t *testing.T) {
	keys := packtest.NewKeys(t)
	openPGP, recipient := publicKeys(t, keys)
	secretOpenPGP, identity := keys.Write(t, t.TempDir())
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sshPublic, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	sshLine := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(sshPublic)))
	hybrid, err := age.GenerateHybridIdentity()
	if err != nil {
		t.Fatal(err)
	}
	old, err := openpgp.NewEntity("Old", "", "old@example.org", &packet.Config{
		KeyLifetimeSecs: 1, Time: func() time.Time { return time.Unix(1e9, 0) },
	})
	if err != nil {
		t.Fatal(err)
	}
	expired, _ := publicKeys(t, &packtest.Keys{OpenPGP: old, Age: keys.Age})
	file := func(text string) string {
		path := filepath.Join(t.TempDir(), "recipients")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, named := range [][]string{
		{recipient}, {sshLine}, {openPGP}, {hybrid.Recipient().String()}, {recipient, sshLine}, {openPGP, openPGP},
		{file("# the team\n" + recipient + "\n\n" + sshLine + "\n")},
	} {
		if _, err := pack.ParseRecipients(named); err != nil {
			t.Errorf("%v: %v", named, err)
		}
	}
	for words, named := range map[string][]string{
		"secret key, and the shell": {keys.Age.String()}, "this is a secret key": {secretOpenPGP}, "is a secret key": {identity},
		"no public key of age": {"age1nobody"}, "is no public key of age": {file("ssh-ed25519 nobody")}, "no public key and no file": {filepath.Join(t.TempDir(), "none")},
		"names no recipient": {file("# nobody\n")}, "cannot open the same archive": {recipient, openPGP}, "expired": {expired},
	} {
		_, err := pack.ParseRecipients(named)
		var f *fault.Fault
		if !errors.As(err, &f) || f.Code != fault.Usage || f.Hint == "" || !strings.Contains(err.Error(), words) {
			t.Errorf("wanted %q: %v", words, err)
		}
		if strings.Contains(fmt.Sprint(err), "AGE-SECRET-KEY-") {
			t.Error("a secret key is in the message")
		}
	}
	mixed, err := pack.ParseRecipients([]string{recipient, hybrid.Recipient().String()})
	if err != nil {
		t.Fatal(err)
	}
	if err := mixed.Seal(t.Context(), folder(t), filepath.Join(t.TempDir(), "r.tar.age")); fault.CodeOf(err) != fault.Usage || !strings.Contains(err.Error(), "cannot be mixed") {
		t.Errorf("mixed: %v", err)
	}
}

// TestFits: the name of an archive says what is in it, or is refused.
func TestFits(t *testing.T) {
	keys := packtest.NewKeys(t)
	openPGP, recipient := publicKeys(t, keys)
	forAge, err := pack.ParseRecipients([]string{recipient})
	if err != nil {
		t.Fatal(err)
	}
	forOpenPGP, err := pack.ParseRecipients([]string{openPGP})
	if err != nil {
		t.Fatal(err)
	}
	var nobody *pack.Recipients
	for name, fits := range map[string][3]bool{ // age, OpenPGP, nobody
		"release": {false, false, true}, "release.tar": {false, false, true}, "release.tar.age": {true, false, false}, "release.tar.zst.age": {true, false, false},
		"release.tar.gpg": {false, true, false}, "release.tar.gz.pgp": {false, true, false}, "release.zip.age": {false, false, true}, "release.age": {false, false, true},
	} {
		for i, r := range []*pack.Recipients{forAge, forOpenPGP, nobody} {
			if err := r.Fits(name); (err == nil) != fits[i] {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for name, base := range map[string]string{"a/release.tar.age": "a/release", "release": "release", "release/": "release", "r.tar.zst.gpg": "r", "r.age": "r.age"} {
		if got := pack.Base(name); got != base {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// memory is where files cost no disk, whose speed is not the program's; any place
// where there is none.
func memory() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}

// BenchmarkSeal writes an archive for age beside the codec alone on the same bytes:
// ratio is the share of the codec's throughput.
func BenchmarkSeal(b *testing.B) {
	const size = 64 << 20
	keys := packtest.NewKeys(b)
	openPGP, recipient := publicKeys(b, keys)
	text := bytes.Repeat([]byte(`{"username": "u1234567890", "event_type": "problem_check", "ip": "240.0.3.4"}`+"\n"), size/80)
	dir := b.TempDir()
	packtest.Write(b, dir, []packtest.Member{{Name: "tracking.log", Data: text}})
	for _, c := range []struct {
		name, to string
		codec    func(io.Writer) (io.WriteCloser, error)
	}{
		{"release.tar.age", recipient, func(w io.Writer) (io.WriteCloser, error) { return age.Encrypt(w, keys.Age.Recipient()) }},
		{"release.tar.gpg", openPGP, func(w io.Writer) (io.WriteCloser, error) {
			return openpgp.Encrypt(w, openpgp.EntityList{keys.OpenPGP}, nil, nil, &packet.Config{DefaultCipher: packet.CipherAES256})
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			to, err := pack.ParseRecipients([]string{c.to})
			if err != nil {
				b.Fatal(err)
			}
			place, err := os.MkdirTemp(memory(), "bench-seal-")
			if err != nil {
				b.Fatal(err)
			}
			defer os.RemoveAll(place)
			out := filepath.Join(place, c.name)
			packtest.Beside(b, size, func() error { return to.Seal(context.Background(), dir, out) }, func() error {
				w, err := c.codec(io.Discard)
				if err != nil {
					return err
				}
				if _, err := w.Write(text); err != nil {
					return err
				}
				return w.Close()
			})
		})
	}
}
