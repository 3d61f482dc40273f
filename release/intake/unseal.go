package intake

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"filippo.io/age"
	agearmor "filippo.io/age/armor"
	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	openpgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"

	"anonymooc/internal/fault"
)

func noKey() error {
	return fault.New(fault.Usage, "the file is encrypted, and no key that was given opens it").
		WithHint("--decrypt-key FILE names the secret key it was encrypted for")
}

// openPGP opens an OpenPGP message, armoured or not. What it gives is proved only
// when it has been read to its end.
func (k *Keyring) openPGP(in io.Reader) (io.Reader, error) {
	raw := bufio.NewReader(in)
	message := io.Reader(raw)
	if start, _ := raw.Peek(64); bytes.HasPrefix(bytes.TrimSpace(start), []byte("-----BEGIN PGP")) {
		block, err := armor.Decode(raw)
		if err != nil || block.Type != "PGP MESSAGE" {
			return nil, notSealed("OpenPGP message")
		}
		message = block.Body
	}
	if k == nil {
		return nil, noKey()
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	md, err := k.readMessage(message)
	if err != nil {
		return nil, explainMessage(err)
	}
	if !md.IsEncrypted {
		return nil, fault.New(fault.Failure, "the OpenPGP file is not encrypted, so nothing tells whether it is whole").
			WithHint("encrypt it for your key, or deliver what is in it")
	}
	return &openPGPBody{md.UnverifiedBody, []io.Reader{message, raw}}, nil
}

// errWantsPassphrase is told when a message is sealed by a passphrase.
var errWantsPassphrase = errors.New("wants a passphrase")

// readMessage finds the key or passphrase that opens a message.
func (k *Keyring) readMessage(in io.Reader) (md *openpgp.MessageDetails, err error) {
	message := &replay{in: in}
	read := func(passphrase []byte) error {
		told := false
		md, err = openpgp.ReadMessage(message, k.openpgp, func(locked []openpgp.Key, symmetric bool) ([]byte, error) {
			switch {
			case symmetric && passphrase != nil && !told:
				told = true
				return passphrase, nil
			case len(locked) > 0:
				return nil, k.unlock(locked)
			case symmetric:
				return nil, errWantsPassphrase
			}
			return nil, noKey()
		}, nil)
		return err
	}
	if err := read(nil); !errors.Is(err, errWantsPassphrase) {
		return md, err
	}
	failed := k.withPassphrase("passphrase of the encrypted file", func(passphrase []byte) bool {
		return message.again() && read(passphrase) == nil
	})
	return md, failed
}

// unlock opens one of the secret keys by a passphrase.
func (k *Keyring) unlock(locked []openpgp.Key) error {
	return k.withPassphrase("passphrase of the secret key", func(passphrase []byte) bool {
		opened := false
		for _, key := range locked {
			opened = key.PrivateKey.Decrypt(passphrase) == nil || opened
		}
		return opened
	})
}

// explainMessage says why a message cannot be opened.
func explainMessage(err error) error {
	var known *fault.Fault
	var unsupported openpgperrors.UnsupportedError
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, openpgperrors.ErrKeyIncorrect):
		return noKey()
	case errors.As(err, &unsupported) && string(unsupported) == "message is not integrity protected":
		return fault.New(fault.Failure, "the OpenPGP file has no integrity protection (MDC): anybody may have changed it").
			WithHint("have it encrypted again by a program of this century")
	case errors.As(err, &unsupported):
		return fault.New(fault.Failure, "the OpenPGP file is of a kind that cannot be read").
			WithHint("decrypt it with gpg, or have it encrypted again")
	case errors.Is(err, io.EOF), errors.As(err, new(openpgperrors.StructuralError)):
		return notSealed("OpenPGP message")
	}
	return err
}

func notSealed(what string) error {
	return fault.New(fault.Failure, "this is no %s, or it is damaged", what).
		WithHint("copy it again, or rename it if it is not what its name says")
}

// replay lets the beginning of a message be read again, with another passphrase.
type replay struct {
	in     io.Reader
	begins []byte
	lost   bool
}

// maxReplay is more than a message needs to show whether a passphrase is right.
const maxReplay = 1 << 20

func (r *replay) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if r.lost || len(r.begins)+n > maxReplay {
		r.begins, r.lost = nil, true
		return n, err
	}
	r.begins = append(r.begins, p[:n]...)
	return n, err
}

// again goes back to the beginning, if it is still known.
func (r *replay) again() bool {
	if r.lost {
		return false
	}
	r.in, r.begins = io.MultiReader(bytes.NewReader(r.begins), r.in), nil
	return true
}

// openPGPBody is what a message holds. Its end is told only if nothing was changed
// and nothing follows.
type openPGPBody struct {
	text   io.Reader
	behind []io.Reader // of the message, and of its armour
}

func (b *openPGPBody) Read(p []byte) (int, error) {
	n, err := b.text.Read(p)
	if err != io.EOF {
		return n, err
	}
	for _, in := range b.behind {
		rest, err := io.ReadAll(io.LimitReader(in, 4<<10))
		if err != nil {
			return n, err
		}
		rest = bytes.TrimPrefix(bytes.TrimSpace(rest), []byte("-----END PGP MESSAGE-----"))
		if len(bytes.TrimSpace(rest)) > 0 {
			return n, fault.New(fault.Failure, "something follows the OpenPGP message").
				WithHint("deliver every message in a file of its own")
		}
	}
	return n, io.EOF
}

// openAge opens an age file, armoured or not. What it gives is proved block by
// block, its end at the end.
func (k *Keyring) openAge(in io.Reader) (io.Reader, error) {
	if k == nil {
		return nil, noKey()
	}
	raw := bufio.NewReader(in)
	file := io.Reader(raw)
	if start, _ := raw.Peek(len(agearmor.Header)); string(start) == agearmor.Header {
		file = agearmor.NewReader(raw)
	}
	text, err := age.Decrypt(file, remembering{k})
	return text, explainAge(err)
}

// ageAt opens an age file that can be read anywhere, and leaves one that it cannot
// open, an armoured one for instance, to openAge: text is nil then. The error is that
// somebody was asked for a passphrase and did not know it.
func (k *Keyring) ageAt(at io.ReaderAt, size int64) (text io.ReaderAt, length int64, err error) {
	if k == nil {
		return nil, 0, nil
	}
	text, length, err = age.DecryptReaderAt(at, size, remembering{k})
	var known *fault.Fault
	if err != nil && !errors.As(err, &known) {
		return nil, 0, nil
	}
	return text, length, err
}

// explainAge says why an age file cannot be opened.
func explainAge(err error) error {
	var known *fault.Fault
	var noMatch *age.NoIdentityMatchError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.As(err, &noMatch):
		return noKey()
	}
	return notSealed("age file")
}
