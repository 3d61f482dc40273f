// Package secret holds what must not be seen: keys and passphrases, and the
// ways they reach the program.
//
// A Secret prints as *** whatever verb, encoder or logger meets it; only
// Reveal gives its bytes. A key comes from a file that nobody else may read, a
// passphrase from a prompt, a file or a file descriptor: never from a flag's
// value, which a process list shows, nor from the environment, which child
// processes and crash reports inherit.
//
//	key file ──► ReadKeyFile ─┐
//	prompt ────► Prompt ──────┤
//	file ──────► ReadFile ────┼──► Secret ──► Key{Secret, IsPassphrase} ──► idmap
//	descriptor ► ReadFrom ────┘
package secret

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
)

const hidden = "***"

// Secret is bytes that print as ***.
type Secret struct{ bytes []byte }

// New keeps b as a secret; the caller gives b up.
func New(b []byte) Secret { return Secret{b} }

// Reveal returns the secret's bytes.
func (s Secret) Reveal() []byte { return s.bytes }

// IsZero says that there is no secret.
func (s Secret) IsZero() bool { return len(s.bytes) == 0 }

// String hides the secret.
func (s Secret) String() string { return hidden }

// Format hides the secret from every verb of fmt.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// MarshalText hides the secret from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Key opens the id map: the content of a key file, or a passphrase, which is
// weaker and therefore stretched.
type Key struct {
	Secret       Secret
	IsPassphrase bool
}

const (
	keyBytes      = 32
	keyPrefix     = "ANONYMOOC-KEY-1-"
	maximumSecret = 4096
)

// CreateKeyFile draws a key from source and writes it to a new file at path
// that only its owner can read.
func CreateKeyFile(path string, source io.Reader) (Key, error) {
	if _, err := os.Lstat(path); err == nil {
		return Key{}, fault.New(fault.Failure, "the key file exists already").At(path, 0, "").
			WithHint("a new map needs a new key: name another file")
	}
	key := make([]byte, keyBytes)
	if _, err := io.ReadFull(source, key); err != nil {
		return Key{}, fault.New(fault.Failure, "no randomness for a key").Because(err)
	}
	text := "# Key of an anonymooc id map. Without it the map is lost; whoever has both knows everyone.\n" +
		keyPrefix + base64.RawURLEncoding.EncodeToString(key) + "\n"
	if err := safefile.Write(path, []byte(text), 0o600); err != nil {
		return Key{}, fault.New(fault.Failure, "the key file cannot be written").At(path, 0, "").Because(cause(err))
	}
	return Key{Secret: New(key)}, nil
}

// ReadKeyFile reads a file that CreateKeyFile wrote. A file that others may
// read is refused.
func ReadKeyFile(path string) (Key, error) {
	text, err := readPrivate(path)
	if err != nil {
		return Key{}, err
	}
	for line := range bytes.Lines(text) {
		encoded, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte(keyPrefix))
		if !ok {
			continue
		}
		key, err := base64.RawURLEncoding.DecodeString(string(encoded))
		if err == nil && len(key) == keyBytes {
			return Key{Secret: New(key)}, nil
		}
	}
	return Key{}, fault.New(fault.Failure, "not a key file of anonymooc").At(path, 0, "").
		WithHint("the key file was made with the map; restore it from the backup of keys")
}

// ReadFile reads a passphrase from a file that nobody else may read.
func ReadFile(path string) (Key, error) {
	text, err := readPrivate(path)
	if err != nil {
		return Key{}, err
	}
	return passphrase(text)
}

// ReadFrom reads a passphrase from an open file, a pipe for instance: its first line.
func ReadFrom(r io.Reader) (Key, error) {
	text, err := io.ReadAll(io.LimitReader(r, maximumSecret+1))
	if err != nil {
		return Key{}, fault.New(fault.Failure, "the passphrase cannot be read").Because(cause(err))
	}
	return passphrase(text)
}

// ReadDescriptor reads a passphrase from the file descriptor a parent process
// opened for it.
func ReadDescriptor(descriptor int) (Key, error) {
	if descriptor < 0 {
		return Key{}, fault.New(fault.Usage, "not a file descriptor")
	}
	file := os.NewFile(uintptr(descriptor), "passphrase")
	if file == nil {
		return Key{}, fault.New(fault.Usage, "not an open file descriptor")
	}
	defer file.Close()
	return ReadFrom(file)
}

func passphrase(text []byte) (Key, error) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) == 0 {
		return Key{}, fault.New(fault.Usage, "the passphrase is empty")
	}
	if len(line) > maximumSecret {
		return Key{}, fault.New(fault.Usage, "the passphrase is longer than %d bytes", maximumSecret)
	}
	return Key{Secret: New(bytes.Clone(line)), IsPassphrase: true}, nil
}

// ReadPrivate reads a secret of at most maximum bytes from a file that nobody else
// may read: a key of another program.
func ReadPrivate(path string, maximum int64) (Secret, error) {
	text, err := readFile(path, maximum, "chmod 600 the file, and think of it as seen: whoever may read it can open what was encrypted for it")
	if err == nil && int64(len(text)) > maximum {
		err = fault.New(fault.Usage, "this is no key file: it is longer than any key").At(path, 0, "")
	}
	return New(text), err
}

func readPrivate(path string) ([]byte, error) {
	return readFile(path, maximumSecret, "chmod 600 the file, and think of it as seen: ids rekey gives the map a new key")
}

func readFile(path string, maximum int64, hint string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fault.New(fault.Failure, "the key cannot be read").At(path, 0, "").
			WithHint("is the path right, and may this user read it?").Because(cause(err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fault.New(fault.Failure, "the key cannot be read").At(path, 0, "").Because(cause(err))
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fault.New(fault.Failure, "others may read the key").At(path, 0, "").
			WithHint("%s", hint)
	}
	text, err := io.ReadAll(io.LimitReader(file, maximum+1))
	if err != nil {
		return nil, fault.New(fault.Failure, "the key cannot be read").At(path, 0, "").Because(cause(err))
	}
	return text, nil
}

// cause strips the path from a file error: the fault names it already.
func cause(err error) error {
	if pathError, ok := err.(*fs.PathError); ok {
		return pathError.Err
	}
	return err
}
