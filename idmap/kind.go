package idmap

import (
	"bytes"
	"unicode/utf8"

	"anonymooc/internal/fault"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Kind says which of a person's identifiers a value is.
type Kind uint8

// The identifier kinds. Their numbers are part of the file format and never change.
const (
	// UserID is auth_user.id, written in decimal. It anchors a person: a person has at most one.
	UserID Kind = 1
	// Username is auth_user.username, compared without case unless the domain says otherwise.
	Username Kind = 2
	// Email is an e-mail address, compared without case.
	Email Kind = 3
	// AnonymousID is student_anonymoususerid.anonymous_user_id: 32 hexadecimal digits.
	AnonymousID Kind = 4
	// HashID is user_id_map.hash_id; it shares its values with AnonymousID, so that one finds the other.
	HashID Kind = 5
	// CourseScopedID is any other id that a course or a tool gave a person; the caller joins course and id.
	CourseScopedID Kind = 6
	// ExternalID is an id of a person that another system knows (LTI, single sign-on, external_user_id).
	ExternalID Kind = 7

	lastKind = ExternalID
)

var kindNames = [...]string{
	UserID: "user_id", Username: "username", Email: "email", AnonymousID: "anonymous_id",
	HashID: "hash_id", CourseScopedID: "course_scoped_id", ExternalID: "external_id",
}

// Kinds lists every kind, in the order of their numbers.
func Kinds() []Kind {
	return []Kind{UserID, Username, Email, AnonymousID, HashID, CourseScopedID, ExternalID}
}

// String gives the name used in rules, reports and on the command line.
func (k Kind) String() string {
	if !k.valid() {
		return "unknown kind"
	}
	return kindNames[k]
}

// MarshalText writes the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the kind's name.
func (k *Kind) UnmarshalText(text []byte) error {
	kind, err := ParseKind(string(text))
	*k = kind
	return err
}

// ParseKind reads a kind's name.
func ParseKind(name string) (Kind, error) {
	for _, k := range Kinds() {
		if kindNames[k] == name {
			return k, nil
		}
	}
	return 0, fault.New(fault.Usage, "unknown kind of identifier").
		WithHint("the kinds are user_id, username, email, anonymous_id, hash_id, course_scoped_id, external_id")
}

func (k Kind) valid() bool { return k >= UserID && k <= lastKind }

// space is the set of values a kind is looked up in.
func (k Kind) space() byte {
	if k == HashID {
		return byte(AnonymousID)
	}
	return byte(k)
}

// Identifier is one value that stands for a person.
type Identifier struct {
	Kind  Kind   `json:"kind"`
	Value string `json:"value"`
}

// Attribute is what is known about a person besides their identifiers, for
// re-contact and for the text catalogue: a name, a city, an institution.
type Attribute struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// appendCanonical appends the spelling under which a value is looked up: two
// spellings of one identifier, as the platform compares them, become one.
//
//   - user ids lose leading zeros;
//   - usernames are compared as edX's MySQL collation and Django do: NFKC,
//     without case, unless exact is set; accents count;
//   - e-mail addresses and hexadecimal ids are compared without case.
//
// Surrounding white space never counts.
func appendCanonical(dst []byte, kind Kind, value []byte, exact bool) []byte {
	value = bytes.TrimSpace(value)
	switch kind {
	case UserID:
		return append(dst, withoutLeadingZeros(value)...)
	case Username:
		if exact {
			return norm.NFKC.Append(dst, value...)
		}
	case CourseScopedID, ExternalID:
		return append(dst, value...)
	}
	return appendFolded(dst, value)
}

func withoutLeadingZeros(digits []byte) []byte {
	if !allDigits(digits) {
		return digits
	}
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	return digits
}

func allDigits(value []byte) bool {
	for _, c := range value {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(value) > 0
}

// appendFolded appends value without case; plain ASCII needs no tables.
func appendFolded(dst, value []byte) []byte {
	start := len(dst)
	for _, c := range value {
		if c >= utf8.RuneSelf {
			return append(dst[:start], norm.NFKC.Bytes(cases.Fold().Bytes(norm.NFKC.Bytes(value)))...)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}
