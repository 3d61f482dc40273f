package secret

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"anonymooc/internal/fault"
)

const hush = "correct horse battery staple"

func TestSecretPrintsAsStarsWhateverMeetsIt(t *testing.T) {
	key := Key{Secret: New([]byte(hush)), IsPassphrase: true}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+"\n", key.Secret)
		fmt.Fprintf(&out, verb+"\n", key)
		fmt.Fprintf(&out, verb+"\n", &key)
	}
	encoded, err := json.Marshal(key)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(encoded)
	slog.New(slog.NewTextHandler(&out, nil)).Info("opened", "key", key, "secret", key.Secret)
	text := out.String()
	if !strings.Contains(text, "***") {
		t.Errorf("%s", text)
	}
	for _, leak := range []string{"correct", fmt.Sprintf("%x", hush[:4]), fmt.Sprintf("%d", []byte(hush))[1:12]} {
		if strings.Contains(text, leak) {
			t.Errorf("the secret shows: %s", text)
		}
	}
	if string(key.Secret.Reveal()) != hush {
		t.Error("Reveal does not give the secret back")
	}
}

func TestKeyFileIsReadBackAndKeptPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	made, err := CreateKeyFile(path, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadKeyFile(path)
	if err != nil || !bytes.Equal(read.Secret.Reveal(), made.Secret.Reveal()) || read.IsPassphrase || len(read.Secret.Reveal()) != 32 {
		t.Fatalf("%v", err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if _, err := CreateKeyFile(path, rand.Reader); err == nil {
		t.Error("a key file was overwritten")
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadKeyFile(path); err == nil || !strings.Contains(err.Error(), "others may read") {
		t.Errorf("a key that others may read was taken: %v", err)
	}
}

func TestBadKeyFilesAreRefusedWithoutTheirContent(t *testing.T) {
	for name, content := range map[string]string{
		"empty": "", "text": hush, "short": keyPrefix + "AAAA", "not base64": keyPrefix + "!!!!" + hush,
		"long": strings.Repeat(hush, 1000),
	} {
		path := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadKeyFile(path)
		if fault.CodeOf(err) != fault.Failure || strings.Contains(err.Error(), "horse") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ReadKeyFile(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("a key was read from nowhere")
	}
}

func TestPassphraseIsTheFirstLine(t *testing.T) {
	for text, want := range map[string]string{hush: hush, hush + "\n": hush, hush + "\r\nmore\n": hush, "\n": "", "": "", strings.Repeat("x", 5000): ""} {
		key, err := ReadFrom(strings.NewReader(text))
		if (err == nil) != (want != "") || string(key.Secret.Reveal()) != want {
			t.Errorf("%d bytes: %v", len(text), err)
		}
		if err == nil && !key.IsPassphrase {
			t.Error("a passphrase was taken for a key")
		}
	}
	path := filepath.Join(t.TempDir(), "passphrase")
	if err := os.WriteFile(path, []byte(hush+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if key, err := ReadFile(path); err != nil || string(key.Secret.Reveal()) != hush {
		t.Errorf("%v", err)
	}
}

func TestPassphraseComesThroughADescriptor(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(w, hush)
	w.Close()
	descriptor, err := syscall.Dup(int(r.Fd())) // as a parent process would have passed it
	if err != nil {
		t.Fatal(err)
	}
	key, err := ReadDescriptor(descriptor)
	if err != nil || string(key.Secret.Reveal()) != hush {
		t.Errorf("%v", err)
	}
	r.Close()
	if _, err := ReadDescriptor(-1); fault.CodeOf(err) != fault.Usage {
		t.Errorf("%v", err)
	}
}
