package pack

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strings"
	"time"

	"filippo.io/age"
	"filippo.io/age/agessh"
	"github.com/ProtonMail/go-crypto/openpgp"

	"anonymooc/internal/fault"
)

// Recipients are those who can open a sealed release: holders of age or SSH keys,
// or of OpenPGP keys.
type Recipients struct {
	age     []age.Recipient
	openpgp openpgp.EntityList
}

// maxRecipients is more than a file of public keys takes.
const maxRecipients = 16 << 20

// ParseRecipients reads public keys: age1… and ssh-… as they are, or files of them,
// or files of OpenPGP public keys.
func ParseRecipients(named []string) (*Recipients, error) {
	r := &Recipients{}
	for _, name := range named {
		if isLine(name) {
			if err := r.addLine(name, "--encrypt-to", 0); err != nil {
				return nil, err
			}
			continue
		}
		if err := r.addFile(name); err != nil {
			return nil, err
		}
	}
	if len(r.age) > 0 && len(r.openpgp) > 0 {
		return nil, fault.New(fault.Usage, "age and OpenPGP recipients cannot open the same archive").
			WithHint("make one archive for each")
	}
	return r, nil
}

func isLine(text string) bool {
	return strings.HasPrefix(text, "age1") || strings.HasPrefix(text, "ssh-") || strings.HasPrefix(text, "AGE-SECRET-KEY-")
}

// addLine reads one age or SSH public key.
func (r *Recipients) addLine(text, file string, line int64) error {
	if strings.HasPrefix(text, "AGE-SECRET-KEY-") {
		return fault.New(fault.Usage, "this is a secret key, and the shell may have kept it").At(file, line, "").
			WithHint("name the public key, which begins with age1; think of the secret one as lost")
	}
	var recipient age.Recipient
	var err error
	if strings.HasPrefix(text, "ssh-") {
		recipient, err = agessh.ParseRecipient(text)
	} else {
		var list []age.Recipient
		if list, err = age.ParseRecipients(strings.NewReader(text)); err == nil {
			recipient = list[0]
		}
	}
	if err != nil {
		return fault.New(fault.Usage, "this is no public key of age, or of a kind that is not supported").At(file, line, "").
			WithHint("age1… of age-keygen, ssh-ed25519 and ssh-rsa are; keys of plugins are not")
	}
	r.age = append(r.age, recipient)
	return nil
}

// addFile reads a file of recipients, or of OpenPGP keys.
func (r *Recipients) addFile(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fault.New(fault.Usage, "the recipient is no public key and no file that can be read").At(path, 0, "").
			WithHint("--encrypt-to takes an age1… or ssh-… key, a file of them, or a file of OpenPGP public keys")
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxRecipients))
	if err != nil {
		return fault.New(fault.Usage, "the file of recipients cannot be read").At(path, 0, "").Because(cause(err))
	}
	secret := bytes.Contains(text, []byte("PRIVATE KEY")) || bytes.Contains(text, []byte("\nAGE-SECRET-KEY-")) || bytes.HasPrefix(text, []byte("AGE-SECRET-KEY-"))
	if secret {
		return fault.New(fault.Usage, "this is a secret key").At(path, 0, "").WithHint("name the public key of whoever shall open the release")
	}
	if bytes.Contains(text, []byte("-----BEGIN PGP PUBLIC KEY BLOCK-----")) {
		keys, err := openpgp.ReadArmoredKeyRing(bytes.NewReader(text))
		return r.addOpenPGP(path, keys, err)
	}
	if len(text) > 0 && text[0]&0x80 != 0 {
		keys, err := openpgp.ReadKeyRing(bytes.NewReader(text))
		return r.addOpenPGP(path, keys, err)
	}
	before, line := len(r.age), int64(0)
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line++
		key := strings.TrimSpace(lines.Text())
		if key == "" || key[0] == '#' {
			continue
		}
		if err := r.addLine(key, path, line); err != nil {
			return err
		}
	}
	if len(r.age) == before {
		return fault.New(fault.Usage, "the file names no recipient").At(path, 0, "").WithHint("one age1… or ssh-… key a line, or OpenPGP public keys")
	}
	return nil
}

func (r *Recipients) addOpenPGP(path string, keys openpgp.EntityList, err error) error {
	if err != nil || len(keys) == 0 {
		return fault.New(fault.Usage, "the OpenPGP keys cannot be read").At(path, 0, "").WithHint("gpg --export --armor ADDRESS writes them")
	}
	for _, key := range keys {
		if key.PrivateKey != nil {
			return fault.New(fault.Usage, "this is a secret key").At(path, 0, "").WithHint("gpg --export --armor ADDRESS writes the public one")
		}
		if _, ok := key.EncryptionKey(time.Now()); !ok {
			return fault.New(fault.Usage, "the OpenPGP key cannot be encrypted for: it is expired, revoked, or made to sign only").At(path, 0, "").
				WithHint("ask for a key that can be encrypted for")
		}
	}
	r.openpgp = append(r.openpgp, keys...)
	return nil
}

// Fits tells whether the name of an archive is one that the recipients can open.
// Without recipients, no name of an encrypted archive does.
func (r *Recipients) Fits(out string) error {
	form, ok := formOf(out)
	switch {
	case r == nil && ok:
		return fault.New(fault.Usage, "the name is that of an encrypted archive, and nobody is named who could open it").At(out, 0, "").
			WithHint("--encrypt-to names who can, or give --out the name of a folder")
	case r == nil || ok && form.openPGP == (len(r.openpgp) > 0):
		return nil
	case len(r.openpgp) > 0:
		return fault.New(fault.Usage, "an archive for OpenPGP keys is called otherwise").At(out, 0, "").
			WithHint("end its name in .tar.gpg, .tar.gz.gpg or .tar.zst.gpg")
	}
	return fault.New(fault.Usage, "an archive for age keys is called otherwise").At(out, 0, "").
		WithHint("end its name in .tar.age, .tar.gz.age or .tar.zst.age")
}
