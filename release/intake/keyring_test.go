package intake_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	"filippo.io/age/agessh"
	"github.com/ProtonMail/go-crypto/openpgp"
	"golang.org/x/crypto/ssh"

	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
	"anonymooc/release/intake"
	"anonymooc/release/intake/packtest"
)

// ring opens what keys can, and what the passphrase does.
func ring(t testing.TB, keys *packtest.Keys, passphrase string) *intake.Keyring {
	t.Helper()
	openPGP, identity := keys.Write(t, t.TempDir())
	return opener(t, passphrase, openPGP, identity)
}

func opener(t testing.TB, passphrase string, files ...string) *intake.Keyring {
	t.Helper()
	k, err := intake.NewKeyring(files, func(string) (secret.Secret, error) {
		if passphrase == "" {
			return secret.Secret{}, fault.New(fault.Usage, "no terminal to ask on").WithHint("invented")
		}
		return secret.New([]byte(passphrase)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestWrongKeys: a missing or wrong key, and a wrong passphrase, are said to be
// just that.
func TestWrongKeys(t *testing.T) {
	mine, theirs := packtest.NewKeys(t), packtest.NewKeys(t)
	const text = "id,username\n1,ada\n"
	for name, data := range map[string][]byte{
		"e.csv.gpg": theirs.GPG(t, []byte(text)), "e.csv.age": theirs.AgeFile(t, []byte(text)), "e.csv.asc": theirs.ASC(t, []byte(text)),
		"e.zip.age": theirs.AgeFile(t, packtest.Zip(t, honest, 0)), "e.tar.gpg": theirs.GPG(t, packtest.Tar(t, honest)),
	} {
		path := write(t, name, data)
		refused(t, path, nil, "no key that was given opens it")
		refused(t, path, ring(t, mine, "unused"), "no key that was given opens it")
		if _, err := readAll(path, ring(t, theirs, "")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, data := range map[string][]byte{
		"s.csv.gpg": packtest.SymmetricGPG("right")(t, []byte(text)), "s.csv.age": packtest.SymmetricAge("right")(t, []byte(text)),
	} {
		path := write(t, name, data)
		refused(t, path, opener(t, "wrong"), "the passphrase does not open it")
		refused(t, path, opener(t, ""), "no terminal to ask on")
		files, err := readAll(path, opener(t, "right"))
		if err != nil || files["s.csv"] != text {
			t.Errorf("%s: %q, %v", name, files, err)
		}
	}
}

// TestPassphrases: they are asked for once, tried where they fit, and three times
// of a person who mistypes.
func TestPassphrases(t *testing.T) {
	folder := t.TempDir()
	packtest.Write(t, folder, []packtest.Member{
		{Name: "a.csv.gpg", Data: packtest.SymmetricGPG("one")(t, []byte("a"))}, {Name: "b.csv.age", Data: packtest.SymmetricAge("two")(t, []byte("b"))},
		{Name: "c.csv.age", Data: packtest.SymmetricAge("one")(t, []byte("c"))}, {Name: "d.csv.gpg", Data: packtest.SymmetricGPG("two")(t, []byte("d"))},
	})
	asked := 0
	answers := []string{"typo", "one", "two"}
	k, err := intake.NewKeyring(nil, func(string) (secret.Secret, error) {
		asked++
		return secret.New([]byte(answers[asked-1])), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		files, err := readAll(folder, k)
		if err != nil || files["a.csv"]+files["b.csv"]+files["c.csv"]+files["d.csv"] != "abcd" {
			t.Fatalf("%v, %v", files, err)
		}
	}
	if asked != 3 {
		t.Errorf("asked %d times", asked)
	}
}

// TestKeyFiles: every kind of secret key is known by what is in it; public keys,
// other files and keys that others may read are refused, without their content.
func TestKeyFiles(t *testing.T) {
	keys := packtest.NewKeys(t)
	dir := t.TempDir()
	save := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	armoured, identity := keys.Write(t, dir)
	var binary, public bytes.Buffer
	if err := errors.Join(keys.OpenPGP.SerializePrivateWithoutSigning(&binary, nil), keys.OpenPGP.Serialize(&public)); err != nil {
		t.Fatal(err)
	}
	gpg, aged := write(t, "e.csv.gpg", keys.GPG(t, []byte("x"))), write(t, "e.csv.age", keys.AgeFile(t, []byte("x")))
	for file, path := range map[string]string{armoured: gpg, save("binary", binary.Bytes()): gpg, identity: aged} {
		if _, err := readAll(path, opener(t, "", file)); err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
	}

	locked, err := openpgp.NewEntity("Locked", "", "locked@example.org", nil)
	if err != nil {
		t.Fatal(err)
	}
	owner := &packtest.Keys{OpenPGP: locked, Age: keys.Age}
	sealed := write(t, "locked.csv.gpg", owner.GPG(t, []byte("x")))
	if err := locked.EncryptPrivateKeys([]byte("hush"), nil); err != nil {
		t.Fatal(err)
	}
	var lockedKey bytes.Buffer
	if err := locked.SerializePrivateWithoutSigning(&lockedKey, nil); err != nil {
		t.Fatal(err)
	}
	file := save("locked", lockedKey.Bytes())
	if _, err := readAll(sealed, opener(t, "hush", file)); err != nil {
		t.Error(err)
	}
	refused(t, sealed, opener(t, "wrong", file), "the passphrase does not open it")

	lockedAge := save("locked.age", packtest.SymmetricAge("hush")(t, []byte(keys.Age.String()+"\n")))
	if _, err := readAll(aged, opener(t, "hush", lockedAge)); err != nil {
		t.Error(err)
	}

	for name, content := range map[string][]byte{
		"public": public.Bytes(), "public age": []byte(keys.Age.Recipient().String()), "ssh": []byte("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI nobody"),
		"text": []byte("hush, this is a secret"), "empty": nil, "bad age": []byte("AGE-SECRET-KEY-1HUSH"), "bad pgp": []byte("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nhush\n-----END"),
		"bad ssh": []byte("-----BEGIN OPENSSH PRIVATE KEY-----\nhush\n-----END OPENSSH PRIVATE KEY-----\n"),
	} {
		_, err := intake.NewKeyring([]string{save(name, content)}, nil)
		var f *fault.Fault
		if !errors.As(err, &f) || f.File == "" || f.Hint == "" || strings.Contains(strings.ToLower(err.Error()+f.Hint), "hush") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.Chmod(identity, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := intake.NewKeyring([]string{identity}, nil); err == nil || !strings.Contains(err.Error(), "others may read") {
		t.Errorf("a key that others may read: %v", err)
	}
}

// TestSSHKeys open age files, locked by a passphrase or not.
func TestSSHKeys(t *testing.T) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sshPublic, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	recipient, err := agessh.NewEd25519Recipient(sshPublic)
	if err != nil {
		t.Fatal(err)
	}
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, recipient)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("x")); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	path := write(t, "e.csv.age", sealed.Bytes())
	open, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	locked, err := ssh.MarshalPrivateKeyWithPassphrase(private, "", []byte("hush"))
	if err != nil {
		t.Fatal(err)
	}
	openFile, lockedFile := write(t, "open", pem.EncodeToMemory(open)), write(t, "locked", pem.EncodeToMemory(locked))
	for _, k := range []*intake.Keyring{opener(t, "", openFile), opener(t, "hush", lockedFile)} {
		if _, err := readAll(path, k); err != nil {
			t.Error(err)
		}
	}
	refused(t, path, opener(t, "wrong", lockedFile), "the passphrase does not open it")
	other := packtest.NewKeys(t)
	refused(t, write(t, "o.csv.age", other.AgeFile(t, []byte("x"))), opener(t, "hush", lockedFile), "no key that was given opens it")
}

// TestUnprotected: OpenPGP files that anybody could have changed are refused.
func TestUnprotected(t *testing.T) {
	keys := packtest.NewKeys(t)
	opens := ring(t, keys, "right")
	// A literal packet alone: what gpg --store makes.
	literal := []byte{0xcb, 7, 'b', 0, 0, 0, 0, 0, 'x'}
	refused(t, write(t, "e.csv.gpg", literal), opens, "not encrypted")
	refused(t, write(t, "e.csv.gpg", []byte("no message")), opens, "no OpenPGP message")
	refused(t, write(t, "e.csv.age", []byte("no message")), opens, "no age file")
	// The message of a modern program, called what old programs wrote: packet 9.
	data := packtest.SymmetricGPG("right")(t, []byte("id\n1\n"))
	at := int(data[1]) + 2 // behind the packet that holds the session key
	if data[at] != 0xd2 {
		t.Fatalf("packet tag %x", data[at])
	}
	data[at] = 0xc9
	refused(t, write(t, "e.csv.gpg", data), opens, "no integrity protection")
}
