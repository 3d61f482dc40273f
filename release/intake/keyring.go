package intake

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"slices"
	"sync"

	"filippo.io/age"
	"filippo.io/age/agessh"
	"filippo.io/age/armor"
	"github.com/ProtonMail/go-crypto/openpgp"
	"golang.org/x/crypto/ssh"

	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
)

// Keyring is what opens encrypted deliveries: secret keys of OpenPGP, age and SSH,
// and passphrases. A passphrase is asked for only when something needs one, and
// then tried wherever another is needed.
type Keyring struct {
	ask func(question string) (secret.Secret, error)

	mutex       sync.Mutex
	openpgp     openpgp.EntityList
	age         []age.Identity
	passphrases []secret.Secret
	unwrapped   map[[32]byte][]byte // keys of age files, by what sealed them
}

// NewKeyring reads key files: OpenPGP secret keys, age identities, SSH keys, told
// apart by what is in them. Passphrases come from ask, which may refuse.
func NewKeyring(paths []string, ask func(question string) (secret.Secret, error)) (*Keyring, error) {
	k := &Keyring{ask: ask, unwrapped: map[[32]byte][]byte{}}
	for _, path := range paths {
		text, err := secret.ReadPrivate(path, maxKeyFile)
		if err != nil {
			return nil, err
		}
		if err := k.add(path, text.Reveal()); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// maxKeyFile is more than any key with all its signatures takes.
const maxKeyFile = 4 << 20

// add reads one key file. Its content is never shown, whatever is wrong with it.
func (k *Keyring) add(path string, text []byte) error {
	noKey := func(what string) error {
		return fault.New(fault.Usage, "%s", what).At(path, 0, "").
			WithHint("a key file is a secret OpenPGP key (gpg --export-secret-keys), an age identity (age-keygen) or an SSH key")
	}
	has := func(mark string) bool { return bytes.Contains(text, []byte(mark)) }
	switch {
	case has("-----BEGIN PGP PUBLIC KEY BLOCK-----"), has("ssh-ed25519 "), has("ssh-rsa "), has("age1") && !has("AGE-SECRET-KEY-"):
		return noKey("this is a public key, and only the secret one opens what was encrypted for it")
	case has("-----BEGIN PGP PRIVATE KEY BLOCK-----"):
		keys, err := openpgp.ReadArmoredKeyRing(bytes.NewReader(text))
		if err != nil || !k.addOpenPGP(keys) {
			return noKey("the OpenPGP key cannot be read")
		}
	case has("AGE-SECRET-KEY-"):
		identities, err := age.ParseIdentities(bytes.NewReader(text))
		if err != nil {
			return noKey("the age identity cannot be read")
		}
		k.age = append(k.age, identities...)
	case has("age-encryption.org/v1"), has(armor.Header):
		return k.addLockedAge(path, text)
	case has(" PRIVATE KEY-----"):
		identity, err := k.sshIdentity(path, text)
		if err != nil {
			return noKey("the SSH key cannot be read, or is of a kind that age does not take")
		}
		k.age = append(k.age, identity)
	case len(text) > 0 && text[0]&0x80 != 0:
		keys, err := openpgp.ReadKeyRing(bytes.NewReader(text))
		if err != nil || !k.addOpenPGP(keys) {
			return noKey("there is no secret OpenPGP key in this file")
		}
	default:
		return noKey("this is no secret key")
	}
	return nil
}

// addOpenPGP takes those keys that have a secret part.
func (k *Keyring) addOpenPGP(keys openpgp.EntityList) bool {
	before := len(k.openpgp)
	for _, entity := range keys {
		if entity.PrivateKey != nil || slices.ContainsFunc(entity.Subkeys, func(s openpgp.Subkey) bool { return s.PrivateKey != nil }) {
			k.openpgp = append(k.openpgp, entity)
		}
	}
	return len(k.openpgp) > before
}

// addLockedAge opens an identity file that is itself locked by a passphrase.
func (k *Keyring) addLockedAge(path string, text []byte) error {
	in := io.Reader(bytes.NewReader(text))
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte(armor.Header)) {
		in = armor.NewReader(in)
	}
	clear, err := age.Decrypt(in, &passphraseIdentity{k, "passphrase of " + path})
	if err != nil {
		return explainKey(err, path)
	}
	identities, err := age.ParseIdentities(io.LimitReader(clear, maxKeyFile))
	if err != nil {
		return fault.New(fault.Usage, "the age identity cannot be read").At(path, 0, "")
	}
	k.age = append(k.age, identities...)
	return nil
}

func explainKey(err error, path string) error {
	var known *fault.Fault
	if errors.As(err, &known) {
		return known
	}
	return fault.New(fault.Usage, "the passphrase does not open this key").At(path, 0, "")
}

// sshIdentity reads an SSH key; one that is locked is opened when it is needed.
func (k *Keyring) sshIdentity(path string, text []byte) (age.Identity, error) {
	identity, err := agessh.ParseIdentity(text)
	var locked *ssh.PassphraseMissingError
	if !errors.As(err, &locked) || locked.PublicKey == nil {
		return identity, err
	}
	return &lockedSSH{k, locked.PublicKey, text, "passphrase of " + path}, nil
}

// lockedSSH is an SSH key that a passphrase opens, once something needs it.
type lockedSSH struct {
	keys     *Keyring
	public   ssh.PublicKey
	text     []byte
	question string
}

// errAsked is told when the key is the right one, but locked.
var errAsked = errors.New("wants a passphrase")

func (l *lockedSSH) Unwrap(stanzas []*age.Stanza) (fileKey []byte, err error) {
	try := func(passphrase []byte, none error) (err error) {
		identity, err := agessh.NewEncryptedSSHIdentity(l.public, l.text, func() ([]byte, error) { return passphrase, none })
		if err == nil {
			fileKey, err = identity.Unwrap(stanzas)
		}
		return err
	}
	if err := try(nil, errAsked); errors.Is(err, age.ErrIncorrectIdentity) {
		return nil, err
	}
	err = l.keys.withPassphrase(l.question, func(passphrase []byte) bool { return try(passphrase, nil) == nil })
	return fileKey, err
}

// tries is how often a passphrase is asked for on a terminal.
const tries = 3

// withPassphrase tries the passphrases that are known, and then those that are
// asked for, until one opens.
func (k *Keyring) withPassphrase(question string, opens func([]byte) bool) error {
	for _, p := range k.passphrases {
		if opens(p.Reveal()) {
			return nil
		}
	}
	if k.ask == nil {
		return fault.New(fault.Usage, "a passphrase is needed")
	}
	for range tries {
		p, err := k.ask(question)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(k.passphrases, func(known secret.Secret) bool { return bytes.Equal(known.Reveal(), p.Reveal()) }) {
			break // not a person who could think of another
		}
		if opens(p.Reveal()) {
			k.passphrases = append(k.passphrases, p)
			return nil
		}
	}
	return fault.New(fault.Usage, "the passphrase does not open it").
		WithHint("--decrypt-passphrase-fd or --decrypt-passphrase-file give another; who encrypted it knows")
}

// passphraseIdentity opens what age sealed by a passphrase.
type passphraseIdentity struct {
	keys     *Keyring
	question string
}

func (i *passphraseIdentity) Unwrap(stanzas []*age.Stanza) (fileKey []byte, err error) {
	if len(stanzas) != 1 || stanzas[0].Type != "scrypt" {
		return nil, age.ErrIncorrectIdentity
	}
	var failed error
	err = i.keys.withPassphrase(i.question, func(passphrase []byte) bool {
		identity, err := age.NewScryptIdentity(string(passphrase))
		if err != nil {
			return false
		}
		fileKey, err = identity.Unwrap(stanzas)
		if err != nil && !errors.Is(err, age.ErrIncorrectIdentity) {
			failed = err
			return true
		}
		return err == nil
	})
	return fileKey, errors.Join(failed, err)
}

// remembering keeps the key of a file that was opened, so that a passphrase is
// stretched once a file and not each time it is read.
type remembering struct{ keys *Keyring }

func (r remembering) Unwrap(stanzas []*age.Stanza) ([]byte, error) {
	k := r.keys
	k.mutex.Lock()
	defer k.mutex.Unlock()
	h := sha256.New()
	for _, s := range stanzas {
		h.Write(s.Body)
	}
	sum := [32]byte(h.Sum(nil))
	if key, ok := k.unwrapped[sum]; ok {
		return key, nil
	}
	for _, identity := range append(slices.Clone(k.age), &passphraseIdentity{k, "passphrase of the encrypted file"}) {
		key, err := identity.Unwrap(stanzas)
		if errors.Is(err, age.ErrIncorrectIdentity) {
			continue
		}
		if err == nil && len(k.unwrapped) < maxRemembered {
			k.unwrapped[sum] = key
		}
		return key, err
	}
	return nil, age.ErrIncorrectIdentity
}

const maxRemembered = 1 << 16
