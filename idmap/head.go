package idmap

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"anonymooc/internal/fault"
	"anonymooc/internal/safefile"
	"anonymooc/internal/secret"

	"golang.org/x/crypto/scrypt"
)

// head is the small file that says which data file counts and up to where. It
// is replaced whole at each commit, and that rename is the commit.
//
//	"anonymooc-idmap\n" version:2 lock:1 work:1 salt:16 check:8 generation:8
//	wrapped:60    the generation's data key, sealed under the key that opens the map
//	body:…        JSON, sealed under the data key
//
// Everything before a sealed part is authenticated with it. lock is 1 for a
// key file, 2 for a passphrase stretched by scrypt with N = 2^work, r = 8,
// p = 1; both pass through HKDF-SHA-256 with the salt. check is derived from the
// same key and tells a wrong key from a damaged file.
type head struct {
	lock       lock
	work       uint8
	salt       [16]byte
	generation uint64
	body       headBody

	wrapping []byte // the key that opens the map
	check    []byte
	dataKey  []byte
}

// headBody is what only the key's owner sees.
type headBody struct {
	Secret    []byte    `json:"secret"` // looks up identifiers, seals the audit
	Frames    uint64    `json:"frames"`
	Length    int64     `json:"length"`
	Commits   uint64    `json:"commits"`
	AuditSeal string    `json:"audit_seal"` // of the last audit entry
	Created   time.Time `json:"created"`
	Changed   time.Time `json:"changed"` // last commit
	Used      time.Time `json:"used"`    // last audit entry
	// Rough sizes, so that opening takes the memory it needs at once.
	Sizes []domainSize `json:"sizes"`
}

type domainSize struct {
	People, Identifiers, Addresses int
}

type lock uint8

const (
	lockKeyFile    lock = 1
	lockPassphrase lock = 2
)

const (
	headMagic   = "anonymooc-idmap\n"
	headVersion = 1
	fixedHead   = len(headMagic) + 2 + 1 + 1 + 16 + 8 + 8
	wrappedKey  = 12 + 32 + 16
	headName    = "head"
	// scryptWork costs about a second and 256 MB, once a run; a map that asks
	// for more than maximumWork was not written by us.
	scryptWork  = 18
	maximumWork = 20
)

// newHead locks a new generation with key.
func newHead(key secret.Key, work uint8) (head, error) {
	h := head{lock: lockKeyFile, dataKey: make([]byte, 32)}
	if key.IsPassphrase {
		h.lock, h.work = lockPassphrase, work
	}
	rand.Read(h.salt[:])
	rand.Read(h.dataKey)
	err := h.deriveKeys(key)
	return h, err
}

// nextGeneration is the same lock around a new data key.
func (h head) nextGeneration() head {
	h.generation++
	h.dataKey = make([]byte, 32)
	rand.Read(h.dataKey)
	return h
}

func (h *head) deriveKeys(key secret.Key) error {
	if key.Secret.IsZero() {
		return fault.New(fault.Usage, "the id map needs its key").WithHint("give --key-file, or the passphrase")
	}
	material := key.Secret.Reveal()
	if h.lock == lockPassphrase {
		var err error
		if material, err = scrypt.Key(material, h.salt[:], 1<<h.work, 8, 1, 32); err != nil {
			return fault.New(fault.Failure, "the passphrase cannot be stretched").Because(err)
		}
	}
	keys, err := hkdf.Key(sha256.New, material, h.salt[:], "anonymooc id map 1", 40)
	if err != nil {
		return fault.New(fault.Failure, "the key cannot be derived").Because(err)
	}
	h.wrapping, h.check = keys[:32], keys[32:]
	return nil
}

func newSeal(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// write seals the head and puts it in place: the commit.
func (h *head) write(dir string) error {
	b := binary.LittleEndian.AppendUint16([]byte(headMagic), headVersion)
	b = append(b, byte(h.lock), h.work)
	b = append(append(b, h.salt[:]...), h.check...)
	b = binary.LittleEndian.AppendUint64(b, h.generation)
	wrap, err := newSeal(h.wrapping)
	if err != nil {
		return err
	}
	seal, err := newSeal(h.dataKey)
	if err != nil {
		return err
	}
	body, err := json.Marshal(h.body)
	if err != nil {
		return err
	}
	b = wrap.Seal(b, nil, h.dataKey, bytes.Clone(b))
	b = seal.Seal(b, nil, body, bytes.Clone(b))
	path := filepath.Join(dir, headName)
	if err := safefile.Write(path, b, 0o600); err != nil {
		return writeFault(path, err)
	}
	return nil
}

// readHead reads the part of the head that needs no key.
func readHead(dir string) (head, []byte, error) {
	path := filepath.Join(dir, headName)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return head{}, nil, fault.New(fault.Failure, "there is no id map here").At(dir, 0, "").
			WithHint("\"anonymooc run\" makes one with the project; if there was one, restore the whole folder from its backup")
	}
	if err != nil {
		return head{}, nil, readFault(path, err)
	}
	if err := checkMode(path, 0o077); err != nil {
		return head{}, nil, err
	}
	if len(b) < fixedHead+wrappedKey || string(b[:len(headMagic)]) != headMagic {
		return head{}, nil, headDamaged(path)
	}
	rest := b[len(headMagic):]
	if version := binary.LittleEndian.Uint16(rest); version != headVersion {
		return head{}, nil, fault.New(fault.Failure, "the id map has format %d, this program knows %d", version, headVersion).
			At(path, 0, "").WithHint("a newer anonymooc wrote it: install that version")
	}
	h := head{lock: lock(rest[2]), work: rest[3], generation: binary.LittleEndian.Uint64(rest[28:])}
	copy(h.salt[:], rest[4:])
	h.check = bytes.Clone(rest[20:28])
	if h.lock != lockKeyFile && h.lock != lockPassphrase || h.work > maximumWork {
		return head{}, nil, headDamaged(path)
	}
	return h, b, nil
}

// openHead reads the head and unlocks it with key.
func openHead(dir string, key secret.Key) (head, error) {
	h, b, err := readHead(dir)
	if err != nil {
		return head{}, err
	}
	if key.IsPassphrase != (h.lock == lockPassphrase) && !key.Secret.IsZero() {
		return head{}, fault.New(fault.Usage, "the id map is locked by a %s", h.lock).At(dir, 0, "")
	}
	check := h.check
	if err := h.deriveKeys(key); err != nil {
		return head{}, err
	}
	if subtle.ConstantTimeCompare(check, h.check) != 1 {
		return head{}, fault.New(fault.Failure, "this is not the key of the id map").At(dir, 0, "").
			WithHint("each map has its own %s; after ids rekey the old one no longer opens it", h.lock)
	}
	path := filepath.Join(dir, headName)
	if h.dataKey, err = unsealPart(h.wrapping, b[:fixedHead], b[fixedHead:fixedHead+wrappedKey]); err != nil {
		return head{}, headDamaged(path)
	}
	body, err := unsealPart(h.dataKey, b[:fixedHead+wrappedKey], b[fixedHead+wrappedKey:])
	if err != nil || json.Unmarshal(body, &h.body) != nil || len(h.body.Secret) != 32 {
		return head{}, headDamaged(path)
	}
	return h, nil
}

func unsealPart(key, before, sealed []byte) ([]byte, error) {
	seal, err := newSeal(key)
	if err != nil {
		return nil, err
	}
	return seal.Open(nil, nil, sealed, before)
}

func headDamaged(path string) error {
	return fault.New(fault.Failure, "the id map is damaged: its head does not fit its seal").At(path, 0, "").
		WithHint("restore the whole map folder from its last backup; do not go on with this one")
}

// String names what locks the map.
func (l lock) String() string {
	if l == lockPassphrase {
		return "passphrase"
	}
	return "key file"
}

// Exists says whether there is a map in dir that was made completely.
func Exists(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, headName))
	return err == nil
}

// NeedsPassphrase says whether the map in dir is locked by a passphrase rather
// than a key file.
func NeedsPassphrase(dir string) (bool, error) {
	h, _, err := readHead(dir)
	return h.lock == lockPassphrase, err
}
