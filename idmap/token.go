package idmap

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"
)

// tokens computes HMAC-SHA-256: under the secret of a domain for what is nobody's,
// under the seed of a person for what is theirs.
type tokens struct {
	domain  hash.Hash // keyed
	message []byte
	outer   [sha256.BlockSize + sha256.Size]byte
	sum     [sha256.Size]byte
}

// space is what equal tokens have in common.
type space struct {
	name   string
	number uint16 // in the cache, above every kind
	kind   Kind   // of a person's identifiers, 0 for anything else
}

func newTokens(key []byte) tokens { return tokens{domain: hmac.New(sha256.New, key)} }

// space returns a space by name. A run has few: they are found by comparing.
func (r *Resolver) space(name string) *space {
	for i := range r.spaces {
		if s := &r.spaces[i]; s.name == name {
			return s
		}
	}
	s := space{name: name, number: uint16(len(r.spaces)) + 256}
	if kind, err := ParseKind(name); err == nil {
		s.kind = kind
	}
	r.spaces = append(r.spaces, s)
	return &r.spaces[len(r.spaces)-1]
}

// of returns the token of a value in a space of the domain.
func (t *tokens) of(space string, value []byte) (token [16]byte) {
	t.message = append(append(append(t.message[:0], space...), 0), value...)
	t.domain.Reset()
	t.domain.Write(t.message)
	copy(token[:], t.domain.Sum(t.sum[:0]))
	return token
}

// ofPerson returns the token of a value under a person's seed. Each person has a
// key of their own, which is used once or twice: HMAC is written out here (RFC
// 2104), because making a hash for each would cost more than the digests do.
func (t *tokens) ofPerson(own seed, value []byte) (token [16]byte) {
	t.message = t.message[:0]
	for i := range sha256.BlockSize {
		key := byte(0)
		if i < len(own) {
			key = own[i]
		}
		t.message = append(t.message, key^0x36)
		t.outer[i] = key ^ 0x5c
	}
	inner := sha256.Sum256(append(t.message, value...))
	copy(t.outer[sha256.BlockSize:], inner[:])
	outer := sha256.Sum256(t.outer[:])
	copy(token[:], outer[:])
	return token
}
